/* Kernels of multigrid's block-Jacobi smoothing, by the number of entries in registers (multigrid_smooth_body.h). */
#include "solve/multigrid_smooth_body.h"

INDEX_KERNEL(multigrid_prolong, struct smooth_args) { a->to[i] = guess_of(a, a->parent[i]); }

CROWDED_SLICE_KERNEL(multigrid_smooth, struct smooth_args, 3) { smoothing(a, b, false, USUAL_KEPT, 0); }
CROWDED_SLICE_KERNEL(multigrid_smooth_prolonged, struct smooth_args, 3) { smoothing(a, b, true, USUAL_KEPT, 0); }
CROWDED_SLICE_KERNEL(multigrid_smooth_short, struct smooth_args, 4) { smoothing(a, b, false, SHORT_KEPT, 0); }
CROWDED_SLICE_KERNEL(multigrid_smooth_prolonged_short, struct smooth_args, 4) { smoothing(a, b, true, SHORT_KEPT, 0); }
CROWDED_SLICE_KERNEL(multigrid_smooth_long, struct smooth_args, 2) { smoothing(a, b, false, LONG_KEPT, 0); }
CROWDED_SLICE_KERNEL(multigrid_smooth_prolonged_long, struct smooth_args, 2) { smoothing(a, b, true, LONG_KEPT, 0); }
SLICE_KERNEL(multigrid_smooth_few, struct smooth_args) { smoothing(a, b, false, MOST_KEPT, 0); }
SLICE_KERNEL(multigrid_smooth_prolonged_few, struct smooth_args) { smoothing(a, b, true, MOST_KEPT, 0); }
