/* smoother.h: two-stage Gauss-Seidel and Chebyshev as smoothers of a multigrid level, in single precision.  Both halves
 * of a cycle are adjoint to each other, which leaves the cycle symmetric: sweeps forwards before the coarse levels,
 * backwards after them; a Chebyshev polynomial is symmetric itself. */
#ifndef POISE_SMOOTHER_H
#define POISE_SMOOTHER_H
#include "solve/linear_setting.h"
#include "solve/aggregate.h"

enum smoother_half { SMOOTH_BEFORE, SMOOTH_AFTER };
struct level_smoother;
/* s->smoother: which; its settings as where the method is the preconditioner.  a must outlive it. */
struct level_smoother *smoother_create(const struct level_matrix *a, const struct linear_setting *s);
/* The matrix has new values, or its first.  Launches only. */
void smoother_refresh(const struct level_smoother *m);
/* x = guess + M (b - A guess), or M b where guess is NULL; all [n_padded], zero in the padding, x not guess.  Launches
 * only. */
void smoother_apply(const struct level_smoother *m, enum smoother_half half, const float *b, const float *guess,
                    float *x);
void smoother_free(struct level_smoother *m);
#endif
