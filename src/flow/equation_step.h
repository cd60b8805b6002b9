/* equation_step.h: one iteration or one time step of any quantity x transported by the flow:
 *
 *     capacity dx/dt + sum_f F (x_f - x_P) - sum_f D (grad x)_f . S = (source - sink x) V
 *
 * Steady: one solve, with Anderson acceleration if any.  Transient: two solves per step, bounded and of second order,
 * whose difference is limited (assembly/scalar_step.h); a sink is that of the first solve, by Euler's rule.  In stiff
 * equations the second solve has two stages of implicit Runge-Kutta instead of the midpoint rule: where steps are much
 * longer than conduction through a cell takes, as often in metal, the midpoint rule would let that oscillate.  Without
 * bounds, sinks and fixed cells the first solve is of the second's equation with upwind convection and the start's
 * corrections of diffusion, to a loose tolerance: the guess from which the scheme is corrected; stiff equations have
 * none.  With bounds they also have only the second solve, with corrections limited as in steady flow. */
#ifndef POISE_EQUATION_STEP_H
#define POISE_EQUATION_STEP_H
#include "assembly/contact.h"
#include "assembly/heat_capacity.h"
#include "assembly/scheme_setting.h"
#include "flow/flow.h"
#include "gpu/sums.h"
#include "solve/solver.h"

struct anderson;
struct equation {               /* all arrays belong to its owner */
    double *x;                  /* [pitch] */
    double *gradient;           /* [dim pitch] work array, also at the start of the next step */
    /* at boundaries, [n_boundary]; see struct face_values */
    uint8_t *rule;
    const uint8_t *entering;    /* 1: the rule follows the flux, and the inflow has the value `given` */
    double *value, *wall;
    const double *given, *through, *mixed;
    double given_lowest, given_highest;         /* extremes of the given values; 1 and -1 if there are none */
    double diffusivity;
    double *diffusivity_faces;  /* [n_faces] instead of diffusivity, or NULL */
    const struct contacts *contacts;    /* between solids and other materials, where F is 0; or NULL */
    const double *flux;         /* [n_faces] F; transient: of the whole step */
    bool conducts;              /* F is 0 everywhere: conduction alone */
    const double *capacity, *capacity_old;      /* [pitch] transient: at the end and at the start (the same array: it is
                                                   constant); NULL: 1 */
    double contrast;            /* with a constant capacity: the largest ratio of capacities or of diffusivities in two
                                   cells; 0: not known */
    /* With a heat capacity that depends on x `capacity` is its mean over the step, and `flux` F times its mean. */
    struct heat_laws heat;      /* law NULL: it does not */
    const double *volume_flux;  /* [n_faces] F itself */
    double size;                /* the largest magnitude of the values imposed */
    double reference;           /* in time: the level from which the amount is counted that is conserved */
    bool dissolved;             /* in one of two fluids: capacity is its part of the volume */
    const double *source, *sink;                /* [pitch] per volume, sink >= 0; NULL: none */
    const uint8_t *fixed;       /* [pitch] 1: x is prescribed in this cell and constant; NULL: none */
    enum convection convection;
    bool bounded;               /* no new extremes, except by sources */
    bool within;                /* x stays within `bounds`, but new extremes may arise between them */
    bool walled;                /* either of them: corrections to fluxes through walls respect the bounds */
    struct bounds bounds;       /* in steady flow the given values' extremes; in time those of x too */
    int sides;                  /* those of the extremes beyond which no source and no given flux leads */
    bool stiff;                 /* in time: steps are much longer than diffusion through a cell takes */
    bool varies_within;         /* in time: the matrix differs from stage to stage */
    struct anderson *anderson;  /* of a steady equation, or NULL */
    double *inflow;             /* [n_boundary] in time, without sink and fixed: out, the amount per time that enters in
                                   the step; or NULL */
};

struct equation_work {          /* memory that equations on the same cells share, one at a time */
    struct flow *f;
    const struct stencil *s;    /* of the equations' cells and faces: the flow's, or that of a mesh with solids */
    struct matrix a;            /* steady, on the flow's stencil: its momentum matrix; else one of its own: in time
                                   because the error of a step and --write-momentum need the flow's after the step */
    double *rhs;                /* [pitch]; on the flow's stencil that of the flow */
    const uint8_t *region;      /* of `own`, set before equation_work_create(), as n_regions */
    int n_regions;
    struct residual *residual, own;     /* the flow's, or its own */
    struct solver *solver;
    double tolerance, absolute; /* its bounds */
    bool stiff;                 /* in time: steps are long compared with diffusion through a cell */
    bool unsolved;              /* in time: in this step a linear solver used up its iterations */
    double enough;              /* of stiff equations: the residual that suffices in this step; 0: not known yet */
    double first;               /* of stiff equations: the residual at the start of this step; 0: not known yet */
    double courant;             /* in time: the largest Courant number of a cell in this step */
    bool oblique;               /* in time: in this step corrections of diffusion did not converge */
    bool lagged;                /* likewise of the scheme: it was made with those of one pass */
    bool coarse;                /* of stiff equations: the last stage that failed left much of its residual */
    bool failed;                /* of stiff equations: the corrections of this step do not converge */
    struct anderson *anderson;  /* of a stage's corrections; NULL: not needed so far */
    double *tried, *best;       /* [pitch] with it: w before the last pass, and before the one of the least residual */
    double *correction;         /* [n_faces] */
    double *low, *w, *old, *lowest, *highest, *plus, *minus, *sum;      /* [pitch]; the last three are parts of: */
    double *smooth;             /* [3 pitch] a gradient */
    double *stage;              /* [pitch], on a stencil of its own, or if stiff */
    double *between;            /* [pitch] with two fluids in time: a capacity that changes, within the step */
    struct sums sums;
};
/* For equations on the stencil s, f->s or another, which outlives it.  structure: a matrix on it from which multigrid
 * takes its structure.  diffusion: in time, the largest diffusivity step / size^2 of cells of the mean size, which
 * chooses the solver.  across: that across the thinnest cells, which sets `stiff`.  bounded: one of the equations is.
 * False with a message: the solver's preconditioner cannot be created for this mesh; nothing remains allocated then. */
bool equation_work_create(struct equation_work *k, struct flow *f, const struct stencil *s,
                          const struct matrix *structure, double diffusion, double across, bool bounded,
                          struct error *e);
void equation_work_free(struct equation_work *k);

/* In time, before a step: the largest Courant number of a cell, into k->courant. */
void equation_courant(struct equation_work *k, const double *flux, const double *capacity, double dt);
/* dt: 0 in steady flow, where residual [1] is set to the one before the solve.  midpoint: in transient flow the
 * equation holds in the middle of the step. */
void equation_step(const struct equation *q, struct equation_work *k, double dt, bool midpoint, double *residual);
/* The time in a step, over its length, of the given values that the first stage of equation_first_stage() needs;
 * equation_step() then needs 1 - this times these and this times those at the end. */
#define EQUATION_STAGE 0.29289321881345247560
/* Of stiff equations with `midpoint`, before equation_step(): the first of the two stages. */
void equation_first_stage(const struct equation *q, struct equation_work *k, double dt);
/* Computes the gradient of x, and the values at boundaries and `wall`.  On irregular meshes and with contacts, gradient
 * and values depend on each other, so that both are computed twice, starting with the present values. */
void equation_gradient(const struct equation *q, const struct stencil *s, const double *x);
#endif
