/* equation_error.h: the time errors of temperature and scalars in a step, for time.tolerance (transient_error.c).
 *
 * The error of each is the local error of its scheme, from differences of its last values: a 2-norm over its capacity,
 * relative to that of x - r, the largest so far, with the mean r of x after the first step.  So it does not depend on
 * the level of a temperature. */
#ifndef POISE_EQUATION_ERROR_H
#define POISE_EQUATION_ERROR_H
#include "assembly/step_error.h"

struct fields;
struct flow;
struct value_error;
struct equation_errors { struct value_error *item; int n; };      /* one of each equation, or none */

/* After equations_create(). */
void equation_errors_create(struct equation_errors *w, const struct flow *f);
/* Adds the values of earlier steps, for checkpoints; none if it has not been created. */
void equation_errors_fields(const struct equation_errors *w, struct fields *all);
/* After a step: the largest error.  Not twice, unless the state was restored. */
double equation_errors_of_step(const struct equation_errors *w, const struct step_times *times);
/* The step is accepted: its values become earlier ones. */
void equation_errors_accept(struct equation_errors *w);
void equation_errors_free(struct equation_errors *w);
#endif
