/* growth.h: the Courant numbers of the last steps, so that a run that diverges can report their values before the
 * divergence began. */
#ifndef POISE_GROWTH_H
#define POISE_GROWTH_H
#include <stdint.h>

enum { GROWTH_STEPS = 256 };

struct growth {
    int64_t n;                                  /* steps so far; the last GROWTH_STEPS are kept */
    double rate[GROWTH_STEPS];                  /* Courant number per unit of time: a measure of the flow's speed */
    double courant[GROWTH_STEPS], interface_courant[GROWTH_STEPS];
};

void growth_add(struct growth *g, double courant, double interface_courant, double step);
/* The Courant numbers of the last step before the flow grew faster by at least a fifth from step to step.  If it did so
 * from the first step on: those of the third.  0: there has been no step. */
void growth_before(const struct growth *g, double *courant, double *interface_courant);
#endif
