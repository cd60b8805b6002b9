/* The CPU threads that share the indices of a launch (team.h). */
#include "gpu/team.h"
#include <errno.h>
#include <omp.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

/* PIECES: per thread.  A waiting thread spins PAUSES times, then yields its core YIELDS times, then sleeps (the
 * launching thread never sleeps). */
enum { PIECES = 8, PAUSES = 200, YIELDS = 200, LINE = 64, STACK = 8 << 20 };

/* The pieces initially assigned to a thread, on a cache line of their own: end << 16 | next, and how many are done.  A
 * piece is taken by adding 1: the thread that has taken one knows that its job is not over, and may read it. */
struct share {
    _Alignas(LINE) atomic_uint left;
    atomic_int done;
    int32_t count;
};

static struct {
    int n;
    pthread_t *thread;                  /* [n - 1] */
    struct share *share;                /* [n] */
    team_body *body;                    /* the job */
    const void *args;
    int64_t length, pieces;
    atomic_uint jobs;                   /* number of jobs started */
    atomic_int asleep;
    atomic_bool ending;
    pthread_mutex_t lock;
    pthread_cond_t begun;
} team = {.n = 1, .lock = PTHREAD_MUTEX_INITIALIZER, .begun = PTHREAD_COND_INITIALIZER};

static void wait_a_moment(int rounds)
{
    if (rounds >= PAUSES) sched_yield();
#if defined __x86_64__
    else __builtin_ia32_pause();
#endif
}

static bool take(struct share *s, int32_t *piece)
{
    unsigned left = atomic_load_explicit(&s->left, memory_order_relaxed);
    while (left >> 16 > (left & 0xffff))
        if (atomic_compare_exchange_weak_explicit(&s->left, &left, left + 1, memory_order_acquire,
                                                  memory_order_relaxed)) {
            *piece = (int32_t)(left & 0xffff);
            return true;
        }
    return false;
}

static void work(int own)
{
    for (int i = 0, at = own; i < team.n; i++, at = at + 1 < team.n ? at + 1 : 0)
        for (int32_t piece; take(&team.share[at], &piece);) {
            team.body(team.args, piece * team.length / team.pieces, (piece + 1) * team.length / team.pieces,
                      team.length);
            atomic_fetch_add_explicit(&team.share[at].done, 1, memory_order_release);
        }
}

/* Waits until there is a new job. */
static unsigned wait_for_job(unsigned last)
{
    unsigned now;
    for (int i = 0; i < PAUSES + YIELDS; i++) {
        if ((now = atomic_load_explicit(&team.jobs, memory_order_acquire)) != last) return now;
        wait_a_moment(i);
    }
    pthread_mutex_lock(&team.lock);
    atomic_fetch_add(&team.asleep, 1);
    while ((now = atomic_load(&team.jobs)) == last) pthread_cond_wait(&team.begun, &team.lock);
    atomic_fetch_sub(&team.asleep, 1);
    pthread_mutex_unlock(&team.lock);
    return now;
}

static void *worker(void *number)
{
    for (unsigned job = 0;;) {
        job = wait_for_job(job);
        if (atomic_load(&team.ending)) return NULL;
        work((int)(intptr_t)number);
    }
}

static void begin_job(void)
{
    atomic_fetch_add(&team.jobs, 1);
    if (!atomic_load(&team.asleep)) return;
    pthread_mutex_lock(&team.lock);
    pthread_cond_broadcast(&team.begun);
    pthread_mutex_unlock(&team.lock);
}

void team_run(team_body *body, const void *args, int64_t n, int64_t grain)
{
    int64_t pieces = n / grain < team.n * PIECES ? n / grain : team.n * PIECES;
    if (pieces < 2 || team.n == 1) {
        body(args, 0, n, n);
        return;
    }
    team.body = body, team.args = args, team.length = n, team.pieces = pieces;
    for (int i = 0; i < team.n; i++) {
        struct share *s = &team.share[i];
        unsigned first = (unsigned)(i * pieces / team.n), end = (unsigned)((i + 1) * pieces / team.n);
        s->count = (int32_t)(end - first);
        atomic_store_explicit(&s->done, 0, memory_order_relaxed);
        atomic_store_explicit(&s->left, end << 16 | first, memory_order_release);
    }
    begin_job();
    work(0);
    for (int i = 0, rounds = 0; i < team.n; i++)
        while (atomic_load_explicit(&team.share[i].done, memory_order_acquire) < team.share[i].count)
            wait_a_moment(rounds++);
}

/* OpenMP's threads may be bound to cores (OMP_PROC_BIND, OMP_PLACES).  The calling thread is then bound too, and new
 * threads would inherit its core. */
static void bind_like_openmp(void)
{
    cpu_set_t *set;
    if (omp_get_proc_bind() == omp_proc_bind_false) return;
    NEW(set, team.n);
    #pragma omp parallel num_threads(team.n)
    pthread_getaffinity_np(pthread_self(), sizeof *set, &set[omp_get_thread_num()]);
    for (int i = 1; i < team.n; i++)
        if (CPU_COUNT(&set[i])) pthread_setaffinity_np(team.thread[i - 1], sizeof *set, &set[i]);
    free(set);
}

int team_start(int n, int *started)
{
    pthread_attr_t attributes;
    int reason = 0;
    team.share = aligned_alloc(LINE, (size_t)n * sizeof *team.share);
    if (!team.share) return *started = 1, ENOMEM;
    NEW(team.thread, n);
    memset(team.share, 0, (size_t)n * sizeof *team.share);
    atomic_store(&team.ending, false);
    atomic_store(&team.jobs, 0);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK);
    for (team.n = 1; team.n < n && !reason; team.n += !reason)
        reason = pthread_create(&team.thread[team.n - 1], &attributes, worker, (void *)(intptr_t)team.n);
    pthread_attr_destroy(&attributes);
    *started = team.n;
    if (reason) team_stop();
    else bind_like_openmp();
    return reason;
}

void team_stop(void)
{
    atomic_store(&team.ending, true);
    begin_job();
    for (int i = 1; i < team.n; i++) pthread_join(team.thread[i - 1], NULL);
    free(team.thread), free(team.share);
    team.thread = NULL, team.share = NULL, team.n = 1;
}
