/* unsolved.h: steps in time whose equations are not solved as far as their tolerances say; private to src/run. */
#ifndef POISE_UNSOLVED_H
#define POISE_UNSOLVED_H
#include <stdbool.h>
#include <stdint.h>
#include "flow/transient.h"

/* Zero at the start.  Of the velocity's and of the pressure's linear solver: steps whose last solve used up its
 * iterations, of whose first residual `left` was left at most; and steps that its `absolute` ended early, while more
 * than ten times the tolerance was left, of the largest residual of the run (velocity) or of the fluxes (pressure). */
struct unsolved {
    struct shortfall { int64_t steps; double left; } used_up[2], early[2];
    double largest;
    bool last;                  /* in the last step one left more than ten times its tolerance */
};

/* Counts a step, and warns of the first such step of each solver.  step: its number. */
void unsolved_add(struct unsolved *w, const struct flow_setting *c, const struct transient_report *r, int64_t step);
/* Says at the end in how many of `steps` steps that was so. */
void unsolved_report(const struct unsolved *w, const struct flow_setting *c, int64_t steps);
/* Warns where the last step's splitting (transient_splitting()) leaves more than a hundredth of the velocity; true
 * where it does. */
bool unsolved_splitting(double splitting);
#endif
