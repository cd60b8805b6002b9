/* part.h: the part of a mesh that one of several ranks (gpu/ranks.h) works on: a struct mesh of its own cells and ghost
 * cells, copies of those cells of other ranks that any kernel reads.
 *
 * Own cells are a contiguous range of whole slices in the order of the whole mesh and come first; then padding, to
 * whole slices; then the ghosts: face neighbours (near), then cells farther away (far), then others that share vertices
 * with own cells or with their vertex neighbours (around), each in the order of the whole mesh.  So cell c is row c of
 * every matrix and vector of the rank (solve/pattern.h).  Faces are those of own cells, then those between near and far
 * ghosts, each in the order of the whole mesh, and the boundary faces of all cells in the part, in every patch those of
 * own cells first: so sums over a cell's faces have the same bits as with one rank.
 *
 * With solids n_fluid counts own cells of fluid, which come first, and contacts are those of active faces; a part of
 * the fluid (fluid.h) is cut separately, and its `conducting`, set by the caller, is the rank's part of the whole mesh.
 *
 * Far ghosts are the cells up to FAR_LAYERS layers from own ones, as needed by the fits for the velocity
 * (assembly/reconstruction.h); on regular meshes, where only boundary cells have such fits, counted from own boundary
 * cells.  Around are the cells used to fit an interface (interface/geometry.h), with two fluids. */
#ifndef POISE_PART_H
#define POISE_PART_H
#include "mesh/mesh.h"

enum { FAR_LAYERS = 4, INTERFACE_LAYERS = 2 };

struct mesh_part {
    const struct mesh *whole;
    int32_t first;              /* number of cell 0 in the whole mesh */
    int32_t n_near, n_far, n_copies;    /* all ghosts: these, and those around */
    int32_t *copy;              /* [n_copies] numbers of the ghosts in the whole mesh */
    int32_t *face;              /* [n_faces of the part] numbers of its faces in the whole mesh */
    int32_t *order;             /* [n_internal of the part] its internal faces in the order of the whole mesh */
    int32_t n_contacts;         /* contacts among its active faces, */
    int32_t *contact;           /* [n_contacts] and their numbers among those of the whole mesh */
};

/* Extracts this rank's part of a complete mesh, which is not changed and must outlive it; mesh_free() frees it.
 * vertex_layers: layers of cells that share a vertex, across periodic faces too: 0, or INTERFACE_LAYERS for two fluids.
 * Rejected: fewer slices than ranks. */
bool mesh_take_part(struct mesh *part, const struct mesh *whole, int vertex_layers, struct error *e);
/* The mesh of which this is a part, or the mesh itself. */
const struct mesh *mesh_whole(const struct mesh *m);
/* The number in the whole mesh of a cell of the part, -1 for padding. */
int32_t mesh_cell_in_whole(const struct mesh *m, int32_t cell);
/* For every boundary face of the whole mesh, from 0, its number among those of the part, -1 if it is not there; the
 * caller frees it. */
int32_t *mesh_boundary_here(const struct mesh *m);

/* Arrays with one number per cell, face, boundary face or contact of active faces, or other arrays. */
enum mesh_item { ITEM_CELLS, ITEM_FACES, ITEM_BOUNDARY, ITEM_CONTACTS, ITEM_NONE };
int64_t mesh_count(const struct mesh *m, enum mesh_item of);     /* in the whole mesh */
/* Gathers every rank's array of its part, with ghosts, into one of the whole mesh, on rank 0 alone; `to` may be NULL on
 * the others.  Called by all ranks together.  With one rank it is copied. */
void mesh_gather(const struct mesh *m, enum mesh_item of, const double *own, double *to);
/* Scatters an array of the whole mesh to this rank's part, with ghosts; the padding is unchanged.  The array is read in
 * ranges that begin and end with a needed element, of a few megabytes if those are scattered: read() fetches elements
 * first .. first + n - 1.  False: read() has returned false. */
typedef bool mesh_reader(void *context, int64_t first, int64_t n, double *to);
bool mesh_scatter(const struct mesh *m, enum mesh_item of, mesh_reader *read, void *context, double *to);
#endif
