/* The log on the terminal and in log.txt (log.h). */
#include "base/log.h"
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <time.h>
#include <unistd.h>
#include "base/file.h"
#include "base/memory.h"

static FILE *file;
static bool quiet, progress_shown;
static int lost, rank;
static const char *who = "";

int log_lost(void) { return lost; }

void log_set_rank(int own, const char *name)
{
    rank = own;
    who = name;
}

bool log_open(const char *path, bool append, bool only_file, struct error *e)
{
    log_close();
    quiet = only_file;
    int descriptor = file_continue(path, e);
    if (descriptor < 0) return false;
    file = fdopen(descriptor, "a");
    if (!file || (!append && ftruncate(descriptor, 0))) return file_refuse(e, path, "could not be written");
    setvbuf(file, NULL, _IOLBF, 0);             /* lines reach the file at once, even if the program ends abruptly */
    return true;
}

static void clear_progress(void)
{
    if (progress_shown) fputs("\r\033[K", stdout);
    progress_shown = false;
}

enum { MOST = 8192 };           /* longest message [bytes] that needs no allocation: memory may be exhausted */

/* The printable message: `line`, or where that is too short, memory of its own. */
static char *message(char *line, const char *format, va_list list)
{
    char *text = line;
    va_list again;
    va_copy(again, list);
    int n = vsnprintf(line, MOST, format, list);
    if (n >= MOST) {
        NEW(text, n + 1);
        vsnprintf(text, (size_t)n + 1, format, again);
    }
    va_end(again);
    text_make_printable(text);
    return text;
}

void log_print(const char *format, ...)
{
    char line[MOST];
    va_list list;
    if (rank) return;
    va_start(list, format);
    char *text = message(line, format, list);
    va_end(list);
    clear_progress();
    if (!quiet) {
        fputs(text, stdout);
        if (fflush(stdout) && !lost) lost = errno;
    }
    if (file) fputs(text, file);
    if (text != line) free(text);
}

void log_file_only(const char *format, ...)
{
    char line[MOST];
    va_list list;
    if (!file) return;
    va_start(list, format);
    char *text = message(line, format, list);
    va_end(list);
    fputs(text, file);
    if (text != line) free(text);
}

static void print_into(FILE *out, const char *format, va_list list)
{
    char text[MOST];
    vsnprintf(text, sizeof text, format, list);
    text_make_printable(text);
    fputs(text, out);
}

static void print_error(const char *format, va_list list)
{
    fflush(stdout);
    print_into(stderr, format, list);
}

void log_error(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    if (!rank) print_error(format, list);
    va_end(list);
}

void log_last_words(const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fputs(who, stderr);
    print_error(format, list);
    va_end(list);
}

void log_progress(const char *format, ...)
{
    static double last;
    struct timespec now;
    struct winsize window;
    clock_gettime(CLOCK_MONOTONIC, &now);
    double seconds = (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
    if (rank || quiet || seconds - last < 0.1 || ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) || window.ws_col < 2) return;
    last = seconds;
    char line[512];
    va_list list;
    va_start(list, format);
    vsnprintf(line, sizeof line, format, list);
    va_end(list);
    text_make_printable(line);
    clear_progress();
    printf("%.*s", window.ws_col - 1, line);    /* a wrapped line could not be cleared */
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
