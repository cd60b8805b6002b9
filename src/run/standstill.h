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
    int span, look;             /* iterations that are compared with as many before; that the velocity is sampled in */
    int64_t n;                  /* iterations so far; the last 2 span are kept */
    int n_columns;              /* residuals of an iteration */
    double *residual;           /* [2 span n_columns] */
    int unsolved;               /* in how many iterations the pressure's solver reached its limit of iterations */
    /* the velocity's changes, while it is sampled; see standstill_watch() */
    double *u, *low, *high;     /* host: [dim pitch] the last sample, the least and the largest; NULL: not sampled */
    double *path;               /* [n_cells] sum of the velocity's changes from sample to sample */
    int samples;
    /* what was found */
    bool told;
    double lowest;              /* of the worst residual in the `span` iterations before it was told; 0: it was not */
    int64_t since;              /* the first of these iterations */
    bool sampled;               /* the members below have been found */
    struct place place;         /* where the velocity moves most */
    double swing, speed;        /* by how much it moves there; the largest speed of all cells */
    bool to_and_fro;            /* it moves to and fro there: its path is longer than its swing */
    double share;               /* part of the volume in which the velocity moves by a tenth of `swing` or more */
};

void standstill_create(struct standstill *w, const struct flow *f, const struct mesh *m, double limit);
/* Called after every iteration; left: iterations that are left to the run.  Returns true once in a run: it stands
 * still, and the velocity's changes over `look` iterations are known. */
bool standstill_watch(struct standstill *w, const struct simple_report *r, int64_t left);
/* Does it stand still now?  That is, in the last `span` iterations (300; coupled: 100) the worst residual was always
 * above the case's tolerance, and its lowest value, or its mean, is no less than 0.9 of that in the `span` iterations
 * before, or, once it has been told, its lowest value more than half of what it was then: a flow that is not steady has
 * good hours. */
bool standstill_now(const struct standstill *w);
/* What stands still, and where: lines for the log, each with this in front of it. */
void standstill_report(const struct standstill *w, const char *front);
/* Adds why it does so, with what mends it; nothing while the velocity's changes are not known. */
void standstill_advise(const struct standstill *w, struct advices *a);
/* By how much the logarithm of the worst residual falls in an iteration, in the last 200 or the half of all; not a
 * number: there have been too few. */
double standstill_decay(const struct standstill *w);
void standstill_free(struct standstill *w);
#endif
