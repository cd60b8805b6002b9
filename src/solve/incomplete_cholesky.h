/* incomplete_cholesky.h: the factor of A = L D^-1 L^T - R with l_ii = d_i, L as sparse as the lower triangle of A (or of its
 * diagonal blocks), R zero where L is not (Meijerink & van der Vorst 1977; Gupta et al. 2011, section 3.1):
 *     l_ij = a_ij - sum over k < j of l_ik l_jk / d_k,     d_i = a_ii - sum over k < i of l_ik^2 / d_k,
 * no square roots; and the solution of its triangles, L y = r and D^-1 L^T z = y.  All of it on the machine, in double
 * precision, same bits at any number of threads.
 *
 * Rows are sorted by level (a row comes after those that it needs) and stored in groups of 32, entry by entry as in
 * mod.SELL, columns being positions in this order.  A schedule says who computes what: a launch has blocks, a block
 * goes through levels with a barrier after each, its warps share a level's groups.
 *     LEVELS   a launch for a wide level, spread over many blocks; one launch of one block for a run of narrow ones
 *     BLOCKS   one launch: every 32 diagonal blocks or more are a block of the machine's
 *     SWEEPS   no levels: rows in their own order, nothing waits for anything (fixed-point and Jacobi sweeps) */
#ifndef POISE_INCOMPLETE_CHOLESKY_H
#define POISE_INCOMPLETE_CHOLESKY_H
#include <stdbool.h>
#include "base/case.h"
#include "solve/mod_sell.h"

/* The lower triangle's pattern on the host, rows in the order of elimination, columns ascending, entries outside the
 * diagonal blocks of block_rows rows of the matrix left out.  order: the matrix's number of a row; place: of each entry
 * in the matrix's val. */
struct lower_rows { int32_t n, *order, *column; int64_t *start, *place; };
void lower_rows_create(struct lower_rows *l, const struct mod_sell *a, int32_t block_rows, enum factor_ordering ordering);
void lower_rows_free(struct lower_rows *l);

#define IC_PIVOT_MESSAGE "row %d of %d (from 1, as the solver orders them): the pivot of incomplete Cholesky, %.3g, is not positive"
enum ic_schedule { IC_LEVELS, IC_BLOCKS, IC_SWEEPS };

struct incomplete_cholesky;
/* a must outlive it.  block_rows: >= a->n for the whole triangle; a BLOCKS schedule of blocks too long for one block of
 * the machine's becomes LEVELS.  NULL with a message: rows wait for each other one by one, in so many levels that their
 * padding would take several times the matrix's memory. */
struct incomplete_cholesky *incomplete_cholesky_create(const struct mod_sell *a, int32_t block_rows,
                                                       enum factor_ordering ordering, enum ic_schedule schedule,
                                                       struct error *e);
/* The factor of the matrix's values now.  SWEEPS: so many fixed-point sweeps from L = lower triangle of A (Chow & Patel
 * 2015; synchronous).  NULL, or which row has a pivot that is not positive, valid until the next call. */
const char *incomplete_cholesky_factor(struct incomplete_cholesky *f, int sweeps);
/* z = (L D^-1 L^T)^-1 r.  SWEEPS: so many Jacobi sweeps a triangle from D^-1 r, and from y. Launches only. */
void incomplete_cholesky_solve(struct incomplete_cholesky *f, const double *r, double *z, int sweeps);
int64_t incomplete_cholesky_bytes(const struct incomplete_cholesky *f, int sweeps);     /* of one solve */
int incomplete_cholesky_levels(const struct incomplete_cholesky *f);    /* of the longest chain of rows */
int incomplete_cholesky_launches(const struct incomplete_cholesky *f);  /* of one triangle */
void incomplete_cholesky_free(struct incomplete_cholesky *f);

/* What kernels see; pointers into the machine's memory.  A group's missing lanes repeat its first row, and missing
 * entries have the value 0 and a column that the group waits for anyway, so no kernel asks what is there. */
struct ic_triangle {
    const int64_t *start;       /* [n_groups + 1], of a group's entries */
    const int32_t *column;      /* positions */
    const int64_t *from;        /* lower: place in the matrix's val; upper: place in the lower one's; -1: missing */
    double *value;
    int64_t n_stored;
};
struct ic_layout {
    const int32_t *row;         /* [32 n_groups] of a position */
    const int32_t *level_group; /* first group of a level, one more at the end */
    const int32_t *block_level; /* first level of a block, one more at the end */
    struct ic_triangle lower, upper;
    double *inverse;            /* [32 n_groups] 1 / d_i */
};
struct ic_factor_args {
    struct ic_layout f;
    const double *val, *diag;   /* of the matrix */
    const double *value_in, *inverse_in;        /* of other rows; the factor's own where levels are in order */
    int32_t first_block;
};
struct ic_begin_args { struct ic_layout f; const double *val, *diag; };
struct ic_solve_args { struct ic_layout f; const double *right, *in; double *out, *z; int32_t first_block; };
struct ic_check_args { struct ic_layout f; const double *diag; double *bad; };
KERNEL(ic_factor, struct ic_factor_args)                /* over the blocks of a launch; writes f's lower and inverse */
KERNEL(ic_begin, struct ic_begin_args)                  /* L = lower triangle of A; over its stored entries */
KERNEL(ic_begin_pivots, struct ic_begin_args)           /* D = diagonal of A; over positions */
KERNEL(ic_mirror, struct ic_layout)                     /* upper from lower; over its stored entries */
KERNEL(ic_check, struct ic_check_args)                  /* bad = 1 where the pivot is not positive, else 0 */
KERNEL(ic_scale, struct ic_solve_args)                  /* out = D^-1 right; over positions */
KERNEL(ic_forward, struct ic_solve_args)                /* out = D^-1 (right - L in); over the blocks of a launch */
KERNEL(ic_backward, struct ic_solve_args)               /* out = right - D^-1 L^T in, levels backwards; z the same */
#endif
