/* backflow.h: which outlets had inflow during the last steps, for messages. */
#ifndef POISE_BACKFLOW_H
#define POISE_BACKFLOW_H
#include "run/place.h"

enum { BACKFLOW_LOOKS = 8 };

struct backflow {
    int64_t looks;              /* samples so far */
    double *in, *gross;         /* [BACKFLOW_LOOKS n_patches] of the last samples: inflow; inflow plus outflow */
    double *flux;               /* work array for the largest outlet */
};

void backflow_create(struct backflow *b, const struct mesh *m);
/* Called after every step; samples f->flux in the first steps and in every tenth, and does nothing in the others. */
void backflow_look(struct backflow *b, const struct flow *f, const struct mesh *m, int64_t step);
/* The outlet with the largest share of inflow in at least two samples; one near the location takes precedence.  Samples
 * with over four times the gross flux of another sample are ignored: by then the run had gone wrong. */
struct inflow backflow_find(const struct backflow *b, const struct place *p);
/* Flow rates through a patch: sum[0] outwards, sum[1] the inflow.  flux: work array, [count] of the patch. */
void backflow_passing(const struct flow *f, const struct patch *p, double *flux, double sum[2]);
void backflow_free(struct backflow *b);
#endif
