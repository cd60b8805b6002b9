/* fluid.h: the fluid cells of a mesh with solids, as a mesh of their own.
 *
 * mesh_complete() puts the cells of solid regions (mesh.solid) last, so cell c of the fluid is cell c of the whole
 * mesh, and all its vertices are those of the whole mesh.  Its internal faces join two fluid cells.  Its boundary faces
 * are those of fluid cells in every patch of the whole mesh, which may be none, followed by a patch for each solid that
 * touches the fluid, with the solid's name: the faces between the two.
 *
 * Of a mesh of solids alone it is a copy, divided among the ranks like that mesh: a flow in it must not be solved. */
#ifndef POISE_FLUID_H
#define POISE_FLUID_H
#include "mesh/mesh.h"

/* whole: complete, not a part; outlives the fluid, whose `conducting` it becomes.  Rejected: a solid named as a
 * boundary. */
bool mesh_take_fluid(struct mesh *fluid, const struct mesh *whole, struct error *e);
/* For each face of the fluid, its number in the whole mesh; the caller frees it. */
int32_t *mesh_fluid_faces(const struct mesh *fluid);
#endif
