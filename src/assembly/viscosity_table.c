/* Samples a viscosity law (viscosity_table.h). */
#include "assembly/viscosity_table.h"
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"

/* The shear rate at a position in interval i. */
static double rate_at(int i, double at)
{
    const int n = 1 << TABLE_BITS;
    return sqrt(ldexp(1 + (i % n + at) / n, TABLE_LOWEST + i / n));
}

/* The cubic through the law at 0, 1/4, 3/4, 1, by Newton's divided differences. */
static void fit(const struct viscosity_setting *v, int i, double *c)
{
    const double f[] = {viscosity_by_law(v, rate_at(i, 0)), viscosity_by_law(v, rate_at(i, 0.25)),
                        viscosity_by_law(v, rate_at(i, 0.75)), viscosity_by_law(v, rate_at(i, 1))};
    double first = 4 * (f[1] - f[0]), middle = 2 * (f[2] - f[1]), last = 4 * (f[3] - f[2]);
    double second = (middle - first) / 0.75, third = (last - middle) / 0.75 - second;
    c[0] = f[0], c[1] = first - 0.25 * second + 0.1875 * third, c[2] = second - third, c[3] = third;
}

struct viscosity_table viscosity_table_create(const struct viscosity_setting *v, double *steepest)
{
    const size_t size = 4 * TABLE_INTERVALS * sizeof(double);
    double *c, *cubic = device_alloc(size, "viscosity law");
    NEW(c, 4 * TABLE_INTERVALS);
    *steepest = 0;
    for (int i = 0; i < TABLE_INTERVALS; i++) {
        const double *own = c + 4 * i;
        fit(v, i, c + 4 * i);
        double grows = log((own[0] + own[1] + own[2] + own[3]) / own[0]) / log(rate_at(i, 1) / rate_at(i, 0));
        *steepest = fmax(*steepest, grows);
    }
    device_upload(cubic, c, size);
    free(c);
    return (struct viscosity_table){.cubic = cubic, .lowest = v->lowest, .highest = v->highest};
}

void viscosity_table_free(struct viscosity_table *t)
{
    device_free((void *)t->cubic);
    *t = (struct viscosity_table){0};
}
