/* The list of values given by a case, and the table of their kinds (given.h). */
#include "assembly/given.h"
#include <stdlib.h>
#include "assembly/boundary_shape.h"
#include "base/memory.h"
#include "gpu/device.h"

/* ---------------------------------------------------------------- kinds */
static int32_t places(const struct given *g, const struct mesh *m)
{
    return g->patch ? g->patch->count + g->patch->copies : m->n_cells;
}

static bool number_values(const struct given *g, const struct mesh *m, double t, double *to, struct error *e)
{
    (void)t, (void)e;
    int32_t n = places(g, m);
    for (int k = 0; k < g->components; k++)
        for (int32_t i = 0; i < n; i++) to[(int64_t)k * n + i] = g->number[k];
    return true;
}

static bool profile_values(const struct given *g, const struct mesh *m, double t, double *to, struct error *e)
{
    (void)t;
    int32_t n = places(g, m);
    double *shape;
    NEW(shape, n);
    bool good = boundary_profile(m, g->patch, g->profile, case_place_text(g->profile->place), shape, e);
    for (int k = 0; k < g->components; k++)
        for (int32_t i = 0; i < n; i++) to[(int64_t)k * n + i] = shape[i] * g->number[k];
    free(shape);
    return good;
}

static const struct {
    bool in_time;               /* the value depends on time */
    /* The values at time t at all faces of the patch, or in all cells, component after component.  Only the first call
     * may fail. */
    bool (*values)(const struct given *g, const struct mesh *m, double t, double *to, struct error *e);
} kinds[N_GIVEN_KINDS] = {
    [GIVEN_NUMBER] = {.values = number_values},
    [GIVEN_PROFILE] = {.values = profile_values}};

/* ---------------------------------------------------------------- the list */
static void upload_component(struct given_list *list, const struct given *g, int k)
{
    struct stencil *s = list->s;
    int32_t n = places(g, list->m);
    const double *value = g->value + (int64_t)k * n;
    size_t size = (size_t)n * sizeof *value;
    if (g->patch) {
        device_upload(g->array + (int64_t)k * s->n_boundary + g->patch->first - s->n_internal, value, size);
        return;
    }
    stencil_zones(s, list->m);
    if (!list->work) list->work = device_alloc(size, "values in zones");
    device_upload(list->work, value, size);
    struct given_zone_args a = {.zone_of = s->zone, .zone = g->zone, .from = list->work, .to = g->array + k * s->pitch};
    given_in_zone(&a, n);
}

static void upload(struct given_list *list, const struct given *g)
{
    for (int k = 0; k < g->components; k++) upload_component(list, g, k);
}

static bool fill_one(struct given_list *list, const struct given *g, struct error *e)
{
    int64_t n = places(g, list->m);
    if (!kinds[g->kind].values(g, list->m, list->time, g->value, e)) return false;
    for (int64_t i = 0; g->factor && i < n; i++) g->value[i] *= g->factor[i];
    upload(list, g);
    return true;
}

bool given_add(struct given_list *list, const struct given *g, struct error *e)
{
    RESIZE(list->item, list->n + 1);
    struct given *item = &list->item[list->n++];
    *item = *g;
    NEW(item->value, (int64_t)item->components * places(item, list->m));
    bool good = fill_one(list, item, e);
    if (!item->patch && !kinds[item->kind].in_time) free(item->value), item->value = NULL;
    return good;
}

void given_update(struct given_list *list, double t)
{
    struct error e;
    list->time = t;
    for (int i = 0; i < list->n; i++)
        if (kinds[list->item[i].kind].in_time && !fill_one(list, &list->item[i], &e)) die("%s", e.text);
}

void given_restore(struct given_list *list, double t)
{
    given_update(list, t);
    for (int i = 0; i < list->n; i++)
        if (list->item[i].patch) upload(list, &list->item[i]);          /* checkpoints do not contain arrays in zones */
}

void given_free(struct given_list *list)
{
    for (int i = 0; i < list->n; i++) free(list->item[i].value), free(list->item[i].factor);
    free(list->item);
    device_free(list->work);
    *list = (struct given_list){0};
}
