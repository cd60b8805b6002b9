/* facets.h: the geometry of a surface series: faces of boundaries, or the facets where a plane cuts cells; lines in
 * 2-D, polygons in 3-D, with one value of every field each. */
#ifndef POISE_FACETS_H
#define POISE_FACETS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"

struct facets {
    int32_t n_vertices, n;
    double *vertex;             /* [3 n_vertices] */
    int64_t *start;             /* [n + 1] */
    int32_t *corner;            /* [start[n]] vertices, 2 for a line, 3 or more for a polygon */
    int32_t *cell;              /* [n] the cell of each, numbered as in the mesh file */
};

/* Topology of cells or facets for .xdmf and .vtkhdf: XDMF's own name if all have the same number of corners, else
 * "Mixed". */
struct topology {
    const char *name;
    bool line;                  /* has two corners, which XDMF requires to be stated */
    int32_t n_vertices, n;
    int64_t length;             /* numbers in /xdmf/topology; int64 if mixed, else int32 */
    int64_t n_corners;
    const char *start_array, *corner_array;     /* in mesh.h5; VTK's types are in /vtk/types */
};
struct topology facets_topology(const struct facets *p);
/* Writes a file with the attributes format = "poise-facets" and key, which identifies these facets, and /vertices,
 * /start, /corner, /vtk/types, /xdmf/topology, /cell. */
bool facets_write(const struct facets *p, const char *path, struct error *e);
/* Does the file contain these facets? */
bool facets_are_in(const struct facets *p, const char *path);
void facets_free(struct facets *p);
#endif
