/* field_table.h: a property that depends on one field, on the device, as cubics.  The host samples its expression once;
 * kernels read it with plain arithmetic, so that all devices have the same bits (exp() and pow() differ between them).
 * The range of the field is cut into equal intervals, each with the cubic through its ends and two points inside; of a
 * CSV table, which is linear between its rows, with the line through its ends, which stays between the rows' values.
 * Beyond an end of the range the property has its value there. */
#ifndef POISE_FIELD_TABLE_H
#define POISE_FIELD_TABLE_H
#include "assembly/property_setting.h"
#include "gpu/kernel.h"

enum { FIELD_INTERVALS = 1024 };
struct field_table {
    const double *cubic;        /* [4 FIELD_INTERVALS] ascending powers of the position in the interval, 0 .. 1, then
                                   [FIELD_INTERVALS + 1] integrals up to the intervals' ends over their size; NULL:
                                   none */
    double low, per_interval;   /* start of the range; intervals per unit of the field */
};
/* Of scale times the property, which depends on a field, less `from`. */
struct field_table field_table_create(const struct property_setting *p, double scale, double from);
void field_table_free(struct field_table *t);
/* The cubic through f at 0, 1/4, 3/4, 1. */
void field_table_fit(const double f[4], double *cubic);

/* For kernel bodies.  The property at this value of the field; a NaN has that of the start. */
ON_DEVICE double field_table_at(const struct field_table *t, double x)
{
    double at = (x - t->low) * t->per_interval;
    at = at > 0 ? at < FIELD_INTERVALS ? at : (double)FIELD_INTERVALS : 0.0;
    int32_t i = (int32_t)at;
    i = i < FIELD_INTERVALS ? i : FIELD_INTERVALS - 1;
    const double *c = t->cubic + 4 * i;
    at -= i;
    return fma(fma(fma(c[3], at, c[2]), at, c[1]), at, c[0]);
}

/* Its derivative there, beyond an end of the range 0. */
ON_DEVICE double field_table_slope(const struct field_table *t, double x)
{
    double at = (x - t->low) * t->per_interval;
    if (!(at >= 0 && at <= FIELD_INTERVALS)) return 0;
    int32_t i = (int32_t)at;
    i = i < FIELD_INTERVALS ? i : FIELD_INTERVALS - 1;
    const double *c = t->cubic + 4 * i;
    at -= i;
    return t->per_interval * fma(fma(3 * c[3], at, 2 * c[2]), at, c[1]);
}

/* Its mean over the values between x and y, by Simpson's rule: exact up to a cubic property. */
ON_DEVICE double field_table_mean(const struct field_table *t, double x, double y)
{
    double ends = field_table_at(t, x) + field_table_at(t, y);
    return fma(4.0, field_table_at(t, 0.5 * (x + y)), ends) / 6;
}

/* Its integral from the start of the range, beyond an end with the property there. */
ON_DEVICE double field_table_integral(const struct field_table *t, double x)
{
    double at = (x - t->low) * t->per_interval, inside = at > 0 ? at < FIELD_INTERVALS ? at : (double)FIELD_INTERVALS
                                                                : 0.0;
    int32_t i = (int32_t)inside;
    i = i < FIELD_INTERVALS ? i : FIELD_INTERVALS - 1;
    const double *c = t->cubic + 4 * i;
    double beyond = (at - inside) * field_table_at(t, x);
    inside -= i;
    double part = inside * fma(fma(fma(c[3] / 4, inside, c[2] / 3), inside, c[1] / 2), inside, c[0]);
    return (t->cubic[4 * FIELD_INTERVALS + i] + (part + beyond)) / t->per_interval;
}

/* The interval of x; -1 and FIELD_INTERVALS: beyond the ends. */
ON_DEVICE int32_t field_table_interval(const struct field_table *t, double x)
{
    double at = (x - t->low) * t->per_interval;
    return at >= 0 ? at < FIELD_INTERVALS ? (int32_t)at : FIELD_INTERVALS : -1;
}

/* Its mean over the values between x and y: times y - x it is the difference of the integrals to rounding, which
 * Simpson's rule is within an interval only.  The quotient of differences that are nearly 0 would be noise. */
ON_DEVICE double field_table_exact_mean(const struct field_table *t, double x, double y)
{
    double apart = (y - x) * t->per_interval;
    if (field_table_interval(t, x) == field_table_interval(t, y) || (apart < 1e-6 && apart > -1e-6))
        return field_table_mean(t, x, y);
    return (field_table_integral(t, y) - field_table_integral(t, x)) / (y - x);
}

/* Where the integral has this value, of a property > 0. */
ON_DEVICE double field_table_where(const struct field_table *t, double integral)
{
    const double *before = t->cubic + 4 * FIELD_INTERVALS;
    double sum = integral * t->per_interval, s = 0;
    int32_t low = 0, high = FIELD_INTERVALS;
    if (!(sum > 0)) return t->low + integral / t->cubic[0];
    if (sum >= before[high]) {
        double end = t->low + FIELD_INTERVALS / t->per_interval;
        return end + (integral - before[high] / t->per_interval) / field_table_at(t, end);
    }
    while (high - low > 1) {
        int32_t middle = (low + high) / 2;
        if (sum >= before[middle]) low = middle;
        else high = middle;
    }
    const double *c = t->cubic + 4 * low;
    for (int k = 0; k < 6; k++) {                       /* the property varies little in an interval */
        double there = s * fma(fma(fma(c[3] / 4, s, c[2] / 3), s, c[1] / 2), s, c[0]);
        s += (sum - before[low] - there) / fma(fma(fma(c[3], s, c[2]), s, c[1]), s, c[0]);
        s = s > 0 ? s < 1 ? s : 1.0 : 0.0;
    }
    return t->low + (low + s) / t->per_interval;
}

struct field_table_args { struct field_table table; const double *x; double *to; };
KERNEL(field_table_values, struct field_table_args)     /* over anything: to = the property at x */
#endif
