/* Reads words and numbers from a text in memory (text.h). */
#include "base/text.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>
#include "base/file.h"
#include "base/memory.h"

/* ---------------------------------------------------------------- the file */
/* Is the size of the unpacked file plausible for numbers?  gzip compresses numbers to a fifth, but blanks or zeros to a
 * thousandth, which would exhaust the memory. */
static bool is_text_sized(gzFile f, size_t bytes)
{
    enum { FREE = 1 << 26, MOST = 100 };
    return gzdirect(f) || bytes <= FREE || (double)bytes <= MOST * (double)gzoffset(f);
}

bool text_load(struct text *t, const char *path, struct error *e)
{
    enum { BLOCK = 1 << 24 };                                   /* bytes read at once, at most */
    const char *why;
    int file = file_descriptor(path, &why);
    if (file < 0) return refuse(e, EXIT_INPUT, "%s: %s", path, why);
    gzFile f = gzdopen(file, "rb");
    if (!f) die("zlib does not accept an open file");
    size_t n = 0, room = 1 << 16, wanted;
    int got;
    *t = (struct text){.path = path};
    gzbuffer(f, 1 << 17);
    NEW(t->begin, room + 1);
    do {
        if (n == room) RESIZE(t->begin, (room *= 2) + 1);
        wanted = room - n < BLOCK ? room - n : BLOCK;
        got = gzread(f, t->begin + n, (unsigned)wanted);
        n += got > 0 ? (size_t)got : 0;
    } while (got > 0 && (size_t)got == wanted && is_text_sized(f, n));
    int wrong;
    const char *reason = gzerror(f, &wrong);
    bool good = got >= 0 && wrong == Z_OK;
    if (!good) refuse(e, EXIT_INPUT, "%s: cannot be read: %s", path, wrong == Z_ERRNO ? strerror(errno) : reason);
    else if (got > 0 && (size_t)got == wanted)
        good = refuse(e, EXIT_INPUT, "%s: unpacks into more than 100 times its size, unlikely for numbers; if it "
                      "really holds numbers, unpack it first: gunzip -k %s", path, path);
    gzclose(f);
    if (!good) return free(t->begin), false;
    t->begin[n] = 0;
    t->at = t->begin, t->end = t->begin + n;
    return true;
}

bool text_refuse(const struct text *t, struct error *e, const char *format, ...)
{
    int64_t line = 1;
    const char *start = t->begin;
    for (const char *p = start; (p = memchr(p, '\n', (size_t)(t->at - p))); start = ++p) line++;
    char what[1000], found[100];
    va_list list;
    va_start(list, format);
    vsnprintf(what, sizeof what, format, list);
    va_end(list);
    snprintf(found, sizeof found, "%.*s", (int)strcspn(start, "\r\n"), start);
    if (start == t->end)
        return refuse(e, EXIT_INPUT, "%s:%lld: the file ends here; %s", t->path, (long long)line, what);
    return refuse(e, EXIT_INPUT, "%s:%lld: found \"%s\"; %s", t->path, (long long)line, found, what);
}

/* ---------------------------------------------------------------- numbers */
static bool ends_number(char c) { return isspace((unsigned char)c) || !c || strchr("(){}[];,<", c); }

void text_skip_blanks(struct text *t) { while (*t->at == ' ' || *t->at == '\t' || *t->at == '\r') t->at++; }

bool text_whole(struct text *t, int64_t *v)
{
    text_skip_blanks(t);
    const char *first = t->at + (*t->at == '+'), *p = first;
    int64_t n = 0;
    for (; isdigit((unsigned char)*p) && p - first < 18; p++) n = 10 * n + (*p - '0');
    if (p == first || isalnum((unsigned char)*p) || *p == '.') return false;
    t->at = p, *v = n;
    return true;
}

/* A number of up to 15 digits and a small power of ten is exact as a product or quotient of two doubles (Clinger 1990);
 * the others are left to strtod(). */
bool text_real(struct text *t, double *v)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    text_skip_blanks(t);
    const char *p = t->at;
    bool negative = *p == '-';
    int digits = 0, power = 0;
    int64_t m = 0;
    p += *p == '-' || *p == '+';
    const bool begun = isdigit((unsigned char)*p) || (*p == '.' && isdigit((unsigned char)p[1]));
    for (; isdigit((unsigned char)*p); p++) m = digits < 16 ? 10 * m + (*p - '0') : 0, digits += digits || *p != '0';
    if (*p == '.')
        for (p++; isdigit((unsigned char)*p); p++)
            m = digits < 16 ? 10 * m + (*p - '0') : 0, digits += digits || *p != '0', power--;
    if ((*p == 'e' || *p == 'E') && digits < 16) {
        const char *sign = p + 1;
        int x = 0;
        p = sign + (*sign == '-' || *sign == '+');
        for (; isdigit((unsigned char)*p) && x < 1000; p++) x = 10 * x + (*p - '0');
        power += *sign == '-' ? -x : x;
    }
    bool plain = begun && digits < 16 && power >= -22 && power <= 22 && ends_number(*p) && p > t->at &&
                 isdigit((unsigned char)p[-1]);
    if (plain) {
        double x = power < 0 ? (double)m / ten[-power] : (double)m * ten[power];
        *v = negative ? -x : x;
        t->at = p;
        return true;
    }
    char *end;
    if (isspace((unsigned char)*t->at) || !*t->at) return false;       /* strtod() would continue on the next line */
    const double x = strtod(t->at, &end);
    bool good = end > t->at && ends_number(*end) && isfinite(x);
    if (good) t->at = end, *v = x;
    return good;
}

bool text_next_line(struct text *t)
{
    const char *end = memchr(t->at, '\n', (size_t)(t->end - t->at));
    t->at = end ? end + 1 : t->end;
    return end;
}

bool text_end_line(struct text *t)
{
    text_skip_blanks(t);
    if (*t->at == '\n') return t->at++, true;
    return t->at == t->end;
}

void text_skip_lines(struct text *t)
{
    for (;;) {
        const char *p = t->at;
        while (*p == ' ' || *p == '\t' || *p == '\r') p++;
        if (*p == '%') p += strcspn(p, "\n");
        if (*p != '\n') break;
        t->at = p + 1;
    }
    text_skip_blanks(t);
}

size_t text_word(struct text *t, char *word, size_t size)
{
    text_skip_blanks(t);
    size_t n = 0;
    while (t->at + n < t->end && (unsigned char)t->at[n] > ' ' && !strchr("(){}[];,=<>\"", t->at[n])) n++;
    if (n >= size) return 0;
    memcpy(word, t->at, n);
    word[n] = 0;
    t->at += n;
    return n;
}
