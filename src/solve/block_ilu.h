/* block_ilu.h: private to multigrid: incomplete LU smoothing on blocks.  In every slice of 512 rows by itself
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
#ifndef POISE_BLOCK_ILU_H
#define POISE_BLOCK_ILU_H
#include "solve/block_kernels.h"
#include "solve/slice_triangles.h"

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
