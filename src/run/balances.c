/* Judges balances (balances.h). */
#include "run/balances.h"
#include <math.h>
#include <stdio.h>
#include <string.h>
#include "base/log.h"
#include "interface/interface.h"

/* Missing parts of the sizes of flow and heat that count as rounding: fluxes come from solves to a tolerance. */
static const double rounding_of_flow = 1e-6, rounding_of_heat = 1e-11;

/* The size of the velocity; in a flow at rest of one so slow that its Reynolds number of a cell is 1/1000. */
static double speed_of(struct flow *f)
{
    return fmax(flow_fastest(f), 1e-3 * f->properties.viscosity[0] / f->properties.density[0] / f->s.spacing);
}

static double level_of_temperature(struct flow *f, const struct transported *t)
{
    const struct equation_range *r = t->range;
    equations_ranges(f, t->range);
    while (strcmp(r->name, "temperature")) r++;
    return fmax(fmax(r->imposed_highest, -r->imposed_lowest), fmax(r->highest, -r->lowest));
}

struct unbalanced balances_look(struct monitors *w, int64_t step, struct flow *f, const struct transported *t,
                                double tolerance)
{
    const double most = fmax(BALANCE_MOST, 100 * tolerance);
    struct balance b[N_BALANCES];
    struct unbalanced worst = {0};
    double ratio = most;
    monitors_balances(w, step, b);
    for (int i = 0; i < N_BALANCES && b[i].word; i++) {
        const bool heat = !strcmp(b[i].word, "heat");
        const double rounding = b[i].rounding * (heat ? rounding_of_heat * level_of_temperature(f, t)
                                                      : rounding_of_flow * speed_of(f));
        if (!(fabs(b[i].missing) > rounding + ratio * b[i].gross)) continue;
        ratio = fabs(b[i].missing) / b[i].gross;
        worst = (struct unbalanced){.word = b[i].word, .missing = b[i].missing, .gross = b[i].gross};
    }
    return worst;
}

bool balances_report(const struct unbalanced *u, bool timed)
{
    char when[40] = "";
    if (!u->word) return true;
    if (timed) snprintf(when, sizeof when, " at t = %g", u->time);
    log_print("warning    the balance of the %s does not close%s: %.3g of %.3g is missing, a part of %.2g; the results "
              "may be\n           wrong\n", u->word, when, fabs(u->missing), u->gross, fabs(u->missing) / u->gross);
    return false;
}

/* ---------------------------------------------------------------- output times */
static const char *const words[] = {NULL, "flow", "heat", BALANCE_SECOND_FLUID};
enum { N_WORDS = sizeof words / sizeof *words };

void balances_fields(struct balances *b, struct fields *all)
{
    fields_add(all, &(struct field){.name = "balances", .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1,
                                    .pitch = sizeof b->worst / sizeof *b->worst, .of = ITEM_NONE, .number = b->worst});
}

void balances_add(struct balances *b, const struct unbalanced *u, double time)
{
    int k = 1;
    if (!u->word || (b->worst[0] > 0 && !(fabs(u->missing) * b->worst[2] > fabs(b->worst[1]) * u->gross))) return;
    while (k < N_WORDS - 1 && strcmp(words[k], u->word)) k++;
    b->worst[0] = k, b->worst[1] = u->missing, b->worst[2] = u->gross, b->worst[3] = time;
}

struct unbalanced balances_worst(const struct balances *b)
{
    const double k = b->worst[0];
    return (struct unbalanced){k > 0 && k < N_WORDS ? words[(int)k] : NULL, b->worst[1], b->worst[2], b->worst[3]};
}
