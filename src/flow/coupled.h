/* coupled.h: steady incompressible flow with velocity and pressure as the unknowns of one linear system, within an
 * iteration for all nonlinear and deferred terms (assembly/coupled_system.h has the equations).  Converged, it is the
 * solution of SIMPLE and SIMPLEC, whose fields and assembly it shares (flow/simple.h). */
#ifndef POISE_COUPLED_H
#define POISE_COUPLED_H
#include "flow/simple.h"

/* Its own data is w->coupled; called by simple_create(), simple_iterate() and simple_free(). */
bool coupled_create(struct simple *w, const struct mesh *m, struct error *e);
void coupled_free(struct coupled *c);
void coupled_iterate(struct simple *w, struct simple_report *r);
/* The first half of the next iteration: assembles its system. */
void coupled_assemble(struct simple *w);
/* That system: matrix, right-hand side [(dim + 1) pitch], and the unit of the pressure's change in it. */
const struct matrix *coupled_system(const struct simple *w, const double **rhs, double *unit);
#endif
