/* Preconditioner block-jacobi (Wikberg 2024, section 4.3): the local system of every slice, solved inexactly by a few
 * sweeps from zero. */
#include "solve/block_jacobi.h"
#include <stdlib.h>
#include "base/memory.h"

struct block_jacobi {
    struct preconditioner base;
    enum inner_method inner;
    int inner_sweeps;
};

struct block_jacobi_args block_jacobi_args(const struct preconditioner *base, const double *r, double *z)
{
    const struct block_jacobi *p = (const struct block_jacobi *)base;
    return (struct block_jacobi_args){base->a, r, z, p->inner, p->inner_sweeps};
}

static void apply(struct preconditioner *base, const double *r, const double *norm2, double *z)
{
    struct block_jacobi_args args = block_jacobi_args(base, r, z);
    (void)norm2;
    block_jacobi_apply(&args, base->a.p.n_slices);
}

static void free_preconditioner(struct preconditioner *base) { free(base); }

struct preconditioner *block_jacobi_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    struct block_jacobi *p;
    (void)a, (void)e;
    NEW(p, 1);
    *p = (struct block_jacobi){{.apply = apply, .free = free_preconditioner, .variable = true,
                                .form = FORM_BLOCK}, s->inner, s->inner_sweeps};
    return &p->base;
}
