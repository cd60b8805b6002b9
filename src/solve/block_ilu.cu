/* Incomplete LU smoothing of multigrid on block matrices (block_kernels.h). */
#include "solve/block_kernels.h"
#include "solve/block_row.h"

/* Is the position of this lane in level l; are any of this warp? */
#define IN_LEVEL(s, l) (w * WARP + t >= (s).begin[l] && w * WARP + t < (s).begin[(l) + 1])
#define MEETS_LEVEL(s, l) ((w + 1) * WARP > (s).begin[l] && w * WARP < (s).begin[(l) + 1])

#define BODY "solve/block_ilu_body.h"
#include "solve/for_each_block.h"
