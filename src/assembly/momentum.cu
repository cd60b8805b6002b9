#include "assembly/momentum_kernels.h"
#include "solve/pattern_row.h"

/* Component k from the upwind cell's centre to the face's; the upwind cell is the face's owner where its flux is >= 0. */
ON_DEVICE double upwind_arm(const struct stencil *s, int k, int32_t f, int owner_upwind, int regular)
{
    double d = FACE_VECTOR(*s, d, k, f);
    if (regular) return owner_upwind ? (1 - s->weight[f]) * d : -s->weight[f] * d;
    return owner_upwind ? FACE_VECTOR(*s, r, k, f) : FACE_VECTOR(*s, r, k, f) - d;
}

/* What the scheme adds to the upwind value x_up at the face.
 * slope: gradient of the upwind cell along d, towards the downwind cell; part: how far the face is on that way. */
ON_DEVICE double van_leer(double x_up, double x_down, double slope, double part)
{
    double step = x_down - x_up, back = 2 * slope - step;
    return back * step > 0 ? part * 2 * back * step / (back + step) : 0.0;
}

/* One warp of rows over its internal faces. dim, scheme, regular (orthogonal and unskewed) and mixture are constants. */
ON_DEVICE void momentum_warp(const struct momentum *a, int64_t b, int w, const int dim, const int scheme, const int regular,
                             const int mixture)
{
    const struct stencil *s = &a->s;
    WARP_VAR(double, diagonal);
    WARP_ARRAY(double, rhs, 3);
    LANES(t) IN_WARP(diagonal) = 0;
    for (int i = 0; i < dim; i++) LANES(t) IN_WARP_AT(rhs, i) = 0;
    ENTRIES(a->a.p, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, a->a.p.col[e + t]);
            double sign = FACE_SIGN(code), flux = sign * a->flux[f];
            double viscosity = mixture ? a->viscosity_faces[f] : a->viscosity;
            double off = sign * sign * viscosity * s->g[f] + (flux < 0 ? -flux : 0.0);
            a->a.val[e + t] = -off;
            IN_WARP(diagonal) += off;

            int32_t up = flux >= 0 ? row : other;
            int owner_upwind = (flux >= 0) == (code > 0);
            double own = code > 0 ? s->weight[f] : 1 - s->weight[f];                /* weight of this row */
            double arm[3], skew[3];
            for (int k = 0; k < dim; k++) {
                if (scheme == CONVECTION_LINEAR_UPWIND) arm[k] = upwind_arm(s, k, f, owner_upwind, regular);
                if (scheme == CONVECTION_CENTRAL && !regular)
                    skew[k] = FACE_VECTOR(*s, r, k, f) - (1 - s->weight[f]) * FACE_VECTOR(*s, d, k, f);
            }
            for (int i = 0; i < dim; i++) {
                const double *gradient = a->grad_u + (int64_t)i * dim * s->pitch;
                double mine = CELL_VALUE(*s, a->u, i, row), theirs = CELL_VALUE(*s, a->u, i, other), more = 0;
                double at_up = flux >= 0 ? mine : theirs, at_down = flux >= 0 ? theirs : mine;
                if (scheme == CONVECTION_LINEAR_UPWIND)
                    for (int k = 0; k < dim; k++) more = fma(CELL_VALUE(*s, gradient, k, up), arm[k], more);
                if (scheme == CONVECTION_CENTRAL) more = fma(own, mine, (1 - own) * theirs) - at_up;
                if (scheme == CONVECTION_VAN_LEER) {
                    double slope = 0;
                    for (int k = 0; k < dim; k++) slope = fma(CELL_VALUE(*s, gradient, k, up), FACE_VECTOR(*s, d, k, f), slope);
                    more = van_leer(at_up, at_down, owner_upwind ? slope : -slope, flux >= 0 ? 1 - own : own);
                }
                if (scheme == CONVECTION_CENTRAL && !regular)
                    for (int k = 0; k < dim; k++)
                        more = fma(fma(own, CELL_VALUE(*s, gradient, k, row), (1 - own) * CELL_VALUE(*s, gradient, k, other)), skew[k], more);
                if (scheme != CONVECTION_UPWIND) IN_WARP_AT(rhs, i) = fma(-flux, more, IN_WARP_AT(rhs, i));
                if (!regular) IN_WARP_AT(rhs, i) = fma(sign, a->deferred[(int64_t)i * s->n_internal + f], IN_WARP_AT(rhs, i));
            }
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double sum = row < s->n_cells ? IN_WARP(diagonal) : 1.0, relaxed = sum / a->relaxation, volume = s->volume[row];
        a->a.diag[row] = relaxed;
        a->rhie[row] = volume / sum;
        a->correct[row] = volume / (a->simplec ? relaxed - sum : relaxed);
        for (int i = 0; i < dim; i++) {
            double u = CELL_VALUE(*s, a->u, i, row);
            CELL_VALUE(*s, a->u_old, i, row) = u;
            double force = (a->source ? CELL_VALUE(*s, a->source, i, row) : 0.0)
                         - (a->grad_p ? CELL_VALUE(*s, a->grad_p, i, row) : 0.0);
            CELL_VALUE(*s, a->rhs, i, row) = IN_WARP_AT(rhs, i) + force * volume + (relaxed - sum) * u;
        }
    }
}

#define MOMENTUM_KERNEL(name, scheme, mixture)                                                               \
    CROWDED_SLICE_KERNEL(name, struct momentum, 2)                                                           \
    {                                                                                                        \
        int regular = a->s.orthogonal && a->s.unskewed;                                                      \
        PHASE(w) {                                                                                           \
            if (a->s.dim == 2 && regular) momentum_warp(a, b, w, 2, scheme, 1, mixture);                     \
            else if (a->s.dim == 2) momentum_warp(a, b, w, 2, scheme, 0, mixture);                           \
            else if (regular) momentum_warp(a, b, w, 3, scheme, 1, mixture);                                 \
            else momentum_warp(a, b, w, 3, scheme, 0, mixture);                                              \
        }                                                                                                    \
    }
MOMENTUM_KERNEL(momentum_upwind, CONVECTION_UPWIND, 0)
MOMENTUM_KERNEL(mixture_upwind, CONVECTION_UPWIND, 1)
MOMENTUM_KERNEL(momentum_linear_upwind, CONVECTION_LINEAR_UPWIND, 0)
MOMENTUM_KERNEL(mixture_linear_upwind, CONVECTION_LINEAR_UPWIND, 1)
MOMENTUM_KERNEL(momentum_central, CONVECTION_CENTRAL, 0)
MOMENTUM_KERNEL(mixture_central, CONVECTION_CENTRAL, 1)
MOMENTUM_KERNEL(momentum_van_leer, CONVECTION_VAN_LEER, 0)
MOMENTUM_KERNEL(mixture_van_leer, CONVECTION_VAN_LEER, 1)

/* Adds what one boundary face gives to the diagonal and to the right-hand side of its cell. */
ON_DEVICE double add_face(const struct momentum *a, int32_t face, int32_t row, double *rhs)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + face;
    int rule = a->b.velocity_rule[face];
    double viscosity = a->viscosity_faces ? a->viscosity_faces[f] : a->viscosity, coefficient = viscosity * s->g[f];
    if (rule == RULE_GRADIENT) return 0;                                            /* u_f = u_P */
    if (rule == RULE_SLIP) {                /* only the normal component diffuses: mu g (u.n) n, the rest lagged */
        double ss = 0, normal = 0, largest = 0;
        for (int k = 0; k < s->dim; k++) {
            double area = FACE_VECTOR(*s, area, k, f);
            ss = fma(area, area, ss);
            normal = fma(area, CELL_VALUE(*s, a->u, k, row), normal);
            if (area * area > largest) largest = area * area;
        }
        for (int k = 0; k < s->dim; k++)
            rhs[k] += coefficient * (largest * CELL_VALUE(*s, a->u, k, row) - normal * FACE_VECTOR(*s, area, k, f)) / ss;
        return coefficient * largest / ss;
    }
    double inflow = a->flux[f] < 0 ? -a->flux[f] : 0.0, outflow = a->flux[f] > 0 ? a->flux[f] : 0.0, own = viscosity * a->wall_own[face];
    for (int i = 0; i < s->dim; i++) {
        double given = a->b.velocity[(int64_t)i * s->n_boundary + face];            /* what flows out has it too */
        double mine = CELL_VALUE(*s, a->u, i, row);
        rhs[i] = fma(coefficient + inflow, given, rhs[i]) - outflow * (given - mine);
        rhs[i] = fma(viscosity, a->wall[(int64_t)i * s->n_boundary + face], rhs[i]);
        rhs[i] = fma(own, mine, rhs[i]);
    }
    return coefficient + inflow + own;
}

INDEX_KERNEL(momentum_boundary, struct momentum)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    double inner = a->relaxation * a->a.diag[row], more = 0, rhs[3] = {0};          /* inner = sum |a_N| */
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++)
        more += add_face(a, s->boundary_face[k], row, rhs);
    double sum = inner + more, relaxed = sum / a->relaxation;
    a->a.diag[row] = relaxed;
    a->rhie[row] = s->volume[row] / sum;
    a->correct[row] = s->volume[row] / (a->simplec ? relaxed - inner : relaxed);
    for (int j = 0; j < s->dim; j++)
        CELL_VALUE(*s, a->rhs, j, row) += rhs[j] + (more / a->relaxation - more) * CELL_VALUE(*s, a->u, j, row);
}
