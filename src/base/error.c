#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "base/log.h"

bool refuse(struct error *e, enum exit_status status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    e->status = status;
    vsnprintf(e->text, sizeof e->text, format, list);
    va_end(list);
    return false;
}

void end_at_once(const char *format, ...)
{
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    fflush(stdout);
    fputs(text, stderr);
    log_file_only("%s", text);
    _exit(EXIT_RESOURCE);
}

void die_at(const char *file, int line, const char *format, ...)
{
    char text[3000];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    end_at_once("poise: internal error at %s:%d: %s\n", file, line, text);
}

/* Levenshtein distance, case folded; names are short. */
static int distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    int n = (int)strnlen(a, MOST), m = (int)strnlen(b, MOST), row[MOST + 1];
    for (int j = 0; j <= m; j++) row[j] = j;
    for (int i = 1; i <= n; i++) {
        int corner = row[0];
        row[0] = i;
        for (int j = 1; j <= m; j++) {
            int same = strncasecmp(a + i - 1, b + j - 1, 1) == 0, best = corner + !same;
            if (row[j] + 1 < best) best = row[j] + 1;
            if (row[j - 1] + 1 < best) best = row[j - 1] + 1;
            corner = row[j];
            row[j] = best;
        }
    }
    return row[m];
}

const char *nearest_name(const char *name, const char *const *names, int n)
{
    const char *best = NULL;
    int least = (int)strlen(name) / 2 + 2;                       /* farther than this is no likely slip */
    for (int i = 0; i < n; i++) {
        int d = distance(name, names[i]);
        if (d < least) least = d, best = names[i];
    }
    return best;
}
