/* Sparse rows on the host: sorting, symmetry, blocks (csr.h). */
#include "system/csr.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"

static void copy_block(double *to, int64_t at, const double *from, int64_t k, int square)
{
    memcpy(to + at * square, from + k * square, (size_t)square * sizeof *to);
}

struct csr csr_transpose(const struct csr *a)                   /* counting sort */
{
    struct csr t = {.n = a->n, .block = a->block};
    int square = csr_square(a);
    int64_t *end;
    NEW(t.start, a->n + (int64_t)1), NEW(t.column, a->start[a->n]), NEW(t.value, a->start[a->n] * square),
        NEW(end, a->n);
    for (int64_t k = 0; k < a->start[a->n]; k++) t.start[a->column[k] + 1]++;
    for (int32_t i = 0; i < a->n; i++) t.start[i + 1] += t.start[i];
    memcpy(end, t.start, (size_t)a->n * sizeof *end);
    for (int32_t i = 0; i < a->n; i++)
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) {
            int64_t at = end[a->column[k]]++;
            t.column[at] = i;
            copy_block(t.value, at, a->value, k, square);
        }
    free(end);
    return t;
}

void csr_free(struct csr *a)
{
    free(a->start), free(a->column), free(a->value);
    *a = (struct csr){0};
}

void csr_compress(struct csr *a)
{
    int64_t to = 0, from = 0;
    int square = csr_square(a);
    for (int32_t i = 0; i < a->n; i++) {
        int64_t first = to;
        for (; from < a->start[i + 1]; from++) {
            if (to > first && a->column[to - 1] == a->column[from]) {
                for (int k = 0; k < square; k++) a->value[(to - 1) * square + k] += a->value[from * square + k];
                continue;
            }
            if (square == 1 && to > first && a->value[to - 1] == 0 && a->column[to - 1] != i) to--;
            a->column[to] = a->column[from];
            if (to != from) copy_block(a->value, to, a->value, from, square);
            to++;
        }
        if (square == 1 && to > first && a->value[to - 1] == 0 && a->column[to - 1] != i) to--;
        a->start[i] = first;
    }
    a->start[a->n] = to;
}

static bool has_diagonal(const struct csr *a, int32_t i)
{
    for (int64_t k = a->start[i]; k < a->start[i + 1]; k++) if (a->column[k] == i) return true;
    return false;
}

void csr_complete(struct csr *a)
{
    int64_t missing = 0;
    int square = csr_square(a);
    for (int32_t i = 0; i < a->n; i++) missing += !has_diagonal(a, i);
    if (!missing) return;
    struct csr c = {.n = a->n, .block = a->block};
    int64_t at = 0;
    NEW(c.start, a->n + (int64_t)1), NEW(c.column, a->start[a->n] + missing),
        NEW(c.value, (a->start[a->n] + missing) * square);
    for (int32_t i = 0; i < a->n; i++) {
        for (int64_t k = a->start[i]; k < a->start[i + 1]; k++, at++) {
            c.column[at] = a->column[k];
            copy_block(c.value, at, a->value, k, square);
        }
        if (!has_diagonal(a, i)) c.column[at++] = i;
        c.start[i + 1] = at;
    }
    csr_free(a);
    *a = c;
}

void csr_diagonal_first(struct csr *a)
{
    int square = csr_square(a);
    double *diagonal;
    NEW(diagonal, square);
    for (int32_t i = 0; i < a->n; i++) {
        int64_t first = a->start[i], k = first;
        while (a->column[k] != i) k++;
        copy_block(diagonal, 0, a->value, k, square);
        memmove(a->column + first + 1, a->column + first, (size_t)(k - first) * sizeof *a->column);
        memmove(a->value + (first + 1) * square, a->value + first * square,
                (size_t)((k - first) * square) * sizeof *a->value);
        a->column[first] = i;
        copy_block(a->value, first, diagonal, 0, square);
    }
    free(diagonal);
}

struct csr csr_regroup(const struct csr *a, int block)
{
    struct csr g = {.n = a->n / block, .block = block};
    int64_t *place, at = 0;                                     /* index of a block of this row by its column, + 1 */
    NEW(g.start, g.n + (int64_t)1), NEW(place, g.n);
    NEW(g.column, a->start[a->n] + g.n);
    for (int32_t r = 0; r < g.n; r++) {
        g.column[at++] = r, place[r] = 1;
        for (int64_t k = a->start[r * block]; k < a->start[(r + 1) * block]; k++) {
            int32_t c = a->column[k] / block;
            if (!place[c]) g.column[at++] = c, place[c] = 1;
        }
        each_once(g.column + g.start[r] + 1, at - g.start[r] - 1);      /* ascending */
        for (int64_t k = g.start[r]; k < at; k++) place[g.column[k]] = 0;
        g.start[r + 1] = at;
    }
    NEW(g.value, at * block * block);
    for (int32_t r = 0; r < g.n; r++) {
        for (int64_t k = g.start[r]; k < g.start[r + 1]; k++) place[g.column[k]] = k;
        for (int i = 0; i < block; i++)
            for (int64_t k = a->start[r * block + i]; k < a->start[r * block + i + 1]; k++)
                g.value[(place[a->column[k] / block] * block + i) * block + a->column[k] % block] = a->value[k];
    }
    free(place);
    return g;
}
