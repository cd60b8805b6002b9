/* Preconditioners block-jacobi and async-block-jacobi (Wikberg 2024, section 4.3): the local system of every slice,
 * solved inexactly by a few sweeps from zero.
 *
 * In the asynchronous one all slices read and write the same z, so that a slice takes from its neighbours whatever
 * they have written by then.  Which slices come first depends on the machine's scheduling: it is the only method
 * here that does not give the same bits twice, and since it is no fixed matrix M, conjugate gradients cannot take
 * it. */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/vector.h"
#include "solve/block_jacobi.h"
#include "solve/preconditioner.h"

struct block_jacobi {
    struct preconditioner base;
    enum inner_method inner;
    int inner_sweeps;
};

static const char *refresh(struct preconditioner *base) { (void)base; return NULL; }

static void apply(struct preconditioner *base, const double *r, const double *norm2, double *z)
{
    const struct block_jacobi *p = (struct block_jacobi *)base;
    struct block_jacobi_args args = {base->a, r, z, p->inner, p->inner_sweeps};
    (void)norm2;
    block_jacobi_apply(&args, base->a.p.n_slices);
}

static void apply_asynchronously(struct preconditioner *base, const double *r, const double *norm2, double *z)
{
    const struct block_jacobi *p = (struct block_jacobi *)base;
    struct fill_args zero = {z, 0};
    struct block_jacobi_args args = {base->a, r, z, p->inner, p->inner_sweeps};
    (void)norm2;
    fill(&zero, base->a.p.n_padded);
    halo_update(base->a.p.halo, z, 1);
    block_jacobi_update(&args, base->a.p.n_slices);
}

static void free_preconditioner(struct preconditioner *base) { free(base); }

static struct preconditioner *create(const struct matrix *a, const struct linear_setting *s, struct preconditioner base)
{
    struct block_jacobi *p;
    NEW(p, 1);
    *p = (struct block_jacobi){base, s->inner, s->inner_sweeps};
    p->base.refresh = refresh, p->base.free = free_preconditioner, p->base.variable = true;
    p->base.bytes = matrix_bytes(a);
    return &p->base;
}

struct preconditioner *block_jacobi_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                           struct error *e)
{
    (void)singular, (void)e;
    return create(a, s, (struct preconditioner){.apply = apply, .form = FORM_BLOCK});
}

struct preconditioner *async_block_jacobi_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                                 struct error *e)
{
    (void)singular, (void)e;
    struct preconditioner *p = create(a, s, (struct preconditioner){.apply = apply_asynchronously});
    p->bytes = matrix_bytes(a) + 2 * 8 * a->p.n_padded;
    return p;
}
