/* both_precisions.h: includes BODY, a file of kernel bodies, once for each precision: `real` is the type, OF(name) is
 * name_double or name_float, FMA(a, b, c) is fma() of that type, REAL_KERNEL(OF(name), args, blocks) begins a
 * CROWDED_SLICE_KERNEL. */
#include "gpu/kernel.h"
#define REAL_KERNEL(name, args, blocks) CROWDED_SLICE_KERNEL(name, args, blocks)        /* OF() is expanded first */
#define real double
#define FMA fma
#define OF(name) name##_double
#include BODY
#undef real
#undef FMA
#undef OF
#define real float
#define FMA fmaf
#define OF(name) name##_float
#include BODY
#undef real
#undef FMA
#undef OF
