/* The Courant numbers before the velocity began to grow. */
#include "run/growth.h"
#include <math.h>

void growth_add(struct growth *g, double courant, double interface_courant, double step)
{
    int64_t i = g->n++ % GROWTH_STEPS;
    g->rate[i] = courant / step, g->courant[i] = courant, g->interface_courant[i] = interface_courant;
}

static int64_t at_most(int64_t i, int64_t most) { return i < most ? i : most; }

void growth_before(const struct growth *g, double *courant, double *interface_courant)
{
    enum { BACK = 4, FIRST = 2 };                               /* a rate is compared with those of BACK steps before */
    int64_t oldest = g->n > GROWTH_STEPS ? g->n - GROWTH_STEPS : 0, i = g->n - 1;
    for (; i > oldest; i--) {
        double low = INFINITY;
        for (int64_t k = i - 1; k >= oldest && k >= i - BACK; k--) low = fmin(low, g->rate[k % GROWTH_STEPS]);
        if (g->rate[i % GROWTH_STEPS] <= 1.2 * low) break;      /* never true for a NaN */
    }
    if (i < FIRST) i = at_most(FIRST, g->n - 1);
    while (i > oldest && !isfinite(g->courant[i % GROWTH_STEPS])) i--;
    *courant = g->n ? g->courant[i % GROWTH_STEPS] : 0;
    *interface_courant = g->n ? g->interface_courant[i % GROWTH_STEPS] : 0;
}
