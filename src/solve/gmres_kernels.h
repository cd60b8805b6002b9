/* gmres_kernels.h: the kernels of GMRES(m) (Saad & Schultz 1986) and flexible GMRES (Saad 1993), private to gmres.c,
 * .cu.
 *
 * In a cycle of at most m iterations V is an orthonormal basis of the Krylov space of the residual, with the operator A
 * M (right preconditioned; flexible: M may change each time, and Z stores the M v) or M A (left).  An iteration is
 *   project        h = V^T w, w.w             of w, the operator applied to the last vector u of V
 *   orthogonalise  w -= V h, then k = V^T w, w.w       classical Gram-Schmidt, which is done twice
 *   extend         w -= V k;  |w|^2 = w.w - k.k, so that no third sum is needed;  u = w / |w|, the next vector
 *   column         h + k and |w| are the next column of the Hessenberg matrix; rotated (Givens), it has
 *                  the residual's norm
 * and a cycle ends with
 *   weights        y of the least squares                combine   V y (or Z y)          advance   x += M V y
 *   residual       b - A x                               start     its norm, convergence test   basis   it / norm
 * All are launched over slices and process all unknowns of a row, except weights, start and column, which are launched
 * over 1.  The small problem stays on the device.  Once `done` is set kernels do nothing, except those that end the
 * last cycle, which are launched with `last`. */
#ifndef POISE_GMRES_KERNELS_H
#define POISE_GMRES_KERNELS_H
#include "gpu/sums.h"
#include "solve/solver.h"

enum { GMRES_TILE = 4 };        /* vectors of V that are read together */

struct gmres_state {
    double tolerance, absolute;
    double norm, initial, limit;        /* squares of the residual's norm: now, at the start, to be reached */
    double begin;               /* the same at the beginning of the cycle */
    double unit, weight;        /* squares of the norms of the vectors that M is applied to: 1 for u, y.y for V y */
    int32_t column;             /* columns of the cycle so far; V has one vector more */
    int32_t iteration, max_iterations;  /* iteration -1: the first residual is being computed */
    int32_t restarts;
    int32_t stands;             /* stagnation: a whole cycle did not reduce the residual */
    int32_t done;               /* 0, or 1 + enum linear_status */
};

struct gmres_args {
    int32_t restart;            /* m */
    int32_t last;               /* end the cycle although `done` is set */
    int32_t left;
    int32_t block;              /* unknowns of a row, pitch apart */
    int64_t pitch, length;      /* length: of a vector, block pitch */
    double *x;
    const double *b;
    double *v, *z;              /* V, Z: m vectors; Z is NULL where not flexible */
    float *z_single;            /* or Z in single precision, if M v is computed in it */
    double *u, *mu, *w;         /* u, M u (u itself if M = 1), and the vector to be orthogonalised */
    double *r;                  /* triangle of the rotated Hessenberg matrix: column k at [k m] */
    double *cosine, *sine, *g, *y;      /* rotations; the rotated right-hand side; weights of V */
    struct sums first, second;  /* number 0: w.w, number 1 + i: V_i.w; by project and by orthogonalise */
    struct gmres_state *state;
    struct linear_history *history;     /* [max_iterations + 1], or NULL */
};

/* Is Z stored? */
static inline bool gmres_keeps(const struct gmres_args *a) { return a->z || a->z_single; }

KERNEL(gmres_project, struct gmres_args)
KERNEL(gmres_orthogonalise, struct gmres_args)
KERNEL(gmres_extend, struct gmres_args)
KERNEL(gmres_column, struct gmres_args)                 /* over 1 */
KERNEL(gmres_weights, struct gmres_args)                /* over 1 */
KERNEL(gmres_combine, struct gmres_args)                /* u = V y if M is still to be applied, else x += V y or Z y */
KERNEL(gmres_advance, struct gmres_args)                /* x += mu */
KERNEL(gmres_residual, struct gmres_args)               /* w = b - w, and first: w.w; left: u = b - w, and u.u */
struct gmres_square_args { const double *v; int32_t block; int64_t pitch; struct sums sums; };
KERNEL(gmres_square, struct gmres_square_args)          /* number 0: v.v */
KERNEL(gmres_start, struct gmres_args)                  /* over 1 */
KERNEL(gmres_basis, struct gmres_args)
#endif
