/* Kernel that scales a prescribed velocity with its factor in time (prescribed.h). */
#include "interface/prescribed.h"

INDEX_KERNEL(prescribed_scale, struct scale_args) { a->y[i] = a->factor * a->x[i]; }
