/* average.h: time averages of numbers x that change from step to step, and the root mean squares of their fluctuations:
 * with the lengths dt of the steps since the start of averaging
 *     T = sum dt,   mean = sum x dt / T,   rms = sqrt(sum (x - mean)^2 dt / T),
 * x taken at the end of a step; a step of a steady run has length 1.  They are updated step by step (Welford 1962, with
 * weights), in a fixed order, and stored in the checkpoint: a restarted run has the same bits. */
#ifndef POISE_AVERAGE_H
#define POISE_AVERAGE_H
#include "flow/flow.h"
#include "gpu/kernel.h"
#include "run/run_setting.h"

struct average_args { const double *x; double *mean, *square; double part, span; };
KERNEL(add_to_average, struct average_args)             /* over all numbers */

/* The average of n numbers on the host. */
struct average {
    char name[2 * NAME_LENGTH + 32];    /* name in the checkpoint */
    const double *value;                /* [n] the owner's array of current values */
    int64_t n;
    double key;                         /* digest of the settings it depends on, as a number */
    double *state;                      /* [3 + 2 n] start, T, key, the means, T rms^2 */
};

/* All averages of a run: of fields, whose NAME_mean and NAME_rms are added to f->fields, and of monitored values. */
struct averages;
/* NULL if the case has none.  settings: of the case, one per line; must outlive it. */
struct averages *averages_create(const struct averages_setting *set, const char *settings, struct flow *f,
                                 const struct mesh *m);
/* Averages n numbers, whose address must not change, of the probe (kind: "probes"), surface, ... of this name; returns
 * NULL if a is NULL.  Call it before a checkpoint is read. */
struct average *averages_follow(struct averages *a, const char *kind, const char *name, const double *value, int64_t n);
/* Called after a checkpoint was read: restarts the averages that have another start, that belong to a probe, plane, ...
 * whose settings have changed, or that are not in the checkpoint. */
void averages_restored(struct averages *a);
/* Whether the step that ends at this time is averaged; a NULL: no. */
bool averages_due(const struct averages *a, double time, double dt);
/* Adds the step; all values are those at its end. */
void averages_add(struct averages *a, double dt);
/* Of number i; NaN before the first step that is averaged. */
double average_mean(const struct average *a, int64_t i);
double average_rms(const struct average *a, int64_t i);
void averages_print(const struct averages *a);
void averages_free(struct averages *a);
/* Checks that these are the names of fields that can be averaged.  all: fields of the case.  False with a message. */
bool averages_check(const struct averages_setting *set, const struct fields *all, struct error *e);
#endif
