/* part.h: the part of a mesh that one of several ranks (gpu/ranks.h) works on: a struct mesh of its own cells, with
 * copies of those cells of other ranks that anything is read from.
 *
 * Own cells are a run of whole slices in the order of the whole mesh and come first; then padding, to whole slices;
 * then copies of the neighbours over faces (near), then of cells farther away (far), then of further ones that share
 * vertices with own cells or with those that do (around), each in the order of the whole mesh.  So cell c is row c of
 * every matrix and vector of the rank (solve/pattern.h).  Faces are those of own cells, then those between near and far
 * copies, each in the order of the whole mesh, and the boundary faces of all cells that are here, every patch with the
 * faces of own cells first: sums over a cell's faces have the bits of one rank.
 *
 * Far are the cells up to FAR_LAYERS layers from own ones, as the fits for the velocity need them
 * (assembly/reconstruction.h); where the mesh is regular, so that only boundary cells have such fits, from own boundary
 * cells alone.  Around are the cells that an interface is fitted to (interface/geometry.h), where there is one. */
#ifndef POISE_PART_H
#define POISE_PART_H
#include "mesh/mesh.h"

enum { FAR_LAYERS = 4, INTERFACE_LAYERS = 2 };

struct mesh_part {
    const struct mesh *whole;
    int32_t first;              /* number of cell 0 there */
    int32_t n_near, n_far, n_copies;    /* all copies: these, and those around */
    int32_t *copy;              /* [n_copies] numbers of the copied cells there */
    int32_t *face;              /* [n_faces of the part] numbers of its faces there */
    int32_t *order;             /* [n_internal of the part] its internal faces as they come there */
};

/* This rank's part of a complete mesh, which is not changed and must outlive it; mesh_free() frees it.  vertex_layers:
 * of cells that share a vertex, through joints too: 0, or INTERFACE_LAYERS for two fluids.  Refused: fewer slices than
 * ranks. */
bool mesh_take_part(struct mesh *part, const struct mesh *whole, int vertex_layers, struct error *e);
/* The mesh that this is a part of, or this one. */
const struct mesh *mesh_whole(const struct mesh *m);
/* The number there of a cell of the part, -1 of its padding. */
int32_t mesh_cell_in_whole(const struct mesh *m, int32_t cell);
/* Of every boundary face of the whole mesh, from 0, its number among those of the part, -1 where it is not there; the
 * caller frees it. */
int32_t *mesh_boundary_here(const struct mesh *m);

/* Arrays with a number for every cell, face or boundary face, or for none of these. */
enum mesh_item { ITEM_CELLS, ITEM_FACES, ITEM_BOUNDARY, ITEM_NONE };
int64_t mesh_count(const struct mesh *m, enum mesh_item of);     /* in the whole mesh */
/* From every rank's array of its part, with copies, to one of the whole mesh, on rank 0 alone; `to` may be NULL on the
 * others.  All ranks together.  On one rank it is copied. */
void mesh_gather(const struct mesh *m, enum mesh_item of, const double *own, double *to);
/* From an array of the whole mesh to one of this rank's part, with copies; the padding stays.  The array is read in
 * ranges that begin and end with something that is wanted, of some megabytes where that is scattered: read() brings its
 * numbers first .. first + n - 1.  False: read() has returned false. */
typedef bool mesh_reader(void *context, int64_t first, int64_t n, double *to);
bool mesh_scatter(const struct mesh *m, enum mesh_item of, mesh_reader *read, void *context, double *to);
#endif
