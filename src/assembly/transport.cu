/* Kernels that assemble the transport equation: faces, boundaries, sinks, time, corrections (transport.h). */
#include "assembly/transport.h"
#include "solve/pattern_row.h"

/* Component k from the upwind cell's centre to the face's; the upwind cell is the face's owner where its flux is >=
 * 0. */
ON_DEVICE double upwind_arm(const struct stencil *s, int k, int32_t f, int owner_upwind, int regular)
{
    double d = FACE_VECTOR(*s, d, k, f);
    if (regular) return owner_upwind ? (1 - s->weight[f]) * d : -s->weight[f] * d;
    return owner_upwind ? FACE_VECTOR(*s, r, k, f) : FACE_VECTOR(*s, r, k, f) - d;
}

/* The scheme's correction to the upwind value x_up at the face.  slope: the upwind cell's gradient times d, towards the
 * downwind cell; part: position of the face along d, 0 to 1. */
ON_DEVICE double van_leer(double x_up, double x_down, double slope, double part, int capped)
{
    double step = x_down - x_up, back = 2 * slope - step;
    if (capped && back * step > step * step) return part * step;
    return back * step > 0 ? part * 2 * back * step / (back + step) : 0.0;
}

struct cells { const struct stencil *s; const double *x, *gradient; int capped; };
/* The scheme's correction to component i of the upwind value at face f of this row.  dim, scheme and regular are
 * compile-time constants. */
ON_DEVICE double beyond_upwind(const struct cells *a, int i, int64_t row, int64_t other, int32_t f, int row_upwind,
                               int owner_upwind, double own, const double *arm, const double *skew, const int dim,
                               const int scheme, const int regular)
{
    const struct stencil *s = a->s;
    const double *gradient = a->gradient + (int64_t)i * dim * s->pitch;
    double mine = CELL_VALUE(*s, a->x, i, row), theirs = CELL_VALUE(*s, a->x, i, other), more = 0;
    double at_up = row_upwind ? mine : theirs, at_down = row_upwind ? theirs : mine;
    int32_t up = row_upwind ? row : other;
    if (scheme == CONVECTION_LINEAR_UPWIND)
        for (int k = 0; k < dim; k++) more = fma(CELL_VALUE(*s, gradient, k, up), arm[k], more);
    if (scheme == CONVECTION_CENTRAL) more = fma(own, mine, (1 - own) * theirs) - at_up;
    if (scheme == CONVECTION_VAN_LEER) {
        double slope = 0;
        for (int k = 0; k < dim; k++) slope = fma(CELL_VALUE(*s, gradient, k, up), FACE_VECTOR(*s, d, k, f), slope);
        more = van_leer(at_up, at_down, owner_upwind ? slope : -slope, row_upwind ? 1 - own : own,
                        !regular && a->capped);
    }
    if (scheme == CONVECTION_CENTRAL && !regular)
        for (int k = 0; k < dim; k++)
            more = fma(fma(own, CELL_VALUE(*s, gradient, k, row), (1 - own) * CELL_VALUE(*s, gradient, k, other)),
                       skew[k], more);
    return more;
}

/* One warp of rows over its internal faces.  components, dim, scheme, regular (orthogonal and unskewed) are
 * compile-time constants. */
ON_DEVICE void transport_warp(const struct transport *a, int64_t b, int w, const int components, const int dim,
                              const int scheme, const int regular)
{
    const struct stencil *s = &a->s;
    const struct cells x = {.s = s, .x = a->convected ? a->convected : a->x, .gradient = a->gradient,
                            .capped = a->capped};
    WARP_VAR(double, diagonal);
    WARP_ARRAY(double, rhs, 3);
    LANES(t) IN_WARP(diagonal) = 0;
    for (int i = 0; i < components; i++) LANES(t) IN_WARP_AT(rhs, i) = 0;
    ENTRIES(a->a.p, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, a->a.p.col[e + t]);
            double sign = FACE_SIGN(code), flux = sign * a->density * a->flux[f];
            double diffusivity = a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity;
            double off = sign * sign * diffusivity * s->g[f] + (flux < 0 ? -flux : 0.0);
            a->a.val[e + t] = -off;
            IN_WARP(diagonal) += off;

            int owner_upwind = (flux >= 0) == (code > 0);
            double own = code > 0 ? s->weight[f] : 1 - s->weight[f];                /* weight of this row */
            double arm[3], skew[3];
            for (int k = 0; k < dim; k++) {
                if (scheme == CONVECTION_LINEAR_UPWIND) arm[k] = upwind_arm(s, k, f, owner_upwind, regular);
                if (scheme == CONVECTION_CENTRAL && !regular)
                    skew[k] = FACE_VECTOR(*s, r, k, f) - (1 - s->weight[f]) * FACE_VECTOR(*s, d, k, f);
            }
            for (int i = 0; i < components; i++) {
                if (scheme != CONVECTION_UPWIND) {
                    double more = beyond_upwind(&x, i, row, other, f, flux >= 0, owner_upwind, own, arm, skew, dim,
                                                scheme, regular);
                    IN_WARP_AT(rhs, i) = fma(-flux, more, IN_WARP_AT(rhs, i));
                }
                if (!regular && a->deferred)
                    IN_WARP_AT(rhs, i) = fma(sign, a->deferred[(int64_t)i * s->n_internal + f], IN_WARP_AT(rhs, i));
            }
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double volume = s->volume[row], sink = a->sink ? a->sink[row] * volume : 0.0;
        double sum = row < s->n_cells ? IN_WARP(diagonal) + sink : 1.0, relaxed = sum / a->relaxation;
        a->a.diag[row] = relaxed;
        for (int i = 0; i < components; i++) {
            double force = (a->source ? CELL_VALUE(*s, a->source, i, row) : 0.0)
                         - (a->grad_p ? CELL_VALUE(*s, a->grad_p, i, row) : 0.0);
            CELL_VALUE(*s, a->rhs, i, row) =
                IN_WARP_AT(rhs, i) + force * volume + (relaxed - sum) * CELL_VALUE(*s, a->x, i, row);
        }
    }
}

/* components is a compile-time constant: 1 or dim. */
#define TRANSPORT_BY_DIM(scheme, regular)                                                                    \
    if (a->s.dim == 2 && a->components == 1) transport_warp(a, b, w, 1, 2, scheme, regular);                 \
    else if (a->s.dim == 2) transport_warp(a, b, w, 2, 2, scheme, regular);                                  \
    else if (a->components == 1) transport_warp(a, b, w, 1, 3, scheme, regular);                             \
    else transport_warp(a, b, w, 3, 3, scheme, regular);
#define TRANSPORT_KERNEL(name, kernel, word, gradient)                                                       \
    CROWDED_SLICE_KERNEL(transport_##kernel, struct transport, 2)                                            \
    {                                                                                                        \
        PHASE(w) {                                                                                           \
            if (a->s.orthogonal && a->s.unskewed) { TRANSPORT_BY_DIM(CONVECTION_##name, 1) }                 \
            else { TRANSPORT_BY_DIM(CONVECTION_##name, 0) }                                                  \
        }                                                                                                    \
    }
CONVECTION_SCHEMES(TRANSPORT_KERNEL)

/* Only the normal component diffuses: D g (x . n) n.  All of D g x is implicit and the difference is lagged, so that
 * the diagonal does not depend on the face's direction. */
ON_DEVICE double add_slip(const struct transport *a, int32_t f, int32_t row, double coefficient, double *rhs)
{
    const struct stencil *s = &a->s;
    double ss = 0, normal = 0;
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f);
        ss = fma(area, area, ss);
        normal = fma(area, CELL_VALUE(*s, a->x, k, row), normal);
    }
    for (int k = 0; k < s->dim; k++)
        rhs[k] += coefficient * (ss * CELL_VALUE(*s, a->x, k, row) - normal * FACE_VECTOR(*s, area, k, f)) / ss;
    return coefficient;
}

/* Adds the terms of one boundary face to the right-hand side of its cell; returns those for the diagonal. */
ON_DEVICE double add_face(const struct transport *a, int32_t face, int32_t row, double *rhs)
{
    const struct stencil *s = &a->s;
    const struct face_values *b = &a->boundary;
    int32_t f = s->n_internal + face;
    int rule = b->rule[face];
    double diffusivity = a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity;
    double coefficient = diffusivity * s->g[f];
    double flux = a->density * a->flux[f], inflow = flux < 0 ? -flux : 0.0, outflow = flux > 0 ? flux : 0.0;
    if (rule == RULE_SLIP) return add_slip(a, f, row, coefficient, rhs);
    if (rule == RULE_GRADIENT) {
        for (int i = 0; b->through && i < a->components; i++) rhs[i] += b->through[(int64_t)i * s->n_boundary + face];
        if (b->entering && b->entered[face] && inflow > 0) {
            for (int i = 0; i < a->components; i++)
                rhs[i] = fma(inflow, b->entering[(int64_t)i * s->n_boundary + face], rhs[i]);
            return inflow;
        }
        for (int i = 0; b->beyond && i < a->components; i++)
            rhs[i] = fma(-flux, b->beyond[(int64_t)i * s->n_boundary + face], rhs[i]);
        return 0;
    }
    if (rule == RULE_MIXED) {
        double part = 1 - b->mixed[face], given = b->mixed[s->n_boundary + face];
        rhs[0] = fma(coefficient + inflow, given, rhs[0]) - outflow * fma(-part, a->x[row], given);
        if (b->wall) rhs[0] = fma(diffusivity, b->wall[face], rhs[0]);
        return (coefficient + inflow) * part;
    }
    double own = b->wall_own ? diffusivity * b->wall_own[face] : 0.0;
    for (int i = 0; i < a->components; i++) {
        double given = b->value[(int64_t)i * s->n_boundary + face];                 /* also for outflow */
        double mine = CELL_VALUE(*s, a->x, i, row);
        rhs[i] = fma(coefficient + inflow, given, rhs[i]) - outflow * (given - mine);
        if (b->wall) rhs[i] = fma(diffusivity, b->wall[(int64_t)i * s->n_boundary + face], rhs[i]);
        rhs[i] = fma(own, mine, rhs[i]);
    }
    return coefficient + inflow + own;
}

INDEX_KERNEL(transport_boundary_cells, struct transport)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    double inner = a->relaxation * a->a.diag[row], more = 0, rhs[3] = {0};          /* inner = sum |a_N| */
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++)
        more += add_face(a, s->boundary_face[k], row, rhs);
    a->a.diag[row] = (inner + more) / a->relaxation;
    if (a->boundary_part) a->boundary_part[i] = more;
    for (int j = 0; j < a->components; j++)
        CELL_VALUE(*s, a->rhs, j, row) += rhs[j] + (more / a->relaxation - more) * CELL_VALUE(*s, a->x, j, row);
}

SLICE_KERNEL(transport_fix, struct transport)
{
    PHASE(w) {
        ENTRIES(a->a.p, b, w, e) LANES(t) if (a->fixed[ROW(b, w, t)]) a->a.val[e + t] = 0;
        for (int i = 0; i < a->components; i++)
            LANES(t) {
                int64_t row = ROW(b, w, t);
                if (a->fixed[row]) CELL_VALUE(a->s, a->rhs, i, row) = a->a.diag[row] * CELL_VALUE(a->s, a->x, i, row);
            }
    }
}

/* ---------------------------------------------------------------- time */
INDEX_KERNEL(transport_time, struct transport_time_args)
{
    const struct stencil *s = &a->s;
    if (a->fixed && a->fixed[i]) return;
    double amount = (a->capacity_cells ? a->capacity_cells[i] : a->capacity) * s->volume[i];
    a->a.diag[i] = fma(amount, a->t.c, a->a.diag[i]);
    for (int k = 0; k < a->components; k++)
        CELL_VALUE(*s, a->rhs, k, i) = fma(amount, cell_history(s, &a->t, k, i), CELL_VALUE(*s, a->rhs, k, i));
}

SLICE_KERNEL(transport_change, struct transport_change_args)
{
    for (int k = 0; k < a->components; k++) {
        SLICE_VAR(double, square);
        PHASE(w) LANES(t) {
            int64_t row = ROW(b, w, t), at = k * a->s.pitch + row;
            double amount = (a->capacity_cells ? a->capacity_cells[row] : a->capacity) * a->s.volume[row] * a->c;
            double change = row < a->s.n_cells ? amount * (a->x[at] - a->old[at]) : 0.0;
            IN_SLICE(square) = change * change;
        }
        SUM_OF_SLICE(a->sums, a->first + k, b, square)
    }
}

/* ---------------------------------------------------------------- scalars at faces */
/* dim and scheme are compile-time constants. */
ON_DEVICE double face_correction(const struct transport_faces_args *a, int32_t f, const int dim, const int scheme)
{
    const struct stencil *s = &a->s;
    const struct cells x = {.s = s, .x = a->x, .gradient = a->smooth ? a->smooth : a->gradient};
    double w = s->weight[f], flux = a->flux ? a->flux[f] : 0.0, stress = 0, arm[3], skew[3];
    int32_t p = s->owner[f], o = s->neighbour[f];
    for (int k = 0; k < dim; k++) {
        double mine = CELL_VALUE(*s, a->gradient, k, p), theirs = CELL_VALUE(*s, a->gradient, k, o);
        double between = fma(w, mine, (1 - w) * theirs);
        stress = fma(between, FACE_VECTOR(*s, area, k, f) - s->g[f] * FACE_VECTOR(*s, d, k, f), stress);
        arm[k] = upwind_arm(s, k, f, flux >= 0, 0);
        skew[k] = FACE_VECTOR(*s, r, k, f) - (1 - w) * FACE_VECTOR(*s, d, k, f);
    }
    double diffusivity = a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity;
    return fma(diffusivity, stress,
               -flux * beyond_upwind(&x, 0, p, o, f, flux >= 0, flux >= 0, w, arm, skew, dim, scheme, 0));
}

INDEX_KERNEL(transport_correction, struct transport_faces_args)
{
    double correction = 0;
#define OF_SCHEME(name, kernel, word, gradient)                                                              \
    if (a->scheme == CONVECTION_##name)                                                                      \
        correction = a->s.dim == 2 ? face_correction(a, (int32_t)i, 2, CONVECTION_##name)                    \
                                   : face_correction(a, (int32_t)i, 3, CONVECTION_##name);
    CONVECTION_SCHEMES(OF_SCHEME)
    a->correction[i] = correction;
}

INDEX_KERNEL(transport_boundary, struct transport_faces_args)
{
    const struct stencil *s = &a->s;
    const struct face_values *b = &a->boundary;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double x = a->x[cell], along = 0, normal = 0, sr = 0, ss = 0;       /* grad x . r, grad x . S, S . r, S . S */
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f), slope = a->gradient ? CELL_VALUE(*s, a->gradient, k, cell) : 0.0;
        along = fma(slope, FACE_VECTOR(*s, r, k, f), along);
        normal = fma(slope, area, normal);
        sr = fma(area, FACE_VECTOR(*s, r, k, f), sr);
        ss = fma(area, area, ss);
    }
    double across = fma(-s->g[f], along, normal);
    if (a->within) {                                    /* no more than half of the flux that an extreme would cause */
        double room = across > 0 ? highest_of(&a->bounds) - x : x - lowest_of(&a->bounds);
        across *= part_kept(0.5 * s->g[f] * room, fabs(across));
    }
    double part = b->rule[i] == RULE_MIXED ? b->mixed[i] : 0.0;
    a->wall[i] = b->rule[i] == RULE_VALUE || b->rule[i] == RULE_MIXED ? (1 - part) * across : 0.0;
    if (b->rule[i] == RULE_VALUE) return;
    double diffusivity = a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity;
    double entering = b->through && diffusivity > 0 ? b->through[i] / diffusivity : 0.0;    /* grad x . S as given */
    a->value[i] = b->rule[i] == RULE_MIXED ? fma(part, x, b->mixed[s->n_boundary + i]) - part * across / s->g[f]
                                           : x + along + (entering - normal) * sr / ss;
}

INDEX_KERNEL(transport_through, struct transport_faces_args)
{
    const struct stencil *s = &a->s;
    const struct face_values *b = &a->boundary;
    int32_t f = s->n_internal + (int32_t)i;
    double x = a->x[s->owner[f]], there = b->rule[i] == RULE_GRADIENT ? x : b->value[i], enters;
    if (b->rule[i] == RULE_MIXED) there = fma(b->mixed[i], x, b->mixed[s->n_boundary + i]);
    double diffusivity = a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity;
    if (b->rule[i] == RULE_GRADIENT) enters = b->through ? b->through[i] : 0.0;
    else enters = diffusivity * fma(s->g[f], there - x, b->wall[i]);
    a->correction[f] = a->flux ? fma(-a->flux[f], there, enters) : enters;
}
