/* block_kernels.h: private to multigrid: its kernels on matrices of blocks of 2 to 5 rows.  Unless stated otherwise
 * they are launched over warps of the padded rows. */
#ifndef POISE_BLOCK_KERNELS_H
#define POISE_BLOCK_KERNELS_H
#include "solve/for_block.h"
#include "solve/multigrid_kernels.h"
#include "solve/slice_triangles.h"

/* The matrix of the last unknown, reduced to the entries that count for aggregation: those whose sign is opposite to
 * the row's diagonal; with a diagonal that dominates them. */
struct block_strength_args { struct matrix from; struct level_matrix to; };
KERNEL(block_strength, struct block_strength_args)

struct block_copy_args { struct matrix from; struct level_matrix to; };
BLOCK_KERNEL(block_copy, struct block_copy_args, a->to.block)   /* val, diag, row sums of a level on the same pattern */
struct block_sum_args { struct level_matrix fine, coarse; struct aggregation g; };
ENTRY_KERNEL(block_sum, struct block_sum_args, a->fine) /* the same for the next level: sums over children; over
                                                           coarse_padded */
/* inverse = diag^-1; not finite where there is none; over n_padded. */
struct block_invert_args { int32_t block; const float *diag; float *inverse; };
BLOCK_KERNEL(block_invert, struct block_invert_args, a->block)

/* The damping of every row: at most `most`, less where the last unknown's coupling with the others outweighs the
 * diagonals: 1 / (1 + sum_k (sum of |a_kp| in the row) (sum of |a_pk|) / (a_kk a_pp)), with a_kk and a_pp on the
 * diagonal.  With `most` everywhere smoothing diverges on coarse levels whose cells are much longer along the flow than
 * across it. */
struct block_damp_args { struct level_matrix a; float *damping; float most; };
ENTRY_KERNEL(block_damp, struct block_damp_args, a->a)  /* over n_padded */

/* to = from + damping D^-1 (b - A from); from: the prolonged coarse solution if parents are given. */
ENTRY_KERNEL(block_smooth, struct smooth_args, a->a)
ENTRY_KERNEL(block_smooth_prolonged, struct smooth_args, a->a)

/* As in multigrid_kernels.h; over slices. */
ENTRY_KERNEL(block_krylov_product, struct krylov_args, a->a)
BLOCK_KERNEL(block_krylov_restrict, struct krylov_args, a->a.block)
BLOCK_KERNEL(block_krylov_combine, struct krylov_args, a->a.block)
ENTRY_KERNEL(multigrid_steps, struct cycle_args, *a)    /* a CLUSTER_KERNEL */

KERNEL(block_dense_invert, struct dense_args)           /* over 1 slice */
enum { DENSE_UNKNOWNS = 144 };

/* Incomplete LU smoothing on blocks.  In every slice of 512 rows separately
 *     A = (D + L) D^-1 (D + U) - R,
 * with L and U the triangles of A (slice_triangles.h), and D such that the diagonal of the right-hand side is that of
 * A: d_i = a_ii - sum of a_ij d_j^-1 a_ji over the earlier rows j.  If no two neighbours of a row are neighbours, as on
 * quadrilaterals and hexahedra, this is ILU(0); otherwise it omits the changes of other entries (Saad 2003, section
 * 10.3.2: D-ILU).
 *
 * Alternatively with approximate inverses of the two triangles (incomplete sparse approximate inverses, Anzt et al.
 * 2018; for blocks: Ma et al. 2021): I + N instead of (I + D^-1 L)^-1, where N has the pattern of L and
 *     (I + N) (I + D^-1 L) = I  where L has entries,
 * and the same for U: two products instead of two solves row after row. */
struct block_factor_args { struct level_matrix a; struct slice_triangles s; float *inverse; };
ENTRY_KERNEL(block_triangles, struct block_factor_args, a->a)       /* values of the triangles; over warps */
BLOCK_KERNEL(block_factor, struct block_factor_args, a->a.block)    /* then inverse = D^-1, by position; over slices */

/* to = from + omega (the right-hand side above)^-1 (b - A from); s: as for block_smooth(), with s.inverse = D^-1; over
 * slices. */
struct block_ilu_args { struct smooth_args s; struct slice_triangles t; };
ENTRY_KERNEL(block_ilu, struct block_ilu_args, a->s.a)
ENTRY_KERNEL(block_ilu_prolonged, struct block_ilu_args, a->s.a)

/* approximate = N of both triangles; over n_padded. */
BLOCK_KERNEL(block_approximate, struct block_factor_args, a->a.block)
/* block_ilu() and block_ilu_prolonged() with approximate inverses. */
ENTRY_KERNEL(block_isai, struct block_ilu_args, a->s.a)
ENTRY_KERNEL(block_isai_prolonged, struct block_ilu_args, a->s.a)
#endif
