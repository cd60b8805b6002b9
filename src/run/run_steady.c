/* A steady run: iterations of SIMPLE or SIMPLEC to convergence. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "base/timer.h"
#include "run/backflow.h"
#include "run/system_file.h"
#include "run/report.h"
#include "run/run_parts.h"
#include "flow/coupled.h"
#include "run/standstill.h"

struct steady {
    struct run *r;
    struct simple simple;
    struct backflow backflow;
    struct standstill standstill;
    double speed;               /* largest velocity that the conditions impose; 0: none */
    double residual_before;     /* the worst residual some iterations ago, for the time left */
    bool held;                  /* it was told that pseudo-time holds the velocity back */
    double eta_decay;           /* by how much its logarithm falls in an iteration */
};

static bool open_files(struct steady *w, struct error *e)
{
    const struct fields *fields = &w->r->f->fields;
    char header[(MOST_RESIDUALS + 2) * 2 * NAME_LENGTH] = "iteration";
    for (int k = 0; k < fields_columns(fields, FIELD_RESIDUAL); k++) {
        size_t n = strlen(header);
        header[n++] = ',';
        fields_column(fields, FIELD_RESIDUAL, k, header + n, 2 * NAME_LENGTH - 1);
    }
    bool coupled = flow_is_coupled(w->r->f->c);
    strcat(header, coupled ? ",continuity,inner_coupled" : ",continuity,inner_velocity,inner_pressure");
    if (!run_open(w->r, header, e)) return false;
    if (w->r->o->restart) given_restore(&w->r->f->given, 0);
    return true;
}

static bool write_row(struct run *r, const struct simple_report *s, struct error *e)
{
    double value[MOST_RESIDUALS + 3];
    int n = fields_columns(&r->f->fields, FIELD_RESIDUAL);
    memcpy(value, s->residual, (size_t)n * sizeof *value);
    value[n++] = s->continuity;
    if (!flow_is_coupled(r->f->c)) value[n++] = s->velocity_solve.iterations;
    value[n++] = s->pressure_solve.iterations;
    return csv_row(r->residuals, r->step, value, n, e);
}

static bool write_rows(struct run *r, const struct simple_report *s, bool due, struct error *e)
{
    return ranks_agree(write_row(r, s, e), e) && monitors_record(r->monitors, r->step, 0, due, e);
}

/* Seconds until the worst residual comes to the tolerance, if it goes on falling as it did lately, or until the last
 * iteration, if that comes first.  While the pace is not known: minus the seconds until the last iteration.  Not a
 * number while it stands still. */
static double time_left(struct steady *w, double worst, double pace)
{
    enum { SPAN = 50 };
    const struct run *r = w->r;
    if (r->step % SPAN == 0) {
        if (w->residual_before > 0) w->eta_decay = log(w->residual_before / worst) / SPAN;
        w->residual_before = worst;
    }
    double left = (double)(r->c->flow.solver.max_iterations - r->step);
    if (w->standstill.lowest > 0) return NAN;
    if (w->eta_decay <= 0) return -pace * left;
    return pace * fmax(fmin(left, log(worst / r->c->flow.solver.tolerance) / w->eta_decay), 0);
}

static void tell_of_standstill(const struct steady *w)
{
    log_print("%9" PRId64 "   STANDS STILL: the worst residual has not fallen in the last %d iterations.\n", w->r->step,
              w->standstill.span);
    standstill_report(&w->standstill, "            ");
    struct advices a = {0};
    standstill_advise(&w->standstill, &a);
    for (int i = 0; i < a.n; i++) log_print("            Likely: %s.\n", a.line[i].text);
}

static void tell(struct steady *w, const struct simple_report *s, bool last)
{
    struct run *r = w->r;
    run_tell_note(r, &s->pressure_solve);
    if (s->refused && !w->held)
        log_print("%9" PRId64 "   pseudo-time: a change of the velocity by over 80 %% was not made; steps of Courant "
                  "number %.2g hold it back\n", r->step, 1 / s->inertia);
    if (s->refused) w->held = true;
    if (s->acceleration == ANDERSON_ENDED)
        log_print("%9" PRId64 "   acceleration: it does not help here and is switched off\n", r->step);
    if (standstill_watch(&w->standstill, r->c->flow.solver.max_iterations - r->step, last) && !last)
        tell_of_standstill(w);
    double pace = (wall_seconds() - r->start) / (double)(r->step - r->first);
    double rate = (double)r->f->s.pattern.n_global / pace;
    double eta = last ? 0 : time_left(w, worst_residual(r->f, s), pace);
    bool head;
    if (run_row_is_due(r, last, &head)) report_row(r->f, r->step, s, rate, eta, head);
    else report_progress(r->f, r->step, s, rate, eta);
}

static const char *trouble(struct steady *w, const struct simple_report *s)
{
    const struct run *r = w->r;
    if (!isfinite(worst_residual(r->f, s)) || !isfinite(s->continuity)) return "a residual is not a number";
    const char *why = run_solver_trouble(&s->velocity_solve, &s->pressure_solve);
    if (!why && r->step % 10 == 0 && w->speed > 0 && flow_fastest(r->f) > 1000 * w->speed)
        why = "the velocity has grown to over 1000 times what the conditions impose";
    return why;
}

/* Writes fields, lines and checkpoint at the end, or when they are due. */
static bool save(struct steady *w, bool last, struct error *e)
{
    struct run *r = w->r;
    const struct case_settings *c = r->c;
    bool fields = last || r->asked.write || (c->output.every && r->step % c->output.every == 0);
    if (fields && !run_save_fields(r, (double)r->step, e)) return false;
    bool due = c->output.checkpoint_every && r->step % c->output.checkpoint_every == 0;
    return (!last && !due && !r->asked.write && !r->asked.checkpoint) || run_save_checkpoint(r, e);
}

/* What to change in a run that has used up its iterations. */
static void mends_of(const struct steady *w, const struct simple_report *s, struct advices *a)
{
    const struct run *r = w->r;
    const double *const velocity[] = {r->f->u};
    struct unconverged x = {.c = &r->c->flow, .steps = r->step, .residual = worst_residual(r->f, s),
                            .decay = standstill_decay(&w->standstill), .stands = standstill_now(&w->standstill),
                            .slivers = r->f->s.n_slivers};
    struct mesh_quality q = {0};
    struct place p;
    double change;
    int moving;
    if (!r->m.orthogonal) mesh_measure(mesh_whole(&r->m), &q);
    place_of_fastest(&p, r->f, &r->m, velocity, 1, w->speed);
    if (!monitors_steady(r->monitors, &moving, &change)) x.moving = r->c->convergence.item[moving].name;
    x.angle = q.non_orthogonality_max, x.peclet = p.peclet;
    x.inflow = backflow_find(&w->backflow, &p);
    a->n = 0;
    if (x.stands) standstill_advise(&w->standstill, a);
    advise_unconverged(a, &x);
}

static void report_unconverged(const struct steady *w, const struct simple_report *s, bool stalled)
{
    const struct run *r = w->r;
    struct advices a;
    int worst;
    double change;
    log_print("\n%s: after %" PRId64 " iterations the worst residual is %.3e; solver.tolerance is %.1e",
              stalled ? "STALLED" : "NOT CONVERGED", r->step, worst_residual(r->f, s), r->c->flow.solver.tolerance);
    if (!monitors_steady(r->monitors, &worst, &change))
        log_print(", and convergence.%s still changes by %.2e (wanted %.1e)", r->c->convergence.item[worst].name,
                  change, r->c->convergence.item[worst].tolerance);
    log_print(".\n");
    const struct standstill *still = &w->standstill;
    if (standstill_now(still)) {
        log_print("  It stands still: it has not fallen%s in the last %" PRId64 " iterations%s.\n",
                  still->lowest > 0 ? " by half" : "", still->lowest > 0 ? still->n - still->since : still->span,
                  stalled ? ", as many as solver.stall_limit allows" : "");
        standstill_report(still, "  ");
    }
    mends_of(w, s, &a);
    report_advice(&a);
}

static void report_diverged(const struct steady *w, const struct simple_report *s, const char *how)
{
    const struct run *r = w->r;
    const double *const velocity[] = {r->f->u, w->simple.u_old};
    char when[40];
    struct situation x = {.c = &r->c->flow, .slivers = r->f->s.n_slivers,
                          .refused = s->pressure_solve.status == LINEAR_REFUSED};
    place_of_fastest(&x.place, r->f, &r->m, velocity, w->simple.u_old ? 2 : 1, w->speed);
    x.inflow = backflow_find(&w->backflow, &x.place);
    snprintf(when, sizeof when, "iteration %" PRId64, r->step);
    report_divergence(&x, when, how);
}

/* Iterates to the end; *how: what went wrong, or NULL. */
static bool iterate_to_end(struct steady *w, struct simple_report *s, const char **how, enum exit_status *status,
                           struct error *e)
{
    struct run *r = w->r;
    for (bool last = false; !last && r->step < r->c->flow.solver.max_iterations;) {
        int worst;
        double change;
        simple_iterate(&w->simple, s);
        run_count_step(r);
        backflow_look(&w->backflow, r->f, &r->m, r->step);
        *how = trouble(w, s);
        bool due = r->step % r->c->output.report_every == 0;
        if (!monitors_follow(r->monitors, r->step, (double)r->step, 1, e)) return false;
        if (due && !write_rows(r, s, due, e)) return false;
        bool converged = !*how && worst_residual(r->f, s) < r->c->flow.solver.tolerance
                      && (r->c->convergence.n == 0 || (due && monitors_steady(r->monitors, &worst, &change)));
        standstill_add(&w->standstill, s);
        bool stalled = standstill_over(&w->standstill);
        *status = *how ? EXIT_DIVERGED : converged ? EXIT_CONVERGED : stalled ? EXIT_STALLED : EXIT_NOT_CONVERGED;
        if (!control_look(&r->control, r->step, 0, &r->asked, e)) return false;
        bool used_up = r->step == r->c->flow.solver.max_iterations;
        if (*status == EXIT_NOT_CONVERGED && r->asked.stop && !used_up) *status = EXIT_STOPPED;
        last = *status != EXIT_NOT_CONVERGED || used_up;
        if (last && !due && !write_rows(r, s, due, e)) return false;
        tell(w, s, last);
        if (!last && !save(w, false, e)) return false;
    }
    return true;
}

static bool iterate(struct steady *w, enum exit_status *status, struct error *e)
{
    struct run *r = w->r;
    struct simple_report s;
    const char *how = NULL;
    r->start = wall_seconds();
    *status = EXIT_NOT_CONVERGED;
    if (run_is_done(r)) {
        *status = EXIT_CONVERGED;
        log_print("Nothing to do: the checkpoint is that of a run that converged in %" PRId64 " iterations, and the "
                  "case is the same.\n", r->step);
        return true;
    }
    if (!iterate_to_end(w, &s, &how, status, e)) return false;
    double seconds = wall_seconds() - r->start;
    if (*status == EXIT_DIVERGED) return report_diverged(w, &s, how), true;
    if (*status == EXIT_NOT_CONVERGED && r->step == r->first)
        log_print("\nNothing to do: the checkpoint is at iteration %" PRId64 ", solver.max_iterations is %d.\n",
                  r->first, r->c->flow.solver.max_iterations);
    else if (*status == EXIT_STOPPED)
        log_print("\nSTOPPED %s after %" PRId64 " iterations, the worst residual is %.3e: go on with "
                  "--restart.\n", r->asked.why, r->step, worst_residual(r->f, &s));
    else if (*status != EXIT_CONVERGED) report_unconverged(w, &s, *status == EXIT_STALLED);
    else log_print("\nCONVERGED in %" PRId64 " iterations.\n", r->step);
    monitors_print(r->monitors, r->step);
    report_end(r->f, r->step - r->first, seconds);
    if (*status == EXIT_CONVERGED) r->ended = 1 + EXIT_CONVERGED;
    return save(w, true, e);
}

/* In the order in which an iteration makes them. */
static bool write_systems(struct steady *w, struct error *e)
{
    struct run *r = w->r;
    struct flow *f = r->f;
    for (int i = 0; i < N_SYSTEMS; i++) {
        enum system_kind kind = (enum system_kind[]){SYSTEM_MOMENTUM, SYSTEM_PRESSURE, SYSTEM_COUPLED}[i];
        const char *path = r->o->system_file[kind];
        const struct matrix *a = kind == SYSTEM_MOMENTUM ? &f->momentum : &f->pressure;
        const double *rhs = f->rhs;
        double unit = 1;
        if (!path) continue;
        if (kind == SYSTEM_MOMENTUM) simple_assemble_momentum(&w->simple);
        if (kind == SYSTEM_PRESSURE) simple_assemble_pressure(&w->simple);
        if (kind == SYSTEM_COUPLED) coupled_assemble(&w->simple), a = coupled_system(&w->simple, &rhs, &unit);
        if (!system_file_write(a, rhs, unit, r->c->source->path, &r->m, path, e)) return false;
        log_print("%-10s the system of iteration %" PRId64 ": %s\n", system_option[kind] + 8, r->step + 1, path);
    }
    return true;
}

static bool check_options(const struct run *r, struct error *e)
{
    bool coupled = flow_is_coupled(&r->c->flow);
    const enum system_kind other = coupled ? SYSTEM_PRESSURE : SYSTEM_COUPLED;
    return !r->o->system_file[other] ||
           refuse(e, EXIT_INPUT, "%s: algorithm \"%s\" has no such equation; remove it, or set solver.algorithm = "
                  "\"%s\"", system_option[other], algorithm_words[r->c->flow.solver.algorithm],
                  coupled ? "simplec" : "coupled");
}

bool run_steady(struct run *r, double mesh_seconds, enum exit_status *status, struct error *e)
{
    struct steady w = {.r = r, .speed = flow_imposed_speed(&r->c->flow)};
    char where[40];
    if (!check_options(r, e) || !simple_create(&w.simple, &r->c->flow, &r->m, e)) return false;
    r->f = &w.simple.f;
    backflow_create(&w.backflow, &r->m);
    standstill_create(&w.standstill, r->f, &r->m, w.speed);
    bool good = open_files(&w, e);
    if (good && r->o->restart) standstill_restored(&w.standstill), models_restored(r->f);
    if (good) report_start(r->f, r->c->source, &r->m, mesh_seconds);
    snprintf(where, sizeof where, "iteration %" PRId64, r->step);
    good = good && run_tell_restart(r, where, e) && iterate(&w, status, e) && run_files_are_written(e);
    if (good) run_results(r);
    if (good && *status != EXIT_DIVERGED) good = write_systems(&w, e);
    run_close(r);
    standstill_free(&w.standstill);
    backflow_free(&w.backflow);
    simple_free(&w.simple);
    return good;
}
