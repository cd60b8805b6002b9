/* curvature.h: curvature and normals of the interface from paraboloids fitted to its facets in neighbouring cells.
 *
 * The neighbourhood of a cut cell: the facets of the cells that share a vertex with it, and of cut cells that share one
 * with those, if their normals have a similar direction (n.n_j > 0.2) and their centroid is nearer than the reach R. R
 * is 2.5 (3-D: 2.43) times the root mean square distance of near cells' centres, which is 3 cells on squares, 3.5 on
 * cubes.  Distances are measured in the metric of the cells' shape (fit_extent.h), so that R is as
 * many cells where they are short, and fewer (1.8 on long rectangles, 2 on long boxes) where they are long.  The weight
 * of a facet is its projected area times (1 - d^2/R^2)^6 (3-D: ^8), nearly a Gaussian: with less smooth weights, with R
 * more than 4 cells along the interface, or with facets within R left out, the curvature of short waves has the wrong
 * sign, and they grow (docs/explanation/two-fluids.md, "Curvature").  The area makes the weight of debris small; the
 * distance lets facets enter and leave smoothly.  What the facets do not determine is round
 * (3-D); if there are too few for that, the curvature is the mean of the near cells'.
 *
 * At walls the interface meets the wall at the contact angle (measured in the second fluid), a symmetry boundary at 90
 * degrees.  If the angle is nearly 90 degrees, fits include mirror images of the facets (curvature_mirror.h); else a
 * facet that touches the wall adds the slope there as an equation to its own fit and to those within a cell. */
#ifndef POISE_INTERFACE_CURVATURE_H
#define POISE_INTERFACE_CURVATURE_H
#include <stdbool.h>
#include "assembly/boundary_setting.h"
#include "interface/geometry.h"

struct mesh;

/* The interface for kernels; the arrays are described in interface.h. */
struct pieces {
    struct geometry g;
    int32_t n_cut;
    const int32_t *cell;
    const double *fraction, *normal, *offset, *area, *centroid, *moment;
};

struct curvature {
    double *metric;             /* [dim (dim + 1) / 2 pitch] packed matrix M: d^2 / R^2 is r.M r */
    int32_t triangles;          /* 1: all cells of the mesh are triangles */
    double *raw;                /* [pitch] curvature before missing values are filled */
    int32_t *boundary_row;      /* [pitch] position in the stencil's list of boundary cells, -1: inside */
    double *cosine;             /* [n_boundary] of the contact angle; 2: no contact angle */
    double *contact_point;      /* [dim n_boundary] where the cell's facet meets the face, from the cell's centre */
    double *contact_normal;     /* [dim n_boundary] prescribed normal there; 0: they do not meet */
};

/* Fetches the facets of other ranks' cells. */
void pieces_update(const struct pieces *p, const struct halo *h);

/* b: has the contact angles; NULL: no walls. */
void curvature_create(struct curvature *k, const struct geometry *g, const struct boundary_settings *b,
                      const struct mesh *m);
void curvature_free(struct curvature *k);

/* Computes the curvature, [pitch], in all cut cells; other cells are unchanged. */
void curvature_compute(struct curvature *k, const struct pieces *p, double *curvature);
/* The normals of the fitted paraboloids at the facets' centroids, [dim pitch], in cut cells.  `normal` must not be the
 * array in the pieces.  They are one order more accurate than gradients of a distance (tests/test_curvature.c). */
void curvature_normals(struct curvature *k, const struct pieces *p, double *normal);

/* Kernels, private to curvature.c and curvature.cu. */
struct curvature_args { struct pieces p; struct curvature k; double *curvature, *normal; };
KERNEL(fit_metric, struct curvature_args)               /* over n_cells, once */
KERNEL(contact_points, struct curvature_args)           /* over boundary cells */
KERNEL(fit_paraboloids, struct curvature_args)          /* over n_cut: fit and raw; normals where `normal` is given */
KERNEL(fill_curvature, struct curvature_args)           /* over n_cut: raw -> curvature */
#endif
