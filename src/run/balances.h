/* balances.h: whether mass, heat, scalars and the second fluid's volume are conserved after a step; private to
 * src/run. */
#ifndef POISE_BALANCES_H
#define POISE_BALANCES_H
#include "run/monitor.h"
#include "run/transported.h"

#define BALANCE_MOST 1e-4       /* part of what passes that may be missing */
/* BALANCE_SCALAR + i: of the i-th scalar of the case. */
enum { BALANCE_FLOW = 1, BALANCE_HEAT, BALANCE_SECOND_FLUID, BALANCE_SCALAR };
struct unbalanced {
    int of;                     /* the quantity whose balance is worst, if one does not close; else 0 */
    double missing, passes;     /* per unit of time (the second fluid's volume: of all time) */
    double time;                /* of balances_worst(): when */
};
/* tolerance: the run's; a balance closes if BALANCE_MOST of what passes is missing at most, or 100 tolerances if that
 * is more.  Waits for the device; all ranks call it together. */
struct unbalanced balances_look(struct monitors *w, int64_t step, struct flow *f, const struct transported *t,
                                double tolerance);
/* Warns of one that does not close; timed: with its time.  True if there is none. */
bool balances_report(const struct unbalanced *u, const struct flow_setting *c, bool timed);

/* The worst of all output times of a run in time, in numbers for checkpoints: which quantity, 0: all close; what is
 * missing, what passes, when. */
struct balances { double worst[4]; };
/* Adds them to the fields. */
void balances_fields(struct balances *b, struct fields *all);
/* Takes what does not close at this time into account. */
void balances_add(struct balances *b, const struct unbalanced *u, double time);
struct unbalanced balances_worst(const struct balances *b, const struct flow_setting *c);
#endif
