#include "assembly/coupled_system.h"
#include "solve/pattern_row.h"

/* Number (i, j) of the block of lane t in a run of 32 blocks. */
#define BLOCK(run, i, j) (run)[((i) * block + (j)) * WARP + t]

/* One warp of rows over its internal faces.  dim is a constant. */
ON_DEVICE void coupled_warp(const struct coupled_args *a, int64_t b, int w, const int dim)
{
    const struct stencil *s = &a->s;
    const int block = dim + 1;
    WARP_ARRAY(double, area, 3);                /* sum of the own part of S */
    WARP_ARRAY(double, rest, 3);
    WARP_VAR(double, diffusion);
    WARP_VAR(double, net);
    LANES(t) {
        int64_t row = ROW(b, w, t);
        IN_WARP(diffusion) = IN_WARP(net) = 0;
        for (int k = 0; k < dim; k++) {
            IN_WARP_AT(area, k) = 0;
            double u = CELL_VALUE(*s, a->u, k, row), rhs = CELL_VALUE(*s, a->rhs, k, row);
            IN_WARP_AT(rest, k) = fma(-a->momentum.diag[row], u, rhs);
        }
    }
    ENTRIES(a->a.p, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, a->a.p.col[e + t]);
            double sign = FACE_SIGN(code), own = code > 0 ? s->weight[f] : 1 - s->weight[f];
            double mine = a->rhie[row], theirs = a->rhie[other], d = fma(own, mine, (1 - own) * theirs);
            double off = a->momentum.val[e + t], c = sign * sign * a->density * s->g[f] * d;
            double *val = a->a.val + e * block * block;
            IN_WARP(diffusion) += c;
            IN_WARP(net) = fma(sign, a->flux[f], IN_WARP(net));
            for (int k = 0; k < dim; k++) {
                double out = sign * FACE_VECTOR(*s, area, k, f), across = (1 - own) * out;
                IN_WARP_AT(area, k) = fma(own, out, IN_WARP_AT(area, k));
                IN_WARP_AT(rest, k) = fma(-off, CELL_VALUE(*s, a->u, k, other), IN_WARP_AT(rest, k));
                for (int j = 0; j < dim; j++) BLOCK(val, k, j) = k == j ? off : 0.0;
                BLOCK(val, k, dim) = across;
                BLOCK(val, dim, k) = a->scale * a->density * across;
            }
            BLOCK(val, dim, dim) = -a->scale * c;
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double *diag = a->a.diag + ROW(b, w, 0) * block * block;
        double own = (1 + a->inertia) * a->relaxation * a->momentum.diag[row];
        for (int k = 0; k < dim; k++) {
            for (int j = 0; j < dim; j++) BLOCK(diag, k, j) = k == j ? own : 0.0;
            BLOCK(diag, k, dim) = IN_WARP_AT(area, k);
            BLOCK(diag, dim, k) = a->scale * a->density * IN_WARP_AT(area, k);
            CELL_VALUE(*s, a->residual, k, row) = IN_WARP_AT(rest, k);
        }
        BLOCK(diag, dim, dim) = row < s->n_cells ? a->scale * IN_WARP(diffusion) : 1.0;
        CELL_VALUE(*s, a->residual, dim, row) = -a->scale * IN_WARP(net);
    }
}

CROWDED_SLICE_KERNEL(coupled_matrix, struct coupled_args, 2)
{
    PHASE(w) {
        if (a->s.dim == 2) coupled_warp(a, b, w, 2);
        else coupled_warp(a, b, w, 3);
    }
}

/* Friction of the normal component alone, D g n n in place of the isotropic D g of add_slip() (transport.cu), which
 * would hold back changes along the face. */
ON_DEVICE void slip_block(const struct coupled_args *a, int32_t f, double *diag, int t)
{
    const struct stencil *s = &a->s;
    const int block = s->dim + 1;
    double coefficient = a->viscosity * s->g[f], ss = 0, largest = 0;
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f);
        ss = fma(area, area, ss);
        if (area * area > largest) largest = area * area;
    }
    for (int k = 0; k < s->dim; k++)
        for (int j = 0; j < s->dim; j++)
            BLOCK(diag, k, j) += coefficient * (FACE_VECTOR(*s, area, k, f) * FACE_VECTOR(*s, area, j, f)
                                                - (k == j ? largest : 0.0)) / ss;
}

INDEX_KERNEL(coupled_boundary, struct coupled_args)
{
    const struct stencil *s = &a->s;
    const int dim = s->dim, block = dim + 1;
    int32_t row = s->boundary_cell[i];
    int t = row % WARP;
    double *diag = a->a.diag + (int64_t)(row - t) * block * block;
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k], f = s->n_internal + face;
        int extrapolated = a->b.pressure_rule[face] == RULE_EXTRAPOLATED, is_free = a->b.flux_rule[face] == FLUX_FREE;
        if (a->b.velocity_rule[face] == RULE_SLIP) slip_block(a, f, diag, t);
        for (int j = 0; j < dim; j++) {
            double area = FACE_VECTOR(*s, area, j, f);
            if (extrapolated) BLOCK(diag, j, dim) += area;
            if (is_free) BLOCK(diag, dim, j) += a->scale * a->density * area;
        }
        if (is_free) BLOCK(diag, dim, dim) += a->scale * a->density * s->g[f] * a->rhie[row];
        CELL_VALUE(*s, a->residual, dim, row) -= a->scale * a->flux[f];
    }
}

SLICE_KERNEL(coupled_size, struct coupled_size_args)
{
    SLICE_VAR(double, v);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        IN_SLICE(v) = row < a->momentum.p.n ? a->momentum.diag[row] : 0.0;
    }
    SUM_OF_SLICE(a->sums, 0, b, v)
}

/* ---------------------------------------------------------------- changes */
INDEX_KERNEL(coupled_hold, struct coupled_hold_args)
{
    const int block = a->s.dim + 1, t = (int)(i % WARP);
    double *diag = a->a.diag + (i - t) * block * block;
    for (int k = 0; k < a->s.dim; k++) BLOCK(diag, k, k) += a->more * a->s.volume[i] / a->rhie[i];
}

SLICE_KERNEL(coupled_norms, struct coupled_norms_args)
{
    const struct stencil *s = &a->s;
    SLICE_VAR(double, size);
    SLICE_VAR(double, change);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        double uu = 0, dd = 0;
        for (int k = 0; k < s->dim; k++) {
            double u = CELL_VALUE(*s, a->u, k, row), d = CELL_VALUE(*s, a->change, k, row);
            uu = fma(u, u, uu), dd = fma(d, d, dd);
        }
        IN_SLICE(size) = s->volume[row] * uu, IN_SLICE(change) = s->volume[row] * dd;
    }
    SUM_OF_SLICE(a->sums, 0, b, size)
    SUM_OF_SLICE(a->sums, 1, b, change)
}

INDEX_KERNEL(coupled_change, struct coupled_change_args)
{
    const struct stencil *s = &a->s;
    for (int k = 0; k < s->dim; k++) CELL_VALUE(*s, a->u, k, i) += CELL_VALUE(*s, a->change, k, i);
    a->p[i] += CELL_VALUE(*s, a->change, s->dim, i);
}

INDEX_KERNEL(coupled_change_flux, struct coupled_change_args)
{
    const struct stencil *s = &a->s;
    const double *p = a->change + s->dim * s->pitch;
    double through = 0;
    for (int k = 0; k < s->dim; k++)
        through = fma(face_value(s, a->change, k, i), FACE_VECTOR(*s, area, k, i), through);
    double step = p[s->neighbour[i]] - p[s->owner[i]];
    a->flux[i] += a->density * fma(-s->g[i] * face_value(s, a->rhie, 0, i), step, through);
}

INDEX_KERNEL(coupled_change_boundary_flux, struct coupled_change_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    if (a->b.flux_rule[i] != FLUX_FREE) return;
    double through = 0;
    for (int k = 0; k < s->dim; k++)
        through = fma(CELL_VALUE(*s, a->change, k, cell), FACE_VECTOR(*s, area, k, f), through);
    a->flux[f] += a->density * fma(s->g[f] * a->rhie[cell], CELL_VALUE(*s, a->change, s->dim, cell), through);
}
