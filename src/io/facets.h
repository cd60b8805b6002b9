/* facets.h: what a series beside the volume's is drawn on: faces of boundaries, or what a plane cuts out of
 * cells; lines in 2-D, polygons in 3-D, one value of every field each. */
#ifndef POISE_FACETS_H
#define POISE_FACETS_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"

struct facets {
    int32_t n_vertices, n;
    double *vertex;             /* [3 n_vertices] */
    int64_t *start;             /* [n + 1] */
    int32_t *corner;            /* [start[n]] vertices, 2 of a line, 3 or more of a polygon */
    int32_t *cell;              /* [n] the cell that each is of, as the mesh file numbers it */
};

/* What .xdmf and .vtkhdf say of cells or facets: XDMF's own name where all have the same number of corners, else
 * "Mixed". */
struct topology {
    const char *name;
    bool line;                  /* of two corners, which XDMF wants told */
    int32_t n_vertices, n;
    int64_t length;             /* numbers in /xdmf/topology; int64 where it is mixed, else int32 */
    int64_t n_corners;
    const char *start_array, *corner_array;     /* in mesh.h5; VTK's types are in /vtk/types */
};
struct topology facets_topology(const struct facets *p);
/* A file with the attributes format = "poise-facets" and key, what these facets are known by, and /vertices, /start,
 * /corner, /vtk/types, /xdmf/topology, /cell. */
bool facets_write(const struct facets *p, const char *path, struct error *e);
/* Is that a file of these facets? */
bool facets_are_in(const struct facets *p, const char *path);
void facets_free(struct facets *p);
#endif
