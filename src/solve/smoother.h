/* smoother.h: two-stage Gauss-Seidel and Chebyshev as smoothers of a multigrid level, in single precision.  The two
 * halves of a smoother are adjoint to each other, so that applying one after the other is symmetric: Gauss-Seidel
 * sweeps forwards in one and backwards in the other; a Chebyshev polynomial is itself symmetric. */
#ifndef POISE_SMOOTHER_H
#define POISE_SMOOTHER_H
#include "solve/linear_setting.h"
#include "solve/aggregate.h"

enum smoother_half { SMOOTH_BEFORE, SMOOTH_AFTER };
struct level_smoother;
/* s->smoother: the kind; its settings are the same as for the preconditioner.  a must outlive it. */
struct level_smoother *smoother_create(const struct level_matrix *a, const struct linear_setting *s);
/* To be called whenever the matrix has received values, including the first ones.  Only launches kernels. */
void smoother_refresh(const struct level_smoother *m);
/* x = guess + M (b - A guess), or M b where guess is NULL; all [pitch], zero in the padding, x not guess.  Only
 * launches kernels. */
void smoother_apply(const struct level_smoother *m, enum smoother_half half, const float *b, const float *guess,
                    float *x);
void smoother_free(struct level_smoother *m);
#endif
