/* Kernels of derived mesh geometry: face coefficients and least-squares matrices (stencil.h). */
#include "assembly/stencil.h"
#include "solve/pattern_row.h"

INDEX_KERNEL(stencil_faces, struct stencil_args)
{
    double ss = 0, sd = 0, sr = 0;
    for (int k = 0; k < a->s.dim; k++) {
        double area = FACE_VECTOR(a->s, area, k, i);
        ss = fma(area, area, ss);
        sd = fma(area, FACE_VECTOR(a->s, d, k, i), sd);
        sr = fma(area, FACE_VECTOR(a->s, r, k, i), sr);
    }
    a->g[i] = ss / sd;
    if (i < a->s.n_internal) a->weight[i] = (sd - sr) / sd;
}

INDEX_KERNEL(stencil_pad, struct stencil_args) { a->volume[a->s.n_cells + i] = 1; }

ON_DEVICE void add_outer(const struct stencil *s, double *sum, int32_t f)
{
    double dd = 0;
    for (int k = 0; k < s->dim; k++) dd = fma(FACE_VECTOR(*s, d, k, f), FACE_VECTOR(*s, d, k, f), dd);
    for (int i = 0; i < s->dim; i++)
        for (int j = 0; j <= i; j++) sum[PACKED(i, j)] += FACE_VECTOR(*s, d, i, f) * FACE_VECTOR(*s, d, j, f) / dd;
}

SLICE_KERNEL(stencil_lsq_sum, struct stencil_args)
{
    int packed = a->s.dim * (a->s.dim + 1) / 2;
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        double sum[6] = {0};
        const int64_t *start = a->s.pattern.warp_start + b * WARPS + w;
        for (int64_t k = start[0] + t; k < start[1]; k += WARP) {
            int32_t code = a->s.face[k];
            if (code) add_outer(&a->s, sum, FACE_OF(code));
        }
        for (int m = 0; m < packed; m++) CELL_VALUE(a->s, a->lsq, m, row) = sum[m];
    }
}

INDEX_KERNEL(stencil_lsq_boundary, struct stencil_args)
{
    int32_t row = a->s.boundary_cell[i];
    double sum[6] = {0};
    for (int32_t k = a->s.boundary_start[i]; k < a->s.boundary_start[i + 1]; k++)
        add_outer(&a->s, sum, a->s.n_internal + a->s.boundary_face[k]);
    for (int m = 0; m < a->s.dim * (a->s.dim + 1) / 2; m++) CELL_VALUE(a->s, a->lsq, m, row) += sum[m];
}

/* Inverse of the packed symmetric matrix, by cofactors. */
INDEX_KERNEL(stencil_lsq_invert, struct stencil_args)
{
    double m[6];
    for (int k = 0; k < a->s.dim * (a->s.dim + 1) / 2; k++) m[k] = CELL_VALUE(a->s, a->lsq, k, i);
    if (a->s.dim == 2) {
        double det = m[0] * m[2] - m[1] * m[1];
        CELL_VALUE(a->s, a->lsq, 0, i) = m[2] / det;
        CELL_VALUE(a->s, a->lsq, 1, i) = -m[1] / det;
        CELL_VALUE(a->s, a->lsq, 2, i) = m[0] / det;
        return;
    }
    double xx = m[0], xy = m[1], yy = m[2], xz = m[3], yz = m[4], zz = m[5];
    double c0 = yy * zz - yz * yz, c1 = xz * yz - xy * zz, c2 = xy * yz - xz * yy;
    double det = xx * c0 + xy * c1 + xz * c2;
    CELL_VALUE(a->s, a->lsq, 0, i) = c0 / det;
    CELL_VALUE(a->s, a->lsq, 1, i) = c1 / det;
    CELL_VALUE(a->s, a->lsq, 2, i) = (xx * zz - xz * xz) / det;
    CELL_VALUE(a->s, a->lsq, 3, i) = c2 / det;
    CELL_VALUE(a->s, a->lsq, 4, i) = (xy * xz - xx * yz) / det;
    CELL_VALUE(a->s, a->lsq, 5, i) = (xx * yy - xy * xy) / det;
}
