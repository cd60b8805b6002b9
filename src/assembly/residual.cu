#include "assembly/residual_kernels.h"
#include "gpu/several_sums.h"
#include "solve/pattern_row.h"

SLICE_KERNEL(residual_sums, struct residual_args)
{
    for (int c = 0; c < a->components; c++) {
        SLICE_VAR(double, v);
        PHASE(w) LANES(t) IN_SLICE(v) = a->x[c * a->a.p.pitch + ROW(b, w, t)];
        SUM_OF_SLICE(a->sums, a->means + c, b, v)
    }
}

/* n components, a constant, in one pass over the matrix. */
ON_DEVICE void norms(const struct residual_args *a, int64_t b, const double *sum_of_x, const int n)
{
    const int64_t step = a->a.p.pitch;
    SLICE_ARRAY(double, residual, MOST_COMPONENTS);
    SLICE_ARRAY(double, scale, MOST_COMPONENTS);
    PHASE(w) {
        WARP_ARRAY(double, product, MOST_COMPONENTS);
        WARP_VAR(double, row_sum);
        LANES(t) IN_WARP(row_sum) = a->a.diag[ROW(b, w, t)];
        for (int c = 0; c < n; c++)
            LANES(t) IN_WARP_AT(product, c) = a->a.diag[ROW(b, w, t)] * a->x[c * step + ROW(b, w, t)];
        ENTRIES(a->a.p, b, w, e) {
            LANES(t) IN_WARP(row_sum) += a->a.val[e + t];
            for (int c = 0; c < n; c++)
                LANES(t) IN_WARP_AT(product, c) = fma(a->a.val[e + t], a->x[c * step + COLUMN(b, a->a.p.col[e + t])],
                                                      IN_WARP_AT(product, c));
        }
        for (int c = 0; c < n; c++)
            LANES(t) {
                int64_t r = ROW(b, w, t), i = c * step + r;
                double of_row = IN_WARP_AT(product, c), mean = sum_of_x[c] / (double)a->a.p.n_global;
                double at_mean = mean * IN_WARP(row_sum), rest = a->b_is_rest ? a->b[i] : a->b[i] - of_row;
                double floor = a->b_is_rest ? 0.0 : RESIDUAL_FLOOR * fabs(a->a.diag[r] * a->x[i]);
                double inside = r < a->a.p.n ? 1.0 : 0.0;
                IN_SLICE_AT(residual, c) = inside * fabs(rest);
                IN_SLICE_AT(scale, c) = inside * (fabs(of_row - at_mean) + fabs(rest + of_row - at_mean) + floor);
            }
    }
    slice_sums(residual, n);
    for (int c = 0; c < n; c++) STORE_SUM(a->sums, a->norms + 2 * c, b, residual, c)
    slice_sums(scale, n);
    for (int c = 0; c < n; c++) STORE_SUM(a->sums, a->norms + 2 * c + 1, b, scale, c)
}

CROWDED_SLICE_KERNEL(residual_norms, struct residual_args, 2)
{
    SHARED(double, folded, MOST_COMPONENTS);
    const double *sum_of_x = a->sums.total + a->means;
    if (a->fold) fold_by_warps(&a->sums, a->means, a->components, folded), sum_of_x = folded;
    if (a->components == 2) norms(a, b, sum_of_x, 2);
    else if (a->components == 3) norms(a, b, sum_of_x, 3);
    else norms(a, b, sum_of_x, 1);
}

SLICE_KERNEL(continuity_sums, struct continuity_args)
{
    SLICE_VAR(double, net);
    SLICE_VAR(double, gross);
    PHASE(w) {
        WARP_VAR(double, size);
        LANES(t) IN_WARP(size) = 0;
        ENTRIES(a->s.pattern, b, w, e)
            LANES(t) {
                int32_t code = a->s.face[e + t], f = FACE_OF(code);
                IN_WARP(size) += code ? fabs(a->flux[f]) : 0.0;
            }
        LANES(t) IN_SLICE(net) = fabs(a->net[ROW(b, w, t)]), IN_SLICE(gross) = IN_WARP(size);
    }
    SUM_OF_SLICE(a->sums, a->first, b, net)
    SUM_OF_SLICE(a->sums, a->first + 1, b, gross)
}

SLICE_KERNEL(largest_squares, struct largest_args)
{
    SLICE_VAR(double, v);
    PHASE(w) LANES(t) {
        double sum = 0;
        for (int k = 0; k < a->s.dim; k++) {
            double u = CELL_VALUE(a->s, a->u, k, ROW(b, w, t));
            sum = fma(u, u, sum);
        }
        IN_SLICE(v) = sum;
    }
    LARGEST_OF_SLICE(a->sums, 0, b, v)
}
