/* Preconditioners none, jacobi and ruiz: M is division by a diagonal; of a matrix of blocks Jacobi's is that of the
 * blocks. */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/diagonal_kernels.h"
#include "solve/preconditioner.h"
#include "solve/ruiz.h"

struct diagonal {
    struct preconditioner base;
    bool jacobi;
    double *own, *scratch;      /* [pitch] Ruiz's diagonal, else NULL */
};

static const char *refresh(struct preconditioner *p)
{
    struct diagonal *d = (struct diagonal *)p;
    if (d->own) ruiz_weight(&p->a, d->own, d->scratch);
    p->weight = d->own ? d->own : d->jacobi ? p->a.diag : NULL;
    return NULL;
}

static void apply(struct preconditioner *p, const double *r, const double *norm2, double *z)
{
    struct diagonal_args args = {r, p->weight, z};
    (void)norm2;
    if (p->a.block > 1 && p->weight) matrix_divide(&p->a, r, z);
    else if (p->weight) diagonal_divide(&args, p->a.p.n_padded);
    else device_copy(z, r, (size_t)(p->a.block * p->a.p.pitch) * sizeof *z);
}

static void release(struct preconditioner *p)
{
    struct diagonal *d = (struct diagonal *)p;
    device_free(d->own), device_free(d->scratch);
    free(d);
}

struct preconditioner *diagonal_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                       struct error *e)
{
    struct diagonal *d;
    int64_t x = 8 * a->block * a->p.n_padded;
    (void)singular, (void)e;
    NEW(d, 1);
    d->jacobi = s->preconditioner == PRECONDITIONER_JACOBI;
    if (s->preconditioner == PRECONDITIONER_RUIZ)
        d->own = pattern_alloc(&a->p, 1, sizeof *d->own, "Ruiz preconditioner"),
        d->scratch = pattern_alloc(&a->p, 1, sizeof *d->scratch, "Ruiz preconditioner");
    d->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = release, .form = FORM_DIAGONAL,
                                      .bytes = (s->preconditioner == PRECONDITIONER_NONE ? 2 : 3) * x};
    return &d->base;
}
