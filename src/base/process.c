/* The start and the end of a process: signals, output, limits (process.h). */
#include "base/process.h"
#include <errno.h>
#include <fcntl.h>
#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>
#include "base/log.h"

static bool ended;              /* the next exit() is the program's own, not a library's */

void process_begin(void)
{
    static const int ignored[] = {SIGPIPE, SIGXFSZ, SIGUSR1};
    for (int d = STDIN_FILENO; d <= STDERR_FILENO; d++)                 /* open() uses the lowest free number */
        if (fcntl(d, F_GETFD) < 0 && errno == EBADF && open("/dev/null", O_RDWR) != d) _exit(EXIT_RESOURCE);
    for (int i = 0; i < 3; i++) signal(ignored[i], SIG_IGN);
}

static void end_for_library(void)
{
    static const char text[] = "poise: a library ended the program, most likely because memory ran out\n";
    if (ended) return;
    fflush(stdout);
    if (write(STDERR_FILENO, text, sizeof text - 1)) {}                 /* nothing can be done if this fails */
    _exit(EXIT_RESOURCE);
}

void process_guard_exit(void)
{
    H5dont_atexit();
    if (atexit(end_for_library)) die("atexit");
}

/* Ends by the signal's default action. */
static void end_by_broken_pipe(void)
{
    sigset_t pipe;
    sigemptyset(&pipe), sigaddset(&pipe, SIGPIPE);
    signal(SIGPIPE, SIG_DFL);
    sigprocmask(SIG_UNBLOCK, &pipe, NULL);
    raise(SIGPIPE);
}

unsigned long process_bytes(bool data)
{
    unsigned long all = 0, own = 0;
    FILE *in = fopen("/proc/self/statm", "r");
    bool known = in && fscanf(in, "%lu %*u %*u %*u %*u %lu", &all, &own) == 2;
    if (in) fclose(in);
    return known ? (data ? own : all) * (unsigned long)sysconf(_SC_PAGESIZE) : 0;
}

void process_limit(int resource, unsigned long most)
{
    struct rlimit l;
    if (getrlimit(resource, &l) || most >= l.rlim_cur) return;
    l.rlim_cur = most;
    setrlimit(resource, &l);
}

enum exit_status process_end(enum exit_status status)
{
    bool failed = ferror(stdout) != 0;
    errno = log_lost();
    failed |= fclose(stdout) != 0;
    ended = true;
    if (!failed) return status;
    if (errno == EPIPE) {                       /* the reader has closed the pipe: not an error */
        if (status == EXIT_CONVERGED) end_by_broken_pipe();
        return status;
    }
    fprintf(stderr, "poise: the standard output could not be written: %s\n",
            errno ? strerror(errno) : "an earlier line failed");
    return status == EXIT_CONVERGED ? EXIT_RESOURCE : status;
}
