/* Samples a property that depends on a field (field_table.h). */
#include "assembly/field_table.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"

/* By Newton's divided differences. */
void field_table_fit(const double f[4], double *c)
{
    double first = 4 * (f[1] - f[0]), middle = 2 * (f[2] - f[1]), last = 4 * (f[3] - f[2]);
    double second = (middle - first) / 0.75, third = (last - middle) / 0.75 - second;
    c[0] = f[0], c[1] = first - 0.25 * second + 0.1875 * third, c[2] = second - third, c[3] = third;
}

struct field_table field_table_create(const struct property_setting *p, double scale, double from)
{
    enum { N = 4 * FIELD_INTERVALS };
    static const double at[] = {0, 0.25, 0.75, 1};
    const double size = (p->range[1] - p->range[0]) / FIELD_INTERVALS;
    const size_t bytes = (N + FIELD_INTERVALS + 1) * sizeof(double);
    double *x, *f, *c, *cubic = device_alloc(bytes, "property of a field");
    NEW(x, N), NEW(f, N), NEW(c, N + FIELD_INTERVALS + 1);
    for (int i = 0; i < N; i++) x[i] = p->range[0] + (i / 4 + at[i % 4]) * size;
    property_sample(p, x, N, f);
    for (int i = 0; i < N; i++) f[i] = scale * f[i] - from;
    for (int i = 0; i < N; i += 4) {
        if (p->formula.table) c[i] = f[i], c[i + 1] = f[i + 3] - f[i];
        else field_table_fit(f + i, c + i);
        c[N + i / 4 + 1] = c[N + i / 4] + (c[i] + c[i + 1] / 2 + c[i + 2] / 3 + c[i + 3] / 4);
    }
    device_upload(cubic, c, bytes);
    free(x), free(f), free(c);
    return (struct field_table){.cubic = cubic, .low = p->range[0], .per_interval = 1 / size};
}

void field_table_free(struct field_table *t)
{
    device_free((void *)t->cubic);
    *t = (struct field_table){0};
}
