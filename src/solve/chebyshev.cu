/* The kernel that computes the weights of Chebyshev's steps (sweep.h). */
#include "solve/sweep.h"

/* The weights of the steps x' = x + momentum (x - the x before) + length D^-1 (b - A x).  From zero the first x is a
 * multiple of D^-1 b and is not stored: its part goes into the weights of D^-1 b. */
INDEX_KERNEL(chebyshev_weigh, struct chebyshev_args)
{
    double theta = 0.5 * (*a->largest + *a->largest / a->ratio), delta = 0.5 * (*a->largest - *a->largest / a->ratio);
    double sigma = theta / delta, rho = 1 / sigma, momentum = 0, first = 1 / theta, length = first;
    struct sweep_weights *step = a->weight + i;
    if (!a->guess && a->degree == 1) *step = (struct sweep_weights){first, 0, 0, 0, 0};
    for (int32_t k = a->guess ? 0 : 1; k < a->degree; k++, step++) {
        if (k > 0) {
            double next = 1 / (2 * sigma - rho);
            momentum = next * rho;
            length = 2 * next / delta;
            rho = next;
        }
        struct sweep_weights w = {1 + momentum - length, length, -momentum, 0, length};
        if (k == 1 && !a->guess) w = (struct sweep_weights){fma(w.own, first, length), 0, 0, 0, length * first};
        if (k == 2 && !a->guess) w.right = fma(-momentum, first, length);
        *step = w;
    }
}
