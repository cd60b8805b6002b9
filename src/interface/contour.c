/* Computes the area of the zero surface of a cell quantity (contour.h). */
#include "interface/contour.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "interface/body.h"
#include "mesh/cells.h"

/* x of the symmetric 3 x 3 (or 2 x 2) system by Cramer's rule; false: singular. */
static bool solve_symmetric(double a[3][3], const double b[3], int dim, double x[3])
{
    if (dim == 2) a[2][2] = 1, a[0][2] = a[1][2] = a[2][0] = a[2][1] = 0;
    double c[3][3], size = a[0][0] + a[1][1] + (dim == 3 ? a[2][2] : 0), det = cofactors(a, c);
    if (!(det > 1e-4 * (dim == 2 ? size * size : size * size * size / 8))) return false;
    for (int j = 0; j < 3; j++) x[j] = dot(c[j], b) / det;
    return true;
}

/* Finds the weights of the cells around a vertex: w = 1 + lambda.d, d from the vertex to the cell's centre, with lambda
 * such that sum w d = 0; clipped to [0, 2].  If this is impossible, as at the boundary, all weights are equal, and the
 * vertex is marked: its level is extrapolated. */
static void find_weights(struct contour *k, int32_t v)
{
    const struct mesh *m = k->m;
    double a[3][3] = {{0}}, b[3] = {0}, lambda[3] = {0}, sum = 0, off[3] = {0}, way = 0;
    for (int turn = 0; turn < 2; turn++) {
        for (int64_t i = k->start[v]; i < k->start[v + 1]; i++) {
            double d[3] = {0}, w = 1;
            for (int j = 0; j < m->dim; j++)
                d[j] = m->cell_centre[(int64_t)j * m->n_all + k->cell[i]] - m->vertex[3 * (int64_t)v + j];
            for (int p = 0; p < 3 && !turn; p++) {
                b[p] -= d[p];
                for (int q = 0; q < 3; q++) a[p][q] += d[p] * d[q];
            }
            for (int j = 0; j < 3; j++) w += lambda[j] * d[j];
            k->weight[i] = fmax(0, fmin(2, w));
            if (turn) sum += k->weight[i], way += k->weight[i] * sqrt(dot(d, d));
            for (int j = 0; j < 3 && turn; j++) off[j] += k->weight[i] * d[j];
        }
        if (!turn && !solve_symmetric(a, b, m->dim, lambda)) lambda[0] = lambda[1] = lambda[2] = 0;
    }
    k->outer[v] = !(sqrt(dot(off, off)) < 1e-9 * way);
    for (int64_t i = k->start[v]; i < k->start[v + 1]; i++)
        k->weight[i] = k->outer[v] ? 1.0 / (double)(k->start[v + 1] - k->start[v]) : k->weight[i] / sum;
}

void contour_create(struct contour *k, const struct mesh *m)
{
    *k = (struct contour){.m = m};
    mesh_cells_of_vertices(m, m->n_cells, &k->start, &k->cell);
    NEW(k->weight, m->cell_start[m->n_cells]);
    NEW(k->level, m->n_vertices), NEW(k->vertex, m->n_vertices), NEW(k->listed, m->n_vertices);
    NEW(k->outer, m->n_vertices);
    NEW(k->rest, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) k->rest[c] = NAN;
    #pragma omp parallel for schedule(static)
    for (int32_t v = 0; v < m->n_vertices; v++) find_weights(k, v);
}

void contour_free(struct contour *k)
{
    free(k->start), free(k->cell), free(k->weight), free(k->level), free(k->vertex), free(k->listed), free(k->rest);
    free(k->outer);
    memset(k, 0, sizeof *k);
}

/* The zero of the function on the edge from corner i to j. */
static void crossing(const struct simplex *t, const double value[4], int i, int j, double x[3])
{
    double s = value[i] / (value[i] - value[j]);
    for (int k = 0; k < 3; k++) x[k] = t->x[i][k] + s * (t->x[j][k] - t->x[i][k]);
}

static double triangle_area(const double a[3], const double b[3], const double c[3])
{
    double p[3], q[3], n[3];
    difference(b, a, p), difference(c, a, q), cross(p, q, n);
    return 0.5 * sqrt(dot(n, n));
}

static double section(const struct simplex *t, const double value[4], int dim)
{
    double x[4][3], arm[3];
    int in[4], out[4], n_in = 0, n_out = 0;
    for (int i = 0; i <= dim; i++)
        if (value[i] <= 0) in[n_in++] = i;
        else out[n_out++] = i;
    if (!n_in || !n_out) return 0;
    if (n_in == 2 && n_out == 2) {                      /* a quadrilateral, corners in order */
        crossing(t, value, in[0], out[0], x[0]), crossing(t, value, in[0], out[1], x[1]);
        crossing(t, value, in[1], out[1], x[2]), crossing(t, value, in[1], out[0], x[3]);
        return triangle_area(x[0], x[1], x[2]) + triangle_area(x[0], x[2], x[3]);
    }
    int n = 0;
    for (int i = 0; i < n_in; i++) for (int j = 0; j < n_out; j++) crossing(t, value, in[i], out[j], x[n++]);
    return dim == 2 ? difference(x[0], x[1], arm) : triangle_area(x[0], x[1], x[2]);
}

/* Area in one cell.  The simplices are those of body.h; their corners in the middles of faces and cell are means of
 * vertices, and so are the levels there. */
static double cell_area(const struct contour *k, int32_t cell)
{
    const struct mesh *m = k->m;
    const int64_t first = m->cell_start[cell], last = m->cell_start[cell + 1];
    double low = INFINITY, high = -INFINITY, middle = 0, area = 0;
    for (int64_t i = first; i < last; i++) {
        double level = k->level[m->cell_vertex[i]];
        low = fmin(low, level), high = fmax(high, level), middle += level / (double)(last - first);
    }
    if (low > 0 || high <= 0) return 0;
    struct simplex *t;
    cell_simplices(m, cell, &t);
    int n = 0;
    for (int64_t l = m->cell_face_start[cell]; l < m->cell_face_start[cell + 1]; l++) {
        const struct ring ring = cell_ring(m, l);
        double mean = 0;
        for (int i = 0; i < ring.n; i++) mean += k->level[ring_vertex(&ring, i)] / ring.n;
        for (int i = 0; i < (ring.n < 4 ? 1 : ring.n); i++, n++) {
            double value[4] = {middle, k->level[ring_vertex(&ring, i)], k->level[ring_vertex(&ring, i + 1)],
                               ring.n == 2 ? 0 : ring.n == 3 ? k->level[ring_vertex(&ring, 2)] : mean};
            area += section(&t[n], value, m->dim);
        }
    }
    free(t);
    return area;
}

/* Sum of weight times value over the cells around a vertex; NAN if one of these values is `far` or more. */
static double mean_around(const struct contour *k, int32_t v, const double *value, double far)
{
    double sum = 0;
    for (int64_t i = k->start[v]; i < k->start[v + 1]; i++)
        if (fabs(value[k->cell[i]]) >= far) return NAN;
        else sum += k->weight[i] * value[k->cell[i]];
    return sum;
}

/* Sums for a linear fit: of 1, d, d d^T, the value and d times the value. */
struct linear_sums { double n, d[3], dd[3][3], value, dv[3]; };

/* Adds a point, relative to the origin of the sums, with its value. */
static void add_place(struct linear_sums *s, const double d[3], double value, int dim)
{
    s->n++, s->value += value;
    for (int p = 0; p < dim; p++) {
        s->d[p] += d[p], s->dv[p] += d[p] * value;
        for (int q = 0; q < dim; q++) s->dd[p][q] += d[p] * d[q];
    }
}

/* The value of the fitted linear function at the origin of the points, or the mean if they do not determine one; NAN:
 * no points. */
static double linear_value(struct linear_sums *s, int dim)
{
    double slope[3];
    if (!(s->n > 0)) return NAN;
    for (int p = 0; p < 3; p++) {
        s->dv[p] -= s->d[p] * s->value / s->n;
        for (int q = 0; q < 3; q++) s->dd[p][q] -= s->d[p] * s->d[q] / s->n;
    }
    if (!solve_symmetric(s->dd, s->dv, dim, slope)) return s->value / s->n;
    return (s->value - dot(slope, s->d)) / s->n;
}

/* Adds the cells around vertex `at` whose values are known; positions are relative to vertex v. */
static void add_cells(const struct contour *k, int32_t at, int32_t v, const double *value, double far,
                      struct linear_sums *s)
{
    const struct mesh *m = k->m;
    for (int64_t i = k->start[at]; i < k->start[at + 1]; i++) {
        int32_t c = k->cell[i];
        double d[3] = {0};
        for (int p = 0; p < m->dim; p++)
            d[p] = m->cell_centre[(int64_t)p * m->n_all + c] - m->vertex[3 * (int64_t)v + p];
        if (fabs(value[c]) < far) add_place(s, d, value[c], m->dim);
    }
}

/* The level at an outer vertex, from the known values of the cells around it and of those that share a vertex with
 * these. */
static double extrapolated(const struct contour *k, int32_t v, const double *value, double far)
{
    const struct mesh *m = k->m;
    struct linear_sums s = {0};
    for (int64_t i = k->start[v]; i < k->start[v + 1]; i++)
        for (int64_t l = m->cell_start[k->cell[i]]; l < m->cell_start[k->cell[i] + 1]; l++)
            add_cells(k, m->cell_vertex[l], v, value, far, &s);
    return linear_value(&s, m->dim);
}

static double level_at(const struct contour *k, int32_t v, const double *value, double far)
{
    double level = k->outer[v] ? extrapolated(k, v, value, far) : NAN;
    return isnan(level) ? mean_around(k, v, value, INFINITY) : level;
}

/* The cell's value minus that interpolated to its centre from the levels of its vertices; NAN if one of them is
 * unknown. */
static double rest_of(const struct contour *k, int32_t c, double value)
{
    const struct mesh *m = k->m;
    struct linear_sums s = {0};
    for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++) {
        int32_t v = m->cell_vertex[i];
        double d[3] = {0};
        for (int p = 0; p < m->dim; p++)
            d[p] = m->vertex[3 * (int64_t)v + p] - m->cell_centre[(int64_t)p * m->n_all + c];
        add_place(&s, d, k->level[v], m->dim);
    }
    return value - linear_value(&s, m->dim);
}

static double mean_rest(const struct contour *k, int32_t v)
{
    double sum = 0, n = 0;
    for (int64_t i = k->start[v]; i < k->start[v + 1]; i++)
        if (!isnan(k->rest[k->cell[i]])) sum += k->rest[k->cell[i]], n++;
    return n > 0 ? sum / n : 0;
}

/* Lists the vertices of the cells; returns their number. */
static int32_t list_vertices(struct contour *k, const struct cell_list *cells)
{
    const struct mesh *m = k->m;
    int32_t n = 0;
    for (int32_t j = 0; j < cells->n; j++) {
        int32_t c = cell_at(cells, j);
        for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++) {
            int32_t v = m->cell_vertex[i];
            if (!k->listed[v]) k->listed[v] = 1, k->vertex[n++] = v;
        }
    }
    for (int32_t j = 0; j < n; j++) k->listed[k->vertex[j]] = 0;
    return n;
}

void contour_area(struct contour *k, const double *value, double far, const struct cell_list *cells, double *area)
{
    const int32_t n = list_vertices(k, cells), *v = k->vertex;
    #pragma omp parallel
    {
        #pragma omp for schedule(static)
        for (int32_t j = 0; j < n; j++)
            k->level[v[j]] = isnan(mean_around(k, v[j], value, far)) ? NAN : level_at(k, v[j], value, far);
        #pragma omp for schedule(static)
        for (int32_t j = 0; j < cells->n; j++)
            k->rest[cell_at(cells, j)] = rest_of(k, cell_at(cells, j), value[cell_at(cells, j)]);
        #pragma omp for schedule(static)
        for (int32_t j = 0; j < n; j++)
            k->level[v[j]] = level_at(k, v[j], value, far) + (k->outer[v[j]] ? 0 : 0.75 * mean_rest(k, v[j]));
        #pragma omp for schedule(static)
        for (int32_t j = 0; j < cells->n; j++) {
            int32_t c = cell_at(cells, j);
            area[c] = cell_area(k, c), k->rest[c] = NAN;
        }
    }
}
