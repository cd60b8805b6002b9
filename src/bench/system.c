#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "bench/bench.h"
#include "gpu/device.h"

/* |S|^2 / (S.d) of every face. */
static double *face_coefficients(const struct mesh *m)
{
    double *k;
    NEW(k, m->n_faces);
    for (int32_t f = 0; f < m->n_faces; f++) {
        double ss = 0, sd = 0;
        for (int i = 0; i < m->dim; i++) {
            double s = m->face_area[(int64_t)i * m->n_faces + f];
            ss += s * s;
            sd += s * m->face_d[(int64_t)i * m->n_faces + f];
        }
        k[f] = ss / sd;
    }
    return k;
}

/* CSR with the diagonal first, from the neighbours without it. */
static void fill_rows(struct bench_system *s, const struct mesh *m, const int64_t *start, const int32_t *column,
                      const int32_t *face)
{
    double *k = face_coefficients(m), *diag;
    NEW(diag, m->n_cells);
    for (int32_t f = 0; f < m->n_faces; f++) {
        diag[m->face_owner[f]] += k[f];
        if (f < m->n_internal) diag[m->face_neighbour[f]] += k[f];
    }
    for (int32_t c = 0; c < m->n_cells; c++) {
        int64_t at = s->start[c] = start[c] + c;
        s->column[at] = c;
        s->value[at++] = diag[c];
        for (int64_t e = start[c]; e < start[c + 1]; e++, at++) {
            s->column[at] = column[e];
            s->value[at] = -k[abs(face[e]) - 1];
        }
    }
    s->start[m->n_cells] = start[m->n_cells] + m->n_cells;
    free(k), free(diag);
}

void bench_system_store(struct bench_system *s)
{
    int32_t n = s->n, *column;
    int64_t *start, *place;
    double *val, *diag;
    NEW(start, n + 1), NEW(column, s->start[n] - n), NEW(place, s->start[n] - n), NEW(diag, n);
    for (int32_t r = 0; r < n; r++) {
        diag[r] = s->value[s->start[r]];
        start[r + 1] = s->start[r + 1] - r - 1;
        memcpy(column + start[r], s->column + s->start[r] + 1, (size_t)(start[r + 1] - start[r]) * sizeof *column);
    }
    mod_sell_create(&s->a, n, start, column, place);
    NEW(val, s->a.n_stored);
    for (int32_t r = 0; r < n; r++)
        for (int64_t k = start[r]; k < start[r + 1]; k++) val[place[k]] = s->value[k + r + 1];
    device_upload(s->a.val, val, (size_t)s->a.n_stored * sizeof *val);
    device_upload(s->a.diag, diag, (size_t)n * sizeof *diag);
    free(start), free(column), free(place), free(val), free(diag);
}

void bench_system(struct bench_system *s, const struct mesh *m)
{
    int64_t *start;
    int32_t *column, *face;
    mesh_adjacency(m, &start, &column, &face);
    int64_t n_entries = start[m->n_cells] + m->n_cells;
    s->n = m->n_cells;
    NEW(s->start, m->n_cells + 1), NEW(s->column, n_entries), NEW(s->value, n_entries);
    fill_rows(s, m, start, column, face);
    free(start), free(column), free(face);
    bench_system_store(s);
}

void bench_system_free(struct bench_system *s)
{
    mod_sell_free(&s->a);
    free(s->start), free(s->column), free(s->value);
}

double *bench_vector(int32_t n, int64_t n_padded, int seed)
{
    double *v, *on_device = device_alloc((size_t)n_padded * sizeof *v, "vector");
    NEW(v, n);
    for (int32_t i = 0; i < n; i++) v[i] = (double)((uint64_t)(i + seed) * 2654435761u % 1000003u) / 1000003.0 - 0.5;
    device_upload(on_device, v, (size_t)n * sizeof *v);
    free(v);
    return on_device;
}
