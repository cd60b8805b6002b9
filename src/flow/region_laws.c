/* Laws of a property by region (region_laws.h). */
#include "flow/region_laws.h"
#include <stdlib.h>
#include "base/memory.h"
#include "flow/flow.h"
#include "flow/scalar.h"
#include "gpu/device.h"

const struct solid_setting *region_solid(const struct scalar *q, const struct mesh *m, int region)
{
    return q->all->solids && m->solid[region] ? solid_setting_find(&q->all->f->c->solids, m->region[region]) : NULL;
}

static bool give_place(const struct scalar *q, const struct region_law *law, int zone, double *cells, struct error *e)
{
    struct given_list *list = &q->all->given;
    struct given g = {.of = &law->of->formula, .components = 1, .zone = zone, .array = cells, .change = given_scale};
    NEW(g.data, list->m->n_cells);
    for (int32_t c = 0; c < list->m->n_cells; c++) g.data[c] = law->scale;
    return given_add(list, &g, e);
}

bool region_laws_create(struct region_laws *l, const struct scalar *q, const struct mesh *m, double *cells,
                        struct region_law (*law_in)(const struct scalar *q, const struct mesh *m, int region),
                        struct error *e)
{
    const bool by_region = q->all->solids, by_fluid = q->set->fluid == SCALAR_HEAT;
    const int n = by_region ? m->n_regions : by_fluid ? 2 : 1;
    const int64_t apart = by_fluid ? q->all->s->pitch : 0;
    bool varies = false;
    for (int i = 0; i < n; i++) varies = varies || law_in(q, m, i).of->given;
    if (!varies) return true;
    NEW(l->table, n);
    if (by_region) stencil_zones(q->all->given.s, m);
    l->n = n;
    for (int i = 0; i < n; i++) {
        const struct region_law law = law_in(q, m, i);
        int same = 0;
        while (same < i && law_in(q, m, same).of != law.of) same++;
        if (law.of->given && *law.of->field)
            l->table[i] = same < i ? l->table[same] : field_table_create(law.of, law.scale, 0), l->of_field = true;
        else if (law.of->given && !give_place(q, &law, by_region ? i : GIVEN_EVERYWHERE, cells + i * apart, e))
            return false;
    }
    l->law = device_copy_of(l->table, (size_t)n * sizeof *l->table, "laws of a property");
    return true;
}

void region_laws_free(struct region_laws *l)
{
    for (int i = 0; i < l->n; i++) {
        int same = 0;
        while (l->table[same].cubic != l->table[i].cubic) same++;
        if (same == i) device_free((void *)l->table[i].cubic);
    }
    device_free((void *)l->law);
    free(l->table);
}
