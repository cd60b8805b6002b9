/* finite.h: for kernel bodies: neither infinite nor not-a-number. */
#ifndef POISE_FINITE_H
#define POISE_FINITE_H
#include <float.h>
#include <stdbool.h>
#include "gpu/kernel.h"

ON_DEVICE bool finite_number(double v) { return fabs(v) <= DBL_MAX; }
#endif
