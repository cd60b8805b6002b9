/* chebyshev_kernels.h: private to chebyshev.c and chebyshev.cu. */
#ifndef POISE_CHEBYSHEV_KERNELS_H
#define POISE_CHEBYSHEV_KERNELS_H
#include "solve/sweep.h"

struct chebyshev_args {
    struct sweep_weights *weight;
    int32_t degree, guess;      /* the steps begin from a guess */
    const double *largest;      /* bound of the eigenvalues of D^-1 A */
    double ratio;
};
KERNEL(chebyshev_weigh, struct chebyshev_args)          /* over 1 */
#endif
