/* Least-squares fits of quadratics over layers of neighbours, for the cells that reconstruction.h lists. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/reconstruction_setup.h"
#include "base/case.h"
#include "base/memory.h"
#include "gpu/device.h"

enum { MOST = 400, UNKNOWNS = 9, LAYERS = 4 };

struct cloud {                                          /* points about a cell: neighbours, faces with a given velocity */
    int n;
    int32_t column[MOST];
    double way[MOST][3];
    double fit[UNKNOWNS][MOST];                         /* coefficients of (u_point - u_cell) */
    int n_free;                                         /* outlets of the cell, where the velocity changes no longer */
    double free[6][3];
};

static void add(struct cloud *l, int32_t column, const double *way)
{
    for (int i = 0; i < l->n; i++) if (l->column[i] == column) return;
    if (l->n == MOST) return;
    l->column[l->n] = column;
    memcpy(l->way[l->n++], way, sizeof l->way[0]);
}

/* Neighbours and given faces of `cell`, which is `way` from the centre of the cloud. */
static void add_around(struct cloud *l, const struct mesh *m, const struct adjacency *a, const uint8_t *type,
                       int32_t centre, int32_t cell, const double *way)
{
    double to[3] = {0};
    for (int64_t k = a->start[cell]; k < a->start[cell + 1]; k++) {
        int32_t f = abs(a->face[k]) - 1;
        for (int j = 0; j < m->dim; j++)
            to[j] = way[j] + (a->face[k] > 0 ? 1 : -1) * m->face_d[(int64_t)j * m->n_faces + f];
        if (a->column[k] != centre) add(l, a->column[k], to);
    }
    for (int32_t k = a->boundary_start[cell]; k < a->boundary_start[cell + 1]; k++) {
        int32_t f = a->boundary[k], kind = type[f - m->n_internal];
        for (int j = 0; j < m->dim; j++) to[j] = way[j] + m->face_r[(int64_t)j * m->n_faces + f];
        if (kind == BOUNDARY_WALL || kind == BOUNDARY_INLET) add(l, m->n_cells + f - m->n_internal, to);
    }
}

/* Cholesky factor of a, in place. */
static bool factor(double a[UNKNOWNS][UNKNOWNS], int n, double tolerance)
{
    for (int j = 0; j < n; j++) {
        double whole = a[j][j];
        for (int k = 0; k < j; k++) a[j][j] -= a[j][k] * a[j][k];
        if (!(a[j][j] > tolerance * whole)) return false;
        a[j][j] = sqrt(a[j][j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) a[i][j] -= a[i][k] * a[j][k];
            a[i][j] /= a[j][j];
        }
    }
    return true;
}

static void solve(double a[UNKNOWNS][UNKNOWNS], int n, double *x)
{
    for (int i = 0; i < n; i++) { for (int k = 0; k < i; k++) x[i] -= a[i][k] * x[k]; x[i] /= a[i][i]; }
    for (int i = n - 1; i >= 0; i--) { for (int k = i + 1; k < n; k++) x[i] -= a[k][i] * x[k]; x[i] /= a[i][i]; }
}

/* Weight and row of a point in the frame of the cell; weights 1 / |y|^2. */
static double row_of(const double *way, const struct frame *frame, int dim, double *row)
{
    double yy = 0;
    for (int i = 0; i < dim; i++) {
        row[i] = 0;
        for (int k = 0; k <= i; k++) row[i] += frame->inverse[i][k] * way[k];
        yy += row[i] * row[i];
    }
    quadratic_row(row, dim, row + dim);
    return 1 / yy;
}

/* At outlets: the derivative along the way to the face is zero at the face, y . (g + H y) = 0. */
static double free_row(const double *way, const struct frame *frame, int dim, double *row)
{
    double weight = row_of(way, frame, dim, row);
    for (int i = dim; i < dim + dim * (dim + 1) / 2; i++) row[i] *= 2;
    return weight;
}

/* Coefficients of the fit in the frame; stiffness: how much second derivatives are held down.  Returns the largest sum of
 * magnitudes of a derivative's coefficients; INFINITY: the points do not determine it. */
static double fit_cloud(struct cloud *l, const struct frame *frame, int dim, double stiffness)
{
    int n = dim + dim * (dim + 1) / 2;
    double a[UNKNOWNS][UNKNOWNS] = {{0}}, row[UNKNOWNS], largest = 0;
    if (stiffness == 0 && l->n < n + (dim == 2 ? 1 : 3)) return INFINITY;
    for (int p = 0; p < l->n + l->n_free; p++) {
        double w = p < l->n ? row_of(l->way[p], frame, dim, row) : free_row(l->free[p - l->n], frame, dim, row);
        for (int i = 0; i < n; i++) for (int j = 0; j <= i; j++) a[i][j] += w * row[i] * row[j];
    }
    /* First derivatives are held down by next to nothing: for where nothing determines them. */
    for (int i = 0; i < n && stiffness > 0; i++) a[i][i] += l->n * (i < dim ? 1e-12 : stiffness);
    if (!factor(a, n, stiffness > 0 ? 1e-15 : 1e-8)) return INFINITY;
    for (int p = 0; p < l->n; p++) {
        double x[UNKNOWNS], w = row_of(l->way[p], frame, dim, row);
        for (int i = 0; i < n; i++) x[i] = w * row[i];
        solve(a, n, x);
        for (int i = 0; i < n; i++) l->fit[i][p] = x[i];
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int p = 0; p < l->n; p++) sum += fabs(l->fit[i][p]);
        largest = fmax(largest, sum);
    }
    return largest;
}

/* Returns whether second derivatives had to be held down. */
static bool fit_cell(struct cloud *l, const struct mesh *m, const struct adjacency *a, const uint8_t *type,
                     int32_t cell)
{
    struct frame frame;
    double none[3] = {0};
    bool limited = false;
    frame_of_cell(&frame, m, a, cell);
    l->n = l->n_free = 0;
    add_around(l, m, a, type, cell, cell, none);
    for (int32_t k = a->boundary_start[cell]; k < a->boundary_start[cell + 1]; k++)
        if (type[a->boundary[k] - m->n_internal] == BOUNDARY_OUTLET) {
            for (int j = 0; j < m->dim; j++)
                l->free[l->n_free][j] = m->face_r[(int64_t)j * m->n_faces + a->boundary[k]];
            l->n_free++;
        }
    for (int layer = 2, begin = 0; layer <= LAYERS; layer++) {
        int end = l->n;
        for (; begin < end; begin++)
            if (l->column[begin] < m->n_cells) add_around(l, m, a, type, cell, l->column[begin], l->way[begin]);
        double norm = fit_cloud(l, &frame, m->dim, 0);
        if (norm <= CALM) break;
        limited = layer == LAYERS && norm > ALLOWED;
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

/* One fit as it is kept until all are known. */
struct kept { int n; int32_t *column; double *coefficient; };            /* coefficient j of point p at [j * n + p] */

static void keep(struct kept *k, const struct cloud *l, int unknowns)
{
    k->n = l->n;
    NEW(k->column, l->n), NEW(k->coefficient, (int64_t)unknowns * l->n);
    memcpy(k->column, l->column, (size_t)l->n * sizeof *k->column);
    for (int j = 0; j < unknowns; j++) for (int p = 0; p < l->n; p++) k->coefficient[j * l->n + p] = l->fit[j][p];
}

/* Groups of WARP cells, entries interleaved, as wide as their widest. */
static void interleave(struct reconstruction *r, const struct kept *kept, const int32_t *list, int32_t n, int unknowns)
{
    int32_t groups = (n + WARP - 1) / WARP, *column;
    int64_t *start;
    double *coefficient;
    NEW(start, groups + 2);
    for (int32_t g = 0; g < groups; g++) {
        int width = 0;
        for (int32_t i = g * WARP; i < n && i < (g + 1) * WARP; i++) width = kept[i].n > width ? kept[i].n : width;
        start[g + 1] = start[g] + (int64_t)width * WARP;
    }
    r->n_entries = start[groups];
    NEW(column, r->n_entries), NEW(coefficient, unknowns * r->n_entries);
    for (int32_t i = 0; i < n; i++)
        for (int64_t e = start[i / WARP] + i % WARP, p = 0; e < start[i / WARP + 1]; e += WARP, p++) {
            column[e] = p < kept[i].n ? kept[i].column[p] : list[i];
            for (int j = 0; j < unknowns && p < kept[i].n; j++)
                coefficient[j * r->n_entries + e] = kept[i].coefficient[j * kept[i].n + p];
        }
    r->start = device_copy_of(start, (size_t)(groups + 2) * sizeof *start, "fits");
    r->column = device_copy_of(column, (size_t)r->n_entries * sizeof *column, "fits");
    r->coefficient = device_copy_of(coefficient, (size_t)unknowns * (size_t)r->n_entries * sizeof *coefficient, "fits");
    free(start), free(column), free(coefficient);
}

void reconstruction_fits(struct reconstruction *r, const struct mesh *m, const struct adjacency *a,
                         const uint8_t *type, const int32_t *list, int32_t n)
{
    int unknowns = m->dim + r->n_second;
    int32_t limited = 0;
    struct kept *kept;
    NEW(kept, n);
    #pragma omp parallel reduction(+ : limited)
    {
        struct cloud *l;
        NEW(l, 1);
        #pragma omp for schedule(dynamic, 64)
        for (int32_t i = 0; i < n; i++) {
            limited += fit_cell(l, m, a, type, list[i]);
            keep(&kept[i], l, unknowns);
        }
        free(l);
    }
    interleave(r, kept, list, n, unknowns);
    for (int32_t i = 0; i < n; i++) free(kept[i].column), free(kept[i].coefficient);
    free(kept);
    r->n_listed = n, r->n_limited = limited;
    r->cell = device_copy_of(list, (size_t)n * sizeof *list, "fits");
}
