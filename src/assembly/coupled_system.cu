/* Kernels that assemble the coupled velocity-pressure matrix and apply its solution (coupled_system.h). */
#include "assembly/coupled_system.h"
#include "solve/for_block.h"
#include "solve/pattern_row.h"

/* Number k of an entry or a row with `count` numbers, of lane t of the warp whose lane 0 is at `first`. */
#define PUT(array, first, count, k) (array)[(first) * (count) + (k) * WARP + t]

/* theta rho V for a row with this diagonal of the momentum: the factor of du . grad u in its block. */
ON_DEVICE double newton_part(const struct coupled_args *a, int64_t row, double diagonal, const int dim)
{
    double square = 0, whole = a->properties.density[0] * a->s.volume[row], most = a->newton * diagonal;
    for (int k = 0; k < dim * dim; k++) {
        double slope = CELL_VALUE(a->s, a->grad_u, k, row);
        square = fma(slope, slope, square);
    }
    double size = whole * sqrt(square);
    return size > most ? whole * (most / size) : whole;
}

/* The factor of g (g . du) in a row's block by buoyancy. */
ON_DEVICE double buoyancy_part(const struct coupled_args *a, int64_t row, double passage, const int dim)
{
    double along = 0, square = 0, v = a->s.volume[row];
    for (int k = 0; k < dim; k++) {
        along = fma(a->gravity[k], CELL_VALUE(a->s, a->grad_x, k, row), along);
        square = fma(a->gravity[k], a->gravity[k], square);
    }
    double factor = a->lighter * v * v * along / (a->part * passage * square);
    return factor > 0 ? factor : 0.0;
}

ON_DEVICE double inertia_factor(const struct coupled_args *a, int64_t row)
{
    const double viscosity = a->most_viscous > 0 && row < a->s.n_cells ? viscosity_in(&a->properties, row) : 0.0;
    return viscosity > a->most_viscous ? a->most_viscous / viscosity : 1.0;
}

/* One warp of rows over its internal faces.  dim is a constant. */
ON_DEVICE void coupled_warp(const struct coupled_args *a, int64_t b, int w, const int dim)
{
    const struct stencil *s = &a->s;
    const struct arrow_blocks *arrow = &a->a.arrow;
    const int block = dim + 1, square = block * block;
    const double border = a->scale, corner = border * border;
    WARP_ARRAY(double, area, 3);                /* sum of own weight times S */
    WARP_ARRAY(double, all, 3);                 /* sum of S */
    WARP_ARRAY(double, rest, 3);
    WARP_VAR(double, coupling);                 /* sum of a_N */
    WARP_VAR(double, diffusion);
    WARP_VAR(double, net);
    WARP_VAR(double, passage);                  /* sum of b_N */
    WARP_VAR(double, weight);                   /* times g_i g_j: implicit buoyancy */
    LANES(t) {
        int64_t row = ROW(b, w, t);
        IN_WARP(coupling) = IN_WARP(diffusion) = IN_WARP(net) = IN_WARP(passage) = 0;
        for (int k = 0; k < dim; k++) {
            IN_WARP_AT(area, k) = IN_WARP_AT(all, k) = 0;
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
            double off = a->momentum.val[e + t], c = sign * sign * s->g[f] * d;
            IN_WARP(coupling) += off;
            IN_WARP(diffusion) += c;
            IN_WARP(net) = fma(sign, a->flux[f], IN_WARP(net));
            double out_of_row = sign * a->flux[f];
            IN_WARP(passage) += sign * sign * a->diffusivity * s->g[f] + (out_of_row < 0 ? -out_of_row : 0.0);
            if (arrow->val) {
                PUT(arrow->val, e, block + 1, 0) = (float)off;
                PUT(arrow->val, e, block + 1, block) = (float)(-corner * c);
            } else {
                for (int k = 0; k < square; k++) PUT(a->a.val, e, square, k) = 0;
                for (int k = 0; k < dim; k++) PUT(a->a.val, e, square, k * block + k) = off;
                PUT(a->a.val, e, square, square - 1) = -corner * c;
            }
            for (int k = 0; k < dim; k++) {
                double out = sign * FACE_VECTOR(*s, area, k, f), across = border * ((1 - own) * out);
                IN_WARP_AT(area, k) = fma(own, out, IN_WARP_AT(area, k));
                IN_WARP_AT(all, k) += out;
                IN_WARP_AT(rest, k) = fma(-off, CELL_VALUE(*s, a->u, k, other), IN_WARP_AT(rest, k));
                if (arrow->val) PUT(arrow->val, e, block + 1, 1 + k) = (float)across;
                else PUT(a->a.val, e, square, k * block + dim) = PUT(a->a.val, e, square, dim * block + k) = across;
            }
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        IN_WARP(weight) = a->lighter != 0 && row < s->n_cells ? buoyancy_part(a, row, IN_WARP(passage), dim) : 0.0;
    }
    for (int k = 0; k < square; k++) {
        const int i = k / block, j = k % block, side = i < dim ? i : j;         /* side: dim in the corner */
        LANES(t) {
            const int64_t row = ROW(b, w, t), first = ROW(b, w, 0);
            const double own = (1 + a->inertia * inertia_factor(a, row)) * a->relaxation * a->momentum.diag[row];
            double number = 0, sum = 0;         /* of the diagonal block; row sum of the blocks */
            if (i == dim && j == dim) {
                number = row < s->n_cells ? corner * IN_WARP(diffusion) : 1.0;
                sum = row < s->n_cells ? 0.0 : 1.0;
            } else if (i < dim && j < dim) {
                double newton = 0;
                if (a->newton > 0) newton = newton_part(a, row, own, dim) * CELL_VALUE(*s, a->grad_u, i * dim + j, row);
                if (a->lighter != 0) newton += IN_WARP(weight) * a->gravity[i] * a->gravity[j];
                number = (i == j ? own : 0.0) + newton;
                sum = (i == j ? own + IN_WARP(coupling) : 0.0) + newton;
            } else if (i == dim || j == dim) {
                number = border * IN_WARP_AT(area, side);
                sum = border * IN_WARP_AT(all, side);
            }
            if (arrow->val) {
                PUT(arrow->diag, first, square, k) = (float)number;
                PUT(arrow->excess, first, square, k) = (float)sum;
            } else PUT(a->a.diag, first, square, k) = number;
        }
    }
    LANES(t) {
        const int64_t row = ROW(b, w, t);
        for (int k = 0; k < dim; k++) CELL_VALUE(*s, a->residual, k, row) = IN_WARP_AT(rest, k);
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

/* Adds to number (i, j) of a row's own block. */
ON_DEVICE void add_own(const struct matrix *a, int64_t row, int i, int j, double more)
{
    const int64_t at = BLOCK_NUMBER(row, (i * a->block + j), (a->block * a->block));
    if (a->arrow.val) a->arrow.diag[at] += (float)more, a->arrow.excess[at] += (float)more;
    else a->diag[at] += more;
}

/* Friction of the normal component only: D g n n instead of the isotropic D g of add_slip() (transport.cu), which would
 * damp changes along the face. */
ON_DEVICE void slip_block(const struct coupled_args *a, int32_t f, int32_t row)
{
    const struct stencil *s = &a->s;
    double coefficient = viscosity_at(&a->properties, f) * s->g[f], ss = 0;
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f);
        ss = fma(area, area, ss);
    }
    for (int k = 0; k < s->dim; k++)
        for (int j = 0; j < s->dim; j++)
            add_own(&a->a, row, k, j, coefficient * (FACE_VECTOR(*s, area, k, f) * FACE_VECTOR(*s, area, j, f)
                                                     - (k == j ? ss : 0.0)) / ss);
}

INDEX_KERNEL(coupled_boundary, struct coupled_args)
{
    const struct stencil *s = &a->s;
    const int dim = s->dim;
    const double border = a->scale;
    int32_t row = s->boundary_cell[i];
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k], f = s->n_internal + face;
        int extrapolated = a->b.pressure_rule[face] == RULE_EXTRAPOLATED, is_free = a->b.flux_rule[face] == FLUX_FREE;
        double c = s->g[f] * a->rhie[row], stiffness = is_free ? a->b.stiffness[face] : 0.0;
        double less = 1 / fma(c, stiffness, 1.0);
        if (a->b.velocity_rule[face] == RULE_SLIP) slip_block(a, f, row);
        for (int j = 0; j < dim; j++) {
            double area = FACE_VECTOR(*s, area, j, f);
            if (extrapolated) add_own(&a->a, row, j, dim, border * area);
            if (is_free) add_own(&a->a, row, dim, j, border * area * less);
            for (int l = 0; l < dim && stiffness > 0; l++)
                add_own(&a->a, row, l, j, stiffness * less * area * FACE_VECTOR(*s, area, l, f));
            if (stiffness > 0) add_own(&a->a, row, j, dim, border * stiffness * less * c * area);
        }
        if (is_free) add_own(&a->a, row, dim, dim, border * border * s->g[f] * a->rhie[row] * less);
        CELL_VALUE(*s, a->residual, dim, row) -= a->scale * a->flux[f];
    }
}

INDEX_KERNEL(coupled_pin, struct coupled_args)
{
    const int dim = a->s.dim, block = a->a.block;
    int32_t row = a->b.pin[i];
    const int64_t at = BLOCK_NUMBER(row, (block * block - 1), (block * block));
    add_own(&a->a, row, dim, dim, a->a.arrow.val ? (double)a->a.arrow.diag[at] : a->a.diag[at]);
}

SLICE_KERNEL(coupled_size, struct coupled_size_args)
{
    SLICE_VAR(double, v);
    SLICE_VAR(double, fluidity);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        IN_SLICE(v) = row < a->momentum.p.n ? a->momentum.diag[row] : 0.0;
        IN_SLICE(fluidity) = row < a->momentum.p.n ? a->s.volume[row] / viscosity_in(&a->properties, row) : 0.0;
    }
    SUM_OF_SLICE(a->sums, 0, b, v)
    SUM_OF_SLICE(a->sums, 1, b, fluidity)
}

/* ---------------------------------------------------------------- changes */
INDEX_KERNEL(coupled_hold, struct coupled_hold_args)
{
    for (int k = 0; k < a->s.dim; k++) add_own(&a->a, i, k, k, a->more * a->s.volume[i] / a->rhie[i]);
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
    a->p[i] += a->unit * CELL_VALUE(*s, a->change, s->dim, i);
}

INDEX_KERNEL(coupled_change_flux, struct coupled_change_args)
{
    const struct stencil *s = &a->s;
    const double *p = a->change + s->dim * s->pitch;
    double through = 0;
    for (int k = 0; k < s->dim; k++)
        through = fma(face_value(s, a->change, k, i), FACE_VECTOR(*s, area, k, i), through);
    double step = a->unit * (p[s->neighbour[i]] - p[s->owner[i]]);
    a->flux[i] += fma(-s->g[i] * face_value(s, a->rhie, 0, i), step, through);
}

INDEX_KERNEL(coupled_change_boundary_flux, struct coupled_change_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    if (a->b.flux_rule[i] != FLUX_FREE) return;
    double through = 0, pressure = a->unit * CELL_VALUE(*s, a->change, s->dim, cell);
    for (int k = 0; k < s->dim; k++)
        through = fma(CELL_VALUE(*s, a->change, k, cell), FACE_VECTOR(*s, area, k, f), through);
    double c = s->g[f] * a->rhie[cell];
    a->flux[f] += fma(c, pressure, through) / fma(c, a->b.stiffness[i], 1.0);
}
