/* Kernels of the least-squares and Green-Gauss gradients (gradient.h). */
#include "assembly/gradient.h"
#include "solve/pattern_row.h"

/* Sum over the internal faces of w d (x_N - x_P), for one component; then times G.  dim and steps are compile-time
 * constants; steps: the differences are given. */
ON_DEVICE void least_squares_warp(const struct gradient_args *a, int64_t b, int w, int component, const int dim,
                                  const int steps)
{
    const double *x = steps ? a->step : a->x + component * a->s.pitch;
    WARP_ARRAY(double, sum, 3);
    for (int k = 0; k < dim; k++) LANES(t) IN_WARP_AT(sum, k) = 0;
    ENTRIES(a->s.pattern, b, w, e)
        LANES(t) {
            int32_t code = a->s.face[e + t], f = FACE_OF(code);
            double d[3], dd = 0;
            for (int k = 0; k < dim; k++) d[k] = FACE_VECTOR(a->s, d, k, f), dd = fma(d[k], d[k], dd);
            double step = steps ? x[f] : x[COLUMN(b, a->s.pattern.col[e + t])] - x[ROW(b, w, t)];
            double scaled = (!code ? 0.0 : steps || code > 0 ? step : -step) / dd;
            for (int k = 0; k < dim; k++) IN_WARP_AT(sum, k) = fma(scaled, d[k], IN_WARP_AT(sum, k));
        }
    LANES(t) {
        int64_t r = ROW(b, w, t);
        for (int i = 0; i < dim; i++) {
            double value = 0;
            for (int j = 0; j < dim; j++)
                value = fma(CELL_VALUE(a->s, a->s.lsq, PACKED(i, j), r), IN_WARP_AT(sum, j), value);
            CELL_VALUE(a->s, a->gradient, component * dim + i, r) = value;
        }
    }
}

SLICE_KERNEL(least_squares, struct gradient_args)
{
    PHASE(w) for (int c = 0; c < a->components; c++) {
        if (a->s.dim == 2 && a->step) least_squares_warp(a, b, w, c, 2, 1);
        else if (a->s.dim == 2) least_squares_warp(a, b, w, c, 2, 0);
        else if (a->step) least_squares_warp(a, b, w, c, 3, 1);
        else least_squares_warp(a, b, w, c, 3, 0);
    }
}

INDEX_KERNEL(least_squares_boundary, struct gradient_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    for (int c = 0; c < a->components; c++) {
        double sum[3] = {0};
        for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
            int32_t face = s->boundary_face[k], f = s->n_internal + face;
            double dd = 0;
            for (int j = 0; j < s->dim; j++) dd = fma(FACE_VECTOR(*s, d, j, f), FACE_VECTOR(*s, d, j, f), dd);
            double scaled = (a->step ? a->step[f] : a->boundary[(int64_t)c * s->n_boundary + face]
                                                        - CELL_VALUE(*s, a->x, c, row)) / dd;
            for (int j = 0; j < s->dim; j++) sum[j] = fma(scaled, FACE_VECTOR(*s, d, j, f), sum[j]);
        }
        for (int m = 0; m < s->dim; m++) {
            double value = CELL_VALUE(*s, a->gradient, c * s->dim + m, row);
            for (int j = 0; j < s->dim; j++) value = fma(CELL_VALUE(*s, s->lsq, PACKED(m, j), row), sum[j], value);
            CELL_VALUE(*s, a->gradient, c * s->dim + m, row) = value;
        }
    }
}

/* Correction to x_f S at a non-planar face: component k of int (gradient . y) dS, with weight `own` for the gradient of
 * this row. */
ON_DEVICE double bent_part(const struct gradient_args *a, int component, int64_t row, int64_t other, double own,
                           int32_t f, int k)
{
    const int dim = 3;
    double part = 0;
    for (int j = 0; j < dim; j++)
        part = fma((double)a->s.bend[(int64_t)(j * dim + k) * a->s.n_faces + f],
                   fma(own, CELL_VALUE(a->s, a->old, component * dim + j, row),
                       (1 - own) * CELL_VALUE(a->s, a->old, component * dim + j, other)), part);
    return part;
}

/* Sum over the internal faces of x_f S / V, for one component. dim and skewed are compile-time constants. */
ON_DEVICE void green_gauss_warp(const struct gradient_args *a, int64_t b, int w, int component, const int dim,
                                const int skewed)
{
    const double *x = a->x + component * a->s.pitch;
    WARP_ARRAY(double, sum, 3);
    for (int k = 0; k < dim; k++) LANES(t) IN_WARP_AT(sum, k) = 0;
    ENTRIES(a->s.pattern, b, w, e)
        LANES(t) {
            int32_t code = a->s.face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, a->s.pattern.col[e + t]);
            double own = code > 0 ? a->s.weight[f] : 1 - a->s.weight[f];            /* weight of this row */
            double value = fma(own, x[row], (1 - own) * x[other]);
            if (skewed) {
                double part = skew_part(&a->s, f);
                for (int k = 0; k < dim; k++) {
                    double skew = part * (FACE_VECTOR(a->s, r, k, f)
                                          - (1 - a->s.weight[f]) * FACE_VECTOR(a->s, d, k, f));
                    value = fma(fma(own, CELL_VALUE(a->s, a->old, component * dim + k, row),
                                    (1 - own) * CELL_VALUE(a->s, a->old, component * dim + k, other)), skew, value);
                }
            }
            value = code > 0 ? value : code < 0 ? -value : 0.0;
            for (int k = 0; k < dim; k++)
                IN_WARP_AT(sum, k) = fma(value, FACE_VECTOR(a->s, area, k, f), IN_WARP_AT(sum, k));
            if (skewed && dim == 3 && a->s.bend)
                for (int k = 0; k < dim; k++)
                    IN_WARP_AT(sum, k) = fma(FACE_SIGN(code), bent_part(a, component, row, other, own, f, k),
                                             IN_WARP_AT(sum, k));
        }
    LANES(t) {
        int64_t r = ROW(b, w, t);
        for (int k = 0; k < dim; k++)
            CELL_VALUE(a->s, a->gradient, component * dim + k, r) = IN_WARP_AT(sum, k) / a->s.volume[r];
    }
}

CROWDED_SLICE_KERNEL(green_gauss, struct gradient_args, 2)
{
    PHASE(w) for (int c = 0; c < a->components; c++) {
        if (a->s.dim == 2 && a->old) green_gauss_warp(a, b, w, c, 2, 1);
        else if (a->s.dim == 2) green_gauss_warp(a, b, w, c, 2, 0);
        else if (a->old) green_gauss_warp(a, b, w, c, 3, 1);
        else green_gauss_warp(a, b, w, c, 3, 0);
    }
}

INDEX_KERNEL(green_gauss_boundary, struct gradient_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k], f = s->n_internal + face;
        for (int c = 0; c < a->components; c++)
            for (int j = 0; j < s->dim; j++)
                CELL_VALUE(*s, a->gradient, c * s->dim + j, row) +=
                    (a->boundary[(int64_t)c * s->n_boundary + face] * FACE_VECTOR(*s, area, j, f)
                     + (s->bend && a->old ? bent_part(a, c, row, row, 1, f, j) : 0.0)) / s->volume[row];
    }
}

/* ---------------------------------------------------------------- means */
/* count is a compile-time constant. */
ON_DEVICE void mean_warp(const struct gradient_mean_args *a, int64_t b, int w, const int count)
{
    enum { MOST = 9 };
    const struct stencil *s = &a->s;
    WARP_ARRAY(double, sum, MOST);
    WARP_VAR(double, neighbours);
    LANES(t) IN_WARP(neighbours) = 0;
    for (int c = 0; c < count; c++) LANES(t) IN_WARP_AT(sum, c) = 0;
    ENTRIES(s->pattern, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], other = COLUMN(b, s->pattern.col[e + t]);
            double there = code ? 1.0 : 0.0;
            IN_WARP(neighbours) += there;
            for (int c = 0; c < count; c++)
                IN_WARP_AT(sum, c) = fma(there, CELL_VALUE(*s, a->plain, c, other), IN_WARP_AT(sum, c));
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double own = a->own ? (double)a->own[row] : 1 / (IN_WARP(neighbours) + 1);
        double others = (1 - own) / (IN_WARP(neighbours) > 0 ? IN_WARP(neighbours) : 1);
        for (int c = 0; c < count; c++)
            CELL_VALUE(*s, a->mean, c, row) = fma(own, CELL_VALUE(*s, a->plain, c, row), others * IN_WARP_AT(sum, c));
    }
}

SLICE_KERNEL(gradient_mean, struct gradient_mean_args)
{
    PHASE(w) {
        if (a->count == 2) mean_warp(a, b, w, 2);
        else if (a->count == 3) mean_warp(a, b, w, 3);
        else if (a->count == 4) mean_warp(a, b, w, 4);
        else mean_warp(a, b, w, 9);
    }
}
