/* collect_kernels.h: private to collect.c and collect.cu. */
#ifndef POISE_INTERFACE_COLLECT_KERNELS_H
#define POISE_INTERFACE_COLLECT_KERNELS_H
#include "gpu/kernel.h"

/* Cells whose fraction is not 0: 1 into place; then, with their positions in the list in place, [n_cells + 1], the
 * list. */
struct collect_args { const double *fraction; int32_t *place, *cell; };
KERNEL(mark_filled, struct collect_args)                /* over cells */
KERNEL(list_filled, struct collect_args)                /* over cells */
struct gather_args { const double *from; const int32_t *cell; double *to; };
KERNEL(gather_cells, struct gather_args)                /* over a list: to[i] = from[cell[i]] */
#endif
