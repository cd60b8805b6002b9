#include "gpu/device.h"
#include "gpu/scan_kernels.h"

int64_t scan(const struct scan_args *a)
{
    int64_t n_parts = (a->n + SLICE - 1) / SLICE, all;
    struct scan_part_args p = {*a, device_alloc((size_t)(n_parts + 1) * sizeof(int64_t), "offsets"), n_parts};
    scan_sums(&p, n_parts);
    scan_parts(&p, 1);
    scan_offsets(&p, n_parts);
    device_download(&all, p.before + n_parts, sizeof all);
    device_free(p.before);
    return all * a->step;
}
