#include "base/log.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"

static FILE *file;
static bool quiet, progress_shown;
static int lost;

int log_lost(void) { return lost; }

bool log_open(const char *path, bool append, bool only_file, struct error *e)
{
    log_close();
    quiet = only_file;
    int descriptor = file_continue(path, e);
    if (descriptor < 0) return false;
    file = fdopen(descriptor, "a");
    if (!file || (!append && ftruncate(descriptor, 0))) return file_refuse(e, path, "could not be written");
    setvbuf(file, NULL, _IOLBF, 0);             /* whole lines are in the file at once, whatever happens next */
    return true;
}

static void clear_progress(void)
{
    if (progress_shown) fputs("\r\033[K", stdout);
    progress_shown = false;
}

void log_print(const char *format, ...)
{
    va_list list;
    clear_progress();
    if (!quiet) {
        va_start(list, format);
        vprintf(format, list);
        va_end(list);
        if (fflush(stdout) && !lost) lost = errno;
    }
    if (file) {
        va_start(list, format);
        vfprintf(file, format, list);
        va_end(list);
    }
}

void log_file_only(const char *format, ...)
{
    va_list list;
    if (!file) return;
    va_start(list, format);
    vfprintf(file, format, list);
    va_end(list);
}

void log_progress(const char *format, ...)
{
    static double last;
    struct timespec now;
    struct winsize window;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (quiet || !isatty(STDOUT_FILENO) || seconds - last < 0.1) return;
    last = seconds;
    char line[512];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    int width = ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 1 ? window.ws_col - 1 : 79;
    clear_progress();
    printf("%.*s", width, line);                /* a line that wraps could not be cleared */
    fflush(stdout);
    progress_shown = true;
}

void log_close(void)
{
    clear_progress();
    fflush(stdout);
    if (file) fclose(file);
    file = NULL;
    quiet = false;
}
