/* Computes the Laplacian of a mesh (laplacian.h). */
#include "system/laplacian.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

/* k |S|^2 / (S.d) of every face, not yet multiplied by `wall` at boundaries. */
static double *face_coefficients(const struct mesh *m, const double *coefficient)
{
    double *k;
    NEW(k, m->n_faces);
    #pragma omp parallel for schedule(static)
    for (int32_t f = 0; f < m->n_faces; f++) {
        double ss = 0, sd = 0, sr = 0;
        for (int i = 0; i < m->dim; i++) {
            int64_t at = (int64_t)i * m->n_faces + f;
            ss += m->face_area[at] * m->face_area[at];
            sd += m->face_area[at] * m->face_d[at];
            sr += m->face_area[at] * m->face_r[at];
        }
        k[f] = ss / sd;
        if (!coefficient) continue;
        double own = coefficient[m->face_owner[f]], other = f < m->n_internal ? coefficient[m->face_neighbour[f]] : own;
        k[f] *= own == other ? own : sd / (sr / own + (sd - sr) / other);
    }
    return k;
}

static void apply_walls(const struct mesh *m, const double *wall, double *k)
{
    for (int p = 0; wall && p < m->n_patches; p++)
        for (int32_t f = 0; f < m->patch[p].count; f++) k[m->patch[p].first + f] *= wall[p];
}

/* Builds the rows of the matrix, with the diagonal first, from the cells' neighbours. */
static void fill_rows(struct linear_system *s, const struct mesh *m, const double *k)
{
    int64_t *start;
    int32_t *column, *face;
    double *diagonal;
    mesh_adjacency(m, &start, &column, &face);
    NEW(s->start, s->n + (int64_t)1), NEW(s->column, start[s->n] + s->n), NEW(s->value, start[s->n] + s->n);
    NEW(diagonal, s->n);
    for (int32_t f = 0; f < m->n_faces; f++) {
        diagonal[m->face_owner[f]] += k[f];
        if (f < m->n_internal) diagonal[m->face_neighbour[f]] += k[f];
    }
    s->start[s->n] = start[s->n] + s->n;
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < s->n; c++) {
        int64_t at = s->start[c] = start[c] + c;
        s->column[at] = c;
        s->value[at++] = diagonal[c];
        for (int64_t e = start[c]; e < start[c + 1]; e++, at++) {
            s->column[at] = column[e];
            s->value[at] = -k[abs(face[e]) - 1];
        }
    }
    free(start), free(column), free(face), free(diagonal);
}

void laplacian(struct linear_system *s, const struct mesh *m, const double *coefficient, const double *wall)
{
    double *k = face_coefficients(m, coefficient);
    apply_walls(m, wall, k);
    *s = (struct linear_system){.n = m->n_cells, .block = 1, .dim = m->dim, .singular = true};
    for (int32_t f = m->n_internal; f < m->n_faces; f++) s->singular &= k[f] == 0;
    fill_rows(s, m, k);
    NEW(s->centre, (int64_t)s->dim * s->n);
    memcpy(s->centre, m->cell_centre, (size_t)s->dim * (size_t)s->n * sizeof *s->centre);
    free(k);
}
