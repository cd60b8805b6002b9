/* smoother_fixture.h: for tests of the smoothers: matrices, z = M r by a method, the published formulas. */
#ifndef POISE_SMOOTHER_FIXTURE_H
#define POISE_SMOOTHER_FIXTURE_H
#include "linear_system.h"
#include "solve/preconditioner.h"

static inline bool linked(int i, int j)         /* a chain with chords, row 5 isolated */
{
    int d = abs(i - j);
    return i != 5 && j != 5 && (d == 1 || d == 7 || (i % 10 == 0 && j % 10 == 0 && d == 90));
}
static inline double spd(int n, int i, int j)   /* badly scaled; columns on both sides of a slice boundary */
{
    (void)n;
    double scale = exp(0.5 * (number(i) + number(j)));
    if (i == j) return 8.2 * scale;
    return linked(i, j) ? (-1 + 0.5 * number((int64_t)(i + j) * abs(i - j))) * scale : 0;
}
static inline double lopsided(int n, int i, int j)      /* neither the matrix nor its pattern is symmetric */
{
    return i <= j || (i + j) % 3 ? spd(n, i, j) * (i < j ? 1.5 : 1) : 0;
}
static inline double diagonal(int n, int i, int j) { (void)n; return i == j ? 2 + i : 0; }
static inline double poisson(int n, int i, int j) { return grid(n, i, j, 2); }

static inline double laplace(int n, int i, int j) { return i == j ? 4 : grid(n, i, j, 0); }

static inline struct linear_setting setting(const char *text)
{
    static const char *const standard[] = {"method=stationary"};
    struct linear_setting s;
    struct error e;
    if (!linear_setting_read(&s, text, "none", standard, 1, &e)) fail_msg("%s", e.text);
    return s;
}

static inline double inner_product(const double *x, const double *y, int n)
{
    double s = 0;
    for (int i = 0; i < n; i++) s += x[i] * y[i];
    return s;
}

/* z = M r [n]; the padding must stay zero. */
static inline double *precondition(const struct system *s, const char *method, const double *r)
{
    struct linear_setting set = setting(method);
    struct error e;
    int64_t n = s->a.p.n_padded;
    double norm2 = inner_product(r, r, s->n), *dr = to_device(NULL, n), *dz = to_device(NULL, n);
    double *dn = to_device(&norm2, 1), *z;
    struct preconditioner *p = preconditioner_create(&s->a, &set, false, &e);
    assert_non_null(p);
    assert_null(preconditioner_refresh(p, &s->a));
    device_upload(dr, r, (size_t)s->n * 8);
    p->apply(p, dr, dn, dz);
    NEW(z, n);
    device_download(z, dz, (size_t)n * 8);
    for (int64_t i = s->n; i < n; i++) assert_true(z[i] == 0);
    p->free(p);
    device_free(dr), device_free(dz), device_free(dn);
    return z;
}

/* ---------------------------------------------------------------- formulas */
enum triangle { LOWER = -1, BOTH = 0, UPPER = 1 };
/* y = the part's off-diagonals times x. */
static inline void multiply(const struct system *s, enum triangle part, const double *x, double *y)
{
    for (int i = 0; i < s->n; i++) {
        y[i] = 0;
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) {
            int j = s->column[k];
            if (part == BOTH || (part == LOWER ? j < i : j > i)) y[i] += s->value[k] * x[j];
        }
    }
}

/* n Jacobi-Richardson sweeps for (D + omega P) g = r, the last one damped by `last`. */
static inline void inner_sweeps(const struct system *s, enum triangle part, const double *r, int n, double omega,
                                double gamma, double last, double *g)
{
    double *y;
    NEW(y, s->n);
    for (int i = 0; i < s->n; i++) g[i] = r[i] / s->diag[i];
    for (int j = 1; j <= n; j++) {
        double damping = j == n ? last : gamma;
        multiply(s, part, g, y);
        for (int i = 0; i < s->n; i++) g[i] = (1 - damping) * g[i] + damping * (r[i] - omega * y[i]) / s->diag[i];
    }
    free(y);
}

/* One sweep of two-stage Gauss-Seidel on x.  more: the last one of a compact symmetric method. */
static inline void two_stage_sweep(const struct system *s, const struct linear_setting *set, enum triangle part,
                                   bool more, const double *b, double *x)
{
    double omega = set->damping, gamma = set->inner_damping, *r, *g;
    bool compact = set->form == FORM_COMPACT;
    NEW(r, s->n), NEW(g, s->n);
    multiply(s, !compact ? BOTH : part == LOWER ? UPPER : LOWER, x, r);
    for (int i = 0; i < s->n; i++) r[i] = b[i] - r[i] - (compact ? 1 - 1 / omega : 1) * s->diag[i] * x[i];
    inner_sweeps(s, part, r, set->richardson_sweeps + more, omega, gamma, more ? 1 / (2 - omega) : gamma, g);
    for (int i = 0; i < s->n; i++) x[i] = (compact ? 0 : x[i]) + omega * g[i];
    free(r), free(g);
}

enum { BACKWARD = 2 };                          /* in addition to enum direction: a smoother after the coarse levels */
static inline void two_stage_formula(const struct system *s, const struct linear_setting *set, const double *b,
                                     double *x)
{
    bool symmetric = set->direction == DIRECTION_SYMMETRIC;
    int n = set->sweeps * set->local_sweeps * (symmetric ? 2 : 1);
    for (int i = 0; i < n; i++)
        two_stage_sweep(s, set, (symmetric && i % 2) || (int)set->direction == BACKWARD ? UPPER : LOWER,
                        symmetric && set->form == FORM_COMPACT && i == n - 1, b, x);
}

static inline void richardson_formula(const struct system *s, const struct linear_setting *set, const double *b,
                                     double *x)
{
    double *y;
    NEW(y, s->n);
    for (int k = 0; k < set->sweeps * set->local_sweeps; k++) {
        product(s, x, y);
        for (int i = 0; i < s->n; i++) x[i] += set->damping * (b[i] - y[i]) / s->diag[i];
    }
    free(y);
}

/* Gauss-Seidel, row after row in the given order (NULL: the natural one) and, if symmetric, back. */
static inline void gauss_seidel_formula(const struct system *s, const struct linear_setting *set, const int *order,
                                        const double *b, double *x)
{
    bool symmetric = set->direction == DIRECTION_SYMMETRIC;
    for (int k = 0; k < set->sweeps * (symmetric ? 2 : 1); k++)
        for (int at = 0; at < s->n; at++) {
            int place = symmetric && k % 2 ? s->n - 1 - at : at, i = order ? order[place] : place;
            double sum = b[i];
            for (int64_t e = s->start[i]; e < s->start[i + 1]; e++) sum -= s->value[e] * x[s->column[e]];
            x[i] = (1 - set->damping) * x[i] + set->damping * sum / s->diag[i];
        }
}

/* Gershgorin's bound on the eigenvalues of D^-1 A. */
static inline double bound(const struct system *s)
{
    double largest = 0;
    for (int i = 0; i < s->n; i++) {
        double sum = 1;
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) sum += fabs(s->value[k]) / s->diag[i];
        if (sum > largest) largest = sum;
    }
    return largest;
}

/* Saad 2003, algorithm 12.1, for D^-1 A. */
static inline void chebyshev_formula(const struct system *s, const struct linear_setting *set, double largest,
                                     const double *b, double *x)
{
    double *y, *d;
    NEW(y, s->n), NEW(d, s->n);
    double theta = 0.5 * (largest + largest / set->ratio), delta = 0.5 * (largest - largest / set->ratio);
    double sigma = theta / delta, rho = 1 / sigma;
    for (int k = 0; k < set->degree; k++) {
        double next = 1 / (2 * sigma - rho);
        product(s, x, y);
        for (int i = 0; i < s->n; i++)
            d[i] = k == 0 ? (b[i] - y[i]) / s->diag[i] / theta
                          : next * rho * d[i] + 2 * next / delta * (b[i] - y[i]) / s->diag[i];
        for (int i = 0; i < s->n; i++) x[i] += d[i];
        if (k > 0) rho = next;
    }
    free(y), free(d);
}
/* Is there an entry in row i, column j? */
static inline bool has_entry(const struct system *s, int i, int j)
{
    for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) if (s->column[k] == j) return true;
    return false;
}
/* Colours rows greedily; rows are neighbours if either has an entry in the other's column. */
static inline int *by_colours(const struct system *s)
{
    int *colour, *order, n = 0;
    NEW(colour, s->n), NEW(order, s->n);
    for (int i = 0; i < s->n; i++)
        for (bool taken = true; taken; colour[i] += taken) {
            taken = false;
            for (int j = 0; j < i && !taken; j++)
                taken = colour[j] == colour[i] && (has_entry(s, i, j) || has_entry(s, j, i));
        }
    for (int c = 0; n < s->n; c++)
        for (int i = 0; i < s->n; i++) if (colour[i] == c) order[n++] = i;
    free(colour);
    return order;
}

/* x by the formula.  whole: the matrix for Chebyshev's bound. */
static inline void formula_on(const struct system *s, const struct system *whole, const struct linear_setting *set,
                              const double *b, double *x)
{
    int *order = NULL;
    switch (set->preconditioner) {
    case PRECONDITIONER_JACOBI_RICHARDSON: richardson_formula(s, set, b, x); break;
    case PRECONDITIONER_TWO_STAGE_GS: two_stage_formula(s, set, b, x); break;
    case PRECONDITIONER_CHEBYSHEV: chebyshev_formula(s, set, bound(whole), b, x); break;
    case PRECONDITIONER_MULTICOLOUR_GS: order = by_colours(s);          /* falls through */
    default: gauss_seidel_formula(s, set, order, b, x);
    }
    free(order);
}

/* Outer sweeps x += M (b - A x), M for the slices' own entries. */
static inline void formula_in_slices(const struct system *s, const struct linear_setting *set, const double *b,
                                     double *x)
{
    struct system own = *s;
    struct linear_setting one = *set;
    double *r, *z;
    int64_t n = 0;
    one.sweeps = 1;
    NEW(own.start, s->n + 1), NEW(own.column, s->start[s->n]), NEW(own.value, s->start[s->n]), NEW(r, s->n);
    for (int i = 0; i < s->n; i++) {
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            if (s->column[k] / SLICE == i / SLICE) own.column[n] = s->column[k], own.value[n++] = s->value[k];
        own.start[i + 1] = n;
    }
    for (int t = 0; t < (set->preconditioner == PRECONDITIONER_CHEBYSHEV ? 1 : set->sweeps); t++) {
        product(s, x, r);
        for (int i = 0; i < s->n; i++) r[i] = b[i] - r[i];
        NEW(z, s->n);
        formula_on(&own, s, &one, r, z);
        for (int i = 0; i < s->n; i++) x[i] += z[i];
        free(z);
    }
    free(r), free(own.start), free(own.column), free(own.value);
}

static inline void formula_from(const struct system *s, const struct linear_setting *set, const double *b, double *x)
{
    if (set->domain == DOMAIN_SLICE) formula_in_slices(s, set, b, x);
    else formula_on(s, s, set, b, x);
}

/* M b by the formula. */
static inline double *formula(const struct system *s, const struct linear_setting *set, const double *b)
{
    double *x;
    NEW(x, s->n);
    formula_from(s, set, b, x);
    return x;
}
#endif
