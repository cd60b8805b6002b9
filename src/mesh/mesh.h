/* mesh.h: an unstructured mesh of polygons (2-D, unit depth) or polyhedra (3-D), on the host.
 *
 * A 2-D cell is a cell of unit depth: its "volume" is its area, its faces are its edges, a face's "area" is the edge's
 * length.  Third components are zero.  2-D and 3-D go through the same code.
 *
 * Life: mesh_read_native() or mesh_box() fill the cells, vertices and boundary faces in the file's numbering;
 * mesh_complete() finds the faces, joins periodic boundaries, orders the cells and computes the geometry.
 * All arrays belong to the mesh. */
#ifndef POISE_MESH_H
#define POISE_MESH_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "base/order.h"
#include "mesh/mesh_setting.h"

struct patch {                  /* a named part of the boundary */
    char name[NAME_LENGTH];
    int32_t first, count;       /* faces first .. first+count-1 of the mesh (0 of them for a periodic patch) */
    int32_t copies;             /* in a rank's part: faces of other ranks' cells, which follow these; else 0 */
    char partner[NAME_LENGTH];  /* periodic partner from the mesh file, or "" */
};

struct mesh {
    int dim;                    /* 2 or 3 */
    char source[PATH_LENGTH];   /* for messages: the file or "box" */
    char key[256];              /* identifies the source of the native file (see poise-gmsh), or "" */
    char note[256];             /* changes and findings of mesh_complete() for the log, or "" */
    int32_t n_vertices, n_cells;
    double *vertex;             /* [3 n_vertices], x y z of vertex 0, then of vertex 1, ... */
    uint8_t *cell_type;         /* [n_cells] enum cell_type, for readers and writers (cell_shape.h) */
    int64_t *cell_start;        /* [n_cells + 1] */
    int32_t *cell_vertex;       /* [cell_start[n_cells]] */
    int32_t *cell_region;       /* [n_cells] index into region */
    char (*region)[NAME_LENGTH];
    int n_regions;

    int n_patches;
    struct patch *patch;
    /* Boundary faces as in the file; kept so that the mesh can be written again. */
    int32_t n_marked;
    int64_t *marked_start;      /* [n_marked + 1] */
    int32_t *marked_vertex;     /* [marked_start[n_marked]] in order around the face */
    int32_t *marked_patch;      /* [n_marked] */
    int32_t *marked_cell;       /* [n_marked] the cell that has the face, in the solver's order; by mesh_complete() */
    int32_t *marked_face;       /* [n_marked] its number, -1 if it is part of a periodic face; by mesh_complete() */

    /* ---- from here on: filled by mesh_complete(), cells in the solver's order */
    int32_t n_all;              /* length of arrays over cells, written [n_cells] here: n_cells, or more in a rank's
                                   part */
    struct mesh_part *part;     /* for a rank's part of a mesh (part.h); NULL: the whole mesh */
    struct mesh_map *map;       /* its arrays are in a file and read-only (shared.h); NULL: in memory */
    int32_t *cell_original;     /* [n_cells] number of this cell in the file */
    int32_t n_components;       /* see mesh_components() */
    bool *solid;                /* [n_regions] set before mesh_complete(): cells of these regions do not flow and come
                                   last; NULL: there are none */
    int32_t n_fluid;            /* the other cells, which come first; by mesh_complete() */
    int32_t n_contacts;         /* faces between a solid and another region; likewise */
    const struct mesh *conducting;      /* of the fluid of a mesh with solids: that mesh (fluid.h); else NULL */
    enum parts_by parts;        /* set before mesh_complete(): whether METIS divides the cells among the ranks */
    int32_t *cut;               /* [ranks + 1] first slice of each of METIS's parts; NULL: as ranks_cut() */
    int32_t n_faces, n_internal;        /* faces 0 .. n_internal-1 have two cells (periodic faces too), sorted by owner,
                                           then neighbour; owner < neighbour; then boundary faces by patch */
    int32_t n_active;           /* internal faces of the cells 0 .. n_cells-1, which come first: n_internal, or fewer in
                                   a rank's part */
    int32_t *face_owner;        /* [n_faces] */
    int32_t *face_neighbour;    /* [n_internal] */
    /* Faces own their vertices and cells their faces, in CSR (rings.h).  The vertices of face f are ring f, in order
     * around the face, with its normal out of the owner.  A periodic face j has a second ring, n_faces + j: the
     * vertices on the neighbour's side, with the normal out of the neighbour. */
    int64_t *face_start;        /* [n_faces + n_joints + 1] */
    int32_t *face_vertex;
    int64_t *cell_face_start;   /* [n_all + 1]; in a rank's part, without faces that are not there */
    int32_t *cell_face;         /* ring + 1, or -(ring + 1) if the cell sees the ring reversed */
    uint8_t *cell_face_first;   /* the vertex of the ring that comes first in the cell's own order */
    int32_t n_joints;           /* internal faces that are periodic */
    int32_t *joint_face;        /* [n_joints] */
    double *joint_shift;        /* [3 n_joints] from the owner's side of a periodic face to the neighbour's */
    /* Geometry; a vector array holds component k of face f at [k * n_faces + f], of cell c at [k * n_all + c]. */
    double *face_area;          /* [dim n_faces] area vector, out of the owner */
    double *face_d;             /* [dim n_faces] owner centre -> neighbour centre (periodic: its image); boundary: ->
                                   face centre */
    double *face_r;             /* [dim n_faces] owner centre -> face centre */
    double *cell_centre;        /* [dim n_cells] */
    double *cell_volume;        /* [n_cells] */
    bool orthogonal;            /* area parallel to d, within 1e-10, on every face */
    bool unskewed;              /* d passes through the face centre, within 1e-10 |d|, on every internal face */
};

struct mesh_quality {
    double non_orthogonality_max, non_orthogonality_mean;   /* degrees, internal faces */
    double skewness_max;        /* distance from face centre to the point where d meets the face, over |d| */
    double aspect_max;          /* longest over shortest extent of a cell: largest face or height over least height */
    double volume_min, volume_max, volume_total;
    int32_t worst_non_orthogonal, worst_skewed, worst_aspect;           /* cells, file numbering */
};

/* Adds a boundary face with these vertices, in order around it. */
void mesh_mark(struct mesh *m, int32_t patch, const int32_t *vertex, int n);
/* Reads the native mesh file (layout: docs/architecture.md).  False: missing, not a native mesh, or inconsistent. */
bool mesh_read_native(struct mesh *m, const char *path, struct error *e);
/* Writes it under a temporary name and renames it.  Cells are in the file's own numbering in any state of the mesh. */
bool mesh_write_native(const struct mesh *m, const char *path, struct error *e);
/* Built-in box: uniform, stretched or distorted quadrilaterals / hexahedra, patches left right bottom top (back front),
 * region "fluid".  Vertices on the boundary are not shifted.  The settings are checked before: < INT32_MAX vertices. */
void mesh_box(struct mesh *m, const struct box_setting *box);
/* The unit square or cube, from the command line: "box:NX,NY[,NZ]", or "distorted:NX,NY[,NZ]" with vertices shifted
 * by up to 0.3 of a cell.  False with a message. */
bool mesh_box_open(struct mesh *m, const char *text, struct error *e);
/* Finds faces, joins periodic patches (n_periodic pairs of patch indices: periodic[2k] with periodic[2k+1]), orders the
 * cells, computes the geometry, and checks: every boundary face in exactly one patch, no cell of negative or zero
 * volume, no vertex that no cell uses, no face of three cells.  A 2-D region whose cells are all clockwise is reversed,
 * with a remark in m->note.
 * The result does not depend on the number of OpenMP threads.  False: m is good for mesh_free() only. */
bool mesh_complete(struct mesh *m, enum ordering ordering, const int *periodic, int n_periodic, struct error *e);
/* Least and largest coordinates of the vertices, [dim]. */
void mesh_extent(const struct mesh *m, double *low, double *high);
/* Calls say("hexahedra", 12) for every shape of cells in the mesh. */
void mesh_count_shapes(const struct mesh *m, void (*say)(const char *plural, int32_t count));
void mesh_measure(const struct mesh *m, struct mesh_quality *q);
/* The edge of a square (2-D) or a cube of this volume; scales exactly by 2^k if the volume is scaled by 2^(dim k). */
double mesh_edge(double volume, int dim);
/* Moments of face f, with y relative to its centre.  moment: the mean of y_j y_k over the face, packed (xx xy yy xz yz
 * zz); bend: the integral of y_j dS_k, which is zero if the face is plane: then false is returned.  A polygon is
 * treated as triangles around the mean of its corners. */
bool mesh_face_moments(const struct mesh *m, int32_t f, double moment[6], double bend[3][3]);
/* Quick test: true if face f has three corners, or four that are exactly coplanar in floating point. */
bool mesh_face_is_flat(const struct mesh *m, int32_t f);
/* Slivers: cells in which the corrections for skewness, (gradient . s) S / V with s from the point where d meets a face
 * to the face's centre, could sum up to more than 8 times the gradient.  Returns their number; part, unless NULL:
 * [n_internal] the fraction of its s that each face may use: 1, or at faces of slivers as much less as limits that sum
 * to 8. */
int32_t mesh_slivers(const struct mesh *m, float *part);
/* Steep cells: boundary cells with an internal face whose non-orthogonality exceeds 70 degrees.  Returns their number;
 * steep, unless NULL: [n_all], true for these. */
int32_t mesh_steep(const struct mesh *m, bool *steep);
/* The same measures over only the cells with near[c] != 0 and their faces; near NULL: over all. */
void mesh_measure_near(const struct mesh *m, const uint8_t *near, struct mesh_quality *q);
/* The neighbours of all cells [n_all + 1] over internal faces, in CSR, each row in the order of its faces in the whole
 * mesh, and so of its columns (a column occurs twice if two faces join the same pair).  face: f + 1 if the row owns
 * face f, -(f + 1) if it is the neighbour; may be NULL.  The caller frees the arrays. */
void mesh_adjacency(const struct mesh *m, int64_t **start, int32_t **column, int32_t **face);
/* The cells 0 .. n_cells-1 that have a vertex, ascending, in CSR [n_vertices + 1].  The caller frees the arrays. */
void mesh_cells_of_vertices(const struct mesh *m, int32_t n_cells, int64_t **start, int32_t **cell);
/* Connected components: cells connected by internal or periodic faces, but not by a common edge or vertex.  Returns
 * their number; component: [n_cells], numbered in the order of their first cells in the file. */
int32_t mesh_components(const struct mesh *m, int32_t *component);
/* The mesh with the solids of which this is the fluid, or the mesh itself. */
static inline const struct mesh *mesh_with_solids(const struct mesh *m) { return m->conducting ? m->conducting : m; }
/* Whether internal face f joins a solid and another region: a contact.  They are numbered in the order of the faces. */
bool mesh_is_contact(const struct mesh *m, int32_t f);
/* The index of the region with this name; -1: none. */
int mesh_region(const struct mesh *m, const char *name);
void mesh_free(struct mesh *m);

/* The mesh requested by a case, transformed, not complete yet: box, .h5, a file of another program, or a file converted
 * by poise-gmsh.  The converted mesh is stored in `directory`, the case's output directory, and reused while source,
 * parameters and transform are unchanged; keep false: it is reused, but nothing is written there. */
bool mesh_of_setting(struct mesh *m, const struct mesh_setting *s, const char *directory, bool keep, struct error *e);
/* Whether a .geo may run commands and write files (--trust-geo) when one of these functions reads it; by default it may
 * not, and is rejected with file and line.  Only the user's command line may set it, never a case file. */
void mesh_trust_geo(bool trust);
/* Scales, rotates and shifts a mesh that is not complete yet.  False: the transform does not suit its dimension, or
 * vertices move too far. */
bool mesh_transform(struct mesh *m, const struct transform_setting *t, struct error *e);
/* The key of the transformed mesh, from that of its source; "" remains. */
void transform_key(char key[256], const struct transform_setting *t);
/* Converts the setting's file to a native mesh file; a native one only with a transform. */
bool mesh_convert(const struct mesh_setting *s, const char *out, struct error *e);
/* Any mesh file, or a box as for mesh_box_open(), complete, without a case: periodic patches remain boundaries. */
bool mesh_open(struct mesh *m, const char *path, enum ordering ordering, struct error *e);
/* The same for the setting's file, read according to the setting; file: may also be such a box. */
bool mesh_open_as(struct mesh *m, const struct mesh_setting *s, enum ordering ordering, struct error *e);

/* Orderings in addition to those of base/order.h.
 * order[k] = cell at position k.  centre: [dim n], component-major.  together: this many cells make a square or a cube
 * of a uniform grid, 1 or TETRAHEDRA_OF_CUBE; if they do not, the order is as good.  Adjacency in CSR without the
 * diagonal.
 * Hilbert curve: Skilling (2004), AIP Conf. Proc. 707, 381.  METIS: k-way parts of about part_rows cells (METIS keeps
 * them within 3 per cent, so parts do not begin at multiples of part_rows), one after another by METIS's part number,
 * cells inside a part in the given order. */
enum { TETRAHEDRA_OF_CUBE = 6 };
/* Is the cell a triangle (2-D) or a tetrahedron (3-D)? */
static inline bool mesh_cell_is_simplex(const struct mesh *m, int32_t cell)
{
    return m->cell_start[cell + 1] - m->cell_start[cell] == m->dim + 1;
}
/* Component k of a vector of face f, and of the face's centre as the owner sees it; the face's area. */
static inline double face_vector(const double *v, const struct mesh *m, int k, int32_t f)
{
    return v[(int64_t)k * m->n_faces + f];
}
static inline double face_centre(const struct mesh *m, int k, int32_t f)
{
    return m->cell_centre[(int64_t)k * m->n_all + m->face_owner[f]] + face_vector(m->face_r, m, k, f);
}
double mesh_face_size(const struct mesh *m, int32_t f);
/* For a mesh: are all cells tetrahedra? */
int mesh_cells_together(const struct mesh *m);
void order_hilbert(int32_t *order, const double *centre, int dim, int32_t n, int together);
bool order_metis(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t n, int part_rows,
                 struct error *e);
#endif
