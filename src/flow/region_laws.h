/* region_laws.h: a property of a scalar that is an expression, of a field or of place and time, in some regions of the
 * mesh, in one of two fluids, or everywhere. */
#ifndef POISE_REGION_LAWS_H
#define POISE_REGION_LAWS_H
#include "assembly/field_table.h"
#include "base/error.h"

struct scalar;
struct mesh;
struct region_law {
    const struct property_setting *of;  /* not given: a number */
    double scale;               /* the property is this times it; the same for the same `of` */
};
struct region_laws {
    struct field_table *table;  /* [n] on the host, with addresses of the device; regions of the same law share one */
    int n;                      /* regions, or both fluids, or one for all; 0: it is a number everywhere */
    const struct field_table *law;      /* the same on the device */
    bool of_field;              /* one of them depends on a field */
};

/* law_in(): the law in a region, of a temperature of two fluids the law of a fluid.  cells: [pitch] the property,
 * filled where it depends on place, of two fluids [2 pitch]; if nowhere, NULL will do.  Does nothing if there is no
 * law. */
bool region_laws_create(struct region_laws *l, const struct scalar *q, const struct mesh *m, double *cells,
                        struct region_law (*law_in)(const struct scalar *q, const struct mesh *m, int region),
                        struct error *e);
void region_laws_free(struct region_laws *l);
/* The settings of the solid in this region, or NULL. */
struct solid_setting;
const struct solid_setting *region_solid(const struct scalar *q, const struct mesh *m, int region);
#endif
