/* Judges temperatures and scalars by their extremes and solves (transported.h). */
#include "run/transported.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/log.h"
#include "base/memory.h"

void transported_begin(struct transported *t, struct flow *f)
{
    const int n = equations_quantities(f);
    if (!n) return;
    NEW(t->range, n);
    equations_begin(f);
}

void transported_free(struct transported *t) { free(t->range); }

/* How far it lies beyond the values imposed, and how far apart these are, or where sources and fluxes lead beyond one
 * of them, all values; values that are all the same to rounding are that far apart. */
static double beyond(const struct equation_range *r, double *spread)
{
    const double low = r->low_imposed ? r->imposed_lowest : fmin(r->imposed_lowest, r->lowest);
    const double high = r->high_imposed ? r->imposed_highest : fmax(r->imposed_highest, r->highest);
    *spread = fmax(high - low, 1e-12 * fmax(high, -low));
    return fmax(r->highest - high, low - r->lowest);
}

/* Of any quantity: its changes are also kept in single precision, which ends at 3e38. */
#define LARGEST 1e30

const char *transported_trouble(struct transported *t, struct flow *f, double most)
{
    if (!t->range) return NULL;
    equations_ranges(f, t->range);
    for (const struct equation_range *r = t->range; r < t->range + equations_quantities(f); r++) {
        double spread, out = beyond(r, &spread);
        t->beyond = r;
        if (!r->finite) {
            snprintf(t->why, sizeof t->why, "a value of \"%s\" is not a number", r->name);
            return t->why;
        }
        if (fmax(r->highest, -r->lowest) > LARGEST) {
            snprintf(t->why, sizeof t->why, "\"%s\" is %g to %g", r->name, r->lowest, r->highest);
            return t->why;
        }
        const double level = fmax(r->imposed_highest, -r->imposed_lowest);
        if (!r->low_imposed || !r->high_imposed || !(out > most * fmax(spread, 1e-6 * level))) continue;
        snprintf(t->why, sizeof t->why, "\"%s\" is %g to %g where its values at boundaries and at the start are %g to "
                 "%g", r->name, r->lowest, r->highest, r->imposed_lowest, r->imposed_highest);
        return t->why;
    }
    t->beyond = NULL;
    return NULL;
}

void transported_situation(const struct transported *t, struct situation *x)
{
    if (t->beyond) x->beyond = t->beyond->name, x->beyond_bounded = t->beyond->bounded;
}

/* Parts of the spread by which a scheme without bounds may go beyond it without a warning, and at all, and by which one
 * with bounds may. */
static const double visible = 1e-2, most_unbounded = 0.5, wrong = 1e-4;

static bool report_range(const struct equation_range *r)
{
    enum { PER_CENT = 100 };
    double spread, out = beyond(r, &spread);
    const double noise = 1e-9 * (fabs(r->imposed_lowest) + fabs(r->imposed_highest));
    const bool bad = out > (r->bounded ? wrong : most_unbounded) * spread + noise;
    if (!(bad || (!r->bounded && out > visible * spread))) return true;
    log_print("warning    \"%s\" is %.9g to %.9g, beyond its values at boundaries and at the start, %.9g to %.9g,\n"
              "           by %.2g %% of their difference", r->name, r->lowest, r->highest, r->imposed_lowest,
              r->imposed_highest, PER_CENT * out / spread);
    if (r->bounded) log_print("; its scheme should be bounded: the results may be wrong\n");
    else log_print(": its scheme is not bounded; \"bounded\" is%s\n", bad ? ". The results are wrong" : "");
    return !bad;
}

bool transported_report(struct transported *t, struct flow *f)
{
    bool good = true;
    if (!t->range) return true;
    equations_ranges(f, t->range);
    for (const struct equation_range *r = t->range; r < t->range + equations_quantities(f); r++) {
        good &= report_range(r) && !r->unsolved && !r->oblique && !r->lagged;
        if (r->unsolved)
            log_print("warning    in the last step the linear solver of \"%s\" used up its iterations: the results may "
                      "be wrong;\n           raise solver.velocity.max_iterations, or lower time.step\n", r->name);
        if (r->oblique)
            log_print("warning    in the last step corrections of conduction through oblique cells did not converge:\n"
                      "           \"%s\" may be wrong; use a mesh of less oblique, less stretched cells, or lower\n"
                      "           time.step\n", r->name);
        if (r->lagged)
            log_print("warning    in the last step corrections of convection and conduction did not converge:\n"
                      "           \"%s\" may be wrong; lower time.step, or use a mesh of less oblique, less stretched\n"
                      "           cells\n", r->name);
    }
    return good;
}
