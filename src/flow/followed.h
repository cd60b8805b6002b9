/* followed.h: a scalar on which a model depends: its values in cells and at boundary faces, in transient flow
 * extrapolated to the time of the momentum equation. */
#ifndef POISE_FOLLOWED_H
#define POISE_FOLLOWED_H
#include <stdint.h>
#include "assembly/field.h"

struct flow;
struct model_step;
enum { CELLS, BOUNDARY, N_PLACES };     /* where the scalar has values */
struct followed {
    const char *scalar;                         /* its name */
    const double *const *now[N_PLACES];         /* the scalar's own arrays; NULL: not looked up yet */
    double *old[N_PLACES], *ahead[N_PLACES];    /* transient: at the previous step, and extrapolated */
    int64_t n[N_PLACES];
};

/* The addresses of a scalar's own arrays, once all fields are listed: scalars are created after models. */
void followed_find(const struct flow *f, const char *scalar, const double *const *now[N_PLACES]);
void followed_create(struct followed *b, const struct flow *f, const char *scalar);
/* Adds what an exact restart needs, with these names for cells and boundary; b NULL: only names are needed. */
void followed_fields(struct followed *b, const struct flow *f, const char *const name[N_PLACES], struct fields *all);
/* x: out, the scalar at the time of the momentum equation.  Once in every iteration of a model's step. */
void followed_now(struct followed *b, const struct flow *f, const struct model_step *step, const double *x[N_PLACES]);
void followed_free(struct followed *b);
#endif
