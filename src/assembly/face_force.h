/* face_force.h: the force that models put on faces, which differences of pressure balance (Francois et al. 2006). */
#ifndef POISE_FACE_FORCE_H
#define POISE_FACE_FORCE_H
#include "assembly/stencil.h"

struct face_force {
    double *value;              /* [n_faces] as g (p_N - p_P), from owner to neighbour; at boundary faces as
                                   g (p_f - p_P) */
    int acts;                   /* 0: there is no force, and value is not read */
};

/* For kernel bodies: the force of face f, and the difference of pressures, from owner to neighbour, that balances
 * it. */
ON_DEVICE double force_at(const struct face_force *a, int64_t f) { return a->acts ? a->value[f] : 0.0; }
ON_DEVICE double force_step(const struct stencil *s, const struct face_force *a, int64_t f)
{
    return a->acts ? a->value[f] / s->g[f] : 0.0;
}
#endif
