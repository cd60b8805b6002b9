/* Prefix sums on the device: the host's side (scan.h). */
#include "gpu/scan.h"
#include "gpu/device.h"

int64_t *scan_there(const struct scan_args *a, int64_t *work)
{
    int64_t n_parts = (a->n + SLICE - 1) / SLICE;
    struct scan_part_args p = {*a, work, n_parts};
    scan_sums(&p, n_parts);
    scan_parts(&p, 1);
    scan_offsets(&p, n_parts);
    return p.before + n_parts;
}

int64_t scan_with(const struct scan_args *a, int64_t *work)
{
    int64_t all;
    device_download(&all, scan_there(a, work), sizeof all);
    return all * a->step;
}

int64_t scan(const struct scan_args *a)
{
    int64_t *work = device_alloc((size_t)(a->n / SLICE + 2) * sizeof *work, "offsets");
    int64_t all = scan_with(a, work);
    device_free(work);
    return all;
}
