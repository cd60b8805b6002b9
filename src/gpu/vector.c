#include "gpu/vector.h"
#include "gpu/device.h"
#include "gpu/reduce_args.h"

double reduce(enum reduction how, const double *x, const double *y, int64_t n_padded)
{
    int32_t n = (int32_t)(n_padded / SLICE);
    double result = 0, *partial = device_alloc((size_t)(n + 1) * sizeof *partial, "reduction");
    struct reduce_args first = {x, y, partial, how};
    reduce_slices(&first, n);
    struct finish_args second = {partial, partial + n, n};
    (how == REDUCE_ABS_MAX ? finish_max : finish_sum)(&second, 1);
    device_download(&result, partial + n, sizeof result);
    device_free(partial);
    return result;
}
