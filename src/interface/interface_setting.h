/* interface_setting.h: the second fluid and its interface, and the velocity that may be prescribed for it. */
#ifndef POISE_INTERFACE_SETTING_H
#define POISE_INTERFACE_SETTING_H
#include <stdbool.h>
#include "assembly/boundary_setting.h"
#include "assembly/fluid_setting.h"
#include "case/case.h"
#include "interface/shape_setting.h"

enum prescribed_field { PRESCRIBED_VORTEX, PRESCRIBED_ROTATION, PRESCRIBED_SHEAR, PRESCRIBED_DEFORMATION };
enum { N_PRESCRIBED_FIELDS = 4 };
extern const char *const prescribed_field_words[N_PRESCRIBED_FIELDS];

/* Fluid 2, e.g. the bubble, the drop, the water of a dam break; described by the shapes.  given: the case is
 * two-phase. */
struct second_fluid_setting {
    bool given;
    double density, viscosity, surface_tension;
    struct value_setting density_value; /* as of struct fluid_setting */
    struct property_setting density_law;
    struct value_setting surface_tension_value; /* as given: a number or an expression, */
    struct property_setting tension_law;        /* with which `surface_tension` is the largest one in the range */
    double surface_tension_slope;       /* d surface_tension / d temperature; 0: constant */
    double heat_capacity, conductivity, expansion;      /* as those of the first fluid; 1 each: given */
    struct value_setting heat_capacity_value, conductivity_value;       /* as of struct fluid_setting */
    struct property_setting heat_capacity_law, conductivity_law;
    int heat_capacity_given, conductivity_given, expansion_given;
    double tension_reference;           /* temperature at which it is surface_tension; set by the flow's check */
    struct value_setting viscosity_value;       /* as of struct fluid_setting */
    struct viscosity_setting viscosity_model;
};
static inline bool tension_varies(const struct second_fluid_setting *s)
{
    return s->surface_tension_slope != 0 || s->tension_law.given;
}

struct interface_setting {
    double given_curvature;     /* instead of the computed one, if curvature_given: for tests of balance */
    int curvature_given;
};
struct prescribed_setting {     /* algorithm advection: the velocity */
    bool given;
    enum prescribed_field field;
    double period;              /* the velocity is multiplied by cos(pi t / period); 0: it is steady */
    struct case_place place;
};

struct given_list;
/* The case data used by the interface; members may be NULL if absent. */
struct interface_inputs {
    const struct fluid_setting *fluid;          /* the first one */
    const double *gravity;                      /* [3] its gravity, as far as the hydrostatic pressure balances it */
    const struct second_fluid_setting *second_fluid;
    const struct interface_setting *interface;
    const struct boundary_settings *boundary;
    struct given_list *given;                   /* the inflow's fractions are added to it; NULL: they are 0 */
    bool returns;                               /* interface_return() is called */
};

extern const struct section second_fluid_section, interface_section, prescribed_section;
extern const struct condition with_second_fluid; /* for defaults */
struct case_reader;
/* Sets `given`. */
void second_fluid_setting_check(struct case_reader *r, struct second_fluid_setting *s,
                                const struct shape_settings *shapes, const struct boundary_settings *boundary);
void prescribed_setting_check(struct case_reader *r, struct prescribed_setting *p);
#endif
