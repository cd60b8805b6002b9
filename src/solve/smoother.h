/* smoother.h: two-stage Gauss-Seidel and Chebyshev as smoothers of a multigrid level, in single precision.  Its two
 * halves are adjoint to each other, so that smoothing by one and then by the other is symmetric: Gauss-Seidel sweeps
 * forwards in one, backwards in the other; a Chebyshev polynomial is symmetric itself. */
#ifndef POISE_SMOOTHER_H
#define POISE_SMOOTHER_H
#include "solve/linear_setting.h"
#include "solve/aggregate.h"

enum smoother_half { SMOOTH_BEFORE, SMOOTH_AFTER };
struct level_smoother;
/* s->smoother: which; its settings are those that it has as a preconditioner.  a must outlive it. */
struct level_smoother *smoother_create(const struct level_matrix *a, const struct linear_setting *s);
/* To be called when the matrix has got values, the first ones or new ones.  Launches only. */
void smoother_refresh(const struct level_smoother *m);
/* x = guess + M (b - A guess), or M b where guess is NULL; all [n_padded], zero in the padding, x not guess.  Launches
 * only. */
void smoother_apply(const struct level_smoother *m, enum smoother_half half, const float *b, const float *guess,
                    float *x);
void smoother_free(struct level_smoother *m);
#endif
