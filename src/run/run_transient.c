/* Transient runs: steps to time.end. */
#include <inttypes.h>
#include <math.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "base/timer.h"
#include "flow/transient.h"
#include "gpu/sums.h"
#include "run/balances.h"
#include "run/bubbles.h"
#include "run/energy_balance.h"
#include "run/growth.h"
#include "run/report.h"
#include "run/run_parts.h"
#include "run/transported.h"
#include "run/unsolved.h"

struct march {
    struct transient t;
    struct transient_report s;  /* of the last step */
    double first_time;          /* start of this run */
    double most;                /* the run has diverged if the velocity exceeds r->speed by this factor */
    double longest;             /* longest step of this run so far */
    bool warned;                /* a warning of the Courant number has been given */
    int64_t rejected;           /* steps repeated for time.tolerance */
    struct growth growth;
    struct unsolved unsolved;
    struct transported transported;
    struct balances balances;
    struct energy_balance energy;
    struct bubbles *bubbles;    /* two fluids */
    int64_t recorded;           /* the last step in their tables */
};

static struct fields fields(const struct flow *f)
{
    struct transient *t;
    NEW(t, 1);
    t->f.c = f->c, t->f.s.dim = f->s.dim;
    transient_fields(t);
    t->f.fields.owner = t;
    return t->f.fields;
}

/* False if the velocity is prescribed, or nothing flows. */
static bool is_solved(const struct march *w) { return w->t.f.pressure_solver != NULL; }

/* ---------------------------------------------------------------- start */
/* The speed that boundary conditions, accelerations over the mesh's extent, a given flow rate and surface tension in a
 * cell can cause; trouble() compares the flow with it. */
static double possible_speed(const struct run *r)
{
    const struct case_settings *c = r->c;
    const struct mesh *m = run_mesh(r);
    double speed = r->f->speed, fall = 0, pull[3], mean;
    drive_limits(r->f, pull, &mean);
    speed = fmax(speed, mean);
    for (int k = 0; k < m->dim; k++) {
        double far[2] = {-INFINITY, -INFINITY};         /* on the axis, and against it */
        for (int32_t i = 0; i < m->n_cells; i++) {
            double x = m->cell_centre[(int64_t)k * m->n_all + i];
            far[0] = fmax(far[0], x), far[1] = fmax(far[1], -x);
        }
        largest_over_ranks(far, 2);
        fall += pull[k] * (far[0] + far[1]);
    }
    if (!r->f->interface) return fmax(speed, sqrt(2 * fall));
    double lightest = fmin(r->f->properties.density[0], r->f->properties.density[1]);
    double capillary = sqrt(c->flow.second_fluid.surface_tension / (lightest * r->f->s.spacing));
    return fmax(speed, fmax(sqrt(2 * fall), capillary));
}

/* In a closed domain with one fluid nothing is faster than what drives it, except the scheme's overshoots.  Elsewhere
 * the speed in a constriction, of a splash or of a flow driven in a periodic direction is not known beforehand. */
static double most_times(const struct run *r)
{
    const struct boundary_settings *all = &r->c->flow.boundary;
    bool closed = !r->f->interface && !drive_acts(r->f);
    for (int i = 0; i < all->n; i++) closed = closed && !boundary_passes_flux(all->item[i].type);
    return closed ? 3 : 1000;
}

static bool create(struct run *r, struct error *e)
{
    struct march *w = r->own;
    if (!transient_create(&w->t, &r->c->flow, run_mesh(r), e)) return false;
    r->f = &w->t.f;
    balances_fields(&w->balances, &r->f->fields);
    if (r->f->interface) energy_fields(&w->energy, &r->f->fields);
    r->speed = w->t.speed = possible_speed(r), w->most = most_times(r);
    return true;
}

static bool restored(struct run *r, struct error *e)
{
    struct march *w = r->own;
    struct transient *t = &w->t;
    t->steps = r->step;
    if (t->time < 0 || (t->steps > 0 && t->step <= 0))
        return refuse(e, EXIT_INPUT, "%s: t = %g after a step of %g: expected t >= 0 and a step > 0; run without "
                      "--restart", r->checkpoint, t->time, t->step);
    if (r->o->restart && !flow_is_advection(r->f->c) && !given_restore(&t->f.given, t->time, e)) return false;
    if (r->o->restart) transient_restored(t);
    transported_begin(&w->transported, r->f);
    double energy[N_ENERGIES];
    energy_open(&w->energy, transient_energy(t, energy) ? energy : NULL);
    r->time = w->first_time = t->time;
    if (!t->f.interface || !r->monitors) return true;           /* no monitors: no other file is open either */
    w->bubbles = bubbles_create(r->c, run_mesh(r), r->c->output.directory, r->o->restart, r->first, e);
    return ranks_agree(w->bubbles != NULL, e);
}

static bool record_bubbles(struct run *r, struct error *e)
{
    struct march *w = r->own;
    w->recorded = r->step;
    return ranks_agree(bubbles_report(w->bubbles, w->t.f.interface, w->t.f.u, r->step, r->time, e), e);
}

/* Writes the state at time 0. */
static bool save_start(struct run *r, struct error *e)
{
    const struct march *w = r->own;
    const struct output_setting *o = &r->c->output;
    bool series = o->interval > 0 || o->every > 0;
    for (int i = 0; i < o->n_times; i++) series = series || o->time[i] == 0;
    return (!series || run_save_fields(r, e)) && (!w->bubbles || record_bubbles(r, e));
}

/* For two fluids: volume, area and cells at the start. */
static void report_interface(struct interface *i, double spacing)
{
    struct interface_summary s;
    interface_summarise(i, &s);
    long long cut = count_over_ranks(s.n_cut);
    log_print("interface  volume %.10g of the second fluid, %lld cells cut by planes of area %.6g; smallest cell "
              "%.4g\n", s.volume, cut, s.area, spacing);
}

static bool begin(struct run *r, struct error *e)
{
    struct march *w = r->own;
    const struct time_setting *set = &r->c->flow.time;
    double limit = transient_wave_step(&w->t);
    if (r->f->interface) report_interface(w->t.f.interface, r->f->s.spacing);
    if (is_solved(w) && !(set->capillary > 0) && set->step > limit)
        log_print("warning    time.step = %g is %.3g times the limit of waves of a cell's size, %.4g, above which they "
                  "grow:\n           expected a smaller step, or time.capillary = 0.8\n", set->step, set->step / limit,
                  limit);
    return r->step > 0 || run_is_done(r) || save_start(r, e);
}

/* ---------------------------------------------------------------- a step */
/* A time at which a step must end, and whether fields are written then. */
struct stop { double time; bool write; };

/* Replaces *next by `time` if that is after now and before *next; a time already reached, up to rounding, is not used
 * twice. */
static void take_stop(struct stop *next, double now, double time, bool write)
{
    if (!(time > now * (1 + 1e-9))) return;
    if (fabs(time - next->time) <= 1e-9 * time) next->write |= write;
    else if (time < next->time) *next = (struct stop){time, write};
}

/* The next of these times, or the end. */
static struct stop next_stop(const struct run *r)
{
    const struct case_settings *c = r->c;
    double interval = c->output.interval;
    struct stop next = {.time = c->flow.time.end};
    if (interval > 0) take_stop(&next, r->time, (floor(r->time / interval + 1e-9) + 1) * interval, true);
    for (int i = 0; i < c->output.n_times; i++) take_stop(&next, r->time, c->output.time[i], true);
    if (c->averages.given) take_stop(&next, r->time, c->averages.from, false);
    return next;
}

static bool is_finished(const struct run *r) { return r->time >= r->c->flow.time.end * (1 - 1e-12); }

static bool over(const struct run *r)
{
    const int most = r->c->flow.time.max_steps;
    return is_finished(r) || (most > 0 && r->step >= most);
}

static bool step(struct run *r, struct error *e)
{
    struct march *w = r->own;
    struct transient *t = &w->t;
    struct stop stop = next_stop(r);
    transient_advance(t, transient_choose_step(t, stop.time), &w->s);
    if (w->s.fault) return error_copy(e, w->s.fault), false;
    w->rejected += w->s.rejected;
    bool landed = fabs(t->time - stop.time) <= 1e-9 * t->step;
    if (landed) t->time = stop.time;                            /* exactly, not as the rounded sum of steps */
    r->time = t->time, r->length = t->step, r->on_time = landed && stop.write;
    energy_add(&w->energy, w->s.energy, t->step, t->time);
    growth_add(&w->growth, w->s.courant, w->s.interface_courant, t->step);
    return true;
}

static bool tables(struct run *r, bool all, struct error *e)
{
    struct march *w = r->own;
    int every = r->c->bubbles.given ? r->c->bubbles.every : r->c->output.report_every;
    return !w->bubbles || w->recorded == r->step || !(all || run_is_due(r->step, every)) || record_bubbles(r, e);
}

static int numbers(const struct run *r, struct run_number *x)
{
    const struct march *w = r->own;
    const struct transient_report *s = &w->s;
    const struct interface_summary *i = &s->interface;
    const bool solved = is_solved(w), moves = !flow_is_absent(r->f->c), two = r->f->interface;
    const double area = w->bubbles ? bubbles_area(w->bubbles, w->t.f.interface, w->t.f.u, r->step) : 0;
    const struct { bool has; struct run_number x; } all[] = {
        {true, {"time", r->time}}, {true, {"step", r->length}}, {moves, {"courant", s->courant}},
        {two, {"interface_courant", s->interface_courant}}, {moves, {"max_velocity", s->speed}},
        {solved, {"continuity", s->continuity}}, {solved, {"inner_velocity", s->velocity_solve.iterations}},
        {solved, {"inner_pressure", s->pressure_solve.iterations}}, {solved, {"error", s->error}},
        {two, {"volume", i->volume}}, {two, {"volume_error", i->volume_error}}, {two, {"lowest", i->lowest}},
        {two, {"highest", i->highest}}, {two, {"area", area}}, {two, {"redistributed", i->redistributed}}};
    int n = 0;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) if (all[k].has) x[n++] = all[k].x;
    return n;
}

static const char *trouble(struct run *r)
{
    struct march *w = r->own;
    const struct transient_report *s = &w->s;
    if (!isfinite(s->courant) || !isfinite(s->continuity)) return "the flux is not a number";
    if (r->f->interface && !isfinite(s->interface.volume)) return "the volume of the second fluid is not a number";
    const bool look = r->step % 10 == 0 || is_finished(r);
    const char *beyond = look ? transported_trouble(&w->transported, r->f, 1) : NULL;
    if (beyond || !is_solved(w)) return beyond;
    if (w->energy.part > ENERGY_MOST)
        return "the fluids have gained over 3 times the energy that there is to move them";
    const char *why = run_solver_trouble(&s->velocity_solve, &s->pressure_solve);
    w->longest = fmax(w->longest, r->length);
    if (!why && r->length < 1e-6 * w->longest)
        why = "the limits have made the step a million times smaller than it was";
    if (!why && look && r->speed > 0 && flow_fastest(r->f) > w->most * r->speed)
        why = w->most > 3 ? "the velocity has grown to over 1000 times what conditions and forces can cause"
                          : "the velocity has grown to over 3 times what conditions and forces can cause";
    return why;
}

static enum exit_status judge(const struct run *r) { return is_finished(r) ? EXIT_CONVERGED : EXIT_NOT_CONVERGED; }

/* ---------------------------------------------------------------- reports */
/* Warns once of a large Courant number that no limit prevents.  look: at the splitting error, too, all ranks at
 * once: without it long steps are accurate, as in parallel flow. */
static void warn_of_courant(const struct run *r, bool look)
{
    static const double much = 0.01;
    struct march *w = r->own;
    const struct transient_report *s = &w->s;
    bool fast_flow = r->c->flow.solver.algorithm == ALGORITHM_PISO && s->courant > 1;
    if (w->warned || !(s->interface_courant > 1 || (fast_flow && look && transient_splitting(&w->t) > much))) return;
    w->warned = true;
    if (s->interface_courant > 1)
        log_print("%9" PRId64 "   warning: the Courant number of the interface is %.3g, more than a cell a step: "
                  "expected a smaller\n            time.step, or time.interface_courant = 0.5\n", r->step,
                  s->interface_courant);
    else log_print("%9" PRId64 "   warning: the Courant number is %.3g; a step of piso above 1 is not accurate: a "
                   "smaller time.step,\n            time.courant = 1.0, or solver.algorithm = \"pimple\"\n", r->step,
                   s->courant);
}

/* The largest excess of a fraction over [0, 1]. */
static double outside(const struct interface_summary *s) { return fmax(0, fmax(-s->lowest, s->highest - 1)); }

static void show_row(const struct run *r, const char *left, bool head)
{
    const struct march *w = r->own;
    const struct transient_report *s = &w->s;
    const struct interface_summary *i = &s->interface;
    const bool two = r->f->interface, solved = is_solved(w), moves = !flow_is_absent(r->f->c);
    if (head)
        log_print("%9s  %11s  %9s%s%s%s%s%s      left\n", "step", "time", "step size", moves ? "   Courant" : "",
                  two ? " interface" : "", moves ? "    max |u|" : "", solved ? "  continuity  inner u     p" : "",
                  two ? "  volume error    outside  plane area" : "");
    log_print("%9lld  %11.6g  %9.3e", (long long)r->step, r->time, r->length);
    if (moves) log_print("  %8.4f", s->courant);
    if (two) log_print("  %8.4f", s->interface_courant);
    if (moves) log_print("  %9.3e", s->speed);
    if (solved)
        log_print("   %9.3e  %7d %5d", s->continuity, s->velocity_solve.iterations, s->pressure_solve.iterations);
    if (two) log_print("     %9.2e  %9.2e  %10.6g", i->volume_error, outside(i), i->area);
    log_print("  %8s\n", left);
}

enum { SETTLED_START = 4 };             /* steps after which the pressure of the start is forgotten */

static void tell(struct run *r, bool last)
{
    struct march *w = r->own;
    warn_of_courant(r, last || (r->step >= SETTLED_START && !(r->step & (r->step - 1))));
    unsolved_add(&w->unsolved, &r->c->flow, &w->s, r->step);
    run_tell_note(r, &w->s.pressure_solve);
    const double end = r->c->flow.time.end, pace = (wall_seconds() - r->start) / (r->time - w->first_time);
    char left[32];
    bool head;
    report_time(left, sizeof left, last ? 0 : pace * (end - r->time));
    if (run_row_is_due(r, last, &head)) show_row(r, left, head);
    else
        log_progress("%9lld   t = %.6g of %g, step %.3e, Courant %.3f   continuity %9.3e   %s left",
                     (long long)r->step, r->time, end, r->length, w->s.courant, w->s.continuity, left);
}

/* ---------------------------------------------------------------- how it ends */
static void situation(const struct run *r, struct situation *x)
{
    const struct march *w = r->own;
    const struct transient *t = &w->t;
    const double *const velocity[] = {t->f.u, t->u_old, t->u_older};
    x->refused = w->s.pressure_solve.status == LINEAR_REFUSED;
    transported_situation(&w->transported, x);
    x->step = t->step, x->wave_step = transient_wave_step(t);
    growth_before(&w->growth, &x->courant, &x->interface_courant);
    place_of_fastest(&x->place, r->f, run_mesh(r), velocity, is_solved(w) ? 3 : 1, r->speed);
}

static void report_end_of_run(const struct run *r, enum exit_status status)
{
    const struct time_setting *set = &r->c->flow.time;
    if (run_is_done(r) || (run_is_idle(r) && status == EXIT_CONVERGED))
        log_print("%sNothing to do: the checkpoint is at t = %g, time.end is %g.\n", run_is_done(r) ? "" : "\n",
                  r->time, set->end);
    else if (run_is_idle(r))
        log_print("\nNothing to do: the checkpoint is at step %" PRId64 ", time.max_steps is %d.\n", r->first,
                  set->max_steps);
    else if (status == EXIT_CONVERGED) log_print("\nFINISHED at t = %g after %" PRId64 " steps.\n", r->time, r->step);
    else if (status == EXIT_STOPPED)
        log_print("\nSTOPPED %s at t = %g after %" PRId64 " steps: continue with --restart.\n", r->asked.why, r->time,
                  r->step);
    else
        log_print("\nNOT FINISHED: t = %g of %g after %" PRId64 " steps, time.max_steps is %d.\n"
                  "  Continue with --restart --set time.max_steps=%d.\n", r->time, set->end, r->step, set->max_steps,
                  2 * set->max_steps);
}

/* After the last step, and those after which fields are written. */
static void look_at_balances(struct run *r)
{
    struct march *w = r->own;
    if (run_is_idle(r)) return;
    struct unbalanced open = balances_look(r->monitors, r->step, r->f, &w->transported, 0);
    const struct interface_summary *second = &w->s.interface;
    if (r->f->interface && !(fabs(second->volume_error) <= BALANCE_MOST))
        open = (struct unbalanced){BALANCE_SECOND_FLUID, second->volume_error * second->volume, second->volume, 0};
    balances_add(&w->balances, &open, r->time);
}

static bool end(struct run *r, enum exit_status *status)
{
    struct march *w = r->own;
    report_end_of_run(r, *status);
    if (run_is_done(r)) return true;
    const bool transported = transported_report(&w->transported, r->f);
    look_at_balances(r);
    const struct unbalanced open = balances_worst(&w->balances, &r->c->flow);
    const bool closed = balances_report(&open, &r->c->flow, true) & energy_report(&w->energy);
    if (*status == EXIT_CONVERGED && (!transported | !closed | w->unsolved.last |
                                      unsolved_splitting(transient_splitting(&w->t))))
        *status = EXIT_NOT_CONVERGED;
    unsolved_report(&w->unsolved, &r->c->flow, r->step - r->first);
    if (w->rejected) log_print("tolerance  %" PRId64 " steps were repeated with a shorter length\n", w->rejected);
    return is_finished(r);
}

/* The system of the last step.  Right-hand sides have been overwritten, so this one is matrix times pressure, or times
 * the first component of the velocity, which are then the solution. */
static struct run_system make_system(struct run *r, enum system_kind which)
{
    const bool pressure = which == SYSTEM_PRESSURE;
    const struct matrix *a = pressure ? &r->f->pressure : &r->f->momentum;
    matrix_product(a, pressure ? r->f->p : r->f->u, r->f->rhs);
    return (struct run_system){a, r->f->rhs, 1};
}

static void free_march(void *own)
{
    struct march *w = own;
    if (w->bubbles) bubbles_free(w->bubbles);
    transported_free(&w->transported);
    transient_free(&w->t);
}

const struct run_kind transient_run = {
    .word = "step", .in_time = true, .size = sizeof(struct march), .fields = fields, .create = create,
    .restored = restored, .begin = begin, .over = over, .step = step, .tables = tables, .numbers = numbers,
    .trouble = trouble, .judge = judge, .tell = tell, .situation = situation, .end = end,
    .wrote = look_at_balances, .make_system = make_system, .free = free_march};
