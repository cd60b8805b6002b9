/* boundary_kinds.h: the table of boundary types: which rule every field gets at the faces of each, whether flux
 * passes, what the case must give.  Kernels see the rules; nothing outside boundary_kinds.c asks for a type. */
#ifndef POISE_BOUNDARY_KINDS_H
#define POISE_BOUNDARY_KINDS_H
#include <stdbool.h>

enum boundary_type { BOUNDARY_WALL, BOUNDARY_INLET, BOUNDARY_OUTLET, BOUNDARY_SYMMETRY, BOUNDARY_SLIP,
                     BOUNDARY_PERIODIC, N_BOUNDARY_TYPES };

/* How the value of a field x at a boundary face follows from the cell P that has the face. */
enum face_rule {
    RULE_VALUE,                 /* given */
    RULE_GRADIENT,              /* its derivative along the normal is given: zero, unless the field says otherwise */
    RULE_MIXED,                 /* a x_P + b, with a and b given: a flux in proportion to a difference */
    RULE_EXTRAPOLATED,          /* from the cell and its gradient: x_P + grad x . r, r from the centre to the face */
    RULE_SLIP                   /* of a vector: x_P without its part along the normal, which is zero at the
                                   face; what is parallel to the face feels no friction */
};
/* How the volume flux through a boundary face is known. */
enum flux_rule {
    FLUX_NONE,
    FLUX_GIVEN,                 /* by the velocity given there */
    FLUX_FREE                   /* an unknown of the equations, which the given pressure drives */
};
/* The angle at which the interface between two fluids meets a boundary: none where the interface leaves through it. */
enum contact_rule { CONTACT_NONE, CONTACT_RIGHT_ANGLE, CONTACT_GIVEN };

struct boundary_kind {
    enum face_rule velocity, pressure, scalar;  /* scalar: unless the case gives a value, flux or coefficient */
    enum flux_rule flux;
    enum contact_rule contact;
    bool needs_velocity;        /* `check` refuses a case that does not give it */
    bool needs_scalar;          /* likewise the value of every scalar */
    bool plane;                 /* its faces must lie in planes */
    bool joined;                /* periodic: its faces have become internal faces, and no rule counts */
};
extern const struct boundary_kind boundary_kinds[N_BOUNDARY_TYPES];
extern const char *const boundary_type_words[N_BOUNDARY_TYPES];

static inline bool boundary_is_joined(enum boundary_type t) { return boundary_kinds[t].joined; }
static inline bool boundary_gives_pressure(enum boundary_type t)
{
    return !boundary_kinds[t].joined && boundary_kinds[t].pressure == RULE_VALUE;
}
static inline bool boundary_gives_flux(enum boundary_type t)
{
    return !boundary_kinds[t].joined && boundary_kinds[t].flux == FLUX_GIVEN;
}
static inline bool boundary_passes_flux(enum boundary_type t)
{
    return !boundary_kinds[t].joined && boundary_kinds[t].flux != FLUX_NONE;
}
#endif
