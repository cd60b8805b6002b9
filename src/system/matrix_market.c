/* Reads and writes Matrix Market files (matrix_file.h). */
#include "system/matrix_file.h"
#include <ctype.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include "base/file.h"
#include "base/memory.h"
#include "base/text.h"

/* ---------------------------------------------------------------- the first line */
enum { COORDINATE, ARRAY };
enum { REAL, INTEGER, PATTERN };
enum { GENERAL, SYMMETRIC, SKEW };
struct header { int format, field, symmetry; };

/* Reads the next word, which must be one of `all` words, of which only the first n are supported. */
static bool read_word(struct text *t, const char *what, const char *const *words, int n, int all, int *word,
                      struct error *e)
{
    char found[40], list[200] = "";
    text_skip_blanks(t);
    size_t length = strcspn(t->at, " \t\r\n");
    snprintf(found, sizeof found, "%.*s", (int)length, t->at);
    for (char *p = found; *p; p++) *p = (char)tolower((unsigned char)*p);
    for (int i = 0, at = 0; i < n; i++)
        at += sprintf(list + at, "%s%s", i == 0 ? "" : i + 1 < n ? ", " : " or ", words[i]);
    for (*word = 0; *word < all; ++*word)
        if (!strcmp(found, words[*word])) {
            if (*word >= n)
                return text_refuse(t, e, "%s \"%s\" is not supported: expected %s (Poise solves real systems)", what,
                                   found, list);
            t->at += length;
            return true;
        }
    return text_refuse(t, e, "%s \"%s\" is not known%s: expected %s", what, found, did_you_mean(found, "", words, all),
                       list);
}

static bool read_header(struct text *t, struct header *h, struct error *e)
{
    static const char banner[] = "%%MatrixMarket";
    static const char *const object[] = {"matrix", "vector"}, *const format[] = {"coordinate", "array"},
                      *const field[] = {"real", "integer", "pattern", "double", "complex"},
                      *const symmetry[] = {"general", "symmetric", "skew-symmetric", "hermitian"};
    int unused;
    if (strncasecmp(t->at, banner, sizeof banner - 1))
        return text_refuse(t, e, "expected a Matrix Market file, which begins %%%%MatrixMarket matrix coordinate real "
                           "symmetric");
    t->at += sizeof banner - 1;
    return read_word(t, "object", object, 1, 2, &unused, e) && read_word(t, "format", format, 2, 2, &h->format, e) &&
           read_word(t, "field", field, 3, 5, &h->field, e) &&
           read_word(t, "symmetry", symmetry, 3, 4, &h->symmetry, e) &&
           (text_end_line(t) || text_refuse(t, e, "expected nothing after the symmetry"));
}

/* ---------------------------------------------------------------- the matrix */
struct entries { int64_t n; int32_t *row, *column; double *value; };

static bool read_entry(struct text *t, const struct header *h, int32_t n, int32_t *row, int32_t *column, double *value,
                       struct error *e)
{
    int64_t i, j;
    *value = 1;
    if (!text_whole(t, &i) || !text_whole(t, &j) || (h->field != PATTERN && !text_real(t, value)) || !text_end_line(t))
        return text_refuse(t, e, h->field == PATTERN ? "expected a row and a column" :
                                                       "expected a row, a column and a finite number");
    bool given = h->symmetry == GENERAL || i > j || (h->symmetry == SYMMETRIC && i == j);
    if (i >= 1 && i <= n && j >= 1 && j <= n && given) {
        *row = (int32_t)i - 1, *column = (int32_t)j - 1;
        return true;
    }
    t->at--;                                                    /* for messages: on the line of the entry */
    if (i >= 1 && i <= n && j >= 1 && j <= n)
        return text_refuse(t, e, h->symmetry == SKEW ? "a skew-symmetric file holds only entries below the diagonal: "
                           "expected a row greater than the column" : "a symmetric file holds only the lower "
                           "triangle: expected a row that is not less than the column");
    return text_refuse(t, e, "expected a row and a column from 1 to %d", n);
}

/* Reads the size line and all entries. */
static bool read_entries(struct text *t, const struct header *h, int32_t *n, struct entries *a, struct error *e)
{
    int64_t rows, columns;
    text_skip_lines(t);
    if (!text_whole(t, &rows) || !text_whole(t, &columns) || !text_whole(t, &a->n) || !text_end_line(t))
        return text_refuse(t, e, "expected the numbers of rows, columns and entries");
    t->at--;
    if (rows != columns)
        return text_refuse(t, e, "the matrix has %lld rows and %lld columns; expected a square one", (long long)rows,
                           (long long)columns);
    if (rows < 1 || rows >= INT32_MAX) return text_refuse(t, e, "expected between 1 and 2^31 - 2 rows");
    if (a->n > t->end - t->begin)
        return text_refuse(t, e, "%lld entries are more than the file can hold", (long long)a->n);
    t->at++;
    *n = (int32_t)rows;
    NEW(a->row, a->n), NEW(a->column, a->n), NEW(a->value, a->n);
    for (int64_t k = 0; k < a->n; k++) {
        text_skip_lines(t);
        if (t->at == t->end)
            return text_refuse(t, e, "expected %lld entries, found %lld", (long long)a->n, (long long)k);
        if (!read_entry(t, h, *n, &a->row[k], &a->column[k], &a->value[k], e)) return false;
    }
    text_skip_lines(t);
    return t->at == t->end || text_refuse(t, e, "expected the end of the file after %lld entries", (long long)a->n);
}

/* Sorts the entries into rows.  Unless the matrix is general, the file contains only the lower triangle, and the upper
 * one is added. */
static struct csr rows_of(const struct entries *a, int32_t n, int symmetry)
{
    struct csr c = {.n = n};
    int64_t *end;
    NEW(c.start, n + (int64_t)1), NEW(end, n);
    for (int64_t k = 0; k < a->n; k++) {
        c.start[a->row[k] + 1]++;
        if (symmetry != GENERAL && a->row[k] != a->column[k]) c.start[a->column[k] + 1]++;
    }
    for (int32_t i = 0; i < n; i++) end[i] = c.start[i], c.start[i + 1] += c.start[i];
    NEW(c.column, c.start[n]), NEW(c.value, c.start[n]);
    for (int64_t k = 0; k < a->n; k++) {
        int64_t at = end[a->row[k]]++;
        c.column[at] = a->column[k], c.value[at] = a->value[k];
        if (symmetry == GENERAL || a->row[k] == a->column[k]) continue;
        at = end[a->column[k]]++;
        c.column[at] = a->row[k], c.value[at] = symmetry == SKEW ? -a->value[k] : a->value[k];
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
    if (!text_load(&t, path, e)) return false;
    bool good = read_header(&t, &h, e);
    if (good && h.format == ARRAY)
        good = refuse(e, EXIT_INPUT, "%s:1: \"array\" is a full matrix or a vector; expected \"coordinate\" for the "
                      "matrix (--rhs FILE takes a vector)", path);
    good = good && read_entries(&t, &h, &n, &a, e);
    free(t.begin);
    struct csr rows = good ? rows_of(&a, n, h.symmetry) : (struct csr){0};
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
    text_skip_lines(t);
    if (!text_whole(t, &rows) || !text_whole(t, &columns) || !text_end_line(t))
        return text_refuse(t, e, "expected the numbers of rows and columns");
    t->at--;
    if (rows != n || columns != 1)
        return text_refuse(t, e, "the matrix has %d rows: expected a vector of %d rows and 1 column", n, n);
    t->at++;
    for (int32_t i = 0; i < n; i++) {
        text_skip_lines(t);
        if (t->at == t->end) return text_refuse(t, e, "expected %d numbers, found %d", n, i);
        if (!text_real(t, &v[i]) || !text_end_line(t)) return text_refuse(t, e, "expected one finite number");
    }
    text_skip_lines(t);
    return t->at == t->end || text_refuse(t, e, "expected the end of the file after %d numbers", n);
}

double *matrix_market_read_vector(const char *path, int32_t n, struct error *e)
{
    struct text t;
    double *v;
    if (!text_load(&t, path, e)) return NULL;
    NEW(v, n);
    bool good = read_vector(&t, v, n, e);
    free(t.begin);
    if (!good) free(v), v = NULL;
    return v;
}

/* ---------------------------------------------------------------- writing */
/* Writes the output of print(out, what) to the file. */
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
                fprintf(out, "%lld %lld %.17g\n", (long long)(i * b + e / b + 1),
                        (long long)(s->column[k] * b + e % b + 1), s->value[k * square + e]);
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
