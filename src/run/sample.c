#include "run/sample.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "run/monitor_kernels.h"
#include "gpu/device.h"
#include "run/blend.h"
#include "interface/interface.h"

static int32_t nearest_centre(const struct mesh *m, const double *point)
{
    int32_t best = 0;
    double least = INFINITY;
    for (int32_t c = 0; c < m->n_cells; c++) {
        double d2 = 0;
        for (int k = 0; k < m->dim; k++) {
            double d = m->cell_centre[(int64_t)k * m->n_cells + c] - point[k];
            d2 += d * d;
        }
        if (d2 < least) least = d2, best = c;
    }
    return best;
}

/* How far the point lies beyond face f of cell c (negative: on the cell's side); *other: the cell on the other side,
 * -1: a boundary. */
static double beyond(const struct mesh *m, int32_t c, int32_t f, const double *point, int32_t *other)
{
    bool owner = m->face_owner[f] == c;
    double through = 0, area = 0;
    for (int k = 0; k < m->dim; k++) {
        double s = m->face_area[(int64_t)k * m->n_faces + f] * (owner ? 1 : -1);
        double face = m->face_r[(int64_t)k * m->n_faces + f] - (owner ? 0 : m->face_d[(int64_t)k * m->n_faces + f]);
        through += s * (point[k] - m->cell_centre[(int64_t)k * m->n_cells + c] - face);
        area += s * s;
    }
    *other = f >= m->n_internal ? -1 : owner ? m->face_neighbour[f] : m->face_owner[f];
    return through / sqrt(area);
}

/* Finds the cell that holds the point: begins at the cell with the nearest centre and goes through the face that the
 * point is farthest beyond, until it is beyond none.  -1: the way ends at the boundary, and the point is outside by
 * more than a thousandth of a cell. */
static int32_t find_cell(const struct mesh *m, const int64_t *start, const int32_t *face_of, const double *point)
{
    int32_t c = nearest_centre(m, point);
    double size = pow(m->cell_volume[c], 1.0 / m->dim);
    for (int step = 0; step < 100; step++) {
        double worst = 1e-9 * size, outside = 0;
        int32_t next = -1;
        for (int64_t k = start[c]; k < start[c + 1]; k++) {
            int32_t other;
            double d = beyond(m, c, face_of[k], point, &other);
            if (other < 0) outside = fmax(outside, d);
            else if (d > worst) worst = d, next = other;
        }
        if (next < 0) return outside > 1e-3 * size ? -1 : c;
        c = next;
    }
    return c;                                           /* the way goes round among cells that all touch the point */
}

/* CSR of every cell's faces, internal and boundary. */
static void cell_faces(const struct mesh *m, int64_t **start, int32_t **face)
{
    int64_t *at;
    NEW(*start, m->n_cells + 1);
    NEW(at, m->n_cells);
    for (int32_t f = 0; f < m->n_faces; f++) {
        (*start)[m->face_owner[f] + 1]++;
        if (f < m->n_internal) (*start)[m->face_neighbour[f] + 1]++;
    }
    for (int32_t c = 0; c < m->n_cells; c++) at[c] = (*start)[c], (*start)[c + 1] += (*start)[c];
    NEW(*face, (*start)[m->n_cells]);
    for (int32_t f = 0; f < m->n_faces; f++) {
        (*face)[at[m->face_owner[f]]++] = f;
        if (f < m->n_internal) (*face)[at[m->face_neighbour[f]]++] = f;
    }
    free(at);
}

static void upload(struct sample *s, const struct blend *b, const double *point)
{
    int32_t n = s->n;
    int64_t entries = b->start[n];
    double *arm, *at;
    NEW(arm, s->dim * entries), NEW(at, (int64_t)s->dim * n);
    for (int k = 0; k < s->dim; k++) {
        for (int64_t e = 0; e < entries; e++) arm[k * entries + e] = b->arm[3 * e + k];
        for (int32_t i = 0; i < n; i++) at[(int64_t)k * n + i] = point[3 * (int64_t)i + k];
    }
    s->entries = entries;
    s->start = device_copy_of(b->start, (size_t)(n + 1) * sizeof *b->start, "sample cells");
    s->cell = device_copy_of(b->cell, (size_t)entries * sizeof *b->cell, "sample cells");
    s->wall = device_copy_of(b->wall, (size_t)entries * sizeof *b->wall, "sample walls");
    s->part = device_copy_of(b->part, (size_t)entries * sizeof *b->part, "sample walls");
    s->weight = device_copy_of(b->weight, (size_t)entries * sizeof *b->weight, "sample weights");
    s->arm = device_copy_of(arm, (size_t)(s->dim * entries) * sizeof *arm, "sample points");
    s->point = device_copy_of(at, (size_t)s->dim * (size_t)n * sizeof *at, "sample points");
    s->on_device = device_alloc((size_t)s->dim * (size_t)n * sizeof *at, "sample values");
    free(arm), free(at);
}

bool sample_create(struct sample *s, const struct mesh *m, const double *point, int32_t n, const char *place,
                   const char *group, const char *name, struct error *e)
{
    int64_t *start;
    int32_t *face_of, *cell;
    struct blend b;
    *s = (struct sample){.n = n, .dim = m->dim};
    NEW(cell, n);
    cell_faces(m, &start, &face_of);
    int32_t outside = n;
    #pragma omp parallel for schedule(dynamic) reduction(min : outside)
    for (int32_t i = 0; i < n; i++) {
        cell[i] = find_cell(m, start, face_of, point + 3 * (int64_t)i);
        if (cell[i] < 0 && i < outside) outside = i;
    }
    if (outside == n) {
        blend_points(&b, m, start, face_of, cell, point, n);
        upload(s, &b, point);
        blend_free(&b);
    }
    free(start), free(face_of), free(cell);
    if (outside == n) return true;
    const double *away = point + 3 * (int64_t)outside;
    return refuse(e, EXIT_INPUT, m->dim == 2 ? "%s: %s.%s: the point (%g, %g) is outside the mesh; move it inside" :
                  "%s: %s.%s: the point (%g, %g, %g) is outside the mesh; move it inside", place, group, name, away[0],
                  away[1], away[2]);
}

void sample_of_cells(struct sample *s, const struct mesh *m, const double *point, const int32_t *cell, int32_t n)
{
    struct blend b = {.n = n};
    *s = (struct sample){.n = n, .dim = m->dim};
    NEW(b.start, n + 1), NEW(b.cell, n), NEW(b.wall, n), NEW(b.part, n), NEW(b.weight, n), NEW(b.arm, 3 * (int64_t)n);
    for (int32_t i = 0; i < n; i++) {
        b.start[i + 1] = i + 1, b.cell[i] = cell[i], b.wall[i] = -1, b.weight[i] = 1;
        for (int k = 0; k < m->dim; k++)
            b.arm[3 * (int64_t)i + k] = point[3 * (int64_t)i + k] - m->cell_centre[(int64_t)k * m->n_all + cell[i]];
    }
    upload(s, &b, point);
    blend_free(&b);
}

void sample_free(struct sample *s)
{
    device_free(s->start), device_free(s->cell), device_free(s->wall), device_free(s->weight), device_free(s->part);
    device_free(s->point), device_free(s->arm), device_free(s->on_device);
    memset(s, 0, sizeof *s);
}

struct fluids fluids_of(const struct flow *f)
{
    const struct flow_setting *c = f->c;
    const double *g = c->fluid.gravity;
    return (struct fluids){.density = {c->fluid.density, c->second_fluid.density},
                           .viscosity = {c->fluid.viscosity, c->second_fluid.viscosity}, .gravity = {g[0], g[1], g[2]},
                           .falls = g[0] != 0 || g[1] != 0 || g[2] != 0,
                           .fraction = f->interface ? f->interface->fraction : NULL};
}

void sample_read(const struct sample *s, const struct flow *f, double *value)
{
    for (const struct field *x = f->fields.field; x < f->fields.field + f->fields.n; x++) {
        if (!(x->use & FIELD_SAMPLE)) continue;
        struct sample_args a = {.s = f->s, .fluids = fluids_of(f), .n = s->n,
                                .start = s->start, .cell = s->cell, .wall = s->wall, .part = s->part,
                                .weight = s->weight, .point = s->point, .arm = s->arm, .entries = s->entries,
                                .value = *x->value, .gradient = x->gradient,
                                .boundary = x->boundary ? *x->boundary : NULL,
                                .rule = x->rule ? *x->rule : NULL, .falls = x->falls, .sampled = s->on_device};
        int64_t n = (int64_t)x->components * s->n;
        sample_points(&a, n);
        device_download(value, s->on_device, (size_t)n * sizeof *value);
        value += n;
    }
}
