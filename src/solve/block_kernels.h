/* block_kernels.h: private to multigrid: its kernels on matrices of blocks of 2 to 5 rows.  Unless another count is
 * named, they are launched over warps of the padded rows. */
#ifndef POISE_BLOCK_KERNELS_H
#define POISE_BLOCK_KERNELS_H
#include "solve/for_block.h"
#include "solve/multigrid_kernels.h"
#include "solve/slice_triangles.h"

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

/* Incomplete LU smoothing on blocks.  In every slice of 512 rows by itself
 *     A = (D + L) D^-1 (D + U) - R,
 * L and U being the triangles of A (slice_triangles.h), and D what makes the right side's diagonal that of A:
 * d_i = a_ii - sum of a_ij d_j^-1 a_ji over the earlier rows j.  Where no two neighbours of a row are neighbours, as on
 * quadrilaterals and hexahedra, that is ILU(0); elsewhere it leaves the changes of other entries out (Saad 2003,
 * section 10.3.2: D-ILU).
 *
 * Or by approximate inverses of its two triangles (incomplete sparse approximate inverses, Anzt et al. 2018; of blocks:
 * Ma et al. 2021): I + N in place of (I + D^-1 L)^-1, N having the pattern of L and
 *     (I + N) (I + D^-1 L) = I  where L has entries,
 * and the same for U: two products in place of two solves, row after row. */
struct block_factor_args { struct level_matrix a; struct slice_triangles s; float *inverse; };
ENTRY_KERNEL(block_triangles, struct block_factor_args, a->a)       /* values of the triangles; over warps */
BLOCK_KERNEL(block_factor, struct block_factor_args, a->a.block)    /* then inverse = D^-1, by position; over slices */

/* to = from + omega (the right side)^-1 (b - A from); s: as of block_smooth(), s.inverse being D^-1; over slices. */
struct block_ilu_args { struct smooth_args s; struct slice_triangles t; };
ENTRY_KERNEL(block_ilu, struct block_ilu_args, a->s.a)
ENTRY_KERNEL(block_ilu_prolonged, struct block_ilu_args, a->s.a)

/* approximate = the N of both triangles; over n_padded. */
BLOCK_KERNEL(block_approximate, struct block_factor_args, a->a.block)
/* block_ilu() and block_ilu_prolonged() by them. */
ENTRY_KERNEL(block_isai, struct block_ilu_args, a->s.a)
ENTRY_KERNEL(block_isai_prolonged, struct block_ilu_args, a->s.a)
#endif
