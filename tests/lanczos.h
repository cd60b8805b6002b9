/* lanczos.h: for tests: the condition number of M A by Lanczos, exactly, for small matrices. */
#ifndef LANCZOS_H
#define LANCZOS_H
#include "gpu/sums.h"
#include "solve/condition.h"
#include "solve/preconditioner.h"

struct extremes {
    double least, most;         /* eigenvalues of M A */
    int steps;
    bool converged;
};

/* The next pivot of T - x, kept away from zero, because the one after it is divided by it. */
static double pivot(double diagonal, double off_diagonal, double before, double x)
{
    double d = diagonal - x - off_diagonal * (off_diagonal / before);
    return fabs(d) < DBL_MIN ? -DBL_MIN : d;
}

/* Last component of the normalised eigenvector, from where the pivots from both ends fit best (Parlett & Dhillon
 * 1997). */
static double last_component(const double *diagonal, const double *off_diagonal, int n, double x)
{
    double *down, *up, best = INFINITY, sum = 1, component = 1;
    int twist = 0;
    NEW(down, n), NEW(up, n);
    for (int i = 0; i < n; i++) down[i] = pivot(diagonal[i], i ? off_diagonal[i - 1] : 0, i ? down[i - 1] : 1, x);
    for (int i = n - 1; i >= 0; i--) {
        up[i] = pivot(diagonal[i], i < n - 1 ? off_diagonal[i] : 0, i < n - 1 ? up[i + 1] : 1, x);
        double fit = fabs(down[i] + up[i] - (diagonal[i] - x));
        if (fit < best) best = fit, twist = i;
    }
    for (int i = twist - 1; i >= 0; i--) sum += pow(component *= off_diagonal[i] / down[i], 2);
    component = 1;
    for (int i = twist + 1; i < n; i++) sum += pow(component *= off_diagonal[i - 1] / up[i], 2);
    free(down), free(up);
    return fabs(component) / sqrt(sum);
}

struct lanczos {
    const struct matrix *a;
    struct preconditioner *p;
    bool singular;
    double **r, **z;            /* the basis, a vector for each step, on the host: r_i.z_j = (i == j), z = M r */
    double *diagonal, *off_diagonal;
    double *in, *out;           /* [pitch] on the machine */
};

static double dot(const double *x, const double *y, int32_t n)
{
    double sum[8] = {0};
    int32_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (int k = 0; k < 8; k++) sum[k] += x[i + k] * y[i + k];
    for (; i < n; i++) sum[0] += x[i] * y[i];
    double all = (sum[0] + sum[1]) + (sum[2] + sum[3]) + ((sum[4] + sum[5]) + (sum[6] + sum[7]));
    sums_over_ranks(&all, 1);
    return all;
}

static void remove_mean(double *x, int32_t n, int64_t n_global)
{
    double sum = 0;
    for (int32_t i = 0; i < n; i++) sum += x[i];
    sums_over_ranks(&sum, 1);
    for (int32_t i = 0; i < n; i++) x[i] -= sum / (double)n_global;
}

/* y = A x, or M x. */
static void times(const struct lanczos *l, bool precondition, const double *x, double *y)
{
    size_t bytes = (size_t)l->a->p.n * sizeof *x;
    device_upload(l->in, x, bytes);
    if (!precondition) matrix_product(l->a, l->in, l->out);
    else if (l->p) l->p->apply(l->p, l->in, NULL, l->out);
    else device_copy(l->out, l->in, bytes);
    device_download(y, l->out, bytes);
}

/* Makes r orthogonal to the basis and takes it in as vector k.  Returns its length before that; 0: nothing is left
 * of it, the basis spans the Krylov space. */
static double add_vector(struct lanczos *l, int k, double *r, double size)
{
    int32_t n = l->a->p.n;
    double *z;
    NEW(z, n);
    for (int twice = 0; twice < 2; twice++) {
        for (int i = 0; i < k; i++) {
            double s = dot(l->z[i], r, n);
            for (int32_t j = 0; j < n; j++) r[j] -= s * l->r[i][j];
        }
        if (l->singular) remove_mean(r, n, l->a->p.n_global);
    }
    times(l, true, r, z);
    double length = sqrt(fmax(dot(r, z, n), 0));
    for (int32_t j = 0; j < n && length > 0; j++) r[j] /= length, z[j] /= length;
    l->r[k] = r;
    l->z[k] = z;
    return length > 1e-12 * size ? length : 0;
}

/* Computes the two extreme Ritz values and decides whether both are good enough: an eigenvalue is no farther from a
 * Ritz value than the length of the next vector times the last component of the Ritz vector. */
static void look(const struct lanczos *l, int n, double length, double tolerance, struct extremes *c)
{
    c->steps = n;
    c->least = tridiagonal_eigenvalue(l->diagonal, l->off_diagonal, n, 0);
    c->most = tridiagonal_eigenvalue(l->diagonal, l->off_diagonal, n, n - 1);
    c->converged = length * last_component(l->diagonal, l->off_diagonal, n, c->least) <= tolerance * c->least
                   && length * last_component(l->diagonal, l->off_diagonal, n, c->most) <= tolerance * c->most;
}

/* By Lanczos on A M with every vector made orthogonal to all before (in the scalar product u.M v), from a fixed
 * start, until the residuals of both extreme Ritz pairs are below tolerance times their values, or the Krylov space
 * is full, or after max_steps.  It stores all vectors, twice, and takes O(n steps^2) operations on the host.  p: NULL
 * for A alone; refreshed.  singular: constants are the null space; the eigenvalues are then those of the rest. */
static struct extremes condition_by_lanczos(const struct matrix *a, struct preconditioner *p, bool singular,
                                            double tolerance, int max_steps)
{
    struct extremes c = {0};
    struct lanczos l = {.a = a, .p = p, .singular = singular};
    int32_t n = a->p.n;
    int64_t full = a->p.n_global - singular;
    int last = full < max_steps ? (int)full : max_steps;
    NEW(l.r, last + 1), NEW(l.z, last + 1), NEW(l.diagonal, last + 1), NEW(l.off_diagonal, last + 1);
    l.in = pattern_alloc(&a->p, 1, sizeof(double), "Lanczos");
    l.out = pattern_alloc(&a->p, 1, sizeof(double), "Lanczos");
    double *r, length;
    NEW(r, n);
    for (int32_t i = 0; i < n; i++) r[i] = (double)((uint64_t)(i + 1) * 2654435761u % 1000003u) / 1000003.0 - 0.5;
    if (singular) remove_mean(r, n, a->p.n_global);
    length = add_vector(&l, 0, r, 0);
    for (int k = 0; k < last && !c.converged; k++) {
        NEW(r, n);
        times(&l, false, l.z[k], r);
        l.diagonal[k] = dot(l.z[k], r, n);
        for (int32_t j = 0; j < n; j++)
            r[j] -= l.diagonal[k] * l.r[k][j] + (k ? l.off_diagonal[k - 1] * l.r[k - 1][j] : 0);
        length = l.off_diagonal[k] = add_vector(&l, k + 1, r, l.diagonal[0]);
        bool end = k + 1 == full || length == 0;
        if (end || k % 16 == 15 || k + 1 == last) look(&l, k + 1, end ? 0 : length, tolerance, &c);
    }
    for (int i = 0; i <= last; i++) free(l.r[i]), free(l.z[i]);
    free(l.r), free(l.z), free(l.diagonal), free(l.off_diagonal);
    device_free(l.in), device_free(l.out);
    return c;
}
#endif
