/* cg_kernels.h: the kernels of a conjugate-gradient iteration, private to cg.c, cg.cu, block_jacobi.cu and their test.
 *
 * Iterates: x, the preconditioned residual z = M r, the direction p, and q = A p.  With a diagonal preconditioner, z =
 * r / weight, r is not stored and q is stored divided by the weight: z -= alpha q.  Block-Jacobi stores both.  An
 * iteration is  [x += alpha p; p = z + beta p]  [q = A p, p.q]  [z -= alpha q, z.r, r.r]; the first two are one kernel
 * on CUDA, where recomputing p at neighbours in other slices is cheaper than one more kernel and one more pass over p,
 * and two on the CPU, where it is not.  Bytes per row with 6 off-diagonals: 160 in one kernel, 168 in two.
 *
 * With multigrid a kernel of one slice, cg_decide(), tests r.r for convergence before the cycle begins, because a cycle
 * costs as much as the rest of several iterations; after convergence p is no longer computed, and cg_finish() computes
 * the last x.
 *
 * The scalars are on the device: a kernel that needs alpha (or beta) computes it from the sums of the previous kernel,
 * every slice separately with the same bits, and slice 0 stores it.  There are two states, so that no kernel writes
 * what it reads. */
#ifndef POISE_CG_KERNELS_H
#define POISE_CG_KERNELS_H
#include <stdbool.h>
#include "gpu/sums.h"
#include "solve/solver.h"
#include "solve/multigrid_kernels.h"

struct cg_state {
    double alpha, beta, rz, rr;         /* step length, factor of the old direction, z.r, r.r */
    double initial, limit;              /* r.r at the start; r.r to be reached */
    double scale2;                      /* multigrid: the right-hand side of its cycle is r / sqrt(scale2); 0: not yet
                                           known */
    double tolerance, absolute;         /* from the settings */
    int32_t iteration;                  /* completed iterations; -1 while the first residual is computed */
    int32_t max_iterations;
    int32_t before, every;              /* smoothing steps (alpha = 1, beta = 0): see smoothing_step() in cg_state.h */
    int32_t done;                       /* 0, or 1 + enum linear_status: the kernels then do nothing */
    int32_t behind;                     /* multigrid: the last step is missing in x (cg_finish()) */
};

enum { CG_PQ, CG_RZ, CG_RR, CG_ZD, CG_SUMS };   /* z.d, with d the change of r, for the Polak-Ribiere beta */

struct cg_args {
    struct matrix a;
    double *x, *z, *q, *r;              /* r: block-Jacobi only */
    const double *p_old;
    double *p;                          /* may equal p_old if direction and product are two kernels */
    const double *weight;               /* diagonal of the preconditioner's inverse, NULL: all ones */
    const double *outer;                /* the same where r is stored (q is then not divided by it) */
    struct sums sums;                   /* CG_SUMS of them */
    struct cg_state *stepped, *searched;        /* the state after alpha is computed, and after beta is */
    int32_t fold;                       /* every slice adds the partial sums itself (fold_sum()); totals are not
                                           computed */
    int32_t flexible;                   /* Polak-Ribiere beta: the preconditioner is not one fixed matrix */
    int32_t inner, inner_sweeps;        /* block-Jacobi: enum inner_method */
    const float *cycle;                 /* multigrid: its result, equal to z / sqrt(scale2) */
    double *first_rr;                   /* deflation: r.r of the initial guess as given; else NULL */
    struct linear_history *history;         /* [max_iterations + 1], or NULL */
    int32_t everywhere;                 /* block-Jacobi is the preconditioner; else it only smooths before or between */
};
struct cg_begin_args { const double *b, *weight; double *z, *r, *p; };

KERNEL(cg_begin, struct cg_begin_args)                  /* r = b, z = b / weight, p = 0; over n_padded */
/* Multigrid: the same from x = 0, and r.r; over slices.  mean: subtracts b's mean, computed from sum 0, from b. */
struct cg_zero_args { struct cg_args cg; double *b; int32_t mean; };
KERNEL(cg_begin_zero, struct cg_zero_args)
KERNEL(cg_direction, struct cg_args)                    /* these over slices */
KERNEL(cg_product, struct cg_args)
KERNEL(cg_direction_product, struct cg_args)
KERNEL(cg_direction_product_folded, struct cg_args)     /* for args.fold: separate because the fold costs registers */
KERNEL(cg_update, struct cg_args)                       /* diagonal preconditioner */
KERNEL(cg_update_folded, struct cg_args)
KERNEL(cg_update_block, struct cg_args)                 /* block_jacobi.cu */
KERNEL(cg_update_residual, struct cg_args)              /* any other preconditioner: r and r.r; z = M r follows, then */
KERNEL(cg_take, struct cg_args)                         /* z.r and z.d */
/* Multigrid: r, r.r, and the cycle's right-hand side: r divided by its norm of one iteration before. */
struct cg_cycle_args { struct cg_args cg; struct restrict_args to; };
KERNEL(cg_update_cycle, struct cg_cycle_args)
/* The last smoothing of the cycle, with cg_take(). */
struct cg_last_args { struct cg_args cg; struct smooth_args last; };
SHAPED_KERNEL(cg_smooth_take, struct cg_last_args)
KERNEL(cg_decide, struct cg_args)                       /* over 1 slice: has it converged?  Writes `stepped` */
KERNEL(cg_finish, struct cg_args)                       /* the last step of x if cg_decide() ended the iteration; sum 0
                                                           of x */

/* For the test that every form of the kernels gives the same bits. */
void cg_use_form(struct solver *solver, bool one_kernel, bool fold);
#endif
