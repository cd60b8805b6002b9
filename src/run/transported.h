/* transported.h: the judgement of temperatures and scalars, as velocity and pressure are judged: whether they have
 * diverged, left the values from which they come, or are unsolved; private to src/run. */
#ifndef POISE_TRANSPORTED_H
#define POISE_TRANSPORTED_H
#include <stddef.h>
#include <stdint.h>
#include "flow/flow.h"
#include "run/advice.h"

struct transported {
    struct equation_range *range;       /* [equations_quantities()] of the last look, or NULL: there are none */
    char why[200];              /* the text of transported_trouble() */
    const struct equation_range *beyond;        /* the quantity it is about, or NULL */
};
/* When the fields have their values at the start.  Freed with transported_free(). */
void transported_begin(struct transported *t, struct flow *f);
void transported_free(struct transported *t);
/* Why the run must end, valid until the next call, or NULL: a value that is not a number, or farther beyond those
 * imposed than `most` times their difference.  Waits for the device. */
const char *transported_trouble(struct transported *t, struct flow *f, double most);
/* After that, for advice. */
void transported_situation(const struct transported *t, struct situation *x);
/* At the end: warns of values beyond those imposed, and of unsolved equations.  False: the results may be wrong, so
 * that the run has not succeeded. */
bool transported_report(struct transported *t, struct flow *f);
#endif
