/* solids.h: the mesh of the temperature where solids conduct: fluid and solids together (mesh/fluid.h), with a stencil
 * of its own, properties of cells and faces, and what carries numbers between it and the mesh of the flow.
 *
 * Properties are in units of the fluid's heat capacity per volume, rho c, as the temperature's diffusivity is. */
#ifndef POISE_SOLIDS_H
#define POISE_SOLIDS_H
#include "assembly/contact.h"
#include "flow/relay.h"

struct flow;
struct solids {
    const struct mesh *m;
    struct stencil s;
    struct contacts contacts;
    struct matrix structure;            /* of conduction alone, for multigrid */
    double contrast;                    /* of the materials: the largest ratio of capacities or conductivities */
    uint8_t *region;                    /* [pitch] of the mesh's regions, those from MOST_REGIONS on among the first */
    int n_regions;                      /* at most MOST_REGIONS */
    double *capacity;                   /* [pitch] rho c over that of the fluid */
    double *conductivity;               /* [pitch] over rho c of the fluid */
    double *diffusivity_faces;          /* [n_faces] */
    /* On several ranks this mesh and that of the flow are divided separately. */
    struct relay faces;                 /* of the flow: to this mesh, 0 in solids and at their surfaces */
    struct relay boundary;              /* boundary faces and contacts: to boundary faces of the flow */
    struct relay cells;                 /* of the fluid: to the flow; several ranks */
};

/* NULL: the mesh m of the flow has no solids.  capacity, diffusivity: rho c of the fluid, and its conductivity over
 * that. */
struct solids *solids_create(struct flow *f, const struct mesh *m, double capacity, double diffusivity);
void solids_free(struct solids *k);
/* Assembles `structure`, when diffusivity_faces are those of the start. */
void solids_create_structure(struct solids *k);
/* The flow's flux at faces of this mesh: zero in solids. */
void solids_carry(const struct solids *k, const double *of_flow, double *flux);
/* At the boundary faces of the flow: the values and rules at boundary faces of this mesh, and the temperatures of the
 * fluid at solids, as given values. */
void solids_to_boundary(const struct solids *k, const double *value, const uint8_t *rule, double *to,
                        uint8_t *to_rule);
/* Likewise inflow: `value` at boundary faces of this mesh, `heat` [contacts] at solids. */
void solids_flux_to_boundary(const struct solids *k, const double *value, const double *heat, double *to);
/* Several ranks: the values in cells of the flow. */
void solids_to_cells(const struct solids *k, const double *value, double *to);
#endif
