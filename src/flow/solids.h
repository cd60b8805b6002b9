/* solids.h: the mesh of the temperature where solids conduct: fluid and solids together (mesh/fluid.h), with a stencil
 * of its own, properties of cells and faces, and what carries numbers between its faces and those of the flow.
 *
 * Properties are in units of the fluid's heat capacity per volume, rho c, as the temperature's diffusivity is. */
#ifndef POISE_SOLIDS_H
#define POISE_SOLIDS_H
#include "assembly/contact.h"

struct flow;
struct solids {
    const struct mesh *m;
    struct stencil s;
    struct contacts contacts;
    struct matrix structure;            /* of conduction alone, for multigrid */
    double contrast;                    /* of the materials: the largest ratio of capacities or conductivities */
    double *capacity;                   /* [pitch] rho c over that of the fluid */
    double *conductivity;               /* [pitch] over rho c of the fluid */
    double *diffusivity_faces;          /* [n_faces] */
    int32_t *from_face;                 /* [n_faces] the flow's face, -1: none, or a solid's surface */
    /* [n_boundary of the flow] the boundary face, or -1 - contact on the surface of a solid */
    int32_t *to_boundary;
};

/* NULL: the mesh m of the flow has no solids.  capacity, diffusivity: rho c of the fluid, and its conductivity over
 * that. */
struct solids *solids_create(struct flow *f, const struct mesh *m, double capacity, double diffusivity);
void solids_free(struct solids *k);
/* Assembles `structure`, when diffusivity_faces are those of the start. */
void solids_create_structure(struct solids *k);
/* The flow's flux at faces of this mesh: zero in solids. */
void solids_carry(const struct solids *k, const double *of_flow, double *flux);
/* At the n boundary faces of the flow: the values and rules at boundary faces of this mesh, and the temperatures of the
 * fluid at solids, as given values. */
void solids_to_boundary(const struct solids *k, const double *value, const uint8_t *rule, double *to,
                        uint8_t *to_rule, int32_t n);
/* Likewise inflow: `value` at boundary faces of this mesh, `heat` [contacts] at solids. */
void solids_flux_to_boundary(const struct solids *k, const double *value, const double *heat, double *to,
                             int32_t n);

/* Kernels. */
struct solids_carry_args { const int32_t *from; const double *of_flow; double *flux; };
KERNEL(solids_flux, struct solids_carry_args)           /* over faces */
struct solids_boundary_args {
    const int32_t *to_boundary;
    const double *value, *contact;
    const uint8_t *rule;        /* or NULL: without rules */
    double *to;
    uint8_t *to_rule;
};
KERNEL(solids_boundary, struct solids_boundary_args)    /* over boundary faces of the flow */
#endif
