/* buoyancy_setting.h: the settings of buoyancy: the scalar that the density depends on, and how. */
#ifndef POISE_BUOYANCY_SETTING_H
#define POISE_BUOYANCY_SETTING_H
#include "assembly/fluid_setting.h"
#include "flow/scalar_setting.h"
#include "interface/interface_setting.h"

struct buoyancy_setting {
    bool given;
    char scalar[NAME_LENGTH];
    double expansion, second_expansion; /* -(1 / density) d density / d scalar, of both fluids */
    double reference;           /* where the density equals fluid.density */
    int reference_given;        /* otherwise it is the scalar's initial value */
};

extern const struct section buoyancy_section;
struct case_reader;
/* Before other checks: density of both fluids, and density_law if it is an expression. */
void density_setting_check(struct case_reader *r, struct fluid_setting *fluid, struct second_fluid_setting *second,
                           const struct scalar_settings *scalars);
/* Also sets b by a density that depends on a scalar. */
void buoyancy_setting_check(struct case_reader *r, struct buoyancy_setting *b, const struct fluid_setting *fluid,
                            const struct second_fluid_setting *second, const struct scalar_settings *scalars);
#endif
