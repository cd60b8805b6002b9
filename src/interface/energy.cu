/* Sums of the energies of two fluids (energy.h). */
#include <math.h>
#include "interface/energy.h"
#include "interface/interface.h"

/* What the tension does at the edge of an interface that passes a boundary depends on what is beyond it: it is known to
 * be some times the surface energy that passes. */
#define UNSURE 10

ON_DEVICE void boundary_energy(const struct energy_args *a, int64_t c, int32_t f, double fraction, double *to)
{
    const struct stencil *s = &a->g.s;
    const struct boundary *b = &a->flow.b;
    const int32_t i = f - s->n_internal;
    const double flux = a->flow.flux[f], entering = flux < 0 ? a->inflow_fraction[i] : fraction;
    double size = 0, square = 0, friction = 0;
    for (int k = 0; k < s->dim; k++) {
        double u = b->velocity[(int64_t)k * s->n_boundary + i], S = FACE_VECTOR(*s, area, k, f);
        size = fma(S, S, size), square = fma(u, u, square);
        friction = fma(u, u - CELL_VALUE(*s, a->flow.u, k, c), friction);
    }
    const double p = b->pressure_rule[i] == RULE_VALUE ? b->pressure[i] : a->flow.p[c];
    to[ENERGY_POWER] += fabs(flux * p) + fabs(0.5 * flux * mixed_density(&a->flow.properties, entering) * square) +
                        fabs(viscosity_at(&a->flow.properties, f) * s->g[f] * friction);
    if (a->cosine && a->cosine[i] < 2) to[ENERGY_WALL] -= a->tension * a->cosine[i] * fraction * sqrt(size);
}

/* Adds the face's part to the gradient of the fraction times the volume. */
ON_DEVICE void add_step(const struct energy_args *a, int32_t code, double fraction, double *gradient)
{
    const struct stencil *s = &a->g.s;
    const int32_t f = FACE_OF(code);
    const double other = a->fraction[code > 0 ? s->neighbour[f] : s->owner[f]];
    const double step = (code > 0 ? 1 - s->weight[f] : s->weight[f]) * (other - fraction);
    for (int k = 0; k < s->dim; k++)
        gradient[k] = fma(FACE_SIGN(code) * step, FACE_VECTOR(*s, area, k, f), gradient[k]);
}

ON_DEVICE void cell_energy(const struct energy_args *a, int64_t c, double *to)
{
    const struct stencil *s = &a->g.s;
    const struct properties *p = &a->flow.properties;
    const double volume = s->volume[c], bounded = a->fraction[c] < 0 ? 0 : a->fraction[c] > 1 ? 1 : a->fraction[c];
    const double jump = p->density[1] - p->density[0];
    double square = 0, depth = a->bottom, pull = 0, power = 0, passing = 0, gradient[3] = {0, 0, 0};
    for (int k = 0; k < s->dim; k++) {
        const double u = CELL_VALUE(*s, a->flow.u, k, c), g = a->gravity[k];
        square = fma(u, u, square), pull = fma(g, g, pull);
        depth = fma(-g, CELL_VALUE(*s, a->g.centre, k, c), depth);
        if (a->flow.source) power = fma(u, CELL_VALUE(*s, a->flow.source, k, c), power);
    }
    to[ENERGY_KINETIC] = 0.5 * mixed_density(p, bounded) * square * volume;
    to[ENERGY_POTENTIAL] = jump * bounded * volume * depth;
    to[ENERGY_POWER] = fabs(power) * volume;
    const int near = a->band_mark[c];
    if (near && IS_CUT(bounded)) {
        to[ENERGY_CELLS] = 1;
        to[ENERGY_RESOLUTION] = fabs(jump) * sqrt(pull * near_mean_square(&a->g, c, s->dim)) * volume;
    }
    for (int l = 0; l < a->g.most_faces; l++) {
        int32_t code = CELL_VALUE(*s, a->g.cell_face, l, c);
        if (!code) break;
        if (FACE_OF(code) >= s->n_internal) {
            boundary_energy(a, c, FACE_OF(code), bounded, to);
            passing += fabs(a->flow.flux[FACE_OF(code)]);
        }
        else if (near) add_step(a, code, a->fraction[c], gradient);
    }
    square = 0;
    for (int k = 0; k < s->dim; k++) square = fma(gradient[k], gradient[k], square);
    to[ENERGY_SURFACE] = a->tension * sqrt(square);
    to[ENERGY_POWER] += UNSURE * to[ENERGY_SURFACE] * passing / volume;
}

SLICE_KERNEL(sum_energies, struct energy_args)
{
    SLICE_VAR(double, kinetic);
    SLICE_VAR(double, potential);
    SLICE_VAR(double, surface);
    SLICE_VAR(double, wall);
    SLICE_VAR(double, resolution);
    SLICE_VAR(double, power);
    SLICE_VAR(double, cells);
    PHASE(w) LANES(t) {
        int64_t c = ROW(b, w, t);
        double of[N_ENERGIES] = {0};
        if (c < a->g.s.n_cells) cell_energy(a, c, of);
        IN_SLICE(kinetic) = of[ENERGY_KINETIC];
        IN_SLICE(potential) = of[ENERGY_POTENTIAL];
        IN_SLICE(surface) = of[ENERGY_SURFACE];
        IN_SLICE(wall) = of[ENERGY_WALL];
        IN_SLICE(resolution) = of[ENERGY_RESOLUTION];
        IN_SLICE(power) = of[ENERGY_POWER];
        IN_SLICE(cells) = of[ENERGY_CELLS];
    }
    SUM_OF_SLICE(a->sums, ENERGY_KINETIC, b, kinetic)
    SUM_OF_SLICE(a->sums, ENERGY_POTENTIAL, b, potential)
    SUM_OF_SLICE(a->sums, ENERGY_SURFACE, b, surface)
    SUM_OF_SLICE(a->sums, ENERGY_WALL, b, wall)
    SUM_OF_SLICE(a->sums, ENERGY_RESOLUTION, b, resolution)
    SUM_OF_SLICE(a->sums, ENERGY_POWER, b, power)
    SUM_OF_SLICE(a->sums, ENERGY_CELLS, b, cells)
}
