/* The list of values that a case gives, and the table of their kinds. */
#include "assembly/given.h"
#include <stdlib.h>
#include <string.h>
#include "assembly/boundary_shape.h"
#include "base/memory.h"
#include "gpu/device.h"

static int32_t places(const struct given *g) { return g->patch->count + g->patch->copies; }

/* ---------------------------------------------------------------- kinds */
static bool number_values(const struct given *g, const struct mesh *m, double t, double *to, struct error *e)
{
    (void)m, (void)t, (void)e;
    int32_t n = places(g);
    for (int k = 0; k < g->components; k++)
        for (int32_t i = 0; i < n; i++) to[(int64_t)k * n + i] = g->number[k];
    return true;
}

static bool profile_values(const struct given *g, const struct mesh *m, double t, double *to, struct error *e)
{
    (void)t;
    int32_t n = places(g);
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
    /* The values at time t, component after component; only the first call may fail. */
    bool (*values)(const struct given *g, const struct mesh *m, double t, double *to, struct error *e);
} kinds[N_GIVEN_KINDS] = {
    [GIVEN_NUMBER] = {.values = number_values},
    [GIVEN_PROFILE] = {.values = profile_values}};

/* ---------------------------------------------------------------- the list */
static bool fill_one(const struct given_list *list, const struct given *g, struct error *e)
{
    int32_t n = places(g);
    if (!kinds[g->kind].values(g, list->m, list->time, g->value, e)) return false;
    for (int k = 0; k < g->components; k++) {
        double *value = g->value + (int64_t)k * n;
        for (int32_t i = 0; i < n; i++) value[i] *= g->scale;
        for (int32_t i = 0; g->factor && i < n; i++) value[i] *= g->factor[i];
        device_upload(g->array + (int64_t)k * list->s->n_boundary + g->patch->first - list->s->n_internal, value,
                      (size_t)n * sizeof *value);
    }
    return true;
}

bool given_add(struct given_list *list, const struct given *g, struct error *e)
{
    RESIZE(list->item, list->n + 1);
    struct given *item = &list->item[list->n++];
    *item = *g;
    NEW(item->value, (int64_t)item->components * places(item));
    return fill_one(list, item, e);
}

void given_update(struct given_list *list, double t)
{
    struct error e;
    list->time = t;
    for (int i = 0; i < list->n; i++)
        if (kinds[list->item[i].kind].in_time && !fill_one(list, &list->item[i], &e)) die("%s", e.text);
}

void given_free(struct given_list *list)
{
    for (int i = 0; i < list->n; i++) free(list->item[i].value), free(list->item[i].factor);
    free(list->item);
    *list = (struct given_list){0};
}
