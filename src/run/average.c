/* Time averages and root mean squares of fields and of monitored values. */
#include "run/average.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/digest.h"
#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "run/fields_check.h"

enum { FROM, SPAN, KEY, MEANS };        /* positions in the state of an average */
enum { MEAN, RMS, SQUARES, STATE, N_MADE };     /* fields that the average of a field adds */
static const char *const ending[N_MADE] = {"_mean", "_rms", "_squares", "_averaged"};

/* The average of a field, in all cells. */
struct field_average {
    const char *field;
    char name[N_MADE][NAME_LENGTH + 16];
    int64_t n;                  /* components pitch */
    double state[2];            /* FROM, SPAN */
    double *mean, *square;      /* [n] on the device */
};

struct averages {
    const struct averages_setting *set;
    const char *settings;       /* of the case, one "path = value" per line */
    struct flow *f;
    const struct mesh *m;
    int n_fields, n;
    struct field_average *field;
    struct average **item;
    double *work;               /* on the device, for a field that is computed on demand; or NULL */
};

/* ---------------------------------------------------------------- fields */
static void show_rms(void *of, const struct mesh *m, double *to)
{
    const struct field_average *a = of;
    (void)m;
    device_download(to, a->square, (size_t)a->n * sizeof *to);
    for (int64_t i = 0; i < a->n; i++) to[i] = a->state[SPAN] > 0 ? sqrt(fmax(to[i], 0) / a->state[SPAN]) : 0;
}

static double *cells_of(const struct field_average *a)
{
    double *x = device_alloc((size_t)a->n * sizeof *x, "averages");
    fill(&(struct fill_args){x, 0}, a->n);
    return x;
}

static void add_field(struct averages *all, struct field_average *a, const char *name)
{
    enum { KEPT = FIELD_CHECKPOINT | FIELD_MAY_LACK, SHOWN = FIELD_OUTPUT | FIELD_ALWAYS };
    const struct field of = *fields_find(&all->f->fields, name, FIELD_OUTPUT);
    struct field one = {.components = of.components, .pitch = of.pitch, .of = of.of, .with_solids = of.with_solids,
                        .owner = a};
    a->n = of.components * of.pitch;
    a->state[FROM] = all->set->from;
    a->mean = cells_of(a), a->square = cells_of(a);
    if (of.show && !all->work) all->work = device_alloc((size_t)(9 * of.pitch) * sizeof(double), "averages");
    a->field = name;
    for (int i = 0; i < N_MADE; i++) snprintf(a->name[i], sizeof a->name[i], "%s%s", name, ending[i]);
    one.name = a->name[MEAN], one.use = KEPT | SHOWN, one.value = &a->mean;
    fields_add(&all->f->fields, &one);
    one.name = a->name[SQUARES], one.use = KEPT, one.value = &a->square;
    fields_add(&all->f->fields, &one);
    one.name = a->name[RMS], one.use = SHOWN, one.value = NULL, one.show = show_rms;
    fields_add(&all->f->fields, &one);
    fields_add(&all->f->fields, &(struct field){.name = a->name[STATE], .use = KEPT, .components = 1, .pitch = 2,
                                                .of = ITEM_NONE, .number = a->state});
}

/* Checks that the names of the averages are short enough and not used by another field. */
static bool check_names(const struct averages_setting *set, const char *name, const struct fields *all,
                        struct error *e)
{
    for (int i = 0; i < N_MADE; i++) {
        char longer[NAME_LENGTH + 16];
        snprintf(longer, sizeof longer, "%s%s", name, ending[i]);
        if (strlen(longer) < NAME_LENGTH && !fields_find(all, longer, ~0u)) continue;
        return refuse(e, EXIT_INPUT, "%s: averages.fields: the average of \"%s\" would be \"%s\", %s; rename it",
                      case_place_text(set->place), name, longer,
                      strlen(longer) < NAME_LENGTH ? "which is another field" : "which is too long");
    }
    return true;
}

bool averages_check(const struct averages_setting *set, const struct fields *all, struct error *e)
{
    for (int i = 0; set->given && i < set->n_fields; i++) {
        if (!field_check(all, set->field[i], false, e, "%s: averages.fields: there is no average of \"%s\"",
                         case_place_text(set->place), set->field[i]) || !check_names(set, set->field[i], all, e))
            return false;
    }
    return true;
}

/* ---------------------------------------------------------------- all */
struct averages *averages_create(const struct averages_setting *set, const char *settings, struct flow *f,
                                 const struct mesh *m)
{
    struct averages *a;
    if (!set->given) return NULL;
    NEW(a, 1), NEW(a->field, set->n_fields);
    *a = (struct averages){.set = set, .settings = settings, .f = f, .m = m, .n_fields = set->n_fields,
                            .field = a->field};
    for (int i = 0; i < a->n_fields; i++) add_field(a, &a->field[i], set->field[i]);
    return a;
}

/* A digest of the settings of this probe, plane, ..., except how often it is written; as a number that a double
 * represents exactly. */
static double key_of(const char *settings, const char *section, const char *name)
{
    char front[2 * NAME_LENGTH];
    uint64_t h = DIGEST_START;
    size_t n = (size_t)snprintf(front, sizeof front, "%s.%s.", section, name);
    for (const char *line = settings, *end; *line; line = end + (*end == '\n')) {
        end = strchrnul(line, '\n');
        if (!strncmp(line, front, n) && strncmp(line + n, "every = ", 8)) h = digest_add(h, line, (size_t)(end - line));
    }
    return (double)(h >> 12);
}

struct average *averages_follow(struct averages *a, const char *kind, const char *name, const double *value, int64_t n)
{
    struct average *one;
    if (!a) return NULL;
    NEW(one, 1), NEW(one->state, MEANS + 2 * n);
    one->value = value, one->n = n, one->state[FROM] = a->set->from;
    one->key = one->state[KEY] = key_of(a->settings, strcmp(kind, "faces") ? kind : "surfaces", name);
    snprintf(one->name, sizeof one->name, "average.%s.%s", kind, name);
    fields_add(&a->f->fields, &(struct field){.name = one->name, .use = FIELD_CHECKPOINT | FIELD_MAY_LACK,
                                              .components = 1, .pitch = MEANS + 2 * n, .of = ITEM_NONE,
                                              .number = one->state});
    RESIZE(a->item, a->n + 1);
    return a->item[a->n++] = one;
}

void averages_restored(struct averages *a)
{
    if (!a) return;
    for (struct field_average *x = a->field; x < a->field + a->n_fields; x++) {
        if (x->state[FROM] == a->set->from) continue;
        x->state[FROM] = a->set->from, x->state[SPAN] = 0;
        fill(&(struct fill_args){x->mean, 0}, x->n);
        fill(&(struct fill_args){x->square, 0}, x->n);
    }
    for (int i = 0; i < a->n; i++) {
        struct average *x = a->item[i];
        if (x->state[FROM] == a->set->from && x->state[KEY] == x->key) continue;
        memset(x->state, 0, (size_t)(MEANS + 2 * x->n) * sizeof *x->state);
        x->state[FROM] = a->set->from, x->state[KEY] = x->key;
    }
}

bool averages_due(const struct averages *a, double time, double dt)
{
    return a && time - dt >= a->set->from - 1e-6 * dt;
}

static void add_to_field(struct averages *all, struct field_average *a, double dt)
{
    const struct field *of = fields_find(&all->f->fields, a->field, FIELD_OUTPUT);
    const double *x = of->value ? *of->value : NULL;
    if (of->show) {
        double *host;
        NEW(host, a->n);
        of->show(of->owner, all->m, host);
        device_upload(all->work, host, (size_t)a->n * sizeof *host);
        x = all->work;
        free(host);
    }
    a->state[SPAN] += dt;
    add_to_average(&(struct average_args){x, a->mean, a->square, dt / a->state[SPAN], dt}, a->n);
}

void averages_add(struct averages *a, double dt)
{
    for (int i = 0; i < a->n_fields; i++) add_to_field(a, &a->field[i], dt);
    for (int i = 0; i < a->n; i++) {
        struct average *one = a->item[i];
        double *mean = one->state + MEANS, *square = mean + one->n;
        one->state[SPAN] += dt;
        for (int64_t k = 0; k < one->n; k++) {
            double change = one->value[k] - mean[k];
            mean[k] = fma(dt / one->state[SPAN], change, mean[k]);
            square[k] = fma(dt * change, one->value[k] - mean[k], square[k]);
        }
    }
}

double average_mean(const struct average *a, int64_t i) { return a->state[SPAN] > 0 ? a->state[MEANS + i] : NAN; }

double average_rms(const struct average *a, int64_t i)
{
    return a->state[SPAN] > 0 ? sqrt(fmax(a->state[MEANS + a->n + i], 0) / a->state[SPAN]) : NAN;
}

void averages_print(const struct averages *a)
{
    if (!a || !a->n_fields) return;
    double span = a->field[0].state[SPAN];
    if (span > 0) log_print("averages   over %g, from %g on\n", span, a->set->from);
    else log_print("averages   none: the run did not reach averages.from = %g\n", a->set->from);
}

void averages_free(struct averages *a)
{
    if (!a) return;
    for (int i = 0; i < a->n_fields; i++) device_free(a->field[i].mean), device_free(a->field[i].square);
    for (int i = 0; i < a->n; i++) free(a->item[i]->state), free(a->item[i]);
    device_free(a->work);
    free(a->field), free(a->item), free(a);
}
