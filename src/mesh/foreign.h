/* foreign.h: meshes of other programs, element by element, become struct mesh in its unfinished form; private to
 * src/mesh.  A reader of a format gives vertices, elements of all dimensions with the names that they belong to, by
 * VTK's numbers of types, in any order; the elements of the highest dimension are the cells, those of one less the
 * boundaries. */
#ifndef POISE_FOREIGN_H
#define POISE_FOREIGN_H
#include "mesh/mesh.h"

enum { VTK_LINE = 3, VTK_TRIANGLE = 5, VTK_POLYGON = 7, VTK_QUAD = 9, VTK_TETRA = 10, VTK_HEXAHEDRON = 12,
      VTK_WEDGE = 13,
       VTK_PYRAMID = 14, VTK_POLYHEDRON = 42 };
enum { NAMELESS = -1, MOST_NAMES = 1000 };

struct foreign {
    struct mesh *m;
    const struct mesh_setting *set;             /* of it curved and markers */
    struct error *e;
    int64_t n, room, n_numbers, number_room;    /* elements; vertices of them all */
    uint8_t *type;              /* [n] VTK's number */
    int64_t *end;               /* [n] where its vertices end in number */
    int32_t *number;
    int32_t *name;              /* [n] index into the names, or NAMELESS */
    char (*names)[NAME_LENGTH];
    char (*given)[NAME_LENGTH]; /* as the file has them */
    char (*partner)[NAME_LENGTH];               /* of a boundary that is periodic, or "" */
    int n_names;
    bool strays_expected;       /* vertices of no cell are nothing to be told */
};

/* The readers: of m, source and cells are theirs to fill.  False with file, line where there are lines, what was found
 * and what was expected. */
bool su2_read(struct foreign *f, const char *path);
bool foam_read(struct foreign *f, const char *path);
bool vtk_read(struct foreign *f, const char *path);
bool vtu_read(struct foreign *f, const char *path);

/* Room for n vertices, [3 n], which is m's; NULL: refused. */
double *foreign_vertices(struct foreign *f, int64_t n);
/* Index of a name, which is made one that a case file can write, with a note.  Below 0: refused: it is too long, or two
 * become one, or there are more than MOST_NAMES. */
int foreign_name(struct foreign *f, const char *name);
/* How many vertices an element of this type has; 0: as many as the file says; below 0: the number is no type. */
int foreign_nodes(int type);
/* Its dimension. */
int foreign_dimension(int type);
/* Of as many vertices as its type has. */
void foreign_element(struct foreign *f, int type, const int64_t *vertex, int n, int name);
/* Cells and boundaries from the elements.  False: elements that Poise has no cells for are counted by kind. */
bool foreign_finish(struct foreign *f);
void foreign_free(struct foreign *f);
#endif
