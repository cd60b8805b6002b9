/* The watchdog thread that ends the program when a library call does not return in time (deadline.h). */
#include "gpu/deadline.h"
#include <errno.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <time.h>
#include "base/error.h"

static struct {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct timespec until;
    const char *text;
    bool runs, passed;
} deadline = {.lock = PTHREAD_MUTEX_INITIALIZER};

static void *watch(void *nothing)
{
    int status = 0;
    pthread_mutex_lock(&deadline.lock);
    while (!deadline.passed && status != ETIMEDOUT)
        status = pthread_cond_timedwait(&deadline.changed, &deadline.lock, &deadline.until);
    if (!deadline.passed) end_at_once("%s", deadline.text);
    pthread_mutex_unlock(&deadline.lock);
    return nothing;
}

/* Signals are handled by the other threads. */
void deadline_set(double seconds, const char *text)
{
    pthread_condattr_t steady;
    sigset_t all, before;
    pthread_condattr_init(&steady);
    pthread_condattr_setclock(&steady, CLOCK_MONOTONIC);
    pthread_cond_init(&deadline.changed, &steady);
    pthread_condattr_destroy(&steady);
    clock_gettime(CLOCK_MONOTONIC, &deadline.until);
    double rest = 1e-9 * (double)deadline.until.tv_nsec + seconds;
    deadline.until.tv_sec += (time_t)rest;
    deadline.until.tv_nsec = (long)(1e9 * (rest - floor(rest)));
    deadline.text = text, deadline.passed = false;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    deadline.runs = !pthread_create(&deadline.thread, NULL, watch, NULL);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

void deadline_pass(void)
{
    if (!deadline.runs) return;
    pthread_mutex_lock(&deadline.lock);
    deadline.passed = true;
    pthread_cond_signal(&deadline.changed);
    pthread_mutex_unlock(&deadline.lock);
    pthread_join(deadline.thread, NULL);
    deadline.runs = false;
}
