/* foreign.h: converts meshes of other programs, element by element, to an unfinished struct mesh; private to src/mesh.
 * The reader of a format provides vertices and elements of all dimensions, in any order, with VTK's type numbers and
 * the names that they belong to; the elements of the highest dimension become cells, those of the next lower one
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
    const struct mesh_setting *set;             /* uses curved and markers */
    struct error *e;
    int64_t n, room, n_numbers, number_room;    /* number of elements; number of vertices of all elements */
    uint8_t *type;              /* [n] VTK's number */
    int64_t *end;               /* [n] end of its vertices in number */
    int32_t *number;
    int32_t *name;              /* [n] index into the names, or NAMELESS */
    char (*names)[NAME_LENGTH];
    char (*given)[NAME_LENGTH]; /* as in the file */
    char (*partner)[NAME_LENGTH];               /* partner of a periodic boundary, or "" */
    int n_names;
    bool strays_expected;       /* no note about vertices that belong to no cell */
};

/* The readers, which fill m, source and cells.  False with file, line if there are lines, what was found and what was
 * expected. */
bool su2_read(struct foreign *f, const char *path);
bool foam_read(struct foreign *f, const char *path);
bool vtk_read(struct foreign *f, const char *path);
bool vtu_read(struct foreign *f, const char *path);

/* Allocates n vertices, [3 n], owned by m; NULL: rejected. */
double *foreign_vertices(struct foreign *f, int64_t n);
/* Index of a name, which is changed to a valid name for case files, with a note.  Below 0: rejected: it is too long,
 * two names become equal, or there are more than MOST_NAMES. */
int foreign_name(struct foreign *f, const char *name);
/* Number of vertices of an element of this type; 0: given in the file; below 0: not a type. */
int foreign_nodes(int type);
/* Its dimension. */
int foreign_dimension(int type);
/* Adds an element with the number of vertices of its type. */
void foreign_element(struct foreign *f, int type, const int64_t *vertex, int n, int name);
/* Builds cells and boundaries from the elements.  False: unsupported elements, counted by kind. */
bool foreign_finish(struct foreign *f);
void foreign_free(struct foreign *f);
#endif
