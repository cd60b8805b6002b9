/* scan.h: prefix sums (counts to offsets) on the device.  The numbers are integers, so the order of addition does not
 * matter. */
#ifndef POISE_SCAN_H
#define POISE_SCAN_H
#include "gpu/kernel.h"

/* offset[i] = step times the sum of the counts before i, for 0 <= i <= n, n >= 1; either offset may be NULL, and
 * offset32 may be the array of counts.  Returns offset[n]; waits. */
struct scan_args { const int32_t *count; int32_t *offset32; int64_t *offset64; int64_t n; int32_t step; };
int64_t scan(const struct scan_args *a);
/* The same inside a time step, without allocation.  work: [n / SLICE + 2]. */
int64_t scan_with(const struct scan_args *a, int64_t *work);
/* The same without a wait.  Returns the address, in work on the device, of the sum of the counts. */
int64_t *scan_there(const struct scan_args *a, int64_t *work);

/* Kernels, private to scan.c and scan.cu.  before: [slices + 1] for every slice of counts the sum of all counts in
 * previous slices. */
struct scan_part_args { struct scan_args scan; int64_t *before; int64_t n_parts; };
KERNEL(scan_sums, struct scan_part_args)                /* over slices of counts: their sums */
KERNEL(scan_parts, struct scan_part_args)               /* over 1 slice: each slice's sum becomes the sum of the
                                                           previous ones */
KERNEL(scan_offsets, struct scan_part_args)             /* over slices of counts */

/* For kernel bodies: each element of v, a SHARED array of SLICE numbers, becomes the sum of those before it; returns
 * the total. */
#if LANES_BRANCH
ON_DEVICE int32_t slice_scan(int32_t *v)
{
    int32_t own = v[SLICE_LANE], sum = own, all;
    for (int h = 1; h < SLICE; h *= 2) {
        int32_t before = SLICE_LANE >= h ? v[SLICE_LANE - h] : 0;
        BARRIER;
        v[SLICE_LANE] = sum = sum + before;
        BARRIER;
    }
    all = v[SLICE - 1];
    BARRIER;
    v[SLICE_LANE] = sum - own;
    BARRIER;
    return all;
}
#else
static inline int32_t slice_scan(int32_t *v)
{
    int32_t sum = 0;
    for (int i = 0; i < SLICE; i++) {
        int32_t own = v[i];
        v[i] = sum;
        sum += own;
    }
    return sum;
}
#endif
#endif
