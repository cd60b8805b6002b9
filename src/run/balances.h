/* balances.h: whether mass, heat and the second fluid's volume are conserved after a step; private to src/run. */
#ifndef POISE_BALANCES_H
#define POISE_BALANCES_H
#include "run/monitor.h"
#include "run/transported.h"

#define BALANCE_MOST 1e-4       /* part of what passes that may be missing */
struct unbalanced {
    const char *word;           /* the quantity whose balance is worst, if one does not close; else NULL */
    double missing, gross;      /* per unit of time (the second fluid's volume: of all time), and what passes */
};
/* tolerance: the run's; a balance closes if BALANCE_MOST of what passes is missing at most, or 100 tolerances if that
 * is more.  Waits for the device; all ranks call it together. */
struct unbalanced balances_look(struct monitors *w, int64_t step, struct flow *f, const struct transported *t,
                                double tolerance);
/* Warns of one that does not close; true if there is none. */
bool balances_report(const struct unbalanced *u);
#endif
