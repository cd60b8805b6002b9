/* Chebyshev polynomials in D^-1 A (Saad 2003, Iterative methods for sparse linear systems, algorithm 12.1): the
 * residual polynomial is the smallest on [largest / ratio, largest] among those of its degree that are 1 at 0.
 * `largest` is Gershgorin's bound of the eigenvalues of D^-1 A, computed from the values on the device: at most 2 for a
 * Laplacian, and always a bound, so M is symmetric positive definite.  Degree n reads the matrix n - 1 times from zero,
 * n times from a guess. */
#include "solve/sweep.h"
#include "solve/sweep_kernels.h"

void chebyshev_steps(struct sweep_list *l, int degree, bool guess)
{
    struct scaled_vector x = {guess ? SWEEP_GUESS : SWEEP_SCALED, 1}, before = {SWEEP_ABSENT, 1};
    if (!guess && degree == 1) sweep_add(l, sweep_begin(SWEEP_NONE, x, 0), SWEEP_RESULT);
    for (int k = guess ? 0 : 1; k < degree; k++) {
        struct sweep_step s = sweep_begin(SWEEP_ALL, x, 1);
        sweep_term(&s, (struct scaled_vector){SWEEP_SCALED, 1}, 1);
        if (before.buffer != SWEEP_ABSENT) sweep_term(&s, before, 1);
        before = x;
        x.buffer = (degree - k) % 2 ? SWEEP_RESULT : SWEEP_OWN;
        sweep_add(l, s, x.buffer);
    }
}

void chebyshev_weights(const struct sweeps *s, const struct sweep_list *l, const struct linear_setting *setting,
                       bool guess)
{
    struct sweep_bound_args bound = {s->p, s->val, s->inverse, s->sums};
    struct chebyshev_args c = {l->weight, setting->degree, guess, s->sums.total, setting->ratio};
    (s->single ? sweep_row_bound_float : sweep_row_bound_double)(&bound, s->p.n_slices);
    sums_finish_largest(&s->sums, 0, 1);
    chebyshev_weigh(&c, 1);
}
