/* Transfers a linear system to the device and its solution back. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "system/linear_system.h"

/* ---------------------------------------------------------------- upload and download */
/* The rows' neighbours, without themselves. */
static void neighbours(const struct linear_system *s, int64_t **start, int32_t **column)
{
    NEW(*start, s->n + (int64_t)1), NEW(*column, s->start[s->n]);
    for (int32_t i = 0; i < s->n; i++) {
        int64_t n = s->start[i + 1] - s->start[i] - 1;
        (*start)[i + 1] = (*start)[i] + n;
        memcpy(*column + (*start)[i], s->column + s->start[i] + 1, (size_t)n * sizeof **column);
    }
}

struct pattern linear_system_layout(const struct linear_system *s)
{
    struct pattern p = pattern_of_rows(s->n);
    int64_t *start, *warp;
    p.n_entries = s->start[s->n] - s->n;
    NEW(start, s->n + (int64_t)1);
    for (int32_t i = 0; i < s->n; i++) {
        start[i + 1] = s->start[i + 1] - i - 1;
        for (int64_t k = s->start[i] + 1; k < s->start[i + 1]; k++) p.n_local += s->column[k] / SLICE == i / SLICE;
    }
    warp = pattern_warp_starts(s->n, p.n_padded / WARP, start);
    p.n_stored = warp[p.n_padded / WARP];
    free(start), free(warp);
    return p;
}

void linear_system_upload(const struct linear_system *s, struct matrix *a)
{
    int64_t *start, *place;
    int32_t *column;
    double *val, *diag;
    struct pattern p;
    int square = s->block * s->block;
    neighbours(s, &start, &column);
    NEW(place, start[s->n]);
    int together = s->block > 1 ? s->block : 2;         /* CG sends two vectors together */
    pattern_create_of_ranks(&p, s->n, start, column, place, together);
    matrix_create_blocks(a, &p, s->block);
    NEW(val, p.n_stored * square), NEW(diag, p.n_padded * square);
    device_download(diag, a->diag, (size_t)(p.n_padded * square) * sizeof *diag);
    for (int32_t i = 0; i < s->n; i++)
        for (int e = 0; e < square; e++) {
            diag[matrix_at(i, e, square)] = s->value[s->start[i] * square + e];
            for (int64_t k = start[i]; k < start[i + 1]; k++)
                val[matrix_at(place[k], e, square)] = s->value[(k + i + 1) * square + e];
        }
    device_upload(a->val, val, (size_t)(p.n_stored * square) * sizeof *val);
    device_upload(a->diag, diag, (size_t)(p.n_padded * square) * sizeof *diag);
    free(start), free(column), free(place), free(val), free(diag);
}

void linear_system_place(const struct matrix *a, const double *v, double *on_device)
{
    double *component;
    NEW(component, a->p.n_padded);
    for (int k = 0; k < a->block; k++) {
        for (int32_t i = 0; i < a->p.n; i++) component[i] = v[(int64_t)i * a->block + k];
        device_upload(on_device + k * a->p.pitch, component, (size_t)a->p.n_padded * sizeof *v);
    }
    free(component);
}

double *linear_system_vector(const struct matrix *a, const double *v, const char *what)
{
    double *on_device = pattern_alloc(&a->p, a->block, sizeof *v, what);
    linear_system_place(a, v, on_device);
    return on_device;
}

/* ---------------------------------------------------------------- back */
double *linear_system_download(const struct linear_system *s, const struct matrix *a, const double *on_device)
{
    double *v, *component, *in_file;
    NEW(v, (int64_t)s->n * s->block), NEW(component, s->n);
    for (int k = 0; k < s->block; k++) {
        device_download(component, on_device + k * a->p.pitch, (size_t)s->n * sizeof *v);
        for (int32_t i = 0; i < s->n; i++) v[(int64_t)i * s->block + k] = component[i];
    }
    free(component);
    if (ranks_count() > 1) {
        double *own = v;
        v = ranks_to_first(own, (int64_t)s->n * s->block, sizeof *v);
        free(own);
    }
    if (!v || !s->original) return v;
    NEW(in_file, a->p.n_global * s->block);
    for (int64_t i = 0; i < a->p.n_global; i++)
        memcpy(in_file + (int64_t)s->original[i] * s->block, v + i * s->block, (size_t)s->block * sizeof *v);
    free(v);
    return in_file;
}
