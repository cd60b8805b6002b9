/* Algebraic advection of the volume fraction by flux-corrected transport (algebraic.h). */
#include "interface/algebraic.h"
#include <stddef.h>
#include "assembly/gradient.h"
#include "gpu/device.h"
#include "interface/interface.h"

enum { PASSES = 3 };

static const char what[] = "algebraic advection of the interface";
static double *array(int64_t n) { return device_alloc((size_t)n * sizeof(double), what); }
static double *cells(const struct stencil *s, int components)
{
    return pattern_alloc(&s->pattern, components, sizeof(double), what);
}

void algebraic_create(struct algebraic *a, const struct stencil *s)
{
    a->gradient = cells(s, s->dim), a->boundary = array(s->n_boundary), a->surplus = array(s->n_internal);
    a->predicted = cells(s, 1), a->gain = cells(s, 1), a->loss = cells(s, 1);
}

void algebraic_free(struct algebraic *a)
{
    double *arrays[] = {a->gradient, a->boundary, a->surplus, a->predicted, a->gain, a->loss};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) device_free(arrays[k]);
    *a = (struct algebraic){0};
}

void algebraic_carry(struct interface *i, const double *flux, const double *u, double dt)
{
    const struct stencil *s = &i->g.s;
    const struct halo *h = s->pattern.halo;
    struct algebraic_args a = {i->g, i->algebraic, flux, u, i->fraction, i->inflow_fraction, i->carried, dt};
    carry_upwind(&a, s->n_faces);
    gradient(s, GRADIENT_LEAST_SQUARES, 1, i->fraction, a.w.boundary, a.w.gradient, NULL);
    halo_update(h, a.w.gradient, s->dim);
    find_surplus(&a, s->n_active);
    for (int pass = 0; pass < PASSES; pass++) {
        predict_fraction(&a, s->n_cells);
        halo_update(h, a.w.predicted, 1);
        limit_surplus(&a, s->n_cells);
        halo_update_together(h, {a.w.gain, 1}, {a.w.loss, 1});
        carry_surplus(&a, s->n_active);
    }
}
