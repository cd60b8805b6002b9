/* Kernels of a time step: predictor, face fluxes, pressure correction, cell velocities (time_step.h). */
#include "assembly/time_step.h"
#include "solve/pattern_row.h"

/* h of a face's flux. */
ON_DEVICE double face_history(const struct time_step *t, int64_t f)
{
    double h = t->h1 * t->flux_old[f];
    return t->h2 != 0 ? fma(t->h2, t->flux_older[f], h) : h;
}

/* ---------------------------------------------------------------- the momentum equation */
INDEX_KERNEL(momentum_diagonal, struct momentum_args) { a->diagonal[i] = a->a.diag[i] / a->s.volume[i]; }

ON_DEVICE double split_part(const struct momentum_args *a, int64_t f)
{
    return a->part * viscosity_at(&a->properties, f) * a->s.g[f];
}

ON_DEVICE void split_warp(const struct momentum_args *a, int64_t b, int w, const int dim)
{
    const struct stencil *s = &a->s;
    WARP_ARRAY(double, sum, 3);
    WARP_VAR(double, diagonal);
    LANES(t) IN_WARP(diagonal) = 0;
    for (int k = 0; k < dim; k++) LANES(t) IN_WARP_AT(sum, k) = 0;
    ENTRIES(s->pattern, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, s->pattern.col[e + t]);
            double more = code ? split_part(a, f) : 0.0;
            a->a.val[e + t] -= more;
            IN_WARP(diagonal) += more;
            for (int k = 0; k < dim; k++)
                IN_WARP_AT(sum, k) = fma(more, CELL_VALUE(*s, a->u, k, row) - CELL_VALUE(*s, a->u, k, other),
                                         IN_WARP_AT(sum, k));
        }
    LANES(t) a->a.diag[ROW(b, w, t)] += IN_WARP(diagonal);
    for (int k = 0; k < dim; k++) LANES(t) CELL_VALUE(*s, a->rhs, k, ROW(b, w, t)) += IN_WARP_AT(sum, k);
}

SLICE_KERNEL(split_viscosity, struct momentum_args)
{
    PHASE(w) {
        if (a->s.dim == 2) split_warp(a, b, w, 2);
        else split_warp(a, b, w, 3);
    }
}

INDEX_KERNEL(split_boundary_viscosity, struct momentum_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    double more = 0;
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++)
        if (a->velocity_rule[s->boundary_face[k]] == RULE_VALUE)
            more += split_part(a, s->n_internal + s->boundary_face[k]);
    a->a.diag[row] += more;
    for (int k = 0; k < s->dim; k++)
        CELL_VALUE(*s, a->rhs, k, row) = fma(more, CELL_VALUE(*s, a->u, k, row), CELL_VALUE(*s, a->rhs, k, row));
}

/* ---------------------------------------------------------------- slip boundaries */
INDEX_KERNEL(slip_rate, struct slip_args)
{
    const struct stencil *s = &a->s;
    double sum = 0;
    for (int32_t j = s->boundary_start[i]; j < s->boundary_start[i + 1]; j++)
        if (a->velocity_rule[s->boundary_face[j]] == RULE_SLIP) sum += s->g[s->n_internal + s->boundary_face[j]];
    a->rate[s->boundary_cell[i]] = sum / s->volume[s->boundary_cell[i]];
}

INDEX_KERNEL(slip_split, struct slip_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    double excess[3] = {0};
    for (int32_t j = s->boundary_start[i]; j < s->boundary_start[i + 1]; j++) {
        int32_t face = s->boundary_face[j], f = s->n_internal + face;
        if (a->velocity_rule[face] != RULE_SLIP) continue;
        double ss = 0, sum = 0, friction = viscosity_at(&a->properties, f) * s->g[f];
        for (int k = 0; k < s->dim; k++) {
            double area = FACE_VECTOR(*s, area, k, f);
            ss = fma(area, area, ss), sum += fabs(area);
        }
        for (int k = 0; k < s->dim; k++)
            excess[k] = fma(friction, 1 - fabs(FACE_VECTOR(*s, area, k, f)) * sum / ss, excess[k]);
    }
    for (int k = 0; k < s->dim; k++) {
        CELL_VALUE(*s, a->excess, k, row) = excess[k];
        CELL_VALUE(*s, a->rhs, k, row) = fma(-excess[k], CELL_VALUE(*s, a->u, k, row), CELL_VALUE(*s, a->rhs, k, row));
    }
}

/* A of a cell for a face's direction. */
ON_DEVICE double diagonal_across(const struct stencil *s, const double *diagonal, const double *excess, int64_t cell,
                                 int64_t f)
{
    double ss = 0, sum = 0;
    if (!excess) return diagonal[cell];
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f);
        ss = fma(area, area, ss), sum = fma(area * area, CELL_VALUE(*s, excess, k, cell), sum);
    }
    return diagonal[cell] - sum / ss / s->volume[cell];
}

INDEX_KERNEL(predictor_rhs, struct predictor_args)
{
    const struct stencil *s = &a->s;
    double volume = s->volume[i], mass = inertia_in(&a->properties, i) * volume;
    for (int k = 0; k < s->dim; k++)
        CELL_VALUE(*s, a->predicted, k, i) = fma(-mass, CELL_VALUE(*s, a->acceleration, k, i),
                                                 CELL_VALUE(*s, a->rhs, k, i));
}

/* ---------------------------------------------------------------- the flux before the pressure is known */
/* 1 / A in what F* has of the difference of the pressure's step at a face from the mean of its cells' accelerations.
 * Between two fluids of different viscosity the pressure jumps by the normal stress, which acts in cells: the mean of
 * both faces.  There viscous friction counts 20 times; with 1, a bubble of 1 : 1000 in 12 cells rises 28 % too fast. */
ON_DEVICE double step_response(const struct corrector_flux_args *a, int64_t f, double inverse)
{
    if (!a->friction) return inverse;
    return 1 / (1 / inverse + 19 * face_value(&a->s, a->friction, 0, f));
}

INDEX_KERNEL(predicted_flux, struct corrector_flux_args)
{
    const struct stencil *s = &a->s;
    int32_t p = s->owner[i], n = s->neighbour[i];
    double w = s->weight[i], own = w * inertia_in(&a->properties, p), g = s->g[i];
    double others = (1 - w) * inertia_in(&a->properties, n), inertia = own + others;
    double density = fma(w, time_density_in(&a->properties, p), (1 - w) * time_density_in(&a->properties, n));
    double first = diagonal_across(s, a->diagonal, a->excess, p, i);
    double inverse = 1 / fma(w, first, (1 - w) * diagonal_across(s, a->diagonal, a->excess, n, i));
    double memory = density * inverse;
    double through = 0, left = face_history(&a->t, i), along = 0;
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, i);
        through = fma(face_value(s, a->u, k, i), area, through);
        left = fma(-fma(w, cell_history(s, &a->t, k, p), (1 - w) * cell_history(s, &a->t, k, n)), area, left);
        double force = fma(own, CELL_VALUE(*s, a->before, k, p), others * CELL_VALUE(*s, a->before, k, n));
        along = fma(force, FACE_VECTOR(*s, d, k, i), along);
    }
    if (a->reconstructed) through = fma(1 - memory * a->t.c, a->reconstructed[i], through);
    through = fma(memory, left, through);
    a->predicted[i] = fma(-step_response(a, i, inverse) * g, fma(inertia, a->step[i], -along), through);
    a->through[i] = a->predicted[i] + g * a->step[i] / a->t.c;
    a->coefficient[i] = g / inertia;
}

/* Change of the acceleration times the part of S that is not along d, S - g d. */
ON_DEVICE double cross_change(const struct stencil *s, const double *acceleration, const double *before, int64_t f)
{
    double cross = 0;
    for (int k = 0; k < s->dim; k++)
        cross = fma(face_value(s, acceleration, k, f) - face_value(s, before, k, f),
                    FACE_VECTOR(*s, area, k, f) - s->g[f] * FACE_VECTOR(*s, d, k, f), cross);
    return cross;
}

INDEX_KERNEL(known_flux, struct corrector_flux_args)
{
    const struct stencil *s = &a->s;
    double step = a->p[s->neighbour[i]] - a->p[s->owner[i]] - force_step(s, &a->force, i);
    double more = -a->coefficient[i] * step;
    if (a->acceleration != a->before) more -= cross_change(s, a->acceleration, a->before, i);
    a->flux[i] = a->through[i] + more / a->t.c;
}

INDEX_KERNEL(boundary_predicted_flux, struct corrector_flux_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    int outlet = a->b.flux_rule[i] == FLUX_FREE;
    double density = time_density_in(&a->properties, cell), g = s->g[f];
    double memory = density / diagonal_across(s, a->diagonal, a->excess, cell, f);
    double inertia = inertia_in(&a->properties, cell), ratio = inertia / density;
    double through = 0, left = fma(-ratio * g, a->step[f], face_history(&a->t, f));
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f), along = outlet ? area : g * FACE_VECTOR(*s, d, k, f);
        through = fma(CELL_VALUE(*s, a->u, k, cell), area, through);
        left = fma(-cell_history(s, &a->t, k, cell), area, left);
        left = fma(ratio * CELL_VALUE(*s, a->before, k, cell), along, left);
    }
    if (a->reconstructed && outlet) through = fma(1 - memory * a->t.c, a->reconstructed[f], through);
    a->predicted[f] = fma(memory, left, through);
    a->through[f] = a->predicted[f] + g * a->step[f] / a->t.c;
    a->coefficient[f] = outlet ? g / inertia : 0.0;
}

INDEX_KERNEL(boundary_known_flux, struct corrector_flux_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i;
    int rule = a->b.flux_rule[i];
    double given = 0;
    for (int k = 0; k < s->dim; k++)
        given = fma(a->b.velocity[(int64_t)k * s->n_boundary + i], FACE_VECTOR(*s, area, k, f), given);
    a->flux[f] = rule == FLUX_FREE
               ? a->through[f] - a->coefficient[f] * (a->b.pressure[i] - a->p[s->owner[f]]
                                                      - force_step(s, &a->force, f)) / a->t.c
               : rule == FLUX_GIVEN ? given
               : a->b.gate && a->b.gate[i] ? a->kept * a->t.flux_old[f] : 0.0;
}

/* ---------------------------------------------------------------- when the pressure is known */
INDEX_KERNEL(correct_faces, struct correct_faces_args)
{
    const struct stencil *s = &a->s;
    int32_t p = s->owner[i], n = s->neighbour[i];
    double step = a->coefficient[i] * (a->p[n] - a->p[p]);
    if (!a->rotated) a->flux[i] -= a->coefficient[i] * (a->change[n] - a->change[p]) / a->c;
    a->step[i] = fma(-a->coefficient[i] / s->g[i], force_at(&a->force, i), step) / s->g[i];
}

/* Closed faces: y cancels the flow within the step.  With the rotational part, a quarter of the step that would cancel
 * it against the viscous terms too is added; a half was unstable on flat tetrahedra of 80 degrees.  These count with at
 * most 5 nu g / V of the face: those of a thin cell's other faces are beyond the step's own, and diverged. */
INDEX_KERNEL(correct_boundary_faces, struct correct_faces_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double left = a->c * (a->through[f] - a->flux[f]);
    if (a->b.flux_rule[i] == FLUX_FREE) {
        if (!a->rotated) a->flux[f] = fma(a->coefficient[f] / a->c, a->change[cell], a->flux[f]);
        left = a->coefficient[f] * (a->b.pressure[i] - a->p[cell] - force_step(s, &a->force, f));
    } else if (a->rotated) {
        double all = diagonal_across(s, a->diagonal, a->excess, cell, f);
        double inertia = inertia_in(&a->properties, cell), viscous = all / inertia - a->c;
        double across = 5 * viscosity_beside(&a->properties, cell, f) * s->g[f] / (inertia * s->volume[cell]);
        if (viscous > across) viscous = across;
        left = fma(0.25 * viscous, a->predicted[f] - a->flux[f], s->g[f] * a->step[f]);
    } else
        for (int k = 0; k < s->dim; k++)
            left = fma(CELL_VALUE(*s, a->before, k, cell) - CELL_VALUE(*s, a->acceleration, k, cell),
                       FACE_VECTOR(*s, area, k, f) - s->g[f] * FACE_VECTOR(*s, d, k, f), left);
    a->step[f] = left / s->g[f];
}

INDEX_KERNEL(wall_steps, struct correct_faces_args)
{
    const struct stencil *s = &a->s;
    int32_t place = a->b.wall_cell[i], cell = s->boundary_cell[place];
    for (int32_t k = s->boundary_start[place]; k < s->boundary_start[place + 1]; k++) {
        int32_t face = s->boundary_face[k], f = s->n_internal + face;
        double step = a->b.pressure[face] - a->p[cell] - force_step(s, &a->force, f);
        a->step[f] = step / inertia_in(&a->properties, cell);
    }
}

/* The smallest a_P / V of a cell, of the component that responds most. */
ON_DEVICE double without_time(const struct rotate_args *a, int64_t cell)
{
    double most = 0;
    for (int k = 0; a->excess && k < a->s.dim; k++) most = fmax(most, CELL_VALUE(a->s, a->excess, k, cell));
    return fma(-time_density_in(&a->properties, cell), a->c, a->diagonal[cell] - most / a->s.volume[cell]);
}

INDEX_KERNEL(predicted_boundary_balance, struct rotate_args)
{
    int32_t row = a->s.boundary_cell[i];
    double response = 0;
    for (int32_t k = a->s.boundary_start[i]; k < a->s.boundary_start[i + 1]; k++) {
        int32_t face = a->s.boundary_face[k], f = a->s.n_internal + face;
        int outlet = a->b.flux_rule[face] == FLUX_FREE;
        a->balance[row] -= outlet ? a->predicted[f] : a->flux[f];
        if (outlet) response += a->s.g[f] / without_time(a, row);
    }
    if (a->outlets) a->outlets[row] = response;
}

/* K of struct rotate_args; response: sum_f g / interp(a_P / V); least: viscosity of its internal faces, two fluids. */
ON_DEVICE double rotational_viscosity(const struct rotate_args *a, int64_t cell, double response, double least)
{
    double viscosity = viscosity_in(&a->properties, cell);
    if (a->properties.fraction && least < viscosity) viscosity = least;
    double theta = viscosity / a->s.volume[cell] * response;
    return theta > 0.75 ? viscosity * 0.75 / theta : viscosity;
}

SLICE_KERNEL(rotate_pressure, struct rotate_args)
{
    const struct stencil *s = &a->s;
    PHASE(w) {
        WARP_VAR(double, all);
        WARP_VAR(double, around);
        WARP_VAR(double, response);
        WARP_VAR(double, least);
        LANES(t) {
            IN_WARP(all) = 0, IN_WARP(around) = 0, IN_WARP(least) = INFINITY;
            IN_WARP(response) = a->outlets ? a->outlets[ROW(b, w, t)] : 0.0;
        }
        ENTRIES(s->pattern, b, w, e)
            LANES(t) {
                int32_t code = s->face[e + t], f = FACE_OF(code);
                int64_t row = ROW(b, w, t), other = COLUMN(b, s->pattern.col[e + t]);
                double own = code > 0 ? s->weight[f] : 1 - s->weight[f], g = code ? s->g[f] : 0.0;
                IN_WARP(all) += g;
                IN_WARP(around) = fma(g / s->volume[other], -a->balance[other], IN_WARP(around));
                IN_WARP(response) += g / fma(own, without_time(a, row), (1 - own) * without_time(a, other));
                if (code) IN_WARP(least) = fmin(IN_WARP(least), viscosity_at(&a->properties, f));
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            double divergence = -a->balance[row] / s->volume[row];
            double mean = IN_WARP(all) > 0 ? IN_WARP(around) / IN_WARP(all) : divergence;
            if (row < s->n_cells)
                a->p[row] -= rotational_viscosity(a, row, IN_WARP(response), IN_WARP(least)) *
                             fma(0.75, divergence, 0.25 * mean);
        }
    }
}

/* ---------------------------------------------------------------- from faces to cells */
/* Adds the sum x of S times parts of y to the acceleration, and computes the velocity. */
ON_DEVICE void add_acceleration(const struct correct_cells_args *a, int64_t row, const double *x, int first,
                                const int dim)
{
    for (int k = 0; k < dim; k++) {
        double value = x[k] / a->s.volume[row] + (first ? 0.0 : CELL_VALUE(a->s, a->acceleration, k, row));
        CELL_VALUE(a->s, a->acceleration, k, row) = value;
        if (a->u) CELL_VALUE(a->s, a->u, k, row) = CELL_VALUE(a->s, a->hat, k, row) - value / a->c;
    }
}

/* dim and skewed are compile-time constants. */
ON_DEVICE void correct_warp(const struct correct_cells_args *a, int64_t b, int w, const int dim, const int skewed)
{
    WARP_ARRAY(double, sum, 3);
    for (int k = 0; k < dim; k++) LANES(t) IN_WARP_AT(sum, k) = 0;
    ENTRIES(a->s.pattern, b, w, e)
        LANES(t) {
            int32_t code = a->s.face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, a->s.pattern.col[e + t]);
            double own = code > 0 ? a->s.weight[f] : 1 - a->s.weight[f];
            double step = code ? (1 - own) * a->step[f] : 0.0;
            if (skewed) {
                double more = 0;
                for (int k = 0; k < dim; k++)
                    more = fma(fma(own, CELL_VALUE(a->s, a->along, k, row),
                                   (1 - own) * CELL_VALUE(a->s, a->along, k, other)),
                               FACE_VECTOR(a->s, r, k, f) - (1 - a->s.weight[f]) * FACE_VECTOR(a->s, d, k, f), more);
                step = fma(FACE_SIGN(code) * skew_part(&a->s, f), more, step);
            }
            for (int k = 0; k < dim; k++)
                IN_WARP_AT(sum, k) = fma(step, FACE_VECTOR(a->s, area, k, f), IN_WARP_AT(sum, k));
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double x[3];
        for (int k = 0; k < dim; k++) x[k] = IN_WARP_AT(sum, k);
        if (row < a->s.n_cells) add_acceleration(a, row, x, 1, dim);
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
    add_acceleration(a, row, sum, 0, a->s.dim);
}

/* ---------------------------------------------------------------- limits of the step */
SLICE_KERNEL(courant_numbers, struct courant_args)
{
    SLICE_VAR(double, all);
    SLICE_VAR(double, marked);
    SLICE_VAR(double, square);
    SLICE_VAR(double, tension);
    SLICE_VAR(double, viscosity);
    PHASE(w) {
        WARP_VAR(double, gross);
        WARP_VAR(double, g);
        LANES(t) IN_WARP(gross) = IN_WARP(g) = 0;
        ENTRIES(a->s.pattern, b, w, e)
            LANES(t) {
                int32_t code = a->s.face[e + t];
                IN_WARP(gross) += code ? fabs(a->flux[FACE_OF(code)]) : 0.0;
                if (a->rate) IN_WARP(g) += code ? a->s.g[FACE_OF(code)] : 0.0;
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            IN_SLICE(all) = 0.5 * IN_WARP(gross) / a->s.volume[row];
            IN_SLICE(viscosity) = row < a->s.n_cells ? viscosity_in(&a->properties, row) : 0.0;
            if (a->rate) {
                a->rate[row] = IN_SLICE(all);
                double kinematic = viscosity_in(&a->properties, row) / a->properties.density[0];
                a->rate[a->s.pitch + row] = kinematic * IN_WARP(g) / (2 * a->s.dim * a->s.volume[row]);
            }
            IN_SLICE(marked) = a->marked && a->marked[row] > 0 ? IN_SLICE(all) : 0.0;
            IN_SLICE(tension) = a->tension.temperature && a->marked[row] > 0
                              ? tension_at(&a->tension, a->tension.temperature[row]) : 0.0;
            double uu = 0;
            for (int k = 0; k < a->s.dim; k++)
                uu = fma(CELL_VALUE(a->s, a->u, k, row), CELL_VALUE(a->s, a->u, k, row), uu);
            IN_SLICE(square) = row < a->s.n_cells ? uu : 0.0;
        }
    }
    LARGEST_OF_SLICE(a->sums, 0, b, all)
    LARGEST_OF_SLICE(a->sums, 1, b, marked)
    LARGEST_OF_SLICE(a->sums, 2, b, square)
    LARGEST_OF_SLICE(a->sums, 3, b, tension)
    LARGEST_OF_SLICE(a->sums, 4, b, viscosity)
}

ON_DEVICE double guess_of(const struct guess_args *a, double share, int k, int64_t i)
{
    double old = CELL_VALUE(a->s, a->old, k, i), older = CELL_VALUE(a->s, a->older, k, i);
    double u = fma(fma(share, a->ahead[0], a->now[0]), old, fma(share, a->ahead[1], a->now[1]) * older);
    double last = fma(share, a->ahead[2], a->now[2]);
    return last != 0 ? fma(last, CELL_VALUE(a->s, a->u, k, i), u) : u;
}

INDEX_KERNEL(guess_velocity, struct guess_args)
{
    double share = 1;
    if (a->convected) {
        double courant = a->rate[i] * a->dt, square = courant * courant;
        double calm = fma(a->viscous * a->dt, a->rate[a->s.pitch + i], a->calm);
        if (calm < square) share = fma(0.75, calm / square, 0.25);
    }
    for (int k = 0; k < a->s.dim; k++) {
        if (a->convected) CELL_VALUE(a->s, a->convected, k, i) = guess_of(a, share, k, i);
        CELL_VALUE(a->s, a->u, k, i) = guess_of(a, 1, k, i);
    }
}
