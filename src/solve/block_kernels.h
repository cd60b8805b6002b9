/* block_kernels.h: private to multigrid: its kernels on matrices of blocks of 2 to 5 rows.  Unless another count is
 * named, they are launched over warps of the padded rows. */
#ifndef POISE_BLOCK_KERNELS_H
#define POISE_BLOCK_KERNELS_H
#include "solve/for_block.h"
#include "solve/multigrid_kernels.h"

/* The last unknowns' matrix, as far as its entries join rows: those of the sign that the row's diagonal has not; a
 * diagonal that outweighs them. */
struct block_strength_args { struct matrix from; struct level_matrix to; };
KERNEL(block_strength, struct block_strength_args)

struct block_copy_args { struct matrix from; struct level_matrix to; };
BLOCK_KERNEL(block_copy, struct block_copy_args, a->to.block)   /* val, diag, excess of a level on the same pattern */
struct block_sum_args { struct level_matrix fine, coarse; struct aggregation g; };
ENTRY_KERNEL(block_sum, struct block_sum_args, a->fine) /* the same of the next level: sums over children; over
                                                           coarse_padded */
/* inverse = diag^-1; what is no number where there is none; over n_padded. */
struct block_invert_args { int32_t block; const float *diag; float *inverse; };
BLOCK_KERNEL(block_invert, struct block_invert_args, a->block)

/* The damping of every row: most, or less where the last unknown's coupling with the others outweighs the diagonals:
 * 1 / (1 + sum_k (sum of |a_kp| in the row) (sum of |a_pk|) / (a_kk a_pp)), a_kk and a_pp on the diagonal.  With `most`
 * everywhere smoothing diverges on coarse levels where cells are far longer along the flow than across it. */
struct block_damp_args { struct level_matrix a; float *damping; float most; };
ENTRY_KERNEL(block_damp, struct block_damp_args, a->a)  /* over n_padded */

/* to = from + damping D^-1 (b - A from); from: the coarse level's where it is prolonged. */
ENTRY_KERNEL(block_smooth, struct smooth_args, a->a)
ENTRY_KERNEL(block_smooth_prolonged, struct smooth_args, a->a)

/* As those of multigrid_kernels.h; over slices. */
ENTRY_KERNEL(block_krylov_product, struct krylov_args, a->a)
BLOCK_KERNEL(block_krylov_restrict, struct krylov_args, a->a.block)
BLOCK_KERNEL(block_krylov_combine, struct krylov_args, a->a.block)
ENTRY_KERNEL(multigrid_steps, struct cycle_args, *a)    /* a CLUSTER_KERNEL */

KERNEL(block_dense_invert, struct dense_args)           /* over 1 slice */
enum { DENSE_UNKNOWNS = 144 };
#endif
