/* cells.h: cells and faces of a mesh, and the steps of mesh_complete().  Private to src/mesh, src/mesh/gmsh and
 * src/interface and src/run/case_mesh.c. */
#ifndef POISE_CELLS_H
#define POISE_CELLS_H
#include "mesh/rings.h"

/* Area vector and centre of a face, seen from outside a cell: the vector points outwards.  A polygon is treated as
 * triangles around the mean of its corners. */
void face_measure(const struct mesh *m, const struct ring *ring, double area[3], double centre[3]);
/* Mean of the cell's vertices. */
void cell_middle(const struct mesh *m, int32_t cell, double middle[3]);
/* cell_shape.c: name of a cell's shape, like "hexahedron". */
const char *cell_name(const struct mesh *m, int32_t cell);
/* "cell 17 (hexahedron) at (0.5, 0.25, 0)": the file's number, counted from 0. */
const char *cell_text(const struct mesh *m, int32_t cell, char text[160]);
/* "(0.5, 0.25, 0)", without the third component in 2-D. */
const char *point_text(const struct mesh *m, const double x[3], char text[100]);

/* Appends advice to an error message (printf style): what to change in Gmsh, or, for meshes of other programs, the
 * other advice.  Returns false. */
bool mesh_advise(const struct mesh *m, struct error *e, const char *other, const char *in_gmsh, ...)
    __attribute__((format(printf, 4, 5)));

/* The steps of mesh_complete(), in this order. */
bool mesh_check_coordinates(const struct mesh *m, struct error *e);   /* check.c: finite, and small enough for
                                                                         volumes */
bool mesh_check_cells(struct mesh *m, struct error *e);                 /* check.c: numbers, plane, orientation */
bool topology_build(struct mesh *m, const int *periodic, int n_periodic, struct error *e);
void topology_free(struct mesh *m);
bool geometry_compute(struct mesh *m, struct error *e);
/* The end of geometry_compute(): checks the faces' vectors, and sets m->orthogonal and m->unskewed. */
bool geometry_check(struct mesh *m, struct error *e);

/* Halves: every cell's faces, with their vertices in order around them as seen from outside the cell.  An internal face
 * consists of two halves.  Cell c has the halves cell_face_start[c] .. cell_face_start[c + 1] - 1 of the mesh. */
struct halves {
    int32_t n;
    int64_t *start;             /* [n + 1] */
    int32_t *vertex, *cell;     /* [start[n]], [n] */
};
/* cell_shape.c: the halves of a mesh whose cells have shapes.  Rejected: more than 32 bits can count. */
bool halves_create(struct halves *h, struct mesh *m, struct error *e);

/* periodic.c: joins the faces of periodic patches.  mate: [halves], the half on the other side, or MATE_OF_PATCH(p):
 * the entries that refer to one of the two patches become halves.  Periodic faces are added to m, with joint_face = the
 * owner's half until the faces have numbers. */
bool periodic_join(struct mesh *m, const struct halves *h, int32_t *mate, const int *periodic, int n_periodic,
                   struct error *e);
#define MATE_OF_PATCH(p) (-2 - (p))     /* mate < -1 means boundary patch -2 - mate; the formula is its own inverse */
#endif
