/* Kernels of the Krylov steps inside a multigrid cycle (multigrid_krylov_body.h). */
#include "solve/multigrid_krylov_body.h"

SLICE_KERNEL(multigrid_krylov_product, struct krylov_args) { krylov_product(a, b, 8, 0); }
SLICE_KERNEL(multigrid_krylov_restrict, struct krylov_args) { krylov_restrict(a, 1, b, 0); }
SLICE_KERNEL(multigrid_krylov_combine, struct krylov_args) { krylov_combine(a, 1, b, 0); }
