/* The time errors of temperature and scalars in a step (equation_error.h). */
#include "flow/equation_error.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "flow/flow.h"
#include "flow/scalar.h"
#include "gpu/device.h"
#include "gpu/vector.h"

struct value_error {
    const struct scalar *q;
    double *old, *older, *bend; /* [pitch] x at the ends of the last two steps; its second difference */
    double scale[3];            /* r; the largest norm of x - r so far; whether they are known */
    double norm;                /* of this step */
    struct sums sums;
    char old_name[NAME_LENGTH + 10], older_name[NAME_LENGTH + 10], bend_name[NAME_LENGTH + 10];
    char scale_name[NAME_LENGTH + 10];
};

/* The norm of x - r is at least this times that of r: smaller differences may be rounding errors. */
#define LEAST_SPREAD 1e-9

static double *cells(const struct scalar *q)
{
    return pattern_alloc(&q->all->s->pattern, 1, sizeof(double), "errors of a step");
}

static void create_one(struct value_error *v, const struct scalar *q)
{
    const char *name = q->set->name;
    const int64_t pitch = q->all->s->pitch;
    v->q = q, v->old = cells(q), v->older = cells(q), v->bend = cells(q);
    copy_array(v->old, q->x, pitch), copy_array(v->older, q->x, pitch);
    fill(&(struct fill_args){v->bend, 0}, pitch);
    v->sums = sums_create(N_VALUE_SUMS, q->all->s->n_slices, "errors of a step");
    snprintf(v->old_name, sizeof v->old_name, "%s.last", name);
    snprintf(v->older_name, sizeof v->older_name, "%s.earlier", name);
    snprintf(v->bend_name, sizeof v->bend_name, "%s.bend", name);
    snprintf(v->scale_name, sizeof v->scale_name, "%s.scale", name);
}

void equation_errors_create(struct equation_errors *w, const struct flow *f)
{
    for (int i = 0; i < MOST_EQUATIONS; i++) {
        const struct scalars *all = f->equation[i];     /* passive ones, and the temperature */
        for (int k = 0; all && k < all->n; k++) {
            RESIZE(w->item, w->n + 1);
            w->item[w->n] = (struct value_error){0};
            create_one(&w->item[w->n++], &all->item[k]);
        }
    }
}

void equation_errors_fields(const struct equation_errors *w, struct fields *all)
{
    const unsigned use = FIELD_CHECKPOINT | FIELD_MAY_LACK;
    for (struct value_error *v = w->item; v < w->item + w->n; v++) {
        const struct scalars *list = v->q->all;
        struct field one = {.name = v->old_name, .use = use, .components = 1, .pitch = list->s->pitch,
                            .value = &v->old, .with_solids = list->solids != NULL};
        fields_add(all, &one);
        one.name = v->older_name, one.value = &v->older;
        fields_add(all, &one);
        one.name = v->bend_name, one.value = &v->bend;
        fields_add(all, &one);
        one = (struct field){.name = v->scale_name, .use = use, .components = 1, .pitch = 3, .of = ITEM_NONE,
                             .number = v->scale};
        fields_add(all, &one);
    }
}

/* The error of one; with the first step r, and no error. */
static double error_of(struct value_error *v, const struct step_times *times)
{
    const struct scalars *all = v->q->all;
    double sum[N_VALUE_SUMS];
    struct value_error_args a = {.s = *all->s, .x = v->q->x, .old = v->old, .older = v->older, .times = *times,
                                 .bend = v->bend, .capacity = all->solids ? all->solids->capacity : v->q->capacity,
                                 .reference = v->scale[0], .sums = v->sums};
    value_error(&a, all->s->n_slices);
    sums_finish(&v->sums, 0, N_VALUE_SUMS);
    sums_download(&v->sums, 0, N_VALUE_SUMS, sum);
    if (!(v->scale[2] > 0)) {
        v->scale[0] = sum[VALUE_WEIGHT] > 0 ? sum[VALUE_AMOUNT] / sum[VALUE_WEIGHT] : 0;
        v->scale[1] = v->norm = 0, v->scale[2] = 1;
        return 0;
    }
    if (!(sum[VALUE_WEIGHT] > 0)) return 0;
    /* Of a weight of 1: the root of one in other units may be rounded otherwise. */
    v->norm = fmax(v->scale[1], sqrt(sum[VALUE_SPREAD] / sum[VALUE_WEIGHT]));
    double of = v->norm + LEAST_SPREAD * fabs(v->scale[0]);
    return of > 0 ? sqrt(sum[VALUE_ERROR] / sum[VALUE_WEIGHT]) / of : 0;
}

double equation_errors_of_step(const struct equation_errors *w, const struct step_times *times)
{
    double most = 0;
    for (struct value_error *v = w->item; v < w->item + w->n; v++) {
        double error = error_of(v, times);
        if (!(error <= most)) most = error;             /* a NaN stays */
    }
    return most;
}

void equation_errors_accept(struct equation_errors *w)
{
    for (struct value_error *v = w->item; v < w->item + w->n; v++) {
        double *old = v->old;
        v->old = v->older, v->older = old;
        copy_array(v->old, v->q->x, v->q->all->s->pitch);
        v->scale[1] = v->norm;
    }
}

void equation_errors_free(struct equation_errors *w)
{
    for (struct value_error *v = w->item; v < w->item + w->n; v++) {
        device_free(v->old), device_free(v->older), device_free(v->bend);
        sums_free(&v->sums);
    }
    free(w->item);
}
