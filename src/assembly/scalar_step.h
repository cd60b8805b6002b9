/* scalar_step.h: one step in time of a scalar x, by flux-corrected transport with implicit solutions (Kuzmin & Turek
 * 2002, J. Comput. Phys. 175, 525).  The transport equation is solved twice: `low`, by upwind convection and Euler's
 * rule, stays between the extremes of what was there; w is of second order, and is x at the time where its equation
 * holds, the end or the middle of the step.  x is low and what w's fluxes through the faces have beyond low's: all
 * of it, or what the limiter leaves (limiter.h). */
#ifndef POISE_SCALAR_STEP_H
#define POISE_SCALAR_STEP_H
#include "assembly/transport.h"
#include "gpu/sums.h"

struct scalar_step_args {
    struct stencil s;
    struct face_values boundary;
    double diffusivity;
    const double *diffusivity_faces;    /* [n_faces] in its place, or NULL */
    const double *flux;         /* [n_faces] volume per time in this step */
    const double *w;            /* [pitch] */
    const double *old;          /* [pitch] x at the start of the step */
    double *low;                /* [pitch] */
    double *x;                  /* [pitch] out */
    const double *capacity, *capacity_old;      /* [pitch] at the end and at the start of the step; or NULL: 1 */
    double *correction;         /* [n_faces] into the owner, amount per time */
    double *sum;                /* [pitch] amount per time that the faces bring to a cell */
    double *weight;             /* [pitch] capacity V / dt */
    const double *source;       /* [pitch] amount per volume and time, or NULL */
    double dt;
    const uint8_t *fixed;       /* [pitch] 1: the cell keeps what low has; or NULL */
    int bounded;                /* x shall stay between the extremes of old and of the values given at boundaries: */
    double given_lowest, given_highest; /* extremes of the given values; 1 and -1 where there are none */
    struct sums sums;
};
/* Least part of a cell that a scalar's fluid has: with 0 the matrix would have zeros on its diagonal. */
#define SCALAR_LEAST 1e-13
enum { SCALAR_MISSING, SCALAR_ROOM, SCALAR_SIZE, SCALAR_HIGHEST, SCALAR_LOWEST, N_SCALAR_SUMS };

/* sums.h finds the largest of numbers >= 0 only: so extremes are kept as distances from -SIZE and from SIZE. */
KERNEL(scalar_size, struct scalar_step_args) /* over slices: SCALAR_SIZE, the largest |x| that there is or is given */
KERNEL(scalar_extremes, struct scalar_step_args)    /* over slices, after it: SIZE + the highest, SIZE - the lowest */
KERNEL(scalar_clip, struct scalar_step_args)            /* over n_cells: cuts off what of low is beyond the extremes,
                                                           by the solver's tolerance */
KERNEL(scalar_beyond, struct scalar_step_args)          /* over all faces: correction += low's flux - w's */
/* In one of two fluids: no corrections beside cells that the interface cuts, where gradients mean nothing. */
KERNEL(scalar_near_interface, struct scalar_step_args)  /* over internal faces: correction */
KERNEL(scalar_weight, struct scalar_step_args)          /* over n_cells */
KERNEL(scalar_update, struct scalar_step_args)          /* over n_cells: x = low + sum dt / (capacity V) */

/* Conservation to rounding.  The flux is free of divergence to a tolerance only, and the volume of two fluids is
 * kept by small amounts that cut cells are given; both change the amount of a scalar a little.  What is missing of
 * the amount that was there and that came in is spread over the cells in proportion to (highest - x) (x - lowest),
 * so that nothing is put where x is at an extreme; no more than leaves x between the extremes, should a linear
 * solver have failed. */
KERNEL(scalar_inflow, struct scalar_step_args) /* over boundary cells: sum, zero before, of what came in through them */
KERNEL(scalar_missing, struct scalar_step_args)         /* over slices: SCALAR_MISSING, SCALAR_ROOM */
KERNEL(scalar_spread, struct scalar_step_args)          /* over n_cells, after it */

/* For a scalar dissolved in one of two fluids: capacity, and the diffusivity at faces, which is that of the scalar
 * times the smaller capacity of the face's cells: nothing diffuses out of the fluid. */
struct scalar_fluid_args {
    struct stencil s;
    double diffusivity;
    int second;                 /* the fluid whose `fraction` it is; else the other one */
    const double *fraction;     /* [pitch] of the second fluid */
    double *capacity;           /* [pitch] out: part of the cell that is of its fluid */
    double *diffusivity_faces;  /* [n_faces] out */
};
KERNEL(scalar_capacity, struct scalar_fluid_args)       /* over n_padded */
KERNEL(scalar_diffusivity, struct scalar_fluid_args)    /* over all faces, after it */
/* amount = capacity x, and back, where there is any capacity. */
struct scalar_amount_args { const double *capacity; double *x, *amount; };
KERNEL(scalar_to_amount, struct scalar_amount_args)     /* over n_cells */
KERNEL(scalar_from_amount, struct scalar_amount_args)   /* over n_cells */
/* What flows in through a boundary face has the value `given`, what flows out has the cell's; so at faces that are
 * `entering` the rule is RULE_VALUE or RULE_GRADIENT by the direction of the flux. */
struct scalar_rules_args {
    int32_t n_internal;
    const uint8_t *entering;
    const double *given, *flux;
    uint8_t *rule;
    double *value;
};
KERNEL(scalar_rules, struct scalar_rules_args)          /* over boundary faces */
#endif
