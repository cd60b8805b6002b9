/* Kernels of a scalar's time step: bounds, face corrections, conservation, phase amounts (scalar_step.h). */
#include "assembly/scalar_step.h"
#include "solve/pattern_row.h"

ON_DEVICE double capacity_of(const double *capacity, int64_t cell) { return capacity ? capacity[cell] : 1.0; }

/* ---------------------------------------------------------------- extremes */
SLICE_KERNEL(scalar_size, struct scalar_step_args)
{
    double low = fabs(a->given_lowest), high = fabs(a->given_highest), given = low > high ? low : high;
    SLICE_VAR(double, v);
    if (a->given_lowest > a->given_highest) given = 0;
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        double x = row < a->s.n_cells && capacity_of(a->capacity_old, row) > SCALAR_LEAST ? fabs(a->old[row]) : 0.0;
        IN_SLICE(v) = x > given ? x : x <= given ? given : INFINITY;
    }
    LARGEST_OF_SLICE(a->sums, SCALAR_SIZE, b, v)
}

SLICE_KERNEL(scalar_extremes, struct scalar_step_args)
{
    double size = a->sums.total[SCALAR_SIZE];
    int given = a->given_lowest <= a->given_highest;
    double high = given ? size + a->given_highest : 0.0, low = given ? size - a->given_lowest : 0.0;
    SLICE_VAR(double, highest);
    SLICE_VAR(double, lowest);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        int there = row < a->s.n_cells && capacity_of(a->capacity_old, row) > SCALAR_LEAST;
        double up = there ? size + a->old[row] : high, down = there ? size - a->old[row] : low;
        IN_SLICE(highest) = up > high ? up : high;
        IN_SLICE(lowest) = down > low ? down : low;
    }
    LARGEST_OF_SLICE(a->sums, SCALAR_HIGHEST, b, highest)
    LARGEST_OF_SLICE(a->sums, SCALAR_LOWEST, b, lowest)
}

INDEX_KERNEL(scalar_clip, struct scalar_step_args)
{
    double size = a->sums.total[SCALAR_SIZE], highest = a->sums.total[SCALAR_HIGHEST];
    double lowest = a->sums.total[SCALAR_LOWEST];
    if (a->bounded & KEEPS_HIGHEST && size + a->low[i] > highest) a->low[i] = highest - size;
    if (a->bounded & KEEPS_LOWEST && size - a->low[i] > lowest) a->low[i] = size - lowest;
}

/* ---------------------------------------------------------------- length of the step */
SLICE_KERNEL(scalar_courant, struct scalar_step_args)
{
    SLICE_VAR(double, most);
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
            double amount = row < a->s.n_cells ? capacity_of(a->capacity, row) * a->s.volume[row] : 0.0;
            IN_SLICE(most) = amount > 0 ? 0.5 * a->dt * IN_WARP(gross) / amount : 0.0;
        }
    }
    LARGEST_OF_SLICE(a->sums, SCALAR_COURANT, b, most)
}

SLICE_KERNEL(scalar_rounding, struct scalar_step_args)
{
    SLICE_VAR(double, square);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        double size = row < a->s.n_cells ? a->diag[row] * a->old[row] : 0.0;
        IN_SLICE(square) = size * size;
    }
    SUM_OF_SLICE(a->sums, SCALAR_ROUNDING, b, square)
}

/* ---------------------------------------------------------------- faces */
/* Inflow of x through boundary face f, without `wall` and `through`. */
ON_DEVICE double boundary_inflow(const struct scalar_step_args *a, int64_t face, int64_t f, double x)
{
    const struct face_values *v = &a->boundary;
    double coefficient = (a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity) * a->s.g[f], at_face = x;
    if (v->rule[face] == RULE_VALUE) at_face = v->value[face];
    if (v->rule[face] == RULE_MIXED) at_face = fma(v->mixed[face], x, v->mixed[a->s.n_boundary + face]);
    return fma(coefficient, at_face - x, -a->flux[f] * at_face);
}

INDEX_KERNEL(scalar_beyond, struct scalar_step_args)
{
    const struct stencil *s = &a->s;
    int32_t p = s->owner[i], o = s->neighbour[i];
    double mine = a->w[p] - a->low[p], theirs = a->w[o] - a->low[o];
    double coefficient = (a->diffusivity_faces ? a->diffusivity_faces[i] : a->diffusivity) * s->g[i];
    a->correction[i] += fma(coefficient, theirs - mine, -a->flux[i] * (a->flux[i] >= 0 ? mine : theirs));
}

INDEX_KERNEL(scalar_beyond_boundary, struct scalar_step_args)
{
    int64_t f = a->s.n_internal + i;
    int32_t p = a->s.owner[f];
    double diffusivity = a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity;
    a->correction[f] = fma(diffusivity, a->boundary.wall[i],
                           boundary_inflow(a, i, f, a->w[p]) - boundary_inflow(a, i, f, a->low[p]));
}

INDEX_KERNEL(scalar_near_interface, struct scalar_step_args)
{
    double mine = a->capacity[a->s.owner[i]], theirs = a->capacity[a->s.neighbour[i]];
    if (mine < 1 - 1e-9 || theirs < 1 - 1e-9) a->correction[i] = 0;
}

INDEX_KERNEL(scalar_weight, struct scalar_step_args)
{
    a->weight[i] = capacity_of(a->capacity, i) * a->s.volume[i] / a->dt;
}

INDEX_KERNEL(scalar_update, struct scalar_step_args)
{
    a->x[i] = a->fixed && a->fixed[i] ? a->low[i] : a->low[i] + a->sum[i] / a->weight[i];
}

/* ---------------------------------------------------------------- conservation */
INDEX_KERNEL(scalar_settle_heat, struct scalar_step_args)
{
    const struct heat_laws *h = &a->heat;
    double old = a->old[i], x = a->x[i], heat = a->capacity[i] * (x - old);
    if (!heat_varies(h, i)) return;
    for (int k = 0; k < 4; k++)
        x += (heat - heat_mean(h, h->fraction, i, old, x) * (x - old)) / heat_capacity_in(h, i, x);
    double missing = heat - heat_mean(h, h->fraction, i, old, x) * (x - old);
    if (!(fabs(missing) <= 1e-12 * fabs(heat))) x = heat_where(h, i, old, heat);
    a->x[i] = x;
    if (!a->bounded) return;
    double size = a->sums.total[SCALAR_SIZE], highest = a->sums.total[SCALAR_HIGHEST] - size;
    double lowest = size - a->sums.total[SCALAR_LOWEST];
    if (a->bounded & KEEPS_HIGHEST && x > highest) a->x[i] = highest;
    if (a->bounded & KEEPS_LOWEST && x < lowest) a->x[i] = lowest;
}

/* What the heat carried through boundary face f has beyond flux times x; into: the inflow of x, which is only carried
 * where x is not given. */
ON_DEVICE double heat_beyond_flux(const struct scalar_step_args *a, int64_t face, int64_t f, int64_t row, double into)
{
    double flux = a->flux[f], volume = a->volume_flux[f];
    if (!(flux > 0 || flux < 0)) return 0;
    double x = a->boundary.rule[face] == RULE_VALUE ? a->boundary.value[face] : -into / flux;
    return fma(flux - volume, x, -heat_beyond(&a->heat, row, f, volume, x));
}

/* Its decrease per x, with x at the face unless that is given: also where it flows back in through an outlet. */
ON_DEVICE double boundary_decrease(const struct scalar_step_args *a, int64_t face, int64_t f)
{
    const struct face_values *v = &a->boundary;
    double coefficient = (a->diffusivity_faces ? a->diffusivity_faces[f] : a->diffusivity) * a->s.g[f];
    double share = v->rule[face] == RULE_MIXED ? v->mixed[face] : 1.0;
    return v->rule[face] == RULE_VALUE ? coefficient : fma(coefficient, 1 - share, a->flux[f] * share);
}

INDEX_KERNEL(scalar_inflow, struct scalar_step_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k], f = s->n_internal + face;
        double into = boundary_inflow(a, face, f, a->low[row]) + a->correction[f];
        if (a->heat.law) into += heat_beyond_flux(a, face, f, row, into);
        if (a->boundary.through && a->boundary.rule[face] == RULE_GRADIENT) into += a->boundary.through[face];
        a->sum[row] += a->reference != 0 ? fma(a->reference, a->volume_flux[f], into) : into;
        a->decrease[row] += a->w_per_x * boundary_decrease(a, face, f);
        if (a->inflow) a->inflow[face] = into;
    }
}

/* 0 at the extremes that x keeps; without bounds every cell takes a share. */
ON_DEVICE double room_of(const struct scalar_step_args *a, int64_t cell)
{
    double size = a->sums.total[SCALAR_SIZE];
    double up = a->sums.total[SCALAR_HIGHEST] - (size + a->x[cell]);
    double down = a->sums.total[SCALAR_LOWEST] - (size - a->x[cell]);
    if (!(a->bounded & KEEPS_HIGHEST)) up = 1;
    if (!(a->bounded & KEEPS_LOWEST)) down = 1;
    return up > 0 && down > 0 ? up * down : 0.0;
}

/* The decrease of a cell's amount in the step, per volume.  With a constant capacity from the change of x: the amount
 * itself is many times its change. */
ON_DEVICE double decrease_of(const struct scalar_step_args *a, int64_t row)
{
    double old = a->old[row], x = a->x[row];
    if (a->heat.law && heat_varies(&a->heat, row)) return heat_decrease(&a->heat, row, old, x);
    double capacity = capacity_of(a->capacity, row);
    if (a->capacity == a->capacity_old) return capacity * (old - x);
    return fma(a->capacity_old[row], old, -capacity * x);
}

SLICE_KERNEL(scalar_change, struct scalar_step_args)
{
    SLICE_VAR(double, stored);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        IN_SLICE(stored) = row < a->s.n_cells ? -a->s.volume[row] * decrease_of(a, row) : 0.0;
    }
    SUM_OF_SLICE(a->sums, 0, b, stored)
}

SLICE_KERNEL(scalar_missing, struct scalar_step_args)
{
    SLICE_VAR(double, missing);
    SLICE_VAR(double, room);
    SLICE_VAR(double, gross);
    PHASE(w) LANES(t) {
        int64_t row = ROW(b, w, t);
        double inside = row < a->s.n_cells ? a->s.volume[row] : 0.0, capacity = capacity_of(a->capacity, row);
        double change = inside > 0 ? decrease_of(a, row) : 0.0;
        if (inside > 0 && a->heat.law && heat_varies(&a->heat, row))
            capacity = heat_capacity_in(&a->heat, row, a->x[row]);
        if (a->source) change = fma(a->dt, a->source[row], change);
        IN_SLICE(missing) = inside > 0 ? fma(inside, change, a->dt * a->sum[row]) : 0.0;
        IN_SLICE(room) = inside > 0 ? fma(inside, capacity, a->dt * a->decrease[row]) * room_of(a, row) : 0.0;
        double moved = fma(SCALAR_NOISE * capacity, fabs(a->x[row]), fabs(change));
        IN_SLICE(gross) = inside > 0 ? fma(inside, moved, a->dt * fabs(a->sum[row])) : 0.0;
    }
    SUM_OF_SLICE(a->sums, SCALAR_MISSING, b, missing)
    SUM_OF_SLICE(a->sums, SCALAR_ROOM, b, room)
    SUM_OF_SLICE(a->sums, SCALAR_GROSS, b, gross)
}

INDEX_KERNEL(scalar_spread, struct scalar_step_args)
{
    double room = a->sums.total[SCALAR_ROOM], share = a->sums.total[SCALAR_MISSING] / room;
    if (!(room > 0) || capacity_of(a->capacity, i) <= SCALAR_LEAST) return;
    if (a->bounded) {                                   /* up is at most the range, so this keeps x within it */
        double range = a->sums.total[SCALAR_HIGHEST] + a->sums.total[SCALAR_LOWEST] - 2 * a->sums.total[SCALAR_SIZE];
        double most = a->bounded != KEEPS_BOTH ? 1 : range > 0 ? 1 / range : 0;
        share = share > most ? most : share < -most ? -most : share;
    }
    double change = share * room_of(a, i);
    a->x[i] += change;
    if (a->w_per_x > 0) a->low[i] += a->w_per_x * change;
}

/* ---------------------------------------------------------------- one of two fluids */
INDEX_KERNEL(scalar_capacity, struct scalar_fluid_args)
{
    double part = a->second ? a->fraction[i] : 1 - a->fraction[i];
    a->capacity[i] = part < SCALAR_LEAST ? SCALAR_LEAST : part > 1 ? 1 : part;
}

INDEX_KERNEL(scalar_diffusivity, struct scalar_fluid_args)
{
    double part = a->capacity[a->s.owner[i]], other = i < a->s.n_internal ? a->capacity[a->s.neighbour[i]] : part;
    a->diffusivity_faces[i] = a->diffusivity * (other < part ? other : part);
}

INDEX_KERNEL(carried_heat, struct carried_heat_args)
{
    int32_t f = a->s.n_internal + (int32_t)i;
    double fraction = a->flux[f] < 0 ? a->entering[i] : a->fraction[a->s.owner[f]];
    a->carries[f] = a->flux[f] * fma(a->ratio - 1, fraction, 1.0);
}

INDEX_KERNEL(scalar_to_amount, struct scalar_amount_args) { a->amount[i] = a->capacity[i] * a->x[i]; }

INDEX_KERNEL(scalar_from_amount, struct scalar_amount_args) { a->x[i] = a->amount[i] / a->capacity[i]; }

INDEX_KERNEL(scalar_rules, struct scalar_rules_args)
{
    if (!a->entering[i]) return;
    int enters = a->flux[a->n_internal + i] < 0;
    a->rule[i] = (uint8_t)(enters ? RULE_VALUE : RULE_GRADIENT);
    if (enters) a->value[i] = a->given[i];
}

INDEX_KERNEL(scalar_start, struct scalar_start_args)
{
    if (a->rule[i] != RULE_VALUE) a->value[i] = a->x[a->s.owner[a->s.n_internal + i]];
}

INDEX_KERNEL(scalar_entering, struct scalar_rules_args)
{
    if (a->entering[i] && a->rule[i] == RULE_VALUE) a->value[i] = a->given[i];
}
