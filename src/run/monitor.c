#include "run/monitor.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "run/monitor_kernels.h"
#include "run/sample.h"
#include "gpu/device.h"
#include "io/output.h"

enum { MOST_VALUES = 13 };                              /* columns of one monitor: forces have 9, in 3-D 12; the time */

struct watch {                                          /* one probe or force: its columns and their latest values */
    const char *name;
    int n;
    char column[MOST_VALUES][NAME_LENGTH];
    double value[MOST_VALUES];
    struct csv *csv;
};

struct force {
    struct watch watch;
    int32_t n;                                          /* boundary faces */
    int32_t *face;                                      /* on the machine */
    double *on_device, *on_host;                        /* [2 dim n] */
    double *arm;                                        /* [dim n] host: face centre - point that moments are about */
    double *centre;                                     /* [dim n] on the machine: face centre */
};

struct monitors {
    const struct case_settings *c;
    struct flow *f;
    const struct mesh *m;
    char directory[PATH_LENGTH];
    struct sample probe_points;
    double *probe_value;
    struct watch *probe;
    struct force *force;
    struct sample *line;
    double *history;            /* per convergence monitor: count, then the last `over` + 1 values as a ring */
    int64_t history_length;
};

static const char axis_name[] = "xyz";

static void add_column(struct watch *w, const char *format, ...) __attribute__((format(printf, 2, 3)));
static void add_column(struct watch *w, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(w->column[w->n++], NAME_LENGTH, format, list);
    va_end(list);
}

static bool open_csv(struct monitors *w, struct watch *watch, const char *folder, bool resume, int64_t step, struct error *e)
{
    char path[PATH_LENGTH + 2 * NAME_LENGTH], header[MOST_VALUES * NAME_LENGTH] = "iteration";
    if (case_is_transient(w->c)) strcat(header, ",time");
    snprintf(path, sizeof path, "%s/%s", w->directory, folder);
    if (!folder_make(path, e)) return false;
    snprintf(path, sizeof path, "%s/%s/%s.csv", w->directory, folder, watch->name);
    for (int i = 0; i < watch->n; i++) strcat(strcat(header, ","), watch->column[i]);
    watch->csv = csv_open(path, header, resume, step, e);
    return watch->csv != NULL;
}

static bool create_probes(struct monitors *w, bool resume, int64_t step, struct error *e)
{
    const struct case_settings *c = w->c;
    double *point;
    bool good = true;
    if (!c->n_probes) return true;
    NEW(point, 3 * c->n_probes);
    NEW(w->probe, c->n_probes);
    NEW(w->probe_value, 5 * c->n_probes);
    for (int i = 0; i < c->n_probes && good; i++) {
        memcpy(point + 3 * i, c->probe[i].at, sizeof c->probe[i].at);
        w->probe[i].name = c->probe[i].name;
        for (int k = 0; k < w->m->dim; k++) add_column(&w->probe[i], "velocity_%c", axis_name[k]);
        add_column(&w->probe[i], "pressure");
        if (w->f->interface) add_column(&w->probe[i], "fraction");
        struct sample alone;                            /* one by one, for the message's sake */
        good = sample_create(&alone, w->m, point + 3 * i, 1, case_place(c, c->probe[i].line), "probes", c->probe[i].name,
                             e)
            && (sample_free(&alone), open_csv(w, &w->probe[i], "probes", resume, step, e));
    }
    good = good && sample_create(&w->probe_points, w->m, point, c->n_probes, c->path, "probes", "all", e);
    free(point);
    return good;
}

static bool create_force(struct monitors *w, int index, bool resume, int64_t step, struct error *e)
{
    const struct mesh *m = w->m;
    const struct force_setting *set = &w->c->force[index];
    struct force *force = &w->force[index];
    int32_t *face, room = m->n_faces - m->n_internal;
    double *centre;
    NEW(face, room);
    for (int i = 0; i < set->n_boundaries; i++) {
        int p = 0;
        while (p < m->n_patches && strcmp(m->patch[p].name, set->boundary[i])) p++;
        if (p == m->n_patches) {
            const char **names;
            NEW(names, m->n_patches);
            for (int k = 0; k < m->n_patches; k++) names[k] = m->patch[k].name;
            const char *near = nearest_name(set->boundary[i], names, m->n_patches);
            free(names), free(face);
            return refuse(e, EXIT_INPUT, "%s: forces.%s: boundary \"%s\" is not in the mesh%s%s%s",
                          case_place(w->c, set->line), set->name, set->boundary[i], near ? " (did you mean \"" : "",
                          near ? near : "", near ? "\"?)" : "");
        }
        for (int32_t k = 0; k < m->patch[p].count; k++) face[force->n++] = m->patch[p].first + k - m->n_internal;
    }
    NEW(force->arm, (int64_t)m->dim * force->n);
    NEW(centre, (int64_t)m->dim * force->n);
    NEW(force->on_host, 2 * (int64_t)m->dim * force->n);
    for (int32_t i = 0; i < force->n; i++)
        for (int k = 0; k < m->dim; k++) {
            int32_t f = m->n_internal + face[i];
            double at = m->cell_centre[(int64_t)k * m->n_cells + m->face_owner[f]] + m->face_r[(int64_t)k * m->n_faces + f];
            centre[(int64_t)k * force->n + i] = at;
            force->arm[(int64_t)k * force->n + i] = at - set->about[k];
        }
    force->face = device_alloc((size_t)force->n * sizeof *face, "force faces");
    force->on_device = device_alloc(2 * (size_t)m->dim * (size_t)force->n * sizeof(double), "forces");
    force->centre = device_alloc((size_t)m->dim * (size_t)force->n * sizeof(double), "force faces");
    device_upload(force->face, face, (size_t)force->n * sizeof *face);
    device_upload(force->centre, centre, (size_t)m->dim * (size_t)force->n * sizeof *centre);
    free(face), free(centre);
    force->watch.name = set->name;
    for (int k = 0; k < m->dim; k++) add_column(&force->watch, "force_%c", axis_name[k]);
    for (int k = 0; k < m->dim; k++) add_column(&force->watch, "viscous_%c", axis_name[k]);
    for (int k = m->dim == 2 ? 2 : 0; k < 3; k++) add_column(&force->watch, "moment_%c", axis_name[k]);
    if (set->scale > 0) for (int k = 0; k < m->dim; k++) add_column(&force->watch, "coefficient_%c", axis_name[k]);
    return open_csv(w, &force->watch, "forces", resume, step, e);
}

static bool create_lines(struct monitors *w, struct error *e)
{
    const struct case_settings *c = w->c;
    NEW(w->line, c->n_lines);
    for (int i = 0; i < c->n_lines; i++) {
        const struct line_setting *set = &c->line[i];
        double *point;
        NEW(point, 3 * (int64_t)set->points);
        for (int p = 0; p < set->points; p++)
            for (int k = 0; k < 3; k++)
                point[3 * p + k] = set->from[k] + (set->to[k] - set->from[k]) * p / (set->points - 1);
        bool good = sample_create(&w->line[i], w->m, point, set->points, case_place(c, set->line), "lines", set->name,
                                  e);
        free(point);
        if (!good) return false;
    }
    return true;
}

/* The latest value of a convergence monitor, or NULL. */
static const double *watched(const struct monitors *w, const struct monitor_setting *set, const struct watch **of)
{
    *of = NULL;
    for (int i = 0; i < w->c->n_probes; i++) if (!strcmp(w->probe[i].name, set->of)) *of = &w->probe[i];
    for (int i = 0; i < w->c->n_forces; i++) if (!strcmp(w->force[i].watch.name, set->of)) *of = &w->force[i].watch;
    for (int i = 0; *of && i < (*of)->n; i++) if (!strcmp((*of)->column[i], set->quantity)) return &(*of)->value[i];
    return NULL;
}

static bool create_history(struct monitors *w, struct error *e)
{
    for (int i = 0; i < w->c->n_monitors; i++) {
        const struct monitor_setting *set = &w->c->monitor[i];
        const struct watch *of;
        if (!watched(w, set, &of)) {
            char list[MOST_VALUES * NAME_LENGTH] = "";
            for (int k = 0; of && k < of->n; k++) strcat(strcat(list, k ? ", " : ""), of->column[k]);
            return refuse(e, EXIT_INPUT, "%s: convergence.%s: \"%s\" has no quantity \"%s\"; it has: %s",
                          case_place(w->c, set->line), set->name, set->of, set->quantity, list);
        }
        w->history_length += set->over + 2;
    }
    NEW(w->history, w->history_length);
    return true;
}

struct monitors *monitors_create(const struct case_settings *c, const struct mesh *m, struct flow *f, const char *directory,
                                 bool resume, int64_t resumed_step, struct error *e)
{
    struct monitors *w;
    NEW(w, 1);
    w->c = c, w->m = m, w->f = f;
    snprintf(w->directory, sizeof w->directory, "%s", directory);
    NEW(w->force, c->n_forces);
    bool good = create_probes(w, resume, resumed_step, e);
    for (int i = 0; i < c->n_forces && good; i++) good = create_force(w, i, resume, resumed_step, e);
    if (good && create_lines(w, e) && create_history(w, e)) return w;
    monitors_free(w);
    return NULL;
}

static void read_probes(struct monitors *w, const double *grad_u)
{
    int n = w->c->n_probes;
    if (!n) return;
    sample_read(&w->probe_points, w->f, grad_u, w->probe_value);
    for (int i = 0; i < n; i++)
        for (int k = 0; k < sample_values(w->f); k++) w->probe[i].value[k] = w->probe_value[k * n + i];
}

static void read_force(struct monitors *w, struct force *force, double scale, const double *grad_u)
{
    int dim = w->m->dim;
    struct force_args a = {w->f->s, w->f->b, fluids_of(w->f), force->face, force->centre, w->f->u, grad_u, w->f->reconstruction.wall, force->n, force->on_device};
    force_faces(&a, force->n);
    device_download(force->on_host, force->on_device, 2 * (size_t)dim * (size_t)force->n * sizeof(double));
    double total[3] = {0}, viscous[3] = {0}, moment[3] = {0};
    for (int32_t i = 0; i < force->n; i++) {
        double at[3] = {0}, on[3] = {0};
        for (int k = 0; k < dim; k++) {
            double shear = force->on_host[(int64_t)(dim + k) * force->n + i];
            at[k] = force->arm[(int64_t)k * force->n + i];
            on[k] = force->on_host[(int64_t)k * force->n + i] + shear;
            total[k] += on[k], viscous[k] += shear;
        }
        for (int k = 0; k < 3; k++) moment[k] += at[(k + 1) % 3] * on[(k + 2) % 3] - at[(k + 2) % 3] * on[(k + 1) % 3];
    }
    int n = 0;
    for (int k = 0; k < dim; k++) force->watch.value[n++] = total[k];
    for (int k = 0; k < dim; k++) force->watch.value[n++] = viscous[k];
    for (int k = dim == 2 ? 2 : 0; k < 3; k++) force->watch.value[n++] = moment[k];
    if (scale > 0) for (int k = 0; k < dim; k++) force->watch.value[n++] = total[k] / scale;
}

static void read_all(struct monitors *w)
{
    if (!w->c->n_probes && !w->c->n_forces) return;
    const double *grad_u = flow_velocity_gradient(w->f);
    flow_pressure_gradient(w->f);
    read_probes(w, grad_u);
    for (int i = 0; i < w->c->n_forces; i++) read_force(w, &w->force[i], w->c->force[i].scale, grad_u);
}

static bool write_row(const struct monitors *w, const struct watch *watch, int64_t step, double time, struct error *e)
{
    double value[MOST_VALUES] = {time};
    int timed = case_is_transient(w->c);
    memcpy(value + timed, watch->value, (size_t)watch->n * sizeof *value);
    return csv_row(watch->csv, step, value, watch->n + timed, e);
}

bool monitors_record(struct monitors *w, int64_t step, double time, struct error *e)
{
    const struct case_settings *c = w->c;
    read_all(w);
    double *history = w->history;
    for (int i = 0; i < c->n_monitors; history += c->monitor[i++].over + 2) {
        const struct watch *of;
        int64_t at = (int64_t)history[0]++ % (c->monitor[i].over + 1);
        history[1 + at] = *watched(w, &c->monitor[i], &of);
    }
    for (int i = 0; i < c->n_probes; i++)
        if (!write_row(w, &w->probe[i], step, time, e)) return false;
    for (int i = 0; i < c->n_forces; i++)
        if (!write_row(w, &w->force[i].watch, step, time, e)) return false;
    return true;
}

bool monitors_steady(const struct monitors *w, int *worst, double *change)
{
    const double *history = w->history;
    bool steady = true;
    *worst = -1;
    *change = 0;
    for (int i = 0; i < w->c->n_monitors; history += w->c->monitor[i++].over + 2) {
        int over = w->c->monitor[i].over;
        double low = INFINITY, high = -INFINITY, moved = INFINITY;
        for (int k = 0; k <= over; k++) low = fmin(low, history[1 + k]), high = fmax(high, history[1 + k]);
        if (history[0] > over) moved = high > low ? (high - low) / fmax(fabs(low), fabs(high)) : 0;
        if (moved > w->c->monitor[i].tolerance) steady = false;
        if (*worst < 0 || moved / w->c->monitor[i].tolerance > *change / w->c->monitor[*worst].tolerance)
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
    for (int i = 0; i < w->c->n_monitors; history += w->c->monitor[i++].over + 2)
        if (!(history[0] >= 0 && history[0] <= (double)steps && history[0] == floor(history[0]))) return false;
    return true;
}

static bool write_line(const struct monitors *w, const struct line_setting *set, const struct sample *s, const double *grad_u,
                       struct error *e)
{
    int dim = w->m->dim, n = set->points, values = sample_values(w->f);
    char path[PATH_LENGTH + 2 * NAME_LENGTH], *text = NULL;
    size_t length = 0;
    double *value;
    NEW(value, (int64_t)values * n);
    sample_read(s, w->f, grad_u, value);
    FILE *out = open_memstream(&text, &length);
    if (!out) die("no memory stream for a line");
    fprintf(out, dim == 2 ? "x,y,velocity_x,velocity_y,pressure" : "x,y,z,velocity_x,velocity_y,velocity_z,pressure");
    fprintf(out, w->f->interface ? ",fraction\n" : "\n");
    for (int p = 0; p < n; p++) {
        for (int k = 0; k < dim; k++) fprintf(out, "%s%.17g", k ? "," : "", set->from[k] + (set->to[k] - set->from[k]) * p / (n - 1));
        for (int k = 0; k < values; k++) fprintf(out, ",%.17g", value[k * n + p]);
        fputc('\n', out);
    }
    fclose(out);
    snprintf(path, sizeof path, "%s/lines/%s.csv", w->directory, set->name);
    bool good = file_replace(path, text, length, e);
    free(text), free(value);
    return good;
}

bool monitors_write_lines(const struct monitors *w, struct error *e)
{
    char path[PATH_LENGTH + NAME_LENGTH];
    if (!w->c->n_lines) return true;
    snprintf(path, sizeof path, "%s/lines", w->directory);
    if (!folder_make(path, e)) return false;
    const double *grad_u = flow_velocity_gradient(w->f);
    flow_pressure_gradient(w->f);
    for (int i = 0; i < w->c->n_lines; i++)
        if (!write_line(w, &w->c->line[i], &w->line[i], grad_u, e)) return false;
    return true;
}

static void print_watch(const char *kind, const struct watch *w)
{
    log_print("  %-6s %-14s", kind, w->name);
    for (int i = 0; i < w->n; i++) log_print("  %s %.6g", w->column[i], w->value[i]);
    log_print("\n");
}

void monitors_print(struct monitors *w)
{
    read_all(w);
    for (int i = 0; i < w->c->n_probes; i++) print_watch("probe", &w->probe[i]);
    for (int i = 0; i < w->c->n_forces; i++) print_watch("force", &w->force[i].watch);
}

void monitors_free(struct monitors *w)
{
    for (int i = 0; w->probe && i < w->c->n_probes; i++) csv_close(w->probe[i].csv);
    for (int i = 0; i < w->c->n_forces; i++) {
        csv_close(w->force[i].watch.csv);
        device_free(w->force[i].face);
        device_free(w->force[i].centre);
        device_free(w->force[i].on_device);
        free(w->force[i].on_host), free(w->force[i].arm);
    }
    for (int i = 0; w->line && i < w->c->n_lines; i++) sample_free(&w->line[i]);
    sample_free(&w->probe_points);
    free(w->probe_value), free(w->probe), free(w->force), free(w->line), free(w->history), free(w);
}
