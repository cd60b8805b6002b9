/* viscosity_table.h: a viscosity law on the device, as cubics in the square of the shear rate.  The host samples the
 * law once; kernels read it with plain arithmetic, so that all devices have the same bits (exp() and pow() differ
 * between them).  Between two powers of 2 there are 64 equal intervals, each with the cubic through its ends and two
 * points inside.  The relative error is below 1e-9, except at kinks
 * of an expression.  Shear rates below 1e-12 have the viscosity of 1e-12, those above
 * 1e12 that of 1e12. */
#ifndef POISE_VISCOSITY_TABLE_H
#define POISE_VISCOSITY_TABLE_H
#include "assembly/viscosity_setting.h"
#include "gpu/kernel.h"

enum { TABLE_BITS = 6, TABLE_LOWEST = -80, TABLE_HIGHEST = 80,          /* powers of 2 of the squared shear rate */
       TABLE_INTERVALS = (TABLE_HIGHEST - TABLE_LOWEST) << TABLE_BITS };

struct viscosity_table {
    const double *cubic;        /* [4 TABLE_INTERVALS] ascending powers of the position in the interval, 0 .. 1; NULL:
                                   the viscosity is constant */
    double lowest, highest;     /* limits of the viscosity */
};

/* steepest: out, the largest d log viscosity / d log shear rate, at least 0. */
struct viscosity_table viscosity_table_create(const struct viscosity_setting *v, double *steepest);
void viscosity_table_free(struct viscosity_table *t);

/* For kernel bodies: the viscosity at this square of the shear rate.  The interval is the number's exponent with the
 * first bits of its fraction, the position its other bits.  A NaN is in the last interval. */
ON_DEVICE double viscosity_from(const struct viscosity_table *t, double square)
{
    const int rest = 52 - TABLE_BITS;
    union { double number; uint64_t bits; } s;
    s.number = square;
    int64_t i = (int64_t)(s.bits >> rest) - ((int64_t)(1023 + TABLE_LOWEST) << TABLE_BITS);
    double at = (double)(int64_t)(s.bits & ((UINT64_C(1) << rest) - 1)) * (1.0 / (double)(INT64_C(1) << rest));
    at = i < 0 ? 0.0 : i >= TABLE_INTERVALS ? 1.0 : at;
    i = i < 0 ? 0 : i >= TABLE_INTERVALS ? TABLE_INTERVALS - 1 : i;
    const double *c = t->cubic + 4 * i;
    double viscosity = fma(fma(fma(c[3], at, c[2]), at, c[1]), at, c[0]);
    viscosity = viscosity < t->lowest ? t->lowest : viscosity;
    return viscosity > t->highest ? t->highest : viscosity;
}
#endif
