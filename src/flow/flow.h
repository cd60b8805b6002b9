/* flow.h: what steady and transient flow share: the fields, on the machine, and what solves for them. */
#ifndef POISE_FLOW_H
#define POISE_FLOW_H
#include "assembly/boundary.h"
#include "assembly/field.h"
#include "assembly/properties.h"
#include "assembly/reconstruction.h"
#include "assembly/residual.h"
#include "assembly/stencil.h"
#include "flow/flow_setting.h"
#include "base/error.h"
#include "flow/equation.h"
#include "flow/model.h"
#include "gpu/stopwatch.h"
#include "gpu/vector.h"
#include "mesh/mesh.h"
#include "solve/solver.h"

enum phase { PHASE_MOMENTUM_ASSEMBLY, PHASE_MOMENTUM_SOLVE, PHASE_PRESSURE_ASSEMBLY, PHASE_PRESSURE_SOLVE,
             PHASE_CORRECTION, PHASE_INTERFACE, PHASE_EQUATIONS, N_PHASES };
extern const char *const phase_name[N_PHASES];

struct interface;

struct flow {
    const struct flow_setting *c;
    struct fields fields;       /* those below and the algorithm's own; filled by the algorithm */
    struct stencil s;
    struct given_list given;    /* of the flow, the interface and the equations */
    struct boundary b;
    struct reconstruction reconstruction;       /* of the velocity */
    struct matrix momentum, pressure;   /* on these values: */
    struct matrix values[2];    /* of both, or one each; see flow_create() */
    double *u;                  /* [dim pitch] */
    double *p;                  /* [pitch] pressure; transient: less the fluids' weight, see interface/forces.h */
    double *flux;               /* [n_faces] of volume, out of the owner */
    double *grad_p;             /* [dim pitch] */
    double *grad_u;             /* [dim dim pitch] or NULL: nothing has needed it yet */
    bool uses_gradient;         /* the algorithm needs grad_u; else values at boundaries do without */
    double *source;             /* [dim pitch] force per volume, or NULL: set by who needs it, freed with the rest */
    double *sink;               /* [pitch] >= 0: times the velocity a force per volume against it, implicit; likewise */
    struct face_force face_force;       /* by flow_use_face_force(); made anew by models_act() */
    struct properties properties;       /* models fill them */
    double *scratch;            /* of the gradients, or NULL */
    double *rhs;                /* [dim pitch] */
    double *work;               /* of the reconstruction, then of the velocity's solver */
    struct solver *velocity_solver;     /* by flow_create_velocity_solver(); NULL at first; freed with the rest */
    struct solver *pressure_solver;     /* two fluids: made by phases.h; NULL with algorithm advection */
    struct solver *coupled_solver;      /* of both at once, with algorithm coupled, which has none of the others */
    struct residual residual;
    struct stopwatch watch;     /* of phases */
    struct interface *interface;                /* of the model of two fluids, or NULL */
    void *model[MOST_MODELS];                   /* see model.h */
    void *equation[MOST_EQUATIONS];             /* see equation.h */
};

/* The conditions of a case on its mesh.  Refused, beside what boundary_create() refuses: what a model's check()
 * refuses. */
bool flow_create_boundary(struct boundary *b, struct given_list *given, const struct flow_setting *c,
                          struct error *e);
/* Makes everything above but the velocity's solver and the equations, with the case's initial fields and the flux
 * that they make.  Steady flow has done with the momentum matrix before it assembles the pressure's, so its two
 * matrices share their values; in time the correctors need both.  Refused:
 * what boundary_create(), the pressure's solver or a model refuse; nothing is left then. */
bool flow_create(struct flow *f, const struct flow_setting *c, const struct mesh *m, struct error *e);
void flow_free(struct flow *f);
/* Makes the velocity's solver, which works in f->work when it solves; before equations_create(), whose solvers are of
 * the same kind, and while f->pressure is the Laplacian, from which multigrid has its structure.  False with a message:
 * its preconditioner cannot be had for this mesh. */
bool flow_create_velocity_solver(struct flow *f, struct error *e);
static inline void copy(double *to, const double *from, int64_t n)
{
    const struct combine_args a = {.x = to, .a = 1, .y = from, .b = 0, .z = from};
    combine(&a, n);
}
/* n numbers on the machine for every cell, padding too. */
double *flow_cells(const struct flow *f, int components, const char *what);
/* For algorithms and models: makes the gradient of the velocity a part of every step; the array of forces at faces,
 * once; viscosity_faces, with the gradient that the stress needs. */
void flow_use_gradient(struct flow *f);
void flow_use_face_force(struct flow *f);
void flow_use_viscosity(struct flow *f);
/* What the kernels of boundary.h need, of the fields as they stand now. */
struct boundary_args flow_at_boundary(const struct flow *f);
/* The velocity and the pressure of what flows in through outlets; mass, dt: as in boundary.h. */
void flow_back(struct flow *f, const double *flux_old, const double *mass, double dt);
/* The pressure's matrix with these coefficients at faces, [n_faces], and minus the net outflow of every cell, [pitch]:
 * into f->rhs, its right-hand side; alone. */
void flow_assemble_pressure(struct flow *f, const double *coefficient);
void flow_net_flux(struct flow *f, double *net);
/* Reconstruct the velocity as it stands now (reconstruction.h): first its cells, with the gradient in f->grad_u;
 * then its faces, after which f->grad_u is the gradient that the case asks for. */
void flow_reconstruct(struct flow *f);
void flow_reconstruct_faces(struct flow *f, const struct reconstruction_fluid *fluid);
/* Adds the fields that every algorithm has to f->fields; needs f->c and the sizes in f->s alone. */
void flow_fields(struct flow *f);
/* After a step of any algorithm u, p, flux, and the velocity at boundary faces are those at its end.  What follows from
 * them is brought up to date by these for whoever reads it, since 9 % of a step in time would be spent on it; no step
 * begins with it.  grad_u, the case's gradient of the velocity, with the reconstruction's shear at walls. */
const double *flow_velocity_gradient(struct flow *f);
/* grad_p and the pressure at boundary faces. */
const double *flow_pressure_gradient(struct flow *f);
/* The largest |u| of all cells. */
double flow_fastest(struct flow *f);
#endif
