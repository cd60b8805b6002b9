/* Ranks on GPUs: one GPU per rank, connected by NCCL, which is opened at run time and needed neither to build nor to
 * run Poise.  If every GPU can write into the others' memory, messages are launches of NCCL's device API
 * (gpu/nccl/stores.h).  Otherwise they are sent and received on the stream of all launches, so that they can be
 * recorded in graphs; one message per peer, in the order of the peers, by which NCCL matches them. */
#include <cuda_runtime_api.h>
#include <dlfcn.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/memory.h"
#include "base/timer.h"
#include "gpu/device.h"
#include "gpu/device_backend.h"
#include "gpu/nccl/stores.h"
#include "gpu/ranks.h"

/* The declarations needed here of nccl.h of NCCL 2. */
enum { NCCL_SUCCESS = 0, NCCL_IN_PROGRESS = 7, NCCL_BYTES = 0 };
struct nccl_id { char bytes[128]; };
static struct {
    int (*get_version)(int *);
    int (*get_unique_id)(struct nccl_id *);
    int (*init_rank)(void **, int n, struct nccl_id, int rank);
    int (*destroy)(void *);
    int (*get_trouble)(void *, int *);
    int (*all_gather)(const void *, void *, size_t, int type, void *comm, cudaStream_t);
    int (*send)(const void *, size_t, int type, int peer, void *comm, cudaStream_t);
    int (*receive)(void *, size_t, int type, int peer, void *comm, cudaStream_t);
    int (*group_start)(void), (*group_end)(void);
    const char *(*error_string)(int);
} nccl;
static void *library, *comm;
static bool *met;               /* [ranks] does a connection with the rank exist?  this rank's own entry: connections
                                   for all-gathers */

static void check(int status, const char *what)
{
    if (status != NCCL_SUCCESS) die("%s: %s", what, nccl.error_string(status));
}

static bool open_library(char *why, size_t size)
{
    static const struct { const char *name; void *to; } functions[] = {
        {"ncclGetVersion", &nccl.get_version}, {"ncclGetUniqueId", &nccl.get_unique_id},
        {"ncclCommInitRank", &nccl.init_rank},
        {"ncclCommDestroy", &nccl.destroy}, {"ncclCommGetAsyncError", &nccl.get_trouble},
        {"ncclAllGather", &nccl.all_gather}, {"ncclSend", &nccl.send},
        {"ncclRecv", &nccl.receive}, {"ncclGroupStart", &nccl.group_start}, {"ncclGroupEnd", &nccl.group_end},
        {"ncclGetErrorString", &nccl.error_string}};
    library = dlopen("libnccl.so.2", RTLD_NOW | RTLD_LOCAL);
    for (size_t i = 0; library && i < sizeof functions / sizeof *functions; i++) {
        void *function = dlsym(library, functions[i].name);
        memcpy(functions[i].to, &function, sizeof function);
        if (!function) library = NULL;
    }
    if (!library) snprintf(why, size, "NCCL is not available (%s)", dlerror());
    return library;
}

/* ---------------------------------------------------------------- connections */
/* A call in which NCCL makes connections waits on the host for the other ranks, for ever if one of them hangs.  So
 * another thread makes it, and this one waits for it with the time limit of any message.  While launches are recorded,
 * and if no thread can be started, it is an ordinary call. */
struct connecting { void (*call)(void *); void *context; int device; atomic_bool done; };

static void *connect_there(void *c)
{
    struct connecting *now = c;
    if (cudaSetDevice(now->device)) die("the GPU cannot be used by another thread");
    now->call(now->context);
    atomic_store(&now->done, true);
    return NULL;
}

/* While launches are recorded, and where there is no thread to be had, it is a call like any other. */
static void connect_by(void (*call)(void *), void *context)
{
    enum { LOOK = 50 };                                 /* polling interval in microseconds */
    struct connecting now = {.call = call, .context = context};
    enum cudaStreamCaptureStatus captured = cudaStreamCaptureStatusNone;
    pthread_t thread;
    const double start = wall_seconds();
    if (cudaGetDevice(&now.device) || cudaStreamIsCapturing(device_cuda_stream(), &captured) ||
        captured != cudaStreamCaptureStatusNone || pthread_create(&thread, NULL, connect_there, &now)) {
        call(context);
        return;
    }
    while (!atomic_load(&now.done)) {
        usleep(LOOK);
        if (wall_seconds() > start + ranks_patience()) ranks_give_up();
    }
    pthread_join(thread, NULL);
}

/* ---------------------------------------------------------------- messages */
struct gathering { const void *own; void *all; size_t bytes; };
static void gather_now(void *context)
{
    const struct gathering *g = context;
    check(nccl.all_gather(g->own, g->all, g->bytes, NCCL_BYTES, comm, device_cuda_stream()), "ncclAllGather");
}

static void gather(const void *own, void *all, size_t bytes)
{
    struct gathering g = {own, all, bytes};
    if (met[ranks_own()]) gather_now(&g);
    else connect_by(gather_now, &g);
    met[ranks_own()] = true;
}

struct exchanging { const struct ranks_peers *p; const void *send; void *receive; size_t size; };
static void exchange_now(void *context)
{
    const struct exchanging *x = context;
    const struct ranks_peers *p = x->p;
    const size_t size = x->size;
    cudaStream_t stream = device_cuda_stream();
    check(nccl.group_start(), "ncclGroupStart");
    for (int i = 0; i < p->n; i++) {
        size_t out = (size_t)(p->send[i + 1] - p->send[i]) * size;
        size_t in = (size_t)(p->receive[i + 1] - p->receive[i]) * size;
        const char *from = (const char *)x->send + (size_t)p->send[i] * size;
        char *to = (char *)x->receive + (size_t)p->receive[i] * size;
        if (out) check(nccl.send(from, out, NCCL_BYTES, p->rank[i], comm, stream), "ncclSend");
        if (in) check(nccl.receive(to, in, NCCL_BYTES, p->rank[i], comm, stream), "ncclRecv");
    }
    check(nccl.group_end(), "ncclGroupEnd");
}

static void exchange(const struct ranks_peers *p, const void *send, void *receive, size_t size)
{
    struct exchanging x = {p, send, receive, size};
    bool all_met = true;
    if (!p->n) return;
    for (int i = 0; i < p->n; i++) all_met &= met[p->rank[i]], met[p->rank[i]] = true;
    if (all_met) exchange_now(&x);
    else connect_by(exchange_now, &x);
}

void device_cuda_watch(void)
{
    enum { LOOKS = 1024 };
    int trouble = NCCL_SUCCESS;
    double start = wall_seconds();
    for (int i = 1; comm && ranks_count() > 1 && cudaStreamQuery(device_cuda_stream()) == cudaErrorNotReady; i++) {
        cudaGetLastError();                             /* clears "not ready", which is not an error */
        if (i % LOOKS) continue;
        check(nccl.get_trouble(comm, &trouble), "ncclCommGetAsyncError");
        if (trouble != NCCL_SUCCESS && trouble != NCCL_IN_PROGRESS)
            end_at_once("NCCL: %s: another rank has died, or cannot be reached\n", nccl.error_string(trouble));
        if (wall_seconds() > start + ranks_patience()) ranks_give_up();
    }
}

/* ---------------------------------------------------------------- start and end */
/* Two ranks on one GPU take turns, and each is slower than alone. */
static bool each_its_own(struct error *e)
{
    enum { LENGTH = 96 };
    int device, before, here = ranks_here(&before), n = 0;
    bool good = true;
    char *all, *own;
    NEW(all, ranks_count() * LENGTH);
    own = all + ranks_own() * LENGTH;
    gethostname(own, 63);
    if (cudaGetDevice(&device) || cudaGetDeviceCount(&n) || cudaDeviceGetPCIBusId(own + strlen(own), 32, device))
        die("the GPU does not say which it is");
    ranks_gather(all, LENGTH);
    for (int r = 0; r < ranks_own(); r++) good &= strcmp(all + r * LENGTH, own) != 0;
    free(all);
    if (!good)
        refuse(e, EXIT_RESOURCE, "%d ranks on this machine for %d GPU%s; start one rank per GPU (mpirun -n %d; over "
               "several machines --map-by ppr:%d:node), or let ranks share a GPU: --share-gpu, or say --device cpu",
               here, n, n == 1 ? "" : "s", n, n);
    return ranks_agree(good, e);
}

static void make_communicator(void *id)
{
    check(nccl.init_rank(&comm, ranks_count(), *(struct nccl_id *)id, ranks_own()), "ncclCommInitRank");
}

/* ---------------------------------------------------------------- direct stores, if available */
#ifdef POISE_STORES
static bool stores_are_open;
static void open_stores(void *yes) { *(bool *)yes = stores_open(comm, ranks_count()); }

static void gather_runs(const struct ranks_runs *r) { stores_gather(r, r->runs * r->n_all); }

/* NCCL operations that are not launches run after all launches before them. */
static void gather_by_stores(const void *own, void *all, size_t bytes)
{
    const int64_t n = (int64_t)(bytes / sizeof(double));
    if (bytes % sizeof(double) || ranks_count() * n > RANKS_LONGEST) device_go(), gather(own, all, bytes);
    else gather_runs(&(struct ranks_runs){own, all, 1, n, n, ranks_own() * n, ranks_count() * n});
}

/* NULL: direct stores are used from now on; else the reason why not. */
static const char *use_stores(int version, struct ranks_direct *direct)
{
    const char *why = ranks_agree_why(stores_possible(library, version, ranks_count()));
    bool yes = false;
    if (why) return why;
    connect_by(open_stores, &yes);
    if (!ranks_agree(yes, NULL)) return "not all of these GPUs can write into each other's memory";
    stores_are_open = true;
    direct->gather = gather_by_stores, direct->gather_runs = gather_runs;
    direct->halo_double = &stores_halo_double_kernel, direct->halo_single = &stores_halo_single_kernel;
    return NULL;
}
static void close_stores(void)
{
    if (stores_are_open) stores_close(comm);
    stores_are_open = false;
}
#else
static const char *use_stores(int version, struct ranks_direct *direct)
{
    (void)version, (void)direct;
    return ranks_agree_why("Poise was built without nccl_device.h");    /* for ranks where they are available */
}
static void close_stores(void) {}
#endif

bool device_cuda_join(bool share, bool *direct, char *why, size_t size, struct error *e)
{
    static char name[160];
    static struct ranks_direct by_nccl;
    const char *not_stores;
    struct nccl_id *id;
    int version = 0;
    bool apart = each_its_own(e);
    if (!apart && !share) return false;
    *direct = apart && ranks_agree(open_library(why, size), NULL);
    if (!apart) return snprintf(why, size, "ranks share a GPU (--share-gpu)"), true;
    if (!*direct) return snprintf(why, size, "NCCL (libnccl.so.2) is not available on all ranks"), true;
    NEW(id, ranks_count());
    if (!ranks_own()) check(nccl.get_unique_id(id), "ncclGetUniqueId");
    ranks_gather(id, sizeof *id);
    check(nccl.get_version(&version), "ncclGetVersion");
    NEW(met, ranks_count());
    connect_by(make_communicator, id);
    free(id);
    by_nccl = (struct ranks_direct){.gather = gather, .exchange = exchange, .name = name};
    not_stores = use_stores(version, &by_nccl);
    snprintf(name, sizeof name, "NCCL %d.%d.%d, %s%.90s%s", version / 10000, version / 100 % 100, version % 100,
             not_stores ? "send and receive (" : "stores into each other's memory", not_stores ? not_stores : "",
             not_stores ? ")" : "");
    ranks_use(&by_nccl);
    return true;
}

void device_cuda_part(void)
{
    device_cuda_watch();                /* no launch may use what is closed here */
    close_stores();
    if (comm) check(nccl.destroy(comm), "ncclCommDestroy");
    comm = NULL;
    free(met), met = NULL;
    ranks_use(NULL);
}
