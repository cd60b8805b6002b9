/* Anderson acceleration: history, least squares, safeguards, checkpoint (anderson.h). */
#include "flow/anderson.h"
#include <float.h>
#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/names.h"
#include "flow/anderson_kernels.h"
#include "gpu/device.h"

enum { ALONE = 5,               /* unaccelerated iterations at the start */
       STEPS = 3,               /* for anderson_last_step() */
       STANDSTILL = 100,        /* iterations without a decrease of f after which the history is dropped */
       MOST_DROPS = 5 };        /* drops without a new minimum of f after which it ends */
static const double most_weight = 5,    /* of the sum of the weights' magnitudes, at the start */
                    most_growth = 10,   /* of |f|, beyond its minimum over the history */
                    new_least = 0.9,    /* of the least |f| so far: the bound of a new minimum */
                    independent = 1e-10; /* of a step: the least fraction of its |.|^2 independent of newer ones */

/* State for a restart in addition to the arrays: all numbers, because they are one array of a checkpoint. */
struct memory {
    double iterations;
    double started, filled, next;       /* whether there is a previous f; filled slots; the slot for the next */
    double first, least, lowest;        /* |f|^2: the first one; minimum since the history began, of all; 0: none */
    double standing;            /* iterations since the last minimum of f */
    double drops, off;
    double step[STEPS];         /* of the velocity, as a part of it, the last one first; 0: not accelerated, -1: to be
                                   found */
    double product[ANDERSON_MOST * ANDERSON_MOST];      /* of the steps in slots with each other */
};

struct anderson {
    struct anderson_setup setup;
    double *last[ANDERSON_ARRAYS];      /* [components pitch] result of the last iteration */
    float *history[ANDERSON_ARRAYS];    /* [depth][components pitch] its steps */
    double *last_change, *before;       /* [components pitch] of the velocity */
    float *change;                      /* [depth][components pitch] */
    struct sums sums;
    struct memory memory;
    char name[ANDERSON_ARRAYS][2 * NAME_LENGTH], last_name[ANDERSON_ARRAYS][2 * NAME_LENGTH];
    char change_name[2 * NAME_LENGTH], last_change_name[2 * NAME_LENGTH], numbers_name[2 * NAME_LENGTH];
};

static int64_t size_of(const struct anderson_array *x) { return x->components * x->pitch; }

struct anderson *anderson_create(const struct anderson_setup *s)
{
    struct anderson *a;
    NEW(a, 1);
    a->setup = *s;
    size_t slots = (size_t)s->depth, velocity = (size_t)size_of(&s->array[0]);
    for (int i = 0; i < s->n_arrays; i++) {
        size_t size = (size_t)size_of(&s->array[i]);
        a->history[i] = device_alloc(slots * size * sizeof(float), "acceleration");
        a->last[i] = device_alloc(size * sizeof(double), "acceleration");
        snprintf(a->name[i], sizeof a->name[i], "%s_%s", s->name, s->array[i].name);
        snprintf(a->last_name[i], sizeof a->last_name[i], "%s_last_%s", s->name, s->array[i].name);
    }
    snprintf(a->change_name, sizeof a->change_name, "%s_change", s->name);
    snprintf(a->last_change_name, sizeof a->last_change_name, "%s_last_change", s->name);
    snprintf(a->numbers_name, sizeof a->numbers_name, "%s_numbers", s->name);
    a->change = device_alloc(slots * velocity * sizeof(float), "acceleration");
    a->last_change = device_alloc(velocity * sizeof(double), "acceleration");
    a->before = device_alloc(velocity * sizeof(double), "acceleration");
    a->sums = sums_create(1 + 2 * s->depth, s->n_slices, "acceleration");
    return a;
}

/* A converged solution needs no history: continuing it to a lower tolerance starts a new one. */
enum { KEPT = FIELD_CHECKPOINT | FIELD_MAY_LACK | FIELD_UNTIL_END };

static void add_history(const struct anderson *a, struct fields *all, int i, const char *name, float **single)
{
    const struct anderson_array *x = &a->setup.array[i];
    fields_add(all, &(struct field){.name = name, .use = KEPT,
                                    .components = a->setup.depth * x->components, .pitch = x->pitch,
                                    .of = x->of, .with_solids = x->with_solids, .single = single});
}

static void add_last(const struct anderson *a, struct fields *all, int i, const char *name, double **value)
{
    const struct anderson_array *x = &a->setup.array[i];
    fields_add(all, &(struct field){.name = name, .use = KEPT,
                                    .components = x->components, .pitch = x->pitch, .of = x->of,
                                    .with_solids = x->with_solids, .value = value});
}

void anderson_fields(struct anderson *a, struct fields *all)
{
    for (int i = 0; i < a->setup.n_arrays; i++) {
        add_history(a, all, i, a->name[i], &a->history[i]);
        add_last(a, all, i, a->last_name[i], &a->last[i]);
    }
    add_history(a, all, 0, a->change_name, &a->change);
    add_last(a, all, 0, a->last_change_name, &a->last_change);
    int64_t numbers = offsetof(struct memory, product) / sizeof(double) + a->setup.depth * ANDERSON_MOST;
    fields_add(all, &(struct field){.name = a->numbers_name, .use = KEPT,
                                    .components = 1, .pitch = numbers, .number = (double *)&a->memory});
}

void anderson_begin(struct anderson *a)
{
    const struct anderson_array *u = &a->setup.array[0];
    device_copy(a->before, *u->value, (size_t)size_of(u) * sizeof(double));
    for (int i = STEPS; --i > 0;) a->memory.step[i] = a->memory.step[i - 1];
    a->memory.step[0] = 0;
}

/* Slot of a step: `newest` (< 0: none) of `slots`. */
struct place { int newest, slots; };

/* Sanitises a value read from a checkpoint (untrusted). */
static int whole(double number, int most) { return number > 0 ? number < most ? (int)number : most : 0; }

static struct place next_place(const struct anderson *a)
{
    int depth = a->setup.depth, filled = whole(a->memory.filled, depth);
    if (a->memory.started <= 0) return (struct place){-1, 0};
    return (struct place){whole(a->memory.next, depth - 1), filled < depth ? filled + 1 : depth};
}

/* Computes f, its step and the sums: total[0] f.f, then those of each slot (anderson_kernels.h). */
static void measure(const struct anderson *a, struct place to, double *total)
{
    const struct anderson_array *u = &a->setup.array[0];
    struct anderson_change_args args = {.volume = a->setup.volume, .u = *u->value, .before = a->before,
                                        .change = a->change, .last = a->last_change, .components = u->components,
                                        .newest = to.newest, .slots = to.slots, .pitch = u->pitch, .sums = a->sums};
    anderson_change(&args, a->setup.n_slices);
    sums_finish(&a->sums, 0, 1 + 2 * to.slots);
    sums_download(&a->sums, 0, 1 + 2 * to.slots, total);
}

/* The normal equations of the steps by Cholesky, every step scaled to length 1, row by row as they are added. */
struct normal {
    double l[ANDERSON_MOST][ANDERSON_MOST], size[ANDERSON_MOST], y[ANDERSON_MOST];
    double least;               /* fraction of a step's |.|^2 that must be independent of newer ones */
    int slot[ANDERSON_MOST], n;
};

/* Adds the step in this slot, unless it has length zero or is a combination of those added before.  unit: a power of
 * two of the size of the products, so that the same flow in other units has the same square roots. */
static void add_step(struct normal *s, const double *product, const double *right, double unit, int slot)
{
    int n = s->n;
    double square = product[slot * ANDERSON_MOST + slot] / unit, rest = 1, *row = s->l[n];
    if (!(square > 0)) return;
    s->size[n] = sqrt(square);
    s->y[n] = right[slot] / unit / s->size[n];
    for (int k = 0; k < n; k++) {
        row[k] = product[slot * ANDERSON_MOST + s->slot[k]] / unit / (s->size[n] * s->size[k]);
        for (int j = 0; j < k; j++) row[k] -= row[j] * s->l[k][j];
        row[k] /= s->l[k][k];
        rest -= row[k] * row[k];
        s->y[n] -= row[k] * s->y[k];
    }
    if (!(rest > s->least)) return;
    row[n] = sqrt(rest);
    s->y[n] /= row[n];
    s->slot[n] = slot;
    s->n++;
}

static void least_squares(const double *product, const double *right, double square, double noise, struct place at,
                          double *gamma)
{
    struct normal s = {.least = fmax(independent, noise * noise)};
    double unit = isnormal(square) ? ldexp(1, ilogb(square)) : 1;
    for (int age = 0; age < at.slots; age++)
        add_step(&s, product, right, unit, (at.newest + at.slots - age) % at.slots);
    for (int i = s.n - 1; i >= 0; i--) {
        for (int k = i + 1; k < s.n; k++) s.y[i] -= s.l[k][i] * s.y[k];
        s.y[i] /= s.l[i][i];
        gamma[s.slot[i]] = s.y[i] / s.size[i];
    }
}

/* The sum of the magnitudes of the weights of the G: the differences of gamma, from the oldest step on. */
static double magnitude(const double *gamma, struct place at)
{
    double sum = 0, before = 0;
    for (int i = 1; i <= at.slots; i++) {
        double now = gamma[(at.newest + i) % at.slots];
        sum += fabs(now - before);
        before = now;
    }
    return sum + fabs(1 - before);
}

/* Computes the gamma of all slots.  The map is linear only near the solution, so while f is large the weights must be
 * small: gamma is then reduced until they are.  False: there is nothing to mix. */
static bool find_weights(struct anderson *a, struct place at, const double *total, double *gamma)
{
    double right[ANDERSON_MOST], *product = a->memory.product;
    for (int j = 0; j < at.slots; j++) {
        product[at.newest * ANDERSON_MOST + j] = product[j * ANDERSON_MOST + at.newest] = total[1 + 2 * j];
        right[j] = total[2 + 2 * j];
    }
    least_squares(product, right, total[0], a->setup.noise, at, gamma);
    double most = most_weight * sqrt(fmax(a->memory.first / total[0], 1));
    for (int k = 0; k < 100 && magnitude(gamma, at) > most; k++)
        for (int j = 0; j < at.slots; j++) gamma[j] *= 0.8;
    return magnitude(gamma, at) <= most;
}

static void mix(const struct anderson *a, struct place at, const double *gamma, bool use)
{
    for (int i = 0; i < a->setup.n_arrays; i++) {
        const struct anderson_array *x = &a->setup.array[i];
        struct anderson_mix_args args = {.x = *x->value, .last = a->last[i], .history = a->history[i],
                                         .length = size_of(x), .newest = at.newest, .slots = use ? at.slots : 0};
        memcpy(args.gamma, gamma, sizeof args.gamma);
        anderson_mix(&args, args.length);
    }
}

/* How far the velocity has gone in this iteration, as a part of it. */
static double step_of(const struct anderson *a)
{
    const struct anderson_array *u = &a->setup.array[0];
    struct anderson_change_args args = {.volume = a->setup.volume, .u = *u->value, .before = a->before,
                                        .components = u->components, .pitch = u->pitch, .sums = a->sums};
    double total[2];
    anderson_step(&args, a->setup.n_slices);
    sums_finish(&a->sums, 0, 2);
    sums_download(&a->sums, 0, 2, total);
    return total[1] > 0 ? sqrt(total[0] / total[1]) : 0;
}

double anderson_last_step(struct anderson *a)
{
    double most = 0, *now = &a->memory.step[0];
    if (*now < 0) *now = step_of(a);
    for (int i = 0; i < STEPS; i++) most = fmax(most, a->memory.step[i]);
    return most;
}

/* Whether the history is useless: f has grown too far, or not decreased for long.  Counts the iterations. */
static bool is_useless(struct memory *m, double square, bool endless)
{
    if (m->first <= 0) m->first = m->least = m->lowest = square;
    bool useless = !(square <= most_growth * most_growth * m->least) || ++m->standing > STANDSTILL;
    if (square < new_least * new_least * m->lowest) m->lowest = square, m->drops = m->standing = 0;
    if (useless) m->standing = 0;
    if (useless || square < m->least) m->least = square;
    m->drops += useless;
    m->off = m->drops > MOST_DROPS && !endless;
    return useless;
}

enum anderson_action anderson_end(struct anderson *a)
{
    struct memory *m = &a->memory;
    double total[1 + 2 * ANDERSON_MOST], gamma[ANDERSON_MOST] = {0};
    if (m->off > 0) return ANDERSON_OFF;
    if (++m->iterations <= ALONE) return ANDERSON_PLAIN;
    struct place at = next_place(a);
    measure(a, at, total);
    bool drop = is_useless(m, total[0], a->setup.endless);
    if (m->off > 0) return ANDERSON_ENDED;
    if (drop) at = (struct place){-1, 0};
    bool use = at.slots > 0 && find_weights(a, at, total, gamma);
    mix(a, at, gamma, use);
    m->step[0] = use ? -1 : 0;
    m->started = 1;
    m->filled = at.slots;
    m->next = (at.newest + 1) % a->setup.depth;
    return drop ? ANDERSON_DROPPED : use ? ANDERSON_MIXED : ANDERSON_PLAIN;
}

void anderson_forget(struct anderson *a)
{
    a->memory.started = a->memory.filled = 0;
    a->memory.least = DBL_MAX;
}

void anderson_restart(struct anderson *a)
{
    memset(&a->memory, 0, sizeof a->memory);
    a->memory.iterations = ALONE;
}

void anderson_free(struct anderson *a)
{
    if (!a) return;
    for (int i = 0; i < a->setup.n_arrays; i++) device_free(a->history[i]), device_free(a->last[i]);
    device_free(a->change), device_free(a->last_change), device_free(a->before);
    sums_free(&a->sums);
    free(a);
}
