/* The small matrices E and M of the cells with successive corrections (reconstruction.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/reconstruction_setup.h"
#include "base/memory.h"
#include "gpu/halo.h"
#include "gpu/sums.h"

/* Cells with a larger noise amplification (see noise_amplification()) are fitted instead. */
#define CALM_PASS 5.0

/* Work arrays for M and E: [n_all] each. */
struct passes {
    const struct mesh *m;
    const struct adjacency *a;
    int n;                                              /* second derivatives */
    uint8_t *listed;
    double *own;
    double (*plain)[3][SECOND], (*error)[3][SECOND];    /* E of the least-squares gradient, and of its mean */
    double (*matrix)[SECOND][SECOND];
};

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

/* E of the mean.  A neighbour's gradient is that at the neighbour's centre, which for a quadratic differs by H d. */
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

/* Largest eigenvalue of a symmetric positive semi-definite matrix (n x n), at most 3 % too large: the 64th root of the
 * trace of the 64th power, which does not depend on the axes.  Destroys a. */
static double largest_eigenvalue(double a[SECOND][SECOND], int n)
{
    double root = 1;                                    /* of the trace; collects the factors divided out of a */
    for (int power = 1;; power *= 2) {
        double trace = 0, square[SECOND][SECOND] = {{0}};
        for (int i = 0; i < n; i++) trace += a[i][i];
        root *= pow(trace, 1.0 / power);
        if (power == 64 || !(trace > 0)) return root;
        for (int i = 0; i < n; i++)
            for (int j = 0; j < n; j++) for (int k = 0; k < n; k++) square[i][j] += a[i][k] / trace * (a[k][j] / trace);
        memcpy(a, square, sizeof square);
    }
}

/* Response of H, in the cell's frame, to a unit difference in component c (of the frame) between the gradients of the
 * cell and of the neighbour at d.  Entries off the diagonal are multiplied by sqrt(2), so that the sum of the squares
 * of the packed entries is the tensor's Frobenius norm squared. */
static void unit_response(const struct passes *w, int32_t cell, const struct frame *frame, const double *d, int c,
                          double weight, double *response)
{
    int dim = w->m->dim;
    double right[SECOND] = {0}, x[SECOND] = {0}, step[3] = {0};
    step[c] = 1;
    frame_first(frame, dim, step);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j <= i; j++) right[PACKED(i, j)] = 0.5 * weight * (d[i] * step[j] + d[j] * step[i]);
    for (int i = 0; i < w->n; i++) for (int j = 0; j < w->n; j++) x[i] += w->matrix[cell][i][j] * right[j];
    for (int i = 0; i < dim; i++)                       /* into the frame: matrix^T x matrix */
        for (int j = 0; j <= i; j++) {
            double y = 0;
            for (int p = 0; p < dim; p++)
                for (int q = 0; q < dim; q++) y += frame->matrix[p][i] * frame->matrix[q][j] * x[PACKED(p, q)];
            response[PACKED(i, j)] = i == j ? y : sqrt(2) * y;
        }
}

/* The largest Frobenius norm of H, in the cell's frame, that differences between the gradients of the cell and of its
 * neighbours with a root mean square of 1 can cause. */
static double noise_amplification(const struct passes *w, int32_t cell, const struct frame *frame)
{
    double d[3], response[SECOND], sum[SECOND][SECOND] = {{0}};
    int64_t begin = w->a->start[cell], end = w->a->start[cell + 1];
    for (int64_t k = begin; k < end; k++) {
        double weight = 1 / way_to(w->m, w->a, k, d);
        for (int c = 0; c < w->m->dim; c++) {
            unit_response(w, cell, frame, d, c, weight, response);
            for (int i = 0; i < w->n; i++)
                for (int j = 0; j < w->n; j++) sum[i][j] += response[i] * response[j];
        }
    }
    return sqrt((double)(end - begin) * largest_eigenvalue(sum, w->n));
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
    return noise_amplification(w, cell, &frame) <= CALM_PASS;
}

/* Fetches from other ranks whether their cells are listed. */
static void update_listed(const struct stencil *s, const struct mesh *m, uint8_t *listed)
{
    int32_t *flag;
    if (!s->pattern.halo) return;
    NEW(flag, s->pitch);
    for (int32_t c = 0; c < m->n_all; c++) flag[c] = listed[c];
    halo_update_host(s->pattern.halo, flag, sizeof *flag), halo_update_host(s->far, flag, sizeof *flag);
    for (int32_t c = m->n_cells; c < m->n_all; c++) listed[c] = flag[c] != 0;
    free(flag);
}

/* Adds cells to the list until all others have a good M.  This takes several rounds, because a fitted cell's gradient
 * has no error, which changes E of its neighbours. */
static void make_passes(const struct stencil *s, const struct passes *w)
{
    int32_t n = w->m->n_all, own = w->m->n_cells;
    for (int64_t added = 1; added;) {
        added = 0;
        #pragma omp parallel for schedule(static)
        for (int32_t c = 0; c < n; c++) plain_error(w, c);
        for (int32_t c = 0; c < n; c++) if (w->listed[c]) w->own[c] = 1;
        #pragma omp parallel for schedule(static)
        for (int32_t c = 0; c < n; c++) mean_error(w, c);
        #pragma omp parallel for schedule(static) reduction(+ : added)
        for (int32_t c = 0; c < own; c++) if (!make_matrix(w, c)) w->listed[c] = 1, added++;
        update_listed(s, w->m, w->listed);
        added = count_over_ranks(added);
    }
}

/* Uploads E and M.  The arrays [3][SECOND] and [SECOND][SECOND] are full in 3-D; in 2-D only their first [2][3] and
 * [3][3] are used. */
static void upload(struct reconstruction *r, const struct passes *w)
{
    int32_t n = w->m->n_cells;
    int dim = w->m->dim;
    double *dense;
    NEW(dense, (int64_t)n * w->n * w->n);
    for (int32_t c = 0; c < n; c++)
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < w->n; j++)
                dense[((int64_t)c * dim + i) * w->n + j] = w->listed[c] ? 0 : w->error[c][i][j];
    r->error = short_numbers(dense, dim * w->n, n, r->s.pitch, "errors of gradients");
    for (int32_t c = 0; c < n; c++)
        for (int i = 0; i < w->n; i++)
            for (int j = 0; j < w->n; j++) dense[((int64_t)c * w->n + i) * w->n + j] = w->matrix[c][i][j];
    r->matrix = short_numbers(dense, w->n * w->n, n, r->s.pitch, "matrices of second derivatives");
    free(dense);
}

void reconstruction_passes(struct reconstruction *r, const struct mesh *m, const struct adjacency *a, uint8_t *listed,
                           double *own)
{
    struct passes w = {.m = m, .a = a, .n = r->n_second, .listed = listed, .own = own};
    NEW(w.plain, m->n_all), NEW(w.error, m->n_all), NEW(w.matrix, m->n_all);
    make_passes(&r->s, &w);
    upload(r, &w);
    free(w.plain), free(w.error), free(w.matrix);
}
