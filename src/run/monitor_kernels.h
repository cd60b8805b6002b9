/* monitor_kernels.h: private to sample.c, surface.c, wall_force.c and monitor_kernels.cu. */
#ifndef POISE_MONITOR_KERNELS_H
#define POISE_MONITOR_KERNELS_H
#include <stdbool.h>
#include "assembly/boundary.h"
#include "assembly/properties.h"
#include "assembly/stencil.h"

struct flow;

/* Everything needed for the density and viscosity in a cell and, with gravity, to add the hydrostatic pressure to the
 * pressure, which is solved without it (interface/forces.h). */
struct fluids {
    struct properties properties;
    double gravity[3];
    double bottom;              /* gravity . x at the lowest point of the mesh; with two fluids */
    bool falls;                 /* gravity is not zero */
};
struct fluids fluids_of(const struct flow *f);

struct sample_args {            /* one field, at the cells of this rank from which points are interpolated */
    struct stencil s;
    struct fluids fluids;
    int32_t n;
    int components;
    const int32_t *cell;        /* [n] */
    const double *point, *arm;  /* [dim n] the point; from the cell's centre to it */
    const double *value, *gradient;     /* as in struct field; the last may be NULL */
    bool falls;
    double *sampled;            /* [n components 3]: the cell's value, its change to the point, its weight */
};
KERNEL(sample_cells, struct sample_args)                /* over cells times components */

struct sample_walls_args {      /* given values at boundary faces of this rank */
    int32_t n, n_boundary;
    int components;
    const int32_t *wall;        /* [n] */
    const double *boundary;     /* as in struct field */
    const uint8_t *rule;
    double *sampled;            /* [n components 2]: the value, whether one is given */
};
KERNEL(sample_walls, struct sample_walls_args)          /* over faces times components */

struct face_args {              /* one field, at boundary faces */
    struct stencil s;
    struct fluids fluids;
    int32_t n;
    const int32_t *face;        /* [n] */
    const double *point;        /* [dim n] their centres; used with gravity */
    const double *value, *boundary;     /* as in struct field; no boundary: a face has its cell's value */
    bool falls;
    double *sampled;            /* [components n] */
};
KERNEL(sample_faces, struct face_args)                  /* over components times faces */

struct force_args {
    struct stencil s;
    struct boundary b;
    struct fluids fluids;
    const int32_t *face;        /* boundary faces */
    const double *point;        /* [dim n] their centres; used with gravity */
    const double *u, *grad_u;
    const double *wall;         /* [dim n_boundary], see reconstruction.h */
    int32_t n;
    double *force;              /* [2 dim n] pressure part, viscous part */
};
KERNEL(wall_forces, struct force_args)                  /* over the listed faces */
/* wall_force.c: force of the fluid on n boundary faces with centres [dim n], all on the device, from the fields at the
 * last fields_look(): force, on the device, and host, both [2 dim n]: pressure part, viscous part. */
void wall_force_of_faces(const struct flow *flow, const int32_t *face, const double *centre, int32_t n, double *force,
                         double *host);
#endif
