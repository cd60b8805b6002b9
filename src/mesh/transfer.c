/* Interpolates fields from one mesh to another (transfer.h). */
#include "mesh/transfer.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "mesh/nearest.h"

static double centre(const struct mesh *m, int k, int32_t cell) { return m->cell_centre[(int64_t)k * m->n_all + cell]; }

/* ---------------------------------------------------------------- cells */
/* For every cell of `to` the cell of `from` with the same vertices, if the meshes are the same. */
static bool match(const struct transfer *t)
{
    const struct mesh *a = t->from, *b = t->to;
    if (a->n_cells != b->n_cells || a->n_vertices != b->n_vertices ||
        memcmp(a->vertex, b->vertex, 3 * (size_t)a->n_vertices * sizeof *a->vertex)) return false;
    for (int32_t c = 0; c < b->n_cells; c++) {
        const int32_t o = b->cell_original[c];
        const int64_t n = b->cell_start[c + 1] - b->cell_start[c];
        if (a->cell_type[o] != b->cell_type[c] || a->cell_start[o + 1] - a->cell_start[o] != n ||
            memcmp(a->cell_vertex + a->cell_start[o], b->cell_vertex + b->cell_start[c], (size_t)n * sizeof(int32_t)))
            return false;
        t->cell[c] = o;
    }
    return true;
}

double transfer_radius(const struct mesh *m, int32_t cell)
{
    double most = 0;
    for (int64_t v = m->cell_start[cell]; v < m->cell_start[cell + 1]; v++) {
        double square = 0;
        for (int k = 0; k < m->dim; k++) {
            double d = m->vertex[3 * (int64_t)m->cell_vertex[v] + k] - centre(m, k, cell);
            square += d * d;
        }
        most = fmax(most, square);
    }
    return sqrt(most);
}

static void find_nearest(struct transfer *t)
{
    const struct mesh *from = t->from, *to = t->to;
    struct nearest tree;
    nearest_create(&tree, from->cell_centre, from->dim, from->n_cells);
    NEW(t->outside, to->n_cells);
    int32_t outside = 0;
    #pragma omp parallel for schedule(static) reduction(+ : outside)
    for (int32_t i = 0; i < to->n_cells; i++) {
        double x[3], distance;
        for (int k = 0; k < to->dim; k++) x[k] = centre(to, k, i);
        t->cell[i] = nearest_find(&tree, x, &distance);
        t->outside[i] = !(distance <= 2 * transfer_radius(from, t->cell[i]));
        outside += t->outside[i];
    }
    t->n_outside = outside;
    nearest_free(&tree);
    mesh_cells_of_vertices(from, from->n_cells, &t->start, &t->near);
}

void transfer_create(struct transfer *t, const struct mesh *from, const struct mesh *to)
{
    *t = (struct transfer){.from = from, .to = to};
    NEW(t->cell, to->n_cells);
    t->same = match(t);
    if (!t->same) find_nearest(t);
}

void transfer_free(struct transfer *t) { free(t->cell), free(t->outside), free(t->start), free(t->near); }

/* ---------------------------------------------------------------- gradients */
/* Solves the symmetric system M x = r of dim rows; a little is added to the diagonal, so that the slope is zero along a
 * direction without neighbours. */
static void solve_small(double m[3][3], const double r[3], int dim, double x[3])
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    double inverse[3][3];
    for (int k = 0; k < 3; k++) m[k][k] += k < dim ? 1e-9 * trace + 1e-99 : trace + 1e-99;
    const double determinant = cofactors(m, inverse);
    for (int k = 0; k < dim; k++) x[k] = dot(inverse[k], r) / determinant;
}

/* Adds cell o to the least squares of cell c, weighted by the number of common vertices. */
static void add_neighbour(const struct mesh *m, int32_t c, int32_t o, double step, double matrix[3][3], double rhs[3])
{
    double d[3], square = 0;
    for (int k = 0; k < m->dim; k++) {
        d[k] = centre(m, k, o) - centre(m, k, c);
        square += d[k] * d[k];
    }
    for (int i = 0; i < m->dim; i++) {
        rhs[i] += d[i] * step / square;
        for (int k = 0; k < m->dim; k++) matrix[i][k] += d[i] * d[k] / square;
    }
}

struct transfer_slope transfer_slope(const struct transfer *t, int32_t c, const double *value, int components, int k)
{
    const struct mesh *m = t->from;
    const double own = value[(int64_t)c * components + k];
    struct transfer_slope s = {{0}, own, own};
    double matrix[3][3] = {{0}}, rhs[3] = {0};
    for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++)
        for (int64_t j = t->start[m->cell_vertex[i]]; j < t->start[m->cell_vertex[i] + 1]; j++) {
            const int32_t o = t->near[j];
            if (t->by_region && m->cell_region[o] != m->cell_region[c]) continue;
            const double other = value[(int64_t)o * components + k];
            s.low = fmin(s.low, other), s.high = fmax(s.high, other);
            if (o != c) add_neighbour(m, c, o, other - own, matrix, rhs);
        }
    solve_small(matrix, rhs, m->dim, s.gradient);
    return s;
}

/* ---------------------------------------------------------------- fields */
static void interpolate(const struct transfer *t, const double *value, int components, int k, bool bounded, double *to)
{
    const struct mesh *from = t->from;
    struct transfer_slope *slope;
    NEW(slope, from->n_cells);
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < from->n_cells; c++) slope[c] = transfer_slope(t, c, value, components, k);
    #pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < t->to->n_cells; i++) {
        const int32_t p = t->cell[i];
        double x = value[(int64_t)p * components + k];
        for (int j = 0; j < from->dim; j++) x += slope[p].gradient[j] * (centre(t->to, j, i) - centre(from, j, p));
        to[(int64_t)i * components + k] = bounded ? fmin(fmax(x, slope[p].low), slope[p].high) : x;
    }
    free(slope);
}

double *transfer_field(const struct transfer *t, const double *value, int components, bool bounded)
{
    double *to;
    NEW(to, (int64_t)components * t->to->n_cells);
    for (int32_t i = 0; t->same && i < t->to->n_cells; i++)
        memcpy(to + (int64_t)i * components, value + (int64_t)t->cell[i] * components,
               (size_t)components * sizeof *to);
    for (int k = 0; !t->same && k < (components == 1 ? 1 : t->to->dim); k++)
        interpolate(t, value, components, k, bounded, to);
    return to;
}
