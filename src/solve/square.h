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

/* inverse = block^-1 of n x n numbers by Gauss-Jordan; in place allowed.  The row with the largest pivot is brought up
 * by successive exchanges with every row that has a larger one, so that no index depends on values.  False: a pivot is
 * at most `least`. */
ON_DEVICE int invert_block(const double *block, double *inverse, double least, const int n)
{
    double m[MOST_BLOCK][2 * MOST_BLOCK];
    int good = 1;
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) m[r][c] = block[r * n + c], m[r][n + c] = r == c;
    for (int k = 0; k < n; k++) {
        for (int r = k + 1; r < n; r++) {
            int larger = fabs(m[r][k]) > fabs(m[k][k]);
            for (int c = 0; c < 2 * n; c++) {
                double up = larger ? m[r][c] : m[k][c], down = larger ? m[k][c] : m[r][c];
                m[k][c] = up, m[r][c] = down;
            }
        }
        if (!(fabs(m[k][k]) > least)) good = 0;
        double pivot = 1 / m[k][k];
        for (int c = 0; c < 2 * n; c++) m[k][c] *= pivot;
        for (int r = 0; r < n; r++) {
            double factor = r == k ? 0 : m[r][k];
            for (int c = 0; c < 2 * n; c++) m[r][c] = fma(-factor, m[k][c], m[r][c]);
        }
    }
    for (int r = 0; r < n; r++)
        for (int c = 0; c < n; c++) inverse[r * n + c] = m[r][n + c];
    return good;
}
#endif
