/* geometry.h: mesh data for cutting cells by planes, uploaded to the device once: corners of cells and faces, all faces
 * of a cell, and the cells that share a vertex.
 *
 * All positions are relative to a cell's centre, so that periodic faces need no special treatment: a near cell's centre
 * as seen from cell c is centre[near] + shift[code] - centre[c] (near_offset()). */
#ifndef POISE_INTERFACE_GEOMETRY_H
#define POISE_INTERFACE_GEOMETRY_H
#include "assembly/stencil.h"
#include "base/error.h"

struct mesh;

/* Sizes of the kernels' arrays for one cell: corners of a face; corners of the cell, middles of its faces and its own
 * middle; simplices that it is divided into (cut.h).  Larger cells are rejected. */
enum { MOST_CORNERS = 4, CUT_NODES = 15, CUT_SIMPLICES = 24, N_SHIFTS = 27 };
/* Numbers that describe a facet of the interface (curvature.h): the most in one message. */
#define PIECE_COMPONENTS(dim) (2 * (dim) + 2 + (dim) * ((dim) + 1) / 2)

struct geometry {
    struct stencil s;
    int32_t n_vertices, n_all;      /* n_all: cells with the ghosts of other ranks' */
    int32_t most_vertices, most_faces;          /* of a cell */
    int32_t most_corners;                       /* of a face */
    const int32_t *form;            /* [pitch] start of the cell's form in form_face, shared by cells of the same
                                       shape */
    int32_t form_length;
    const int8_t *form_face;        /* [form_length] for each face the number of corners, then which of the cell's
                                       vertices these are, in order around it as seen from outside; after the last face
                                       0 */
    const int32_t *cell_vertex;     /* [most_vertices pitch] vertex k of cell c at [k pitch + c], -1: unused */
    const int32_t *cell_face;       /* [most_faces pitch] all faces of a cell, including boundary faces, coded as in
                                       stencil.face, ascending; 0: unused */
    const int32_t *face_vertex;     /* [most_corners n_faces] as in face_ring() */
    const double *vertex;           /* [dim n_vertices] component-major */
    const double *centre;           /* [dim pitch] */
    const int64_t *near_start;      /* [n_all + 1] in CSR: the near cells, which share a vertex with this one (across
                                       periodic faces too), without itself, */
    const int32_t *near;            /* ascending in the order of the whole mesh */
    const uint8_t *near_shift;      /* code into shift */
    double shift[N_SHIFTS][3];      /* shift[0] = 0 */
    /* Cells of other ranks; NULL with one rank. */
    struct halo *around;            /* ghosts: near cells of own cells */
    struct halo *beyond;            /* second-layer ghosts, near those but not included: curvature fits read facets
                                       there */
};

/* Rejects meshes whose periodic faces have more than 27 different shifts, and cells too large for the kernels'
 * arrays. */
bool geometry_create(struct geometry *g, const struct mesh *m, const struct stencil *s, struct error *e);
void geometry_free(struct geometry *g);         /* does not free the stencil, which belongs to the caller */

/* The mean of x x^T over the vertices of a cell and of its near cells, x from each one's centre: packed,
 * [dim (dim + 1) / 2 pitch]. */
struct shape_args { struct geometry g; double *shape; };
KERNEL(mean_shape, struct shape_args)                   /* over n_cells */

/* ---- for kernel bodies */
/* Centre of near cell number k (a position in `near`) from the centre of cell c. */
ON_DEVICE void near_offset(const struct geometry *g, int64_t c, int64_t k, double x[3])
{
    int32_t other = g->near[k];
    for (int i = 0; i < g->s.dim; i++)
        x[i] = CELL_VALUE(g->s, g->centre, i, other) - CELL_VALUE(g->s, g->centre, i, c) +
               g->shift[g->near_shift[k]][i];
}

/* Mean square distance of the near cells' centres; 0: no near cells. */
ON_DEVICE double near_mean_square(const struct geometry *g, int64_t c, const int dim)
{
    int64_t first = g->near_start[c], last = g->near_start[c + 1];
    double sum = 0, x[3];
    for (int64_t k = first; k < last; k++) {
        near_offset(g, c, k, x);
        for (int i = 0; i < dim; i++) sum = fma(x[i], x[i], sum);
    }
    return last > first ? sum / (double)(last - first) : 0;
}

/* Corners of a face from the centre of its owner (own = 1) or of its neighbour (own = 0, with the shift of a periodic
 * face).  Returns their number. */
ON_DEVICE int face_corners(const struct geometry *g, int32_t f, int own, double x[MOST_CORNERS][3])
{
    int32_t o = g->s.owner[f];
    int n = 0;
    for (; n < g->most_corners; n++) {
        int32_t v = g->face_vertex[(int64_t)n * g->s.n_faces + f];
        if (v < 0) break;
        for (int i = 0; i < g->s.dim; i++) {
            x[n][i] = g->vertex[(int64_t)i * g->n_vertices + v] - CELL_VALUE(g->s, g->centre, i, o);
            if (!own) x[n][i] -= FACE_VECTOR(g->s, d, i, f);
        }
    }
    return n;
}
#endif
