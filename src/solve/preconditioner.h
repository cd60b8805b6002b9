/* preconditioner.h: z = M r, where M approximates the inverse of A: what Krylov methods know of a preconditioner,
 * and the table of all preconditioners.  A method's own file has its create function, which allocates everything. */
#ifndef POISE_PRECONDITIONER_H
#define POISE_PRECONDITIONER_H
#include <stdbool.h>
#include "solve/linear_setting.h"
#include "base/error.h"
#include "solve/matrix.h"

/* How conjugate gradients apply it.  FORM_APART: by apply(); the others inside their own kernels, which saves passes
 * over vectors: a division by `weight`; block-Jacobi with the setting's inner sweeps; a cycle of `multigrid`. */
enum preconditioner_form { FORM_APART, FORM_DIAGONAL, FORM_BLOCK, FORM_CYCLE };

/* First member of a method's own struct. */
struct preconditioner {
    /* Makes what depends on the values of `a`, which may be new (the pattern is the same).  Called by
     * preconditioner_refresh(), which sets `a`.  NULL, or why the values do not suit the method ("row 17: pivot -0.3
     * is not positive"), valid until the next call.  No function: nothing is made. */
    const char *(*refresh)(struct preconditioner *p);
    /* z = M r, both [block pitch] on the machine, zero in the padding.  norm2: r.r, or a number near it, on the
     * machine; NULL: 1.  Methods in single precision work on r / sqrt(norm2), so that no r is too small for them.
     * Kernel launches and device_copy only, so that it can be recorded in a graph, unless on_host. */
    void (*apply)(struct preconditioner *p, const double *r, const double *norm2, double *z);
    void (*free)(struct preconditioner *p);
    bool variable;              /* M is not one fixed symmetric matrix: CG takes the flexible (Polak-Ribiere) beta */
    bool on_host;               /* apply waits and computes on the host: a reference, not for speed */
    enum preconditioner_form form;
    const double *weight;       /* FORM_DIAGONAL, after a refresh: M is division by it; NULL: M = 1 */
    struct multigrid *multigrid;        /* FORM_CYCLE */
    /* Multigrid alone, else NULL: does the next solve need a refresh though the values are the same; is told how many
     * iterations a solve took; returns what another solver for this matrix must have to go on with the same bits; takes
     * that over (rebuild.h). */
    bool (*due)(const struct preconditioner *p);
    void (*solved)(struct preconditioner *p, int iterations);
    int32_t *(*structure)(const struct preconditioner *p, int64_t *n);
    bool (*set_structure)(struct preconditioner *p, const int32_t *structure, int64_t n);
    const char *choice;         /* what it chose from the matrix when it was made, in words, or NULL */
    const char *news;           /* why the last refresh made a new structure (forget what is recorded), or NULL */
    struct matrix a;            /* as of the last refresh */
};

typedef struct preconditioner *preconditioner_creator(const struct matrix *a, const struct linear_setting *s,
                                                      struct error *e);
struct preconditioner_kind_of {
    preconditioner_creator *create;
    bool nonsymmetric;          /* takes matrices that are not symmetric */
    bool variable;              /* another operator for each r */
    bool not_for_cg;            /* not symmetric where A is, or not even the same operator for the same r */
    bool blocks;                /* takes matrices of blocks */
    bool any_diagonal;          /* does not divide by the diagonal */
    bool ranks;                 /* works on several ranks, to the bits of one where nothing else is said */
    bool single;                /* may break down on values beyond single precision; Jacobi then takes its place */
};
extern const struct preconditioner_kind_of preconditioner_kinds[N_PRECONDITIONERS];
preconditioner_creator diagonal_create, block_jacobi_create, multigrid_preconditioner, sweep_preconditioner;
preconditioner_creator ilu_create, block_isai_create, nested_schwarz_create;
/* src/solve/study: those that no case needs. */
preconditioner_creator ruiz_create, gauss_seidel_create, multicolour_create, ic0_create, block_ic_create;
preconditioner_creator incomplete_poisson_create, async_block_jacobi_create;

/* The method that the setting asks for, for a's pattern.  singular: constants are in the null space.  NULL with a
 * message when it cannot be had for this pattern. */
struct preconditioner *preconditioner_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                             struct error *e);
const char *preconditioner_refresh(struct preconditioner *p, const struct matrix *a);
#endif
