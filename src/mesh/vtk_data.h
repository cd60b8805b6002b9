/* vtk_data.h: the contents of a VTK file with an unstructured grid, before conversion to elements; private to
 * src/mesh. */
#ifndef POISE_VTK_DATA_H
#define POISE_VTK_DATA_H
#include "mesh/foreign.h"

struct vtk_array { char name[NAME_LENGTH]; bool whole; int64_t n; double *value; };    /* whole: integer type */
struct vtk_data {
    int64_t n_points, n_cells, n_corners;
    double *point;              /* [3 n_points] */
    double *type, *end, *corner;        /* [n_cells], [n_cells], [n_corners]: as in the file; NULL: missing */
    struct vtk_array *array;    /* cell arrays with one component */
    int n_arrays;
};

/* Bytes of a number of VTK's type ("Int32", "vtkIdType", "unsigned_char"); 0: unknown.  whole: an integer type. */
int vtk_type_size(const char *type, bool *whole);
/* Converts n such numbers from little-endian or big-endian bytes. */
void vtk_numbers(const char *from, const char *type, bool big, int64_t n, double *to);
/* Adds an array of n_cells numbers, which then belong to d. */
void vtk_add_array(struct vtk_data *d, const char *name, const char *type, double *value);
/* Vertices and elements; boundaries and regions are named after the whole numbers of an array: the one that the case
 * names in mesh.markers, or the only one there is. */
bool vtk_take(struct foreign *f, const struct vtk_data *d);
void vtk_data_free(struct vtk_data *d);
#endif
