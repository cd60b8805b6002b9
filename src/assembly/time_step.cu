#include "assembly/time_step.h"
#include "solve/pattern_row.h"

/* h of a face's flux. */
ON_DEVICE double face_history(const struct time_step *t, int64_t f)
{
    double h = t->h1 * t->flux_old[f];
    return t->h2 != 0 ? fma(t->h2, t->flux_older[f], h) : h;
}

INDEX_KERNEL(piso_coefficients, struct piso_coefficients_args)
{
    const struct stencil *s = &a->s;
    double volume = s->volume[i], diagonal = a->a.diag[i], mass = (a->mixture ? a->mixture[i] : a->density) * volume;
    a->inverse[i] = volume / diagonal;
    a->inertia[i] = mass / diagonal;
    for (int k = 0; k < s->dim; k++)
        CELL_VALUE(*s, a->predicted, k, i) = fma(-mass, CELL_VALUE(*s, a->acceleration, k, i),
                                                 CELL_VALUE(*s, a->rhs, k, i));
}

ON_DEVICE void without_pressure_warp(const struct without_pressure_args *a, int64_t b, int w, const int dim)
{
    WARP_ARRAY(double, sum, 3);
    for (int k = 0; k < dim; k++) LANES(t) IN_WARP_AT(sum, k) = CELL_VALUE(a->s, a->rhs, k, ROW(b, w, t));
    ENTRIES(a->a.p, b, w, e)
        for (int k = 0; k < dim; k++)
            LANES(t) {
                int64_t other = COLUMN(b, a->a.p.col[e + t]);
                IN_WARP_AT(sum, k) = fma(-a->a.val[e + t], CELL_VALUE(a->s, a->u, k, other), IN_WARP_AT(sum, k));
            }
    for (int k = 0; k < dim; k++)
        LANES(t) CELL_VALUE(a->s, a->hat, k, ROW(b, w, t)) = IN_WARP_AT(sum, k) / a->a.diag[ROW(b, w, t)];
}

SLICE_KERNEL(without_pressure, struct without_pressure_args)
{
    PHASE(w) {
        if (a->s.dim == 2) without_pressure_warp(a, b, w, 2);
        else without_pressure_warp(a, b, w, 3);
    }
}

INDEX_KERNEL(transient_through, struct transient_flux_args)
{
    const struct stencil *s = &a->s;
    int32_t p = s->owner[i], n = s->neighbour[i];
    double w = s->weight[i], diffusivity = 1 / (w / a->inverse[p] + (1 - w) / a->inverse[n]), through = 0;
    double remembered = a->density * diffusivity;
    if (a->force) {
        double density = fma(w, a->inertia[p] / a->inverse[p], (1 - w) * (a->inertia[n] / a->inverse[n]));
        remembered = face_value(s, a->inertia, 0, i);
        diffusivity = fmax(diffusivity, remembered / density);
    }
    double history = face_history(&a->t, i);
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, i);
        through = fma(face_value(s, a->hat, k, i), area, through);
        history = fma(-fma(w, cell_history(s, &a->t, k, p), (1 - w) * cell_history(s, &a->t, k, n)), area, history);
    }
    if (a->reconstructed) through = fma(1 - remembered * a->t.c, a->reconstructed[i], through);
    a->through[i] = fma(remembered, history, through);
    a->coefficient[i] = s->g[i] * diffusivity;
}

/* What pressure and forces have last added to the velocity (with a minus), component k at an internal face. */
ON_DEVICE double correction(const struct stencil *s, const double *inertia, const double *acceleration, int k,
                            int64_t f)
{
    int32_t p = s->owner[f], n = s->neighbour[f];
    double own = s->weight[f] * inertia[p], others = (1 - s->weight[f]) * inertia[n];
    return fma(own, CELL_VALUE(*s, acceleration, k, p), others * CELL_VALUE(*s, acceleration, k, n));
}

INDEX_KERNEL(transient_flux, struct transient_flux_args)
{
    const struct stencil *s = &a->s;
    double flux = a->through[i];
    if (a->force) flux = fma(a->coefficient[i] / s->g[i], a->force[i], flux);
    if (a->force && s->orthogonal) { a->flux[i] = flux; return; }
    for (int k = 0; k < s->dim; k++) {
        double last = correction(s, a->inertia, a->acceleration, k, i);
        double along = a->force ? last * s->g[i]
                                : a->density * a->coefficient[i] * face_value(s, a->acceleration, k, i);
        flux = fma(-last, FACE_VECTOR(*s, area, k, i), fma(along, FACE_VECTOR(*s, d, k, i), flux));
    }
    a->flux[i] = flux;
}

/* Outlet: without the part of the cell's pressure, which is an unknown. */
INDEX_KERNEL(transient_boundary_flux, struct transient_flux_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    int rule = a->b.flux_rule[i];
    double through = 0, given = 0, history = face_history(&a->t, f);
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f);
        through = fma(CELL_VALUE(*s, a->hat, k, cell), area, through);
        history = fma(-cell_history(s, &a->t, k, cell), area, history);
        given = fma(a->b.velocity[(int64_t)k * s->n_boundary + i], area, given);
    }
    a->coefficient[f] = 0;
    if (rule == FLUX_FREE) {
        if (a->reconstructed) through = fma(1 - a->inertia[cell] * a->t.c, a->reconstructed[f], through);
        through = fma(a->inertia[cell], history, through);
        a->coefficient[f] = a->inverse[cell] * s->g[f];
        a->flux[f] = fma(-a->coefficient[f], a->b.pressure[i], through);
    } else
        a->flux[f] = rule == FLUX_GIVEN ? given : 0.0;
    a->through[f] = through;
}

/* ---------------------------------------------------------------- from faces to cells */
INDEX_KERNEL(correct_faces, struct correct_faces_args)
{
    const struct stencil *s = &a->s;
    double step = a->p[s->neighbour[i]] - a->p[s->owner[i]];
    a->flux[i] = fma(-a->coefficient[i], step, a->flux[i]);
    a->step[i] = a->force ? step - a->force[i] / s->g[i] : step;
}

INDEX_KERNEL(correct_boundary_faces, struct correct_faces_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    if (a->b.flux_rule[i] == FLUX_FREE) {
        a->flux[f] = fma(a->coefficient[f], a->p[cell], a->flux[f]);
        a->step[f] = a->coefficient[f] * (a->b.pressure[i] - a->p[cell]) / s->g[f];
        return;
    }
    double left = a->through[f] - a->flux[f];
    for (int k = 0; k < s->dim; k++)
        left = fma(-a->inertia[cell] * CELL_VALUE(*s, a->acceleration, k, cell),
                   FACE_VECTOR(*s, area, k, f) - s->g[f] * FACE_VECTOR(*s, d, k, f), left);
    a->step[f] = left / s->g[f];
}

INDEX_KERNEL(wall_steps, struct correct_faces_args)
{
    const struct stencil *s = &a->s;
    int32_t place = a->b.wall_cell[i], cell = s->boundary_cell[place];
    for (int32_t k = s->boundary_start[place]; k < s->boundary_start[place + 1]; k++) {
        int32_t face = s->boundary_face[k];
        a->step[s->n_internal + face] = a->inverse[cell] * (a->b.pressure[face] - a->p[cell]);
    }
}

/* What the sum x of S times the steps to the faces adds to velocity (and, over the inertia, to the acceleration). */
ON_DEVICE void add_correction(const struct correct_cells_args *a, int64_t row, const double *x, int first,
                              const int dim)
{
    for (int i = 0; i < dim; i++) {
        double value = x[i] / a->s.volume[row], acceleration = value / a->inertia[row];
        double before = first ? CELL_VALUE(a->s, a->hat, i, row) : CELL_VALUE(a->s, a->u, i, row);
        CELL_VALUE(a->s, a->u, i, row) = before - value;
        CELL_VALUE(a->s, a->acceleration, i, row) =
            first ? acceleration : CELL_VALUE(a->s, a->acceleration, i, row) + acceleration;
    }
}

/* Density at internal face f between this row, whose weight is own, and the other. */
ON_DEVICE double density_between(const struct correct_cells_args *a, double own, int64_t row, int64_t other)
{
    return a->mixture ? fma(own, a->mixture[row], (1 - own) * a->mixture[other]) : a->density;
}

/* v = (sum d d^T / |d|^2)^-1 sum d y / (rho |d|^2): what the steps say of the acceleration in the cell. */
ON_DEVICE void along_warp(const struct correct_cells_args *a, int64_t b, int w, const int dim)
{
    const struct stencil *s = &a->s;
    WARP_ARRAY(double, sum, 3);
    for (int k = 0; k < dim; k++) LANES(t) IN_WARP_AT(sum, k) = 0;
    ENTRIES(s->pattern, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], f = FACE_OF(code);
            double d[3], dd = 0, own = code > 0 ? s->weight[f] : 1 - s->weight[f];
            for (int k = 0; k < dim; k++) d[k] = FACE_VECTOR(*s, d, k, f), dd = fma(d[k], d[k], dd);
            double density = density_between(a, own, ROW(b, w, t), COLUMN(b, s->pattern.col[e + t]));
            double scaled = code ? a->step[f] / (dd * density) : 0.0;
            for (int k = 0; k < dim; k++) IN_WARP_AT(sum, k) = fma(scaled, d[k], IN_WARP_AT(sum, k));
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        for (int i = 0; i < dim; i++) {
            double value = 0;
            for (int j = 0; j < dim; j++)
                value = fma(CELL_VALUE(*s, s->lsq, PACKED(i, j), row), IN_WARP_AT(sum, j), value);
            CELL_VALUE(*s, a->along, i, row) = value;
        }
    }
}

SLICE_KERNEL(steps_along, struct correct_cells_args)
{
    PHASE(w) {
        if (a->s.dim == 2) along_warp(a, b, w, 2);
        else along_warp(a, b, w, 3);
    }
}

INDEX_KERNEL(boundary_steps_along, struct correct_cells_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    double sum[3] = {0};
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t f = s->n_internal + s->boundary_face[k];
        double dd = 0;
        for (int j = 0; j < s->dim; j++) dd = fma(FACE_VECTOR(*s, d, j, f), FACE_VECTOR(*s, d, j, f), dd);
        for (int j = 0; j < s->dim; j++)
            sum[j] = fma(a->step[f] / (dd * a->inertia[row]), FACE_VECTOR(*s, d, j, f), sum[j]);
    }
    for (int m = 0; m < s->dim; m++)
        for (int j = 0; j < s->dim; j++)
            CELL_VALUE(*s, a->along, m, row) = fma(CELL_VALUE(*s, s->lsq, PACKED(m, j), row), sum[j],
                                                   CELL_VALUE(*s, a->along, m, row));
}

/* dim and skewed are constants. */
ON_DEVICE void correct_warp(const struct correct_cells_args *a, int64_t b, int w, const int dim, const int skewed)
{
    WARP_ARRAY(double, sum, 3);
    for (int k = 0; k < dim; k++) LANES(t) IN_WARP_AT(sum, k) = 0;
    ENTRIES(a->s.pattern, b, w, e)
        LANES(t) {
            int32_t code = a->s.face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, a->s.pattern.col[e + t]);
            double own = code > 0 ? a->s.weight[f] : 1 - a->s.weight[f], share = 1 - own;
            if (a->mixture) share *= a->mixture[row] / fma(share, a->mixture[row], own * a->mixture[other]);
            double step = (code ? share : 0.0) * a->inverse[row] * a->step[f];
            if (skewed) {
                double more = 0;
                for (int k = 0; k < dim; k++)
                    more = fma(fma(own, CELL_VALUE(a->s, a->along, k, row),
                                   (1 - own) * CELL_VALUE(a->s, a->along, k, other)),
                               FACE_VECTOR(a->s, r, k, f) - (1 - a->s.weight[f]) * FACE_VECTOR(a->s, d, k, f), more);
                step = fma(FACE_SIGN(code) * skew_part(&a->s, f) * a->inertia[row], more, step);
            }
            for (int k = 0; k < dim; k++)
                IN_WARP_AT(sum, k) = fma(step, FACE_VECTOR(a->s, area, k, f), IN_WARP_AT(sum, k));
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double x[3];
        for (int k = 0; k < dim; k++) x[k] = IN_WARP_AT(sum, k);
        if (row < a->s.n_cells) add_correction(a, row, x, 1, dim);
    }
}

SLICE_KERNEL(correct_cells, struct correct_cells_args)
{
    PHASE(w) {
        if (a->s.dim == 2 && a->along) correct_warp(a, b, w, 2, 1);
        else if (a->s.dim == 2) correct_warp(a, b, w, 2, 0);
        else if (a->along) correct_warp(a, b, w, 3, 1);
        else correct_warp(a, b, w, 3, 0);
    }
}

INDEX_KERNEL(correct_boundary_cells, struct correct_cells_args)
{
    int32_t row = a->s.boundary_cell[i];
    double sum[3] = {0};
    for (int32_t k = a->s.boundary_start[i]; k < a->s.boundary_start[i + 1]; k++) {
        int32_t f = a->s.n_internal + a->s.boundary_face[k];
        for (int j = 0; j < a->s.dim; j++) sum[j] = fma(a->step[f], FACE_VECTOR(a->s, area, j, f), sum[j]);
    }
    add_correction(a, row, sum, 0, a->s.dim);
}

/* ---------------------------------------------------------------- limits of the step */
SLICE_KERNEL(courant_numbers, struct courant_args)
{
    SLICE_VAR(double, all);
    SLICE_VAR(double, marked);
    PHASE(w) {
        WARP_VAR(double, gross);
        LANES(t) IN_WARP(gross) = 0;
        ENTRIES(a->s.pattern, b, w, e)
            LANES(t) {
                int32_t code = a->s.face[e + t];
                IN_WARP(gross) += code ? fabs(a->flux[FACE_OF(code)]) : 0.0;
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            IN_SLICE(all) = 0.5 * IN_WARP(gross) / a->s.volume[row];
            IN_SLICE(marked) = a->marked && a->marked[row] > 0 ? IN_SLICE(all) : 0.0;
        }
    }
    LARGEST_OF_SLICE(a->sums, 0, b, all)
    LARGEST_OF_SLICE(a->sums, 1, b, marked)
}
