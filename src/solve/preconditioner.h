/* preconditioner.h: z = M r, M about the inverse of A: what conjugate gradients know of a method.  none, jacobi, ruiz and
 * block-jacobi are part of their kernels (cg.c); every other method is one of these.  A method's file has its create
 * function, which allocates everything; preconditioner.c has the table of them. */
#ifndef POISE_PRECONDITIONER_H
#define POISE_PRECONDITIONER_H
#include <stdbool.h>
#include "base/case.h"
#include "solve/matrix.h"

/* First member of a method's own struct. */
struct preconditioner {
    /* The matrix's values may be new (the pattern is not): called before a solve.  NULL, or why the values do not suit
     * the method ("row 17: pivot -0.3 is not positive"), valid until the next call. */
    const char *(*refresh)(struct preconditioner *p);
    /* z = M r, both [n_padded] on the machine, zero in the padding.  norm2: r.r on the machine, for methods in single
     * precision, which work on r over its norm (no r is too small for them then).  Kernel launches and device_copy only,
     * so that it can be recorded in a graph, unless on_host. */
    void (*apply)(struct preconditioner *p, const double *r, const double *norm2, double *z);
    void (*free)(struct preconditioner *p);
    bool variable;              /* not one fixed symmetric matrix: CG takes the flexible (Polak-Ribiere) beta */
    bool on_host;               /* apply waits and computes on the host: a reference, not for speed */
    int64_t bytes;              /* that one apply moves at the least; 0: not known */
};

/* The method that the setting asks for, for a (which must outlive it).  singular: constants are in the null space.
 * NULL with a message when it cannot be had for this pattern. */
struct preconditioner *preconditioner_create(const struct matrix *a, const struct linear_setting *s, bool singular,
                                             struct error *e);

/* One line of preconditioner.c's table each; the files are named like them. */
typedef struct preconditioner *preconditioner_creator(const struct matrix *a, const struct linear_setting *s,
                                                      bool singular, struct error *e);
#endif
