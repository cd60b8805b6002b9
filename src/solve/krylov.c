/* The table of Krylov methods, and functions that they share (krylov.h). */
#include "solve/krylov.h"

struct krylov *cg_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                         struct preconditioner *p, struct deflation *d);
struct krylov *gmres_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                            struct preconditioner *p, struct deflation *d);
struct krylov *bicgstab_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                               struct preconditioner *p, struct deflation *d);

/* The stationary iteration uses conjugate gradients' kernels with step length 1. */
const struct krylov_kind krylov_kinds[N_LINEAR_METHODS] = {
    [METHOD_CG] = {cg_create, .deflates = true, .sweeps = true, .components = 1},
    [METHOD_STATIONARY] = {cg_create, .any_preconditioner = true, .deflates = true, .sweeps = true,
                           .components = 1},
    [METHOD_BICGSTAB] = {bicgstab_create, .nonsymmetric = true, .any_preconditioner = true,
                         .components = MOST_COMPONENTS, .blocks = true},
    [METHOD_GMRES] = {gmres_create, .nonsymmetric = true, .needs_fixed = true, .components = MOST_COMPONENTS,
                      .blocks = true},
    [METHOD_FGMRES] = {gmres_create, .nonsymmetric = true, .any_preconditioner = true,
                       .components = MOST_COMPONENTS, .blocks = true},
};

void krylov_remove_mean(const struct krylov *k, const struct pattern *p, double *x)
{
    struct reduce_args sum = {x, NULL, k->sums, REDUCE_SUM};
    reduce_slices(&sum, p->n_slices);
    krylov_remove_sum(k, p, x);
}

void krylov_remove_sum(const struct krylov *k, const struct pattern *p, double *x)
{
    struct krylov_shift_args shift = {x, k->sums, (double)p->n_global, p->n, sums_fold(&k->sums)};
    if (!shift.fold) sums_finish(&k->sums, 0, 1);
    krylov_shift(&shift, p->n_slices);
}

double krylov_residual(const struct krylov *k, const struct matrix *a, const double *x, const double *b)
{
    struct krylov_residual_args args = {*a, x, b, k->sums};
    double rr;
    halo_update(a->p.halo, x, a->block);
    krylov_square_residual(&args, a->p.n_slices);
    sums_finish(&k->sums, 0, 1);
    sums_download(&k->sums, 0, 1, &rr);
    return rr;
}
