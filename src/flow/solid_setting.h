/* solid_setting.h: the solids, regions of the mesh that conduct heat and do not flow: solids.NAME. */
#ifndef POISE_SOLID_SETTING_H
#define POISE_SOLID_SETTING_H
#include "assembly/boundary_setting.h"
#include "assembly/property_setting.h"
#include "case/case.h"
#include "flow/scalar_setting.h"
#include "flow/source_setting.h"

struct solid_setting {
    char name[NAME_LENGTH];     /* of the region */
    struct case_place place;
    double density, heat_capacity, conductivity;
    struct value_setting heat_capacity_value, conductivity_value;       /* as of a fluid */
    struct property_setting heat_capacity_law, conductivity_law;
    double contact_resistance;  /* at all of its surface inside the mesh */
};
struct solid_settings { struct solid_setting *item; int n; };

extern const struct section solid_section;
struct case_reader;
struct findings;
/* heat: the case has a temperature.  Adds the surface of each solid to the boundaries of the flow, as a wall at rest,
 * unless the case has a boundary of that name. */
void solid_setting_check(struct case_reader *r, const struct solid_settings *all, struct boundary_settings *b,
                         bool heat);
/* Solids are regions of the mesh; scalars and forces are not in them. */
void solid_setting_check_mesh(const struct solid_settings *all, const struct scalar_settings *scalars,
                              const struct source_settings *sources, struct findings *f);
/* NULL: the region is not a solid. */
const struct solid_setting *solid_setting_find(const struct solid_settings *all, const char *region);
#endif
