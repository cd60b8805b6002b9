/* scalar_parts.h: private to scalar.c, which creates scalars and lists their fields, and scalar_solve.c. */
#ifndef POISE_SCALAR_PARTS_H
#define POISE_SCALAR_PARTS_H
#include "flow/scalar.h"

/* Computes capacity and, unless NULL, diffusivities at faces, from a fraction of the second fluid. */
void scalar_take_fluid(const struct scalar *q, const double *fraction, double *capacity, double *diffusivity_faces);
/* With these values at boundaries, transported by this flux. */
struct equation scalar_as_equation(const struct scalar *q, double *value, const double *flux);
/* Inflow through the boundary of its mesh, [n_boundary], with the values of the last fields_look(); *carrier: the flux
 * that carries it, [n_faces].  In memory that the next step overwrites first. */
double *scalar_through(const struct scalar *q, const double **carrier);
/* Those of struct equation_kind. */
double *scalars_iterate(void *state, double *residual);
void scalars_advance(void *state, const struct equation_time *step);
#endif
