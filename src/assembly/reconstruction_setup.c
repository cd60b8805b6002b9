/* Computes and uploads the geometric coefficients of the reconstruction (reconstruction_setup.h). */
#include "assembly/reconstruction_setup.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"

void quadratic_row(const double *d, int dim, double *row)
{
    for (int j = 0; j < dim; j++)
        for (int k = 0; k <= j; k++) row[PACKED(j, k)] = (j == k ? 0.5 : 1) * d[j] * d[k];
}

/* d: the vector to the neighbour's centre for entry k of a row; returns its square. */
double way_to(const struct mesh *m, const struct adjacency *a, int64_t k, double d[3])
{
    double dd = 0;
    int32_t f = abs(a->face[k]) - 1;
    for (int j = 0; j < 3; j++) {
        d[j] = j < m->dim ? (a->face[k] > 0 ? 1 : -1) * m->face_d[(int64_t)j * m->n_faces + f] : 0;
        dd += d[j] * d[j];
    }
    return dd;
}

/* ---------------------------------------------------------------- the frame of a cell */
/* matrix matrix^T is proportional to the mean of d d^T over the cell's faces (Cholesky). */
void frame_of_cell(struct frame *frame, const struct mesh *m, const struct adjacency *a, int32_t cell)
{
    int dim = m->dim;
    double c[3][3] = {{0}}, d[3], size = 1;
    memset(frame, 0, sizeof *frame);
    for (int64_t k = a->start[cell]; k < a->start[cell + 1]; k++) {
        way_to(m, a, k, d);
        for (int i = 0; i < dim; i++) for (int j = 0; j < dim; j++) c[i][j] += d[i] * d[j];
    }
    for (int32_t k = a->boundary_start[cell]; k < a->boundary_start[cell + 1]; k++) {   /* d to a mirror image */
        for (int i = 0; i < dim; i++) d[i] = 2 * m->face_r[(int64_t)i * m->n_faces + a->boundary[k]];
        for (int i = 0; i < dim; i++) for (int j = 0; j < dim; j++) c[i][j] += d[i] * d[j];
    }
    double trace = 0;
    for (int i = 0; i < dim; i++) trace += c[i][i];
    for (int i = 0; i < dim; i++) c[i][i] += 1e-6 * trace;             /* for directions without faces */
    double (*l)[3] = frame->matrix, (*inverse)[3] = frame->inverse;
    for (int i = 0; i < dim; i++) memcpy(l[i], c[i], (size_t)(i + 1) * sizeof *c[i]);
    cholesky(l[0], 3, dim, 0);
    for (int i = 0; i < dim; i++) size *= l[i][i];
    /* The root of a ratio: the root of a volume would be rounded differently in other units of length. */
    double scale = pow(m->cell_volume[cell] / size, 1.0 / dim);
    for (int i = 0; i < dim; i++) for (int j = 0; j <= i; j++) l[i][j] *= scale;
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

/* In regular cells many numbers are a half or a quarter of the largest.  With 16 * 2047 for the largest these are
 * integers; half of INT16_MAX would be between two integers, and the last bit of a coordinate would decide between
 * them. */
enum { SHORT_MOST = 32752 };

/* count numbers of each of n cells or faces, number j of c at first[c * count + j]; on the device `stride` apart. */
struct short_numbers short_numbers(const double *first, int count, int32_t n, int64_t stride, const char *what)
{
    int16_t *value;
    float *scale;
    NEW(value, count * stride), NEW(scale, stride);
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < n; c++) {
        double most = 0;
        for (int j = 0; j < count; j++) most = fmax(most, fabs(first[(int64_t)c * count + j]));
        scale[c] = (float)(most / SHORT_MOST);
        for (int j = 0; j < count && most > 0; j++)
            value[j * stride + c] = (int16_t)lrint(first[(int64_t)c * count + j] / most * SHORT_MOST);
    }
    struct short_numbers numbers = {device_copy_of(value, (size_t)(count * stride) * sizeof *value, what),
                                    device_copy_of(scale, (size_t)stride * sizeof *scale, what)};
    free(value), free(scale);
    return numbers;
}

/* ---------------------------------------------------------------- moments of faces */
static void upload_moments(struct reconstruction *r, const struct mesh *m)
{
    double *moment;
    NEW(moment, (int64_t)r->n_second * m->n_faces);
    #pragma omp parallel for schedule(static)
    for (int32_t f = 0; f < m->n_faces; f++) {
        double of_face[SECOND], bend[3][3];
        mesh_face_moments(m, f, of_face, bend);
        memcpy(moment + (int64_t)r->n_second * f, of_face, (size_t)r->n_second * sizeof *moment);
    }
    r->moment = short_numbers(moment, r->n_second, m->n_faces, m->n_faces, "moments of faces");
    free(moment);
}

/* ---------------------------------------------------------------- all */
static void gather(struct adjacency *a, const struct mesh *m)
{
    mesh_adjacency(m, &a->start, &a->column, &a->face);
    NEW(a->boundary_start, m->n_all + 2), NEW(a->boundary, m->n_faces - m->n_internal);
    for (int32_t f = m->n_internal; f < m->n_faces; f++) a->boundary_start[m->face_owner[f] + 2]++;
    for (int32_t c = 0; c < m->n_all; c++) a->boundary_start[c + 2] += a->boundary_start[c + 1];
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
    for (int32_t c = 0; c < r->s.n_cells; c++) if (listed[c] && !taken[c]) list[at++] = c;
    free(taken);
    *n = at;
    return list;
}

/* Computes the self weight of each cell in a: in simplices a is a mean with the neighbours, except in fitted cells. */
static void weights(struct reconstruction *r, const struct mesh *m, const struct adjacency *a, const uint8_t *listed,
                    double *own)
{
    for (int32_t c = 0; c < m->n_all; c++) {
        int64_t neighbours = a->start[c + 1] - a->start[c];
        int64_t faces = neighbours + a->boundary_start[c + 1] - a->boundary_start[c];
        own[c] = !listed[c] && faces == r->s.dim + 1 ? 1.0 / (double)(neighbours + 1) : 1;
        r->averaged |= own[c] < 1 && c < m->n_cells;
    }
    r->averaged = count_over_ranks(r->averaged) > 0;
}

static void upload_weights(struct reconstruction *r, const double *own)
{
    float *single;
    NEW(single, r->s.pitch);
    for (int32_t c = 0; c < r->s.n_cells; c++) single[c] = (float)own[c];
    r->own = device_copy_of(single, (size_t)r->s.pitch * sizeof *single, "weights of gradients");
    free(single);
}

void reconstruction_setup(struct reconstruction *r, const struct mesh *m)
{
    struct adjacency a;
    uint8_t *rule, *listed;
    double *own;
    int32_t n;
    gather(&a, m);
    NEW(rule, m->n_faces - m->n_internal), NEW(listed, m->n_all), NEW(own, m->n_all);
    device_download(rule, r->b.velocity_rule, (size_t)(m->n_faces - m->n_internal));
    for (int32_t f = m->n_internal; r->quadratic && f < m->n_faces; f++) listed[m->face_owner[f]] = 1;
    if (!r->regular) weights(r, m, &a, listed, own);
    if (r->quadratic) {
        reconstruction_passes(r, m, &a, listed, own);
        upload_moments(r, m);
    }
    if (!r->regular) upload_weights(r, own);
    int32_t *list = list_of(r, listed, &n);
    reconstruction_fits(r, m, &a, rule, list, n);
    free(list), free(rule), free(listed), free(own);
    free(a.start), free(a.column), free(a.face), free(a.boundary_start), free(a.boundary);
}
