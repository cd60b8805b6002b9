/* Preconditioner neumann (Gupta et al. 2011, section 3.3): M = K^T K, K = I - L + L^2 - .. the Neumann series of (I +
 * L)^-1 truncated after some terms, with L the strict lower triangle of A scaled to unit diagonal.  Without square
 * roots, with the triangles and the diagonal D of A itself:
 *     q = D^-1 r,  y = q - D^-1 L y (`terms` times from y = q),  z = y - D^-1 L^T z (likewise from z = y). */
#include "solve/sweep.h"

/* x = base - D^-1 P x, `terms` times from x = base. */
static struct scaled_vector series(struct sweep_list *l, enum sweep_part part, struct scaled_vector base, int terms,
                                   bool last)
{
    struct scaled_vector x = base;
    for (int k = 1; k <= terms; k++) {
        struct sweep_step s = sweep_begin(part, x, 1);
        sweep_term(&s, base, 1);
        x.buffer = last && k == terms ? SWEEP_RESULT : sweep_free_buffer(base.buffer, x.buffer, SWEEP_ABSENT);
        sweep_add(l, s, x.buffer);
    }
    return x;
}

/* terms 0: Jacobi. */
void neumann_steps(struct sweep_list *l, int terms)
{
    struct scaled_vector q = {SWEEP_SCALED, 1}, y = series(l, SWEEP_LOWER, q, terms, false);
    series(l, SWEEP_UPPER, y, terms, true);
    if (!terms) jacobi_richardson_steps(l, 1, 1, false);
}
