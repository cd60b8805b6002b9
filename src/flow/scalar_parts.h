/* scalar_parts.h: private to scalar.c, which creates scalars, scalar_fields.c and scalar_solve.c. */
#ifndef POISE_SCALAR_PARTS_H
#define POISE_SCALAR_PARTS_H
#include "flow/scalar.h"

/* Computes capacity and, unless NULL or of a temperature where one varies, diffusivities at faces, from a fraction of
 * the second fluid. */
void scalar_take_fluid(const struct scalar *q, const double *fraction, double *capacity, double *diffusivity_faces);
/* scalar_diffusivity.c: creates the state of a diffusivity that varies, after all but solids; adds its fields. */
bool scalar_create_diffusivity(struct scalar *q, const struct mesh *m, struct error *e);
void scalar_free_diffusivity(struct scalar *q);
/* After that, a number for all cells: the geometric mean of the extremes where it is an expression of the place. */
double scalar_typical_diffusivity(const struct scalar *q);
void scalar_diffusivity_fields(struct scalar *q, struct fields *list);
/* Before a solve, or output: diffusivities at faces, from the present values in cells and these at boundaries, or in a
 * time step from those at the time where the equation holds; then the exchange through walls.  step: NULL if steady, or
 * for output. */
void scalar_follow_diffusivity(const struct scalar *q, const double *value, const struct equation_time *step);
/* scalar_capacity.c: the temperature's heat capacity where it is an expression, after all but solids. */
bool scalar_create_capacity(struct scalar *q, const struct mesh *m, struct error *e);
/* Heat capacities between `old` and x, and the flux that carries heat, from temperatures at this part of the step and
 * the volume's flux; nothing where it does not depend on the temperature. */
void scalar_follow_capacity(const struct scalar *q, const double *flux, const double *old, double part);
/* Those of the extremes of its values beyond which no source and no given flux leads at present (struct bounds). */
int scalar_sides(const struct scalar *q);
/* The largest magnitude of the values given and at the start; 0 before scalars_begin(). */
double scalar_size_imposed(const struct scalar *q);
/* Includes the values given in the last step, and at its stages, in these extremes. */
void scalar_widen_imposed(struct scalar *q);
/* With these values at boundaries, transported by this flux. */
struct equation scalar_as_equation(const struct scalar *q, double *value, const double *flux);
/* Inflow through the boundary of its mesh, [n_boundary], with the values of the last fields_look(); *carrier: the flux
 * that carries it, [n_faces].  In memory that the next step overwrites first. */
double *scalar_through(const struct scalar *q, const double **carrier);
/* The scalars of each kind of equation: the temperature is one of its own, with memory of its own. */
struct scalar_settings scalars_passive(const struct flow_setting *c);
struct scalar_settings scalars_temperature(const struct flow_setting *c);
/* Those of struct equation_kind. */
void scalars_fields(void *state, const struct flow *f, struct fields *all);
void temperature_fields(void *state, const struct flow *f, struct fields *all);
double *scalars_iterate(void *state, double *residual);
void scalars_begin(void *state);
int scalars_ranges(void *state, struct equation_range *r);
bool scalars_advance(void *state, const struct equation_time *step, struct error *e);
#endif
