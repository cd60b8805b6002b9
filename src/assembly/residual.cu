/* Kernels that sum residuals, continuity errors and maximum norms (residual.h). */
#include "assembly/residual.h"
#include "gpu/several_sums.h"
#include "solve/pattern_row.h"

SLICE_KERNEL(residual_sums, struct residual_args)
{
    for (int c = 0; c < a->components; c++) {
        SLICE_VAR(double, v);
        PHASE(w) LANES(t) {
            int64_t r = ROW(b, w, t);
            IN_SLICE(v) = a->x[c * a->a.p.pitch + r] - (a->part_level ? a->part_level[r] : 0.0);
        }
        SUM_OF_SLICE(a->sums, a->means + c, b, v)
    }
}

CROWDED_SLICE_KERNEL(residual_norms, struct residual_args, 3)
{
    SHARED(double, folded, MOST_COMPONENTS);
    const double *sum_of_x = a->sums.total + a->means;
    if (a->fold) fold_by_warps(&a->sums, a->means, a->components, folded), sum_of_x = folded;
    for (int c = 0; c < a->components; c++) {
        const double *x = a->x + c * a->a.p.pitch, *rhs = a->b + c * a->a.p.pitch;
        double mean = sum_of_x[c] / (double)a->a.p.n_global;
        SLICE_VAR(double, residual);
        SLICE_VAR(double, scale);
        PHASE(w) {
            WARP_VAR(double, product);
            WARP_VAR(double, row_sum);
            WARP_VAR(double, exchange);
            LANES(t) {
                int64_t r = ROW(b, w, t);
                IN_WARP(row_sum) = a->a.diag[r];
                IN_WARP(product) = a->a.diag[r] * x[r];
                IN_WARP(exchange) = 0;
            }
            ENTRIES(a->a.p, b, w, e)
                LANES(t) {
                    double val = a->a.val[e + t], other = x[COLUMN(b, a->a.p.col[e + t])];
                    IN_WARP(row_sum) += val;
                    IN_WARP(product) = fma(val, other, IN_WARP(product));
                    if (a->by_exchange) IN_WARP(exchange) += fabs(val * (other - x[ROW(b, w, t)]));
                }
            LANES(t) {
                int64_t r = ROW(b, w, t);
                double level_mean = a->part_level ? mean + a->part_level[r] : mean;
                double at_mean = level_mean * IN_WARP(row_sum);
                double rest = a->b_is_rest ? rhs[r] : rhs[r] - IN_WARP(product);
                double inside = r < a->a.p.n ? 1.0 : 0.0, level = fabs(a->a.diag[r] * x[r]), left = fabs(rest);
                double size = fabs(IN_WARP(product) - at_mean) + fabs(rest + IN_WARP(product) - at_mean)
                            + (a->b_is_rest ? 0.0 : RESIDUAL_FLOOR * level);
                if (a->by_exchange) size = IN_WARP(exchange) + fabs(IN_WARP(row_sum) * x[r] - rhs[r]);
                double least = fabs(a->a.diag[r]) * a->size, rounded = level > least ? level : least;
                if ((a->by_exchange || a->b_is_rest) && left <= RESIDUAL_ROUNDING * rounded) left = 0;
                IN_SLICE(residual) = inside * left;
                IN_SLICE(scale) = inside * size;
            }
        }
        for (int k = 0; k < a->n_regions; k++) {
            SLICE_VAR(double, residual_there);
            SLICE_VAR(double, scale_there);
            PHASE(w) LANES(t) {
                double there = a->region[ROW(b, w, t)] == k ? 1.0 : 0.0;
                IN_SLICE(residual_there) = there * IN_SLICE(residual), IN_SLICE(scale_there) = there * IN_SLICE(scale);
            }
            SUM_OF_SLICE(a->sums, a->norms + 2 * k, b, residual_there)
            SUM_OF_SLICE(a->sums, a->norms + 2 * k + 1, b, scale_there)
        }
        if (a->n_regions) continue;
        SUM_OF_SLICE(a->sums, a->norms + 2 * c, b, residual)
        SUM_OF_SLICE(a->sums, a->norms + 2 * c + 1, b, scale)
    }
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

SLICE_KERNEL(force_sums, struct face_sums_args)
{
    const struct stencil *s = &a->s;
    SLICE_VAR(double, size);
    PHASE(w) {
        WARP_VAR(double, sum);
        LANES(t) IN_WARP(sum) = 0;
        ENTRIES(s->pattern, b, w, e)
            LANES(t) {
                int32_t code = s->face[e + t], f = FACE_OF(code);
                double square = 0;
                for (int k = 0; k < s->dim; k++) {
                    double area = FACE_VECTOR(*s, area, k, f);
                    square = fma(area, area, square);
                }
                IN_WARP(sum) += code ? fabs(force_step(s, &a->force, f)) * sqrt(square) : 0.0;
            }
        LANES(t) IN_SLICE(size) = IN_WARP(sum);
    }
    SUM_OF_SLICE(a->sums, a->number, b, size)
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
