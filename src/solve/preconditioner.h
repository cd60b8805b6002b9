/* preconditioner.h: z = M r, where M approximates the inverse of A: the interface of preconditioners to Krylov methods,
 * and the table of all preconditioners.  A method's own file has its create function, which allocates everything. */
#ifndef POISE_PRECONDITIONER_H
#define POISE_PRECONDITIONER_H
#include <stdbool.h>
#include "solve/linear_setting.h"
#include "base/error.h"
#include "solve/matrix.h"

/* How conjugate gradients apply it.  FORM_APART: by apply(); the others inside CG's own kernels, which saves passes
 * over vectors: division by `weight`; block-Jacobi with the setting's inner sweeps; a cycle of `multigrid`. */
enum preconditioner_form { FORM_APART, FORM_DIAGONAL, FORM_BLOCK, FORM_CYCLE };

/* First member of a method's own struct. */
struct preconditioner {
    /* Recomputes everything that depends on the values of `a`, which may be new (the pattern is the same).  Called by
     * preconditioner_refresh(), which sets `a`.  Returns NULL, or why the values are unsuitable for the method ("row
     * 17: pivot -0.3 is not positive"), valid until the next call.  NULL pointer: nothing to compute. */
    const char *(*refresh)(struct preconditioner *p);
    /* z = M r, both [block pitch] on the device, zero in the padding.  norm2: r.r or an approximation of it, on the
     * device; NULL: 1.  Methods in single precision work on r / sqrt(norm2), to avoid underflow.  Only kernel launches
     * and device_copy, so that it can be recorded in a graph, unless on_host. */
    void (*apply)(struct preconditioner *p, const double *r, const double *norm2, double *z);
    void (*free)(struct preconditioner *p);
    bool variable;              /* M is not a fixed symmetric matrix: CG uses the flexible (Polak-Ribiere) beta */
    bool on_host;               /* apply waits and computes on the host: a reference implementation, slow */
    enum preconditioner_form form;
    const double *weight;       /* FORM_DIAGONAL, after a refresh: M divides by it; NULL: M = 1 */
    struct multigrid *multigrid;        /* FORM_CYCLE */
    /* Only multigrid, else NULL.  due: does the next solve need a refresh although the values are the same?  The
     * others: receives the iterations of a solve; returns the state with which another solver for this matrix continues
     * with the same bits; restores that state (rebuild.h). */
    bool (*due)(const struct preconditioner *p);
    void (*solved)(struct preconditioner *p, int iterations);
    int32_t *(*structure)(const struct preconditioner *p, int64_t *n);
    bool (*set_structure)(struct preconditioner *p, const int32_t *structure, int64_t n);
    const char *choice;         /* description of what it chose from the matrix at creation, or NULL */
    const char *news;           /* why the last refresh rebuilt the structure (discard recordings), or NULL */
    struct matrix a;            /* as of the last refresh */
};

typedef struct preconditioner *preconditioner_creator(const struct matrix *a, const struct linear_setting *s,
                                                      struct error *e);
struct preconditioner_kind_of {
    preconditioner_creator *create;
    bool nonsymmetric;          /* accepts nonsymmetric matrices */
    bool variable;              /* the operator depends on r */
    bool not_for_cg;            /* not symmetric if A is, or not even the same operator for the same r */
    bool blocks;                /* accepts block matrices */
    bool any_diagonal;          /* does not divide by the diagonal */
    bool ranks;                 /* supports several ranks, with the same bits as on one unless stated otherwise */
    bool single;                /* may break down for values beyond single precision; Jacobi then replaces it */
};
extern const struct preconditioner_kind_of preconditioner_kinds[N_PRECONDITIONERS];
preconditioner_creator diagonal_create, block_jacobi_create, multigrid_preconditioner, sweep_preconditioner;
preconditioner_creator ilu_create, block_isai_create, nested_schwarz_create;
/* src/solve/study: those that no case needs. */
preconditioner_creator ruiz_create, gauss_seidel_create, multicolour_create, ic0_create, block_ic_create;
preconditioner_creator incomplete_poisson_create, async_block_jacobi_create;

/* The method of the setting, for a's pattern.  singular: constants are in the null space.  NULL with a message if it is
 * not available for this pattern. */
struct preconditioner *preconditioner_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                             struct error *e);
const char *preconditioner_refresh(struct preconditioner *p, const struct matrix *a);
#endif
