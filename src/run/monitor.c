#include "run/monitor.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/section.h"
#include "gpu/ranks.h"
#include "run/fields_check.h"
#include "run/flow_rates.h"
#include "run/lines.h"
#include "run/plane.h"
#include "run/surface.h"
#include "run/wall_force.h"

struct monitors {
    const struct case_settings *c;
    struct flow *f;
    const struct mesh *m;
    char directory[PATH_LENGTH];
    struct sample probe_points;
    double *probe_value;        /* [columns of FIELD_SAMPLE n_probes] */
    struct watch *probe;
    struct wall_force *force;
    struct surface *surface;
    struct plane *plane;
    struct flow_rates rates;
    struct lines lines;
    struct averages *averages;
    int64_t looked, read;       /* the last steps of fields_look() and of read_all(), -1: none */
    double *history;            /* of each convergence monitor: how many values so far, the last `over` + 1 (ring) */
    int64_t history_length;
};

/* The columns of fields at a point. */
static void add_samples(struct watch *w, const struct fields *all)
{
    char name[2 * NAME_LENGTH];
    for (int k = 0; k < fields_columns(all, FIELD_SAMPLE); k++) {
        fields_column(all, FIELD_SAMPLE, k, name, sizeof name);
        watch_add(w, "%s", name);
    }
}

static const double *value_of(const struct watch *w, const char *column)
{
    for (int i = 0; i < w->n; i++) if (!strcmp(w->column[i], column)) return &w->value[i];
    return NULL;
}

void monitors_check_mesh(const struct case_settings *c, struct findings *f)
{
    struct fields all = fields_of(&c->flow, f->dim);
    for (int i = 0; i < c->convergence.n; i++) {
        const struct monitor_setting *set = &c->convergence.item[i];
        struct watch has = {0};
        char list[2048] = "";
        const char *kind = NULL;
        for (int k = 0; k < c->probes.n && !kind; k++)
            if (!strcmp(c->probes.item[k].name, set->of)) add_samples(&has, &all), kind = "probe";
        for (int k = 0; k < c->forces.n && !kind; k++)
            if (!strcmp(c->forces.item[k].name, set->of))
                wall_force_columns(&c->forces.item[k], f->dim, &has), kind = "force";
        for (int k = 0; k < c->surfaces.n && !kind; k++)
            if (!strcmp(c->surfaces.item[k].name, set->of))
                surface_columns(&c->surfaces.item[k], &all, f->dim, &has), kind = "surface";
        for (int k = 0, at = 0; k < has.n && at < (int)(sizeof list - sizeof *has.column) - 2; k++)
            at += snprintf(list + at, sizeof list - (size_t)at, "%s%s", k ? ", " : "", has.column[k]);
        if (kind && !value_of(&has, set->quantity))
            find_fault(f, set->place, "convergence.%s.quantity = \"%s\": \"%s\" is a %s and has %s", set->name,
                       set->quantity, set->of, kind, list);
        watch_free(&has);
    }
    fields_free(&all);
}

/* Where the probes are.  That of one outside the mesh is told under its name. */
static bool place_probes(struct monitors *w, struct error *e)
{
    const struct probe_settings *all = &w->c->probes;
    double *point;
    NEW(point, 3 * all->n);
    for (int i = 0; i < all->n; i++) memcpy(point + 3 * i, all->item[i].at, sizeof all->item[i].at);
    bool good = sample_create(&w->probe_points, w->m, point, all->n, w->c->source->path, "probes", "all", e);
    for (int i = 0; i < all->n && !good; i++) {
        struct sample alone;
        const struct probe_setting *set = &all->item[i];
        if (!sample_create(&alone, w->m, set->at, 1, case_place_text(set->place), "probes", set->name, e)) break;
        sample_free(&alone);
    }
    free(point);
    return good;
}

static bool create_probes(struct monitors *w, bool resume, int64_t step, struct error *e)
{
    const struct case_settings *c = w->c;
    if (!c->probes.n) return true;
    NEW(w->probe, c->probes.n);
    NEW(w->probe_value, (int64_t)fields_columns(&w->f->fields, FIELD_SAMPLE) * c->probes.n);
    bool good = place_probes(w, e);
    for (int i = 0; i < c->probes.n && good; i++) {
        struct watch *probe = &w->probe[i];
        probe->name = c->probes.item[i].name;
        add_samples(probe, &w->f->fields);
        probe->average = averages_follow(w->averages, "probes", probe->name, probe->value, probe->n);
        good = ranks_agree(watch_open(probe, w->directory, "probes", flow_is_transient(&c->flow),
                                      c->output.report_every, resume, step, e), e);
    }
    return good;
}

static bool create_forces(struct monitors *w, bool resume, int64_t step, struct error *e)
{
    const struct case_settings *c = w->c;
    NEW(w->force, c->forces.n);
    bool good = true;
    for (int i = 0; i < c->forces.n && good; i++) {
        const struct force_setting *set = &c->forces.item[i];
        struct watch *watch = &w->force[i].watch;
        good = wall_force_create(&w->force[i], set, w->m, case_place_text(set->place), e);
        if (good) watch->average = averages_follow(w->averages, "forces", set->name, watch->value, watch->n);
        good = good && watch_open(watch, w->directory, "forces", flow_is_transient(&c->flow), c->output.report_every,
                                  resume, step, e);
    }
    return ranks_agree(good, e);
}

static bool create_surfaces(struct monitors *w, bool resume, int64_t step, struct error *e)
{
    const struct case_settings *c = w->c;
    bool good = true;
    NEW(w->surface, c->surfaces.n);
    for (int i = 0; i < c->surfaces.n && good; i++)
        good = ranks_agree(surface_create(&w->surface[i], &c->surfaces.item[i], w->m, &w->f->fields, w->averages, e) &&
                           surface_open(&w->surface[i], w->directory, c->output.format, flow_is_transient(&c->flow),
                                        c->output.report_every, resume, step, e), e);
    return good;
}

static bool create_planes(struct monitors *w, bool resume, int64_t step, struct error *e)
{
    const struct case_settings *c = w->c;
    NEW(w->plane, c->planes.n);
    bool good = true;
    for (int i = 0; i < c->planes.n && good; i++)
        good = ranks_agree(plane_create(&w->plane[i], &c->planes.item[i], w->m, &w->f->fields, w->averages, e) &&
                           plane_open(&w->plane[i], w->directory, c->output.format, resume, step, e), e);
    return good;
}

/* The latest value of a convergence monitor: which there is, monitors_check_mesh() has seen to that. */
static double watched(const struct monitors *w, const struct monitor_setting *set)
{
    for (int i = 0; i < w->c->probes.n; i++)
        if (!strcmp(w->probe[i].name, set->of)) return *value_of(&w->probe[i], set->quantity);
    for (int i = 0; i < w->c->forces.n; i++)
        if (!strcmp(w->force[i].watch.name, set->of)) return *value_of(&w->force[i].watch, set->quantity);
    int i = 0;
    while (strcmp(w->surface[i].watch.name, set->of)) i++;
    return *value_of(&w->surface[i].watch, set->quantity);
}

static void create_history(struct monitors *w)
{
    for (int i = 0; i < w->c->convergence.n; i++) w->history_length += w->c->convergence.item[i].over + 2;
    NEW(w->history, w->history_length);
}

struct monitors *monitors_create(const struct case_settings *c, const struct mesh *m, struct flow *f,
                                 const char *directory, bool resume, int64_t resumed_step, struct error *e)
{
    struct monitors *w;
    NEW(w, 1);
    w->c = c, w->m = m, w->f = f, w->looked = w->read = -1;
    w->averages = averages_create(&c->averages, c->source->settings, f, m);
    snprintf(w->directory, sizeof w->directory, "%s", directory);
    create_history(w);
    if (create_probes(w, resume, resumed_step, e) && create_forces(w, resume, resumed_step, e) &&
        create_surfaces(w, resume, resumed_step, e) && create_planes(w, resume, resumed_step, e) &&
        ranks_agree(flow_rates_create(&w->rates, f, m, directory, c->output.report_every, resume, resumed_step, e),
                    e) &&
        lines_create(&w->lines, c, m, &f->fields, w->averages, e))
        return w;
    monitors_free(w);
    return NULL;
}

static void look(struct monitors *w, int64_t step)
{
    if (w->looked != step) fields_look(&w->f->fields);
    w->looked = step;
}

/* Reads probes, forces, surfaces and flow rates after this step, unless that has been done. */
static void read_all(struct monitors *w, int64_t step)
{
    int n = w->c->probes.n;
    if (w->read == step) return;
    w->read = step;
    flow_rates_read(&w->rates, w->f);
    if (!n && !w->c->forces.n && !w->c->surfaces.n) return;
    look(w, step);
    if (n) sample_read(&w->probe_points, w->f, w->probe_value);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < w->probe[i].n; k++) w->probe[i].value[k] = w->probe_value[k * n + i];
    for (int i = 0; i < w->c->forces.n; i++) wall_force_read(&w->force[i], w->f);
    for (int i = 0; i < w->c->surfaces.n; i++) surface_read(&w->surface[i], w->f);
}

static void read_lines(struct monitors *w, int64_t step)
{
    if (!w->c->lines.n) return;
    look(w, step);
    lines_read(&w->lines, w->f);
}

bool monitors_record(struct monitors *w, int64_t step, double time, bool due, struct error *e)
{
    const struct case_settings *c = w->c;
    read_all(w, step);
    double *history = w->history;
    for (int i = 0; due && i < c->convergence.n; history += c->convergence.item[i++].over + 2) {
        int64_t at = (int64_t)history[0]++ % (c->convergence.item[i].over + 1);
        history[1 + at] = watched(w, &c->convergence.item[i]);
    }
    bool good = true;
    for (int i = 0; i < c->probes.n && good; i++) good = watch_write(&w->probe[i], step, time, e);
    for (int i = 0; i < c->forces.n && good; i++) good = watch_write(&w->force[i].watch, step, time, e);
    for (int i = 0; i < c->surfaces.n && good; i++) good = watch_write(&w->surface[i].watch, step, time, e);
    return ranks_agree(good && (!w->rates.watch.n || watch_write(&w->rates.watch, step, time, e)), e);
}

bool monitors_steady(const struct monitors *w, int *worst, double *change)
{
    const double *history = w->history;
    bool steady = true;
    *worst = -1;
    *change = 0;
    for (int i = 0; i < w->c->convergence.n; history += w->c->convergence.item[i++].over + 2) {
        int over = w->c->convergence.item[i].over;
        double low = INFINITY, high = -INFINITY, moved = INFINITY;
        for (int k = 0; k <= over; k++) low = fmin(low, history[1 + k]), high = fmax(high, history[1 + k]);
        if (history[0] > over) moved = high > low ? (high - low) / fmax(fabs(low), fabs(high)) : 0;
        if (moved > w->c->convergence.item[i].tolerance) steady = false;
        if (*worst < 0 ||
            moved / w->c->convergence.item[i].tolerance > *change / w->c->convergence.item[*worst].tolerance)
            *worst = i, *change = moved;
    }
    return steady;
}

double *monitors_history(struct monitors *w, int64_t *length)
{
    *length = w->history_length;
    return w->history;
}

bool monitors_history_fits(const struct monitors *w, int64_t steps)
{
    const double *history = w->history;
    for (int i = 0; i < w->c->convergence.n; history += w->c->convergence.item[i++].over + 2)
        if (!(history[0] >= 0 && history[0] <= (double)steps && history[0] == floor(history[0]))) return false;
    return true;
}

/* Writes the surfaces and planes that are due: all, or those whose own interval has passed. */
static bool write_facets(struct monitors *w, int64_t step, double time, bool all, struct error *e)
{
    bool good = true;
    for (int i = 0; i < w->c->surfaces.n && good; i++) {
        int every = w->surface[i].set->every;
        if (!all && !(every && step % every == 0)) continue;
        read_all(w, step);
        good = ranks_agree(surface_write(&w->surface[i], step, time, e), e);
    }
    for (int i = 0; i < w->c->planes.n && good; i++) {
        int every = w->plane[i].set->every;
        if (!all && !(every && step % every == 0)) continue;
        look(w, step), plane_read(&w->plane[i], w->f);
        good = ranks_agree(plane_write(&w->plane[i], step, time, e), e);
    }
    return good;
}

bool monitors_write(struct monitors *w, int64_t step, double time, struct error *e)
{
    read_lines(w, step);
    return lines_write(&w->lines, w->m->dim, w->directory, e) && write_facets(w, step, time, true, e);
}

bool monitors_follow(struct monitors *w, int64_t step, double time, double dt, struct error *e)
{
    if (averages_due(w->averages, time, dt)) {
        read_all(w, step), read_lines(w, step);
        for (int i = 0; i < w->c->planes.n; i++) look(w, step), plane_read(&w->plane[i], w->f);
        averages_add(w->averages, dt);
    }
    return write_facets(w, step, time, false, e);
}

void monitors_restored(struct monitors *w) { averages_restored(w->averages); }

void monitors_print(struct monitors *w, int64_t step)
{
    read_all(w, step);
    for (int i = 0; i < w->c->probes.n; i++) watch_print(&w->probe[i], "probe");
    for (int i = 0; i < w->c->forces.n; i++) watch_print(&w->force[i].watch, "force");
    for (int i = 0; i < w->c->surfaces.n; i++) surface_print(&w->surface[i]);
    flow_rates_print(&w->rates);
    averages_print(w->averages);
}

void monitors_free(struct monitors *w)
{
    for (int i = 0; w->probe && i < w->c->probes.n; i++) watch_free(&w->probe[i]);
    for (int i = 0; w->force && i < w->c->forces.n; i++) wall_force_free(&w->force[i]);
    for (int i = 0; w->surface && i < w->c->surfaces.n; i++) surface_free(&w->surface[i]);
    for (int i = 0; w->plane && i < w->c->planes.n; i++) plane_free(&w->plane[i]);
    flow_rates_free(&w->rates);
    averages_free(w->averages);
    lines_free(&w->lines);
    sample_free(&w->probe_points);
    free(w->probe_value), free(w->probe), free(w->force), free(w->surface), free(w->plane), free(w->history), free(w);
}
