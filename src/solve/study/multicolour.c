/* Multicolour Gauss-Seidel (Wikberg 2024, section 4.2.1; Thomas et al. 2021, section 6.1.2): Gauss-Seidel with the rows
 * in the order of their colours, all rows of a colour at once.  x = (1 - omega) x + omega D^-1 (r - (L + U) x), from
 * zero, through the colours and, if symmetric, back again.
 *
 * From zero the first two passes read half of the matrix each.  Forwards, later colours are still zero.  Backwards, the
 * contribution of the earlier colours is known from the forward pass: with u its result, x = (2 - omega) u - omega D^-1
 * U x. */
#include "solve/study/multicolour.h"
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/preconditioner.h"

struct multicolour {
    struct preconditioner base;
    struct colour_pattern pattern;
    bool single, symmetric;
    int sweeps;
    double damping;
    void *val, *inverse, *x;
};

static const char *refresh(struct preconditioner *base)
{
    struct multicolour *m = (struct multicolour *)base;
    struct colour_values_args args = {m->pattern, m->base.a, m->val, m->inverse};
    (m->single ? multicolour_values_float : multicolour_values_double)(&args, m->pattern.n_rows / SLICE);
    return NULL;
}

/* One pass over all colours, forwards or backwards. */
static void pass(const struct multicolour *m, struct colour_args args, bool backwards)
{
    const struct colour_pattern *p = &m->pattern;
    for (int i = 0; i < p->n_colours; i++) {
        int c = backwards ? p->n_colours - 1 - i : i;
        int32_t slices = p->first_slice[c + 1] - p->first_slice[c];
        args.first = p->first_slice[c];
        (m->single ? multicolour_sweep_float : multicolour_sweep_double)(&args, slices);
    }
}

static void apply(struct preconditioner *base, const double *r, const double *norm2, double *z)
{
    const struct multicolour *m = (struct multicolour *)base;
    int n = m->sweeps * (m->symmetric ? 2 : 1);
    for (int i = 0; i < n; i++) {
        bool backwards = m->symmetric && i % 2, back_from_zero = m->symmetric && i == 1;
        struct colour_args args = {
            .p = m->pattern, .val = m->val, .inverse = m->inverse, .x = m->x, .lower = !back_from_zero, .upper = i > 0,
            .own = i == 0 ? 0 : back_from_zero ? 2 - m->damping : 1 - m->damping,
            .right = back_from_zero ? 0 : m->damping, .product = m->damping, .r = r, .norm2 = m->single ? norm2 : NULL,
            .z = i == n - 1 ? z : NULL};
        pass(m, args, backwards);
    }
}

static void free_preconditioner(struct preconditioner *base)
{
    struct multicolour *m = (struct multicolour *)base;
    colour_pattern_free(&m->pattern);
    device_free(m->val), device_free(m->inverse), device_free(m->x);
    free(m);
}

struct preconditioner *multicolour_create(const struct matrix *a, const struct linear_setting *s, struct error *e)
{
    struct multicolour *m;
    NEW(m, 1);
    m->base = (struct preconditioner){.refresh = refresh, .apply = apply, .free = free_preconditioner,
                                      .variable = s->direction == DIRECTION_FORWARD};
    m->single = s->precision == PRECISION_SINGLE;
    m->symmetric = s->direction == DIRECTION_SYMMETRIC;
    m->sweeps = s->sweeps;
    m->damping = s->damping;
    if (!colour_pattern(&m->pattern, a)) {
        free(m);
        refuse(e, EXIT_INPUT, "multicolour-gs: a row of the matrix has %d entries or more; use two-stage-gs", NO_SLOT);
        return NULL;
    }
    size_t size = m->single ? sizeof(float) : sizeof(double);
    m->val = device_alloc((size_t)m->pattern.n_stored * size, "multicolour Gauss-Seidel");
    m->inverse = device_alloc((size_t)m->pattern.n_rows * size, "multicolour Gauss-Seidel");
    m->x = device_alloc((size_t)m->pattern.n_rows * size, "multicolour Gauss-Seidel");
    return &m->base;
}
