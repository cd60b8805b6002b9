/* advance.h: kernels of interface_advance() and of the sums over the second fluid; private to advance.c, advance.cu and
 * interface.c. */
#ifndef POISE_INTERFACE_ADVANCE_H
#define POISE_INTERFACE_ADVANCE_H
#include "gpu/sums.h"
#include "interface/geometry.h"

struct interface;

struct advance_args {
    struct geometry g;
    const double *flux, *u, *grad_u, *normal, *offset, *area, *inflow_fraction;
    const int32_t *cell, *mark, *band_mark, *open;
    const uint8_t *velocity_rule, *flux_rule;           /* of boundary faces; NULL: no contact angles */
    double *fraction, *carried, *excess, *ledger;
    struct sums sums;
    double dt;
};
KERNEL(face_volumes, struct advance_args)               /* over faces: carried, as if no cell were cut */
KERNEL(cut_volumes, struct advance_args)                /* over most_faces times the list of cut cells: carried */
KERNEL(cut_volumes_of_ghosts, struct advance_args)      /* over most_faces times the ghosts of neighbours */
KERNEL(find_excess, struct advance_args)                /* over the list of cut cells: overfilled volume */
KERNEL(pass_excess, struct advance_args)                /* over the same list, after find_excess */
KERNEL(pass_excess_of_copies, struct advance_args)      /* over ghosts, to own cells */
KERNEL(update_fraction, struct advance_args)            /* over cells: new fractions, not yet bounded to [0, 1] */
/* Over slices.  Sum 0: volume of second fluid, fractions bounded to [0, 1]; sum 1: volume * fraction * (1 - fraction),
 * the weights of redistribution; sum 2: outflow from the domain. */
KERNEL(sum_volumes, struct advance_args)
KERNEL(settle_ledger, struct advance_args)              /* over 1: volume to be redistributed */
KERNEL(redistribute, struct advance_args)               /* over cells */
/* Over slices.  Sum 0: area of the facets; maxima 1 and 2: of fraction and of 1 - fraction. */
KERNEL(sum_pieces, struct advance_args)

/* Initialises the ledger with the volume of the current fractions. */
void interface_open_ledger(struct interface *i);
#endif
