/* cells.h: vertices and faces of the cell types, and the steps of mesh_complete().  Private to src/mesh,
 * src/mesh/gmsh, src/interface and src/run/blend.c, case_mesh.c and plane_cut.c. */
#ifndef POISE_CELLS_H
#define POISE_CELLS_H
#include "mesh/mesh.h"

struct cell_shape {
    const char *name;
    int dim, n_vertices, n_faces;
    int8_t face[6][4];          /* local vertices, anticlockwise seen from outside; -1 = unused. 2-D: {from, to} */
};
extern const struct cell_shape cell_shape[10];          /* by enum cell_type; n_vertices 0: this number is no type */

/* Corners of a face of a cell: [4][3], returns how many.  vertex, if not NULL: their numbers, [4]. */
int cell_face(const struct mesh *m, int32_t cell, int local, double corner[4][3], int32_t vertex[4]);
/* Area vector (out of the cell) and centre of such a face.  A quadrilateral that is not plane counts as the four
 * triangles about the mean of its corners. */
void face_measure(double corner[4][3], int n, double area[3], double centre[3]);
/* Mean of the cell's vertices. */
void cell_middle(const struct mesh *m, int32_t cell, double middle[3]);
/* "cell 17 (hexahedron) at (0.5, 0.25, 0)": the file's number, counted from 0. */
const char *cell_text(const struct mesh *m, int32_t cell, char text[160]);
/* "(0.5, 0.25, 0)", without the third component in 2-D. */
const char *point_text(const struct mesh *m, const double x[3], char text[100]);

/* Appends to a refusal what to change in Gmsh (printf style), or, where the mesh came out of another program, the other
 * advice.  Returns false. */
bool mesh_advise(const struct mesh *m, struct error *e, const char *other, const char *in_gmsh, ...)
    __attribute__((format(printf, 4, 5)));

/* The steps of mesh_complete(), in this order. */
bool mesh_check_coordinates(const struct mesh *m, struct error *e);   /* check.c: numbers, not too large for volumes */
bool mesh_check_cells(struct mesh *m, struct error *e);                 /* check.c: numbers, plane, orientation */
bool topology_build(struct mesh *m, const int *periodic, int n_periodic, struct error *e);
void topology_free(struct mesh *m);
bool geometry_compute(struct mesh *m, struct error *e);

/* periodic.c: joins the faces of periodic patches.  mate: [stride n_cells], see topology.c: the entries that name
 * one of the two patches become the cell on the other side.  The joints are added to m, with joint_face = stride *
 * owner + local face until the faces have numbers. */
bool periodic_join(struct mesh *m, int32_t *mate, int stride, const int *periodic, int n_periodic, struct error *e);
#define MATE_OF_PATCH(p) (-2 - (p))     /* mate < -1 means boundary patch -2 - mate; the same formula goes both ways */
#endif
