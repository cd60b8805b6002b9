/* standstill.h: finds a steady run whose residuals no longer fall, and why.  It reads fields now and then and changes
 * none. */
#ifndef POISE_STANDSTILL_H
#define POISE_STANDSTILL_H
#include "run/advice.h"
#include "flow/simple.h"

enum { STANDSTILL_SAMPLES = 20 };

struct standstill {
    const struct flow *f;
    const struct mesh *m;
    double limit;               /* see place.h */
    bool coupled;
    int span, look;             /* iterations that are compared with as many before; that the velocity is sampled in */
    int64_t n;                  /* iterations so far; the last 2 span are kept */
    int n_columns;              /* residuals of an iteration */
    double *residual;           /* [2 span n_columns] */
    double lowest;              /* of the worst residual in the `span` iterations before it stood still; 0: it falls */
    int64_t since;              /* the first of these iterations */
    double *kept;               /* what a restart needs of these: residuals, n, lowest, since */
    int unsolved[2], unsolved_now[2];           /* in how many iterations the solver of pressure (or of both), and that
                                   of velocity, reached its limit: in the last full `look`, and since then */
    /* the velocity's changes, while it is sampled; see standstill_watch() */
    double *u, *low, *high;     /* host: [dim pitch] the last sample, the least and the largest; NULL: not sampled */
    double *path;               /* [n_cells] sum of the velocity's changes from sample to sample */
    int samples;
    /* what was found */
    bool told;
    bool sampled;               /* the members below have been found */
    struct place place;         /* where the velocity moves most */
    double swing, speed;        /* by how much it moves there; the largest speed of all cells */
    bool to_and_fro;            /* it moves to and fro there: its path is longer than its swing */
    double share;               /* part of the volume in which the velocity moves by a tenth of `swing` or more */
};

/* What a restart needs is a field of the flow, for checkpoints. */
void standstill_create(struct standstill *w, struct flow *f, const struct mesh *m, double limit);
/* After a restart, once the fields are there.  A run that had ended as stalled begins to count anew. */
void standstill_restored(struct standstill *w);
/* Called after every iteration: keeps its residuals. */
void standstill_add(struct standstill *w, const struct simple_report *r);
/* Does it stand still now?  That is, in the last `span` iterations (300; coupled: 100) the worst residual was always
 * above the case's tolerance, and its lowest value, or its mean, is no less than 0.9 of that in the `span` iterations
 * before, or, once it has stood still, its lowest value more than half of what it was then: a flow that is not steady
 * has good hours. */
bool standstill_now(const struct standstill *w);
/* It has stood still for solver.stall_limit iterations. */
bool standstill_over(const struct standstill *w);
/* Called behind these; last: the run ends.  Returns true once in a run: it stands still, and the velocity's changes
 * over `look` iterations are known. */
bool standstill_watch(struct standstill *w, int64_t left, bool last);
/* What stands still, and where: lines for the log, each with this in front of it. */
void standstill_report(const struct standstill *w, const char *front);
/* Adds why it does so, with what mends it; nothing while the velocity's changes are not known. */
void standstill_advise(const struct standstill *w, struct advices *a);
/* By how much the logarithm of the worst residual falls in an iteration, in the last 200 or the half of all; not a
 * number: there have been too few. */
double standstill_decay(const struct standstill *w);
void standstill_free(struct standstill *w);
#endif
