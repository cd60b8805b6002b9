/* The device's arrays, copies, launches and graphs, passed on to the backend in use (device.h). */
#include "gpu/device.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <time.h>
#include "base/memory.h"
#include "gpu/device_backend.h"
#include "gpu/launches.h"
#include "gpu/ranks.h"
#include "gpu/stale.h"
#include "gpu/vector.h"

static const struct device_backend *backend;
static enum device_kind kind;
static char description[256], note[256];
static bool graphs;                     /* launches are recorded in graphs */
static struct launches *gathered;       /* launches not yet passed to the device; NULL: launches are passed on at
                                           once */
static bool recording;                  /* launches are being recorded by device_graph_record() */
static bool share;                      /* several ranks may share one GPU */

/* Sizes of live allocations, so that current and peak use are known for both backends. */
static struct { void *p; size_t bytes; } *live;
static size_t n_live, room, in_use, peak;

bool device_open(const char *name, int threads, struct error *e)
{
    static const char *const names[] = {"auto", "cpu", "cuda"};
    bool is_auto = !strcmp(name, "auto"), want_cuda = !strcmp(name, "cuda");
    if (!is_auto && !want_cuda && strcmp(name, "cpu")) {
        const char *near = !strcasecmp(name, "gpu") ? "cuda" : nearest_name(name, names, 3);
        return refuse(e, EXIT_INPUT, "--device \"%s\" is not known; expected auto, cpu or cuda%s%s%s", name,
                    near ? " (did you mean " : "", near ? near : "", near ? "?)" : "");
    }
    device_close();
    note[0] = 0;
    if (is_auto || want_cuda) {
        char reason[200];
        kind = DEVICE_CUDA;
        backend = device_backend_cuda(description, sizeof description, reason, sizeof reason);
        if (!backend && want_cuda)
            return refuse(e, EXIT_RESOURCE, "--device cuda: %s; run without it to compute on the CPU", reason);
        if (!backend) snprintf(note, sizeof note, "%s: computing on the CPU", reason);
    }
    if (!backend) {
        kind = DEVICE_CPU;
        backend = device_backend_cpu(threads, description, sizeof description, e);
    }
    if (!backend) return false;
    in_use = peak = n_live = 0;
    graphs = backend->record;
    if (graphs) gathered = launches_create(backend);
    return true;
}

/* For calls that wait, or that must run after everything launched so far. */
static void go(void) { if (gathered) launches_go(gathered); }
void device_go(void) { go(); }

void device_share_gpu(void) { share = true; }

bool device_join(struct error *e)
{
    bool direct = false;
    char why[200];
    int64_t on_gpu = kind == DEVICE_CUDA;
    if (ranks_count() == 1) return true;
    ranks_now("%s", "");                /* which device it is */
    int64_t *first = ranks_first(on_gpu), all = first[ranks_count()];
    free(first);
    if (!all) return true;
    if (all < ranks_count())
        return refuse(e, EXIT_RESOURCE, "%lld of %d ranks have a GPU; start ranks where there are GPUs, or say "
                      "--device cpu", (long long)all, ranks_count());
    if (!device_cuda_join(share, &direct, why, sizeof why, e)) return false;
    graphs = direct;                    /* messages between hosts cannot be recorded */
    if (!ranks_halo_kernel(sizeof(double)))             /* messages are sent apart from launches */
        go(), launches_free(gathered), gathered = NULL;
    if (!direct) snprintf(note, sizeof note, "%.150s: GPUs send to each other through the host", why);
    return true;
}

void device_close(void)
{
    if (!backend) return;
    go(), launches_free(gathered), gathered = NULL;
    if (n_live) die("%zu device arrays (%zu bytes) were not freed", n_live, in_use);
    if (kind == DEVICE_CUDA) device_cuda_part();
    backend->close();
    backend = NULL;
    free(live);
    live = NULL;
    room = 0;
}

enum device_kind device_kind(void) { return kind; }
const char *device_description(void) { return description; }
const char *device_note(void) { return note; }
size_t device_bytes(void) { return in_use; }
size_t device_peak_bytes(void) { return peak; }
size_t device_free_bytes(void) { return backend->free_bytes(); }

void *device_alloc(size_t bytes, const char *what)
{
    void *p = backend->alloc(bytes ? bytes : 1);
    if (!p)
        end_at_once("poise: out of memory on the %s: %.1f MB for %s, %.1f MB in use already, %.1f MB free; "
                    "a coarser mesh or a device with more memory is needed\n", kind == DEVICE_CPU ? "host" : "GPU",
                    1e-6 * (double)bytes, what, 1e-6 * (double)in_use, 1e-6 * (double)backend->free_bytes());
    if (n_live == room) {
        room = room ? 2 * room : 64;
        RESIZE(live, room);
    }
    live[n_live].p = p;
    live[n_live++].bytes = bytes;
    in_use += bytes;
    if (in_use > peak) peak = in_use;
    return p;
}

void device_free(void *p)
{
    if (!p) return;
    for (size_t i = n_live; i-- > 0;)
        if (live[i].p == p) {
            in_use -= live[i].bytes;
            if (GHOSTS_NAN) stale_forget(p, live[i].bytes);
            live[i] = live[--n_live];
            go();
            backend->free(p);
            return;
        }
    die("device_free() of an array that is not from device_alloc()");
}

void device_upload(void *to, const void *from, size_t bytes) { if (bytes) go(), backend->upload(to, from, bytes); }

void *device_copy_of(const void *from, size_t bytes, const char *what)
{
    void *to = device_alloc(bytes, what);
    device_upload(to, from, bytes);
    return to;
}

/* By a kernel that writes into the host's memory and is gathered with the other launches: a separate driver copy takes
 * longer than the rest of a wait. */
static bool download_by_kernel(void *to, const void *from, size_t bytes)
{
    void *shown = gathered && bytes % 4 == 0 ? backend->shown(bytes) : NULL;
    if (!shown) return false;
    struct copy_words_args a = {from, shown};
    copy_words(&a, (int64_t)bytes / 4);
    go();
    backend->wait();
    memcpy(to, shown, bytes);
    return true;
}

void device_download(void *to, const void *from, size_t bytes)
{
    if (GHOSTS_NAN) stale_find();
    if (bytes && !download_by_kernel(to, from, bytes)) go(), backend->download(to, from, bytes);
}

void device_copy(void *to, const void *from, size_t bytes)
{
    if (!bytes) return;
    if (gathered && !recording) launches_add_copy(gathered, to, from, bytes);
    else backend->copy(to, from, bytes);
}

void device_launch(const struct kernel *k, const void *args, int64_t n)
{
    if (n <= 0) return;
    if (GHOSTS_NAN) stale_find();
    if (gathered && !recording) launches_add(gathered, k, args, n);
    else backend->launch(k, args, n);
}

int device_cluster_slices(void) { return backend->clusters() ? MOST_CLUSTER : 1; }

double device_seconds(void)
{
    struct timespec now;
    go();
    backend->wait();
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

void *device_moment(void *m)
{
    if (!gathered || !launches_few(gathered)) go();
    return backend->moment(m);
}
double device_between(void *a, void *b) { return backend->between(a, b); }
void device_moment_free(void *m) { if (m) backend->moment_free(m); }

struct device_graph {
    void *recorded;             /* or NULL: this function is called instead: */
    void (*body)(void *);
    void *context;
};

struct device_graph *device_graph_record(void (*body)(void *), void *context)
{
    struct device_graph *g;
    NEW(g, 1);
    *g = (struct device_graph){.body = body, .context = context};
    if (!graphs) return g;
    go();
    recording = true;
    g->recorded = backend->record(body, context);
    recording = false;
    return g;
}

void device_graph_launch(struct device_graph *g)
{
    if (g->recorded) go(), backend->replay(g->recorded);
    else g->body(g->context);
}

void device_graph_free(struct device_graph *g)
{
    if (g && g->recorded) backend->forget(g->recorded);
    free(g);
}
