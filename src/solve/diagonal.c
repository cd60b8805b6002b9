/* Preconditioners none and jacobi: M divides by the diagonal; Jacobi for block matrices multiplies by the inverses of
 * the diagonal blocks. */
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/preconditioner.h"

struct diagonal {
    struct preconditioner base;
    bool jacobi;
    double *inverse, *bad;      /* of the diagonal's blocks [n_padded block^2], scratch [n_padded]; NULL: block = 1 */
    char why[120];
};

static const char *refresh(struct preconditioner *p)
{
    struct diagonal *d = (struct diagonal *)p;
    p->weight = d->jacobi ? p->a.diag : NULL;
    int32_t row = d->inverse ? matrix_invert_diagonal(&p->a, d->inverse, d->bad) : -1;
    if (row < 0) return NULL;
    snprintf(d->why, sizeof d->why, "row %lld of %lld (from 1, as the solver orders them) has a singular block on the "
             "diagonal", (long long)(p->a.p.first + row + 1), (long long)p->a.p.n_global);
    return d->why;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    const struct diagonal *d = (const struct diagonal *)p;
    struct divide_args args = {r, p->weight, z};
    (void)norm2;
    if (d->inverse) matrix_scale(&p->a, d->inverse, r, z);
    else if (p->weight) divide(&args, p->a.p.n_padded);
    else device_copy(z, r, (size_t)(p->a.block * p->a.p.pitch) * sizeof *z);
}

static void release(struct preconditioner *p)
{
    struct diagonal *d = (struct diagonal *)p;
    device_free(d->inverse), device_free(d->bad);
    free(d);
}

struct preconditioner *diagonal_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    struct diagonal *d;
    int64_t square = a->block * a->block;
    (void)e;
    NEW(d, 1);
    d->jacobi = s->preconditioner == PRECONDITIONER_JACOBI;
    if (d->jacobi && a->block > 1)
        d->inverse = device_alloc((size_t)(square * a->p.n_padded) * sizeof *d->inverse, "Jacobi preconditioner"),
        d->bad = device_alloc((size_t)a->p.n_padded * sizeof *d->bad, "Jacobi preconditioner");
    d->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = release, .form = FORM_DIAGONAL};
    return &d->base;
}
