/* Kernels of Rhie-Chow fluxes, the pressure-correction equation and its corrections (pressure.h). */
#include "assembly/pressure.h"
#include "solve/pattern_row.h"

INDEX_KERNEL(simple_coefficients, struct simple_coefficients_args)
{
    double relaxed = a->a.diag[i], sum = a->relaxation * relaxed, volume = a->s.volume[i];
    double neighbours = a->sink ? sum - a->sink[i] * volume : sum;
    a->rhie[i] = volume / sum;
    a->correct[i] = volume / (a->simplec ? relaxed - neighbours : relaxed);
}

INDEX_KERNEL(simple_boundary_coefficients, struct simple_coefficients_args)
{
    int32_t row = a->s.boundary_cell[i];
    double relaxed = a->a.diag[row], neighbours = a->relaxation * relaxed - a->boundary_part[i];
    if (a->sink) neighbours -= a->sink[row] * a->s.volume[row];
    a->correct[row] = a->s.volume[row] / (relaxed - neighbours);
}

INDEX_KERNEL(face_flux, struct face_flux_args)
{
    const struct stencil *s = &a->s;
    double through = 0, slope = 0;
    for (int k = 0; k < s->dim; k++) {
        through = fma(face_value(s, a->v, k, i), FACE_VECTOR(*s, area, k, i), through);
        slope = fma(face_value(s, a->grad_p, k, i), FACE_VECTOR(*s, d, k, i), slope);
    }
    if (a->reconstructed) through = fma(a->relaxation, a->reconstructed[i], through);
    double step = a->p[s->neighbour[i]] - a->p[s->owner[i]] - force_step(s, &a->force, i) - slope;
    a->flux[i] = through + (1 - a->relaxation) * a->flux[i]
               - a->relaxation * s->g[i] * face_value(s, a->rhie, 0, i) * step;
    a->coefficient[i] = s->g[i] * face_value(s, a->correct, 0, i);
}

INDEX_KERNEL(boundary_flux, struct face_flux_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    int rule = a->b.flux_rule[i];
    double through = 0;
    a->coefficient[f] = 0;
    if (rule == FLUX_GIVEN) {
        for (int k = 0; k < s->dim; k++)
            through = fma(a->b.velocity[(int64_t)k * s->n_boundary + i], FACE_VECTOR(*s, area, k, f), through);
        a->flux[f] = through;
    } else if (rule == FLUX_FREE) {
        double step = a->b.pressure[i] - a->p[cell] - force_step(s, &a->force, f);
        for (int k = 0; k < s->dim; k++) {
            through = fma(CELL_VALUE(*s, a->v, k, cell), FACE_VECTOR(*s, area, k, f), through);
            step = fma(-CELL_VALUE(*s, a->grad_p, k, cell), FACE_VECTOR(*s, d, k, f), step);
        }
        if (a->reconstructed) through = fma(a->relaxation, a->reconstructed[f], through);
        double old = a->flux[f], stiffness = a->b.stiffness[i], coefficient = s->g[f] * a->correct[cell];
        double flux = through + (1 - a->relaxation) * old - a->relaxation * s->g[f] * a->rhie[cell] * step;
        double own = stiffness > 0 ? s->g[f] * a->response[cell] * stiffness : 0.0;
        a->flux[f] = own > 0 ? fma(own, old, flux) / (1 + own) : flux;
        a->coefficient[f] = stiffness > 0 ? coefficient / fma(coefficient, stiffness, 1.0) : coefficient;
    } else
        a->flux[f] = 0;
}

INDEX_KERNEL(pressure_steps, struct pressure_steps_args)
{
    a->step[i] = a->p[a->s.neighbour[i]] - a->p[a->s.owner[i]] - force_step(&a->s, &a->force, i);
}

INDEX_KERNEL(boundary_pressure_steps, struct pressure_steps_args)
{
    int64_t f = a->s.n_internal + i;
    a->step[f] = a->boundary[i] - a->p[a->s.owner[f]] - force_step(&a->s, &a->force, f);
}

SLICE_KERNEL(pressure_matrix, struct pressure_args)
{
    PHASE(w) {
        WARP_VAR(double, diagonal);
        WARP_VAR(double, net);
        LANES(t) IN_WARP(diagonal) = 0, IN_WARP(net) = 0;
        ENTRIES(a->a.p, b, w, e)
            LANES(t) {
                int32_t code = a->s.face[e + t], f = FACE_OF(code);
                double sign = FACE_SIGN(code), off = sign * sign * a->coefficient[f];
                a->a.val[e + t] = -off;
                IN_WARP(diagonal) += off;
                IN_WARP(net) = fma(sign, a->flux[f], IN_WARP(net));
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            a->a.diag[row] = row < a->s.n_cells ? IN_WARP(diagonal) : 1.0;
            a->rhs[row] = -a->scale * IN_WARP(net);
        }
    }
}

INDEX_KERNEL(pressure_boundary, struct pressure_args)
{
    int32_t row = a->s.boundary_cell[i];
    for (int32_t k = a->s.boundary_start[i]; k < a->s.boundary_start[i + 1]; k++) {
        int32_t f = a->s.n_internal + a->s.boundary_face[k];
        a->a.diag[row] += a->coefficient[f];
        a->rhs[row] = fma(-a->scale, a->flux[f], a->rhs[row]);
    }
}

SLICE_KERNEL(pressure_rhs, struct pressure_args)
{
    PHASE(w) {
        WARP_VAR(double, net);
        LANES(t) IN_WARP(net) = 0;
        ENTRIES(a->a.p, b, w, e)
            LANES(t) {
                int32_t code = a->s.face[e + t], f = FACE_OF(code);
                IN_WARP(net) = fma(FACE_SIGN(code), a->flux[f], IN_WARP(net));
            }
        LANES(t) a->rhs[ROW(b, w, t)] = -a->scale * IN_WARP(net);
    }
}

INDEX_KERNEL(pressure_boundary_rhs, struct pressure_args)
{
    int32_t row = a->s.boundary_cell[i];
    for (int32_t k = a->s.boundary_start[i]; k < a->s.boundary_start[i + 1]; k++)
        a->rhs[row] = fma(-a->scale, a->flux[a->s.n_internal + a->s.boundary_face[k]], a->rhs[row]);
}

INDEX_KERNEL(pressure_pin, struct pressure_pin_args) { a->a.diag[a->cell[i]] *= 2; }

INDEX_KERNEL(correct_flux, struct correct_args)
{
    a->flux[i] -= a->coefficient[i] * (a->change[a->s.neighbour[i]] - a->change[a->s.owner[i]]);
}

/* p' is zero where pressure is given; elsewhere the coefficient is zero. */
INDEX_KERNEL(correct_boundary_flux, struct correct_args)
{
    int32_t f = a->s.n_internal + (int32_t)i;
    a->flux[f] += a->coefficient[f] * a->change[a->s.owner[f]];
}

INDEX_KERNEL(correct_velocity, struct correct_args)
{
    for (int k = 0; k < a->s.dim; k++)
        CELL_VALUE(a->s, a->u, k, i) -= a->correct[i] / a->relaxation
                                      * (CELL_VALUE(a->s, a->grad_new, k, i) - CELL_VALUE(a->s, a->grad_old, k, i));
}

INDEX_KERNEL(cross_flux, struct cross_flux_args)
{
    const struct stencil *s = &a->s;
    double slope = 0;
    for (int k = 0; k < s->dim; k++)
        slope = fma(face_value(s, a->grad_change, k, i),
                    FACE_VECTOR(*s, area, k, i) - s->g[i] * FACE_VECTOR(*s, d, k, i), slope);
    double part = a->coefficient[i] / s->g[i] * slope;
    a->flux[i] += a->cross[i] - part;
    a->cross[i] = part;
}

INDEX_KERNEL(start_flux, struct start_flux_args)
{
    const struct stencil *s = &a->s;
    int64_t face = i - s->n_internal;                               /* boundary face where >= 0 */
    double through = 0;
    for (int k = 0; k < s->dim; k++) {
        double u = face < 0 ? face_value(s, a->u, k, i) : a->boundary_velocity[(int64_t)k * s->n_boundary + face];
        through = fma(u, FACE_VECTOR(*s, area, k, i), through);
    }
    int closed = face >= 0 && a->flux_rule[face] == FLUX_NONE;
    a->flux[i] = closed ? 0.0 : through;
}
