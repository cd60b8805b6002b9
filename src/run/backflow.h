/* backflow.h: through which outlets flow has come in during the last steps, for messages. */
#ifndef POISE_BACKFLOW_H
#define POISE_BACKFLOW_H
#include "run/place.h"

enum { BACKFLOW_LOOKS = 8 };

struct backflow {
    int64_t looks;              /* so far */
    double *in, *gross;         /* [BACKFLOW_LOOKS n_patches] of the last looks: what comes in, what goes in and out */
    double *flux;               /* work: of the largest outlet */
};

void backflow_create(struct backflow *b, const struct mesh *m);
/* At f->flux as it is now; does nothing for most steps: it looks at the first ones and at every tenth. */
void backflow_look(struct backflow *b, const struct flow *f, const struct mesh *m, int64_t step);
/* The outlet with the largest share of what came in over what went in and out, one near the place before all others;
 * NULL: none.  Looks at which over four times as much passed as at another one do not count: the run had gone wrong. */
const struct patch *backflow_find(const struct backflow *b, const struct place *p, double *share);
void backflow_free(struct backflow *b);
#endif
