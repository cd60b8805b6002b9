/* Kernels of the prefix sums (scan.h). */
#include "gpu/scan.h"

#define LANE (w * WARP + t)
#define COUNT(i) ((i) < a->scan.n ? a->scan.count[i] : 0)

SLICE_KERNEL(scan_sums, struct scan_part_args)
{
    SHARED(int32_t, v, SLICE);
    PHASE(w) LANES(t) v[LANE] = COUNT(ROW(b, w, t));
    int32_t all = slice_scan(v);
    ONCE a->before[b] = all;
}

SLICE_KERNEL(scan_parts, struct scan_part_args)
{
    SHARED(int32_t, v, SLICE);
    int64_t before = 0;
    (void)b;
    for (int64_t first = 0; first < a->n_parts; first += SLICE) {
        PHASE(w) LANES(t) v[LANE] = first + LANE < a->n_parts ? (int32_t)a->before[first + LANE] : 0;
        int32_t all = slice_scan(v);
        PHASE(w) LANES(t) if (first + LANE < a->n_parts) a->before[first + LANE] = before + v[LANE];
        before += all;
    }
    ONCE a->before[a->n_parts] = before;
}

SLICE_KERNEL(scan_offsets, struct scan_part_args)
{
    SHARED(int32_t, v, SLICE);
    PHASE(w) LANES(t) v[LANE] = COUNT(ROW(b, w, t));
    slice_scan(v);
    PHASE(w) LANES(t) {
        int64_t i = ROW(b, w, t), offset = (a->before[b] + v[LANE]) * a->scan.step;
        if (i < a->scan.n && a->scan.offset32) a->scan.offset32[i] = (int32_t)offset;
        if (i < a->scan.n && a->scan.offset64) a->scan.offset64[i] = offset;
    }
    if (b == a->n_parts - 1) ONCE {
        int64_t offset = a->before[a->n_parts] * a->scan.step;
        if (a->scan.offset32) a->scan.offset32[a->scan.n] = (int32_t)offset;
        if (a->scan.offset64) a->scan.offset64[a->scan.n] = offset;
    }
}
