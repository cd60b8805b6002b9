/* cell_shape.h: cell shapes, used only by readers and writers of mesh files; everything else loops over faces
 * (rings.h). */
#ifndef POISE_CELL_SHAPE_H
#define POISE_CELL_SHAPE_H
#include "mesh/mesh.h"

/* Cell types by their XDMF "Mixed" codes. Vertex order is Gmsh's = VTK's (first order). */
enum cell_type { CELL_TRIANGLE = 4, CELL_QUADRILATERAL = 5, CELL_TETRAHEDRON = 6, CELL_PYRAMID = 7, CELL_PRISM = 8,
                 CELL_HEXAHEDRON = 9 };

struct cell_shape {
    const char *name, *plural;
    int dim, n_vertices, n_faces;
    int8_t face[6][4];          /* local vertices, anticlockwise seen from outside; -1 = unused. 2-D: {from, to} */
};
extern const struct cell_shape cell_shape[10];          /* by enum cell_type; n_vertices 0: not a cell type */

/* Coordinates of a face's corners: [4][3], returns their number.  vertex, if not NULL: their vertex numbers, [4]. */
int cell_face(const struct mesh *m, int32_t cell, int local, double corner[4][3], int32_t vertex[4]);
/* Volume (2-D: area) of a cell, negative if its vertices are in the wrong order; *extent: their largest distance from
 * the cell's middle. */
double cell_signed_volume(const struct mesh *m, int32_t cell, double *extent);
#endif
