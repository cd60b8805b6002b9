/* wall_force.h: force of the fluid on boundary faces. */
#ifndef POISE_WALL_FORCE_H
#define POISE_WALL_FORCE_H
#include "flow/flow.h"

/* Force of the fluid on n boundary faces with these centres, [dim n], all on the machine, from the fields as they stood
 * at the last fields_look(): force, on the machine, and host, both [2 dim n]: by pressure, by friction. */
void wall_force_of_faces(const struct flow *flow, const int32_t *face, const double *centre, int32_t n, double *force,
                         double *host);
#endif
