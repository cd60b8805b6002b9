/* collect.h: copies the interface data for a row of a table from the device to the host: only cells with second fluid,
 * and the band, not whole fields. */
#ifndef POISE_INTERFACE_COLLECT_H
#define POISE_INTERFACE_COLLECT_H
#include "gpu/kernel.h"
#include "interface/interface.h"

/* Some cells, ascending; cell NULL: all of 0 .. n - 1. */
struct cell_list { int32_t n; const int32_t *cell; };
static inline int32_t cell_at(const struct cell_list *l, int32_t i) { return l->cell ? l->cell[i] : i; }

/* On the host, [n_cells] of the whole mesh, in the solver's order; all zero before the first call.  With several ranks
 * only rank 0 has it: elsewhere the lists are empty and the arrays NULL. */
struct collected {
    struct cell_list filled, band;      /* cells whose fraction is not 0; the band */
    double *fraction;                   /* 0 elsewhere */
    double *distance;                   /* +-far outside of the band, as on the device */
    double *u;                          /* [dim n_cells] in filled cells; elsewhere undefined */
    double *value;                      /* [dim n_cells] work */
    int32_t *cell;                      /* [2 n_cells] memory of the lists */
};

/* From the current interface and velocity, [dim pitch] on the device.  Called by all ranks together. */
void interface_collect(const struct interface *i, const double *u, struct collected *to);
void collected_free(struct collected *c);

/* Kernels, private to collect.c and collect.cu. */
/* Cells whose fraction is not 0: mark_filled sets place to 1; list_filled makes the list from their positions in place,
 * [n_cells + 1]. */
struct collect_args { const double *fraction; int32_t *place, *cell; };
KERNEL(mark_filled, struct collect_args)                /* over cells */
KERNEL(list_filled, struct collect_args)                /* over cells */
struct gather_args { const double *from; const int32_t *cell; double *to; };
KERNEL(gather_cells, struct gather_args)                /* over a list: to[i] = from[cell[i]] */
#endif
