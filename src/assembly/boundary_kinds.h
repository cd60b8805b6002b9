/* boundary_kinds.h: the table of boundary types: which rule each field has at their faces, whether there is a flux,
 * what the case must give.  Kernels use the rules; no code outside boundary_kinds.c tests for a type. */
#ifndef POISE_BOUNDARY_KINDS_H
#define POISE_BOUNDARY_KINDS_H
#include <stdbool.h>

/* The types that a case names; then those that boundary_setting_check() makes of them. */
enum boundary_type { BOUNDARY_WALL, BOUNDARY_INLET, BOUNDARY_OUTLET, BOUNDARY_SYMMETRY, BOUNDARY_SLIP,
                     BOUNDARY_PERIODIC, N_NAMED_TYPES,
                     BOUNDARY_PRESSURE_INLET = N_NAMED_TYPES,   /* an inlet with total_pressure */
                     N_BOUNDARY_TYPES };

/* How the value of a field x at a boundary face follows from the cell P that has the face. */
enum face_rule {
    RULE_VALUE,                 /* given */
    RULE_GRADIENT,              /* its derivative along the normal is given: zero, unless the field says otherwise */
    RULE_MIXED,                 /* a x_P + b, with a and b given: a flux in proportion to a difference */
    RULE_EXTRAPOLATED,          /* from the cell and its gradient: x_P + grad x . r, r from the cell's centre to the
                                   face */
    RULE_SLIP                   /* for vectors: x_P without its normal component, which is zero at the face; no friction
                                   parallel to the face */
};
/* What determines the volume flux through a boundary face. */
enum flux_rule {
    FLUX_NONE,
    FLUX_GIVEN,                 /* by the velocity given there */
    FLUX_FREE                   /* an unknown, driven by the given pressure */
};
/* The angle between a boundary and the interface of two fluids; none where the interface leaves through the
 * boundary. */
enum contact_rule { CONTACT_NONE, CONTACT_RIGHT_ANGLE, CONTACT_GIVEN };

struct boundary_kind {
    enum face_rule velocity, pressure, scalar;  /* scalar: unless the case gives a value, flux or coefficient */
    enum flux_rule flux;
    enum contact_rule contact;
    bool needs_velocity;        /* given as such, or by a flow rate */
    bool feeds;                 /* fluid enters at a given pressure */
    bool needs_scalar;          /* likewise the value of every scalar */
    bool plane;                 /* its faces must lie in planes */
    bool joined;                /* periodic: its faces have become internal faces, no rule applies */
};
extern const struct boundary_kind boundary_kinds[N_BOUNDARY_TYPES];
extern const char *const boundary_type_words[N_BOUNDARY_TYPES];

static inline bool boundary_is_joined(enum boundary_type t) { return boundary_kinds[t].joined; }
static inline bool boundary_gives_pressure(enum boundary_type t)
{
    return !boundary_kinds[t].joined && boundary_kinds[t].pressure == RULE_VALUE;
}
static inline bool boundary_feeds(enum boundary_type t) { return boundary_kinds[t].feeds; }
static inline bool boundary_gives_flux(enum boundary_type t)
{
    return !boundary_kinds[t].joined && boundary_kinds[t].flux == FLUX_GIVEN;
}
static inline bool boundary_passes_flux(enum boundary_type t)
{
    return !boundary_kinds[t].joined && boundary_kinds[t].flux != FLUX_NONE;
}
#endif
