#include "assembly/residual.h"
#include <math.h>
#include <string.h>
#include "assembly/residual_kernels.h"

void residual_create(struct residual *r, const struct stencil *s, int components)
{
    r->components = components;
    r->sums = sums_create(RESIDUAL_SUMS, s->n_slices, "residual sums");
}

void residual_free(struct residual *r)
{
    sums_free(&r->sums);
    memset(r, 0, sizeof *r);
}

void residual_normalised(struct residual *r, const struct matrix *a, const double *x, const double *b, bool b_is_rest,
                         double gross, double *normalised)
{
    double total[2 * MOST_COMPONENTS];
    struct residual_args args = {.a = *a, .components = r->components, .b_is_rest = b_is_rest, .x = x, .b = b,
                                 .sums = r->sums};
    residual_sums(&args, a->p.n_slices);
    sums_finish(&r->sums, RESIDUAL_OF_X, r->components);
    halo_update(a->p.halo, x, r->components);
    residual_norms(&args, a->p.n_slices);
    sums_finish(&r->sums, 0, 2 * r->components);
    sums_download(&r->sums, 0, 2 * r->components, total);
    double scale = b_is_rest ? RESIDUAL_FLOOR * gross : 0;
    for (int k = 0; k < r->components; k++)             /* or not a number */
        scale = total[2 * k + 1] <= scale ? scale : total[2 * k + 1];
    for (int k = 0; k < r->components; k++)
        normalised[k] = total[2 * k] > 0 || isnan(total[2 * k]) ? total[2 * k] / scale : 0;
}

double continuity_error(struct residual *r, const struct stencil *s, const double *flux, const double *net,
                        double *gross)
{
    double total[2];
    struct continuity_args args = {.s = *s, .flux = flux, .net = net, .sums = r->sums};
    continuity_sums(&args, s->n_slices);
    sums_finish(&r->sums, 0, 2);
    sums_download(&r->sums, 0, 2, total);
    *gross = total[1] / 2;
    return total[1] > 0 ? total[0] / *gross : 0;
}

double largest_vector(struct residual *r, const struct stencil *s, const double *u)
{
    double most;
    struct largest_args args = {*s, u, r->sums};
    largest_squares(&args, s->n_slices);
    sums_finish_largest(&r->sums, 0, 1);
    sums_download(&r->sums, 0, 1, &most);
    return sqrt(most);
}
