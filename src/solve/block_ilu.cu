/* Incomplete LU smoothing of multigrid on blocks (block_ilu.h). */
#include "solve/block_ilu.h"
#include "solve/block_row.h"

/* Is the position of this lane in level l; are any of this warp?  LANES_IF: on CUDA other lanes do nothing. */
#define IN_LEVEL(s, l) (w * WARP + t >= (s).begin[l] && w * WARP + t < (s).begin[(l) + 1])
#define MEETS_LEVEL(s, l) ((w + 1) * WARP > (s).begin[l] && w * WARP < (s).begin[(l) + 1])
#ifdef __CUDACC__
#define LANES_IF(condition) LANES(t) if (condition)
#else
#define LANES_IF(condition)
#endif

#define BODY "solve/block_ilu_body.h"
#include "solve/for_each_block.h"
