/* Measures mesh quality: angles, skewness, slivers (mesh.h). */
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "mesh/mesh.h"
#include "mesh/part.h"

struct extent { double longest, shortest; };            /* of one cell, over its faces */

/* r: cell's centre -> face's centre. */
static void add_face(struct extent *x, int dim, bool simplex, const double *area, double size, const double *r)
{
    double height = 0, across = dim == 2 ? size : sqrt(size);
    for (int k = 0; k < dim; k++) height += area[k] * r[k] / size;
    height = (simplex ? dim + 1 : 2) * fabs(height);    /* the centroid of a simplex is at 1 / (dim + 1) of its
                                                           height */
    x->longest = fmax(x->longest, fmax(across, height));
    x->shortest = fmin(x->shortest, height);
}

static void measure_cells(const struct mesh *m, const uint8_t *near, struct mesh_quality *q,
                          const struct extent *extent)
{
    q->volume_min = INFINITY;
    for (int32_t c = 0; c < m->n_cells; c++) {
        if (near && !near[c]) continue;
        double v = m->cell_volume[c], aspect = extent[c].longest / extent[c].shortest;
        q->volume_min = fmin(q->volume_min, v), q->volume_max = fmax(q->volume_max, v), q->volume_total += v;
        if (aspect > q->aspect_max) q->aspect_max = aspect, q->worst_aspect = m->cell_original[c];
    }
}

/* Does the face belong to a cell with near[c] != 0?  Always true if near is NULL. */
static bool has_near_cell(const struct mesh *m, const uint8_t *near, int32_t f)
{
    return !near || near[m->face_owner[f]] || (f < m->n_internal && near[m->face_neighbour[f]]);
}

void mesh_measure(const struct mesh *m, struct mesh_quality *q) { mesh_measure_near(m, NULL, q); }

void mesh_measure_near(const struct mesh *m, const uint8_t *near, struct mesh_quality *q)
{
    struct extent *extent;
    int32_t n_faces = 0;
    *q = (struct mesh_quality){0};
    NEW(extent, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) extent[c] = (struct extent){0, INFINITY};
    for (int32_t f = 0; f < m->n_internal; f++) n_faces += has_near_cell(m, near, f);
    for (int32_t f = 0; f < m->n_faces; f++) {
        if (!has_near_cell(m, near, f)) continue;
        double a[3], d[3], r[3], back[3], size = 0, length = 0, ad = 0, ar = 0, miss = 0;
        int32_t o = m->face_owner[f];
        for (int k = 0; k < m->dim; k++) {
            int64_t i = (int64_t)k * m->n_faces + f;
            a[k] = m->face_area[i], d[k] = m->face_d[i], r[k] = m->face_r[i], back[k] = r[k] - d[k];
            size += a[k] * a[k], length += d[k] * d[k], ad += a[k] * d[k], ar += a[k] * r[k];
        }
        size = sqrt(size), length = sqrt(length);
        add_face(&extent[o], m->dim, mesh_cell_is_simplex(m, o), a, size, r);
        if (f >= m->n_internal) continue;
        int32_t n = m->face_neighbour[f];
        add_face(&extent[n], m->dim, mesh_cell_is_simplex(m, n), a, size, back);
        double angle = acos(fmin(1, ad / (size * length))) * 180 / M_PI;
        for (int k = 0; k < m->dim; k++) miss += (r[k] - ar / ad * d[k]) * (r[k] - ar / ad * d[k]);
        miss = sqrt(miss) / length;
        q->non_orthogonality_mean += angle / n_faces;
        int32_t here = m->cell_original[o];
        if (angle > q->non_orthogonality_max) q->non_orthogonality_max = angle, q->worst_non_orthogonal = here;
        if (miss > q->skewness_max) q->skewness_max = miss, q->worst_skewed = here;
    }
    measure_cells(m, near, q, extent);
    free(extent);
}

/* |s| |S| of an internal face, s being the skewness vector: from the point where d meets the face to the face's
 * centre. */
static double skew_moment(const struct mesh *m, int32_t f)
{
    double ss = 0, sd = 0, sr = 0, miss = 0;
    for (int k = 0; k < m->dim; k++) {
        int64_t i = (int64_t)k * m->n_faces + f;
        ss += m->face_area[i] * m->face_area[i], sd += m->face_area[i] * m->face_d[i],
            sr += m->face_area[i] * m->face_r[i];
    }
    for (int k = 0; k < m->dim; k++) {
        double s = m->face_r[(int64_t)k * m->n_faces + f] - sr / sd * m->face_d[(int64_t)k * m->n_faces + f];
        miss += s * s;
    }
    return sqrt(miss * ss);
}

int32_t mesh_steep(const struct mesh *m, bool *steep)
{
    const double least = cos(70 * M_PI / 180);
    bool *boundary;
    int32_t n = 0;
    NEW(boundary, m->n_all);
    for (int32_t f = m->n_internal; f < m->n_faces; f++) boundary[m->face_owner[f]] = true;
    for (int32_t f = 0; f < m->n_internal; f++) {
        double dd = 0, ss = 0, ds = 0;
        for (int64_t k = f; k < (int64_t)m->dim * m->n_faces; k += m->n_faces)
            dd += m->face_d[k] * m->face_d[k], ss += m->face_area[k] * m->face_area[k],
                ds += m->face_d[k] * m->face_area[k];
        for (int side = 0; side < 2 && ds < least * sqrt(dd * ss); side++) {
            int32_t cell = side ? m->face_neighbour[f] : m->face_owner[f];
            n += boundary[cell] && cell < m->n_cells;
            if (steep && boundary[cell]) steep[cell] = true;
            boundary[cell] = false;             /* so that it is counted once */
        }
    }
    free(boundary);
    return n;
}

int32_t mesh_slivers(const struct mesh *m, float *part)
{
    const double most = 8;
    double *sum;
    int32_t n = 0;
    NEW(sum, m->n_all);
    for (int32_t k = 0; k < m->n_internal; k++) {       /* in the same order on any number of ranks */
        int32_t f = m->part ? m->part->order[k] : k;
        double moment = skew_moment(m, f);
        sum[m->face_owner[f]] += moment, sum[m->face_neighbour[f]] += moment;
    }
    for (int32_t c = 0; c < m->n_all; c++) n += (sum[c] /= m->cell_volume[c]) > most && c < m->n_cells;
    for (int32_t f = 0; part && f < m->n_internal; f++)
        part[f] = (float)fmin(1, most / fmax(sum[m->face_owner[f]], sum[m->face_neighbour[f]]));
    free(sum);
    return n;
}
