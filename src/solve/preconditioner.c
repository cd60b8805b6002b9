/* The table of preconditioners (preconditioner.h). */
#include "solve/preconditioner.h"
#include "gpu/ranks.h"

const struct preconditioner_kind_of preconditioner_kinds[N_PRECONDITIONERS] = {
    [PRECONDITIONER_NONE] = {diagonal_create, .nonsymmetric = true, .blocks = true, .any_diagonal = true,
                             .ranks = true},
    [PRECONDITIONER_JACOBI] = {diagonal_create, .nonsymmetric = true, .blocks = true, .ranks = true},
    [PRECONDITIONER_RUIZ] = {ruiz_create, .ranks = true},
    [PRECONDITIONER_BLOCK_JACOBI] = {block_jacobi_create, .nonsymmetric = true, .ranks = true},
    [PRECONDITIONER_MULTIGRID] = {multigrid_preconditioner, .nonsymmetric = true, .single = true, .variable = true,
                                  .blocks = true, .ranks = true},
    [PRECONDITIONER_JACOBI_RICHARDSON] = {sweep_preconditioner, .nonsymmetric = true, .ranks = true},
    [PRECONDITIONER_GAUSS_SEIDEL] = {gauss_seidel_create, .nonsymmetric = true},
    [PRECONDITIONER_MULTICOLOUR_GS] = {multicolour_create, .nonsymmetric = true},
    [PRECONDITIONER_TWO_STAGE_GS] = {sweep_preconditioner, .nonsymmetric = true, .ranks = true},
    [PRECONDITIONER_CHEBYSHEV] = {sweep_preconditioner, .ranks = true},
    [PRECONDITIONER_IC0] = {.create = ic0_create},
    [PRECONDITIONER_BLOCK_IC] = {block_ic_create, .ranks = true},
    [PRECONDITIONER_INCOMPLETE_POISSON] = {incomplete_poisson_create, .ranks = true},
    [PRECONDITIONER_NEUMANN] = {sweep_preconditioner, .ranks = true},
    [PRECONDITIONER_ASYNC_BLOCK_JACOBI] = {async_block_jacobi_create, .nonsymmetric = true,
                                           .variable = true, .not_for_cg = true},
    [PRECONDITIONER_ILU] = {ilu_create, .nonsymmetric = true, .blocks = true, .any_diagonal = true,
                            .not_for_cg = true},
    [PRECONDITIONER_NESTED_SCHWARZ] = {nested_schwarz_create, .nonsymmetric = true, .blocks = true,
                                       .any_diagonal = true, .not_for_cg = true, .ranks = true},
    [PRECONDITIONER_BLOCK_ISAI] = {block_isai_create, .nonsymmetric = true, .blocks = true, .any_diagonal = true,
                                   .not_for_cg = true},
};

struct preconditioner *preconditioner_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                             struct error *e)
{
    struct linear_setting set = *s;
    set.singular = singular;
    struct preconditioner *p = preconditioner_kinds[s->preconditioner].create(a, &set, e);
    if (p) p->a = *a;
    if (ranks_agree(p != NULL, e)) return p;
    if (p) p->free(p);
    return NULL;
}

const char *preconditioner_refresh(struct preconditioner *p, const struct matrix *a)
{
    p->a = *a;
    p->news = NULL;
    return ranks_agree_why(p->refresh ? p->refresh(p) : NULL);
}
