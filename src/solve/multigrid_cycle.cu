/* The Krylov steps inside a multigrid cycle, and all steps of a cycle on scalar matrices in one launch. */
#include "solve/multigrid_krylov_body.h"
#include "solve/multigrid_smooth_body.h"

SLICE_KERNEL(multigrid_krylov_product, struct krylov_args) { krylov_product(a, b, 8, 0); }
SLICE_KERNEL(multigrid_krylov_restrict, struct krylov_args) { krylov_restrict(a, 1, b, 0); }
SLICE_KERNEL(multigrid_krylov_combine, struct krylov_args) { krylov_combine(a, 1, b, 0); }

#define N 1
#define OF(name) name##_1
ON_DEVICE void smooth_slice_1(const struct smooth_args *a, int64_t b, const bool prolonged, const int32_t awaited)
{
    smoothing(a, b, prolonged, MOST_KEPT, awaited);
}
ON_DEVICE void product_of_slice_1(const struct krylov_args *a, int64_t b, const int32_t awaited)
{
    krylov_product(a, b, MOST_KEPT, awaited);
}
#include "solve/multigrid_steps_body.h"
