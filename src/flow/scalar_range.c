/* The extremes of scalars and temperatures, of their given and of their computed values, for a run's judgement
 * (equation.h). */
#include <math.h>
#include "assembly/scalar_step.h"
#include "flow/scalar_parts.h"
#include "gpu/sums.h"

/* Of x in its cells; lowest > highest: there is no such cell. */
static void extremes(const struct scalar *q, double *lowest, double *highest)
{
    const struct equation_work *k = &q->all->work;
    const struct scalar_step_args a = {.s = *k->s, .old = q->x, .capacity_old = q->amount != q->x ? q->capacity : NULL,
                                       .given_lowest = 1, .given_highest = -1, .sums = k->sums};
    double found[3];
    scalar_size(&a, k->s->n_slices);
    sums_finish_largest(&k->sums, SCALAR_SIZE, 1);
    scalar_extremes(&a, k->s->n_slices);
    sums_finish_largest(&k->sums, SCALAR_HIGHEST, 2);
    sums_download(&k->sums, SCALAR_SIZE, 3, found);
    *highest = found[1] - found[0], *lowest = found[0] - found[2];
}

double scalar_size_imposed(const struct scalar *q)
{
    const double most = fmax(fabs(q->imposed[0]), fabs(q->imposed[1]));
    return q->imposed[2] > 0 && isfinite(most) ? most : 0;
}

void scalar_widen_imposed(struct scalar *q)
{
    double lowest, highest;
    given_extremes(&q->all->given, q->given, &lowest, &highest);
    if (lowest <= highest) q->imposed[0] = fmin(q->imposed[0], lowest), q->imposed[1] = fmax(q->imposed[1], highest);
}

/* After a restart: the rules of the last solve, which output needs while the scalar waits for its next one. */
static void follow_passed(const struct scalar *q)
{
    struct scalar_rules_args a = {.entering = q->entering, .given = q->given, .flux = q->passed, .rule = q->rule,
                                  .value = q->value};
    scalar_rules(&a, q->all->s->n_boundary);
}

void scalars_begin(void *state)
{
    struct scalars *all = state;
    for (struct scalar *q = all->item; q < all->item + all->n; q++) {
        if (q->passed) follow_passed(q);
        const bool restored = q->imposed[2] > 0 && q->imposed[0] <= q->imposed[1];
        if (!restored) extremes(q, &q->imposed[0], &q->imposed[1]);
        q->imposed[2] = 1;
        if (q->sink) q->imposed[0] = fmin(q->imposed[0], 0), q->imposed[1] = fmax(q->imposed[1], 0);
        scalar_widen_imposed(q);
    }
}

int scalars_ranges(void *state, struct equation_range *r)
{
    struct scalars *all = state;
    for (struct scalar *q = all->item; q < all->item + all->n; q++, r++) {
        const bool adds = q->through || q->source, known = !(adds && given_in_time(&all->given));
        const int sides = known ? scalar_sides(q) : 0;
        *r = (struct equation_range){.name = q->set->name, .unsolved = all->work.unsolved,
                                     .oblique = all->work.oblique, .lagged = all->work.lagged,
                                     .bounded = q->bounded || q->set->convection == SCALAR_BOUNDED,
                                     .low_imposed = sides & KEEPS_LOWEST, .high_imposed = sides & KEEPS_HIGHEST};
        extremes(q, &r->lowest, &r->highest);
        r->imposed_lowest = q->imposed[0], r->imposed_highest = q->imposed[1];
        r->finite = isfinite(r->lowest) && isfinite(r->highest);
    }
    return all->n;
}
