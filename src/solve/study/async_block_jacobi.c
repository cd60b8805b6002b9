/* Preconditioner async-block-jacobi (Wikberg 2024, section 4.3): block-Jacobi whose slices all read and write the same
 * z, so that a slice reads whatever its neighbours have written so far.  The order of slices depends on the device's
 * scheduling: this is the only method here whose bits are not reproducible, and because M is not a fixed matrix,
 * conjugate gradients cannot use it. */
#include "gpu/vector.h"
#include "solve/block_jacobi.h"

static void apply(struct preconditioner *base, const double *r, const double *norm2, double *z)
{
    struct block_jacobi_args args = block_jacobi_args(base, r, z);
    (void)norm2;
    fill(&(struct fill_args){z, 0}, base->a.p.n_padded);
    halo_update(base->a.p.halo, z, 1);
    block_jacobi_update(&args, base->a.p.n_slices);
}

struct preconditioner *async_block_jacobi_create(const struct matrix *a, const struct linear_setting *s,
                                                 struct error *e)
{
    struct preconditioner *p = block_jacobi_create(a, s, e);
    p->apply = apply, p->form = FORM_APART;
    return p;
}
