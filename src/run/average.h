/* average.h: means in time of numbers x that change from step to step, and the root mean squares of what they change
 * about them: with the steps' lengths dt from the beginning on
 *     T = sum dt,   mean = sum x dt / T,   rms = sqrt(sum (x - mean)^2 dt / T),
 * x as it is at a step's end; a step of a steady run has the length 1.  They are gathered step by step (Welford 1962,
 * with weights), in one order, and stand in the checkpoint: a restart goes on to the same bits. */
#ifndef POISE_AVERAGE_H
#define POISE_AVERAGE_H
#include "flow/flow.h"
#include "gpu/kernel.h"
#include "run/run_setting.h"

struct average_args { const double *x; double *mean, *square; double part, span; };
KERNEL(add_to_average, struct average_args)             /* over all numbers */

/* Of n numbers on the host. */
struct average {
    char name[2 * NAME_LENGTH + 32];    /* in the checkpoint */
    const double *value;                /* [n] of the owner, as they are now */
    int64_t n;
    double key;                         /* what of the case it depends on, as a number */
    double *state;                      /* [3 + 2 n] from when, T, key, the means, T rms^2 */
};

/* Those of a run: of fields, whose NAME_mean and NAME_rms join the list of f->fields, and of what else is followed. */
struct averages;
/* NULL where the case has none.  settings: of the case, a line each, which must outlive it. */
struct averages *averages_create(const struct averages_setting *set, const char *settings, struct flow *f,
                                 const struct mesh *m);
/* Follows n numbers, which stay where they are, of the probe (kind: "probes"), surface .. of this name; a NULL: returns
 * NULL.  Before a checkpoint is read. */
struct average *averages_follow(struct averages *a, const char *kind, const char *name, const double *value, int64_t n);
/* After a checkpoint was read: what is not of this beginning, or of a probe, plane .. that the case says otherwise of
 * now, or was not there, begins anew. */
void averages_restored(struct averages *a);
/* Does the step that ends at this time count?  a NULL: no. */
bool averages_due(const struct averages *a, double time, double dt);
/* Adds the step, all values being those at its end. */
void averages_add(struct averages *a, double dt);
/* Of number i; not a number before the first step that counts. */
double average_mean(const struct average *a, int64_t i);
double average_rms(const struct average *a, int64_t i);
void averages_print(const struct averages *a);
void averages_free(struct averages *a);
/* Are these the names of fields that can be averaged?  all: of the case.  False with a message. */
bool averages_check(const struct averages_setting *set, const struct fields *all, struct error *e);
#endif
