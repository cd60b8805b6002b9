#include <stdlib.h>
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

static void upload(const struct bench_system *s, const int64_t *start, const int64_t *place)
{
    const struct mod_sell *a = &s->a;
    double *val, *diag;
    NEW(val, a->n_stored), NEW(diag, a->n);
    for (int32_t r = 0; r < a->n; r++) {
        diag[r] = s->value[s->start[r]];
        for (int64_t e = start[r]; e < start[r + 1]; e++) val[place[e]] = s->value[e + r + 1];
    }
    device_upload(a->val, val, (size_t)a->n_stored * sizeof *val);
    device_upload(a->diag, diag, (size_t)a->n * sizeof *diag);
    free(val), free(diag);
}

void bench_system(struct bench_system *s, const struct mesh *m)
{
    int64_t *start, *place;
    int32_t *column, *face;
    mesh_adjacency(m, &start, &column, &face);
    int64_t n_entries = start[m->n_cells] + m->n_cells;
    NEW(s->start, m->n_cells + 1), NEW(s->column, n_entries), NEW(s->value, n_entries), NEW(place, start[m->n_cells]);
    fill_rows(s, m, start, column, face);
    mod_sell_create(&s->a, m->n_cells, start, column, place);
    upload(s, start, place);
    free(start), free(column), free(face), free(place);
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
