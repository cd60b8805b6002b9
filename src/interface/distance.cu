/* Kernels of the distance to the fitted paraboloids and of its curvature (distance.h). */
#include "interface/distance.h"
#include "interface/curvature_fit.h"

#define NEWTON_STEPS 5

/* z and its derivatives at (x, y): z, z_x, z_y, z_xx, z_xy, z_yy. */
ON_DEVICE void paraboloid(const double *a, double x, double y, double z[6], const int dim)
{
    if (dim == 2) {
        z[0] = fma(fma(a[2], x, a[1]), x, a[0]), z[1] = fma(2 * a[2], x, a[1]), z[3] = 2 * a[2];
        z[2] = z[4] = z[5] = 0;
        return;
    }
    z[3] = 2 * a[3], z[4] = a[4], z[5] = 2 * a[5];
    z[1] = a[1] + fma(z[3], x, z[4] * y), z[2] = a[2] + fma(z[4], x, z[5] * y);
    z[0] = a[0] + 0.5 * fma(a[1] + z[1], x, (a[2] + z[2]) * y);
}

/* Signed distance of the point r (from the piece's centroid) to the paraboloid of cell j.  *tangential: how far the
 * foot of the perpendicular lies from the centroid, in the plane of the frame; its square over the square of the
 * reach. */
ON_DEVICE double paraboloid_distance(const struct distance_args *a, int32_t j, const double *r, double *tangential,
                                     const int dim)
{
    const struct stencil *s = &a->p.g.s;
    struct fit f;
    double n[3], c[FIT_TERMS], z[6];
    for (int k = 0; k < dim; k++) n[k] = CELL_VALUE(*s, a->p.normal, k, j);
    for (int k = 0; k < (dim == 2 ? 3 : 6); k++) c[k] = CELL_VALUE(*s, a->fit, k, j);
    fit_frame(&f, n, a->reach[j], dim);
    double X = f.scale * fit_dot(f.axis[0], r, dim), Y = dim == 3 ? f.scale * fit_dot(f.axis[1], r, dim) : 0;
    double x = X, y = Y;
    double Z = f.scale * fit_dot(f.axis[dim - 1], r, dim);
    for (int step = 0; step < NEWTON_STEPS; step++) {
        paraboloid(c, x, y, z, dim);
        double up = z[0] - Z, fx = fma(up, z[1], x - X), fy = fma(up, z[2], y - Y);
        double xx = 1 + fma(z[1], z[1], up * z[3]), xy = fma(z[1], z[2], up * z[4]),
               yy = 1 + fma(z[2], z[2], up * z[5]);
        double determinant = fma(xx, yy, -xy * xy);
        if (!(xx > 0.1) || !(determinant > 0.1)) break;         /* beyond the centre of curvature */
        x -= (yy * fx - xy * fy) / determinant, y -= (xx * fy - xy * fx) / determinant;
    }
    paraboloid(c, x, y, z, dim);
    *tangential = fma(x, x, y * y);
    double along = (Z - z[0]) - fma(z[1], X - x, z[2] * (Y - y));
    return along / (f.scale * sqrt(1 + fma(z[1], z[1], z[2] * z[2])));
}

/* From the centroid of the piece of near cell number k (-1: the cell itself) to the centre of cell c; returns that
 * cell. */
ON_DEVICE int32_t from_piece(const struct pieces *p, int32_t c, int64_t k, double *r, const int dim)
{
    int32_t j = k < 0 ? c : p->g.near[k];
    double x[3] = {0, 0, 0};
    if (k >= 0) near_offset(&p->g, c, k, x);
    for (int i = 0; i < dim; i++) r[i] = -x[i] - CELL_VALUE(p->g.s, p->centroid, i, j);
    return j;
}

ON_DEVICE void distance_of_cell(const struct distance_args *a, int32_t c, const int dim)
{
    const struct geometry *g = &a->p.g;
    const int64_t first = g->near_start[c], last = g->near_start[c + 1];
    double r[3], least = DBL_MAX, sum = 0, weight = 0, nearest = 0;
    int32_t at = -1;
    for (int64_t k = first - 1; k < last; k++) {
        int32_t j = from_piece(&a->p, c, k < first ? -1 : k, r, dim);
        double square = fit_dot(r, r, dim);
        if (a->p.area[j] > 0 && square < least) least = square, at = j;
    }
    if (at < 0) return;
    for (int64_t k = first - 1; k < last; k++) {
        int32_t j = from_piece(&a->p, c, k < first ? -1 : k, r, dim);
        double turn = 0, tangential;
        if (!(a->p.area[j] > 0)) continue;
        for (int i = 0; i < dim; i++)
            turn = fma(CELL_VALUE(g->s, a->p.normal, i, j), CELL_VALUE(g->s, a->p.normal, i, at), turn);
        if (!(turn > NEAR_TURN)) continue;
        double value = paraboloid_distance(a, j, r, &tangential, dim), t = 1 - tangential;
        if (j == at) nearest = value;
        if (!(t > 0)) continue;
        t = a->p.area[j] * t * t * t * t;
        sum = fma(t, value, sum), weight += t;
    }
    a->distance[c] = weight > 0 ? sum / weight : nearest;
}

HEAVY_INDEX_KERNEL(distance_to_paraboloids, struct distance_args)
{
    if (a->p.g.s.dim == 2) distance_of_cell(a, a->band[i], 2);
    else distance_of_cell(a, a->band[i], 3);
}

/* Normal equations of a quadratic in dim variables. */
struct quadratic { double m[55], b[10]; };

ON_DEVICE void quadratic_equation(struct quadratic *q, double weight, const double *x, double value, const int dim)
{
    const int terms = dim == 2 ? 6 : 10;
    double row[10] = {1, x[0], x[1]};
    int n = 3;
    if (dim == 3) row[n++] = x[2];
    for (int i = 0; i < dim; i++)
        for (int j = 0; j <= i; j++) row[n++] = x[i] * x[j];
    for (int i = 0; i < terms; i++) {
        double scaled = weight * row[i];
        for (int j = 0; j <= i; j++) q->m[PACKED(i, j)] = fma(scaled, row[j], q->m[PACKED(i, j)]);
        q->b[i] = fma(scaled, value, q->b[i]);
    }
}

ON_DEVICE void curvature_at(const struct distance_args *a, int32_t c, const int dim)
{
    const struct geometry *g = &a->p.g;
    const int64_t first = g->near_start[c], last = g->near_start[c + 1];
    struct quadratic q;
    double r[3], x[10], size = sqrt(near_mean_square(g, c, dim)), trace = 0, along = 0, square = 0;
    for (int k = 0; k < 55; k++) q.m[k] = 0;
    for (int k = 0; k < 10; k++) q.b[k] = 0;
    for (int64_t k = first - 1; k < last; k++) {
        r[0] = r[1] = r[2] = 0;
        if (k >= first) near_offset(g, c, k, r);
        for (int i = 0; i < dim; i++) r[i] /= size;
        quadratic_equation(&q, 1 / (0.5 + fit_dot(r, r, dim)), r, a->distance[k < first ? c : g->near[k]] / size, dim);
    }
    if (!fit_solve(q.m, q.b, x, 1e-9, dim == 2 ? 6 : 10)) return;
    const double *gradient = x + 1, *h = x + 1 + dim;           /* h: packed, its diagonal half of second derivatives */
    for (int i = 0; i < dim; i++) {
        square = fma(gradient[i], gradient[i], square);
        trace += 2 * h[PACKED(i, i)];
        for (int j = 0; j < dim; j++) along = fma((i == j ? 2 : 1) * h[PACKED(i, j)], gradient[i] * gradient[j], along);
    }
    if (!(square > 0.01)) return;
    double here = (trace - along / square) / (size * sqrt(square)), shrink = 1 - a->distance[c] * here / (dim - 1);
    a->curvature[c] = here / (shrink > 0.3 ? shrink : 0.3);
}

HEAVY_INDEX_KERNEL(curvature_of_distance, struct distance_args)
{
    if (a->p.g.s.dim == 2) curvature_at(a, a->p.cell[i], 2);
    else curvature_at(a, a->p.cell[i], 3);
}
