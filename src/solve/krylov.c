#include "solve/krylov.h"
#include "gpu/device.h"
#include "gpu/reduce_args.h"
#include "gpu/vector.h"
#include "solve/krylov_kernels.h"

struct krylov *cg_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                         struct preconditioner *p, struct deflation *d);
struct krylov *bicgstab_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                               struct preconditioner *p, struct deflation *d);

/* The stationary iteration is conjugate gradients' kernels with steps of length 1. */
const struct krylov_kind krylov_kinds[N_LINEAR_METHODS] = {
    [METHOD_CG] = {cg_create, .deflates = true, .sweeps = true, .components = 1},
    [METHOD_STATIONARY] = {cg_create, .any_preconditioner = true, .deflates = true, .sweeps = true,
                           .components = 1},
    [METHOD_BICGSTAB] = {bicgstab_create, .nonsymmetric = true, .any_preconditioner = true,
                         .components = MOST_COMPONENTS},
};

void krylov_remove_mean(const struct krylov *k, const struct pattern *p, double *x)
{
    struct reduce_args sum = {x, NULL, k->partial, REDUCE_SUM};
    struct finish_args finish = {k->partial, k->total, p->n_slices};
    struct krylov_shift_args shift = {x, k->total, p->n};
    reduce_slices(&sum, p->n_slices);
    finish_sum(&finish, 1);
    krylov_shift(&shift, p->n);
}

double krylov_residual(const struct krylov *k, const struct matrix *a, const double *x, const double *b)
{
    struct krylov_residual_args args = {*a, x, b, k->partial};
    struct finish_args sum = {k->partial, k->total, a->p.n_slices};
    double rr;
    krylov_square_residual(&args, a->p.n_slices);
    finish_sum(&sum, 1);
    device_download(&rr, k->total, sizeof rr);
    return rr;
}
