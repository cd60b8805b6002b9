/* deflation_fixture.h: for tests of deflation: matrices, and the projection P = I - A Z E^-1 Z^T by elimination. */
#ifndef POISE_DEFLATION_FIXTURE_H
#define POISE_DEFLATION_FIXTURE_H
#include "linear_system.h"
#include "solve/subdomains.h"

/* ---------------------------------------------------------------- matrices */
static inline bool linked(int i, int j)         /* a chain with chords, row 5 isolated */
{
    int d = abs(i - j);
    return i != 5 && j != 5 && (d == 1 || d == 7 || (i % 10 == 0 && j % 10 == 0 && d == 90));
}
static inline double spd(int n, int i, int j)
{
    (void)n;
    if (i == j) return 8.2 + number(i);
    return linked(i, j) ? -1 + 0.5 * number((int64_t)(i + j) * abs(i - j)) : 0;
}
static inline double diagonal(int n, int i, int j) { (void)n; return i == j ? 2 + i : 0; }
static inline double neumann(int n, int i, int j) { return grid(n, i, j, 0); }

/* Bubbles of 4 x 4 rows, two rows apart, on a square. */
static inline int32_t bubble(int n, int i)
{
    int m = side(n), x = i % m % 6, y = i / m % 6;
    return x > 0 && x < 5 && y > 0 && y < 5;
}
static double contrast = 1000;                  /* of the bubbles */
static inline double coefficient(int n, int i) { return bubble(n, i) ? 1 : 1 / contrast; }
static inline double link_of(int n, int i, int j)
{
    int m = side(n);
    if (j < 0 || j >= n || !(abs(i - j) == m || (abs(i - j) == 1 && i / m == j / m))) return 0;
    double a = coefficient(n, i), b = coefficient(n, j);
    return 2 * a * b / (a + b);
}
/* Two-phase Laplacian with fixed values along the line y = 0. */
static inline double jump(int n, int i, int j)
{
    int m = side(n);
    if (i != j) return -link_of(n, i, j);
    double own = i / m == 0 ? 2 * coefficient(n, i) : 0;
    return own + link_of(n, i, i - 1) + link_of(n, i, i + 1) + link_of(n, i, i - m) + link_of(n, i, i + m);
}

/* ---------------------------------------------------------------- the projection, dense */
/* E y = Z^T v by elimination, without vector 0 if singular. */
static inline double *dense_coarse(const struct system *s, const int32_t *domain, int k, bool singular, const double *v)
{
    struct system e = {.n = k - singular};
    double *full, *w, *y;
    NEW(full, k * k), NEW(w, k), NEW(y, k);
    for (int i = 0; i < s->n; i++) {
        w[domain[i]] += v[i];
        full[domain[i] * k + domain[i]] += s->diag[i];
        for (int64_t m = s->start[i]; m < s->start[i + 1]; m++)
            full[domain[i] * k + domain[s->column[m]]] += s->value[m];
    }
    NEW(e.start, k + 1), NEW(e.column, k * k), NEW(e.value, k * k), NEW(e.diag, k);
    for (int i = singular; i < k; i++) {
        int row = i - singular;
        e.diag[row] = full[i * k + i];
        e.start[row + 1] = e.start[row];
        for (int j = singular; j < k; j++)
            if (j != i) e.value[e.start[row + 1]] = full[i * k + j], e.column[e.start[row + 1]++] = j - singular;
    }
    dense_solve(&e, w + singular, y + singular);
    free(e.start), free(e.column), free(e.value), free(e.diag), free(full), free(w);
    return y;
}

static inline double *dense_project(const struct system *s, const int32_t *domain, int k, bool singular,
                                    const double *v)
{
    double *y = dense_coarse(s, domain, k, singular, v), *zy, *azy;
    NEW(zy, s->n), NEW(azy, s->n);
    for (int i = 0; i < s->n; i++) zy[i] = y[domain[i]];
    product(s, zy, azy);
    for (int i = 0; i < s->n; i++) azy[i] = v[i] - azy[i];
    free(y), free(zy);
    return azy;
}

static inline double *download(const double *on_device, int64_t n)
{
    double *v;
    NEW(v, n);
    device_download(v, on_device, (size_t)n * 8);
    return v;
}

static inline struct linear_setting setting(enum deflation_kind kind, int vectors, enum deflation_solver solver)
{
    return (struct linear_setting){.deflation = kind, .deflation_vectors = vectors, .deflation_solver = solver,
                                   .preconditioner = PRECONDITIONER_JACOBI, .inner_sweeps = 3, .tolerance = 1e-12,
                                   .max_iterations = 3000};
}

#endif
