/* boundary_setting.h: the conditions on the named parts of the boundary. */
#ifndef POISE_BOUNDARY_SETTING_H
#define POISE_BOUNDARY_SETTING_H
#include "assembly/boundary_kinds.h"
#include "case/case.h"

enum inlet_profile { PROFILE_UNIFORM, PROFILE_PARABOLIC, PROFILE_PARABOLOID, N_INLET_PROFILES };
/* Fluid that flows back in through an outlet has the given pressure minus its dynamic pressure, and a velocity normal
 * to the face; or the given pressure and the cell's velocity; or there is none (outlet_gate.h). */
enum backflow_rule { BACKFLOW_TOTAL, BACKFLOW_STATIC, BACKFLOW_NONE };
extern const char *const inlet_profile_words[N_INLET_PROFILES];

struct boundary_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    enum boundary_type type;
    struct value_setting velocity[3];   /* of the wall; inlet: maximum of the profile, unless `rated` */
    int velocity_length;        /* numbers given: 0 (none), 2 or 3; if any, must equal the mesh's dimension */
    /* Of a wall: about an axis through a point, in 2-D normal to the plane; speed in radians per time, right-handed. */
    struct { int given; double about[3], axis[3]; int about_length, axis_length; struct value_setting speed; } rotation;
    enum inlet_profile profile;
    struct value_setting flow_rate;     /* inlet: into the domain; mass per time where `weighed` */
    int rated;                  /* 1: flow_rate is given */
    struct value_setting mass_flow;     /* as read */
    int weighed;                /* 1: mass_flow is given, and flow_rate is equal to it */
    double entering_density;    /* of the fluid that enters, where `weighed`; set by the flow's check */
    struct value_setting total_pressure;
    int total;                  /* 1: it is given, and `pressure` is equal to it */
    struct value_setting pressure;      /* outlet; inlet with total_pressure */
    enum backflow_rule backflow;        /* outlet */
    char with[NAME_LENGTH];     /* periodic: the partner, "" = from the mesh file */
    struct value_setting fraction;      /* inlet, outlet: volume fraction of the second fluid in the inflow */
    double contact_angle;       /* wall, slip: degrees, measured inside the second fluid */
    char table[PATH_LENGTH];    /* of it there are the values already */
    struct named_value *scalar; /* values of scalars; scalar_setting_check() adds them to those of the scalars */
    int n_scalars;
    /* heat */
    struct value_setting temperature, heat_flux;        /* at outlets: of backflow; into the domain per area */
    int temperature_given, heat_flux_given;
    struct value_setting transfer[3];   /* coefficient, outside temperature */
    int n_transfer;
};
struct boundary_settings { struct boundary_setting *item; int n; };

/* NULL: no boundary has this name. */
const struct boundary_setting *boundary_setting_find(const struct boundary_settings *b, const char *name);

/* In boundary_kinds.c, next to the types that use its keys. */
extern const struct section boundary_section;
struct case_reader;
struct findings;
/* Also sets the types that follow from other keys. */
void boundary_setting_check(struct case_reader *r, struct boundary_settings *b);
/* Against the n patches of a mesh. */
void boundary_setting_check_mesh(const struct boundary_settings *b, struct case_place whole, const char *const *patch,
                                 int n, struct findings *f);
#endif
