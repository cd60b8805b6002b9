/* stencil.h: the mesh as kernels see it: geometry of faces and cells on the device, uploaded once, and the sparsity
 * pattern shared by all matrices of the mesh, with the face of each entry.
 *
 * Kernels loop over the entries of a row (ENTRIES, LANES) and read the face of each: no atomics, no colouring. Boundary
 * faces are handled in separate, short kernels over the list of boundary cells.
 * Fields: component k of cell c at [k * pitch + c]; of boundary face b (face n_internal + b) at [k * n_boundary +
 * b].
 *
 * In a rank's part of a mesh (mesh/part.h) faces include faces between other ranks' cells, and boundary faces include
 * those of these cells: results of kernels there are not used, except values given by the case. */
#ifndef POISE_STENCIL_H
#define POISE_STENCIL_H
#include <stdbool.h>
#include "gpu/kernel.h"
#include "solve/matrix.h"

struct mesh;

struct stencil {
    int dim;
    int32_t n_cells, n_faces, n_internal, n_boundary, n_boundary_cells;
    int32_t n_boundary_rows;    /* n_boundary_cells, then ghosts of other ranks' boundary cells */
    int32_t n_active;           /* internal faces of own cells, which come first: n_internal, or fewer with several
                                   ranks */
    int32_t n_slices;
    int64_t n_padded, pitch;    /* of cells: from the pattern; the fluid of a mesh with solids (mesh/fluid.h) has, on
                                   one rank, the pitch of that mesh, and fields are zero in the solids */
    int orthogonal, unskewed;   /* true of the whole mesh: corrections are zero and not computed */
    int smooth;                 /* scalars are convected with means of gradients (transport.h); 0: cells are boxes */
    struct pattern pattern;
    struct halo *far;           /* second-layer ghosts: further cells of other ranks that fits and wall_neighbour[]
                                   refer to */
    const int32_t *face;        /* [n_stored] f+1: the row owns face f; -f-1: it is the neighbour; 0: padding */
    const int32_t *owner;       /* [n_faces] */
    const int32_t *neighbour;   /* [n_internal] */
    const double *area, *d, *r; /* [dim n_faces] see mesh.h */
    const double *g;            /* [n_faces] over-relaxed coefficient |S|^2 / (S.d) (Jasak 1996, eq. 3.32) */
    const double *weight;       /* [n_internal] owner's weight in linear interpolation: S.(d - r) / S.d */
    const float *bend;          /* [dim dim n_faces] int y_j dS_k at [(j * dim + k) * n_faces], y from its centre;
                                   NULL: all faces are plane */
    const float *skew_part;     /* [n_internal] the part of a face's skewness that is corrected, mesh_slivers(); NULL: 1
                                   everywhere */
    int32_t n_slivers;          /* cells of all ranks that make it less than 1 somewhere */
    double conductance;         /* largest half of sum |S| / |d| over the internal faces of a cell, over its volume:
                                   1/h^2 of cells that are thin in one direction, dim/h^2 of cubes (host) */
    double spacing;             /* smallest volume^(1/dim) of all cells of all ranks (host) */
    const double *volume;       /* [pitch], 1 in the padding */
    const int32_t *zone;        /* [pitch] index of the cell's region in the mesh; NULL: stencil_zones() has not been
                                   called */
    const double *lsq;  /* [dim (dim+1)/2 pitch] inverse of sum w d d^T, w = 1/|d|^2: xx xy yy / xx xy yy xz yz zz */
    const int32_t *boundary_cell;       /* [n_boundary_rows] own cells first */
    const int32_t *boundary_start;      /* [n_boundary_rows + 1] */
    const int32_t *boundary_face;       /* [n_boundary] boundary faces b of these cells, in ascending order */
};

void stencil_create(struct stencil *s, const struct mesh *m);
void stencil_free(struct stencil *s);
/* Uploads `zone`, unless already done, for kernels that need the zones of cells. */
void stencil_zones(struct stencil *s, const struct mesh *m);

/* halo_update() for cells read by fits and wall_neighbour[]: neighbours and second-layer ghosts. */
static inline void stencil_update_far(const struct stencil *s, const double *x, int components)
{
    halo_update(s->pattern.halo, x, components);
    halo_update(s->far, x, components);
}

/* ---- for kernel bodies: d and S of a face, as seen by its owner; k-th component */
#define FACE_VECTOR(s, name, k, f) ((s).name[(int64_t)(k) * (s).n_faces + (f)])
#define CELL_VALUE(s, x, k, c) ((x)[(int64_t)(k) * (s).pitch + (c)])
/* Decodes `face`; padding reads face 0 with sign 0. */
#define FACE_OF(code) ((code) > 0 ? (code) - 1 : (code) < 0 ? -(code) - 1 : 0)
#define FACE_SIGN(code) ((code) > 0 ? 1.0 : (code) < 0 ? -1.0 : 0.0)            /* of a flux, seen from the row */
/* Position of (i, j) in a packed symmetric matrix. */
#define PACKED(i, j) ((i) > (j) ? (i) * ((i) + 1) / 2 + (j) : (j) * ((j) + 1) / 2 + (i))
/* The adjugate of a packed symmetric matrix; returns the determinant. */
ON_DEVICE double packed_adjugate(const double *m, double *adjugate, const int dim)
{
    if (dim == 2) {
        adjugate[0] = m[2], adjugate[1] = -m[1], adjugate[2] = m[0];
        return m[0] * m[2] - m[1] * m[1];
    }
    adjugate[0] = m[2] * m[5] - m[4] * m[4];
    adjugate[1] = m[3] * m[4] - m[1] * m[5], adjugate[2] = m[0] * m[5] - m[3] * m[3];
    adjugate[3] = m[1] * m[4] - m[2] * m[3], adjugate[4] = m[1] * m[3] - m[0] * m[4];
    adjugate[5] = m[0] * m[2] - m[1] * m[1];
    return m[0] * adjugate[0] + m[1] * adjugate[1] + m[3] * adjugate[3];
}

/* Component k of a cell field at internal face f, interpolated linearly to where d meets it. */
ON_DEVICE double face_value(const struct stencil *s, const double *x, int k, int64_t f)
{
    double w = s->weight[f];
    return fma(w, CELL_VALUE(*s, x, k, s->owner[f]), (1 - w) * CELL_VALUE(*s, x, k, s->neighbour[f]));
}

ON_DEVICE double skew_part(const struct stencil *s, int64_t f) { return s->skew_part ? (double)s->skew_part[f] : 1.0; }

/* Kernels, private to stencil.c and stencil.cu. */
struct stencil_args { struct stencil s; double *g, *weight, *volume, *lsq; };
KERNEL(stencil_faces, struct stencil_args)              /* over faces: g, weight */
KERNEL(stencil_pad, struct stencil_args)                /* over padded rows: volume 1 */
KERNEL(stencil_lsq_sum, struct stencil_args)            /* over slices: sum w d d^T of internal faces */
KERNEL(stencil_lsq_boundary, struct stencil_args)       /* over boundary cells: the same of boundary faces */
KERNEL(stencil_lsq_invert, struct stencil_args)         /* over cells */
#endif
