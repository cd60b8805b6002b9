/* algebraic.h: the volume of second fluid through the faces by flux-corrected transport: no planes, only fractions.
 *
 * Low order: upwind.  High order: van Leer's value at the face, and a flux that compresses the interface,
 *   |u| n.S alpha (1 - alpha),  n = grad alpha / |grad alpha|,
 * as interFoam has it (Deshpande, Anumolu & Trujillo 2012, Comput. Sci. Discov. 5, 014016, eq. 6), but with the
 * larger of both cells' speeds in place of the speed through the face: on triangles, where faces lie along the flow,
 * the error of the vortex falls to a third.  The surplus, what this carries beyond upwind, is limited after Zalesak
 * (1979, J. Comput. Phys. 31, 335): no fraction leaves the range of itself and its neighbours before and after the
 * upwind step.  So it stays in [0, 1] as long as no cell's outflow in a step exceeds its volume.  What the limiter
 * holds back is offered to it again, twice.  docs/lab-notes.md has what was tried in its place. */
#ifndef POISE_ALGEBRAIC_H
#define POISE_ALGEBRAIC_H
#include "assembly/stencil.h"
#include "interface/geometry.h"

struct interface;

struct algebraic {                      /* work arrays; all NULL: not used */
    double *gradient;                   /* [dim pitch] of the fraction */
    double *boundary;                   /* [n_boundary] the cell's fraction */
    double *predicted;                  /* [pitch] fraction after the volumes that have been let through so far */
    double *gain, *loss;                /* [pitch] Zalesak's R+ and R- */
    double *surplus;                    /* [n_internal] volume that the limiter has not let through */
};

void algebraic_create(struct algebraic *a, const struct stencil *s);
void algebraic_free(struct algebraic *a);
/* Makes i->carried from i->fraction.  flux [n_faces]: VOLUME flux; u [dim pitch]. */
void algebraic_carry(struct interface *i, const double *flux, const double *u, double dt);

/* Kernels, private to algebraic.c and algebraic.cu. */
struct algebraic_args {
    struct geometry g;
    struct algebraic w;
    const double *flux, *u, *fraction, *inflow_fraction;
    double *carried;
    double dt;
};
KERNEL(carry_upwind, struct algebraic_args)             /* over faces: carried; at boundaries also `boundary` */
KERNEL(predict_fraction, struct algebraic_args)         /* over cells: predicted, from carried */
KERNEL(find_surplus, struct algebraic_args)             /* over internal faces */
KERNEL(limit_surplus, struct algebraic_args)            /* over cells: gain, loss */
KERNEL(carry_surplus, struct algebraic_args)            /* over internal faces: carried, surplus */
#endif
