/* Whether small residuals of a steady run mean a small error (standstill.h). */
#include <math.h>
#include "run/standstill.h"

double standstill_wanted(const struct flow_setting *c, double decay)
{
    /* Residuals are means; the largest error is larger.  Accelerated ones do not fall at one rate. */
    const double most = c->solver.acceleration || flow_is_coupled(c) ? 3 : 6;
    return c->solver.tolerance * fmin(1, most * -expm1(-decay));
}

/* Of slow convergence each residual is a part `rate` of the one before, and the error that is left is the sum of all
 * that follow; of accelerated iterations single residuals are small by luck. */
static bool is_settled(const struct standstill *w, int k, int span)
{
    enum { LEAST = 3 };
    const int few = span / 5 < LEAST ? LEAST : span / 5;
    const double tolerance = w->f->c->solver.tolerance;
    const double last = standstill_row(w, w->n - 1)[k], before = standstill_row(w, w->n - 1 - span)[k];
    double recent = last, highest = last;
    for (int i = 1; i <= span; i++) {
        highest = fmax(highest, standstill_row(w, w->n - 1 - i)[k]);
        if (i < few) recent = highest;
    }
    if (last <= tolerance / 100) return true;
    if (last >= before) return span >= LEAST && highest < tolerance;
    return recent < tolerance && last <= standstill_wanted(w->f->c, log(before / last) / span);
}

bool standstill_settled(const struct standstill *w)
{
    enum { LEAST = 10, MOST = 50 };
    const int64_t quarter = w->n / 4 < LEAST ? LEAST : w->n / 4 > MOST ? MOST : w->n / 4;
    const int span = (int)(w->n <= quarter ? w->n - 1 : quarter);
    bool settled = true;
    for (int k = 0; k < w->n_columns && settled; k++) settled = is_settled(w, k, span);
    return settled;
}
