/* lane.h: for kernel bodies of the solvers. */
#ifndef POISE_LANE_H
#define POISE_LANE_H
#include <float.h>
#include <stdbool.h>
#include "gpu/kernel.h"

/* The row of a lane as a 64-bit index: cut to 32 bits, the compiler must assume that it wraps inside the warp, and on
 * the CPU reads row by row where it could read eight at once (measured: the whole product takes twice the time). */
#define ROW_OF(b, w, t) ((b) * SLICE + (w) * WARP + (t))

ON_DEVICE bool finite_number(double v) { return fabs(v) <= DBL_MAX; }
#endif
