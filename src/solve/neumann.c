/* Preconditioner neumann (Gupta et al. 2011, section 3.3): M = K^T K, K = I - L + L^2 - .. the Neumann series of (I +
 * L)^-1 cut after some terms, L the strict lower triangle of A scaled to a diagonal of ones.  Without a square root:
 * with the triangles and the diagonal D of A itself,
 *     q = D^-1 r,  y = q - D^-1 L y (so many times from y = q),  z = y - D^-1 L^T z (likewise from z = y),
 * two passes over the matrix a term and one over D. */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/preconditioner.h"
#include "solve/triangle_pass.h"

struct neumann {
    struct preconditioner base;
    int terms;                  /* 0: Jacobi */
    double *x[3];               /* [pitch] */
};

static const char *refresh(struct preconditioner *p)
{
    (void)p;
    return NULL;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    struct neumann *m = (struct neumann *)p;
    struct triangle_args args = {m->base.a, NULL, r, m->terms ? m->x[0] : z};
    (void)norm2;
    triangle_scale(&args, m->base.a.p.n_padded);
    args.base = args.in = args.out;
    for (int k = 0; k < m->terms; k++, args.in = args.out) {
        args.out = m->x[1 + k % 2];
        halo_update(m->base.a.p.halo, args.in, 1);
        triangle_lower(&args, m->base.a.p.n_slices);
    }
    double *free_one[2] = {m->x[0], args.in == m->x[1] ? m->x[2] : m->x[1]};
    args.base = args.in;
    for (int k = 0; k < m->terms; k++, args.in = args.out) {
        args.out = k == m->terms - 1 ? z : free_one[k % 2];
        halo_update(m->base.a.p.halo, args.in, 1);
        triangle_upper(&args, m->base.a.p.n_slices);
    }
}

static void release(struct preconditioner *p)
{
    struct neumann *m = (struct neumann *)p;
    for (int i = 0; i < 3; i++) device_free(m->x[i]);
    free(m);
}

struct preconditioner *neumann_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                      struct error *e)
{
    struct neumann *m;
    (void)singular, (void)e;
    NEW(m, 1);
    m->terms = s->terms;
    /* Every pass reads matrix and in, writes out; from the second on there is base beside in. */
    int64_t x = 8 * a->p.n_padded, passes = 2 * (int64_t)m->terms;
    m->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = release,
                                      .bytes = 3 * x + passes * matrix_bytes(a) + (passes > 2 ? passes - 2 : 0) * x};
    for (int i = 0; i < 3; i++) m->x[i] = pattern_alloc(&a->p, 1, sizeof(double), "Neumann preconditioner");
    return &m->base;
}
