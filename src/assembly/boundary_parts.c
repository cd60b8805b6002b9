/* The connected parts of the flow's mesh and the pressures given in each (boundary_parts.h). */
#include "assembly/boundary_parts.h"
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "mesh/part.h"

/* Sets the parts with a boundary of this kind. */
static void mark(const struct boundary_parts *p, const struct mesh *whole, const struct boundary_settings *all,
                 bool (*is)(enum boundary_type type), bool to, bool *part)
{
    for (const struct patch *patch = whole->patch; patch < whole->patch + whole->n_patches; patch++) {
        const struct boundary_setting *set = boundary_setting_find(all, patch->name);
        if (!set) die("boundary %s has no condition", patch->name);
        if (!is(set->type)) continue;
        if (!p->of) part[0] = to;
        for (int32_t f = patch->first; p->of && f < patch->first + patch->count; f++)
            part[p->of[whole->face_owner[f]]] = to;
    }
}

struct boundary_parts *boundary_parts_create(const struct mesh *m, const struct boundary_settings *all)
{
    const struct mesh *w = mesh_whole(m);
    struct boundary_parts *p;
    NEW(p, 1);
    p->n = w->n_components > 1 ? w->n_components : 1;
    NEW(p->open, p->n), NEW(p->pulled, p->n), NEW(p->low, p->n), NEW(p->high, p->n);
    if (p->n > 1) {
        NEW(p->of, w->n_cells);
        mesh_components(w, p->of);
    }
    mark(p, w, all, boundary_gives_pressure, true, p->open);
    mark(p, w, all, boundary_feeds, true, p->pulled);
    mark(p, w, all, boundary_gives_flux, false, p->pulled);
    return p;
}

void boundary_parts_free(struct boundary_parts *p)
{
    if (p) free(p->of), free(p->open), free(p->pulled), free(p->low), free(p->high);
    free(p);
}

int32_t boundary_part(const struct boundary_parts *p, const struct mesh *m, int32_t cell)
{
    return p->of ? p->of[mesh_cell_in_whole(m, cell)] : 0;
}

int32_t boundary_part_at(const struct boundary_parts *p, const struct mesh *m, int32_t face)
{
    return boundary_part(p, m, m->face_owner[face]);
}

void boundary_parts_extremes(const struct boundary_parts *p, double *low, double *high)
{
    for (int32_t k = 0; k < p->n; k++) low[k] = -low[k];
    largest_over_ranks(low, p->n), largest_over_ranks(high, p->n);
    for (int32_t k = 0; k < p->n; k++) low[k] = -low[k];
}

/* Adds the values of one entry at its faces to the extremes of their parts on this rank. */
static void include(const struct boundary_parts *p, const struct mesh *m, const struct given *g, const double *value,
                    double *low, double *high)
{
    for (int32_t i = 0; i < g->patch->count; i++) {
        const int32_t k = boundary_part_at(p, m, g->patch->first + i);
        low[k] = fmin(low[k], value[i]), high[k] = fmax(high[k], value[i]);
    }
}

static void begin(const struct boundary_parts *p, double *low, double *high)
{
    for (int32_t k = 0; k < p->n; k++) low[k] = INFINITY, high[k] = -INFINITY;
}

void boundary_parts_measure(struct boundary_parts *p, const struct given_list *list, const double *array)
{
    begin(p, p->low, p->high);
    for (const struct given *g = list->item; g < list->item + list->n; g++)
        if (g->array == array) include(p, list->m, g, g->value, p->low, p->high);
    boundary_parts_extremes(p, p->low, p->high);
}

double boundary_part_level(const struct boundary_parts *p, int32_t part, double other)
{
    return p->low[part] <= p->high[part] ? p->low[part] + (p->high[part] - p->low[part]) / 2 : other;
}

double *boundary_part_levels(const struct boundary_parts *p, const struct mesh *m, const struct pattern *cells)
{
    double *level, *device;
    if (p->n == 1) return NULL;
    NEW(level, cells->n_padded);
    for (int32_t c = 0; c < cells->n; c++) level[c] = boundary_part_level(p, boundary_part(p, m, c), 0);
    device = pattern_alloc(cells, 1, sizeof *level, "level of the pressure");
    device_upload(device, level, (size_t)cells->n_padded * sizeof *level);
    free(level);
    return device;
}

double boundary_part_speed(const struct boundary_parts *p, int32_t part, double density)
{
    return p->low[part] < p->high[part] ? sqrt(2 * (p->high[part] - p->low[part]) / density) : 0;
}

double boundary_parts_difference(const struct boundary_parts *p, struct given_list *list, const double *array,
                                 double step)
{
    const int times = given_in_time(list) ? GIVEN_TIMES : 1;
    double *low, *high, *value, most = 0;
    NEW(low, p->n), NEW(high, p->n), NEW(value, list->s->n_boundary);
    for (int i = 0; i < times; i++) {
        begin(p, low, high);
        for (const struct given *g = list->item; g < list->item + list->n; g++)
            if (g->array == array && (!given_is_in_time(g) || given_sample(list, g, given_time(i, step), value)))
                include(p, list->m, g, given_is_in_time(g) ? value : g->value, low, high);
        boundary_parts_extremes(p, low, high);
        for (int32_t k = 0; k < p->n; k++) most = fmax(most, high[k] - low[k]);
    }
    free(low), free(high), free(value);
    return most;
}
