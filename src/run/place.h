/* place.h: a location in the flow, measured for messages: the mesh around it and the speed of the flow. */
#ifndef POISE_PLACE_H
#define POISE_PLACE_H
#include "flow/flow.h"

struct place {
    const struct mesh *m;       /* the whole mesh */
    int32_t cell;               /* in the solver's order */
    int age;                    /* age in steps of the velocity that was read; newer ones are not finite */
    double speed;               /* |u| there; NaN: no velocity could be read */
    double size;                /* of the cell: volume^(1/dim) */
    double viscosity;           /* kinematic, of the fluid in the cell */
    double peclet;              /* speed size / viscosity, of the cell */
    struct mesh_quality mesh;   /* of the cells at most two cells away */
    const struct patch *outlet; /* an outlet that one of these cells touches; NULL: none */
};

/* Inflow through an outlet. */
struct inflow {
    const struct patch *through;        /* NULL: through none */
    double share;               /* inflow over inflow plus outflow there */
};

/* Whether this boundary of the mesh is an outlet: with a given pressure, and not there to let fluid in. */
bool place_is_outlet(const struct flow_setting *c, const struct patch *p);
/* Measures at the fastest cell of all ranks, which call it together.  velocity: n arrays on the device, laid out as
 * f->u, the newest first; the first one that is finite everywhere is read.  If none is, the location is the first cell
 * that is not finite in the newest.  limit: the largest speed used for the Peclet number, since a flow that diverges is
 * faster than it should be; 0: no limit. */
void place_of_fastest(struct place *p, const struct flow *f, const struct mesh *m, const double *const *velocity, int n,
                      double limit);
/* Measures at the given cell, numbered in the whole mesh, where the velocity is `speed`. */
void place_at(struct place *p, const struct flow *f, const struct mesh *m, int32_t cell, double speed, double limit);
/* The first rank with the largest number of all; all ranks together. */
int place_rank(double number);
/* "cell 12 at (0.5, 0.25)", the cell as the mesh file numbers it. */
void place_name(const struct place *p, char *text, size_t size);
#endif
