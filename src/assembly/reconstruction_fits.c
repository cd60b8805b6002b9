/* Least-squares fits of quadratics over layers of neighbours, for the fitted cells of reconstruction.h. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/reconstruction_setup.h"
#include "base/dense.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"

enum { MOST = 400, UNKNOWNS = 9, LAYERS = 4 };

struct outlet { double way[3], normal[3]; };            /* to the centre of a face, and its area vector */

struct cloud {                                      /* points around a cell: neighbours, boundary faces */
    int n;
    int32_t column[MOST];
    double way[MOST][3];
    bool slips[MOST];                               /* see add_slip() */
    double fit[UNKNOWNS][MOST];                         /* coefficients of (u_point - u_cell) */
    int n_free;                                         /* faces of the cell at outlets: see free_row() */
    struct outlet free[6];
};

/* first: number of the first point in this layer, in which periodic images of a cell are several points. */
static void add(struct cloud *l, int32_t column, const double *way, int first)
{
    for (int i = 0; i < l->n; i++)
        if (l->column[i] == column && (i < first || is_same_point(l->way[i], way))) return;
    if (l->n == MOST) return;
    l->column[l->n] = column, l->slips[l->n] = false;
    memcpy(l->way[l->n++], way, sizeof l->way[0]);
}

/* Adds the condition at a slip face of a steep cell (mesh_steep()) as a point: the nearest one of the face's plane,
 * with the cell's velocity less its normal part.  At such a plane the velocity along it has no normal derivative, and
 * the normal velocity, without divergence, no second one: u there minus u_P is g . y + y H y for both, see row_of().
 * Without it nothing bounds the derivatives towards the face, and in flat cells the explicit viscous terms exceeded the
 * implicit ones: the flow grew without a cause. */
static void add_slip(struct cloud *l, const struct mesh *m, int32_t f)
{
    double area[3] = {0}, way[3] = {0}, aa = 0, ar = 0;
    for (int j = 0; j < m->dim; j++) {
        area[j] = m->face_area[(int64_t)j * m->n_faces + f];
        aa += area[j] * area[j], ar += area[j] * m->face_r[(int64_t)j * m->n_faces + f];
    }
    for (int j = 0; j < m->dim; j++) way[j] = ar / aa * area[j];
    const int n = l->n;
    add(l, m->n_all + f - m->n_internal, way, 0);
    if (l->n > n) l->slips[n] = true;
}

/* Adds the neighbours of `cell` and its boundary faces with a given velocity; the cell is `way` from the cloud's
 * centre. */
static void add_around(struct cloud *l, const struct mesh *m, const struct adjacency *a, const uint8_t *rule,
                       int32_t centre, int32_t cell, const double *way, int first)
{
    double to[3] = {0}, d[3];
    for (int64_t k = a->start[cell]; k < a->start[cell + 1]; k++) {
        way_to(m, a, k, d);
        for (int j = 0; j < m->dim; j++) to[j] = way[j] + d[j];
        if (a->column[k] != centre) add(l, a->column[k], to, first);
    }
    for (int32_t k = a->boundary_start[cell]; k < a->boundary_start[cell + 1]; k++) {
        int32_t f = a->boundary[k];
        for (int j = 0; j < m->dim; j++) to[j] = way[j] + m->face_r[(int64_t)j * m->n_faces + f];
        if (rule[f - m->n_internal] == RULE_VALUE) add(l, m->n_all + f - m->n_internal, to, first);
    }
}

static void solve(double a[UNKNOWNS][UNKNOWNS], int n, double *x)
{
    for (int i = 0; i < n; i++) { for (int k = 0; k < i; k++) x[i] -= a[i][k] * x[k]; x[i] /= a[i][i]; }
    for (int i = n - 1; i >= 0; i--) { for (int k = i + 1; k < n; k++) x[i] -= a[k][i] * x[k]; x[i] /= a[i][i]; }
}

/* Weight and row of point p in the frame of the cell; weights 1 / |y|^2. */
static double row_of(const struct cloud *l, int p, const struct frame *frame, int dim, double *row)
{
    const double *way = l->way[p];
    double yy = 0;
    for (int i = 0; i < dim; i++) {
        row[i] = 0;
        for (int k = 0; k <= i; k++) row[i] += frame->inverse[i][k] * way[k];
        yy += row[i] * row[i];
    }
    quadratic_row(row, dim, row + dim);
    for (int j = 0; j < dim * (dim + 1) / 2 && l->slips[p]; j++) row[dim + j] *= 2;
    return 1 / yy;
}

/* The row of an outlet's face: at its centre the derivative along the normal n is zero, n . (g + H y) = 0. */
static double free_row(const struct outlet *o, const struct frame *frame, int dim, double *row)
{
    double n[3] = {0}, y[3] = {0}, square = 0;
    for (int i = 0; i < dim; i++) {
        for (int k = 0; k <= i; k++)
            n[i] += frame->inverse[i][k] * o->normal[k], y[i] += frame->inverse[i][k] * o->way[k];
        square += n[i] * n[i];
    }
    for (int i = 0; i < dim; i++) {
        row[i] = n[i];
        for (int k = 0; k <= i; k++) row[dim + PACKED(i, k)] = i == k ? n[i] * y[i] : n[i] * y[k] + n[k] * y[i];
    }
    return 1 / square;
}

/* The squared Frobenius norm of a packed second derivative over dim, which is the mean square of its product with a
 * unit vector over all directions.  It does not depend on the axes. */
static double square_of_second(const double *second, int dim)
{
    double square = 0;
    for (int j = 0; j < dim; j++)
        for (int k = 0; k <= j; k++) square += (j == k ? 1 : 2) * second[PACKED(j, k)] * second[PACKED(j, k)] / dim;
    return square;
}

/* Noise amplification of the fit: the effect of a change of 1 in each point's value on the first or on the second
 * derivatives, whichever is larger. */
static double noise_amplification(const struct cloud *l, int dim)
{
    double first = 0, second = 0, all[UNKNOWNS];
    for (int p = 0; p < l->n; p++) {
        double square = 0;
        for (int i = 0; i < dim + dim * (dim + 1) / 2; i++) all[i] = l->fit[i][p];
        for (int i = 0; i < dim; i++) square += all[i] * all[i] / dim;
        first += sqrt(square), second += sqrt(square_of_second(all + dim, dim));
    }
    return fmax(first, second);
}

/* Coefficients of the fit in the frame; stiffness: regularisation of second derivatives.  Returns its noise
 * amplification; INFINITY: the points do not determine it. */
static double fit_cloud(struct cloud *l, const struct frame *frame, int dim, double stiffness)
{
    int n = dim + dim * (dim + 1) / 2;
    double a[UNKNOWNS][UNKNOWNS] = {{0}}, row[UNKNOWNS];
    if (stiffness == 0 && l->n < n + (dim == 2 ? 1 : 3)) return INFINITY;
    for (int p = 0; p < l->n + l->n_free; p++) {
        double w = p < l->n ? row_of(l, p, frame, dim, row) : free_row(&l->free[p - l->n], frame, dim, row);
        for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i][j] += w * row[i] * row[j];
    }
    /* First derivatives are regularised too, very weakly, so that they are 0 if no point determines them. */
    for (int i = 0; i < dim && stiffness > 0; i++) {
        a[i][i] += l->n * 1e-12;
        for (int j = 0; j <= i; j++) a[dim + PACKED(i, j)][dim + PACKED(i, j)] += l->n * stiffness * (i == j ? 1 : 2);
    }
    if (!cholesky(a[0], UNKNOWNS, n, stiffness > 0 ? 1e-15 : 1e-12)) return INFINITY;
    for (int p = 0; p < l->n; p++) {
        double x[UNKNOWNS], w = row_of(l, p, frame, dim, row);
        for (int i = 0; i < n; i++) x[i] = w * row[i];
        solve(a, n, x);
        for (int i = 0; i < n; i++) l->fit[i][p] = x[i];
    }
    return noise_amplification(l, dim);
}

/* Returns whether second derivatives had to be regularised. */
static bool fit_cell(struct cloud *l, const struct mesh *m, const struct adjacency *a, const uint8_t *rule,
                     int32_t cell, bool steep)
{
    struct frame frame;
    double none[3] = {0};
    bool limited = false;
    frame_of_cell(&frame, m, a, cell);
    l->n = l->n_free = 0;
    add_around(l, m, a, rule, cell, cell, none, 0);
    for (int32_t k = a->boundary_start[cell]; k < a->boundary_start[cell + 1]; k++) {
        if (steep && rule[a->boundary[k] - m->n_internal] == RULE_SLIP) add_slip(l, m, a->boundary[k]);
        if (rule[a->boundary[k] - m->n_internal] == RULE_GRADIENT) {
            struct outlet *o = &l->free[l->n_free++];
            for (int j = 0; j < m->dim; j++) {
                o->way[j] = m->face_r[(int64_t)j * m->n_faces + a->boundary[k]];
                o->normal[j] = m->face_area[(int64_t)j * m->n_faces + a->boundary[k]];
            }
        }
    }
    for (int layer = 2, begin = 0; layer <= LAYERS; layer++) {
        int end = l->n;
        for (; begin < end; begin++)
            if (l->column[begin] < m->n_all) add_around(l, m, a, rule, cell, l->column[begin], l->way[begin], end);
        double noise = fit_cloud(l, &frame, m->dim, 0);
        if (noise <= CALM) break;
        limited = layer == LAYERS && noise > ALLOWED;
    }
    for (double stiffness = 1e-4; limited && stiffness < 1e9 && fit_cloud(l, &frame, m->dim, stiffness) > ALLOWED;)
        stiffness *= 4;
    for (int p = 0; p < l->n; p++) {
        double first[3], second[6];
        for (int j = 0; j < m->dim; j++) first[j] = l->fit[j][p];
        for (int j = 0; j < m->dim * (m->dim + 1) / 2; j++) second[j] = l->fit[m->dim + j][p];
        frame_first(&frame, m->dim, first), frame_second(&frame, m->dim, second);
        for (int j = 0; j < m->dim; j++) l->fit[j][p] = first[j];
        for (int j = 0; j < m->dim * (m->dim + 1) / 2; j++) l->fit[m->dim + j][p] = second[j];
    }
    return limited;
}

/* A row, stored on the host until all rows are known: n[0] cells, then n[1] boundary faces; coefficient j of
 * point p at [j * (n[0] + n[1]) + p]. */
struct kept { int n[2]; int32_t *column; double *coefficient; };

/* Stores a row of the cloud's points with `unknowns` coefficients for each; number j of point p is at [j * MOST +
 * p]. */
static void keep(struct kept *k, const struct cloud *l, const double *coefficient, int unknowns, int32_t n_all)
{
    int at = 0;
    NEW(k->column, l->n), NEW(k->coefficient, (int64_t)unknowns * l->n);
    for (int part = 0; part < 2; part++)
        for (int p = 0; p < l->n; p++) {
            if ((l->column[p] >= n_all) != part) continue;
            k->column[at] = part ? l->column[p] - n_all : l->column[p];
            for (int j = 0; j < unknowns; j++) k->coefficient[j * l->n + at] = coefficient[j * MOST + p];
            at++, k->n[part]++;
        }
}

/* At boundary face f: int grad u . dS - g (u_b - u_P), from the value at each point of the cloud. */
static void shear_row(const struct cloud *l, const struct mesh *m, int32_t f, double *row)
{
    double area[3], r[3], aa = 0, ar = 0;
    for (int j = 0; j < m->dim; j++) {
        area[j] = m->face_area[(int64_t)j * m->n_faces + f], r[j] = m->face_r[(int64_t)j * m->n_faces + f];
        aa += area[j] * area[j], ar += area[j] * m->face_d[(int64_t)j * m->n_faces + f];
    }
    for (int p = 0; p < l->n; p++) {
        row[p] = 0;
        for (int j = 0; j < m->dim; j++) {
            double slope = l->fit[j][p], half = l->fit[j][p];
            for (int k = 0; k < m->dim; k++) {
                double more = l->fit[m->dim + PACKED(j, k)][p] * r[k];
                slope += more, half += 0.5 * more;
            }
            row[p] += slope * area[j] - aa / ar * half * r[j];
        }
    }
}

/* Uploads the rows to the device in groups of WARP, entries interleaved, each group padded to its longest row.
 * Returns the coefficients in that order, on the host; the caller frees them. */
static double *interleave(struct fits *f, const struct kept *kept, const int32_t *row, int32_t n, int unknowns)
{
    int32_t groups = (n + WARP - 1) / WARP, *column, *padded;
    int64_t *start;
    double *coefficient;
    NEW(start, 2 * groups + 1), NEW(padded, groups * WARP + 1);
    for (int32_t g = 0; g < 2 * groups; g++) {
        int width = 0;
        for (int32_t i = g / 2 * WARP; i < n && i < (g / 2 + 1) * WARP; i++)
            width = kept[i].n[g % 2] > width ? kept[i].n[g % 2] : width;
        start[g + 1] = start[g] + (int64_t)width * WARP;
    }
    f->n = n, f->n_entries = start[2 * groups];
    NEW(column, f->n_entries), NEW(coefficient, unknowns * f->n_entries);
    for (int32_t i = 0; i < n; i++)
        for (int p = 0, all = kept[i].n[0] + kept[i].n[1]; p < all; p++) {
            int part = p >= kept[i].n[0];
            int64_t e = start[i / WARP * 2 + part] + (p - part * kept[i].n[0]) * WARP + i % WARP;
            column[e] = kept[i].column[p];
            for (int j = 0; j < unknowns; j++) coefficient[j * f->n_entries + e] = kept[i].coefficient[j * all + p];
        }
    for (int32_t i = 0; i < groups * WARP; i++) padded[i] = row[i < n ? i : n - 1];
    f->row = device_copy_of(padded, (size_t)(groups * WARP) * sizeof *padded, "fits");
    f->start = device_copy_of(start, (size_t)(2 * groups + 1) * sizeof *start, "fits");
    f->column = device_copy_of(column, (size_t)f->n_entries * sizeof *column, "fits");
    free(start), free(column), free(padded);
    return coefficient;
}

static void free_kept(struct kept *kept, int32_t n)
{
    for (int32_t i = 0; i < n; i++) free(kept[i].column), free(kept[i].coefficient);
    free(kept);
}

static void upload_list(struct reconstruction *r, const struct kept *kept, const int32_t *list, int32_t n)
{
    double *coefficient = interleave(&r->list, kept, list, n, r->s.dim + r->n_second);
    int64_t slopes = r->s.dim * r->list.n_entries, seconds = r->n_second * r->list.n_entries;
    float *single;
    NEW(single, seconds);
    for (int64_t i = 0; i < seconds; i++) single[i] = (float)coefficient[slopes + i];
    r->slope = device_copy_of(coefficient, (size_t)slopes * sizeof *coefficient, "fits");
    r->bow = device_copy_of(single, (size_t)seconds * sizeof *single, "fits");
    free(coefficient), free(single);
}

/* Uploads the rows of the shear at walls.  A cell's own coefficient is minus the sum of the others. */
static void upload_walls(struct reconstruction *r, const struct kept *kept, const int32_t *face, int32_t n)
{
    double *coefficient = interleave(&r->walls, kept, face, n, 1), *own;
    NEW(own, r->s.n_boundary);
    for (int32_t i = 0; i < n; i++) {
        for (int p = 0; p < kept[i].n[0] + kept[i].n[1]; p++) own[face[i]] += kept[i].coefficient[p];
        own[face[i]] = fmax(own[face[i]], 0);
    }
    r->shear = device_copy_of(coefficient, (size_t)r->walls.n_entries * sizeof *coefficient, "wall shear");
    r->wall_own = device_copy_of(own, (size_t)r->s.n_boundary * sizeof *own, "wall shear");
    free(coefficient), free(own);
}

void reconstruction_fits(struct reconstruction *r, const struct mesh *m, const struct adjacency *a,
                         const uint8_t *rule, const int32_t *list, int32_t n)
{
    int32_t limited = 0, n_walls = 0, *first, *face;
    bool *steep;
    struct kept *kept, *walls;
    NEW(first, n + 1), NEW(face, r->s.n_boundary + 1), NEW(kept, n), NEW(walls, r->s.n_boundary);
    NEW(steep, m->n_all);
    mesh_steep(m, steep);
    for (int32_t i = 0; i < n; i++) {
        first[i] = n_walls;
        for (int32_t k = a->boundary_start[list[i]]; k < a->boundary_start[list[i] + 1]; k++)
            if (rule[a->boundary[k] - m->n_internal] == RULE_VALUE) face[n_walls++] = a->boundary[k] - m->n_internal;
    }
    first[n] = n_walls;
    #pragma omp parallel reduction(+ : limited)
    {
        struct cloud *l;
        double row[MOST];
        NEW(l, 1);
        #pragma omp for schedule(dynamic, 64)
        for (int32_t i = 0; i < n; i++) {
            limited += fit_cell(l, m, a, rule, list[i], steep[list[i]]);
            if (r->quadratic) keep(&kept[i], l, l->fit[0], r->s.dim + r->n_second, m->n_all);
            for (int32_t k = first[i]; k < first[i + 1]; k++) {
                shear_row(l, m, m->n_internal + face[k], row);
                keep(&walls[k], l, row, 1, m->n_all);
            }
        }
        free(l);
    }
    if (r->quadratic) upload_list(r, kept, list, n);
    upload_walls(r, walls, face, n_walls);
    r->n_limited = (int32_t)count_over_ranks(limited);
    free_kept(kept, n), free_kept(walls, n_walls);
    free(first), free(face), free(steep);
}
