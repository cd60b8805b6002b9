/* Two-stage Gauss-Seidel (Thomas et al. 2021, section 4, figure 1): sweeps whose triangular solve is replaced by n_j
 * inner sweeps of Jacobi-Richardson.  With P the triangle to be solved (L forwards, U backwards) and Q the other one:
 *
 *   inner sweeps for (D + omega P) g = r:   g = D^-1 r;  g = (1 - gamma) g + gamma D^-1 (r - omega P g), n_j times
 *   non-compact form (4.1):                 r = b - A x,                            x += omega g
 *   compact form (4.8):                     r = b - [Q + (1 - 1/omega) D] x,        x = omega g
 *
 * n_t n_k such sweeps forwards, or alternately forwards and backwards.  From zero, M is
 *   non-compact: symmetric, and positive definite if the sweeps converge;
 *   compact: symmetric and positive definite for every matrix with a positive diagonal and 0 < omega < 2, because the
 *     last backward sweep has one more inner sweep (as in the figure), damped by 1 / (2 - omega).  Then, with D = I,
 *     M = omega / (2 - omega) R' (I + K + K^2 ..) R with R = I + (1 - omega - omega L) G, G the inner sweeps forwards,
 *     K = (1 - omega - omega L) G G' (1 - omega - omega U).  The fixed point of further compact sweeps is not the
 *     solution (the paper sees them stagnate), so from a guess they work on its residual: x += M (b - A x). */
#include "solve/sweep.h"

struct plan {
    struct sweep_list *list;
    const struct linear_setting *setting;
};

/* The step factor [(1 - gamma) g + gamma (r - omega D^-1 P g)], with r already scaled by D^-1. */
static struct sweep_step inner_sweep(const struct plan *p, enum sweep_part part, struct scaled_vector g,
                                     struct scaled_vector r, double gamma, double factor)
{
    struct sweep_step s = sweep_begin(part, g, factor * gamma * p->setting->damping);
    sweep_term(&s, g, factor * (1 - gamma));
    sweep_term(&s, r, factor * gamma);
    return s;
}

/* result = x + omega (D + omega P)^-1 (b - A x), with the inverse by inner sweeps.  x is 0 if its buffer is absent. */
static void correct(const struct plan *p, enum sweep_part part, struct scaled_vector x)
{
    const struct linear_setting *set = p->setting;
    struct scaled_vector r = {SWEEP_SCALED, 1};
    if (x.buffer != SWEEP_ABSENT) {
        struct sweep_step s = sweep_begin(SWEEP_ALL, x, 1);
        sweep_term(&s, x, -1);
        sweep_term(&s, r, 1);
        r.buffer = SWEEP_OWN;
        sweep_add(p->list, s, r.buffer);
    }
    struct scaled_vector g = r;
    for (int j = 1; j < set->richardson_sweeps; j++) {
        struct sweep_step s = inner_sweep(p, part, g, r, set->inner_damping, 1);
        g.buffer = sweep_free_buffer(r.buffer, g.buffer, x.buffer);
        sweep_add(p->list, s, g.buffer);
    }
    struct sweep_step s = inner_sweep(p, part, g, r, set->inner_damping, set->damping);
    if (x.buffer != SWEEP_ABSENT) sweep_term(&s, x, 1);
    sweep_add(p->list, s, SWEEP_RESULT);
}

/* The non-compact form, with inner sweeps: each correction is computed in separate buffers and added to x at the
 * end. */
static void non_compact(const struct plan *p, int n, enum sweep_half half, bool guess)
{
    struct scaled_vector x = {guess ? SWEEP_GUESS : SWEEP_ABSENT, 1};
    for (int i = 0; i < n; i++) {
        correct(p, half == SWEEP_BACKWARD || (half == SWEEP_SYMMETRIC && i % 2) ? SWEEP_UPPER : SWEEP_LOWER, x);
        x.buffer = SWEEP_RESULT;
    }
}

/* One compact sweep: returns the new x from the old one (x.buffer absent: 0); b is scaled by D^-1.  last: the sweep's
 * last step writes the result and adds the guess, if there is one; if the method is symmetric it has one more inner
 * sweep. */
static struct scaled_vector solve(const struct plan *p, enum sweep_part part, struct scaled_vector x,
                                  struct scaled_vector b, bool last, bool symmetric, bool guess)
{
    double omega = p->setting->damping;
    struct scaled_vector r = b;
    if (x.buffer != SWEEP_ABSENT) {
        struct sweep_step s = sweep_begin(part == SWEEP_LOWER ? SWEEP_UPPER : SWEEP_LOWER, x, 1);
        sweep_term(&s, x, 1 / omega - 1);
        sweep_term(&s, b, 1);
        r = (struct scaled_vector){sweep_free_buffer(x.buffer, b.buffer, SWEEP_ABSENT), 1};
        sweep_add(p->list, s, r.buffer);
    }
    struct scaled_vector g = r;
    int n = p->setting->richardson_sweeps + (last && symmetric ? 1 : 0);
    for (int j = 1; j <= n; j++) {
        bool end = last && j == n;
        struct sweep_step s = inner_sweep(p, part, g, r, end && symmetric ? 1 / (2 - omega) : p->setting->inner_damping,
                                          end ? omega : 1);
        if (end && guess) sweep_term(&s, (struct scaled_vector){SWEEP_GUESS, 1}, 1);
        g.buffer = end ? SWEEP_RESULT : sweep_free_buffer(r.buffer, g.buffer, b.buffer);
        sweep_add(p->list, s, g.buffer);
    }
    if (last && n == 0) {
        struct sweep_step s = sweep_begin(SWEEP_NONE, g, 0);
        sweep_term(&s, g, omega);
        if (guess) sweep_term(&s, (struct scaled_vector){SWEEP_GUESS, 1}, 1);
        sweep_add(p->list, s, SWEEP_RESULT);
    }
    g.scale = omega;
    return g;
}

static void compact(const struct plan *p, int n, enum sweep_half half, bool guess)
{
    struct scaled_vector b = {SWEEP_SCALED, 1}, x = {SWEEP_ABSENT, 1};
    if (guess) {
        struct sweep_step s = sweep_begin(SWEEP_ALL, (struct scaled_vector){SWEEP_GUESS, 1}, 1);
        sweep_term(&s, (struct scaled_vector){SWEEP_GUESS, 1}, -1);
        sweep_term(&s, b, 1);
        b.buffer = SWEEP_OWN;
        sweep_add(p->list, s, b.buffer);
    }
    for (int i = 0; i < n; i++)
        x = solve(p, half == SWEEP_BACKWARD || (half == SWEEP_SYMMETRIC && i % 2) ? SWEEP_UPPER : SWEEP_LOWER, x, b,
                  i == n - 1, half == SWEEP_SYMMETRIC, guess);
}

void two_stage_steps(struct sweep_list *l, const struct linear_setting *s, enum sweep_half half, bool guess)
{
    const struct plan p = {l, s};
    int n = s->sweeps * s->local_sweeps * (half == SWEEP_SYMMETRIC ? 2 : 1);
    if (s->form == FORM_COMPACT) compact(&p, n, half, guess);
    else if (s->richardson_sweeps == 0) jacobi_richardson_steps(l, n, s->damping, guess);
    else non_compact(&p, n, half, guess);
}
