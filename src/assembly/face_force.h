/* face_force.h: forces of models at faces, balanced by pressure differences (Francois et al. 2006). */
#ifndef POISE_FACE_FORCE_H
#define POISE_FACE_FORCE_H
#include "assembly/stencil.h"

struct face_force {
    double *value;              /* [n_faces] in the units of g (p_N - p_P), from owner to neighbour; at boundary faces
                                   of g (p_f - p_P) */
    int acts;                   /* 0: there is no force, and value is not read */
};

/* For kernel bodies: the force at face f, and the pressure difference from owner to neighbour that balances it. */
ON_DEVICE double force_at(const struct face_force *a, int64_t f) { return a->acts ? a->value[f] : 0.0; }
ON_DEVICE double force_step(const struct stencil *s, const struct face_force *a, int64_t f)
{
    return a->acts ? a->value[f] / s->g[f] : 0.0;
}
#endif
