/* simple_parts.h: the parts of an iteration shared by SIMPLE, SIMPLEC and the coupled algorithm; private to simple.c
 * and coupled.c. */
#ifndef POISE_SIMPLE_PARTS_H
#define POISE_SIMPLE_PARTS_H
#include "flow/simple.h"

/* Rhie-Chow flux of v = u* - (1 - relaxation) u_old, and the coefficients of p'. */
void simple_face_flux(struct simple *w, const double *v, double relaxation);
/* Assembles the pressure's matrix and right-hand side from them, and its residual, likewise. */
void simple_assemble_pressure_matrix(struct simple *w);
/* Updates the pressure at boundaries and its gradient, into grad_next if allocated. */
void simple_follow_pressure(struct simple *w);
/* Updates the velocity at boundaries; grad_next, if allocated, becomes the pressure's gradient. */
void simple_follow_velocity(struct simple *w);
/* End of every iteration: Anderson's step, if the case uses it, after the additional equations if one of them acts on
 * the flow; the remaining continuity error, and the residuals. */
void simple_conclude(struct simple *w, struct simple_report *r, bool accelerate);
#endif
