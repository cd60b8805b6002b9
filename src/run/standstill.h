/* standstill.h: detects a steady run whose residuals stagnate, and why.  It samples fields occasionally and changes
 * none. */
#ifndef POISE_STANDSTILL_H
#define POISE_STANDSTILL_H
#include "run/advice.h"
#include "run/starting.h"
#include "flow/simple.h"

struct standstill {
    struct flow *f;
    const struct mesh *m;
    double limit;               /* see place.h */
    bool coupled;
    int span, look;             /* iterations compared with as many before; over which the velocity is sampled */
    int64_t n;                  /* iterations so far; the last 2 span are kept */
    int n_columns;              /* number of residuals per iteration */
    double *residual;           /* [2 span n_columns] */
    double step;                /* of the last iteration's report */
    double lowest;              /* least worst residual in the `span` iterations before the stagnation; 0: none */
    int64_t since;              /* the first of these iterations */
    struct starting starting;   /* since the first stagnation */
    double *kept;               /* the state for a restart, beside `starting`: residuals, n, lowest, since */
    int unsolved[2], unsolved_now[2];           /* iterations in which the solver of pressure (or of both), and of
                                                   velocity, reached its limit: last full `look`; since then */
    /* changes of the velocity while it is sampled; see standstill_watch() */
    double *u, *low, *high;     /* host: [dim pitch] the last sample, minimum and maximum; NULL: not sampled */
    double *path;               /* [n_cells] sum of the velocity's changes between samples */
    int samples;
    /* findings */
    bool told;
    bool sampled;               /* the members below are set */
    struct place place;         /* where the velocity changes most */
    double swing, speed;        /* its change there; the largest speed of all cells */
    bool to_and_fro;            /* it oscillates there: its path is longer than its swing */
    double share;               /* fraction of the volume in which the velocity changes by at least swing / 10 */
};

/* The state for a restart is a field of the flow, for checkpoints. */
void standstill_create(struct standstill *w, struct flow *f, const struct mesh *m, double limit);
/* After a restart, when the fields have been read.  A run that had ended as stalled starts counting again. */
void standstill_restored(struct standstill *w);
/* The residuals of iteration i, counted from 0, one of the last 2 span. */
static inline const double *standstill_row(const struct standstill *w, int64_t i)
{
    return w->residual + i % (2 * w->span) * w->n_columns;
}
/* Called after every iteration, by all ranks together: stores its residuals. */
void standstill_add(struct standstill *w, const struct simple_report *r);
/* Whether the run stagnates: in the last `span` iterations (300; coupled: 100) the worst residual was always above the
 * case's tolerance, and its lowest value, or its mean, is at least 0.9 of that in the `span` iterations before, or,
 * once it has stagnated, its lowest value is more than half of that at the time: unsteady flows have transient dips.
 * Stagnation starts anew while the largest speed, without oscillating, grows by more than 1 % in `look` iterations. */
bool standstill_now(const struct standstill *w);
/* settled.c: whether the fields are within about ten times the case's tolerance.  Looks at the last quarter of all
 * iterations (10 to 50): each residual is below the tolerance in the last fifth of them (at least 3), and the last one,
 * divided by 1 - the rate at which it fell, below six times it, of accelerated iterations three times; their steps
 * are below 2.5 times it, and seven times when divided likewise.  Below a hundredth of the tolerance this is not asked
 * for; where it falls no more, it must be below the tolerance in all. */
bool standstill_settled(const struct standstill *w);
/* The residual at which it ends, if the logarithm falls by `decay` in an iteration. */
double standstill_wanted(const struct flow_setting *c, double decay);
/* Whether it has stagnated for solver.stall_limit iterations. */
bool standstill_over(const struct standstill *w);
/* Called after these; last: the run ends.  Returns true once in a run: it stagnates, and the velocity's changes over
 * `look` iterations are known. */
bool standstill_watch(struct standstill *w, int64_t left, bool last);
/* Reports what stagnates, and where: lines for the log, each preceded by `front`. */
void standstill_report(const struct standstill *w, const char *front);
/* Adds the cause, with the settings to change; nothing until the velocity's changes are known. */
void standstill_advise(const struct standstill *w, struct advices *a);
/* Decrease of the logarithm of the worst residual per iteration, over the last 200 or half of all; NaN: too few so
 * far. */
double standstill_decay(const struct standstill *w);
void standstill_free(struct standstill *w);
#endif
