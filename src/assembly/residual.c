#include "assembly/residual.h"
#include <math.h>
#include <string.h>
#include "assembly/residual_kernels.h"
#include "gpu/device.h"
#include "gpu/vector.h"

enum { MOST = 6 };                                      /* sums at a time: 2 for each of 3 components */

void residual_create(struct residual *r, const struct stencil *s, int components)
{
    r->components = components;
    r->partial = device_alloc(MOST * (size_t)s->n_slices * sizeof(double), "residual sums");
    r->total = device_alloc(2 * MOST * sizeof(double), "residual totals");
}

void residual_free(struct residual *r)
{
    device_free(r->partial);
    device_free(r->total);
    memset(r, 0, sizeof *r);
}

static void finish(struct residual *r, int32_t n_slices, int first, int count)
{
    struct finish_args f = {r->partial, r->total + first, n_slices};
    finish_sum(&f, count);
}

void residual_normalised(struct residual *r, const struct matrix *a, const double *x, const double *b, bool b_is_rest,
                         double gross, double *normalised)
{
    double total[MOST];
    struct residual_args args = {.a = *a, .components = r->components, .b_is_rest = b_is_rest, .x = x, .b = b, .sum = r->total + MOST,
                                .partial = r->partial};
    residual_sums(&args, a->p.n_slices);
    finish(r, a->p.n_slices, MOST, r->components);
    residual_norms(&args, a->p.n_slices);
    finish(r, a->p.n_slices, 0, 2 * r->components);
    device_download(total, r->total, sizeof total);
    double scale = b_is_rest ? RESIDUAL_FLOOR * gross : 0;
    for (int k = 0; k < r->components; k++) scale = total[2 * k + 1] <= scale ? scale : total[2 * k + 1];      /* or not a number */
    for (int k = 0; k < r->components; k++) normalised[k] = total[2 * k] > 0 || isnan(total[2 * k]) ? total[2 * k] / scale : 0;
}

double continuity_error(struct residual *r, const struct stencil *s, const double *flux, const double *net, double *gross)
{
    double total[2];
    struct continuity_args args = {.s = *s, .flux = flux, .net = net, .partial = r->partial};
    continuity_sums(&args, s->n_slices);
    finish(r, s->n_slices, 0, 2);
    device_download(total, r->total, sizeof total);
    *gross = total[1] / 2;
    return total[1] > 0 ? total[0] / *gross : 0;
}

double largest_vector(struct residual *r, const struct stencil *s, const double *u)
{
    double most;
    struct largest_args args = {*s, u, r->partial};
    largest_squares(&args, s->n_slices);
    struct finish_args f = {r->partial, r->total, s->n_slices};
    finish_max(&f, 1);
    device_download(&most, r->total, sizeof most);
    return sqrt(most);
}
