/* Launches and normalises residuals, continuity errors and maximum norms (residual.h). */
#include "assembly/residual.h"
#include <math.h>
#include <string.h>
#include "gpu/device.h"

/* Positions of the sums of each: those that are read, then the sums of x. */
static int components_of(const struct residual *r, enum residual_of which) { return which == OF_VELOCITY ? r->dim : 1; }
static int norms_of(const struct residual *r, enum residual_of which) { return which == OF_VELOCITY ? 0 : 2 * r->dim; }
static int continuity_of(const struct residual *r) { return norms_of(r, OF_CELLS) + 2; }
static int forces_of(const struct residual *r) { return continuity_of(r) + 2; }
static int n_read(const struct residual *r) { return forces_of(r) + 1; }
static int means_of(const struct residual *r, enum residual_of which)
{
    return n_read(r) + (which == OF_VELOCITY ? 0 : r->dim);
}

static int regions_of(const struct residual *r) { return means_of(r, OF_CELLS) + 1; }
static int first_of(const struct residual *r, enum residual_of which)
{
    return r->n_regions ? regions_of(r) : norms_of(r, which);
}

void residual_create(struct residual *r, const struct stencil *s, const uint8_t *region, int n_regions)
{
    r->dim = s->dim, r->region = region, r->n_regions = n_regions;
    r->sums = sums_create(regions_of(r) + 2 * n_regions, s->n_slices, "residual sums");
}

void residual_free(struct residual *r)
{
    sums_free(&r->sums);
    device_free(r->part_level);
    memset(r, 0, sizeof *r);
}

void residual_make(struct residual *r, enum residual_of which, const struct matrix *a, const double *x,
                   const double *b, bool b_is_rest)
{
    struct residual_args args = {.a = *a, .components = components_of(r, which), .b_is_rest = b_is_rest,
                                 .by_exchange = (which == OF_CELLS || r->by_exchange) && !b_is_rest,
                                 .size = which == OF_CELLS && !b_is_rest ? r->size : 0,
                                 .x = x, .b = b, .part_level = b_is_rest ? r->part_level : NULL,
                                 .sums = r->sums, .region = r->region, .n_regions = r->n_regions,
                                 .norms = first_of(r, which), .means = means_of(r, which),
                                 .fold = sums_fold(&r->sums)};
    residual_sums(&args, a->p.n_slices);
    if (!args.fold) sums_finish(&r->sums, args.means, args.components);
    halo_update(a->p.halo, x, args.components);
    residual_norms(&args, a->p.n_slices);
}

/* From residuals and scales of n components; least: of the scale. */
static void normalise(const double *total, int n, double least, double *normalised)
{
    double scale = least;
    for (int k = 0; k < n; k++)                         /* or not a number */
        scale = total[2 * k + 1] <= scale ? scale : total[2 * k + 1];
    for (int k = 0; k < n; k++)
        normalised[k] = total[2 * k] > 0 || isnan(total[2 * k]) ? total[2 * k] / scale : 0;
}

static double worst_of_regions(const double *total, int n)
{
    double all = 0, worst = 0, one;
    for (int k = 0; k < n; k++) all += total[2 * k + 1];
    for (int k = 0; k < n; k++) {
        normalise(total + 2 * k, 1, REGION_FLOOR * all, &one);
        if (!(one <= worst)) worst = one;               /* a NaN stays */
    }
    return worst;
}

void residual_normalised(struct residual *r, enum residual_of which, const struct matrix *a, const double *x,
                         const double *b, bool b_is_rest, double gross, double *normalised)
{
    double total[2 * MOST_REGIONS];
    int first = first_of(r, which);
    int n = r->n_regions ? r->n_regions : components_of(r, which);
    residual_make(r, which, a, x, b, b_is_rest);
    sums_finish(&r->sums, first, 2 * n);
    sums_download(&r->sums, first, 2 * n, total);
    if (r->n_regions) *normalised = worst_of_regions(total, n);
    else normalise(total, n, b_is_rest ? RESIDUAL_FLOOR * gross : 0, normalised);
}

void continuity_make(struct residual *r, const struct stencil *s, const double *flux, const double *net)
{
    struct continuity_args args = {.s = *s, .flux = flux, .net = net, .sums = r->sums, .first = continuity_of(r)};
    continuity_sums(&args, s->n_slices);
}

double continuity_from(const double *two, double *gross)
{
    *gross = two[1] / 2;
    return two[1] > 0 ? two[0] / *gross : 0;
}

void continuity_finish(struct residual *r, double *to)
{
    struct sums s = r->sums;
    s.partial += (int64_t)continuity_of(r) * s.n_slices, s.total = to;
    sums_finish(&s, 0, 2);
}

double continuity_error(struct residual *r, const struct stencil *s, const double *flux, const double *net,
                        double *gross)
{
    double total[2];
    continuity_make(r, s, flux, net);
    sums_finish(&r->sums, continuity_of(r), 2);
    sums_download(&r->sums, continuity_of(r), 2, total);
    return continuity_from(total, gross);
}

void residual_of_forces(struct residual *r, const struct stencil *s, const struct face_force *force)
{
    struct face_sums_args args = {.s = *s, .force = *force, .sums = r->sums, .number = forces_of(r)};
    force_sums(&args, s->n_slices);
}

double residual_read(struct residual *r, double *gross, double *normalised)
{
    double total[2 * MOST_COMPONENTS + 5], scale = 0;
    sums_finish(&r->sums, 0, n_read(r));
    sums_download(&r->sums, 0, n_read(r), total);
    const double forces = total[forces_of(r)];
    for (int k = 0; k < r->dim; k++) scale = fmax(scale, total[2 * k + 1]);
    r->motion = forces > 0 ? scale / forces : INFINITY;
    normalise(total, r->dim, FORCE_FLOOR * forces, normalised);
    normalise(total + norms_of(r, OF_CELLS), 1, RESIDUAL_FLOOR * *gross, normalised + r->dim);
    return continuity_from(total + continuity_of(r), gross);
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
