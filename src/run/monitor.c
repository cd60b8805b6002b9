/* Monitors of a run: a list of them, made from the table of their kinds, and the history of the quantities of
 * `convergence`. */
#include "run/monitor.h"
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/section.h"
#include "gpu/ranks.h"
#include "run/fields_check.h"
#include "run/monitor_kind.h"
#include "run/run_parts.h"

/* In the order of the summary. */
static const struct monitor_kind *const kinds[] = {&lines_kind, &probes_kind, &forces_kind, &surfaces_kind,
                                                   &planes_kind, &rates_kind, &heat_kind, &scalars_kind,
                                                   &driven_kind};
enum { N_KINDS = sizeof kinds / sizeof *kinds };

struct monitors {
    struct watching x;
    struct monitor *item;
    int n;
    int64_t looked;             /* the last step of fields_look(), -1: none */
    double *history;            /* for each convergence monitor: count so far, the last `over` + 1 values (ring) */
};

/* ---------------------------------------------------------------- settings */
static const struct named_list no_list = {0};

static const struct named_list *list_of(const struct monitor_kind *k, const struct case_settings *c)
{
    return k->element ? (const void *)((const char *)c + k->list) : &no_list;
}

static const void *element_of(const struct monitor_kind *k, const struct case_settings *c, int i)
{
    const struct named_list *list = list_of(k, c);
    return list->n ? (const char *)list->item + (size_t)i * k->element : NULL;
}

static const double *value_of(const struct watch *w, const char *column)
{
    for (int i = 0; i < w->n; i++) if (!strcmp(w->column[i], column)) return &w->value[i];
    return NULL;
}

/* Reports an error if a monitor of this name has no such quantity. */
static void check_quantity(const struct monitor_setting *set, const struct monitor_kind *k, const void *of,
                           const struct fields *all, struct findings *f)
{
    struct watch has = {0};
    char list[2048] = "";
    k->columns(of, all, f->dim, &has);
    for (int i = 0, at = 0; i < has.n && at < (int)(sizeof list - sizeof *has.column) - 2; i++)
        at += snprintf(list + at, sizeof list - (size_t)at, "%s%s", i ? ", " : "", has.column[i]);
    if (!value_of(&has, set->quantity))
        find_fault(f, set->place, "convergence.%s.quantity = \"%s\": \"%s\" is a %s and has %s", set->name,
                   set->quantity, set->of, k->word, list);
    watch_free(&has);
}

/* Checks that the points of these monitors have as many components as the mesh has dimensions. */
static void check_points(const struct monitor_kind *k, const struct case_settings *c, struct findings *f)
{
    for (int i = 0; k->point && i < list_of(k, c)->n; i++) {
        const struct named *of = element_of(k, c, i);
        find_length(f, of->place, *(const int *)((const char *)of + k->length), "%s.%s.%s", k->section, of->name,
                    k->point);
    }
}

void monitors_check_mesh(const struct case_settings *c, struct findings *f)
{
    for (int k = 0; k < N_KINDS; k++) check_points(kinds[k], c, f);
    struct fields all = fields_of(&c->flow, f->dim);
    for (int i = 0; i < c->convergence.n; i++) {
        const struct monitor_setting *set = &c->convergence.item[i];
        bool found = false;
        for (int k = 0; k < N_KINDS; k++)
            for (int j = 0; kinds[k]->columns && j < list_of(kinds[k], c)->n && !found; j++) {
                const struct named *of = element_of(kinds[k], c, j);
                found = !strcmp(of->name, set->of);
                if (found) check_quantity(set, kinds[k], of, &all, f);
            }
    }
    fields_free(&all);
}

bool monitors_check_fields(const struct case_settings *c, const struct fields *all, struct error *e)
{
    for (int k = 0; k < N_KINDS; k++)
        for (int i = 0; kinds[k]->check && i < list_of(kinds[k], c)->n; i++)
            if (!kinds[k]->check(element_of(kinds[k], c, i), all, c->averages.given, e)) return false;
    return true;
}

void monitors_check_places(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    for (int k = 0; k < N_KINDS; k++) if (kinds[k]->check_mesh) kinds[k]->check_mesh(c, m, e);
}

void monitors_count(const struct case_settings *c, void (*tell)(int n, const char *word))
{
    for (int k = 0; k < N_KINDS; k++)
        if (list_of(kinds[k], c)->n && !kinds[k]->uncounted) tell(list_of(kinds[k], c)->n, kinds[k]->word);
}

/* ---------------------------------------------------------------- making them */
/* Creates that of element i, or of all. */
static bool create(struct monitors *w, const struct monitor_kind *k, int i, struct error *e)
{
    const struct watching *x = &w->x;
    struct monitor *o = &w->item[w->n++];
    *o = (struct monitor){.kind = k, .x = x, .set = element_of(k, x->c, i), .own = allocate(1, k->size, k->section),
                          .n_rows = k->together ? list_of(k, x->c)->n : 1, .read = -1, .written = -1};
    NEW(o->row, o->n_rows);
    for (int r = 0; r < o->n_rows; r++) {
        const struct named *of = element_of(k, x->c, i + r);
        o->row[r].name = of ? of->name : k->word;
        if (k->columns) k->columns(of, &x->f->fields, x->m->dim, &o->row[r]);
    }
    bool good = ranks_agree(k->create(o, e), e);
    for (int r = 0; r < o->n_rows && good; r++) {
        struct watch *row = &o->row[r];
        if (!row->n) continue;
        if (k->columns) row->average = averages_follow(x->averages, k->section, row->name, row->value, row->n);
        good = ranks_agree(watch_open(row, x->directory, k->section, x->timed, x->c->output.report_every, x->resume,
                                      x->step, e), e);
    }
    return good && (!k->open || ranks_agree(k->open(o, e), e));
}

/* The history is a field of the flow, for checkpoints. */
static void create_history(struct monitors *w)
{
    int64_t length = 0;
    for (int i = 0; i < w->x.c->convergence.n; i++) length += w->x.c->convergence.item[i].over + 2;
    NEW(w->history, length);
    fields_add(&w->x.f->fields, &(struct field){.name = "history", .use = FIELD_CHECKPOINT, .components = 1,
                                                .pitch = length, .of = ITEM_NONE, .number = w->history});
}

struct monitors *monitors_create(const struct case_settings *c, const struct mesh *m, struct flow *f, bool resume,
                                 int64_t resumed_step, struct error *e)
{
    struct monitors *w;
    bool good = true;
    NEW(w, 1);
    w->x = (struct watching){.c = c, .m = m, .f = f, .directory = c->output.directory, .resume = resume,
                             .timed = run_kind_of(&c->flow)->in_time, .step = resumed_step};
    w->x.averages = averages_create(&c->averages, c->source->settings, f, m);
    w->looked = -1;
    create_history(w);
    for (int k = 0; k < N_KINDS; k++) {
        int n = !kinds[k]->element ? 1 : kinds[k]->together ? list_of(kinds[k], c)->n > 0 : list_of(kinds[k], c)->n;
        RESIZE(w->item, w->n + n);
        for (int i = 0; i < n && good; i++) good = create(w, kinds[k], i, e);
    }
    if (good) return w;
    monitors_free(w);
    return NULL;
}

void monitors_free(struct monitors *w)
{
    for (struct monitor *o = w->item; o < w->item + w->n; o++) {
        for (int r = 0; r < o->n_rows; r++) watch_free(&o->row[r]);
        o->kind->free(o->own);
        free(o->own), free(o->row);
    }
    averages_free(w->x.averages);
    free(w->item), free(w->history), free(w);
}

/* ---------------------------------------------------------------- while the case runs */
static bool has_rows(const struct monitor *o) { return o->n_rows && o->row->n; }

/* Reads the values after this step, unless already done. */
static void read_monitor(struct monitors *w, struct monitor *o, int64_t step)
{
    if (o->read == step) return;
    if (o->kind->looks && w->looked != step) fields_look(&w->x.f->fields), w->looked = step;
    o->kind->read(o, w->x.f);
    o->read = step;
}

static void read_rows(struct monitors *w, int64_t step)
{
    for (int i = 0; i < w->n; i++) if (has_rows(&w->item[i])) read_monitor(w, &w->item[i], step);
}

static bool write_monitor(struct monitors *w, struct monitor *o, int64_t step, double time, struct error *e)
{
    if (!o->kind->write || o->written == step) return true;
    read_monitor(w, o, step);
    if (!ranks_agree(o->kind->write(o, step, time, e), e)) return false;
    o->written = step;
    return true;
}

/* The latest value of a convergence monitor; monitors_check_mesh() has checked that it exists. */
static double watched(const struct monitors *w, const struct monitor_setting *set)
{
    for (int i = 0; i < w->n; i++)
        for (int r = 0; w->item[i].kind->columns && r < w->item[i].n_rows; r++)
            if (!strcmp(w->item[i].row[r].name, set->of)) return *value_of(&w->item[i].row[r], set->quantity);
    die("no monitor has the name %s", set->of);
}

bool monitors_record(struct monitors *w, int64_t step, double time, bool due, struct error *e)
{
    const struct monitor_settings *all = &w->x.c->convergence;
    double *history = w->history;
    bool good = true;
    read_rows(w, step);
    for (int i = 0; due && i < all->n; history += all->item[i++].over + 2) {
        int64_t at = (int64_t)history[0]++ % (all->item[i].over + 1);
        history[1 + at] = watched(w, &all->item[i]);
    }
    for (int i = 0; i < w->n; i++)
        for (int r = 0; has_rows(&w->item[i]) && r < w->item[i].n_rows && good; r++)
            good = watch_write(&w->item[i].row[r], step, time, e);
    return ranks_agree(good, e);
}

bool monitors_write(struct monitors *w, int64_t step, double time, struct error *e)
{
    bool good = true;
    for (int i = 0; i < w->n && good; i++) good = write_monitor(w, &w->item[i], step, time, e);
    return good;
}

/* Whether it is due by its own interval. */
static bool is_due(const struct monitor *o, int64_t step)
{
    const size_t at = o->kind->every;
    return at && run_is_due(step, *(const int *)((const char *)o->set + at));
}

bool monitors_follow(struct monitors *w, int64_t step, double time, double dt, struct error *e)
{
    bool good = true;
    if (averages_due(w->x.averages, time, dt)) {
        for (int i = 0; i < w->n; i++) read_monitor(w, &w->item[i], step);
        averages_add(w->x.averages, dt);
    }
    for (int i = 0; i < w->n && good; i++)
        if (is_due(&w->item[i], step)) good = write_monitor(w, &w->item[i], step, time, e);
    return good;
}

bool monitors_balance(struct monitors *w, int64_t step, int i, struct balance *b)
{
    const struct monitor *o = w->item + i;
    if (i >= w->n) return false;
    read_rows(w, step);
    *b = has_rows(o) && o->kind->balance ? o->kind->balance(o) : (struct balance){0};
    return true;
}

void monitors_print(struct monitors *w, int64_t step)
{
    read_rows(w, step);
    for (const struct monitor *o = w->item; o < w->item + w->n; o++)
        if (has_rows(o) && o->kind->print) o->kind->print(o);
        else for (int r = 0; has_rows(o) && r < o->n_rows; r++) watch_print(&o->row[r], o->kind->word);
    averages_print(w->x.averages);
}

/* ---------------------------------------------------------------- convergence */
bool monitors_steady(const struct monitors *w, int *worst, double *change)
{
    const struct monitor_settings *all = &w->x.c->convergence;
    const double *history = w->history;
    bool steady = true;
    *worst = -1;
    *change = 0;
    for (int i = 0; i < all->n; history += all->item[i++].over + 2) {
        int over = all->item[i].over;
        double low = INFINITY, high = -INFINITY, moved = INFINITY;
        for (int k = 0; k <= over; k++) low = fmin(low, history[1 + k]), high = fmax(high, history[1 + k]);
        if (history[0] > over) moved = high > low ? (high - low) / fmax(fabs(low), fabs(high)) : 0;
        if (moved > all->item[i].tolerance) steady = false;
        if (*worst < 0 || moved / all->item[i].tolerance > *change / all->item[*worst].tolerance)
            *worst = i, *change = moved;
    }
    return steady;
}

bool monitors_restored(struct monitors *w, const char *path, int64_t step, struct error *e)
{
    const struct monitor_settings *all = &w->x.c->convergence;
    const double *history = w->history;
    for (int i = 0; i < all->n; history += all->item[i++].over + 2)
        if (!(history[0] >= 0 && history[0] <= (double)step && history[0] == floor(history[0])))
            return refuse(e, EXIT_INPUT, "%s: \"history\" is not one of %" PRId64 " steps; run without --restart", path,
                          step);
    averages_restored(w->x.averages);
    return true;
}
