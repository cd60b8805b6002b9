/* linear_system.h: for tests of the solvers: small matrices on host and device, elimination, differences. */
#ifndef POISE_LINEAR_SYSTEM_H
#define POISE_LINEAR_SYSTEM_H
#include "test.h"
#include <math.h>
#include <omp.h>
#include "base/digest.h"
#include "solve/solver.h"

/* A matrix on host and device: entry(n, i, j) is 0 where there is no entry. */
struct system {
    struct matrix a;
    int n;
    int64_t *start;
    int32_t *column;
    double *value, *diag;
};
typedef double entry(int n, int i, int j);

static inline double *to_device(const double *v, int64_t n)
{
    double *d = device_alloc((size_t)n * 8, "test");
    if (v) device_upload(d, v, (size_t)n * 8);
    return d;
}

static inline void system_upload(struct system *s, int64_t *place)
{
    double *val;
    NEW(val, s->a.p.n_stored);
    for (int64_t k = 0; k < s->start[s->n]; k++) val[place[k]] = s->value[k];
    device_upload(s->a.val, val, (size_t)s->a.p.n_stored * 8);
    device_upload(s->a.diag, s->diag, (size_t)s->n * 8);
    free(val);
}

/* near: the columns of a row lie within i-near .. i+near. */
static inline struct system system_of(entry *f, int n, int near)
{
    struct system s = {.n = n};
    int64_t *place, room = (int64_t)n * 48;
    NEW(s.start, n + 1), NEW(s.column, room), NEW(s.value, room), NEW(s.diag, n), NEW(place, room);
    for (int i = 0; i < n; i++) {
        s.start[i + 1] = s.start[i];
        s.diag[i] = f(n, i, i);
        for (int j = i > near ? i - near : 0; j < n && j <= i + near; j++)
            if (j != i && f(n, i, j) != 0) {
                s.value[s.start[i + 1]] = f(n, i, j);
                s.column[s.start[i + 1]++] = j;
            }
    }
    matrix_create_alone(&s.a, n, s.start, s.column, place);
    system_upload(&s, place);
    free(place);
    return s;
}

static inline void system_free(struct system *s)
{
    matrix_free_alone(&s->a);
    free(s->start), free(s->column), free(s->value), free(s->diag);
}

static inline void product(const struct system *s, const double *x, double *y)
{
    for (int i = 0; i < s->n; i++) {
        y[i] = s->diag[i] * x[i];
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) y[i] += s->value[k] * x[s->column[k]];
    }
}

/* Elimination with partial pivoting: x = A^-1 b. */
static inline void dense_solve(const struct system *s, const double *b, double *x)
{
    int n = s->n;
    double *m;
    NEW(m, (size_t)n * (n + 1));
    for (int i = 0; i < n; i++) {
        m[(size_t)i * (n + 1) + i] = s->diag[i];
        m[(size_t)i * (n + 1) + n] = b[i];
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) m[(size_t)i * (n + 1) + s->column[k]] = s->value[k];
    }
    for (int k = 0; k < n; k++) {
        int best = k;
        for (int i = k + 1; i < n; i++)
            if (fabs(m[(size_t)i * (n + 1) + k]) > fabs(m[(size_t)best * (n + 1) + k])) best = i;
        for (int j = k; best != k && j <= n; j++) {
            double swap = m[(size_t)k * (n + 1) + j];
            m[(size_t)k * (n + 1) + j] = m[(size_t)best * (n + 1) + j];
            m[(size_t)best * (n + 1) + j] = swap;
        }
        for (int i = k + 1; i < n; i++) {
            double f = m[(size_t)i * (n + 1) + k] / m[(size_t)k * (n + 1) + k];
            for (int j = k; f != 0 && j <= n; j++) m[(size_t)i * (n + 1) + j] -= f * m[(size_t)k * (n + 1) + j];
        }
    }
    for (int i = n - 1; i >= 0; i--) {
        x[i] = m[(size_t)i * (n + 1) + n];
        for (int j = i + 1; j < n; j++) x[i] -= m[(size_t)i * (n + 1) + j] * x[j];
        x[i] /= m[(size_t)i * (n + 1) + i];
    }
    free(m);
}

static inline int side(int n) { return (int)lround(sqrt(n)); }
static inline double grid(int n, int i, int j, double at_walls)        /* five points on a square, row by row */
{
    int m = side(n);
    bool apart = abs(i - j) == 1 && i / m == j / m, above = abs(i - j) == m;
    if (i != j) return apart || above ? -1 : 0;
    return (i % m > 0) + (i % m < m - 1) + (i / m > 0) + (i / m < m - 1) + at_walls * (i % m == 0 || i / m == 0);
}

static inline double distance(const double *x, const double *y, int n)         /* relative, 2-norm */
{
    double d = 0, s = 0;
    for (int i = 0; i < n; i++) d += (x[i] - y[i]) * (x[i] - y[i]), s += y[i] * y[i];
    return sqrt(d / s);
}

static inline uint64_t hash(const double *x, int n)
{
    return digest_add(DIGEST_START, x, (size_t)n * sizeof *x);
}

static inline double *numbers(int n, int64_t from)
{
    double *v;
    NEW(v, n);
    for (int i = 0; i < n; i++) v[i] = number(from + i);
    return v;
}
#endif
