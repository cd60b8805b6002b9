/* A transient run: time steps to time.end. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "base/timer.h"
#include "gpu/sums.h"
#include "run/backflow.h"
#include "run/bubbles.h"
#include "run/growth.h"
#include "run/system_file.h"
#include "run/report.h"
#include "run/run_parts.h"
#include "run/unsolved.h"
#include "flow/transient.h"

struct march {
    struct run *r;
    struct transient t;
    double first_time;          /* where this run began */
    double speed;               /* the speed that conditions, gravity and surface tension can make; 0: none */
    double most;                /* the run has diverged where the velocity is over so many times that speed */
    double longest;             /* step of this run so far */
    bool warned;                /* a warning of the Courant number has been given */
    bool refused;               /* the pressure's preconditioner could not take the last matrix */
    int64_t rejected;           /* how often a step was made again for time.tolerance */
    struct growth growth;
    struct backflow backflow;
    struct unsolved unsolved;
    struct bubbles *bubbles;    /* two fluids */
};

/* ---------------------------------------------------------------- files */
static bool open_bubbles(struct march *w, struct error *e)
{
    const struct run *r = w->r;
    w->bubbles = bubbles_create(r->c, &r->m, r->c->output.directory, r->o->restart, r->first, e);
    return ranks_agree(w->bubbles != NULL, e);
}

static bool record_bubbles(struct march *w, struct error *e)
{
    return ranks_agree(bubbles_report(w->bubbles, w->t.f.interface, w->t.f.u, w->r->step, w->t.time, e), e);
}

static bool open_files(struct march *w, struct error *e)
{
    char header[256] = "iteration,time,step,courant";
    if (w->t.f.interface) strcat(header, ",interface_courant");
    strcat(header, ",max_velocity");
    if (!flow_is_advection(&w->r->c->flow)) strcat(header, ",continuity,inner_velocity,inner_pressure,error");
    if (w->t.f.interface) strcat(header, ",volume,volume_error,lowest,highest,area,redistributed");
    if (!run_open(w->r, header, e)) return false;
    w->t.steps = w->r->step;
    if (w->t.time < 0 || (w->t.steps > 0 && w->t.step <= 0))
        return refuse(e, EXIT_INPUT, "%s: t = %g after a step of %g: expected t >= 0 and a step > 0; run without "
                      "--restart", w->r->checkpoint, w->t.time, w->t.step);
    if (w->r->o->restart) transient_restored(&w->t);
    if (w->r->o->restart && !flow_is_advection(w->t.f.c)) given_restore(&w->t.f.given, w->t.time);
    return !w->t.f.interface || run_is_done(w->r) || open_bubbles(w, e);
}

static bool write_row(struct march *w, const struct transient_report *s, struct error *e)
{
    const struct interface_summary *i = &s->interface;
    double value[16] = {w->t.time, w->t.step, s->courant};
    int n = 3;
    if (w->t.f.interface) value[n++] = s->interface_courant;
    value[n++] = s->speed;
    if (!flow_is_advection(&w->r->c->flow)) {
        value[n++] = s->continuity;
        value[n++] = s->velocity_solve.iterations, value[n++] = s->pressure_solve.iterations;
        value[n++] = s->error;
    }
    if (w->t.f.interface) {
        value[n++] = i->volume, value[n++] = i->volume_error, value[n++] = i->lowest, value[n++] = i->highest;
        value[n++] = bubbles_area(w->bubbles, w->t.f.interface, w->t.f.u, w->r->step), value[n++] = i->redistributed;
    }
    return csv_row(w->r->residuals, w->r->step, value, n, e);
}

static bool is_due(int64_t step, int every) { return every > 0 && step % every == 0; }

/* Writes the rows of all tables that are due after a step; after the last one all are. */
static bool write_rows(struct march *w, const struct transient_report *s, bool last, struct error *e)
{
    const struct run *r = w->r;
    int every = r->c->output.report_every, bubbles_every = r->c->bubbles.given ? r->c->bubbles.every : every;
    if (w->bubbles && (last || is_due(r->step, bubbles_every)) && !record_bubbles(w, e)) return false;
    bool due = is_due(r->step, every);
    if (!monitors_follow(r->monitors, r->step, w->t.time, w->t.step, e)) return false;
    return (!last && !due) || (ranks_agree(write_row(w, s, e), e) &&
                               monitors_record(r->monitors, r->step, w->t.time, due, e));
}

/* Writes fields, lines and checkpoint when they are due; on_time: this is a time of interval or times. */
static bool save(struct march *w, bool on_time, bool last, struct error *e)
{
    struct run *r = w->r;
    bool fields = last || on_time || r->asked.write || is_due(r->step, r->c->output.every);
    if (fields && !run_save_fields(r, w->t.time, e)) return false;
    bool due = last || r->asked.write || r->asked.checkpoint || is_due(r->step, r->c->output.checkpoint_every);
    return !due || run_save_checkpoint(r, e);
}

/* ---------------------------------------------------------------- what is told */
static void tell(struct march *w, const struct transient_report *s, bool last)
{
    struct run *r = w->r;
    run_tell_note(r, &s->pressure_solve);
    double spent = wall_seconds() - r->start, gone = w->t.time - w->first_time;
    double eta = last ? 0 : spent / gone * (r->c->flow.time.end - w->t.time);
    bool head;
    if (run_row_is_due(r, last, &head)) report_step(&w->t, s, eta, head);
    else report_step_progress(&w->t, s, eta);
}

static void warn_of_capillary_waves(const struct march *w)
{
    const struct time_setting *set = &w->r->c->flow.time;
    double limit = transient_wave_step(&w->t);
    if (flow_is_advection(&w->r->c->flow) || set->capillary > 0 || !(set->step > limit)) return;
    log_print("warning    time.step = %g is %.3g times the limit of waves of a cell's size, %.4g, above which they "
              "grow:\n           expected a smaller step, or time.capillary = 0.8\n", set->step, set->step / limit,
              limit);
}

/* Warns once of a large Courant number, where no limit is set that would prevent it. */
static void warn_of_courant(struct march *w, const struct transient_report *s)
{
    bool fast_flow = w->r->c->flow.solver.algorithm == ALGORITHM_PISO && s->courant > 1;
    if (w->warned || !(s->interface_courant > 1 || fast_flow)) return;
    w->warned = true;
    if (s->interface_courant > 1)
        log_print("%9" PRId64 "   warning: the Courant number of the interface is %.3g, more than a cell a step: "
                  "expected a smaller\n            time.step, or time.interface_courant = 0.5\n", w->r->step,
                  s->interface_courant);
    else log_print("%9" PRId64 "   warning: the Courant number is %.3g; a step of piso above 1 is not accurate: a "
                   "smaller time.step,\n            time.courant = 1.0, or solver.algorithm = \"pimple\"\n", w->r->step,
                   s->courant);
}

/* ---------------------------------------------------------------- how it ends */
/* The speed that conditions, gravity over the mesh's height and surface tension in a cell can make; trouble()
 * compares the flow with it. */
static double possible_speed(const struct march *w)
{
    const struct case_settings *c = w->r->c;
    const struct mesh *m = &w->r->m;
    double speed = flow_imposed_speed(&c->flow), fall = 0;
    for (int k = 0; k < m->dim; k++) {
        double far[2] = {-INFINITY, -INFINITY};         /* on the axis, and against it */
        for (int32_t i = 0; i < m->n_cells; i++) {
            double x = m->cell_centre[(int64_t)k * m->n_all + i];
            far[0] = fmax(far[0], x), far[1] = fmax(far[1], -x);
        }
        largest_over_ranks(far, 2);
        fall += fabs(c->flow.fluid.gravity[k]) * (far[0] + far[1]);
    }
    if (!w->t.f.interface) return fmax(speed, sqrt(2 * fall));
    double lightest = fmin(c->flow.fluid.density, c->flow.second_fluid.density);
    double capillary = sqrt(c->flow.second_fluid.surface_tension / (lightest * w->t.f.s.spacing));
    return fmax(speed, fmax(sqrt(2 * fall), capillary));
}

/* In a closed domain of one fluid nothing is faster than what drives it, but for the scheme's overshoots.  Elsewhere
 * the speed in a constriction or of a splash is not known beforehand. */
static double most_times(const struct march *w)
{
    const struct boundary_settings *all = &w->r->c->flow.boundary;
    bool closed = !w->t.f.interface;
    for (int i = 0; i < all->n; i++) closed = closed && !boundary_passes_flux(all->item[i].type);
    return closed ? 3 : 1000;
}

static const char *trouble(struct march *w, const struct transient_report *s)
{
    const struct run *r = w->r;
    if (!isfinite(s->courant) || !isfinite(s->continuity)) return "the flux is not a number";
    if (w->t.f.interface && !isfinite(s->interface.volume)) return "the volume of the second fluid is not a number";
    if (flow_is_advection(&r->c->flow)) return NULL;
    const char *why = run_solver_trouble(&s->velocity_solve, &s->pressure_solve);
    w->longest = fmax(w->longest, w->t.step);
    if (!why && w->t.step < 1e-6 * w->longest)
        why = "the limits have made the step a million times smaller than it was";
    if (!why && r->step % 10 == 0 && w->speed > 0 && flow_fastest(r->f) > w->most * w->speed)
        why = w->most > 3 ? "the velocity has grown to over 1000 times what conditions and forces can make"
                          : "the velocity has grown to over 3 times what conditions and forces can make";
    return why;
}

/* A time at which a step must end, and whether fields are written then. */
struct stop { double time; bool write; };

/* Takes the time where it is after now and before *next; one that is there already, but for rounding, is not taken
 * twice. */
static void take_stop(struct stop *next, double now, double time, bool write)
{
    if (!(time > now * (1 + 1e-9))) return;
    if (fabs(time - next->time) <= 1e-9 * time) next->write |= write;
    else if (time < next->time) *next = (struct stop){time, write};
}

/* The next of them, or the end. */
static struct stop next_stop(const struct march *w)
{
    const struct case_settings *c = w->r->c;
    double now = w->t.time, interval = c->output.interval;
    struct stop next = {.time = c->flow.time.end};
    if (interval > 0) take_stop(&next, now, (floor(now / interval + 1e-9) + 1) * interval, true);
    for (int i = 0; i < c->output.n_times; i++) take_stop(&next, now, c->output.time[i], true);
    if (c->averages.given) take_stop(&next, now, c->averages.from, false);
    return next;
}

static bool is_finished(const struct march *w) { return w->t.time >= w->r->c->flow.time.end * (1 - 1e-12); }

static bool out_of_steps(const struct run *r)
{
    return r->c->flow.time.max_steps > 0 && r->step >= r->c->flow.time.max_steps;
}

/* Makes steps to the end; *how: what went wrong, or NULL. */
static bool march_to_end(struct march *w, const char **how, enum exit_status *status, struct error *e)
{
    struct run *r = w->r;
    struct transient *t = &w->t;
    struct transient_report s;
    for (bool last = false; !last && !is_finished(w) && !out_of_steps(r);) {
        struct stop stop = next_stop(w);
        double dt = transient_choose_step(t, stop.time);
        transient_advance(t, dt, &s);
        run_count_step(r);
        w->rejected += s.rejected;
        dt = t->step;
        bool landed = fabs(t->time - stop.time) <= 1e-9 * dt;
        if (landed) t->time = stop.time;                        /* exactly, not as the rounded sum of steps */
        growth_add(&w->growth, s.courant, s.interface_courant, dt);
        backflow_look(&w->backflow, r->f, &r->m, r->step);
        w->refused = s.pressure_solve.status == LINEAR_REFUSED;
        *how = trouble(w, &s);
        *status = *how ? EXIT_DIVERGED : is_finished(w) ? EXIT_CONVERGED : EXIT_NOT_CONVERGED;
        if (!control_look(&r->control, r->step, t->time, &r->asked, e)) return false;
        if (*status == EXIT_NOT_CONVERGED && r->asked.stop && !out_of_steps(r)) *status = EXIT_STOPPED;
        last = *status != EXIT_NOT_CONVERGED || out_of_steps(r);
        if (!write_rows(w, &s, last, e)) return false;
        warn_of_courant(w, &s);
        unsolved_add(&w->unsolved, &r->c->flow, &s, r->step);
        tell(w, &s, last);
        if (!last && !save(w, landed && stop.write, false, e)) return false;
    }
    return true;
}

static void report_end_of_run(const struct march *w, enum exit_status status)
{
    const struct run *r = w->r;
    const struct time_setting *set = &r->c->flow.time;
    double time = w->t.time;
    if (r->step == r->first && status != EXIT_CONVERGED)
        log_print("\nNothing to do: the checkpoint is at step %" PRId64 ", time.max_steps is %d.\n", r->first,
                  set->max_steps);
    else if (r->step == r->first)
        log_print("\nNothing to do: the checkpoint is at t = %g, time.end is %g.\n", time, set->end);
    else if (status == EXIT_CONVERGED) log_print("\nFINISHED at t = %g after %" PRId64 " steps.\n", time, r->step);
    else if (status == EXIT_STOPPED)
        log_print("\nSTOPPED %s at t = %g after %" PRId64 " steps: go on with --restart.\n", r->asked.why, time,
                  r->step);
    else
        log_print("\nNOT FINISHED: t = %g of %g after %" PRId64 " steps, time.max_steps is %d.\n"
                  "  Go on with --restart --set time.max_steps=%d.\n", time, set->end, r->step, set->max_steps,
                  2 * set->max_steps);
}

static void report_diverged(const struct march *w, const char *how)
{
    const struct transient *t = &w->t;
    const double *const velocity[] = {t->f.u, t->u_old, t->u_older};
    char when[80];
    struct situation x = {.c = &w->r->c->flow, .refused = w->refused, .step = t->step,
                          .slivers = t->f.s.n_slivers};
    x.wave_step = transient_wave_step(t);
    growth_before(&w->growth, &x.courant, &x.interface_courant);
    place_of_fastest(&x.place, &t->f, &w->r->m, velocity, flow_is_advection(&w->r->c->flow) ? 1 : 3, w->speed);
    x.inflow = backflow_find(&w->backflow, &x.place);
    snprintf(when, sizeof when, "step %" PRId64 ", t = %g", t->steps, t->time);
    report_divergence(&x, when, how);
}

/* Writes the state at time 0. */
static bool save_start(struct march *w, bool series, struct error *e)
{
    if (series && !run_save_fields(w->r, 0, e)) return false;
    return !w->bubbles || record_bubbles(w, e);
}

static bool march(struct march *w, enum exit_status *status, struct error *e)
{
    struct run *r = w->r;
    const char *how = NULL;
    *status = is_finished(w) ? EXIT_CONVERGED : EXIT_NOT_CONVERGED;
    r->start = wall_seconds();
    if (run_is_done(r)) {
        *status = r->ended == 1 + EXIT_CONVERGED ? EXIT_CONVERGED : EXIT_NOT_CONVERGED;
        log_print("Nothing to do: the checkpoint is at t = %g, time.end is %g.\n", w->t.time, r->c->flow.time.end);
        return true;
    }
    bool series = r->c->output.interval > 0 || r->c->output.every > 0;
    for (int i = 0; i < r->c->output.n_times; i++) series = series || r->c->output.time[i] == 0;
    if (r->step == 0 && !save_start(w, series, e)) return false;
    if (!march_to_end(w, &how, status, e)) return false;
    double seconds = wall_seconds() - r->start;
    if (*status == EXIT_DIVERGED) return report_diverged(w, how), true;
    report_end_of_run(w, *status);
    if (*status == EXIT_CONVERGED && (w->unsolved.last | unsolved_splitting(transient_splitting(&w->t))))
        *status = EXIT_NOT_CONVERGED;
    unsolved_report(&w->unsolved, &r->c->flow, r->step - r->first);
    if (w->rejected) log_print("tolerance  %" PRId64 " steps were made again, shorter\n", w->rejected);
    monitors_print(r->monitors, r->step);
    report_end(r->f, r->step - r->first, seconds);
    if (is_finished(w)) r->ended = 1 + *status;
    return save(w, false, true, e);
}

/* Writes the last systems.  Their right-hand sides have been overwritten; what is written is matrix times pressure, or
 * times the first component of the velocity, for which these are the solution. */
static bool write_systems(struct run *r, struct error *e)
{
    for (enum system_kind kind = SYSTEM_PRESSURE; kind <= SYSTEM_MOMENTUM; kind++) {
        const struct matrix *a = kind == SYSTEM_PRESSURE ? &r->f->pressure : &r->f->momentum;
        const char *path = r->o->system_file[kind];
        if (!path) continue;
        matrix_product(a, kind == SYSTEM_PRESSURE ? r->f->p : r->f->u, r->f->rhs);
        if (!system_file_write(a, r->f->rhs, 1, r->c->source->path, &r->m, path, e)) return false;
        log_print("%-10s the system of step %" PRId64 ", with a right-hand side made from its solution: %s\n",
                  system_option[kind] + 8, r->step, path);
    }
    return true;
}

static bool check_options(const struct run *r, struct error *e)
{
    const char *word = algorithm_words[r->c->flow.solver.algorithm];
    for (int kind = 0; kind < N_SYSTEMS; kind++)
        if (r->o->system_file[kind] && (flow_is_advection(&r->c->flow) || kind == SYSTEM_COUPLED))
            return refuse(e, EXIT_INPUT, "%s: algorithm \"%s\" has no such equation; remove it",
                          system_option[kind], word);
    return true;
}

bool run_transient(struct run *r, double mesh_seconds, enum exit_status *status, struct error *e)
{
    struct march w = {.r = r};
    char where[80];
    if (!check_options(r, e) || !transient_create(&w.t, &r->c->flow, &r->m, e)) return false;
    r->f = &w.t.f;
    w.speed = w.t.speed = possible_speed(&w), w.most = most_times(&w);
    backflow_create(&w.backflow, &r->m);
    bool good = open_files(&w, e);
    w.first_time = w.t.time;
    if (good) report_start(r->f, r->c->source, &r->m, mesh_seconds);
    if (good && w.t.f.interface) report_interface(w.t.f.interface, w.t.f.s.spacing);
    if (good) warn_of_capillary_waves(&w);
    snprintf(where, sizeof where, "step %" PRId64 ", t = %g", r->step, w.t.time);
    good = good && run_tell_restart(r, where, e) && march(&w, status, e) && run_files_are_written(e);
    if (good) run_results(r);
    if (good && *status != EXIT_DIVERGED) good = write_systems(r, e);
    if (w.bubbles) bubbles_free(w.bubbles);
    run_close(r);
    backflow_free(&w.backflow), transient_free(&w.t);
    return good;
}
