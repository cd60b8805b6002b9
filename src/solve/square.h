/* square.h: for kernel bodies: one entry of a matrix of blocks in registers.  n, the rows of a block, is a constant at
 * every call (FOR_BLOCK), so that the loops over its numbers unroll. */
#ifndef POISE_SQUARE_H
#define POISE_SQUARE_H
#include "solve/for_block.h"
#include "solve/matrix.h"

struct square { double v[MOST_BLOCK * MOST_BLOCK]; };

ON_DEVICE struct square square_load(const double *value, int64_t at, const int n)
{
    struct square s;
    for (int e = 0; e < n * n; e++) s.v[e] = value[BLOCK_NUMBER(at, e, n * n)];
    return s;
}
ON_DEVICE void square_store(double *value, int64_t at, const struct square *s, const int n)
{
    for (int e = 0; e < n * n; e++) value[BLOCK_NUMBER(at, e, n * n)] = s->v[e];
}
ON_DEVICE struct square square_times(const struct square *x, const struct square *y, const int n)
{
    struct square s;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            double sum = x->v[i * n] * y->v[j];
            for (int k = 1; k < n; k++) sum = fma(x->v[i * n + k], y->v[k * n + j], sum);
            s.v[i * n + j] = sum;
        }
    return s;
}
/* d -= x y */
ON_DEVICE void square_take_away(struct square *d, const struct square *x, const struct square *y, const int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++)
            for (int k = 0; k < n; k++) d->v[i * n + j] = fma(-x->v[i * n + k], y->v[k * n + j], d->v[i * n + j]);
}
ON_DEVICE double square_largest(const struct square *d, const int n)
{
    double most = 0;
    for (int e = 0; e < n * n; e++) most = fabs(d->v[e]) > most ? fabs(d->v[e]) : most;
    return most;
}

/* Gauss-Jordan with pivots from the column; false: one of them is no more than `least`. */
ON_DEVICE int square_invert(struct square *d, double least, const int n)
{
    double m[MOST_BLOCK][2 * MOST_BLOCK];
    int good = 1;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) m[i][j] = d->v[i * n + j], m[i][n + j] = i == j;
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++) if (fabs(m[i][k]) > fabs(m[best][k])) best = i;
        if (!(fabs(m[best][k]) > least)) good = 0;
        for (int j = 0; j < 2 * n; j++) { double swap = m[k][j]; m[k][j] = m[best][j]; m[best][j] = swap; }
        double pivot = 1 / m[k][k];
        for (int j = 0; j < 2 * n; j++) m[k][j] *= pivot;
        for (int i = 0; i < n; i++) {
            double factor = m[i][k];
            for (int j = 0; i != k && j < 2 * n; j++) m[i][j] = fma(-factor, m[k][j], m[i][j]);
        }
    }
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) d->v[i * n + j] = m[i][n + j];
    return good;
}
#endif
