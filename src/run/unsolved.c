/* Time steps whose equations are not solved: counted, warned of, and summarised at the end. */
#include "run/unsolved.h"
#include <inttypes.h>
#include <math.h>
#include "base/log.h"

enum { VELOCITY, PRESSURE };
static const char *const word[] = {"velocity", "pressure"}, *const of[] = {"residual", "flux"};
static const char *const advice[] = {"raise solver.velocity.max_iterations", "raise solver.pressure.max_iterations"};

static const struct linear_setting *setting_of(const struct flow_setting *c, int which)
{
    return which == VELOCITY ? &c->solver.velocity : &c->solver.pressure;
}

/* In a flow that becomes steady `absolute` rightly ends a solve early, so the residual is compared with the largest of
 * the run, and the net flux with the flux. */
static void add(struct unsolved *w, const struct flow_setting *c, const struct transient_report *r, int i, int64_t step)
{
    const struct linear_setting *set = setting_of(c, i);
    const struct linear_result *solve = i == VELOCITY ? &r->velocity_solve : &r->pressure_solve;
    const bool used_up = solve->status == LINEAR_MAX_ITERATIONS;
    double first = used_up ? solve->initial : w->largest, left = first > 0 ? solve->final / first : 0;
    if (!used_up && i == PRESSURE) left = r->above_rounding ? r->continuity : 0;
    const bool much = left > 10 * set->tolerance;
    struct shortfall *s = used_up ? &w->used_up[i] : &w->early[i];
    if (!used_up && !(solve->status == LINEAR_CONVERGED && set->absolute > 0 && much)) return;
    w->last |= much;
    s->left = fmax(s->left, left);
    if (s->steps++ > 0) return;
    if (used_up)
        log_print("%9" PRId64 "   warning: the linear solver of the %s used up its %d iterations and left %.2g of the "
                  "residual\n            (tolerance %g): %s\n", step, word[i], set->max_iterations, left,
                  set->tolerance, advice[i]);
    else
        log_print("%9" PRId64 "   warning: solver.%s.absolute = %g ends the linear solver while %.2g of the %s "
                  "is left\n            (tolerance %g): lower it\n", step, word[i], set->absolute, left, of[i],
                  set->tolerance);
}

void unsolved_add(struct unsolved *w, const struct flow_setting *c, const struct transient_report *r, int64_t step)
{
    w->last = false;
    w->largest = fmax(w->largest, r->velocity_solve.initial);
    for (int i = VELOCITY; i <= PRESSURE; i++) add(w, c, r, i, step);
    if (!(r->unsettled > 0.1)) return;
    w->last = true;
    w->stress.steps++, w->stress.left = fmax(w->stress.left, r->unsettled);
}

void unsolved_report(const struct unsolved *w, const struct flow_setting *c, int64_t steps)
{
    for (int i = VELOCITY; i <= PRESSURE; i++) {
        const struct linear_setting *set = setting_of(c, i);
        const struct shortfall *used_up = &w->used_up[i], *early = &w->early[i];
        if (used_up->steps > 0)
            log_print("warning    the linear solver of the %s used up its %d iterations in %" PRId64 " of %" PRId64
                      " steps and left\n           up to %.2g of the residual (tolerance %g): the results may be "
                      "wrong;\n           %s\n", word[i], set->max_iterations, used_up->steps, steps, used_up->left,
                      set->tolerance, advice[i]);
        if (early->steps > 0)
            log_print("warning    solver.%s.absolute = %g ended the linear solver in %" PRId64 " of %" PRId64 " steps "
                      "while up to %.2g of\n           the %s was left (tolerance %g): the results may be wrong; "
                      "lower it\n", word[i], set->absolute, early->steps, steps, early->left, of[i], set->tolerance);
    }
    if (w->stress.steps > 0)
        log_print("warning    in %" PRId64 " of %" PRId64 " steps velocity and viscous stress do not agree at the "
                  "interface: the last pass\n           changed up to %.2g of what the step did, so the results may be "
                  "wrong.  Expected a smaller time.step, or\n           closer viscosities\n", w->stress.steps,
                  steps, w->stress.left);
}

bool unsolved_splitting(double splitting)
{
    enum { PER_CENT = 100 };
    if (!(splitting > 0.01)) return false;
    log_print("warning    in the last step velocity and pressure do not agree: the momentum equation is off by %.2g %% "
              "of the\n           velocity, so the result depends on the step.  Expected a smaller time.step, or "
              "time.tolerance = 1e-3, which\n           chooses steps for their error\n", PER_CENT * splitting);
    return true;
}
