/* surface_fields.h: what faces of a surface can have, by name. */
#ifndef POISE_SURFACE_FIELDS_H
#define POISE_SURFACE_FIELDS_H
#include "assembly/field.h"
#include "base/error.h"

struct watch;

enum surface_kind {
    SURFACE_NONE,               /* there is nothing of this name */
    SURFACE_FIELD,              /* a field of FIELD_SAMPLE */
    SURFACE_FLUX,               /* NAME-flux: make_flux() of the field NAME, by the area */
    SURFACE_SHEAR, SURFACE_WALL_DISTANCE, SURFACE_FLOW          /* what no field is */
};
struct surface_field { enum surface_kind kind; int components; const struct field *field; };

struct surface_field surface_field_of(const char *name, const struct fields *all, int dim);
/* Of struct monitor_kind: are all fields that the setting asks for there?  The columns of surfaces/NAME.csv. */
bool surface_check(const void *setting, const struct fields *all, bool averaged, struct error *e);
void surface_columns(const void *setting, const struct fields *all, int dim, struct watch *w);
#endif
