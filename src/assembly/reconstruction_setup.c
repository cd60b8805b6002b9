#include "assembly/reconstruction_setup.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"

enum { SECOND = 6 };

/* Differences of neighbours' gradients count at most this much in second derivatives (as CALM, but for one pass). */
#define CALM_PASS 5.0

/* While M and E are being made: [n_cells] each. */
struct passes {
    const struct mesh *m;
    const struct adjacency *a;
    int n;                                              /* second derivatives */
    uint8_t *listed;
    double *own;
    double (*plain)[3][SECOND], (*error)[3][SECOND];    /* E of the least-squares gradient, and of its mean */
    double (*matrix)[SECOND][SECOND];
};

void quadratic_row(const double *d, int dim, double *row)
{
    for (int j = 0; j < dim; j++)
        for (int k = 0; k <= j; k++) row[PACKED(j, k)] = (j == k ? 0.5 : 1) * d[j] * d[k];
}

/* The way through entry k of a row, and its square. */
static double way_to(const struct mesh *m, const struct adjacency *a, int64_t k, double d[3])
{
    double dd = 0;
    int32_t f = abs(a->face[k]) - 1;
    for (int j = 0; j < 3; j++) {
        d[j] = j < m->dim ? (a->face[k] > 0 ? 1 : -1) * m->face_d[(int64_t)j * m->n_faces + f] : 0;
        dd += d[j] * d[j];
    }
    return dd;
}

/* Inverse of a (n x n) by elimination with pivots; false: singular. */
static bool invert(double a[SECOND][SECOND], int n, double inverse[SECOND][SECOND])
{
    double most = 0;
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) inverse[i][j] = i == j, most = fmax(most, fabs(a[i][j]));
    for (int c = 0; c < n; c++) {
        int pivot = c;
        for (int i = c + 1; i < n; i++) if (fabs(a[i][c]) > fabs(a[pivot][c])) pivot = i;
        if (!(fabs(a[pivot][c]) > 1e-10 * most)) return false;
        for (int j = 0; j < n; j++) {
            double x = a[c][j], y = inverse[c][j];
            a[c][j] = a[pivot][j], a[pivot][j] = x, inverse[c][j] = inverse[pivot][j], inverse[pivot][j] = y;
        }
        for (int i = 0; i < n; i++) {
            double part = a[i][c] / a[c][c];
            for (int j = 0; j < n && i != c; j++) a[i][j] -= part * a[c][j], inverse[i][j] -= part * inverse[c][j];
        }
    }
    for (int i = 0; i < n; i++) for (int j = 0; j < n; j++) inverse[i][j] /= a[i][i];
    return true;
}

/* ---------------------------------------------------------------- the frame of a cell */
/* matrix matrix^T is in proportion to the mean of d d^T over the cell's faces (Cholesky). */
void frame_of_cell(struct frame *frame, const struct mesh *m, const struct adjacency *a, int32_t cell)
{
    int dim = m->dim;
    double c[3][3] = {{0}}, d[3], size = 1;
    memset(frame, 0, sizeof *frame);
    for (int64_t k = a->start[cell]; k < a->start[cell + 1]; k++) {
        way_to(m, a, k, d);
        for (int i = 0; i < dim; i++) for (int j = 0; j < dim; j++) c[i][j] += d[i] * d[j];
    }
    for (int32_t k = a->boundary_start[cell]; k < a->boundary_start[cell + 1]; k++) {   /* the cell's mirror image */
        for (int i = 0; i < dim; i++) d[i] = 2 * m->face_r[(int64_t)i * m->n_faces + a->boundary[k]];
        for (int i = 0; i < dim; i++) for (int j = 0; j < dim; j++) c[i][j] += d[i] * d[j];
    }
    double trace = 0, scale = pow(m->cell_volume[cell], 1.0 / dim);
    for (int i = 0; i < dim; i++) trace += c[i][i];
    for (int i = 0; i < dim; i++) c[i][i] += 1e-6 * trace;             /* periodic sides may leave one direction */
    double (*l)[3] = frame->matrix, (*inverse)[3] = frame->inverse;
    for (int j = 0; j < dim; j++)
        for (int i = j; i < dim; i++) {
            double x = c[i][j];
            for (int k = 0; k < j; k++) x -= l[i][k] * l[j][k];
            l[i][j] = i == j ? sqrt(x) : x / l[j][j];
        }
    for (int i = 0; i < dim; i++) size *= l[i][i];
    for (int i = 0; i < dim; i++) for (int j = 0; j <= i; j++) l[i][j] *= scale / pow(size, 1.0 / dim);
    for (int j = 0; j < dim; j++)
        for (int i = j; i < dim; i++) {
            double x = i == j;
            for (int k = j; k < i; k++) x -= l[i][k] * inverse[k][j];
            inverse[i][j] = x / l[i][i];
        }
}

void frame_first(const struct frame *frame, int dim, double *first)
{
    double x[3] = {0};
    for (int i = 0; i < dim; i++) for (int k = 0; k < dim; k++) x[i] += frame->inverse[k][i] * first[k];
    memcpy(first, x, (size_t)dim * sizeof *x);
}

void frame_second(const struct frame *frame, int dim, double *second)
{
    double x[SECOND] = {0};
    for (int i = 0; i < dim; i++)
        for (int j = 0; j <= i; j++)
            for (int k = 0; k < dim; k++)
                for (int l = 0; l < dim; l++)
                    x[PACKED(i, j)] += frame->inverse[k][i] * frame->inverse[l][j] * second[PACKED(k, l)];
    memcpy(second, x, (size_t)(dim * (dim + 1) / 2) * sizeof *x);
}

/* ---------------------------------------------------------------- E and M */
static void plain_error(const struct passes *w, int32_t cell)
{
    const struct mesh *m = w->m;
    double sum[SECOND][SECOND] = {{0}}, inverse[SECOND][SECOND], right[3][SECOND] = {{0}}, row[SECOND], d[3];
    memset(w->plain[cell], 0, sizeof w->plain[cell]);
    if (w->listed[cell]) return;
    for (int64_t k = w->a->start[cell]; k < w->a->start[cell + 1]; k++) {
        double weight = 1 / way_to(m, w->a, k, d);
        quadratic_row(d, m->dim, row);
        for (int i = 0; i < m->dim; i++) {
            for (int j = 0; j < m->dim; j++) sum[i][j] += weight * d[i] * d[j];
            for (int j = 0; j < w->n; j++) right[i][j] += weight * d[i] * row[j];
        }
    }
    if (!invert(sum, m->dim, inverse)) { w->listed[cell] = 1; return; }
    for (int i = 0; i < m->dim; i++)
        for (int j = 0; j < w->n; j++)
            for (int k = 0; k < m->dim; k++) w->plain[cell][i][j] += inverse[i][k] * right[k][j];
}

/* E of the mean: a neighbour's gradient is that of its own centre. */
static void mean_error(const struct passes *w, int32_t cell)
{
    double d[3], own = w->own[cell], others = (1 - own) / (double)(w->a->start[cell + 1] - w->a->start[cell]);
    for (int i = 0; i < 3; i++) for (int j = 0; j < SECOND; j++) w->error[cell][i][j] = own * w->plain[cell][i][j];
    for (int64_t k = w->a->start[cell]; own < 1 && k < w->a->start[cell + 1]; k++) {
        way_to(w->m, w->a, k, d);
        for (int i = 0; i < w->m->dim; i++) {
            for (int j = 0; j < w->n; j++) w->error[cell][i][j] += others * w->plain[w->a->column[k]][i][j];
            for (int j = 0; j < w->m->dim; j++) w->error[cell][i][PACKED(i, j)] += others * d[j];
        }
    }
}

/* How much differences of gradients to all neighbours count in a second derivative, at most, in the cell's frame. */
static double loudness(const struct passes *w, int32_t cell, const struct frame *frame)
{
    int dim = w->m->dim;
    double d[3], sum[SECOND] = {0}, largest = 0;
    for (int64_t k = w->a->start[cell]; k < w->a->start[cell + 1]; k++) {
        double weight = 1 / way_to(w->m, w->a, k, d);
        for (int c = 0; c < dim; c++) {                 /* a step of 1 in component c of the gradient in the frame */
            double right[SECOND] = {0}, x[SECOND] = {0}, step[3] = {0};
            step[c] = 1;
            frame_first(frame, dim, step);
            for (int i = 0; i < dim; i++)
                for (int j = 0; j <= i; j++) right[PACKED(i, j)] = 0.5 * weight * (d[i] * step[j] + d[j] * step[i]);
            for (int i = 0; i < w->n; i++) for (int j = 0; j < w->n; j++) x[i] += w->matrix[cell][i][j] * right[j];
            for (int i = 0; i < dim; i++)               /* into the frame: matrix^T x matrix */
                for (int j = 0; j <= i; j++) {
                    double y = 0;
                    for (int p = 0; p < dim; p++)
                        for (int q = 0; q < dim; q++) y += frame->matrix[p][i] * frame->matrix[q][j] * x[PACKED(p, q)];
                    sum[PACKED(i, j)] += fabs(y);
                }
        }
    }
    for (int i = 0; i < w->n; i++) largest = fmax(largest, sum[i]);
    return largest;
}

/* False: the cell's neighbours do not determine H, or not well. */
static bool make_matrix(const struct passes *w, int32_t cell)
{
    int dim = w->m->dim;
    double sum[SECOND][SECOND] = {{0}}, d[3];
    struct frame frame;
    memset(w->matrix[cell], 0, sizeof w->matrix[cell]);
    if (w->listed[cell]) return true;
    for (int64_t k = w->a->start[cell]; k < w->a->start[cell + 1]; k++) {
        double weight = 1 / way_to(w->m, w->a, k, d);
        double step[3][SECOND];                         /* of the gradient a, for every second derivative */
        for (int i = 0; i < dim; i++) {
            for (int j = 0; j < w->n; j++) step[i][j] = w->error[w->a->column[k]][i][j] - w->error[cell][i][j];
            for (int j = 0; j < dim; j++) step[i][PACKED(i, j)] += d[j];
        }
        for (int i = 0; i < dim; i++)
            for (int j = 0; j <= i; j++)
                for (int q = 0; q < w->n; q++)
                    sum[PACKED(i, j)][q] += 0.5 * weight * (d[i] * step[j][q] + d[j] * step[i][q]);
    }
    if (!invert(sum, w->n, w->matrix[cell])) return false;
    frame_of_cell(&frame, w->m, w->a, cell);
    return loudness(w, cell, &frame) <= CALM_PASS;
}

/* Lists cells until all others have a good M; a listed cell has no error, which changes its neighbours'. */
static void make_passes(const struct passes *w)
{
    int32_t n = w->m->n_cells, added = 1;
    while (added) {
        added = 0;
        #pragma omp parallel for schedule(static)
        for (int32_t c = 0; c < n; c++) plain_error(w, c);
        for (int32_t c = 0; c < n; c++) if (w->listed[c]) w->own[c] = 1;
        #pragma omp parallel for schedule(static)
        for (int32_t c = 0; c < n; c++) mean_error(w, c);
        #pragma omp parallel for schedule(static) reduction(+ : added)
        for (int32_t c = 0; c < n; c++) if (!make_matrix(w, c)) w->listed[c] = 1, added++;
    }
}

/* count numbers of each of n cells or faces, number j of c at first[c * count + j]; on the machine `stride` apart. */
static struct short_numbers shorten(const double *first, int count, int32_t n, int64_t stride, const char *what)
{
    int16_t *value;
    float *scale;
    NEW(value, count * stride), NEW(scale, stride);
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < n; c++) {
        double most = 0;
        for (int j = 0; j < count; j++) most = fmax(most, fabs(first[(int64_t)c * count + j]));
        scale[c] = (float)(most / INT16_MAX);
        for (int j = 0; j < count && most > 0; j++)
            value[j * stride + c] = (int16_t)lrint(first[(int64_t)c * count + j] / most * INT16_MAX);
    }
    struct short_numbers numbers = {device_copy_of(value, (size_t)(count * stride) * sizeof *value, what),
                                    device_copy_of(scale, (size_t)stride * sizeof *scale, what)};
    free(value), free(scale);
    return numbers;
}

/* Packed [3][SECOND] and [SECOND][SECOND] are dense in 3-D; in 2-D they are [2][3] and [3][3] of them. */
static void upload_passes(struct reconstruction *r, const struct passes *w)
{
    int32_t n = w->m->n_cells;
    int dim = w->m->dim;
    double *dense;
    float *own;
    NEW(own, r->s.n_padded);
    for (int32_t c = 0; c < n; c++) own[c] = (float)w->own[c];
    r->own = device_copy_of(own, (size_t)r->s.n_padded * sizeof *own, "weights of gradients");
    NEW(dense, (int64_t)n * w->n * w->n);
    for (int32_t c = 0; c < n; c++)
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < w->n; j++)
                dense[((int64_t)c * dim + i) * w->n + j] = w->listed[c] ? 0 : w->error[c][i][j];
    r->error = shorten(dense, dim * w->n, n, r->s.n_padded, "errors of gradients");
    for (int32_t c = 0; c < n; c++)
        for (int i = 0; i < w->n; i++)
            for (int j = 0; j < w->n; j++) dense[((int64_t)c * w->n + i) * w->n + j] = w->matrix[c][i][j];
    r->matrix = shorten(dense, w->n * w->n, n, r->s.n_padded, "matrices of second derivatives");
    free(dense), free(own);
}

/* ---------------------------------------------------------------- moments of faces */
static void upload_moments(struct reconstruction *r, const struct mesh *m)
{
    double *moment;
    NEW(moment, (int64_t)r->n_second * m->n_internal);
    #pragma omp parallel for schedule(static)
    for (int32_t f = 0; f < m->n_internal; f++) {
        double of_face[SECOND], bend[3][3];
        mesh_face_moments(m, f, of_face, bend);
        memcpy(moment + (int64_t)r->n_second * f, of_face, (size_t)r->n_second * sizeof *moment);
    }
    r->moment = shorten(moment, r->n_second, m->n_internal, m->n_internal, "moments of faces");
    free(moment);
}

/* ---------------------------------------------------------------- all */
static void gather(struct adjacency *a, const struct mesh *m)
{
    mesh_adjacency(m, &a->start, &a->column, &a->face);
    NEW(a->boundary_start, m->n_cells + 2), NEW(a->boundary, m->n_faces - m->n_internal);
    for (int32_t f = m->n_internal; f < m->n_faces; f++) a->boundary_start[m->face_owner[f] + 2]++;
    for (int32_t c = 0; c < m->n_cells; c++) a->boundary_start[c + 2] += a->boundary_start[c + 1];
    for (int32_t f = m->n_internal; f < m->n_faces; f++) a->boundary[a->boundary_start[m->face_owner[f] + 1]++] = f;
}

/* Boundary cells in the stencil's order, then the other listed ones. */
static int32_t *list_of(const struct reconstruction *r, const uint8_t *listed, int32_t *n)
{
    int32_t *list, boundary = r->s.n_boundary_cells, at = boundary;
    uint8_t *taken;
    NEW(list, r->s.n_cells + 1), NEW(taken, r->s.n_cells);
    device_download(list, r->s.boundary_cell, (size_t)boundary * sizeof *list);
    for (int32_t i = 0; i < boundary; i++) taken[list[i]] = 1;
    for (int32_t c = 0; listed && c < r->s.n_cells; c++) if (listed[c] && !taken[c]) list[at++] = c;
    free(taken);
    *n = at;
    return list;
}

void reconstruction_setup(struct reconstruction *r, const struct mesh *m)
{
    struct adjacency a;
    struct passes w = {.m = m, .a = &a, .n = r->n_second};
    uint8_t *type;
    int32_t n;
    gather(&a, m);
    NEW(type, m->n_faces - m->n_internal);
    device_download(type, r->b.type, (size_t)(m->n_faces - m->n_internal));
    if (!r->regular) {
        NEW(w.listed, m->n_cells), NEW(w.own, m->n_cells), NEW(w.plain, m->n_cells), NEW(w.error, m->n_cells),
            NEW(w.matrix, m->n_cells);
        for (int32_t f = m->n_internal; f < m->n_faces; f++) w.listed[m->face_owner[f]] = 1;
        for (int32_t c = 0; c < m->n_cells; c++) {
            int64_t neighbours = a.start[c + 1] - a.start[c];
            w.own[c] = !w.listed[c] && neighbours == m->dim + 1 ? 1.0 / (double)(neighbours + 1) : 1;
            r->averaged |= w.own[c] < 1;
        }
        make_passes(&w);
        upload_passes(r, &w);
        upload_moments(r, m);
    }
    int32_t *list = list_of(r, w.listed, &n);
    reconstruction_fits(r, m, &a, type, list, n);
    free(list), free(type), free(a.start), free(a.column), free(a.face), free(a.boundary_start), free(a.boundary);
    free(w.listed), free(w.own), free(w.plain), free(w.error), free(w.matrix);
}
