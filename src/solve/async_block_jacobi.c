/* Asynchronous block-Jacobi (Wikberg 2024, section 4.3): block-Jacobi whose slices read from and write to one and the
 * same x, so that a slice takes from its neighbours what they have written by then, be it of this sweep or of the one
 * before. One application is one such sweep, from zero, in one launch.
 *
 * Which slices are first depends on the machine's scheduling: the only method here that does not give the same bits
 * twice, and no matrix M that conjugate gradients could take (case_check.c refuses it): for the stationary iteration.
 * */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/vector.h"
#include "solve/block_jacobi.h"
#include "solve/preconditioner.h"

struct async_block_jacobi {
    struct preconditioner base;
    const struct matrix *a;
    enum inner_method inner;
    int inner_sweeps;
};

static const char *refresh(struct preconditioner *base) { (void)base; return NULL; }

static void apply(struct preconditioner *base, const double *r, const double *norm2, double *z)
{
    const struct async_block_jacobi *p = (struct async_block_jacobi *)base;
    struct fill_args zero = {z, 0};
    struct block_jacobi_args args = {*p->a, r, z, p->inner, p->inner_sweeps};
    (void)norm2;
    fill(&zero, p->a->p.n_padded);
    block_jacobi_update(&args, p->a->p.n_slices);
}

static void free_preconditioner(struct preconditioner *base) { free(base); }

struct preconditioner *async_block_jacobi_create(const struct matrix *a, const struct linear_setting *s,
                                                 bool singular, struct error *e)
{
    struct async_block_jacobi *p;
    (void)singular, (void)e;
    NEW(p, 1);
    *p = (struct async_block_jacobi){
        {.refresh = refresh, .apply = apply, .free = free_preconditioner, .variable = true,
         .bytes = matrix_bytes(a) + 2 * 8 * a->p.n_padded}, a, s->inner, s->inner_sweeps};
    return &p->base;
}
