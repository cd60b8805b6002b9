#include "solve/preconditioner.h"

preconditioner_creator diagonal_create, block_jacobi_create, multigrid_preconditioner, sweep_preconditioner;
preconditioner_creator gauss_seidel_create, multicolour_create, ic0_create, block_ic_create, incomplete_poisson_create;
preconditioner_creator neumann_create, async_block_jacobi_create, ilu_create, block_isai_create;

const struct preconditioner_kind_of preconditioner_kinds[N_PRECONDITIONERS] = {
    [PRECONDITIONER_NONE] = {"none", diagonal_create, .nonsymmetric = true, .blocks = true, .any_diagonal = true},
    [PRECONDITIONER_JACOBI] = {"jacobi", diagonal_create, .nonsymmetric = true, .blocks = true},
    [PRECONDITIONER_RUIZ] = {"ruiz", diagonal_create},
    [PRECONDITIONER_BLOCK_JACOBI] = {"block-jacobi", block_jacobi_create, .nonsymmetric = true},
    [PRECONDITIONER_MULTIGRID] = {"multigrid", multigrid_preconditioner, .single = true, .changes = true},
    [PRECONDITIONER_JACOBI_RICHARDSON] = {"jacobi-richardson", sweep_preconditioner, .nonsymmetric = true},
    [PRECONDITIONER_GAUSS_SEIDEL] = {"gauss-seidel", gauss_seidel_create, .nonsymmetric = true},
    [PRECONDITIONER_MULTICOLOUR_GS] = {"multicolour-gs", multicolour_create, .nonsymmetric = true},
    [PRECONDITIONER_TWO_STAGE_GS] = {"two-stage-gs", sweep_preconditioner, .nonsymmetric = true},
    [PRECONDITIONER_CHEBYSHEV] = {"chebyshev", sweep_preconditioner},
    [PRECONDITIONER_IC0] = {"ic0", ic0_create},
    [PRECONDITIONER_BLOCK_IC] = {"block-ic", block_ic_create},
    [PRECONDITIONER_INCOMPLETE_POISSON] = {"incomplete-poisson", incomplete_poisson_create},
    [PRECONDITIONER_NEUMANN] = {"neumann", neumann_create},
    [PRECONDITIONER_ASYNC_BLOCK_JACOBI] = {"async-block-jacobi", async_block_jacobi_create, .nonsymmetric = true,
                                           .unsuited_to_cg = true},
    [PRECONDITIONER_ILU] = {"ilu", ilu_create, .nonsymmetric = true, .blocks = true, .any_diagonal = true, .unsymmetric = true},
    [PRECONDITIONER_BLOCK_ISAI] = {"block-isai", block_isai_create, .nonsymmetric = true, .blocks = true, .any_diagonal = true,
                                   .unsymmetric = true},
};

struct preconditioner *preconditioner_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                             struct error *e)
{
    struct preconditioner *p = preconditioner_kinds[s->preconditioner].create(a, s, singular, e);
    if (p) p->a = *a;
    return p;
}

const char *preconditioner_refresh(struct preconditioner *p, const struct matrix *a)
{
    p->a = *a;
    p->news = NULL;
    return p->refresh(p);
}
