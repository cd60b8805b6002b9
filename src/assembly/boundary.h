/* boundary.h: boundary conditions of the flow as rules (boundary_kinds.h) and values at boundary faces, kept on the
 * machine.  Periodic boundaries are internal faces by then (mesh.h). */
#ifndef POISE_BOUNDARY_H
#define POISE_BOUNDARY_H
#include "assembly/boundary_setting.h"
#include "assembly/face_force.h"
#include "assembly/given.h"
#include "assembly/stencil.h"
#include "assembly/transport.h"
#include "base/error.h"

struct reconstruction;

struct boundary {
    const uint8_t *velocity_rule, *pressure_rule;       /* [n_boundary] enum face_rule */
    const uint8_t *flux_rule;   /* [n_boundary] enum flux_rule */
    const uint8_t *total;       /* [n_boundary] 1: an outlet's face with BACKFLOW_TOTAL */
    double *velocity;           /* [dim n_boundary] */
    double *pressure;           /* [n_boundary] */
    double *given_pressure;     /* [n_boundary] at outlets, as the case gives it */
    double *head;               /* [n_boundary] what it is less than that, by what flows in where `total` is 1 */
    double *entering;           /* [dim n_boundary] the velocity of that */
    int closed;                 /* nothing gives the pressure: it is known up to a constant */
    /* Wall cells: to all of their boundary faces the pressure is extrapolated, with a gradient by least squares over
     * two layers of neighbours. */
    int32_t n_wall_cells;
    const int32_t *wall_cell;           /* [n_wall_cells] positions in the stencil's list of boundary cells */
    const int32_t *wall_start;          /* [n_wall_cells + 1] */
    const int32_t *wall_neighbour;      /* [wall_start[n_wall_cells]] */
    const double *wall_coefficient;     /* [dim wall_start[n_wall_cells]] gradient = sum of these times (x_N - x_P) */
    const int32_t *wall_path;           /* [2 wall_start[n_wall_cells]] the one or two faces from the cell to that
                                           neighbour, first and second, as codes of the stencil's `face`; 0: none */
    int32_t n_steep;            /* boundary cells of all ranks that are no wall cells because they are steep, see
                                   mesh_steep() */
};

/* What the case gives goes into `given`, whose mesh it is about.  start_velocity, start_pressure: boundary values where
 * the conditions give none.  Refused: a wall that moves through itself, inflow that does not sum up to zero where
 * nothing gives the pressure.  Messages name the case's file and line. */
bool boundary_create(struct boundary *b, struct given_list *given, const struct boundary_settings *all,
                     const double start_velocity[3], double start_pressure, struct error *e);
void boundary_free(struct boundary *b);
/* A warning about what is allowed at boundary k of these but may be a mistake: an inlet that lets fluid out everywhere,
 * although there is an outlet.  (Without one, inlets must let out what others let in.)  True: text has the warning. */
enum { WARNING_LENGTH = 600 };
bool boundary_warning(const struct mesh *m, const struct boundary_settings *all, int k, char text[WARNING_LENGTH]);

/* The velocity at boundary faces, for its transport equation: shear at walls as reconstruction.h has it.
 * extrapolated: convection through outlets has the velocity at the face, which reconstruction.h makes, too; else the
 * cell's. */
struct face_values boundary_of_velocity(const struct boundary *b, const struct reconstruction *r, bool extrapolated);

/* Values that follow the cells: velocity where it is not given; pressure where it is extrapolated.  Extrapolated are
 * the pressure's differences less the force at faces: a pressure that balances the force in the cells balances it at
 * the boundary too. */
struct boundary_args {
    struct stencil s;
    struct boundary b;
    const double *u, *p, *grad_p;       /* grad_p: likewise less the force */
    struct face_force force;
    const double *grad_u;       /* [dim dim pitch], or NULL: it is 0 along the face */
};
KERNEL(boundary_velocity, struct boundary_args)         /* over n_boundary */
KERNEL(boundary_pressure, struct boundary_args)         /* over n_boundary */

/* The same extrapolation in the wall cells, with a gradient from two layers of neighbours: the cell's own gradient
 * is made with the very values that are wanted here, and a cell at a wall has few other neighbours (a triangle
 * two).  After boundary_pressure. */
KERNEL(wall_pressure, struct boundary_args)             /* over n_wall_cells */

/* BACKFLOW_TOTAL: what flows in through an outlet comes from rest at the given pressure P, so that
 *     u_f = F n / |S|,   p_f = P - q,   q = 1/2 rho (F / |S|)^2,   F: volume flux.
 * Both are explicit.  In time F is therefore that of the last step and, by a part of 1 / (1 + 2 C), of its change to
 * the guess of this step, and q moves by that part of the way to its new value.  C is what flows through the face in a
 * step, over what is in the cell: so the error is of second order in the step, and large steps are stable
 * (docs/explanation/numerics.md, "Backflow").
 * In steady flow dt is 0, and that part 1. */
struct backflow_args {
    struct stencil s;
    struct boundary b;          /* out: pressure, entering; in and out: head */
    const double *flux, *flux_old;      /* [n_faces] the guess and the last step's */
    const double *mass;         /* [n_faces] the guess of rho F of a mixture, or NULL */
    double dt, density;         /* of one fluid */
    const double *inertia;      /* [pitch] density of a mixture, or NULL */
    const double *given;        /* [n_boundary] P; NULL: it is in the boundary's pressure */
};
KERNEL(outlet_backflow, struct backflow_args)           /* over n_boundary */

/* wall_stencil.c, for boundary.c: the least-squares stencils of the wall cells, on the host once.  rule: of the
 * pressure, [n_boundary] on the host.  Left out are cells whose two layers do not span all directions and those of
 * mesh_steep(): what was extrapolated from such neighbours made flat tetrahedra of 80 degrees diverge, steady and in
 * time. */
void wall_stencil_create(struct boundary *b, const struct mesh *m, const uint8_t *rule);
#endif
