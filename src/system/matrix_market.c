#include "system/matrix_market.h"
#include <ctype.h>
#include <errno.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <zlib.h>
#include "base/file.h"
#include "base/memory.h"

struct text {
    const char *path;
    char *begin;                /* the whole file, ended by a 0 */
    const char *at, *end;
};

/* ---------------------------------------------------------------- the file */
/* Is the unpacked file of a size that numbers can have?  gzip makes numbers a fifth as large; a file of blanks or
 * zeros it can make a thousandth as large, which would fill the memory. */
static bool is_matrix_sized(gzFile f, size_t bytes)
{
    enum { FREE = 1 << 26, MOST = 100 };
    return gzdirect(f) || bytes <= FREE || (double)bytes <= MOST * (double)gzoffset(f);
}

static bool load(struct text *t, const char *path, struct error *e)
{
    enum { BLOCK = 1 << 24 };                                   /* read at once, at most */
    const char *why;
    int file = file_descriptor(path, &why);
    if (file < 0) return refuse(e, EXIT_INPUT, "%s: %s", path, why);
    gzFile f = gzdopen(file, "rb");
    if (!f) die("zlib does not take an open file");
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
    } while (got > 0 && (size_t)got == wanted && is_matrix_sized(f, n));
    int wrong;
    const char *reason = gzerror(f, &wrong);
    bool good = got >= 0 && wrong == Z_OK;
    if (!good) refuse(e, EXIT_INPUT, "%s: cannot be read: %s", path, wrong == Z_ERRNO ? strerror(errno) : reason);
    else if (got > 0 && (size_t)got == wanted)
        good = refuse(e, EXIT_INPUT, "%s: unpacks into more than 100 times its size, which no matrix does; if it is one, "
                      "unpack it first: gunzip -k %s", path, path);
    gzclose(f);
    if (!good) return free(t->begin), false;
    t->begin[n] = 0;
    t->at = t->begin, t->end = t->begin + n;
    return true;
}

/* Refuses with "file:line: " of t->at in front of the message and the line itself behind it. */
__attribute__((format(printf, 3, 4)))
static bool refuse_line(const struct text *t, struct error *e, const char *format, ...)
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
static void skip_blanks(struct text *t) { while (*t->at == ' ' || *t->at == '\t' || *t->at == '\r') t->at++; }

static bool read_whole(struct text *t, int64_t *v)
{
    skip_blanks(t);
    const char *first = t->at + (*t->at == '+'), *p = first;
    for (*v = 0; isdigit((unsigned char)*p) && p - first < 18; p++) *v = 10 * *v + (*p - '0');
    if (p == first || isalnum((unsigned char)*p) || *p == '.') return false;
    t->at = p;
    return true;
}

/* Reads a number.  One of up to 15 digits and a small power of ten is exact as a product or quotient of two doubles
 * (Clinger 1990); the others are left to strtod(). */
static bool read_real(struct text *t, double *v)
{
    static const double ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                 1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
    skip_blanks(t);
    const char *p = t->at;
    bool negative = *p == '-';
    int digits = 0, power = 0;
    int64_t m = 0;
    p += *p == '-' || *p == '+';
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
    bool plain = digits < 16 && power >= -22 && power <= 22 && (isspace((unsigned char)*p) || !*p) && p > t->at &&
                 isdigit((unsigned char)p[-1]);
    if (plain) {
        double x = power < 0 ? (double)m / ten[-power] : (double)m * ten[power];
        *v = negative ? -x : x;
        t->at = p;
        return true;
    }
    char *end;
    if (isspace((unsigned char)*t->at) || !*t->at) return false;       /* strtod would go on to the next line */
    *v = strtod(t->at, &end);
    bool good = end > t->at && (isspace((unsigned char)*end) || !*end) && isfinite(*v);
    if (good) t->at = end;
    return good;
}

/* True where there are only blanks up to the end of the line; then goes on to the next one. */
static bool end_line(struct text *t)
{
    skip_blanks(t);
    if (*t->at == '\n') return t->at++, true;
    return t->at == t->end;
}

/* Goes over comments and empty lines. */
static void skip_lines(struct text *t)
{
    for (;;) {
        const char *p = t->at;
        while (*p == ' ' || *p == '\t' || *p == '\r') p++;
        if (*p == '%') p += strcspn(p, "\n");
        if (*p != '\n') break;
        t->at = p + 1;
    }
    skip_blanks(t);
}

/* ---------------------------------------------------------------- the first line */
enum { COORDINATE, ARRAY };
enum { REAL, INTEGER, PATTERN };
enum { GENERAL, SYMMETRIC };
struct header { int format, field, symmetry; };

/* Reads the next word, which must be one of `all` words, of which Poise takes the first n. */
static bool read_word(struct text *t, const char *what, const char *const *words, int n, int all, int *word,
                      struct error *e)
{
    char found[40], list[200] = "";
    skip_blanks(t);
    size_t length = strcspn(t->at, " \t\r\n");
    snprintf(found, sizeof found, "%.*s", (int)length, t->at);
    for (char *p = found; *p; p++) *p = (char)tolower((unsigned char)*p);
    for (int i = 0, at = 0; i < n; i++)
        at += sprintf(list + at, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
    for (*word = 0; *word < all; ++*word)
        if (!strcmp(found, words[*word])) {
            if (*word >= n)
                return refuse_line(t, e, "%s \"%s\" is not supported: expected %s (Poise solves real systems)", what,
                                   found, list);
            t->at += length;
            return true;
        }
    const char *near = nearest_name(found, words, all);
    return refuse_line(t, e, "%s \"%s\" is not known%s%s%s: expected %s", what, found, near ? " (did you mean " : "",
                       near ? near : "", near ? "?)" : "", list);
}

static bool read_header(struct text *t, struct header *h, struct error *e)
{
    static const char banner[] = "%%MatrixMarket";
    static const char *const object[] = {"matrix", "vector"}, *const format[] = {"coordinate", "array"},
                      *const field[] = {"real", "integer", "pattern", "double", "complex"},
                      *const symmetry[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    int unused;
    if (strncasecmp(t->at, banner, sizeof banner - 1))
        return refuse_line(t, e, "expected a Matrix Market file, which begins %%%%MatrixMarket matrix coordinate real "
                           "symmetric");
    t->at += sizeof banner - 1;
    return read_word(t, "object", object, 1, 2, &unused, e) && read_word(t, "format", format, 2, 2, &h->format, e) &&
           read_word(t, "field", field, 3, 5, &h->field, e) &&
           read_word(t, "symmetry", symmetry, 2, 4, &h->symmetry, e) &&
           (end_line(t) || refuse_line(t, e, "expected nothing behind the symmetry"));
}

/* ---------------------------------------------------------------- the matrix */
struct entries { int64_t n; int32_t *row, *column; double *value; };

static bool read_entry(struct text *t, const struct header *h, int32_t n, int32_t *row, int32_t *column, double *value,
                       struct error *e)
{
    int64_t i, j;
    *value = 1;
    if (!read_whole(t, &i) || !read_whole(t, &j) || (h->field != PATTERN && !read_real(t, value)) || !end_line(t))
        return refuse_line(t, e, h->field == PATTERN ? "expected a row and a column" :
                                                       "expected a row, a column and a finite number");
    if (i >= 1 && i <= n && j >= 1 && j <= n && (h->symmetry == GENERAL || i >= j)) {
        *row = (int32_t)i - 1, *column = (int32_t)j - 1;
        return true;
    }
    t->at--;                                                    /* for messages: in the line of the entry */
    if (i >= 1 && i <= n && j >= 1 && j <= n)
        return refuse_line(t, e, "a symmetric file holds the lower triangle alone: expected a row that is not less "
                           "than the column");
    return refuse_line(t, e, "expected a row and a column from 1 to %d", n);
}

/* The size line and all entries. */
static bool read_entries(struct text *t, const struct header *h, int32_t *n, struct entries *a, struct error *e)
{
    int64_t rows, columns;
    skip_lines(t);
    if (!read_whole(t, &rows) || !read_whole(t, &columns) || !read_whole(t, &a->n) || !end_line(t))
        return refuse_line(t, e, "expected the numbers of rows, columns and entries");
    t->at--;
    if (rows != columns)
        return refuse_line(t, e, "the matrix has %lld rows and %lld columns; expected a square one", (long long)rows,
                           (long long)columns);
    if (rows < 1 || rows >= INT32_MAX) return refuse_line(t, e, "expected between 1 and 2^31 - 2 rows");
    if (a->n > t->end - t->begin)
        return refuse_line(t, e, "%lld entries are more than the file can hold", (long long)a->n);
    t->at++;
    *n = (int32_t)rows;
    NEW(a->row, a->n), NEW(a->column, a->n), NEW(a->value, a->n);
    for (int64_t k = 0; k < a->n; k++) {
        skip_lines(t);
        if (t->at == t->end)
            return refuse_line(t, e, "expected %lld entries, found %lld", (long long)a->n, (long long)k);
        if (!read_entry(t, h, *n, &a->row[k], &a->column[k], &a->value[k], e)) return false;
    }
    skip_lines(t);
    return t->at == t->end || refuse_line(t, e, "expected the end of the file after %lld entries", (long long)a->n);
}

/* Sorts the entries into rows; symmetric: the file has the lower triangle only, and the upper one is added. */
static struct csr rows_of(const struct entries *a, int32_t n, bool symmetric)
{
    struct csr c = {.n = n};
    int64_t *end;
    NEW(c.start, n + (int64_t)1), NEW(end, n);
    for (int64_t k = 0; k < a->n; k++) {
        c.start[a->row[k] + 1]++;
        if (symmetric && a->row[k] != a->column[k]) c.start[a->column[k] + 1]++;
    }
    for (int32_t i = 0; i < n; i++) end[i] = c.start[i], c.start[i + 1] += c.start[i];
    NEW(c.column, c.start[n]), NEW(c.value, c.start[n]);
    for (int64_t k = 0; k < a->n; k++) {
        int64_t at = end[a->row[k]]++;
        c.column[at] = a->column[k], c.value[at] = a->value[k];
        if (!symmetric || a->row[k] == a->column[k]) continue;
        at = end[a->column[k]]++;
        c.column[at] = a->row[k], c.value[at] = a->value[k];
    }
    free(end);
    return c;
}

bool matrix_market_read(struct linear_system *s, const char *path, struct error *e)
{
    struct text t;
    struct header h;
    struct entries a = {0};
    int32_t n = 0;
    *s = (struct linear_system){.first_row = 1, .ordering = ORDERING_METIS};
    snprintf(s->name, sizeof s->name, "%s", path);
    if (!load(&t, path, e)) return false;
    bool good = read_header(&t, &h, e);
    if (good && h.format == ARRAY)
        good = refuse(e, EXIT_INPUT, "%s:1: \"array\" is a full matrix or a vector; expected \"coordinate\" for the "
                      "matrix (--rhs FILE takes a vector)", path);
    good = good && read_entries(&t, &h, &n, &a, e);
    free(t.begin);
    struct csr rows = good ? rows_of(&a, n, h.symmetry == SYMMETRIC) : (struct csr){0};
    free(a.row), free(a.column), free(a.value);
    return good && linear_system_of_rows(s, &rows, e);
}

/* ---------------------------------------------------------------- vectors */
static bool read_vector(struct text *t, double *v, int32_t n, struct error *e)
{
    struct header h;
    int64_t rows, columns;
    if (!read_header(t, &h, e)) return false;
    if (h.format != ARRAY || h.field == PATTERN || h.symmetry != GENERAL)
        return refuse(e, EXIT_INPUT, "%s:1: expected a vector: %%%%MatrixMarket matrix array real general", t->path);
    skip_lines(t);
    if (!read_whole(t, &rows) || !read_whole(t, &columns) || !end_line(t))
        return refuse_line(t, e, "expected the numbers of rows and columns");
    t->at--;
    if (rows != n || columns != 1)
        return refuse_line(t, e, "the matrix has %d rows: expected a vector of %d rows and 1 column", n, n);
    t->at++;
    for (int32_t i = 0; i < n; i++) {
        skip_lines(t);
        if (t->at == t->end) return refuse_line(t, e, "expected %d numbers, found %d", n, i);
        if (!read_real(t, &v[i]) || !end_line(t)) return refuse_line(t, e, "expected one finite number");
    }
    skip_lines(t);
    return t->at == t->end || refuse_line(t, e, "expected the end of the file after %d numbers", n);
}

double *matrix_market_read_vector(const char *path, int32_t n, struct error *e)
{
    struct text t;
    double *v;
    if (!load(&t, path, e)) return NULL;
    NEW(v, n);
    bool good = read_vector(&t, v, n, e);
    free(t.begin);
    if (!good) free(v), v = NULL;
    return v;
}

/* ---------------------------------------------------------------- writing */
/* Writes the text that print(out, what) makes to the file. */
static bool write_text(const char *path, void (*print)(FILE *, const void *), const void *what, struct error *e)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *out = open_memstream(&text, &bytes);
    if (!out) die("open_memstream: %s", strerror(errno));
    print(out, what);
    if (fclose(out)) die("%s could not be composed in memory: %s", path, strerror(errno));
    bool good = file_replace(path, text, bytes, e);
    free(text);
    return good;
}

static void print_matrix(FILE *out, const void *what)
{
    const struct linear_system *s = what;
    int64_t b = s->block, square = b * b, n = s->n * b;
    int64_t entries = s->nonsymmetric ? s->start[s->n] * square : (s->start[s->n] + s->n) / 2;
    fprintf(out, "%%%%MatrixMarket matrix coordinate real %s\n%% %s\n%lld %lld %lld\n",
            s->nonsymmetric ? "general" : "symmetric", s->name, (long long)n, (long long)n, (long long)entries);
    for (int32_t i = 0; i < s->n; i++)
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            for (int64_t e = 0; e < square && (s->nonsymmetric || s->column[k] <= i); e++)
                fprintf(out, "%lld %lld %.17g\n", (long long)(i * b + e / b + 1), (long long)(s->column[k] * b + e % b + 1),
                        s->value[k * square + e]);
}

struct vector { const double *v; int32_t n; };

static void print_vector(FILE *out, const void *what)
{
    const struct vector *x = what;
    fprintf(out, "%%%%MatrixMarket matrix array real general\n%d 1\n", x->n);
    for (int32_t i = 0; i < x->n; i++) fprintf(out, "%.17g\n", x->v[i]);
}

bool matrix_market_write(const struct linear_system *s, const char *path, struct error *e)
{
    return write_text(path, print_matrix, s, e);
}

bool matrix_market_write_vector(const double *v, int32_t n, const char *path, struct error *e)
{
    return write_text(path, print_vector, &(struct vector){v, n}, e);
}
