/* Whether small residuals of a steady run mean a small error (standstill.h). */
#include <math.h>
#include "run/standstill.h"

/* Of the tolerance: residuals of accelerated iterations, which do not fall at one rate; their last steps; these divided
 * by 1 - the rate of the slowest residual. */
static const double most_accelerated = 3, most_step = 2.5, most_left = 7;

double standstill_wanted(const struct flow_setting *c, double decay)
{
    /* Residuals are means; the largest error is larger. */
    const double most = c->solver.acceleration || flow_is_coupled(c) ? most_accelerated : 6;
    return c->solver.tolerance * fmin(1, most * -expm1(-decay));
}

/* Residuals are this fraction of the tolerance at least: less is settled, whether or not it falls. */
#define LEAST_PART 0.01

/* The trend of the logarithm of residual k over the last `span` iterations: its value at the last one, its fall per
 * iteration, and how far residuals are from it (root mean square). */
struct trend { double level, decay, scatter; };

static struct trend trend_of(const struct standstill *w, int k, int span)
{
    const double least = LEAST_PART * w->f->c->solver.tolerance;
    const double middle = span / 2.0, width = span * (span + 1.0) * (span + 2.0) / 12;
    double sum = 0, moment = 0, squares = 0;
    for (int i = 0; i <= span; i++) {
        const double y = log(fmax(standstill_row(w, w->n - 1 - i)[k], least));
        sum += y, moment += (i - middle) * y, squares += y * y;
    }
    const double mean = sum / (span + 1), decay = moment / width;
    const double off = squares / (span + 1) - mean * mean - moment * decay / (span + 1);
    return (struct trend){.level = mean - decay * middle, .decay = decay, .scatter = sqrt(fmax(off, 0))};
}

/* Of slow convergence each residual is a part `rate` of the one before, and the error that is left is the sum of all
 * that follow; of accelerated iterations single residuals are small by luck.  decay: lowered to that of its trend. */
static bool is_settled(const struct standstill *w, int k, int span, double *decay)
{
    enum { LEAST = 3, SCATTER = 2 };
    const int few = span / 5 < LEAST ? LEAST : span / 5;
    const double tolerance = w->f->c->solver.tolerance;
    const double last = standstill_row(w, w->n - 1)[k], before = standstill_row(w, w->n - 1 - span)[k];
    double recent = last, highest = last;
    for (int i = 1; i <= span; i++) {
        highest = fmax(highest, standstill_row(w, w->n - 1 - i)[k]);
        if (i < few) recent = highest;
    }
    if (last <= LEAST_PART * tolerance) return true;
    if (last >= before) return span >= LEAST && highest < tolerance;
    const struct trend t = trend_of(w, k, span);
    *decay = fmin(*decay, t.decay);
    const double wanted = standstill_wanted(w->f->c, log(before / last) / span);
    if (!(recent < tolerance && last <= wanted)) return false;
    return span < LEAST || fmax(last, exp(t.level + SCATTER * t.scatter)) <= standstill_wanted(w->f->c, t.decay);
}

bool standstill_settled(const struct standstill *w)
{
    enum { LEAST = 10, MOST = 50 };
    const int64_t quarter = w->n / 4 < LEAST ? LEAST : w->n / 4 > MOST ? MOST : w->n / 4;
    const int span = (int)(w->n <= quarter ? w->n - 1 : quarter);
    const double tolerance = w->f->c->solver.tolerance;
    double worst = 0, decay = INFINITY;
    for (int k = 0; k < w->n_columns; k++) {
        if (!is_settled(w, k, span, &decay)) return false;
        worst = fmax(worst, standstill_row(w, w->n - 1)[k]);
    }
    return w->step <= fmin(most_step, most_left * -expm1(-decay)) * tolerance || worst <= LEAST_PART * tolerance;
}
