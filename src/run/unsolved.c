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

void unsolved_add(struct unsolved *w, const struct flow_setting *c, const struct transient_report *r, int64_t step)
{
    const struct linear_result *const solve[] = {&r->velocity_solve, &r->pressure_solve};
    w->last = false;
    for (int i = VELOCITY; i <= PRESSURE; i++) {
        if (solve[i]->status != LINEAR_MAX_ITERATIONS) continue;
        double left = solve[i]->initial > 0 ? solve[i]->final / solve[i]->initial : 0;
        w->last |= left > 10 * setting_of(c, i)->tolerance;
        w->left[i] = fmax(w->left[i], left);
        if (w->steps[i]++ > 0) continue;
        log_print("%9" PRId64 "   warning: the linear solver of the %s used up its %d iterations and left %.2g of the "
                  "residual\n            (tolerance %g): %s\n", step, word[i], setting_of(c, i)->max_iterations, left,
                  setting_of(c, i)->tolerance, advice[i]);
    }
}

void unsolved_report(const struct unsolved *w, const struct flow_setting *c, int64_t steps)
{
    for (int i = VELOCITY; i <= PRESSURE; i++) {
        if (w->steps[i] == 0) continue;
        log_print("warning    the linear solver of the %s used up its %d iterations in %" PRId64 " of %" PRId64
                  " steps and left\n           up to %.2g of the residual (tolerance %g): the results may be wrong;\n"
                  "           %s\n", word[i], setting_of(c, i)->max_iterations, w->steps[i], steps, w->left[i],
                  setting_of(c, i)->tolerance, advice[i]);
    }
}
