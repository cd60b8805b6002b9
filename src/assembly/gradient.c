/* Launches the kernels of the cell gradients (gradient.h). */
#include "assembly/gradient.h"

bool gradient_needs_scratch(const struct stencil *s, enum gradient how)
{
    return how == GRADIENT_GREEN_GAUSS && !s->unskewed;
}

static void least_squares_pass(const struct gradient_args *a)
{
    least_squares(a, a->s.n_slices);
    least_squares_boundary(a, a->s.n_boundary_cells);
}

void gradient_of_steps(const struct stencil *s, const double *step, double *result)
{
    least_squares_pass(&(struct gradient_args){.s = *s, .components = 1, .step = step, .gradient = result});
}

void gradient_within(const struct stencil *s, const double *x, double *result)
{
    halo_update(s->pattern.halo, x, 1);
    least_squares(&(struct gradient_args){.s = *s, .components = 1, .x = x, .gradient = result}, s->n_slices);
}

void gradient(const struct stencil *s, enum gradient how, int components, const double *x, const double *boundary,
              double *result, double *scratch)
{
    struct gradient_args a = {.s = *s, .components = components, .x = x, .boundary = boundary, .gradient = result};
    halo_update(s->pattern.halo, x, components);
    if (how == GRADIENT_LEAST_SQUARES) {
        least_squares_pass(&a);
        return;
    }
    if (gradient_needs_scratch(s, how)) {
        a.gradient = scratch;
        least_squares_pass(&a);
        a.gradient = result;
        a.old = scratch;
        halo_update(s->pattern.halo, scratch, components * s->dim);
    }
    green_gauss(&a, s->n_slices);
    green_gauss_boundary(&a, s->n_boundary_cells);
}
