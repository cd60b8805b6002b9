#include "solve/preconditioner.h"

preconditioner_creator ic0_create, block_ic_create, incomplete_poisson_create, neumann_create;
preconditioner_creator async_block_jacobi_create, gauss_seidel_create, multicolour_create, sweep_preconditioner;

/* NULL: part of conjugate gradients' own kernels. */
static preconditioner_creator *const creators[N_PRECONDITIONERS] = {
    [PRECONDITIONER_NONE] = NULL,
    [PRECONDITIONER_IC0] = ic0_create,
    [PRECONDITIONER_BLOCK_IC] = block_ic_create,
    [PRECONDITIONER_INCOMPLETE_POISSON] = incomplete_poisson_create,
    [PRECONDITIONER_NEUMANN] = neumann_create,
    [PRECONDITIONER_ASYNC_BLOCK_JACOBI] = async_block_jacobi_create,
    [PRECONDITIONER_JACOBI_RICHARDSON] = sweep_preconditioner,
    [PRECONDITIONER_GAUSS_SEIDEL] = gauss_seidel_create,
    [PRECONDITIONER_MULTICOLOUR_GS] = multicolour_create,
    [PRECONDITIONER_TWO_STAGE_GS] = sweep_preconditioner,
    [PRECONDITIONER_CHEBYSHEV] = sweep_preconditioner,
};

struct preconditioner *preconditioner_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                             struct error *e)
{
    return creators[s->preconditioner] ? creators[s->preconditioner](a, s, singular, e) : NULL;
}
