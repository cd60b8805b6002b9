/* Reports of every run: the first page, why it diverged, the closing summary. */
#include "run/report.h"
#include <math.h>
#include <stdio.h>
#include <sys/resource.h>
#include "base/log.h"
#include "base/timer.h"
#include "base/version.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"

const char *rest_warning(const struct flow_setting *c)
{
    const double *g = c->fluid.gravity;
    bool moved = flow_imposed_speed(c) > 0 || flow_has_expressions(c) || g[0] != 0 || g[1] != 0 || g[2] != 0 ||
                 c->fluid.acceleration_length > 0 || c->driven.given || c->second_fluid.given ||
                 c->prescribed.given || c->scalars.n > 0 || c->sources.n > 0 ||
                 *c->initial.file;
    return moved ? NULL : "nothing in the case moves the fluid: no wall moves, and there is no inlet, no difference of "
                          "pressure, no initial velocity; give one of the boundaries a velocity";
}

/* Bytes on all devices, and per cell. */
static void report_memory(const struct flow *f, int64_t bytes, const char *when)
{
    int64_t all = count_over_ranks(bytes);
    const char *where = device_kind() == DEVICE_CPU ? "host" : "GPU";
    log_print("memory     %.1f MB %son the %s%s (%.0f bytes a cell)\n", 1e-6 * (double)all, when, where,
              ranks_count() > 1 ? "s of all ranks" : "", (double)all / (double)f->s.pattern.n_global);
}

/* Peak memory of a process, including pages of files (mesh/shared.h). */
static void report_host(void)
{
    struct rusage used;
    if (ranks_count() == 1 || getrusage(RUSAGE_SELF, &used)) return;
    double most = 1e-6 * 1024 * (double)used.ru_maxrss;
    largest_over_ranks(&most, 1);
    log_print("           at most %.0f MB per process of a rank\n", most);
}

static void report_ranks(const struct stencil *s)
{
    int before, here = ranks_here(&before);
    double copies[2] = {0};                             /* maximum over the ranks: near, far */
    if (ranks_count() == 1) return;
    copies[0] = halo_rows(s->pattern.halo), copies[1] = halo_rows(s->far);
    largest_over_ranks(copies, 2);
    log_print("ranks      %d, %d on this host (%s), about %d slices each; at most %.0f ghosts in the first layer, "
              "%.0f in the second\n", ranks_count(), here, ranks_transport(),
              (int)(count_over_ranks(s->n_slices) / ranks_count()), copies[0], copies[1]);
}

/* The limits of a step, given or chosen. */
static void report_limits(const struct flow_setting *c)
{
    const struct { const char *name; double value; } limit[] = {
        {"courant", c->time.courant}, {"interface_courant", c->time.interface_courant},
        {"capillary", c->time.capillary}};
    log_print("limits     time.step = %g", c->time.step);
    for (int i = 0; i < 3; i++) if (limit[i].value > 0) log_print(", time.%s = %g", limit[i].name, limit[i].value);
    log_print("\n");
}

/* Where gravity acts along a periodic direction. */
static void report_fall(const struct flow *f)
{
    double along[3];
    bool falls = false;
    for (int k = 0; k < 3; k++) falls |= (along[k] = f->c->fluid.gravity[k] - f->gravity[k]) != 0;
    if (falls) log_print("gravity    [%g, %g, %g] along periodic directions accelerates the fluid; walls or `driven` "
                         "must balance it\n", along[0], along[1], along[2]);
}

void report_start(const struct flow *f, const struct case_source *source, const struct mesh *part, double mesh_seconds,
                  bool in_time)
{
    const struct mesh *m = mesh_whole(part);
    const struct pattern *p = &f->s.pattern;
    int64_t entries = count_over_ranks(p->n_entries), local = count_over_ranks(p->n_local);
    int64_t slices = count_over_ranks(p->n_slices);
    log_print("Poise %s\n", POISE_VERSION);
    log_print("device     %s\n", device_description());
    if (device_note()[0]) log_print("           %s\n", device_note());
    log_print("mesh       %s: %d cells, %d faces, %d of them on the boundary, %d-D; ready in %.2f s\n", m->source,
              m->n_cells, m->n_faces, m->n_faces - m->n_internal, m->dim, mesh_seconds);
    if (m->note[0]) log_print("           %s\n", m->note);
    if (m->solid) log_print("           %d cells are in solids, which conduct heat only\n", m->n_cells - m->n_fluid);
    if (f->s.n_slivers)
        log_print("           %d cells are slivers: corrections for skewness are limited in them\n", f->s.n_slivers);
    if (f->b.n_steep)
        log_print("           %d cells at boundaries have a face over 70 degrees from orthogonal: the pressure "
                  "on the boundary has a simpler formula there\n", f->b.n_steep);
    if (f->reconstruction.n_limited)
        log_print("           %d cells have too few or too uneven neighbours: the velocity's second derivatives are "
                  "limited there\n", f->reconstruction.n_limited);
    report_fall(f);
    if (rest_warning(f->c)) log_print("warning    %s\n", rest_warning(f->c));
    for (int i = 0; i < f->c->boundary.n; i++) {
        char warning[WARNING_LENGTH];
        if (boundary_warning(&f->b, &f->given, &f->c->boundary, i, warning)) log_print("warning    %s\n", warning);
    }
    log_print("matrix     mod.SELL, %d slices of %d rows, %.1f %% of the off-diagonals local to their slice\n",
              (int)slices, SLICE, entries ? 100.0 * (double)local / (double)entries : 0);
    const struct { const char *name; const struct solver *is; } solver[] = {
        {"pressure", f->pressure_solver}, {"coupled", f->coupled_solver}, {"velocity", f->velocity_solver}};
    for (int i = 0; i < 3; i++)
        if (solver[i].is && solver_choice(solver[i].is))
            log_print("%-10s multigrid: %s\n", solver[i].name, solver_choice(solver[i].is));
    if (in_time) report_limits(f->c);
    report_ranks(&f->s);
    report_memory(f, device_bytes(), "");
    stage_done("report");
    log_print("start      %s\n", stages_told());
    /* Only in the file, so that the first residuals are on the first screen of a terminal. */
    log_print("settings   listed in log.txt; all others have their defaults (poise help case)\n");
    log_file_only("%s", source->listing);
    log_print("\n");
}

double worst_residual(const struct flow *f, const struct simple_report *r)
{
    double worst = 0;
    for (int k = 0; k < fields_columns(&f->fields, FIELD_RESIDUAL); k++)
        if (isnan(r->residual[k]) || r->residual[k] > worst) worst = r->residual[k];
    return worst;
}

void report_time(char *text, size_t size, double left)
{
    const char *most = left < 0 ? "< " : "";
    double seconds = left < 0 ? fmax(-left, 1) : left;
    if (isnan(left)) snprintf(text, size, "-");
    else if (seconds < 100) snprintf(text, size, "%s%.0f s", most, seconds);
    else if (seconds < 6000) snprintf(text, size, "%s%.0f min", most, seconds / 60);
    else snprintf(text, size, "%s%.1f h", most, seconds / 3600);
}

static void report_place(const struct place *p)
{
    char where[120];
    place_name(p, where, sizeof where);
    if (isnan(p->speed)) log_print("  The velocity is not a number, first in %s.\n", where);
    else log_print("  The largest velocity %s %.4g, in %s.\n", p->age ? "was last" : "is", p->speed, where);
}

void report_advice(const struct advices *a)
{
    log_print("  What to change%s:\n", a->n > 1 ? ", the likeliest first" : "");
    for (int i = 0; i < a->n; i++) log_print("  - %s.\n", a->line[i].text);
}

void report_divergence(const struct situation *s, const char *when, const char *how)
{
    struct advices a;
    advise(&a, s);
    log_print("\nDIVERGED at %s: %s.\n", when, how);
    if (flow_is_solved(s->c) && !s->beyond) report_place(&s->place);
    report_advice(&a);
}

void report_end(struct flow *f, const char *what, int64_t steps, double seconds)
{
    const double *of_phase = stopwatch_seconds(&f->watch);
    double known = 0;
    for (int i = 0; i < N_PHASES; i++) known += of_phase[i];
    log_print("time       %.2f s for %lld %ss: %.4g s %s %s, %.2f million cells a second\n", seconds, (long long)steps,
              what, steps ? seconds / (double)steps : 0, *what == 'i' ? "an" : "a", what,
              seconds > 0 ? 1e-6 * (double)steps * (double)f->s.pattern.n_global / seconds : 0);
    for (int i = 0; i < N_PHASES; i++)
        if (of_phase[i] > 0 && (i != PHASE_INTERFACE || f->interface))
            log_print("  %-20s %8.2f s  %5.1f %%\n", phase_name[i], of_phase[i], 100 * of_phase[i] / seconds);
    log_print("  %-20s %8.2f s  %5.1f %%\n", "files and log", seconds - known, 100 * (seconds - known) / seconds);
    report_memory(f, device_peak_bytes(), "at most ");
    report_host();
    stages_begin();
}
