/* The kernel that divides by the diagonal (diagonal_kernels.h). */
#include "solve/diagonal_kernels.h"

INDEX_KERNEL(diagonal_divide, struct diagonal_args) { a->z[i] = a->r[i] / a->weight[i]; }
