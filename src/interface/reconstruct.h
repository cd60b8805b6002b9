/* reconstruct.h: kernels of interface_reconstruct(); private to interface.c and reconstruct.cu. */
#ifndef POISE_INTERFACE_RECONSTRUCT_H
#define POISE_INTERFACE_RECONSTRUCT_H
#include "interface/geometry.h"

struct reconstruct_args {
    struct geometry g;
    const double *fraction;
    double *normal, *offset, *area, *centroid, *moment, *distance;
    int32_t *mark, *band_mark, *seed, *place, *cell, *band;
    double far;
    double *new_normal;             /* [dim pitch] of the fits, which read the old ones */
    const double *shape;            /* [dim (dim + 1) / 2 pitch] */
};
KERNEL(mark_cut, struct reconstruct_args)               /* over cells: marks, distance outside the band, seeds: these
                                                           and their near cells form the band */
KERNEL(mark_band, struct reconstruct_args)              /* over cells and ghosts, from the seeds */
KERNEL(leave_band, struct reconstruct_args)             /* over the last band, from the new marks: removes facets of
                                                           cells that are no longer cut, and normals outside the band */
KERNEL(list_cut, struct reconstruct_args)               /* over cells, from marks and places */
KERNEL(list_band, struct reconstruct_args)
/* Over the list of cut cells, like all below except distance_to_pieces: */
KERNEL(first_normal, struct reconstruct_args)
KERNEL(place_plane, struct reconstruct_args)            /* offset, area, centroid, moments */
KERNEL(distance_to_pieces, struct reconstruct_args)     /* over the list of the band */
KERNEL(normal_from_distance, struct reconstruct_args)
KERNEL(normal_from_pieces, struct reconstruct_args)
#endif
