/* Samples a viscosity law (viscosity_table.h). */
#include "assembly/viscosity_table.h"
#include <math.h>
#include <stdlib.h>
#include "assembly/field_table.h"
#include "base/memory.h"
#include "gpu/device.h"

/* The shear rate at a position in interval i. */
static double rate_at(int i, double at)
{
    const int n = 1 << TABLE_BITS;
    return sqrt(ldexp(1 + (i % n + at) / n, TABLE_LOWEST + i / n));
}

struct viscosity_table viscosity_table_create(const struct viscosity_setting *v, double *steepest)
{
    enum { N = 4 * TABLE_INTERVALS };
    static const double at[] = {0, 0.25, 0.75, 1};
    double *rate, *f, *c, *cubic = device_alloc(N * sizeof(double), "viscosity law");
    NEW(rate, N), NEW(f, N), NEW(c, N);
    for (int i = 0; i < N; i++) rate[i] = rate_at(i / 4, at[i % 4]);
    viscosity_by_law(v, rate, N, f);
    *steepest = 0;
    for (int i = 0; i < N; i += 4) {
        field_table_fit(f + i, c + i);
        *steepest = fmax(*steepest, log(f[i + 3] / f[i]) / log(rate[i + 3] / rate[i]));
    }
    device_upload(cubic, c, N * sizeof *c);
    free(rate), free(f), free(c);
    return (struct viscosity_table){.cubic = cubic, .lowest = v->lowest, .highest = v->highest};
}

void viscosity_table_free(struct viscosity_table *t)
{
    device_free((void *)t->cubic);
    *t = (struct viscosity_table){0};
}
