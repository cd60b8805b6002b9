/* transfer.h: fields of one mesh at the cells of another. */
#ifndef POISE_TRANSFER_H
#define POISE_TRANSFER_H
#include "mesh/mesh.h"

/* Both meshes are complete and outlive it; `from` has its cells as in its file (ORDERING_NONE). */
struct transfer {
    const struct mesh *from, *to;
    bool same;                  /* the meshes are identical but for the order of their cells */
    int32_t *cell;              /* [cells of to] same: the same cell; else the one with the nearest centre */
    uint8_t *outside;           /* [cells of to] its centre is outside the cells of `from`; NULL if same */
    int32_t n_outside;
    bool by_region;             /* gradients and extremes do not cross from one region of `from` to another; set by the
                                   owner */
    int64_t *start;             /* [vertices of from + 1] the cells at a vertex; NULL if same */
    int32_t *near;
};

/* The dimensions are the same.  A centre inside a cell of `from` is no farther from the nearest centre than that cell's
 * radius; so one at more than twice the radius of the cell found is outside. */
void transfer_create(struct transfer *t, const struct mesh *from, const struct mesh *to);
void transfer_free(struct transfer *t);
/* Distance from a cell's centre to its farthest vertex. */
double transfer_radius(const struct mesh *m, int32_t cell);
/* The gradient of component k of a field in a cell of `from`, by least squares over the cells that share a vertex, and
 * the extremes there.  value: component k of cell c at [c * components + k]. */
struct transfer_slope { double gradient[3], low, high; };
struct transfer_slope transfer_slope(const struct transfer *t, int32_t cell, const double *value, int components,
                                     int k);
/* A field at the centres of `to`: the same bits if the meshes are the same, else linear in every cell of `from`;
 * bounded: within the extremes of its neighbours.  The caller frees it.  Both in the layout above; vectors have 3
 * components, of which those beyond the dimension are 0. */
double *transfer_field(const struct transfer *t, const double *value, int components, bool bounded);
#endif
