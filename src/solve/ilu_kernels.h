/* ilu_kernels.h: kernels of incomplete LU factorisations of matrices of blocks, private to ilu.c and ilu.cu.
 *
 * A = (I + L) (D + U) - R on the pattern of ilu_rows.h, where R is the part outside it: l_ik = a'_ik d_k^-1, with a'
 * the row i after elimination of its columns before k.  Rows, triangles and launches are those of ic_layout.h: rows
 * have positions, which are also an order of elimination, and the entries of a row ascend by position; so two rows are
 * compared by a merge of both. */
#ifndef POISE_ILU_KERNELS_H
#define POISE_ILU_KERNELS_H
#include "solve/ic_layout.h"
#include "solve/matrix.h"

struct ilu_args {
    struct ic_layout f;         /* inverse: that of d */
    struct matrix a;
    const int32_t *own;         /* [n_positions] the position by which other rows refer to a row; lanes without a row
                                   repeat one, and there it is not their own position */
    const int32_t *target;      /* [n_positions] the row of z that the position writes, or -1 */
    double *bad;                /* [n_padded] 1 where a pivot is singular, else 0 */
    int64_t pitch;              /* between the components of y: the layout's n_padded */
    int32_t first_block;
};
/* Approximate inverses: N is the strict part of that of I + L or of D + U, by rows and by columns.  The entries of a
 * column ascend by position (upper: descend); `from` is where their values are stored among those of the rows. */
struct ilu_inverse_args { struct ilu_args s; struct ic_triangle rows, columns; };
struct ilu_solve_args { struct ilu_args s; struct ic_triangle n; const double *in; double *out, *z; };

KERNEL(ilu_begin_lower, struct ilu_args)                /* entries of the matrix into the triangles; over groups */
KERNEL(ilu_begin_upper, struct ilu_args)
KERNEL(ilu_factor, struct ilu_args)                     /* over the blocks of a launch */
KERNEL(ilu_invert_lower, struct ilu_inverse_args)       /* N of I + L, one column per lane; over groups */
KERNEL(ilu_invert_upper, struct ilu_inverse_args)
/* Over the blocks of a launch: out = in - L out, where in is [block pitch] of the matrix; out = D^-1 (in - U out), the
 * levels backwards, and z the same in the matrix's order. */
KERNEL(ilu_forward_numbers, struct ilu_solve_args)      /* for scalar matrices */
KERNEL(ilu_backward_numbers, struct ilu_solve_args)
KERNEL(ilu_forward_blocks, struct ilu_solve_args)       /* for block matrices */
KERNEL(ilu_backward_blocks, struct ilu_solve_args)
KERNEL(ilu_gather, struct ilu_solve_args)               /* out = in by position; over groups */
KERNEL(ilu_apply_lower, struct ilu_solve_args)          /* out = in + N in; over groups */
KERNEL(ilu_apply_upper, struct ilu_solve_args)          /* z = D^-1 in + N in */
#endif
