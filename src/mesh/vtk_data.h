/* vtk_data.h: what a file of VTK says of an unstructured grid, on its way to elements; private to src/mesh. */
#ifndef POISE_VTK_DATA_H
#define POISE_VTK_DATA_H
#include "mesh/foreign.h"

struct vtk_array { char name[NAME_LENGTH]; bool whole; int64_t n; double *value; };    /* whole: its type is integer */
struct vtk_data {
    int64_t n_points, n_cells, n_corners;
    double *point;              /* [3 n_points] */
    double *type, *end, *corner;        /* [n_cells], [n_cells], [n_corners]: as the file has them; NULL: not there */
    struct vtk_array *array;    /* numbers of the cells, one each */
    int n_arrays;
};

/* The bytes of a number of VTK's type ("Int32", "vtkIdType", "unsigned_char"); 0: not known.  whole: an integer. */
int vtk_type_size(const char *type, bool *whole);
/* n such numbers of little endian bytes, or big endian ones. */
void vtk_numbers(const char *from, const char *type, bool big, int64_t n, double *to);
/* Vertices and elements; boundaries and regions are named after the whole numbers of an array: the one that the case
 * names in mesh.markers, or the only one there is. */
bool vtk_take(struct foreign *f, const struct vtk_data *d);
void vtk_data_free(struct vtk_data *d);
#endif
