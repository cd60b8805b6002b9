/* The L D L^T factorisation of a small matrix inside its envelope (envelope.h). */
#include "solve/envelope.h"
#include <float.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/kernel.h"

void envelope_create(struct envelope *e, int32_t n, int32_t *first)
{
    *e = (struct envelope){.n = n, .first = first};
    NEW(e->start, n + 1);
    for (int32_t i = 0; i < n; i++) e->start[i + 1] = e->start[i] + i - first[i];
    NEW(e->lower, e->start[n]), NEW(e->diag, n);
}

void envelope_free(struct envelope *e) { free(e->first), free(e->start), free(e->lower), free(e->diag); }

double *envelope_at(const struct envelope *e, int32_t i, int32_t j) { return &e->lower[e->start[i] + j - e->first[i]]; }

/* Computed as 16 interleaved sums: fast with vector registers, and the same bits without them. */
static double dot(const double *x, const double *y, int32_t n)
{
    enum { SIDE = 16 };
    double sum[SIDE] = {0};
    int32_t k = 0;
    for (; k + SIDE <= n; k += SIDE)
        for (int32_t s = 0; s < SIDE; s++) sum[s] += x[k + s] * y[k + s];
    for (; k < n; k++) sum[k % SIDE] += x[k] * y[k];
    for (int32_t h = SIDE / 2; h > 0; h /= 2)
        for (int32_t s = 0; s < h; s++) sum[s] += sum[s + h];
    return sum[0];
}

int32_t envelope_factor(struct envelope *e, int32_t n_factored)
{
    for (int32_t i = 0; i < n_factored; i++) {
        double *row = e->lower + e->start[i] - e->first[i], whole = e->diag[i];
        for (int32_t j = e->first[i]; j < i; j++) {                             /* row = (L D) of row i */
            int32_t from = e->first[i] > e->first[j] ? e->first[i] : e->first[j];
            row[j] -= dot(row + from, e->lower + e->start[j] - e->first[j] + from, j - from);
        }
        for (int32_t j = e->first[i]; j < i; j++) {
            double scaled = row[j] / e->diag[j];
            e->diag[i] -= row[j] * scaled;
            row[j] = scaled;
        }
        if (!(e->diag[i] > 16 * DBL_EPSILON * whole)) return i;
    }
    return -1;
}

/* Computes columns first .. first + WARP - 1 of the inverse, from row `first` downwards. */
static void columns(const struct envelope *e, int32_t n, double *inverse, int64_t ld, int32_t first)
{
    for (int32_t i = first; i < n; i++) {
        double *x = inverse + i * ld + first;
        if (i - first < WARP) x[i - first] = 1;
        for (int32_t j = e->first[i] > first ? e->first[i] : first; j < i; j++) {
            double l = *envelope_at(e, i, j), *y = inverse + j * ld + first;
            for (int t = 0; t < WARP; t++) x[t] -= l * y[t];
        }
    }
    for (int32_t i = n - 1; i >= first; i--) {
        double *y = inverse + i * ld + first;
        for (int t = 0; t < WARP; t++) y[t] /= e->diag[i];
    }
    for (int32_t i = n - 1; i >= first; i--) {
        double *y = inverse + i * ld + first;
        for (int32_t j = e->first[i] > first ? e->first[i] : first; j < i; j++) {
            double l = *envelope_at(e, i, j), *x = inverse + j * ld + first;
            for (int t = 0; t < WARP; t++) x[t] -= l * y[t];
        }
    }
}

void envelope_inverse(const struct envelope *e, int32_t n_factored, double *inverse, int64_t ld)
{
    memset(inverse, 0, (size_t)(e->n * ld) * sizeof *inverse);
    #pragma omp parallel for schedule(dynamic, 1)
    for (int32_t c = 0; c < n_factored; c += WARP) columns(e, n_factored, inverse, ld, c);
    for (int32_t i = 0; i < n_factored; i++)
        for (int32_t j = i + 1; j < n_factored; j++) inverse[i * ld + j] = inverse[j * ld + i];
}
