/* boundary.h: boundary conditions of the flow as rules (boundary_kinds.h) and values at boundary faces, stored on the
 * device.  Periodic boundaries are already internal faces here (mesh.h). */
#ifndef POISE_BOUNDARY_H
#define POISE_BOUNDARY_H
#include "assembly/boundary_setting.h"
#include "assembly/face_force.h"
#include "assembly/given.h"
#include "assembly/stencil.h"
#include "assembly/transport.h"
#include "base/error.h"

struct reconstruction;

/* Where the given pressure is the total one: nowhere; where fluid enters, through an outlet or an inlet, along the
 * normal; or the mean one of what leaves (outlet_head.h). */
enum head_rule { HEAD_NONE, HEAD_BACKFLOW, HEAD_INLET, HEAD_MEAN };

struct boundary {
    uint8_t *velocity_rule, *pressure_rule;     /* [n_boundary] enum face_rule */
    uint8_t *flux_rule;         /* [n_boundary] enum flux_rule */
    const uint8_t *gate;        /* [n_boundary] 1: an outlet's face with BACKFLOW_NONE (outlet_gate.h); NULL: none */
    double *shut;               /* [n_boundary] 1: the gate is shut now; NULL likewise */
    const uint8_t *total;       /* [n_boundary] enum head_rule */
    double *velocity;           /* [dim n_boundary] */
    double *spin;               /* [3 n_boundary] angular velocity of rotating walls, else 0; NULL: none rotates */
    double *pressure;           /* [n_boundary] */
    double *given_pressure;     /* [n_boundary] at outlets, from the case */
    const int32_t *mean;        /* [n_boundary] HEAD_MEAN: the outlet, from 1 to n_mean; else 0; NULL: there is none */
    int n_mean;
    double *head;               /* [n_boundary] given_pressure - pressure: the dynamic pressure, by `total` */
    double *stiffness;          /* [n_boundary] >= 0: derivative of the pressure by the volume flux F out of the domain,
                                   in the equations of steady flow; 0 unless HEAD_INLET */
    bool stiff;                 /* some face has HEAD_INLET */
    /* That the given pressures can cause, sqrt(2 difference / density) within one part, set by the flow: the largest;
     * [n_boundary] at each face, NULL unless `stiff`. */
    double speed;
    const double *own_speed;
    double *entering;           /* [dim n_boundary] velocity of that backflow */
    int closed;                 /* the mesh is in one part, and no boundary gives the pressure: it is known up to a
                                   constant, which solvers project out */
    struct boundary_parts *parts;       /* the separate parts of the mesh (boundary_parts.h) */
    /* In a mesh of separate parts: the first cell, in the file's order, of each part where no boundary gives the
     * pressure; it keeps the initial pressure, within the tolerance of the solves. */
    int32_t n_pins;             /* of this rank */
    const int32_t *pin;         /* [n_pins] */
    /* Boundary cells whose pressure is extrapolated to all of their boundary faces ("wall cells"), with a least-squares
     * gradient over two layers of neighbours. */
    int32_t n_wall_cells;
    const int32_t *wall_cell;           /* [n_wall_cells] positions in the stencil's list of boundary cells */
    const int32_t *wall_start;          /* [n_wall_cells + 1] */
    const int32_t *wall_neighbour;      /* [wall_start[n_wall_cells]] */
    const double *wall_coefficient;     /* [dim wall_start[n_wall_cells]] gradient = sum of these times (x_N - x_P) */
    /* The force's part in x_N - x_P, on average over all shortest paths to N: the integral of a force that has no
     * potential, such as buoyancy, depends on the path, and one of them would depend on the numbering of the cells. */
    const int32_t *wall_force_start;    /* [n_wall_cells + 1] */
    const int32_t *wall_face;           /* [wall_force_start[n_wall_cells]] faces of the paths */
    const double *wall_force;           /* [dim wall_force_start[n_wall_cells]] gradient = sum of these times the steps
                                           of the force, from owner to neighbour */
    int32_t n_steep;            /* boundary cells of all ranks that are not wall cells because they are steep, see
                                   mesh_steep() */
};

/* Adds the values that the case gives to the list `given`, and uses its mesh.  start_velocity, start_pressure: boundary
 * values where the conditions give none.  Rejects walls that move along their normal, and inflow that does not sum to
 * zero in a part of the mesh where no boundary gives the pressure.  Messages name the case's file and line. */
bool boundary_create(struct boundary *b, struct given_list *given, const struct boundary_settings *all,
                     const double start_velocity[3], double start_pressure, struct error *e);
void boundary_free(struct boundary *b);
/* Warns if boundary k of these is valid but likely a mistake: an inlet with outflow on all faces, although there is an
 * outlet.  (Without an outlet, some inlets must let fluid out.)  True: text contains the warning. */
enum { WARNING_LENGTH = 600 };
bool boundary_warning(const struct boundary *b, const struct given_list *given, const struct boundary_settings *all,
                      int k, char text[WARNING_LENGTH]);
/* Checks the given fluxes, separately for each part of the mesh.  Without an outlet, the net flux through all inlets
 * must be zero.  With one, the inlets' net flux must not be outward, because the difference would have to enter through
 * the outlet; unless it varies in time. */
bool boundary_check_balance(const struct boundary *b, const struct given_list *given,
                            const struct boundary_settings *all, struct error *e);

/* The velocity at boundary faces for its transport equation, with the shear at walls of reconstruction.h. extrapolated:
 * convection through outlets uses the velocity reconstructed at the face; else the cell's. */
struct face_values boundary_of_velocity(const struct boundary *b, const struct reconstruction *r, bool extrapolated);

/* Boundary values that depend on the cells: velocity where it is not given, pressure where it is extrapolated.  The
 * pressure is extrapolated minus the face force, so that a pressure that balances the force in the cells balances it at
 * the boundary too. */
struct boundary_args {
    struct stencil s;
    struct boundary b;
    const double *u, *p, *grad_p;       /* grad_p: minus the force */
    struct face_force force;
    const double *grad_u;       /* [dim dim pitch], or NULL: taken as 0 along the face */
};
KERNEL(boundary_velocity, struct boundary_args)         /* over n_boundary */
KERNEL(boundary_pressure, struct boundary_args)         /* over n_boundary */

/* At outlets the velocity changes by u - from of the cell. */
struct outlet_change_args {
    struct stencil s;
    struct boundary b;
    const double *u, *from;             /* [dim pitch] */
};
KERNEL(outlet_change, struct outlet_change_args)        /* over n_boundary */

/* The same extrapolation in wall cells, with a gradient over two layers of neighbours: the cell's own gradient depends
 * on the very boundary values to be computed, and a cell at a wall has few other neighbours (a triangle has two).
 * After boundary_pressure. */
KERNEL(wall_pressure, struct boundary_args)             /* over n_wall_cells */

/* BACKFLOW_TOTAL: fluid that enters through an outlet comes from rest at the given pressure P, so that
 *     u_f = F n / |S|,   p_f = P - q,   q = 1/2 rho (F / |S|)^2,   F: volume flux.
 * Both are explicit.  In unsteady flow, F is therefore that of the last step plus 1 / (1 + 2 C) of its change to this
 * step's guess, and q is under-relaxed by the same factor.  C is the volume through the face in a step over the cell's
 * volume: so the error is of second order in the step, and large steps are stable (docs/explanation/numerics.md,
 * "Backflow").
 * In steady flow dt is 0, and the factor 1.  There inlets of total pressure, which drive the flow, are implicit:
 * `stiffness` is rho max(|F| / |S|, own_speed) / |S|, where own_speed bounds the flow that starts from rest. */
struct backflow_args {
    struct stencil s;
    struct boundary b;          /* out: pressure, entering; with HEAD_INLET velocity; in and out: head */
    const double *flux, *flux_old;      /* [n_faces] this step's guess; the last step's */
    const double *mass;         /* [n_faces] this step's guess of rho F of a mixture, or NULL */
    double dt, density;         /* of one fluid */
    const double *inertia;      /* [pitch] density of a mixture, or NULL */
    const double *u;            /* [dim pitch] */
    const double *given;        /* [n_boundary] P; NULL: boundary.pressure contains it */
    int64_t inlets_only;        /* 1: only at faces with HEAD_INLET */
    const double *heads;        /* [2 n_mean] the sums of outlet_head.h */
};
KERNEL(outlet_backflow, struct backflow_args)           /* over n_boundary */

/* boundary_values.c, for boundary_create(): adds what the setting of one patch gives. */
bool boundary_give_values(struct boundary *b, struct given_list *given, const struct patch *patch,
                          const struct boundary_setting *set, struct error *e);
/* The largest velocity given at boundaries, by velocities, flow rates and rotations, on this rank alone; those that
 * contain the time: as given_largest(). */
double boundary_largest_speed(const struct mesh *m, const struct boundary_settings *all, double step);
/* wall_stencil.c, for boundary.c: builds the least-squares stencils of the wall cells once, on the host.  rule: of the
 * pressure, [n_boundary] on the host.  Excludes cells whose two layers do not span all directions and those of
 * mesh_steep(): with extrapolation from such neighbours, runs on flat tetrahedra of 80 degrees diverged, steady and
 * unsteady. */
void wall_stencil_create(struct boundary *b, const struct mesh *m, const uint8_t *rule);
#endif
