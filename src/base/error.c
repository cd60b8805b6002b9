#include "base/error.h"
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* Bytes of the printable letter that the text begins with, 0: none. */
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

/* Words of over `most` letters keep their first and their last ones. */
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
    snprintf(e->text, sizeof e->text, "%s", text ? text : "out of memory while an error was told");
    text_make_printable(e->text);
    free(text);
    return false;
}

void die_at(const char *file, int line, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    fflush(stdout);
    fprintf(stderr, "poise: internal error at %s:%d: ", file, line);
    vfprintf(stderr, format, list);
    fprintf(stderr, "\n");
    va_end(list);
    exit(EXIT_RESOURCE);
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
