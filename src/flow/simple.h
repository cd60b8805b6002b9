/* simple.h: steady incompressible flow by SIMPLE (Patankar & Spalding 1972) or SIMPLEC (Van Doormaal & Raithby 1984).
 * Fields live on the machine; one matrix serves momentum and pressure in turn. */
#ifndef POISE_SIMPLE_H
#define POISE_SIMPLE_H
#include "assembly/boundary.h"
#include "assembly/residual.h"
#include "assembly/stencil.h"
#include "base/case.h"
#include "base/error.h"
#include "mesh/mesh.h"
#include "solve/linear.h"

enum phase { PHASE_MOMENTUM_ASSEMBLY, PHASE_MOMENTUM_SOLVE, PHASE_PRESSURE_ASSEMBLY, PHASE_PRESSURE_SOLVE, PHASE_CORRECTION, N_PHASES };
extern const char *const phase_name[N_PHASES];

struct simple {
    const struct case_settings *c;
    struct stencil s;
    struct boundary b;
    struct mod_sell a;          /* momentum, then pressure */
    /* state: what a checkpoint holds, with b.velocity and b.pressure */
    double *u;                  /* [dim n_padded] */
    double *p;                  /* [n_padded] */
    double *flux;               /* [n_faces] mass flux out of the owner */
    double *grad_p;             /* [dim n_padded] */
    double gross_flux;          /* sum of |flux| over the internal faces */
    /* work */
    double *source;             /* [dim n_padded] force per volume, or NULL: set by who needs it, freed with the rest */
    double *grad_u;             /* [dim dim n_padded] or NULL */
    double *grad_next, *scratch;
    double *rhs, *u_old;        /* [dim n_padded] */
    double *rhie, *correct;     /* [n_padded] see momentum.h */
    double *change;             /* [n_padded] p' */
    double *coefficient;        /* [n_faces] of the p' equation */
    double *cross;              /* [n_internal] non-orthogonal part of the corrector's flux, or NULL */
    double *change_boundary;    /* [n_boundary] p' at boundary faces, with cross */
    struct bicgstab *velocity_solver;
    struct cg *pressure_solver;
    struct residual velocity_residual, pressure_residual;
    double seconds[N_PHASES];
};

struct simple_report {          /* of one iteration */
    double velocity[3], pressure;       /* normalised residuals before the solves */
    double continuity;                  /* after the correction */
    struct linear_result velocity_solve, pressure_solve;        /* pressure: last corrector, iterations of all */
};

bool simple_create(struct simple *f, const struct case_settings *c, const struct mesh *m, struct error *e);
void simple_iterate(struct simple *f, struct simple_report *r);
/* The first half of the next iteration: solves momentum, assembles the pressure system into f->a and f->rhs.  The fields
 * are then between two iterations. */
void simple_assemble_pressure(struct simple *f);
/* Gradient of the velocity as it stands now, into f->grad_u (made if need be): for monitors and output. */
const double *simple_velocity_gradient(struct simple *f);
/* The largest |u| of all cells. */
double simple_fastest(struct simple *f);
void simple_free(struct simple *f);
#endif
