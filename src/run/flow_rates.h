/* flow_rates.h: the volume that flows through every inlet and outlet in a unit of time, and what is left over:
 * flows.csv and the closing lines of the log. */
#ifndef POISE_FLOW_RATES_H
#define POISE_FLOW_RATES_H
#include "flow/flow.h"
#include "run/watch.h"

struct flow_rates {
    const struct mesh *m;
    struct watch watch;         /* a column for each boundary that flow passes, then "balance"; none where there is no
                                   such boundary */
    const struct patch **patch; /* [watch.n - 1] */
    double *flux;               /* work: of the largest of them */
    double *in;                 /* [watch.n - 1] what comes in through faces of an outlet; of other boundaries 0 */
    bool steady;
};

/* *r must be all zero.  Opens flows.csv where there is a boundary that flow passes; every, resume: as csv_open(). */
bool flow_rates_create(struct flow_rates *r, const struct flow *f, const struct mesh *m, const char *directory,
                       int every, bool resume, int64_t step, struct error *e);
void flow_rates_read(struct flow_rates *r, const struct flow *f);
/* Prints the rates, what comes in through outlets, and the balance as a part of what flows in; of a steady flow a
 * warning where much comes in through an outlet. */
void flow_rates_print(const struct flow_rates *r);
void flow_rates_free(struct flow_rates *r);
#endif
