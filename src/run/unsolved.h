/* unsolved.h: steps in time whose linear solvers used up their iterations; private to src/run. */
#ifndef POISE_UNSOLVED_H
#define POISE_UNSOLVED_H
#include <stdbool.h>
#include <stdint.h>
#include "flow/transient.h"

/* Zero at the start.  Of the velocity's and of the pressure's linear solver: the steps whose last solve used up its
 * iterations, and the largest part of the step's first residual that was left. */
struct unsolved {
    int64_t steps[2];
    double left[2];
    bool last;                  /* in the last step one left more than ten times its tolerance */
};

/* Counts a step, and warns of the first such step of each solver.  step: its number. */
void unsolved_add(struct unsolved *w, const struct flow_setting *c, const struct transient_report *r, int64_t step);
/* Says at the end in how many of `steps` steps that was so. */
void unsolved_report(const struct unsolved *w, const struct flow_setting *c, int64_t steps);
#endif
