/* simple_parts.h: what SIMPLE, SIMPLEC and the coupled algorithm share of an iteration; private to simple.c and
 * coupled.c. */
#ifndef POISE_SIMPLE_PARTS_H
#define POISE_SIMPLE_PARTS_H
#include "flow/simple.h"

/* Flux by Rhie & Chow of v = u* - (1 - relaxation) u_old, and the coefficients of p'. */
void simple_face_flux(struct simple *w, const double *v, double relaxation);
/* The pressure's matrix and right-hand side from them, and its residual, likewise. */
void simple_assemble_pressure_matrix(struct simple *w);
/* The new pressure at boundaries; its gradient, into grad_next where there is one. */
void simple_follow_pressure(struct simple *w);
/* The new velocity at boundaries; where there is a grad_next it becomes the pressure's gradient. */
void simple_follow_velocity(struct simple *w);
/* What every iteration ends with: Anderson's step from what it has made, if the case wants it, after the further
 * equations where one of them acts on the flow; the error of continuity that is left, and the residuals. */
void simple_conclude(struct simple *w, struct simple_report *r, bool accelerate);
#endif
