/* The list of values given by a case: their evaluation and upload (given.h). */
#include "assembly/given.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/given_ahead.h"
#include "assembly/given_points.h"
#include "base/expression.h"
#include "base/memory.h"
#include "base/table.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"

/* Is any component an expression or from a table? */
static bool varies(const struct given *g)
{
    bool found = false;
    for (int k = 0; k < g->components; k++) found |= g->of[k].text != NULL;
    return found;
}

bool given_is_in_time(const struct given *g)
{
    bool in_time = false;
    for (int k = 0; k < g->components; k++) in_time |= g->of[k].in_time;
    return in_time;
}

static bool is_in_zone(const struct given *g, const struct mesh *m, int32_t i)
{
    return g->patch || g->zone == GIVEN_EVERYWHERE || m->cell_region[i] == g->zone;
}

/* The first place of this value, which is one of them. */
static int32_t place_of(const struct given *g, const struct mesh *m, const double *value, double which)
{
    int32_t i = 0;
    while (!is_in_zone(g, m, i) || value[i] != which) i++;
    return i;
}

/* Finite, within the key's range; sets the extremes. */
static bool check_values(struct given *g, const struct mesh *m, int k, double t, const double *value, struct error *e)
{
    const int32_t n = given_places(g, m);
    double low = INFINITY, high = -INFINITY;
    char what[100];
    for (int32_t i = 0; i < n; i++) {
        if (!is_in_zone(g, m, i)) continue;
        if (!isfinite(value[i])) {
            snprintf(what, sizeof what, "is %s", isnan(value[i]) ? "not a number" : "infinite");
            return given_refuse_at(g, m, k, t, i, what, e);
        }
        low = value[i] < low ? value[i] : low, high = value[i] > high ? value[i] : high;
    }
    g->low[k] = low, g->high[k] = high;
    const double ends[] = {low, high};
    for (int j = 0; j < 2 && low <= high; j++)
        if (!case_in_range(ends[j], g->of[k].range)) {
            snprintf(what, sizeof what, "is %.9g, outside its range %s", ends[j], g->of[k].range);
            return given_refuse_at(g, m, k, t, place_of(g, m, value, ends[j]), what, e);
        }
    return true;
}

/* For a vector that must not point through the faces. */
static bool check_tangential(const struct given *g, const struct mesh *m, double t, const double *value,
                             struct error *e)
{
    const int32_t n = given_places(g, m);
    for (int32_t i = 0; g->tangential && i < g->patch->count; i++) {
        const int32_t f = g->patch->first + i;
        double through = 0, area = 0, speed = 0;
        for (int k = 0; k < m->dim; k++) {
            double s = face_vector(m->face_area, m, k, f), u = value[(int64_t)k * n + i];
            through += u * s, area += s * s, speed += u * u;
        }
        if (!(fabs(through) > 1e-6 * sqrt(area * speed))) continue;
        char when[40] = "";
        if (given_is_in_time(g)) snprintf(when, sizeof when, "; t = %.9g", t);
        return refuse(e, EXIT_INPUT, "%s: the velocity of wall \"%s\" points through the wall (at %g, %g, %g%s); a "
                      "wall can only move tangentially; for flow through it use type = \"inlet\"",
                      case_place_text(g->of[0].place), g->patch->name, face_centre(m, 0, f), face_centre(m, 1, f),
                      m->dim == 3 ? face_centre(m, 2, f) : 0, when);
    }
    return true;
}

static bool refuse_time(const struct value_setting *v, double t, struct error *e)
{
    const struct table *table = v->table;
    return refuse(e, EXIT_INPUT, "%s: %s: t = %.9g is outside the times of %s, %g to %g; add rows to it, or change "
                  "time.end", case_place_text(v->place), v->path, t, table->path,
                  table_value(table, table->time, table->order[0]),
                  table_value(table, table->time, table->order[table->n_rows - 1]));
}

bool given_evaluate(struct given *g, const struct mesh *m, double t, bool all, double *to, struct error *e)
{
    const int32_t n = given_places(g, m);
    bool good = true;
    for (int k = 0; k < g->components && good; k++) {
        double *value = to + (int64_t)k * n;
        if (!all && !g->of[k].in_time) continue;
        good = given_value_at(g, m, k, t, value) ? check_values(g, m, k, t, value, e) : refuse_time(&g->of[k], t, e);
    }
    return good && check_tangential(g, m, t, to, e);
}

/* Of this rank. */
static void measure_length(struct given *g, const struct mesh *m)
{
    const int32_t n = given_places(g, m);
    double most = 0;
    for (int32_t i = 0; i < n; i++) {
        double square = 0;
        for (int k = 0; k < g->components; k++) square += g->value[(int64_t)k * n + i] * g->value[(int64_t)k * n + i];
        if (is_in_zone(g, m, i)) most = fmax(most, square);
    }
    g->largest = sqrt(most) * (g->stretch > 0 ? g->stretch : 1);
}

/* Extremes and the longest vector of all ranks. */
static void measure(struct given *g)
{
    double most[2 * MOST_GIVEN + 1];
    most[0] = g->largest;
    for (int k = 0; k < g->components; k++) most[1 + 2 * k] = -g->low[k], most[2 + 2 * k] = g->high[k];
    largest_over_ranks(most, 1 + 2 * g->components);
    g->largest = most[0];
    for (int k = 0; k < g->components; k++) g->low[k] = -most[1 + 2 * k], g->high[k] = most[2 + 2 * k];
}

/* ---------------------------------------------------------------- the list */
static void upload_component(struct given_list *list, const struct given *g, const double *from, int k)
{
    struct stencil *s = list->s;
    int32_t n = given_places(g, list->m);
    const double *value = from + (int64_t)k * n;
    size_t size = (size_t)n * sizeof *value;
    if (g->patch) {
        device_upload(g->array + (int64_t)k * s->n_boundary + g->patch->first - s->n_internal, value, size);
        return;
    }
    if (g->zone == GIVEN_EVERYWHERE) {
        device_upload(g->array + k * s->pitch, value, size);
        return;
    }
    stencil_zones(s, list->m);
    if (!list->work) list->work = device_alloc(size, "values in zones");
    device_upload(list->work, value, size);
    struct given_zone_args a = {.zone_of = s->zone, .zone = g->zone, .from = list->work, .to = g->array + k * s->pitch};
    given_in_zone(&a, n);
}

void given_scale(double *value, int components, int32_t n, const double *data)
{
    for (int k = 0; k < components; k++)
        for (int32_t i = 0; i < n; i++) value[(int64_t)k * n + i] *= data[i];
}

void given_scale_each(double *value, int components, int32_t n, const double *data)
{
    for (int64_t i = 0; i < (int64_t)components * n; i++) value[i] *= data[i];
}

/* first: for given_add(), all components; else those that contain the time, or all if a `change` may use them. */
static bool fill_one(struct given_list *list, int i, bool first, struct error *e)
{
    struct given *g = &list->item[i];
    const size_t size = (size_t)g->components * (size_t)given_places(g, list->m) * sizeof *g->value;
    if (list->from_start && !first) memcpy(g->stage, g->value, size);
    bool all = first || g->change, ready = given_ahead_take(list, i);
    if (!ranks_agree(ready || given_evaluate(g, list->m, list->time, all, g->value, e), e)) return false;
    if (first) measure_length(g, list->m);
    measure(g);
    if (!ready && g->change) g->change(g->value, g->components, given_places(g, list->m), g->data);
    for (int k = 0; k < g->components; k++) if (all || g->of[k].in_time) upload_component(list, g, g->value, k);
    return true;
}

static bool compile(struct given *g, bool steady, struct error *e)
{
    struct expression_fault fault;
    NEW(g->own, g->components);
    memcpy(g->own, g->of, (size_t)g->components * sizeof *g->own);
    g->of = g->own;
    for (int k = 0; k < g->components; k++) {
        const struct value_setting *v = &g->of[k];
        if (!v->text) continue;
        if (steady && v->in_time)
            return refuse(e, EXIT_INPUT, "%s: %s = \"%.200s\" depends on t, but steady flow has no time; remove it, "
                          "or set solver.algorithm = \"piso\" or \"pimple\"", case_place_text(v->place), v->path,
                          v->text);
        if (v->table) continue;
        g->expression[k] = expression_create(v->text, v->variable, v->n_variables, &fault);
        if (!g->expression[k]) die("%s: %s", v->text, fault.what);      /* the case has been checked */
    }
    return true;
}

bool given_add(struct given_list *list, const struct given *g, struct error *e)
{
    RESIZE(list->item, list->n + 1);
    struct given *item = &list->item[list->n++];
    *item = *g;
    if (!compile(item, list->steady, e)) return false;
    bool mapped = !varies(item) || given_points_create(item, list->m, e);
    if (!ranks_agree(mapped, e)) return false;
    const int64_t n = (int64_t)item->components * given_places(item, list->m);
    NEW(item->value, n);
    if ((list->staged || list->from_start) && given_is_in_time(item)) NEW(item->stage, n);
    bool good = fill_one(list, list->n - 1, true, e);
    if (!given_is_in_time(item)) given_points_free(item);
    if (!item->patch && !given_is_in_time(item)) free(item->value), item->value = NULL;
    return good;
}

bool given_in_time(const struct given_list *list)
{
    for (int i = 0; i < list->n; i++) if (given_is_in_time(&list->item[i])) return true;
    return list->next && given_in_time(list->next);
}

void given_append(struct given_list *list, struct given_list *later)
{
    while (list->next) list = list->next;
    list->next = later;
}

bool given_update(struct given_list *list, double t, struct error *e)
{
    list->time = t;
    given_ahead_wait(list);
    for (int i = 0; i < list->n; i++)
        if (given_is_in_time(&list->item[i]) && !fill_one(list, i, false, e)) return false;
    return !list->next || given_update(list->next, t, e);
}

void given_prepare(struct given_list *list, double t)
{
    if (given_in_time(list) && !list->staged) given_ahead_start(list, t);
    if (list->next) given_prepare(list->next, t);
}

/* ---------------------------------------------------------------- within a step */
static void upload(struct given_list *list, const struct given *g, const double *from)
{
    for (int k = 0; k < g->components; k++) upload_component(list, g, from, k);
}

static bool fill_stage(struct given_list *list, struct given *g, double t, struct error *e)
{
    double low[MOST_GIVEN], high[MOST_GIVEN];
    memcpy(low, g->low, sizeof low), memcpy(high, g->high, sizeof high);
    if (!ranks_agree(given_evaluate(g, list->m, t, true, g->stage, e), e)) return false;
    measure(g);
    for (int k = 0; k < g->components; k++)
        g->low[k] = fmin(g->low[k], low[k]), g->high[k] = fmax(g->high[k], high[k]);
    if (g->change) g->change(g->stage, g->components, given_places(g, list->m), g->data);
    upload(list, g, g->stage);
    return true;
}

bool given_stage(struct given_list *list, double t, struct error *e)
{
    bool good = true;
    for (int i = 0; i < list->n && good; i++) good = !list->item[i].stage || fill_stage(list, &list->item[i], t, e);
    return good;
}

void given_mean(struct given_list *list, double part)
{
    for (struct given *g = list->item; g < list->item + list->n; g++) {
        const int64_t n = g->stage ? (int64_t)g->components * given_places(g, list->m) : 0;
        for (int64_t i = 0; i < n; i++) g->stage[i] = (1 - part) * g->stage[i] + part * g->value[i];
        if (n) upload(list, g, g->stage);
    }
}

void given_end(struct given_list *list)
{
    for (const struct given *g = list->item; g < list->item + list->n; g++)
        if (g->stage && !g->keeps_stage) upload(list, g, g->value);
}

/* ---------------------------------------------------------------- the rest */
bool given_restore(struct given_list *list, double t, struct error *e)
{
    bool good = given_update(list, t, e);
    for (const struct given *g = list->item; g < list->item + list->n && good; g++)
        for (int k = 0; k < g->components && g->patch && !g->shared; k++)       /* none of zones is in checkpoints */
            upload_component(list, g, g->value, k);
    return good && (!list->next || given_restore(list->next, t, e));
}

void given_extremes(const struct given_list *list, const double *array, double *low, double *high)
{
    *low = INFINITY, *high = -INFINITY;
    for (const struct given *g = list->item; g < list->item + list->n; g++)
        if (g->array == array) *low = fmin(*low, g->low[0]), *high = fmax(*high, g->high[0]);
    if (*low > *high) *low = 1, *high = -1;
}

/* Closer to each other at first. */
double given_time(int i, double step) { return step * (pow(10, 0.06 * i) - 1); }

bool given_sample(const struct given_list *list, const struct given *g, double t, double *value)
{
    struct given sample = *g;
    struct error e;
    return given_evaluate(&sample, list->m, t, true, value, &e);
}

/* Of this rank. */
static double largest_in_time(const struct given *g, const struct mesh *m, double step)
{
    struct given sample = *g;
    double most = 0;
    NEW(sample.value, (int64_t)g->components * given_places(g, m));
    for (int i = 0; i < (given_is_in_time(g) ? GIVEN_TIMES : 1); i++) {
        struct error e;
        sample.largest = 0;
        if (given_evaluate(&sample, m, given_time(i, step), true, sample.value, &e)) measure_length(&sample, m);
        most = fmax(most, sample.largest);
    }
    free(sample.value);
    return most;
}

double given_largest(struct given_list *list, const double *array, double step)
{
    double most = 0;
    given_ahead_wait(list);
    for (const struct given *g = list->item; g < list->item + list->n; g++) {
        if (g->array != array || !(g->stretch > 0 || varies(g))) continue;
        most = fmax(most, g->largest);
        if (given_is_in_time(g)) most = fmax(most, largest_in_time(g, list->m, step));
    }
    largest_over_ranks(&most, 1);
    return most;
}

static void free_one(struct given *g)
{
    for (int k = 0; k < MOST_GIVEN; k++) expression_free(g->expression[k]);
    given_points_free(g), free(g->own), free(g->value), free(g->stage), free(g->data);
}

bool given_check(const struct given_list *list, const struct given *g, struct error *e)
{
    struct given item = *g;
    bool good = compile(&item, list->steady, e);
    good = good && (!varies(&item) || given_points_create(&item, list->m, e));
    NEW(item.value, (int64_t)item.components * given_places(&item, list->m));
    good = good && given_evaluate(&item, list->m, list->time, true, item.value, e);
    free_one(&item);
    return good;
}

double given_longest(const struct given_list *list, const struct given *g, double step)
{
    struct given item = *g;
    struct error e;
    item.aside = true;
    bool good = compile(&item, false, &e) && (!varies(&item) || given_points_create(&item, list->m, &e));
    double most = good ? largest_in_time(&item, list->m, step) : 0;
    free_one(&item);
    return most;
}

void given_free(struct given_list *list)
{
    given_ahead_free(list);
    for (struct given *g = list->item; g < list->item + list->n; g++) free_one(g);
    free(list->item);
    device_free(list->work);
    *list = (struct given_list){0};
}
