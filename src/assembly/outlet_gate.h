/* outlet_gate.h: outlets that admit no backflow (BACKFLOW_NONE): where fluid would flow in, a face is shut, a wall
 * without friction, until the pressure inside drives fluid out again.
 *
 *     open:  p_f = P, F free;  shut: F = 0, p_f extrapolated;  F >= 0, p_f <= P, and one of them is an equality
 *
 * The set of shut faces is chosen once per iteration or step: an open face shuts if F < 0, a shut one opens if
 * p_f > P.  Where F is not that of the step's end (Crank-Nicolson), 0 stands for the F whose end is 0: kept F_old.
 * A face that is shut has the rules of a slip wall in the arrays of struct boundary, so that only the flux equation
 * (time_step.h) knows of gates.  If no face with a given pressure were left, all gates open: else the pressure would
 * have no level, and what flows in elsewhere no way out; within a step, where shut faces have no equation, all remain
 * as they are. */
#ifndef POISE_OUTLET_GATE_H
#define POISE_OUTLET_GATE_H
#include "assembly/boundary.h"
#include "assembly/properties.h"
#include "gpu/sums.h"

struct outlet_gate {
    double *want;               /* [n_boundary] 1: to be shut; NULL: no outlet has a gate */
    double *open;               /* [pitch] open faces of each cell */
    struct sums sums;
};

struct outlet_gate_args {
    struct stencil s;
    struct boundary b;          /* in and out: shut, and the rules of gates; out: pressure of open gates */
    struct outlet_gate g;
    double *flux;               /* [n_faces] F; out: kept flux_old at shut faces, unless */
    int carries;                /* F carries two fluids next, and must remain divergence-free */
    const double *flux_old;     /* [n_faces] at the start of the step, or flux */
    double kept;                /* of flux_old, in the flux of a face that shuts: the mean over the step of one that
                                   ends with 0; 0: of no step */
    const double *p, *step;     /* [pitch]; [n_faces] y of time_step.h; NULL: b.pressure contains p_f */
    struct properties properties;
    struct face_force force;
    const double *given;        /* [n_boundary] P; NULL: b.pressure contains it */
    double *coefficient;        /* [n_faces] within a step: of the equation for p, 0 at shut faces, and none opens; or
                                   NULL */
};
KERNEL(outlet_gate_choose, struct outlet_gate_args)     /* over n_boundary: want */
KERNEL(outlet_gate_count, struct outlet_gate_args)      /* over boundary cells, after it: open, which was 0 */
KERNEL(outlet_gate_set, struct outlet_gate_args)        /* over n_boundary, after the sum of open */
#endif
