/* backflow.h: through which outlets flow has come in during the last steps, for messages. */
#ifndef POISE_BACKFLOW_H
#define POISE_BACKFLOW_H
#include "run/place.h"

enum { BACKFLOW_LOOKS = 8 };

struct backflow {
    int64_t looks;              /* so far */
    double *in, *gross;         /* [BACKFLOW_LOOKS n_patches] the last looks: flux inwards; inwards plus outwards */
    double *flux;               /* work: of the largest outlet */
};

void backflow_create(struct backflow *b, const struct mesh *m);
/* Called after every step; looks at f->flux in the first steps and in every tenth, and does nothing in the others. */
void backflow_look(struct backflow *b, const struct flow *f, const struct mesh *m, int64_t step);
/* The outlet with the largest share at two looks at least; one near the place comes before all others.  Looks at which
 * over four times as much passed as at another look do not count: by then the run had gone wrong. */
struct inflow backflow_find(const struct backflow *b, const struct place *p);
/* Flow rates through a patch: sum[0] outwards, sum[1] the part that enters.  flux: work array, [count] of the patch. */
void backflow_passing(const struct flow *f, const struct patch *p, double *flux, double sum[2]);
void backflow_free(struct backflow *b);
#endif
