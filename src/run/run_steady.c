/* Steady runs: iterations of SIMPLE, SIMPLEC or the coupled algorithm, to convergence. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "base/timer.h"
#include "flow/coupled.h"
#include "run/balances.h"
#include "run/report.h"
#include "run/run_parts.h"
#include "run/standstill.h"
#include "run/transported.h"

struct steady {
    struct simple simple;
    struct simple_report s;     /* of the last iteration */
    struct standstill standstill;
    double residual_before;     /* the worst residual some iterations ago, for the remaining time */
    double eta_decay;           /* decrease of its logarithm per iteration */
    struct transported transported;
    struct unbalanced open;     /* where the residuals are small enough, but a balance does not close */
    bool held;                  /* the limit by pseudo-time has been reported */
};

static struct fields fields(const struct flow *f)
{
    struct simple *w;
    NEW(w, 1);
    w->f.c = f->c, w->f.s.dim = f->s.dim;
    simple_fields(w);
    w->f.fields.owner = w;
    return w->f.fields;
}

/* ---------------------------------------------------------------- start */
static bool create(struct run *r, struct error *e)
{
    struct steady *w = r->own;
    if (!simple_create(&w->simple, &r->c->flow, run_mesh(r), e)) return false;
    r->f = &w->simple.f;
    r->speed = r->f->speed;
    standstill_create(&w->standstill, r->f, run_mesh(r), r->speed);
    return true;
}

static bool restored(struct run *r, struct error *e)
{
    struct steady *w = r->own;
    if (r->o->restart) {
        if (!given_restore(&r->f->given, 0, e)) return false;
        standstill_restored(&w->standstill), models_restored(r->f);
    }
    transported_begin(&w->transported, r->f);
    r->time = (double)r->step;
    return true;
}

/* ---------------------------------------------------------------- an iteration */
static bool over(const struct run *r) { return r->step >= r->c->flow.solver.max_iterations; }

static bool step(struct run *r, struct error *e)
{
    struct steady *w = r->own;
    simple_iterate(&w->simple, &w->s);
    standstill_add(&w->standstill, &w->s);
    r->time = (double)(r->step + 1), r->length = 1;
    (void)e;
    return true;
}

static int numbers(const struct run *r, struct run_number *x)
{
    const struct steady *w = r->own;
    int n = fields_columns(&r->f->fields, FIELD_RESIDUAL);
    for (int k = 0; k < n; k++) {
        fields_column(&r->f->fields, FIELD_RESIDUAL, k, x[k].name, sizeof x->name);
        x[k].value = w->s.residual[k];
    }
    if (!flow_is_solved(r->f->c)) return n;
    x[n++] = (struct run_number){"continuity", w->s.continuity};
    if (w->simple.coupled) x[n++] = (struct run_number){"inner_coupled", w->s.pressure_solve.iterations};
    else {
        x[n++] = (struct run_number){"inner_velocity", w->s.velocity_solve.iterations};
        x[n++] = (struct run_number){"inner_pressure", w->s.pressure_solve.iterations};
    }
    return n;
}

static const char *trouble(struct run *r)
{
    struct steady *w = r->own;
    if (!isfinite(worst_residual(r->f, &w->s)) || !isfinite(w->s.continuity)) return "a residual is not a number";
    const char *why = run_solver_trouble(&w->s.velocity_solve, &w->s.pressure_solve);
    if (!why && r->step % 10 == 0) why = transported_trouble(&w->transported, r->f, 1000);
    if (!why && r->step % 10 == 0 && r->speed > 0 && flow_fastest(r->f) > 1000 * r->speed)
        why = "the velocity has grown to over 1000 times that imposed by the conditions";
    return why;
}

static enum exit_status judge(const struct run *r)
{
    struct steady *w = r->own;
    const bool due = run_is_due(r->step, r->c->output.report_every);
    int worst;
    double change;
    if (run_is_idle(r)) return EXIT_NOT_CONVERGED;
    w->open = (struct unbalanced){0};
    if (standstill_settled(&w->standstill) &&
        (r->c->convergence.n == 0 || (due && monitors_steady(r->monitors, &worst, &change)))) {
        w->open = balances_look(r->monitors, r->step, r->f, &w->transported, r->c->flow.solver.tolerance);
        if (!w->open.of) return EXIT_CONVERGED;
    }
    return standstill_over(&w->standstill) ? EXIT_STALLED : EXIT_NOT_CONVERGED;
}

/* ---------------------------------------------------------------- reports */
static void tell_of_standstill(const struct run *r)
{
    const struct steady *w = r->own;
    log_print("%9" PRId64 "   STAGNATION: the worst residual has not fallen in the last %d iterations.\n", r->step,
              w->standstill.span);
    standstill_report(&w->standstill, "            ");
    struct advices a = {0};
    standstill_advise(&w->standstill, &a);
    for (int i = 0; i < a.n; i++) log_print("            Likely: %s.\n", a.line[i].text);
}

/* Seconds until the worst residual is small enough at its recent rate, or until the last iteration, if that is
 * earlier; pace: seconds per iteration.  If the rate is not known: minus the seconds until the last iteration.  NaN
 * while it stagnates. */
static double time_left(struct run *r, double pace)
{
    enum { SPAN = 50 };
    struct steady *w = r->own;
    const double worst = worst_residual(r->f, &w->s);
    const double left = (double)(r->c->flow.solver.max_iterations - r->step);
    if (r->step % SPAN == 0) {
        if (w->residual_before > 0) w->eta_decay = log(w->residual_before / worst) / SPAN;
        w->residual_before = worst;
    }
    if (w->standstill.lowest > 0) return NAN;
    if (w->eta_decay <= 0) return -pace * left;
    return pace * fmax(fmin(left, log(worst / standstill_wanted(&r->c->flow, w->eta_decay)) / w->eta_decay), 0);
}

static void show_head(const struct run *r)
{
    const struct steady *w = r->own;
    char name[2 * NAME_LENGTH];
    log_print("%9s", "iteration");
    for (int k = 0; k < fields_columns(&r->f->fields, FIELD_RESIDUAL); k++) {
        fields_column(&r->f->fields, FIELD_RESIDUAL, k, name, sizeof name);
        log_print("  %10s", name);
    }
    if (flow_is_solved(r->f->c)) log_print("  continuity   %s", w->simple.coupled ? "inner   all" : "inner u     p");
    log_print("   Mcells/s      left\n");
}

static void show_row(const struct run *r, double rate, const char *left)
{
    const struct steady *w = r->own;
    const struct simple_report *s = &w->s;
    log_print("%9lld", (long long)r->step);
    for (int k = 0; k < fields_columns(&r->f->fields, FIELD_RESIDUAL); k++) log_print("   %9.3e", s->residual[k]);
    if (!flow_is_solved(r->f->c)) { log_print("   %8.2f  %8s\n", rate, left); return; }
    if (w->simple.coupled) log_print("   %9.3e   %5d %5lld", s->continuity, s->pressure_solve.iterations, s->inner);
    else log_print("   %9.3e   %7d %5d", s->continuity, s->velocity_solve.iterations, s->pressure_solve.iterations);
    log_print("   %8.2f  %8s\n", rate, left);
}

static void tell(struct run *r, bool last)
{
    struct steady *w = r->own;
    run_tell_note(r, &w->s.pressure_solve);
    if (w->s.refused && !w->held)
        log_print("%9" PRId64 "   pseudo-time: a velocity change of over 80 %% was rejected; steps of Courant number "
                  "%.2g limit it now\n", r->step, 1 / w->s.inertia);
    if (w->s.refused) w->held = true;
    if (w->s.acceleration == ANDERSON_ENDED)
        log_print("%9" PRId64 "   acceleration: it does not help here and is switched off\n", r->step);
    if (standstill_watch(&w->standstill, r->c->flow.solver.max_iterations - r->step, last) && !last)
        tell_of_standstill(r);
    const double pace = (wall_seconds() - r->start) / (double)(r->step - r->first);
    const double rate = 1e-6 * ((double)r->f->s.pattern.n_global / pace);
    char left[32];
    bool head;
    report_time(left, sizeof left, last ? 0 : time_left(r, pace));
    if (!run_row_is_due(r, last, &head))
        log_progress("%9lld   residual %9.3e (wanted %.0e)   continuity %9.3e   %.2f Mcells/s   %s left",
                     (long long)r->step, worst_residual(r->f, &w->s), r->c->flow.solver.tolerance, w->s.continuity,
                     rate, left);
    else {
        if (head) show_head(r);
        show_row(r, rate, left);
    }
}

/* ---------------------------------------------------------------- how it ends */
static void situation(const struct run *r, struct situation *x)
{
    const struct steady *w = r->own;
    const double *const velocity[] = {r->f->u, w->simple.u_old};
    x->steps = r->step;
    transported_situation(&w->transported, x);
    x->refused = w->s.pressure_solve.status == LINEAR_REFUSED;
    place_of_fastest(&x->place, r->f, run_mesh(r), velocity, w->simple.u_old ? 2 : 1, r->speed);
}

static void report_unconverged(const struct run *r, bool stalled)
{
    const struct steady *w = r->own;
    const struct standstill *still = &w->standstill;
    const double residual = worst_residual(r->f, &w->s);
    struct situation x = {.c = &r->c->flow, .slivers = r->f->s.n_slivers, .residual = residual,
                          .decay = standstill_decay(still), .stands = standstill_now(still)};
    struct mesh_quality q = {0};
    struct advices a = {0};
    double change;
    int moving;
    log_print("\n%s: after %" PRId64 " iterations the worst residual is %.3e; solver.tolerance is %.1e",
              stalled ? "STALLED" : "NOT CONVERGED", r->step, residual, r->c->flow.solver.tolerance);
    if (!monitors_steady(r->monitors, &moving, &change)) {
        const struct monitor_setting *set = &r->c->convergence.item[moving];
        x.moving = set->name;
        log_print(", and convergence.%s still changes by %.2e (wanted %.1e)", set->name, change, set->tolerance);
    }
    log_print(".\n");
    balances_report(&w->open, &r->c->flow, false);
    if (x.stands) {
        log_print("  It stagnates: it has not fallen%s in the last %" PRId64 " iterations%s.\n",
                  still->lowest > 0 ? " by half" : "", still->lowest > 0 ? still->n - still->since : still->span,
                  stalled ? ", as many as solver.stall_limit allows" : "");
        standstill_report(still, "  ");
        standstill_advise(still, &a);
    }
    situation(r, &x);
    if (!run_mesh(r)->orthogonal) mesh_measure(mesh_whole(run_mesh(r)), &q);
    x.angle = q.non_orthogonality_max, x.inflow = backflow_find(&r->backflow, &x.place);
    advise_unconverged(&a, &x);
    report_advice(&a);
}

static bool end(struct run *r, enum exit_status *status)
{
    struct steady *w = r->own;
    if (run_is_done(r))
        log_print("Nothing to do: the checkpoint is from a run that converged in %" PRId64 " iterations, and the "
                  "case is unchanged.\n", r->step);
    else if (*status == EXIT_NOT_CONVERGED && run_is_idle(r))
        log_print("\nNothing to do: the checkpoint is at iteration %" PRId64 ", solver.max_iterations is %d.\n",
                  r->first, r->c->flow.solver.max_iterations);
    else if (*status == EXIT_STOPPED)
        log_print("\nSTOPPED %s after %" PRId64 " iterations, the worst residual is %.3e: continue with "
                  "--restart.\n", r->asked.why, r->step, worst_residual(r->f, &w->s));
    else if (*status != EXIT_CONVERGED) report_unconverged(r, *status == EXIT_STALLED);
    else log_print("\nCONVERGED in %" PRId64 " iterations.\n", r->step);
    if (!run_is_done(r) && !transported_report(&w->transported, r->f) && *status == EXIT_CONVERGED)
        *status = EXIT_NOT_CONVERGED;
    return *status == EXIT_CONVERGED;
}

/* The system of the next iteration. */
static struct run_system make_system(struct run *r, enum system_kind which)
{
    struct simple *w = &((struct steady *)r->own)->simple;
    struct run_system s = {which == SYSTEM_MOMENTUM ? &r->f->momentum : &r->f->pressure, r->f->rhs, 1};
    if (which == SYSTEM_MOMENTUM) simple_assemble_momentum(w);
    if (which == SYSTEM_PRESSURE) simple_assemble_pressure(w);
    if (which == SYSTEM_COUPLED) coupled_assemble(w), s.a = coupled_system(w, &s.rhs, &s.unit);
    return s;
}

static void free_steady(void *own)
{
    struct steady *w = own;
    standstill_free(&w->standstill), transported_free(&w->transported), simple_free(&w->simple);
}

const struct run_kind steady_run = {
    .word = "iteration", .size = sizeof(struct steady), .fields = fields, .create = create, .restored = restored,
    .over = over, .step = step, .numbers = numbers, .trouble = trouble, .judge = judge, .tell = tell,
    .situation = situation, .end = end, .make_system = make_system, .free = free_steady};
