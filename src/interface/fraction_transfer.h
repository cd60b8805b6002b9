/* fraction_transfer.h: the second fluid of a run on another mesh. */
#ifndef POISE_FRACTION_TRANSFER_H
#define POISE_FRACTION_TRANSFER_H
#include "mesh/transfer.h"

/* Fractions of the second fluid in the cells of t->to, in [0, 1], from those in the cells of t->from; the caller frees
 * them.  On the same mesh they are the same bits.  On another one the interface is a plane in every cut cell of `from`,
 * found as in interface.h by distances to the planes of near cells.  A cell of `to` near one of them is divided into
 * simplices, which are cut by the linear function through the distances of their corners from the nearest planes: a
 * plane interface keeps its place to rounding, a curved one to second order.  If both meshes fill the same space all
 * planes are shifted by the distance that keeps the volume.  Other cells have the fraction of the nearest cell. */
double *fraction_transfer(const struct transfer *t, const double *fraction);
#endif
