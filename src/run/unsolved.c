/* Steps in time whose equations are not solved: counted, warned of, and summed up at the end. */
#include "run/unsolved.h"
#include <inttypes.h>
#include <math.h>
#include "base/log.h"

enum { VELOCITY, PRESSURE };
static const char *const word[] = {"velocity", "pressure"};
static const char *const advice[] = {"raise solver.velocity.max_iterations", "raise solver.pressure.max_iterations"};

static const struct linear_setting *setting_of(const struct flow_setting *c, int which)
{
    return which == VELOCITY ? &c->solver.velocity : &c->solver.pressure;
}

/* A solve that used up its iterations; what it left of the step's first residual. */
static void add_used_up(struct unsolved *w, const struct linear_setting *set, const struct linear_result *solve, int i,
                        int64_t step)
{
    if (solve->status != LINEAR_MAX_ITERATIONS) return;
    double left = solve->initial > 0 ? solve->final / solve->initial : 0;
    w->last |= left > 10 * set->tolerance;
    w->left[i] = fmax(w->left[i], left);
    if (w->steps[i]++ > 0) return;
    log_print("%9" PRId64 "   warning: the linear solver of the %s used up its %d iterations and left %.2g of the "
              "residual\n            (tolerance %g): %s\n", step, word[i], set->max_iterations, left, set->tolerance,
              advice[i]);
}

/* One that `absolute` ended.  In a flow that becomes steady it does so rightly, so the residual is compared with the
 * largest of the run, and the net flux with the flux. */
static void add_early(struct unsolved *w, const struct linear_setting *set, double left, int i, int64_t step)
{
    if (!(set->absolute > 0 && left > 10 * set->tolerance)) return;
    w->last = true;
    w->early_left[i] = fmax(w->early_left[i], left);
    if (w->early[i]++ > 0) return;
    log_print("%9" PRId64 "   warning: solver.%s.absolute = %g ends the linear solver while %.2g of the %s is left\n"
              "            (tolerance %g): lower it\n", step, word[i], set->absolute, left,
              i == VELOCITY ? "residual" : "flux", set->tolerance);
}

void unsolved_add(struct unsolved *w, const struct flow_setting *c, const struct transient_report *r, int64_t step)
{
    const struct linear_result *const solve[] = {&r->velocity_solve, &r->pressure_solve};
    w->last = false;
    w->largest = fmax(w->largest, solve[VELOCITY]->initial);
    double left[] = {w->largest > 0 ? solve[VELOCITY]->final / w->largest : 0, r->above_rounding ? r->continuity : 0};
    for (int i = VELOCITY; i <= PRESSURE; i++) {
        add_used_up(w, setting_of(c, i), solve[i], i, step);
        if (solve[i]->status == LINEAR_CONVERGED) add_early(w, setting_of(c, i), left[i], i, step);
    }
}

void unsolved_report(const struct unsolved *w, const struct flow_setting *c, int64_t steps)
{
    for (int i = VELOCITY; i <= PRESSURE; i++) {
        const struct linear_setting *set = setting_of(c, i);
        if (w->steps[i] > 0)
            log_print("warning    the linear solver of the %s used up its %d iterations in %" PRId64 " of %" PRId64
                      " steps and left\n           up to %.2g of the residual (tolerance %g): the results may be "
                      "wrong;\n           %s\n", word[i], set->max_iterations, w->steps[i], steps, w->left[i],
                      set->tolerance, advice[i]);
        if (w->early[i] > 0)
            log_print("warning    solver.%s.absolute = %g ended the linear solver in %" PRId64 " of %" PRId64 " steps "
                      "while up to %.2g of\n           the %s was left (tolerance %g): the results may be wrong; "
                      "lower it\n", word[i], set->absolute, w->early[i], steps, w->early_left[i],
                      i == VELOCITY ? "residual" : "flux", set->tolerance);
    }
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
