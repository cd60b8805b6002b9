/* Fields from another run (start_values.h). */
#include "flow/start_values.h"
#include <string.h>
#include "flow/flow.h"
#include "gpu/device.h"

static const struct start_field *find(const struct flow_setting *c, const char *name)
{
    const struct start_values *all = c->initial.values;
    for (int i = 0; all && i < all->n; i++) if (!strcmp(all->field[i].name, name)) return &all->field[i];
    return NULL;
}

const double *values_of_file(const struct flow_setting *c, const char *name)
{
    const struct start_field *x = find(c, name);
    return x ? x->value : NULL;
}

bool start_of_file(const struct flow_setting *c, const struct stencil *s, const char *name, double *to)
{
    const struct start_field *x = find(c, name);
    for (int k = 0; x && k < x->components; k++)
        device_upload(to + k * s->pitch, x->value + k * (int64_t)x->n_cells,
                      (size_t)s->n_cells * sizeof *to);
    return x != NULL;
}
