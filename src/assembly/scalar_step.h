/* scalar_step.h: one step in time of a scalar x, by flux-corrected transport with implicit solutions (Kuzmin & Turek
 * 2002, J. Comput. Phys. 175, 525).  The transport equation is solved twice: `low`, with upwind convection and implicit
 * Euler, stays between the extremes of the previous x; w is second-order accurate, and is x at the time where its
 * equation holds, the end or the middle of the step.  x is low plus the difference between w's and low's fluxes through
 * the faces, as limited (limiter.h).  Without bounds there is no low, and x follows from w (flow/equation_step.h). */
#ifndef POISE_SCALAR_STEP_H
#define POISE_SCALAR_STEP_H
#include "assembly/heat_capacity.h"
#include "assembly/transport.h"
#include "gpu/sums.h"

struct scalar_step_args {
    struct stencil s;
    struct face_values boundary;
    double diffusivity;
    const double *diffusivity_faces;    /* [n_faces] instead of it, or NULL */
    const double *flux;         /* [n_faces] volume per time in this step */
    const double *w;            /* [pitch] */
    const double *old;          /* [pitch] x at the start of the step */
    double *low;                /* [pitch] */
    double *x;                  /* [pitch] out */
    const double *capacity, *capacity_old;      /* [pitch] at the end and at the start of the step; or NULL: 1 */
    /* With a heat capacity that depends on x the amount is the heat, and `flux` the volume's times its mean. */
    struct heat_laws heat;      /* law NULL: it does not */
    const double *volume_flux;  /* [n_faces] volume per time in this step */
    double reference;           /* the amount is counted from here, so that a net flux through the boundary, which is
                                   zero only to a tolerance, does not change a uniform x far from 0 */
    double *correction;         /* [n_faces] into the owner, amount per time */
    double *sum;                /* [pitch] amount per time that enters a cell through its faces */
    double *decrease;           /* [pitch] by how much sum falls per x */
    double w_per_x;             /* change of w, which is `low`, per change of x; 0: x does not follow from w alone */
    double *weight;             /* [pitch] capacity V / dt */
    double *inflow;             /* [n_boundary] out, of scalar_inflow: amount per time that enters; or NULL */
    const double *source;       /* [pitch] amount per volume and time, or NULL */
    double dt;
    const uint8_t *fixed;       /* [pitch] 1: x = low in the cell; or NULL */
    int bounded;                /* x must not leave the extremes of old and of the values given at boundaries on these
                                   sides (struct bounds): */
    double given_lowest, given_highest; /* extremes of the given values; 1 and -1 if there are none */
    const double *diag;         /* [pitch] of a matrix: of scalar_rounding */
    struct sums sums;
};
/* Lower bound of the volume fraction of a scalar's fluid in a cell: with 0 the diagonal of the matrix would have
 * zeros. */
#define SCALAR_LEAST 1e-13
/* What rounding leaves of an amount, over the part of SCALAR_GROSS that may be missing. */
#define SCALAR_NOISE 1e-8
enum { SCALAR_MISSING, SCALAR_ROOM, SCALAR_GROSS, SCALAR_SIZE, SCALAR_HIGHEST, SCALAR_LOWEST, SCALAR_COURANT,
       SCALAR_ROUNDING, N_SCALAR_SUMS };

KERNEL(scalar_courant, struct scalar_step_args)         /* over slices: SCALAR_COURANT, the largest Courant number of a
                                                           cell */
KERNEL(scalar_rounding, struct scalar_step_args)        /* over slices: SCALAR_ROUNDING, the sum of (diag old)^2 */
/* sums.h computes maxima of numbers >= 0 only: so extremes are stored as distances from -SIZE and from SIZE. */
KERNEL(scalar_size, struct scalar_step_args)            /* over slices: SCALAR_SIZE, the largest |x| of cells and given
                                                           values; infinite if one is not a number */
KERNEL(scalar_extremes, struct scalar_step_args)    /* over slices, after it: SIZE + the highest, SIZE - the lowest */
KERNEL(scalar_clip, struct scalar_step_args)            /* over n_cells: clips low, which can exceed the extremes by the
                                                           solver's tolerance */
/* correction += low's flux - w's; at boundary faces correction = that, with all of w's. */
KERNEL(scalar_beyond, struct scalar_step_args)          /* over internal faces */
KERNEL(scalar_beyond_boundary, struct scalar_step_args) /* over boundary faces */
/* In one of two fluids: no corrections next to cells cut by the interface, where gradients are meaningless. */
KERNEL(scalar_near_interface, struct scalar_step_args)  /* over internal faces: correction */
KERNEL(scalar_weight, struct scalar_step_args)          /* over n_cells */
KERNEL(scalar_update, struct scalar_step_args)          /* over n_cells: x = low + sum dt / (capacity V) */

/* Where the heat capacity depends on x: x for which the heat of the cell increases by capacity (x - old), which is what
 * enters it; by Newton's method, or if that fails in the table. */
KERNEL(scalar_settle_heat, struct scalar_step_args)     /* over n_cells */

/* Conservation to rounding.  The flux is divergence-free only to a tolerance, and the volume of two fluids is conserved
 * by small corrections in cut cells; both change the amount of a scalar slightly, as linear solvers do.  The difference
 * to the initial amount plus the inflow is distributed over the cells in proportion to (highest - x) (x - lowest),
 * which is zero where x is at an extreme.  Where x follows from w alone, w and so the inflow change with x, and x by as
 * much less: in long steps the inflow times dt is far larger than the amount, and its smallest error would move x by
 * any distance.  With a heat capacity that depends on x this is one iteration of Newton's method.  It is limited so
 * that x stays between the extremes even if a linear solver has failed. */
KERNEL(scalar_inflow, struct scalar_step_args)          /* over boundary cells: sum and decrease, zero before: of the
                                                           inflow through them */
KERNEL(scalar_missing, struct scalar_step_args)         /* over slices: SCALAR_MISSING, SCALAR_ROOM, and
                                                           SCALAR_GROSS, the magnitudes of what enters and is
                                                           stored, and SCALAR_NOISE of the amount */
KERNEL(scalar_spread, struct scalar_step_args)          /* over n_cells, after it: x, and w if it follows */
KERNEL(scalar_change, struct scalar_step_args)          /* over slices, sums of one number: the amount's increase in
                                                           the step, without sources */

/* For a scalar dissolved in one of two fluids: capacity, and the diffusivity at faces: the scalar's times the smaller
 * capacity of the face's cells, so that nothing diffuses out of the fluid. */
struct scalar_fluid_args {
    struct stencil s;
    double diffusivity;
    int second;                 /* the scalar is in the second fluid; else in the first */
    const double *fraction;     /* [pitch] of the second fluid */
    double *capacity;           /* [pitch] out: volume fraction of its fluid */
    double *diffusivity_faces;  /* [n_faces] out */
};
KERNEL(scalar_capacity, struct scalar_fluid_args)       /* over n_padded */
KERNEL(scalar_diffusivity, struct scalar_fluid_args)    /* over all faces, after it */
/* The temperature of two fluids: what carries it through boundary faces, the flux of the first fluid plus `ratio` times
 * that of the second, from the fraction of the cell or of the inflow. */
struct carried_heat_args {
    struct stencil s;
    double ratio;
    const double *flux;         /* [n_faces] volume */
    const double *fraction, *entering;  /* [pitch], [n_boundary] */
    double *carries;            /* [n_faces] out: at boundary faces */
};
KERNEL(carried_heat, struct carried_heat_args)          /* over boundary faces */
/* amount = capacity x, and back, where the capacity is not zero. */
struct scalar_amount_args { const double *capacity; double *x, *amount; };
KERNEL(scalar_to_amount, struct scalar_amount_args)     /* over n_cells */
KERNEL(scalar_from_amount, struct scalar_amount_args)   /* over n_cells */
/* Inflow through a boundary face has the value `given`, outflow the cell's; so at faces marked `entering` the rule is
 * RULE_VALUE or RULE_GRADIENT, depending on the direction of the flux. */
struct scalar_rules_args {
    int32_t n_internal;
    const uint8_t *entering;
    const double *given, *flux;
    uint8_t *rule;
    double *value;
};
KERNEL(scalar_rules, struct scalar_rules_args)          /* over boundary faces */
/* At the start the value at boundary faces where none is given is the cell's. */
struct scalar_start_args { struct stencil s; const uint8_t *rule; const double *x; double *value; };
KERNEL(scalar_start, struct scalar_start_args)          /* over boundary faces */
KERNEL(scalar_entering, struct scalar_rules_args)       /* over boundary faces: only value, with the present rules */
#endif
