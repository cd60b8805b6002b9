/* flow.h: the common part of steady and transient flow: the fields, on the device, and their solvers. */
#ifndef POISE_FLOW_H
#define POISE_FLOW_H
#include "assembly/boundary.h"
#include "assembly/field.h"
#include "assembly/outlet_gate.h"
#include "assembly/outlet_head.h"
#include "assembly/passing.h"
#include "assembly/properties.h"
#include "assembly/reconstruction.h"
#include "assembly/residual.h"
#include "assembly/stencil.h"
#include "flow/drive.h"
#include "flow/flow_setting.h"
#include "base/error.h"
#include "flow/equation.h"
#include "flow/model.h"
#include "gpu/stopwatch.h"
#include "mesh/mesh.h"
#include "solve/solver.h"

enum phase { PHASE_MOMENTUM_ASSEMBLY, PHASE_MOMENTUM_SOLVE, PHASE_PRESSURE_ASSEMBLY, PHASE_PRESSURE_SOLVE,
             PHASE_CORRECTION, PHASE_INTERFACE, PHASE_EQUATIONS, N_PHASES };
extern const char *const phase_name[N_PHASES];

struct interface;
struct scalars;

struct flow {
    const struct flow_setting *c;
    struct fields fields;       /* those below and the algorithm's own; filled by the algorithm */
    struct stencil s;
    struct given_list given;    /* of the flow, the interface and the equations */
    double speed;               /* given, or caused by a difference of pressure within one part of the mesh: with
                                   expressions at the start and, if they contain the time, at samples of it */
    struct boundary b;
    struct outlet_gate gate;
    struct outlet_head head;
    struct passing_sums passing;
    struct reconstruction reconstruction;       /* of the velocity */
    struct matrix momentum, pressure;   /* with these values: */
    struct matrix values[2];    /* of both, or one each; see flow_create() */
    double *u;                  /* [dim pitch] */
    double *p;                  /* [pitch] pressure; transient: without the hydrostatic part, see interface/forces.h */
    double *flux;               /* [n_faces] volume flux, out of the owner */
    double *grad_p;             /* [dim pitch] */
    double *grad_u;             /* [dim dim pitch] or NULL: not needed so far */
    bool uses_gradient;         /* the algorithm needs grad_u; else boundary values do without it */
    double *source;             /* [dim pitch] force per volume, or NULL: allocated by its user, freed with the rest */
    double *sink;               /* [pitch] >= 0: sink u is a force per volume against u, implicit; likewise */
    const double *cell_force;   /* [dim pitch] further force on each cell, by models_add_forces(); or NULL */
    struct face_force face_force;       /* by flow_use_face_force(); recomputed by models_add_forces() */
    struct properties properties;       /* set by models */
    double *scratch;            /* for the gradients, or NULL */
    double *rhs;                /* [dim pitch] */
    double *work;               /* for the reconstruction, then for the velocity's solver */
    struct solver *velocity_solver;     /* by flow_create_velocity_solver(); NULL at first; freed with the rest */
    struct solver *pressure_solver;     /* two fluids: created by phases.h; NULL with algorithm advection */
    struct solver *coupled_solver;      /* for both at once, with algorithm coupled, which has no other solver */
    struct residual residual;
    double worst_residual;      /* simple, simplec: of velocity and pressure in this iteration; coupled: 0 */
    struct stopwatch watch;     /* times of the phases */
    double gravity[3];          /* fluid.gravity without its part along periodic directions: what the hydrostatic
                                   pressure balances */
    struct interface *interface;                /* of the model of two fluids, or NULL */
    struct drive *drive;        /* of the model of driven flows, or NULL */
    void *model[MOST_MODELS];                   /* see model.h */
    void *equation[MOST_EQUATIONS];             /* see equation.h */
    double acting_diffusivity;  /* of the scalar that acts on the flow; one that varies: a number from its range */
    struct scalars *passive;    /* one of them: those that are no temperature; NULL: the case has none */
    struct scalars *temperature;                /* one of them, see heat.h; NULL: the case has none */
};

/* Creates the boundary conditions of a case on its mesh.  Fails if boundary_create() or a model's check() does. */
bool flow_create_boundary(struct boundary *b, struct given_list *given, const struct flow_setting *c,
                          struct error *e);
/* Creates everything above except the velocity's solver and the equations, with the case's initial fields and their
 * flux.  Steady flow no longer needs the momentum matrix when it assembles the pressure's, so its two matrices share
 * their values; the correctors of transient flow need both.  Fails if boundary_create(), the pressure's solver or a
 * model does; nothing remains allocated then. */
bool flow_create(struct flow *f, const struct flow_setting *c, const struct mesh *m, struct error *e);
void flow_free(struct flow *f);
/* The pressure in cells at the start, in each connected part of the mesh: if the case gives none, halfway between the
 * lowest and the highest given at the part's boundaries, or 0.  That of another run's file has its hydrostatic part,
 * which is subtracted.  Steady flow adds a constant if all of it is above or below the pressures given at the part's
 * boundaries, since their difference would act as a jump. */
bool flow_start_pressure(struct flow *f, struct error *e);
/* Creates the velocity's solver, which uses f->work when it solves; before equations_create(), whose solvers are of the
 * same kind, and while f->pressure is the Laplacian, from which multigrid takes its structure.  False with a message:
 * its preconditioner cannot be created for this mesh. */
bool flow_create_velocity_solver(struct flow *f, struct error *e);
/* n numbers on the device for every cell, including padding. */
double *flow_cells(const struct flow *f, int components, const char *what);
/* For algorithms and models: enables the gradient of the velocity in every step; once, the array of forces at faces;
 * once, viscosity_faces, with the gradient that the stress needs. */
void flow_use_gradient(struct flow *f);
void flow_use_face_force(struct flow *f);
void flow_use_viscosity(struct flow *f);
/* Arguments of the kernels of boundary.h for the present fields. */
struct boundary_args flow_at_boundary(const struct flow *f);
/* Sets velocity and pressure of the backflow through outlets; mass, dt: as in boundary.h. */
void flow_back(struct flow *f, const double *flux_old, const double *mass, double dt);
/* Sets the level of the pressure in the assembled matrix f->pressure, where no boundary and no projection does. */
void flow_pin_pressure(struct flow *f);
/* Steady: again after a change of the flux, at inlets of total pressure. */
void flow_back_again(struct flow *f);
/* Shuts and opens outlets without backflow: at the start of an iteration; of a step, with the y of time_step.h; within
 * a step also with the coefficients of the equation for the pressure.  The others NULL.  A face that shuts keeps the
 * part `kept` of its flux_old [n_faces] (outlet_gate.h); steady: 0 of any. */
void flow_gate(struct flow *f, const double *flux_old, double kept, const double *step, double *coefficient);
/* Sums of the present flux at the boundaries, [N_PASSING] on the host; waits for the device.  Only where a pressure is
 * given at one. */
void flow_passing(struct flow *f, double *sum);
/* Memory for these, by flow_create() and flow_free(). */
void flow_create_outlets(struct flow *f);
void flow_free_outlets(struct flow *f);
/* Assembles the pressure's matrix with these coefficients at faces, [n_faces], and minus the net outflow of every cell,
 * [pitch], as its right-hand side f->rhs; flow_net_flux(): only the latter. */
void flow_assemble_pressure(struct flow *f, const double *coefficient);
void flow_net_flux(struct flow *f, double *net);
/* Reconstruct the present velocity (reconstruction.h): first in cells, with the gradient in f->grad_u; then at faces,
 * after which f->grad_u is the gradient chosen by the case. */
void flow_reconstruct(struct flow *f);
void flow_reconstruct_faces(struct flow *f, const struct reconstruction_fluid *fluid);
/* Before these: another velocity u [dim pitch] for convection: the case's gradient of it, [dim dim pitch], and `outlet`
 * of reconstruction.h, [dim n_boundary], NULL on regular meshes. */
void flow_reconstruct_convected(struct flow *f, const double *u, double *grad_u, double *outlet);
/* Adds the fields common to all algorithms to f->fields; needs only f->c and the sizes in f->s. */
void flow_fields(struct flow *f);
/* After a step of any algorithm u, p, flux, and the velocity at boundary faces are those at its end.  Derived fields
 * are updated on demand by these functions, since they would take 9 % of a time step; no step depends on them.  grad_u,
 * the case's gradient of the velocity, with the reconstruction's shear at walls. */
const double *flow_velocity_gradient(struct flow *f);
/* grad_p and the pressure at boundary faces. */
const double *flow_pressure_gradient(struct flow *f);
/* The field that the surface tension depends on, [pitch]; NULL: the surface tension is constant. */
const double *flow_tension_values(const struct flow *f);
/* Adds sign times the hydrostatic part of interface/forces.h, which the pressure solved for lacks, to the pressure p
 * [n_cells] on the host. */
void flow_add_hydrostatic(struct flow *f, const struct mesh *m, double sign, double *p);
/* The largest |u| of all cells. */
double flow_fastest(struct flow *f);
#endif
