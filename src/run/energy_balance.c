/* The balance of the energy of two fluids. */
#include "run/energy_balance.h"
#include <math.h>
#include "base/log.h"

void energy_fields(struct energy_balance *b, struct fields *all)
{
    fields_add(all, &(struct field){.name = "energy_balance", .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1,
                                    .pitch = N_ENERGY_NUMBERS, .of = ITEM_NONE, .number = b->number});
}

/* Steps in which the velocity is that of a start from rest and the interface has hardly followed. */
#define START 20

static double all_of(const double e[N_ENERGIES])
{
    return e[ENERGY_KINETIC] + e[ENERGY_POTENTIAL] + e[ENERGY_SURFACE] + e[ENERGY_WALL];
}

static void widen(double range[2], double x) { range[0] = fmin(range[0], x), range[1] = fmax(range[1], x); }

void energy_open(struct energy_balance *b, const double *e)
{
    double *n = b->number;
    if (e && n[ENERGY_OPENED] > 0) {
        const double change = all_of(e) - n[ENERGY_LAST];
        if (change != 0) n[ENERGY_OPENED] = 1;
        n[ENERGY_START] += change, n[ENERGY_THERE] += fabs(change);
        return;
    }
    n[ENERGY_OPENED] = e != NULL, n[ENERGY_ENTERED] = 0;
    if (!e) return;
    n[ENERGY_START] = n[ENERGY_LAST] = all_of(e), n[ENERGY_THERE] = e[ENERGY_KINETIC] + e[ENERGY_SURFACE];
    n[ENERGY_LOW] = n[ENERGY_HIGH] = e[ENERGY_POTENTIAL], n[ENERGY_DRY] = n[ENERGY_WET] = e[ENERGY_WALL];
}

void energy_add(struct energy_balance *b, const double e[N_ENERGIES], double dt, double time)
{
    double *n = b->number;
    if (!(n[ENERGY_OPENED] > 0)) return;
    n[ENERGY_ENTERED] += dt * e[ENERGY_POWER];
    widen(n + ENERGY_LOW, e[ENERGY_POTENTIAL]), widen(n + ENERGY_DRY, e[ENERGY_WALL]);
    const double there = n[ENERGY_THERE] + (n[ENERGY_HIGH] - n[ENERGY_LOW]) + (n[ENERGY_WET] - n[ENERGY_DRY]) +
                         n[ENERGY_ENTERED] + e[ENERGY_RESOLUTION];
    n[ENERGY_LAST] = all_of(e);
    const double beyond = n[ENERGY_LAST] - n[ENERGY_START] - n[ENERGY_ENTERED];
    b->part = there > 0 && n[ENERGY_OPENED]++ > START ? beyond / there : 0;
    const double worst = b->part * fmin(1, e[ENERGY_CELLS] / ENERGY_FINE);
    if (worst > n[ENERGY_WORST])
        n[ENERGY_WORST] = worst, n[ENERGY_PART] = b->part, n[ENERGY_BEYOND] = beyond, n[ENERGY_WHEN] = time;
}

bool energy_report(const struct energy_balance *b)
{
    const double *n = b->number;
    if (!(n[ENERGY_WORST] > ENERGY_MUCH)) return true;
    log_print("warning    at t = %g the fluids had gained an energy of %.3g that nothing had put in, %.2g times what "
              "there is\n           to move them; the results may be wrong: refine the mesh at the interface, or use "
              "shorter steps\n", n[ENERGY_WHEN], n[ENERGY_BEYOND], n[ENERGY_PART]);
    return false;
}
