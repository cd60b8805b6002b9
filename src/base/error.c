/* Errors: messages, ending the program on a bug, the nearest valid name (error.h). */
#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>
#include "base/log.h"

/* Length in bytes of the printable UTF-8 character at the start of the text; 0: there is none. */
static int letter_length(const unsigned char *s)
{
    if (s[0] < 0x80) return (s[0] >= ' ' && s[0] != 0x7f) || s[0] == '\n' || s[0] == '\t';
    int n = s[0] >= 0xf5 ? 0 : s[0] >= 0xf0 ? 4 : s[0] >= 0xe0 ? 3 : s[0] >= 0xc2 ? 2 : 0;
    for (int i = 1; i < n; i++) if ((s[i] & 0xc0) != 0x80) return 0;
    return s[0] == 0xc2 && s[1] < 0xa0 ? 0 : n;
}

void text_make_printable(char *text)
{
    for (char *p = text; *p;) {
        int n = letter_length((unsigned char *)p);
        if (!n) *p = '?';
        p += n ? n : 1;
    }
}

/* Shortens every word of more than `most` letters to its first and last letters. */
static void shorten_words(char *text)
{
    enum { MOST = 1100, KEPT = 200 };
    char *to = text;
    for (char *p = text; *p;) {
        size_t gap = strspn(p, " \n"), n = strcspn(p + gap, " \n");
        bool cut = n > MOST;
        memmove(to, p, gap + (cut ? KEPT : n)), to += gap + (cut ? KEPT : n);
        if (cut) memcpy(to, "...", 3), memmove(to + 3, p + gap + n - KEPT, KEPT), to += KEPT + 3;
        p += gap + n;
    }
    *to = 0;
}

bool refuse(struct error *e, enum exit_status status, const char *format, ...)
{
    va_list list;
    char *text;
    va_start(list, format);
    e->status = status;
    if (vasprintf(&text, format, list) < 0) text = NULL;
    va_end(list);
    if (text) shorten_words(text);
    snprintf(e->text, sizeof e->text, "%s", text ? text : "out of memory while an error was reported");
    free(text);
    return false;
}

void error_copy(struct error *to, const struct error *from)
{
    to->status = from->status;
    memcpy(to->text, from->text, strlen(from->text) + 1);
}

bool error_keep(bool good, struct error *all, const struct error *one)
{
    size_t used = strlen(all->text);
    if (good) return true;
    if (!used) error_copy(all, one);
    else snprintf(all->text + used, sizeof all->text - used, "\n%s", one->text);
    return false;
}

static void (*at_end)(void);

void end_at_once_also(void (*stop)(void)) { at_end = stop; }

void end_at_once(const char *format, ...)
{
    char text[4096];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    log_last_words("%s", text);
    log_file_only("%s", text);
    if (at_end) at_end();
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

/* Edit distance: the number of letters to change, insert, delete or swap with their neighbour (Damerau, optimal string
 * alignment), ignoring case.  The names are short. */
static int distance(const char *a, const char *b)
{
    enum { MOST = 64 };
    int n = (int)strnlen(a, MOST), m = (int)strnlen(b, MOST), row[3][MOST + 1];
    for (int j = 0; j <= m; j++) row[0][j] = j;
    for (int i = 1; i <= n; i++) {
        int *now = row[i % 3], *last = row[(i + 2) % 3], *before = row[(i + 1) % 3];
        now[0] = i;
        for (int j = 1; j <= m; j++) {
            int best = last[j - 1] + (strncasecmp(a + i - 1, b + j - 1, 1) != 0);
            if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
            if (last[j] + 1 < best) best = last[j] + 1;
            bool swapped = i > 1 && j > 1 && !strncasecmp(a + i - 1, b + j - 2, 1) &&
                           !strncasecmp(a + i - 2, b + j - 1, 1);
            if (swapped && before[j - 2] + 1 < best) best = before[j - 2] + 1;
            now[j] = best;
        }
    }
    return row[n % 3][m];
}

const char *nearest_name(const char *name, const char *const *names, int n)
{
    const char *best = NULL;
    int letters = (int)strlen(name);
    int least = letters < 3 ? 0 : (letters + 1) / 3 + 1;         /* larger distances are unlikely to be typing errors */
    for (int i = 0; i < n; i++) {
        bool begun = letters >= 3 && !strncasecmp(name, names[i], (size_t)letters);     /* "visc" */
        int d = begun ? 1 : distance(name, names[i]);
        if (d < least) least = d, best = names[i];
    }
    return best;
}

bool refuse_name(struct error *e, const char *text, const char *name, const char *const *names, int n)
{
    char list[2048] = "";
    const char *near = nearest_name(name, names, n);
    for (int i = 0, at = 0; i < n && at < (int)sizeof list - 100; i++)
        at += snprintf(list + at, sizeof list - (size_t)at, "%s%s", !i ? "" : i < n - 1 ? ", " : " or ", names[i]);
    return refuse(e, EXIT_INPUT, "%s: expected some of %s%s%s%s", text, list, near ? " (did you mean \"" : "",
                  near ? near : "", near ? "\"?)" : "");
}

const char *did_you_mean(const char *word, const char *front, const char *const *names, int n)
{
    static char text[100];
    const char *near = nearest_name(word, names, n);
    snprintf(text, sizeof text, " (did you mean %s%s?)", front, near ? near : "");
    return near ? text : "";
}
