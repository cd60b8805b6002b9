/* Jacobi-Richardson JR(n): x += omega D^-1 (b - A x), n times (Thomas et al. 2021, section 4: two-stage Gauss-Seidel
 * without inner sweeps; with omega = 1 the Jacobi smoother of Wikberg 2024, equation 4.1).  Reads the matrix n - 1
 * times from zero, n times from a guess.  M is symmetric; it is positive definite for odd n if the eigenvalues of D^-1
 * A are positive, for even n if they are also below 2 / omega. */
#include "solve/sweep.h"

void jacobi_richardson_steps(struct sweep_list *l, int n, double omega, bool guess)
{
    struct scaled_vector x = {guess ? SWEEP_GUESS : SWEEP_SCALED, guess ? 1 : omega};
    if (!guess && n == 1) {
        struct sweep_step s = sweep_begin(SWEEP_NONE, x, 0);
        sweep_term(&s, x, 1);
        sweep_add(l, s, SWEEP_RESULT);
    }
    for (int k = guess ? 0 : 1; k < n; k++) {
        struct sweep_step s = sweep_begin(SWEEP_ALL, x, omega);
        sweep_term(&s, x, 1 - omega);
        sweep_term(&s, (struct scaled_vector){SWEEP_SCALED, 1}, omega);
        x = (struct scaled_vector){(n - k) % 2 ? SWEEP_RESULT : SWEEP_OWN, 1};
        sweep_add(l, s, x.buffer);
    }
}
