/* unsolved.h: time steps whose equations are not solved to their tolerances; private to src/run. */
#ifndef POISE_UNSOLVED_H
#define POISE_UNSOLVED_H
#include <stdbool.h>
#include <stdint.h>
#include "flow/transient.h"

/* Initially zero.  For the linear solvers of the velocity and of the pressure: steps whose last solve used up its
 * iterations, `left`: largest remaining fraction of the first residual; and steps that `absolute` ended early with more
 * than ten times the tolerance left, relative to the largest residual of the run (velocity) or the fluxes
 * (pressure). */
struct unsolved {
    struct shortfall { int64_t steps; double left; } used_up[2], early[2];
    struct shortfall stress;    /* two fluids: steps whose last pass changed over a tenth of what the step changed, and
                                   the largest such part */
    double largest;
    bool last;                  /* one solve of the last step left more than ten times its tolerance, or its last pass
                                   changed too much */
};

/* Counts a step, and warns of the first such step of each solver.  step: its number. */
void unsolved_add(struct unsolved *w, const struct flow_setting *c, const struct transient_report *r, int64_t step);
/* Reports at the end the number of such steps among `steps`. */
void unsolved_report(const struct unsolved *w, const struct flow_setting *c, int64_t steps);
/* Warns if the last step's splitting error (transient_splitting()) exceeds a hundredth of the velocity; true if it
 * does. */
bool unsolved_splitting(double splitting);
#endif
