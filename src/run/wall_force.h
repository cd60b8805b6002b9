/* wall_force.h: force and moment of the fluid on boundaries, watched in forces/NAME.csv. */
#ifndef POISE_WALL_FORCE_H
#define POISE_WALL_FORCE_H
#include "flow/flow.h"
#include "run/run_setting.h"
#include "run/watch.h"

struct wall_force {
    const struct force_setting *set;
    struct watch watch;
    int dim;
    int32_t n;                  /* boundary faces of this rank */
    int32_t *start;             /* [boundaries of the setting + 1] where those of each begin */
    int32_t *face;              /* on the machine */
    double *on_device, *on_host;        /* [2 dim n] */
    double *arm;                /* [dim n] host: face centre - point that moments are about */
    double *centre;             /* [dim n] on the machine: face centre */
};

/* *f must be all zero.  place: of the setting, for messages.  Refused: a boundary that the mesh does not have;
 * wall_force_free() is due then, too. */
bool wall_force_create(struct wall_force *f, const struct force_setting *set, const struct mesh *m, const char *place,
                       struct error *e);
/* Adds the columns that the force has in a mesh of so many dimensions. */
void wall_force_columns(const struct force_setting *set, int dim, struct watch *w);
/* Force of the fluid on n boundary faces with these centres, [dim n], all on the machine, from the fields as they stood
 * at the last fields_look(): force, on the machine, and host, both [2 dim n]: by pressure, by friction. */
void wall_force_of_faces(const struct flow *flow, const int32_t *face, const double *centre, int32_t n, double *force,
                         double *host);
/* Puts the values into f->watch, from the fields as they stood at the last fields_look(). */
void wall_force_read(struct wall_force *f, const struct flow *flow);
void wall_force_free(struct wall_force *f);
#endif
