/* Ranks: their transport, collective calls, agreement on errors, and the division of rows (ranks.h). */
#include "gpu/ranks.h"
#include <dlfcn.h>
#include <math.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/timer.h"
#include "gpu/deadline.h"
#include "gpu/device.h"

enum { HOST = 64 };             /* bytes of a host name */
static struct { int own, n, here, before; pid_t process; char name[200], *host; } ranks = {.n = 1, .here = 1};
static const struct mpi_transport *transport;
static const struct ranks_direct *direct;
static char who_text[2][1024], *volatile who = who_text[0];    /* number of this rank, and its progress: for its last
                                                                  words */

int ranks_count(void) { return ranks.n; }
int ranks_own(void) { return ranks.own; }
const char *ranks_transport(void) { return ranks.name; }

int ranks_here(int *before)
{
    *before = ranks.before;
    return ranks.here;
}

/* ---------------------------------------------------------------- start and end */
/* Environment variables of processes started by mpirun and srun.  Slurm also sets the number of tasks in a batch script
 * that is not a step of srun, so that variable alone does not count. */
static int from_environment(int *rank)
{
    static const struct { const char *n, *rank; } names[] = {
        {"OMPI_COMM_WORLD_SIZE", "OMPI_COMM_WORLD_RANK"}, {"PMI_SIZE", "PMI_RANK"},
        {"MV2_COMM_WORLD_SIZE", "MV2_COMM_WORLD_RANK"},
        {"SLURM_STEP_NUM_TASKS", "PMI_RANK"}, {"SLURM_STEP_NUM_TASKS", "PMIX_RANK"}, {"SLURM_NTASKS", "PMI_RANK"},
        {"SLURM_NTASKS", "PMIX_RANK"}};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        const char *n = getenv(names[i].n), *own = getenv(names[i].rank);
        if (n && own && atoi(n) > 1) return *rank = atoi(own), atoi(n);
    }
    return *rank = 0, 1;
}

static const char *library_path(void) { return file_of_program("libpoise-mpi.so"); }
bool ranks_possible(void) { return !access(library_path(), R_OK); }

/* Its own libraries must be visible to the plugins that MPI opens. */
static const struct mpi_transport *open_library(char *why, size_t size)
{
    void *library = dlopen(library_path(), RTLD_NOW | RTLD_GLOBAL);
    const struct mpi_transport *t = library ? dlsym(library, "poise_mpi_transport") : NULL;
    if (!t) snprintf(why, size, "%s", dlerror());
    return t;
}

/* Processes started by this one end by themselves. */
static void stop_all(void)
{
    if (getpid() != ranks.process) return;
    signal(SIGTERM, SIG_DFL);                           /* the reason has been reported */
    transport->stop(EXIT_RESOURCE);
}

/* mpirun ends the remaining ranks by this signal when one of them has died. */
static void ended_from_outside(int signal_number)
{
    static const char text[] = "ended from outside: another rank has died, or the job was stopped\n";
    (void)signal_number;
    if (getpid() == ranks.process && write(STDERR_FILENO, who, strlen(who)) > 0 &&
        write(STDERR_FILENO, text, sizeof text - 1)) {}
    _exit(EXIT_RESOURCE);
}

/* A signal may arrive at any time, so the text in use must not change. */
void ranks_now(const char *format, ...)
{
    char *text = who == who_text[0] ? who_text[1] : who_text[0], state[600];
    va_list list;
    if (ranks.n == 1) return;
    va_start(list, format);
    vsnprintf(state, sizeof state, format, list);
    va_end(list);
    snprintf(text, sizeof who_text[0], "poise, rank %d of %d on %s%s%s%s%s: ", ranks.own, ranks.n,
             ranks.host + ranks.own * HOST, *device_description() ? ", " : "", device_description(),
             *state ? ", " : "", state);
    who = text;
    log_set_rank(ranks.own, who);
}

static void find_neighbours_of_host(void)
{
    NEW(ranks.host, ranks.n * HOST);
    char *own = ranks.host + ranks.own * HOST;
    gethostname(own, HOST - 1);
    ranks_now("%s", "");
    ranks_gather(ranks.host, HOST);
    ranks.here = ranks.before = 0;
    for (int r = 0; r < ranks.n; r++)
        if (!strcmp(ranks.host + r * HOST, own)) ranks.here++, ranks.before += r < ranks.own;
}

/* MPI's first call waits for all ranks and reports nothing meanwhile.  It starts programs on all machines and reads
 * libraries there, which takes longer the more ranks there are, so it has more time than a message.  Rank 0 reports
 * first: the others are ended once it has. */
static const char *begin(const struct mpi_transport *t, int expected, int *n)
{
    enum { LONGER = 4 };
    const double seconds = LONGER * ranks_patience();
    char text[800], host[HOST] = "";
    gethostname(host, sizeof host - 1);
    snprintf(text, sizeof text, "poise, rank %d of %d on %s: MPI has not started within %.0f s: another rank has not "
             "started or hangs, or the machines cannot reach each other. Look on each machine for processes of poise "
             "that are missing, stopped (ps: state T) or wait for a disk (D), and at firewalls and networks (Open MPI: "
             "mpirun --mca btl_tcp_if_include NETWORK); POISE_PATIENCE=SECONDS waits longer, %d times these\n",
             ranks.own, expected, host, seconds, LONGER);
    deadline_set(seconds + 2 * fmin(ranks.own, 2), text);
    const char *wrong = t->begin(&ranks.own, n, ranks.name, sizeof ranks.name);
    deadline_pass();
    return wrong;
}

bool ranks_open(struct error *e)
{
    char why[400];
    const char *wrong = why;
    int expected = from_environment(&ranks.own), n = 1;
    if (expected == 1) return true;
    log_set_rank(ranks.own, "");
    ranks.process = getpid();
    const struct mpi_transport *t = open_library(why, sizeof why);
    if (t) wrong = begin(t, expected, &n);
    if ((wrong || n != expected) && ranks.own) sleep(1);        /* mpirun ends all of them, after rank 0 */
    if (wrong)
        return refuse(e, EXIT_RESOURCE, "poise: started as %d ranks, but MPI is not available: %s; install MPI "
                      "(Debian, Ubuntu: libopenmpi-dev) and run make again, or start one process", expected, wrong);
    if (n != expected)
        return refuse(e, EXIT_RESOURCE, "poise: started as %d ranks, but MPI (%s) reports %d: mpirun belongs to "
                      "another MPI than libpoise-mpi.so was built with; use its mpirun, or run make clean and make "
                      "with the other one's mpicc first in PATH", expected, ranks.name, n);
    transport = t, ranks.n = n;
    find_neighbours_of_host();
    end_at_once_also(stop_all);
    signal(SIGTERM, ended_from_outside);
    if (ranks.own && !freopen("/dev/null", "w", stdout)) die("/dev/null");
    return true;
}

void ranks_close(void)
{
    if (transport) signal(SIGTERM, SIG_IGN);            /* mpirun may send it once one of the ranks has ended */
    if (transport) transport->end();
    transport = NULL;
    free(ranks.host);
}

void ranks_use(const struct ranks_direct *d)
{
    direct = d;
    if (d) snprintf(ranks.name + strlen(ranks.name), sizeof ranks.name - strlen(ranks.name), ", %s", d->name);
}

const struct kernel *ranks_halo_kernel(size_t size)
{
    return !direct ? NULL : size == sizeof(double) ? direct->halo_double : direct->halo_single;
}

/* ---------------------------------------------------------------- messages */
double ranks_patience(void)
{
    static double patience;
    const char *told = getenv("POISE_PATIENCE");
    if (!patience) patience = told && atof(told) > 0 ? atof(told) : 50;
    return patience;
}

/* The other waiting ranks join the roll call one after the other. */
void ranks_give_up(void)
{
    char *here, silent[400] = "";
    size_t n = 0;
    NEW(here, ranks.n);
    transport->roll_call(here, fmin(5, ranks_patience()));
    for (int r = 0; r < ranks.n; r++)
        if (!here[r] && r != ranks.own && n < sizeof silent - HOST - 32)
            n += (size_t)sprintf(silent + n, "%s rank %d on %s", n ? "," : "", r, ranks.host + r * HOST);
    if (n) end_at_once("no answer for %.0f s from%s: it hangs, or its machine does\n", ranks_patience(), silent);
    end_at_once("all ranks have waited for each other for %.0f s: a GPU or the network hangs\n", ranks_patience());
}

/* Waits for a pending operation.  After a while it yields its core: there may be more ranks than cores.  Launches are
 * passed to the device first: others' devices may wait for messages among them. */
static void wait_for_all(const char *why, double patience)
{
    enum { TRIES = 2000 };
    bool finished = false;
    double start = wall_seconds();
    device_go();
    for (int i = 0; !why && !finished; i++) {
        why = transport->finished(&finished);
        if (finished || i < TRIES) continue;
        sched_yield();
        if (patience > 0 && i % 256 == 0 && wall_seconds() > start + patience) ranks_give_up();
    }
    if (why) end_at_once("MPI: %s\n", why);
}

void ranks_gather(void *all, size_t bytes)
{
    if (ranks.n > 1) wait_for_all(transport->gather(all, bytes), ranks_patience());
}

void ranks_exchange(const struct ranks_peers *p, const void *send, void *receive, size_t size)
{
    if (p->n) wait_for_all(transport->exchange(p, send, receive, size), ranks_patience());
}

/* A GPU without a direct connection sends and receives through the host. */
void ranks_gather_there(const void *own, void *all, size_t bytes)
{
    if (ranks.n == 1) return;
    if (direct) return direct->gather(own, all, bytes);
    const bool there = device_kind() == DEVICE_CPU;
    const size_t whole = (size_t)ranks.n * bytes, place = (size_t)ranks.own * bytes;
    char *host = all;
    if (!there) NEW(host, whole);
    if (!there) device_download(host + place, own, bytes);
    else if (own != host + place) memcpy(host + place, own, bytes);
    ranks_gather(host, bytes);
    if (there) return;
    device_upload(all, host, whole);
    free(host);
}

bool ranks_gather_runs_there(const struct ranks_runs *r)
{
    if (!direct || !direct->gather_runs || r->runs * r->n_all > RANKS_LONGEST) return false;
    return direct->gather_runs(r), true;
}

/* A message between GPUs that is not a launch must not overtake gathered launches, which compute the data it sends. */
void ranks_exchange_there(const struct ranks_peers *p, const void *send, void *receive, size_t size)
{
    if (direct) return device_go(), direct->exchange(p, send, receive, size);
    if (device_kind() == DEVICE_CPU) return ranks_exchange(p, send, receive, size);
    size_t out = (size_t)p->send[p->n] * size, in = (size_t)p->receive[p->n] * size;
    char *host;
    NEW(host, out + in);
    device_download(host, send, out);
    ranks_exchange(p, host, host + out, size);
    device_upload(receive, host + out, in);
    free(host);
}

int64_t *ranks_first(int64_t n)
{
    int64_t *first;
    NEW(first, ranks.n + 1);
    first[1 + ranks.own] = n;
    ranks_gather(first + 1, sizeof *first);
    for (int r = 0; r < ranks.n; r++) first[r + 1] += first[r];
    return first;
}

void *ranks_to_first(const void *own, int64_t n, size_t size)
{
    int *rank, to_first = 0;
    int64_t *none, send[2] = {0, n}, *first = ranks_first(n);
    char *all = NULL;
    NEW(rank, ranks.n), NEW(none, ranks.n + 1);
    for (int r = 1; r < ranks.n; r++) rank[r - 1] = r;
    if (ranks.own) ranks_exchange(&(struct ranks_peers){1, &to_first, send, none}, own, NULL, size);
    else {
        NEW(all, (size_t)first[ranks.n] * size);
        memcpy(all, own, (size_t)n * size);
        ranks_exchange(&(struct ranks_peers){ranks.n - 1, rank, none, first + 1}, NULL, all, size);
    }
    free(rank), free(none), free(first);
    return all;
}

void *ranks_collect(const void *own, int64_t n, size_t size, int64_t **first)
{
    int64_t *from = ranks_first(n), most = 0;
    char *padded, *all;
    for (int r = 0; r < ranks.n; r++) most = from[r + 1] - from[r] > most ? from[r + 1] - from[r] : most;
    const size_t part = (size_t)most * size;
    NEW(padded, (size_t)ranks.n * part), NEW(all, (size_t)from[ranks.n] * size);
    if (n) memcpy(padded + (size_t)ranks.own * part, own, (size_t)n * size);
    ranks_gather(padded, part);
    for (int r = 0; r < ranks.n; r++)
        memcpy(all + (size_t)from[r] * size, padded + (size_t)r * part, (size_t)(from[r + 1] - from[r]) * size);
    free(padded);
    if (first) *first = from;
    else free(from);
    return all;
}

void ranks_alone(bool alone)
{
    static int n, own;
    if (alone) n = ranks.n, own = ranks.own, ranks.n = 1, ranks.own = 0;
    else ranks.n = n, ranks.own = own;
}

int64_t ranks_cut_of(int64_t n, int n_ranks, int rank)
{
    int64_t unit = 64;
    while (unit > 1 && n < 16 * unit * n_ranks) unit /= 8;
    return rank == n_ranks ? n : (n / unit) * rank / n_ranks * unit;
}

int64_t ranks_cut(int64_t n, int rank) { return ranks_cut_of(n, ranks.n, rank); }

/* ---------------------------------------------------------------- agreement */
static bool agree(bool good, struct error *e, double patience)
{
    if (ranks.n == 1) return good;
    struct error *all;
    int bad = 0;
    char *flags;
    NEW(flags, ranks.n);
    flags[ranks.own] = good;
    wait_for_all(transport->gather(flags, 1), patience);
    while (bad < ranks.n && flags[bad]) bad++;
    free(flags);
    if (bad == ranks.n) return true;
    NEW(all, ranks.n);
    if (e && !good) error_copy(&all[ranks.own], e);
    ranks_gather(all, sizeof *all);
    if (e) error_copy(e, &all[bad]);
    free(all);
    return false;
}

bool ranks_agree(bool good, struct error *e) { return agree(good, e, 0); }

const char *ranks_agree_why(const char *why)
{
    static struct error e;
    if (ranks.n == 1) return why;
    if (why) refuse(&e, EXIT_INPUT, "%s", why);
    return agree(!why, &e, ranks_patience()) ? NULL : e.text;
}
