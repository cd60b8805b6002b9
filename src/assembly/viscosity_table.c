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

/* The cubic through f at 0, 1/4, 3/4, 1, by Newton's divided differences. */
static void fit(const double f[4], double *c)
{
    double first = 4 * (f[1] - f[0]), middle = 2 * (f[2] - f[1]), last = 4 * (f[3] - f[2]);
    double second = (middle - first) / 0.75, third = (last - middle) / 0.75 - second;
    c[0] = f[0], c[1] = first - 0.25 * second + 0.1875 * third, c[2] = second - third, c[3] = third;
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
        fit(f + i, c + i);
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

struct field_table field_table_create(const struct property_setting *p)
{
    enum { N = 4 * FIELD_INTERVALS };
    static const double at[] = {0, 0.25, 0.75, 1};
    const double size = (p->range[1] - p->range[0]) / FIELD_INTERVALS;
    double *x, *f, *c, *cubic = device_alloc(N * sizeof(double), "property of a field");
    NEW(x, N), NEW(f, N), NEW(c, N);
    for (int i = 0; i < N; i++) x[i] = p->range[0] + (i / 4 + at[i % 4]) * size;
    property_sample(p, x, N, f);
    for (int i = 0; i < N; i += 4) fit(f + i, c + i);
    device_upload(cubic, c, N * sizeof *c);
    free(x), free(f), free(c);
    return (struct field_table){.cubic = cubic, .low = p->range[0], .per_interval = 1 / size};
}

void field_table_free(struct field_table *t)
{
    device_free((void *)t->cubic);
    *t = (struct field_table){0};
}
