/* Judges balances (balances.h). */
#include "run/balances.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "interface/interface.h"

/* Missing parts of the sizes of flow, heat and scalars that count as rounding: fluxes come from solves to a
 * tolerance. */
static const double rounding_of_flow = 1e-6, rounding_of_scalar = 1e-11;

/* The size of the velocity; in a flow at rest of one so slow that its Reynolds number of a cell is 1/1000. */
static double speed_of(struct flow *f)
{
    return fmax(flow_fastest(f), 1e-3 * f->properties.viscosity[0] / f->properties.density[0] / f->s.spacing);
}

static double level_of(struct flow *f, const struct transported *t, const char *quantity)
{
    const struct equation_range *r = t->range;
    equations_ranges(f, t->range);
    while (strcmp(r->name, quantity)) r++;
    return fmax(fmax(r->imposed_highest, -r->imposed_lowest), fmax(r->highest, -r->lowest));
}

struct unbalanced balances_look(struct monitors *w, int64_t step, struct flow *f, const struct transported *t,
                                double tolerance)
{
    const double most = fmax(BALANCE_MOST, 100 * tolerance);
    struct balance b;
    struct unbalanced worst = {0};
    double ratio = most;
    for (int i = 0; monitors_balance(w, step, i, &b); i++) {
        const double passes = 0.5 * b.gross;            /* what enters also leaves, or is stored: it counts twice */
        if (!b.of || !(fabs(b.missing) > ratio * passes)) continue;
        const double rounding = b.rounding * (b.name ? rounding_of_scalar * level_of(f, t, b.name)
                                                     : rounding_of_flow * speed_of(f));
        if (!(fabs(b.missing) > rounding + ratio * passes)) continue;
        ratio = fabs(b.missing) / passes;
        worst = (struct unbalanced){.of = b.of, .missing = b.missing, .passes = passes};
    }
    return worst;
}

bool balances_report(const struct unbalanced *u, const struct flow_setting *c, bool timed)
{
    static const char *const words[] = {NULL, "flow", "heat", "second fluid"};
    const bool scalar = u->of >= BALANCE_SCALAR;
    char when[40] = "";
    if (!u->of) return true;
    if (timed) snprintf(when, sizeof when, " at t = %g", u->time);
    log_print("warning    the balance of the %s%s does not close%s: %.3g of %.3g is missing, a part of %.2g; the "
              "results may be\n           wrong\n", scalar ? "scalar " : "",
              scalar ? c->scalars.item[u->of - BALANCE_SCALAR].name : words[u->of], when, fabs(u->missing), u->passes,
              fabs(u->missing) / u->passes);
    return false;
}

/* ---------------------------------------------------------------- output times */
void balances_fields(struct balances *b, struct fields *all)
{
    fields_add(all, &(struct field){.name = "balances", .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1,
                                    .pitch = sizeof b->worst / sizeof *b->worst, .of = ITEM_NONE, .number = b->worst});
}

void balances_add(struct balances *b, const struct unbalanced *u, double time)
{
    if (!u->of || (b->worst[0] > 0 && !(fabs(u->missing) * b->worst[2] > fabs(b->worst[1]) * u->passes))) return;
    b->worst[0] = u->of, b->worst[1] = u->missing, b->worst[2] = u->passes, b->worst[3] = time;
}

struct unbalanced balances_worst(const struct balances *b, const struct flow_setting *c)
{
    const double of = b->worst[0];                              /* of a checkpoint, which may have any number */
    const bool known = of > 0 && of < BALANCE_SCALAR + c->scalars.n;
    return (struct unbalanced){known ? (int)of : 0, b->worst[1], b->worst[2], b->worst[3]};
}
