/* reconstruction_setup.h: computes the geometric members of struct reconstruction, once, on the host; private to
 * src/assembly. */
#ifndef POISE_RECONSTRUCTION_SETUP_H
#define POISE_RECONSTRUCTION_SETUP_H
#include <stdbool.h>
#include "assembly/reconstruction.h"
#include "base/dense.h"
#include "mesh/mesh.h"

/* Bounds for the noise amplification of a fit: the sum over its points of the effect of a unit change in the point's
 * value, as root mean square over all directions, in the frame of the cell.  Layers are added until it is at most CALM;
 * ALLOWED is enough for the last layer.  On Gmsh's tetrahedra flows stall from about 8 on
 * (docs/explanation/numerics.md). */
#define CALM 5.8
#define ALLOWED 7.0

enum { SECOND = 6 };

struct adjacency {
    int64_t *start;             /* mesh_adjacency() */
    int32_t *column, *face;
    int32_t *boundary_start;    /* [n_all + 1] and boundary faces of every cell */
    int32_t *boundary;
};

/* The frame of a cell, y = inverse x: in it the face neighbours are about equally distant in all directions, and the
 * volume is 1. Lower triangles. */
struct frame { double matrix[3][3], inverse[3][3]; };
void frame_of_cell(struct frame *frame, const struct mesh *m, const struct adjacency *a, int32_t cell);
/* Turn derivatives in the frame into those along the axes, in place: the first ones, [dim]; the second ones, packed. */
void frame_first(const struct frame *frame, int dim, double *first);
void frame_second(const struct frame *frame, int dim, double *second);

/* row[j] of the quadratic x -> d d^T / 2 : H, packed. */
void quadratic_row(const double *d, int dim, double *row);

/* d: the vector to the neighbour's centre for entry k of a row (also across periodic faces); returns its square. */
double way_to(const struct mesh *m, const struct adjacency *a, int64_t k, double d[3]);

/* Whether vectors to a cell over different faces lead to the same periodic image of it, apart from rounding.  Where the
 * nearest images are equally near, all of them are neighbours: one of them would depend on the numbering. */
static inline bool is_same_point(const double a[3], const double b[3])
{
    double off[3] = {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
    return dot(off, off) < 1e-6 * dot(b, b);
}

/* Uploads `count` numbers of each of n cells or faces: number j of c is at first[c * count + j], on the device at [j *
 * stride + c]. */
struct short_numbers short_numbers(const double *first, int count, int32_t n, int64_t stride, const char *what);

/* Computes E and M of the cells that are not fitted.  Cells with too large a noise amplification in M are added to
 * `listed`, and their `own` becomes 1. */
void reconstruction_passes(struct reconstruction *r, const struct mesh *m, const struct adjacency *a, uint8_t *listed,
                           double *own);
/* Fits of the n cells in `list` (boundary cells first): fills r's list, if it is quadratic, and its walls.
 * rule: of the velocity, [n_boundary] on the host. */
void reconstruction_fits(struct reconstruction *r, const struct mesh *m, const struct adjacency *a,
                         const uint8_t *rule, const int32_t *list, int32_t n);
/* Computes all members of r that depend on the geometry. */
void reconstruction_setup(struct reconstruction *r, const struct mesh *m);
#endif
