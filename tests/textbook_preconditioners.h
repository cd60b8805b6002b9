/* textbook_preconditioners.h: z = M r by its definition, with full matrices: slow, and independent of the program. */
#ifndef POISE_TEXTBOOK_PRECONDITIONERS_H
#define POISE_TEXTBOOK_PRECONDITIONERS_H
#include "linear_system.h"
#include "solve/lower_rows.h"
#include "solve/preconditioner.h"

/* The lower triangle of A as a full matrix, rows in the order of elimination, without entries outside the diagonal
 * blocks. */
static inline double *dense_lower(const struct system *s, int block, const int32_t *order)
{
    int n = s->n, *when;
    double *l;
    NEW(l, (size_t)n * n), NEW(when, n);
    for (int i = 0; i < n; i++) when[order[i]] = i;
    for (int i = 0; i < n; i++) {
        int r = order[i];
        for (int64_t e = s->start[r]; e < s->start[r + 1]; e++)
            if (when[s->column[e]] < i && s->column[e] / block == r / block)
                l[(size_t)i * n + when[s->column[e]]] = s->value[e];
        l[(size_t)i * n + i] = s->diag[r];
    }
    free(when);
    return l;
}

/* Turns it into L of L D^-1 L^T. */
static inline void dense_factor(double *l, int n)
{
    for (int i = 0; i < n; i++) {
        double *row = l + (size_t)i * n;
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < j && row[j] != 0; k++) row[j] -= row[k] * l[(size_t)j * n + k] / l[(size_t)k * n + k];
    }
}

/* Or into its approximation by sweeps, with the other rows from the previous sweep. */
static inline void dense_factor_sweeps(double *l, int n, int sweeps)
{
    double *a, *old;
    NEW(a, (size_t)n * n), NEW(old, (size_t)n * n);
    memcpy(a, l, (size_t)n * n * sizeof *a);
    for (int s = 0; s < sweeps; s++) {
        memcpy(old, l, (size_t)n * n * sizeof *l);
        for (int i = 0; i < n; i++)
            for (int j = 0; j <= i; j++) {
                double v = a[(size_t)i * n + j];
                for (int k = 0; k < j && v != 0; k++)
                    v -= l[(size_t)i * n + k] * (i == j ? l : old)[(size_t)j * n + k] / old[(size_t)k * n + k];
                l[(size_t)i * n + j] = v;
            }
    }
    free(a), free(old);
}

static inline void dense_sweeps(const double *l, int n, int sweeps, const int32_t *order, const double *r, double *z)
{
    double *x, *y;
    NEW(x, n), NEW(y, n);
    for (int i = 0; i < n; i++) y[i] = r[order[i]] / l[(size_t)i * n + i];
    for (int s = 0; s < sweeps; s++) {
        memcpy(x, y, (size_t)n * 8);
        for (int i = 0; i < n; i++) {
            double sum = r[order[i]];
            for (int j = 0; j < i; j++) sum -= l[(size_t)i * n + j] * x[j];
            y[i] = sum / l[(size_t)i * n + i];
        }
    }
    for (int i = 0; i < n; i++) z[order[i]] = y[i];
    for (int s = 0; s < sweeps; s++) {
        for (int i = 0; i < n; i++) x[i] = z[order[i]];
        for (int i = 0; i < n; i++) {
            double sum = 0;
            for (int j = i + 1; j < n; j++) sum += l[(size_t)j * n + i] * x[j];
            z[order[i]] = y[i] - sum / l[(size_t)i * n + i];
        }
    }
    free(x), free(y);
}

static inline void dense_apply(const double *l, int n, const int32_t *order, const double *r, double *z)
{
    double *x;
    NEW(x, n);
    for (int i = 0; i < n; i++) {
        x[i] = r[order[i]];
        for (int j = 0; j < i; j++) x[i] -= l[(size_t)i * n + j] * x[j];
        x[i] /= l[(size_t)i * n + i];
    }
    for (int i = n - 1; i >= 0; i--) {
        double sum = 0;
        for (int j = i + 1; j < n; j++) sum += l[(size_t)j * n + i] * x[j];
        z[order[i]] = x[i] -= sum / l[(size_t)i * n + i];
    }
    free(x);
}

/* z = D^-1 P^T D P D^-1 r, P = T^-1 column by column on the pattern of T^power, T = D^-1 L. */
static inline void isai_apply(const double *l, int n, int power, const int32_t *order, const double *r, double *z)
{
    double *t, *p, *x, *y;
    bool *is, *was;
    NEW(t, (size_t)n * n), NEW(p, (size_t)n * n), NEW(is, n), NEW(was, n), NEW(x, n), NEW(y, n);
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) t[(size_t)i * n + j] = l[(size_t)i * n + j] / l[(size_t)i * n + i];
    for (int j = 0; j < n; j++) {
        for (int i = 0; i < n; i++) is[i] = i == j;
        for (int k = 0; k < power; k++) {
            memcpy(was, is, (size_t)n * sizeof *is);
            for (int m = j; m < n; m++)
                for (int i = m; was[m] && i < n; i++) is[i] |= t[(size_t)i * n + m] != 0;
        }
        for (int i = j; i < n; i++)
            if (is[i]) {
                double sum = i == j;
                for (int m = j; m < i; m++) sum -= t[(size_t)i * n + m] * p[(size_t)m * n + j];
                p[(size_t)i * n + j] = sum;
            }
    }
    for (int i = 0; i < n; i++) x[i] = r[order[i]] / l[(size_t)i * n + i];
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++) y[i] += p[(size_t)i * n + j] * x[j];
    for (int j = 0; j < n; j++) {
        double sum = 0;
        for (int i = j; i < n; i++) sum += p[(size_t)i * n + j] * l[(size_t)i * n + i] * y[i];
        z[order[j]] = sum / l[(size_t)j * n + j];
    }
    free(t), free(p), free(is), free(was), free(x), free(y);
}

/* y = L x or L^T x, L the strict lower triangle of A, or of D^-1/2 A D^-1/2. */
static inline void triangle(const struct system *s, bool lower, bool scaled, const double *x, double *y)
{
    for (int i = 0; i < s->n; i++) {
        y[i] = 0;
        for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) {
            int j = s->column[e];
            if ((j < i) == lower) y[i] += s->value[e] / (scaled ? sqrt(s->diag[i]) * sqrt(s->diag[j]) : 1) * x[j];
        }
    }
}

/* x = (I - L + L^2 - ..) x, or with L^T, by the scaled L. */
static inline void series(const struct system *s, bool lower, int terms, double *x)
{
    double *power, *next;
    NEW(power, s->n), NEW(next, s->n);
    memcpy(power, x, (size_t)s->n * 8);
    for (int k = 0; k < terms; k++) {
        triangle(s, lower, true, power, next);
        for (int i = 0; i < s->n; i++) x[i] += power[i] = -next[i];
    }
    free(power), free(next);
}

static inline void scale(const struct system *s, double *x)
{
    for (int i = 0; i < s->n; i++) x[i] /= sqrt(s->diag[i]);
}

static inline void textbook(const struct system *s, const struct linear_setting *set, const double *r, double *z)
{
    int n = s->n;
    double *y;
    NEW(y, n);
    memcpy(z, r, (size_t)n * 8);
    if (set->preconditioner == PRECONDITIONER_NEUMANN) {
        scale(s, z), series(s, true, set->terms, z), series(s, false, set->terms, z), scale(s, z);
    } else if (set->preconditioner == PRECONDITIONER_INCOMPLETE_POISSON && set->scaling == SCALING_DIAGONAL) {
        scale(s, z), series(s, false, 1, z), series(s, true, 1, z), scale(s, z);
    } else if (set->preconditioner == PRECONDITIONER_INCOMPLETE_POISSON) {
        triangle(s, false, false, r, y);
        for (int i = 0; i < n; i++) z[i] -= y[i] / s->diag[i], y[i] = z[i];
        for (int i = 0; i < n; i++) y[i] /= s->diag[i];
        double *ly;
        NEW(ly, n);
        triangle(s, true, false, y, ly);
        for (int i = 0; i < n; i++) z[i] -= ly[i];
        free(ly);
    } else {
        int block = set->preconditioner == PRECONDITIONER_IC0 ? n : set->block_rows;
        struct lower_rows rows;
        lower_rows_create(&rows, &s->a, block, set->factor_ordering);
        double *l = dense_lower(s, block, rows.order);
        bool few = set->triangular == TRIANGULAR_FIXED_POINT && set->factor_sweeps < 10;
        if (few) dense_factor_sweeps(l, n, set->factor_sweeps);
        else dense_factor(l, n);
        if (set->triangular == TRIANGULAR_ISAI) isai_apply(l, n, set->isai_power, rows.order, r, z);
        else if (few) dense_sweeps(l, n, set->triangular_sweeps, rows.order, r, z);
        else dense_apply(l, n, rows.order, r, z);
        lower_rows_free(&rows);
        free(l);
    }
    free(y);
}
#endif
