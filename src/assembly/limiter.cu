/* Kernels of Zalesak's flux limiter: cell bounds, limiting factors, limited corrections (limiter.h). */
#include "assembly/limiter.h"
#include "solve/pattern_row.h"

SLICE_KERNEL(limiter_extremes, struct limiter_args)
{
    const struct stencil *s = &a->s;
    PHASE(w) {
        WARP_VAR(double, lowest);
        WARP_VAR(double, highest);
        WARP_VAR(double, plus);
        WARP_VAR(double, minus);
        WARP_VAR(double, gross);
        LANES(t) {
            IN_WARP(lowest) = IN_WARP(highest) = a->x[ROW(b, w, t)];
            IN_WARP(plus) = IN_WARP(minus) = IN_WARP(gross) = 0;
        }
        ENTRIES(s->pattern, b, w, e)
            LANES(t) {
                int32_t code = s->face[e + t];
                int64_t other = COLUMN(b, s->pattern.col[e + t]);
                double into = FACE_SIGN(code) * a->correction[FACE_OF(code)], x = a->x[other];
                int asked = code && (!a->capacity || a->capacity[other] > a->least);
                IN_WARP(lowest) = asked && x < IN_WARP(lowest) ? x : IN_WARP(lowest);
                IN_WARP(highest) = asked && x > IN_WARP(highest) ? x : IN_WARP(highest);
                IN_WARP(plus) += into > 0 ? into : 0.0;
                IN_WARP(minus) += into < 0 ? into : 0.0;
                IN_WARP(gross) += a->flux && code ? fabs(a->flux[FACE_OF(code)]) : 0.0;
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            a->lowest[row] = IN_WARP(lowest), a->highest[row] = IN_WARP(highest);
            a->plus[row] = IN_WARP(plus), a->minus[row] = IN_WARP(minus);
            if (a->flux) a->sum[row] = IN_WARP(gross);
        }
    }
}

SLICE_KERNEL(limiter_sums, struct limiter_args)
{
    const struct stencil *s = &a->s;
    double low = lowest_of(&a->bounds), high = highest_of(&a->bounds);
    PHASE(w) {
        WARP_VAR(double, plus);
        WARP_VAR(double, minus);
        LANES(t) IN_WARP(plus) = IN_WARP(minus) = 0;
        ENTRIES(s->pattern, b, w, e)
            LANES(t) {
                int32_t code = s->face[e + t];
                double into = FACE_SIGN(code) * a->correction[FACE_OF(code)];
                IN_WARP(plus) += into > 0 ? into : 0.0;
                IN_WARP(minus) += into < 0 ? into : 0.0;
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            a->lowest[row] = low, a->highest[row] = high;
            a->plus[row] = IN_WARP(plus), a->minus[row] = IN_WARP(minus);
        }
    }
}

INDEX_KERNEL(limiter_boundary, struct limiter_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    double low = lowest_of(&a->bounds), high = highest_of(&a->bounds);
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k];
        double into = a->correction[s->n_internal + face], x = a->boundary.value[face];
        int rule = a->boundary.rule[face], flux = a->boundary.through && a->boundary.through[face] != 0;
        if (rule == RULE_MIXED)         /* of x, not of the solution whose corrections these are */
            x = fma(a->boundary.mixed[face], a->x[row], a->boundary.mixed[s->n_boundary + face]);
        int given = !a->within && (rule == RULE_VALUE || rule == RULE_MIXED || (rule == RULE_GRADIENT && flux));
        x = x < low ? low : x > high ? high : x;
        if (given && x < a->lowest[row]) a->lowest[row] = x;
        if (given && x > a->highest[row]) a->highest[row] = x;
        if (into > 0) a->plus[row] += into;
        else a->minus[row] += into;
        if (a->flux) a->sum[row] += fabs(a->flux[s->n_internal + face]);
    }
}

/* What enters a cell is half of what enters and leaves. */
ON_DEVICE double weight_of(const struct limiter_args *a, int64_t i)
{
    if (!a->flux) return a->weight[i];
    double carried = fma(a->per_volume * a->s.volume[i], a->capacity ? a->capacity[i] : 1.0, 0.5 * a->sum[i]);
    return a->weight[i] < 2 * carried ? a->weight[i] : 2 * carried;
}

INDEX_KERNEL(limiter_factors, struct limiter_args)
{
    double weight = a->part * weight_of(a, i), up = weight * (a->highest[i] - a->x[i]);
    double down = weight * (a->lowest[i] - a->x[i]);
    a->plus[i] = i < a->first_free ? part_kept(up, a->plus[i]) : 1.0;
    a->minus[i] = i < a->first_free ? part_kept(-down, -a->minus[i]) : 1.0;
}

/* The share of `wanted` that fits into `room`, both of one sign. */
ON_DEVICE double share_of(double room, double wanted)
{
    if (wanted < 0) room = -room, wanted = -wanted;
    return wanted <= room ? 1.0 : room > 0 ? room / wanted : 0.0;
}

SLICE_KERNEL(limiter_shares, struct limiter_shares_args)
{
    const struct limiter_args *l = &a->of;
    const struct stencil *s = &l->s;
    double low = lowest_of(&l->bounds), high = highest_of(&l->bounds);
    PHASE(w) {
        WARP_VAR(double, plus);
        WARP_VAR(double, minus);
        WARP_VAR(double, plus_kept);
        WARP_VAR(double, minus_kept);
        WARP_VAR(double, rest);
        LANES(t) {
            int64_t row = ROW(b, w, t);
            IN_WARP(plus) = IN_WARP(minus) = IN_WARP(plus_kept) = IN_WARP(minus_kept) = 0;
            IN_WARP(rest) = fma(-a->a.diag[row], l->x[row], l->rhs[row]);
        }
        ENTRIES(s->pattern, b, w, e)
            LANES(t) {
                int64_t row = ROW(b, w, t), other = COLUMN(b, s->pattern.col[e + t]);
                int32_t code = s->face[e + t];
                double into = FACE_SIGN(code) * l->correction[FACE_OF(code)];
                double mine = into > 0 ? l->plus[row] : l->minus[row];
                double theirs = into > 0 ? l->minus[other] : l->plus[other];
                double kept = (theirs < mine ? theirs : mine) * into;
                IN_WARP(plus) += into > 0 ? into : 0.0;
                IN_WARP(minus) += into < 0 ? into : 0.0;
                IN_WARP(plus_kept) += into > 0 ? kept : 0.0;
                IN_WARP(minus_kept) += into < 0 ? kept : 0.0;
                IN_WARP(rest) = fma(-a->a.val[e + t], l->x[other], IN_WARP(rest));
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            double up = fma(a->a.diag[row], high - l->x[row], -IN_WARP(rest));
            double down = fma(a->a.diag[row], low - l->x[row], -IN_WARP(rest));
            int own = row >= l->first_free;
            l->highest[row] = own ? share_of(up - IN_WARP(minus_kept), IN_WARP(plus)) : l->plus[row];
            l->lowest[row] = own ? share_of(down - IN_WARP(plus_kept), IN_WARP(minus)) : l->minus[row];
        }
    }
}

INDEX_KERNEL(limiter_faces, struct limiter_args)
{
    double correction = a->correction[i];
    int32_t owner = a->s.owner[i];
    double part = correction > 0 ? a->plus[owner] : a->minus[owner];
    if (i < a->s.n_internal) {
        int32_t other = a->s.neighbour[i];
        double theirs = correction > 0 ? a->minus[other] : a->plus[other];
        part = theirs < part ? theirs : part;
    }
    a->correction[i] = part * correction;
}
