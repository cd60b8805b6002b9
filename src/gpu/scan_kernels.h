/* scan_kernels.h: private to scan.c and scan.cu. */
#ifndef POISE_SCAN_KERNELS_H
#define POISE_SCAN_KERNELS_H
#include "gpu/scan.h"

/* before: [slices + 1] for every slice of counts the sum of all counts in the slices before it. */
struct scan_part_args { struct scan_args scan; int64_t *before; int64_t n_parts; };
KERNEL(scan_sums, struct scan_part_args)                /* over slices of counts: their sums */
KERNEL(scan_parts, struct scan_part_args)               /* over 1 slice: each slice's sum becomes the sum before it */
KERNEL(scan_offsets, struct scan_part_args)             /* over slices of counts */
#endif
