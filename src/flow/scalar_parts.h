/* scalar_parts.h: private to scalar.c, which makes scalars and lists their fields, and scalar_solve.c. */
#ifndef POISE_SCALAR_PARTS_H
#define POISE_SCALAR_PARTS_H
#include "flow/scalar.h"

/* Capacity and, unless NULL, diffusivities at faces, from a fraction of the second fluid. */
void scalar_take_fluid(const struct scalar *q, const double *fraction, double *capacity, double *diffusivity_faces);
/* The gradient of x, the values at boundaries and `wall`.  Gradient and values are each made with the other, so both
 * are made twice, beginning with the values as they were. */
void scalar_look_between(const struct scalar *q, const double *x, double *value, double diffusivity,
                         const double *diffusivity_faces);
/* Those of struct equation_kind. */
double *scalars_iterate(void *state, double *residual);
void scalars_advance(void *state, const struct equation_step *step);
#endif
