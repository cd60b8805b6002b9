/* The background thread that writes files during a run (writer.h). */
#include "base/writer.h"
#include <limits.h>
#include <omp.h>
#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/memory.h"
#include "base/timer.h"

enum { LARGE = 1 << 20 };

struct job { struct written file; struct job *next; };

static struct {
    bool on, ending, failed;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct job *first, *last;   /* first: being written */
    struct job *done;           /* to be released */
    int large;                  /* number of large ones among those not done */
    struct error error;         /* of the first failure */
    double longest;
} writer = {.lock = PTHREAD_MUTEX_INITIALIZER, .changed = PTHREAD_COND_INITIALIZER};

static bool write_file(const struct written *f, struct error *e)
{
    if (f->prepare) f->prepare(f->context);
    return file_replace(f->path, f->data, f->bytes, e);
}

/* Writes the first job; the caller holds the lock before and after. */
static void write_first(void)
{
    struct job *job = writer.first;
    struct error e;
    bool good = true;
    if (!writer.failed) {
        pthread_mutex_unlock(&writer.lock);
        const double begun = wall_seconds();
        good = write_file(&job->file, &e);
        const double seconds = wall_seconds() - begun;
        pthread_mutex_lock(&writer.lock);
        if (seconds > writer.longest) writer.longest = seconds;
    }
    if (!good) writer.failed = true, error_copy(&writer.error, &e);
    writer.first = job->next;
    if (!writer.first) writer.last = NULL;
    writer.large -= job->file.bytes > LARGE;
    job->next = writer.done, writer.done = job;
    pthread_cond_broadcast(&writer.changed);
}

static void *work(void *nothing)
{
    omp_set_num_threads(1);                             /* for this thread's checksums: the other threads compute */
    pthread_mutex_lock(&writer.lock);
    while (writer.first || !writer.ending)
        if (writer.first) write_first();
        else pthread_cond_wait(&writer.changed, &writer.lock);
    pthread_mutex_unlock(&writer.lock);
    return nothing;
}

void writer_start(void)
{
    sigset_t all, before;
    writer.ending = writer.failed = false, writer.longest = 0;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);        /* signals go to the main thread */
    writer.on = !pthread_create(&writer.thread, NULL, work, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static void release(struct job *list)
{
    for (struct job *next; list; list = next) {
        next = list->next;
        list->file.release(list->file.context);
        free((void *)list->file.path), free(list);
    }
}

/* Waits until at most so many jobs, or large ones, remain, and releases the finished ones. */
static bool settle(int large, bool all, struct error *e)
{
    pthread_mutex_lock(&writer.lock);
    while (writer.large > large || (all && writer.first)) pthread_cond_wait(&writer.changed, &writer.lock);
    struct job *done = writer.done;
    const bool good = !writer.failed;
    writer.done = NULL;
    if (!good) error_copy(e, &writer.error);
    pthread_mutex_unlock(&writer.lock);
    release(done);
    return good;
}

bool writer_give(const struct written *file, struct error *e)
{
    struct job *job;
    if (!writer.on) {
        const bool good = write_file(file, e);
        file->release(file->context);
        return good;
    }
    const bool large = file->bytes > LARGE;
    if (!settle(large ? 0 : INT_MAX, false, e)) return file->release(file->context), false;
    NEW(job, 1);
    job->file = *file;
    job->file.path = strcpy(allocate(strlen(file->path) + 1, 1, "file name"), file->path);
    pthread_mutex_lock(&writer.lock);
    writer.last = *(writer.last ? &writer.last->next : &writer.first) = job;
    writer.large += large;
    pthread_cond_broadcast(&writer.changed);
    pthread_mutex_unlock(&writer.lock);
    return true;
}

bool writer_good(struct error *e) { return !writer.on || settle(INT_MAX, false, e); }
bool writer_wait(struct error *e) { return !writer.on || settle(INT_MAX, true, e); }

double writer_longest(void)
{
    pthread_mutex_lock(&writer.lock);
    const double longest = writer.longest;
    pthread_mutex_unlock(&writer.lock);
    return longest;
}

void writer_stop(void)
{
    struct error e;
    if (!writer.on) return;
    writer_wait(&e);
    pthread_mutex_lock(&writer.lock);
    writer.ending = true;
    pthread_cond_broadcast(&writer.changed);
    pthread_mutex_unlock(&writer.lock);
    pthread_join(writer.thread, NULL);
    writer.on = false;
}
