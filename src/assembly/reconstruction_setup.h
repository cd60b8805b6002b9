/* reconstruction_setup.h: what reconstruction.h takes from the geometry, once, on the host; private to src/assembly. */
#ifndef POISE_RECONSTRUCTION_SETUP_H
#define POISE_RECONSTRUCTION_SETUP_H
#include <stdbool.h>
#include "assembly/reconstruction.h"
#include "mesh/mesh.h"

/* Second derivatives are calm where no cell's value counts for much: the sum of the magnitudes of the coefficients of
 * each, made dimensionless, is at most this.  Layers are added until it is CALM; when there are no more, ALLOWED will do.
 * On Gmsh's tetrahedra flows stall from about 7 on (docs/numerics.md). */
#define CALM 5.0
#define ALLOWED 6.0

enum { SECOND = 6 };

struct adjacency {
    int64_t *start;             /* mesh_adjacency() */
    int32_t *column, *face;
    int32_t *boundary_start;    /* [n_cells + 1] and boundary faces of every cell */
    int32_t *boundary;
};

/* The frame of a cell, y = inverse x: its neighbours over faces lie about equally far in all directions, its volume is 1.
 * Lower triangles. */
struct frame { double matrix[3][3], inverse[3][3]; };
void frame_of_cell(struct frame *frame, const struct mesh *m, const struct adjacency *a, int32_t cell);
/* d/dx_i from derivatives in the frame, in place: one first derivative [dim]; all second ones, packed. */
void frame_first(const struct frame *frame, int dim, double *first);
void frame_second(const struct frame *frame, int dim, double *second);

/* row[j] of the quadratic x -> d d^T / 2 : H, packed. */
void quadratic_row(const double *d, int dim, double *row);

/* The way through entry k of a row, and its square. */
double way_to(const struct mesh *m, const struct adjacency *a, int64_t k, double d[3]);

/* count numbers of each of n cells or faces, number j of c at first[c * count + j]; on the machine `stride` apart. */
struct short_numbers short_numbers(const double *first, int count, int32_t n, int64_t stride, const char *what);

/* E and M of the cells that are not listed; lists those, and makes their own 1, where M would be too noisy. */
void reconstruction_passes(struct reconstruction *r, const struct mesh *m, const struct adjacency *a, uint8_t *listed,
                           double *own);
/* Fits of the n cells in `list` (boundary cells first): r's list, where it is quadratic, and its walls.
 * rule: of the velocity, [n_boundary] on the host. */
void reconstruction_fits(struct reconstruction *r, const struct mesh *m, const struct adjacency *a,
                         const uint8_t *rule, const int32_t *list, int32_t n);
/* All members of r that come from the geometry. */
void reconstruction_setup(struct reconstruction *r, const struct mesh *m);
#endif
