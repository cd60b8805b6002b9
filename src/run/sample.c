#include "run/sample.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "run/monitor_kernels.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
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

/* The boundary face of cell c that the point is nearest to, measured by which part of the way from the cell's centre
 * to the face it is on; -1: the cell has none. */
static int32_t nearest_boundary(const struct mesh *m, const int64_t *start, const int32_t *face_of, int32_t c,
                                const double *point)
{
    int32_t best = -1;
    double most = 0;
    for (int64_t k = start[c]; k < start[c + 1]; k++) {
        int32_t f = face_of[k];
        double along = 0, whole = 0;
        for (int j = 0; j < m->dim && f >= m->n_internal; j++) {
            double area = m->face_area[(int64_t)j * m->n_faces + f];
            along += area * (point[j] - m->cell_centre[(int64_t)j * m->n_cells + c]);
            whole += area * m->face_r[(int64_t)j * m->n_faces + f];
        }
        if (f >= m->n_internal && along / whole > most) most = along / whole, best = f - m->n_internal;
    }
    return best;
}

/* Points and their cells in the whole mesh, on the host. */
struct draft { const double *point; int32_t *cell, *wall; };

/* Takes the points in own cells to the machine. */
static void take_own(struct sample *s, const struct mesh *m, const struct draft *d)
{
    const struct mesh *whole = mesh_whole(m);
    int32_t first = m->part ? m->part->first : 0, n = 0, *cell, *wall;
    double *at, *arm;
    for (int32_t i = 0; i < s->n; i++) s->n_own += d->cell[i] >= first && d->cell[i] < first + m->n_cells;
    NEW(s->own, s->n_own), NEW(cell, s->n_own), NEW(wall, s->n_own);
    NEW(at, (int64_t)m->dim * s->n_own), NEW(arm, (int64_t)m->dim * s->n_own);
    for (int32_t i = 0; i < s->n; i++) {
        int32_t c = d->cell[i];
        if (c < first || c >= first + m->n_cells) continue;
        for (int k = 0; k < m->dim; k++) {
            int64_t to = (int64_t)k * s->n_own + n;
            at[to] = d->point[3 * (int64_t)i + k];
            arm[to] = at[to] - whole->cell_centre[(int64_t)k * whole->n_cells + c];
        }
        wall[n] = d->wall[i] < 0 ? -1 : mesh_boundary_here(m, d->wall[i]);
        cell[n] = c - first;
        s->own[n++] = i;
    }
    s->cell = device_copy_of(cell, (size_t)n * sizeof *cell, "sample cells");
    s->wall = device_copy_of(wall, (size_t)n * sizeof *wall, "sample walls");
    s->point = device_copy_of(at, (size_t)m->dim * (size_t)n * sizeof *at, "sample points");
    s->arm = device_copy_of(arm, (size_t)m->dim * (size_t)n * sizeof *arm, "sample points");
    s->on_device = device_alloc((size_t)m->dim * (size_t)n * sizeof *arm, "sample values");
    free(cell), free(wall), free(at), free(arm);
}

/* Which rank has which point. */
static void find_ranks(struct sample *s)
{
    int ranks = ranks_count();
    uint8_t *has;
    NEW(has, (int64_t)ranks * s->n), NEW(s->rank, s->n);
    for (int32_t i = 0; i < s->n_own; i++) has[(int64_t)ranks_own() * s->n + s->own[i]] = 1;
    ranks_gather(has, (size_t)s->n);
    for (int r = 0; r < ranks; r++) for (int32_t i = 0; i < s->n; i++) if (has[(int64_t)r * s->n + i]) s->rank[i] = r;
    free(has);
}

bool sample_create(struct sample *s, const struct mesh *m, const double *point, int32_t n, const char *place,
                   const char *group, const char *name, struct error *e)
{
    const struct mesh *whole = mesh_whole(m);
    int64_t *start;
    int32_t *face_of, outside = n;
    struct draft d = {.point = point};
    *s = (struct sample){.n = n, .dim = m->dim};
    NEW(d.cell, n), NEW(d.wall, n);
    cell_faces(whole, &start, &face_of);
    #pragma omp parallel for schedule(dynamic) reduction(min : outside)
    for (int32_t i = 0; i < n; i++) {
        d.cell[i] = find_cell(whole, start, face_of, point + 3 * (int64_t)i);
        if (d.cell[i] < 0 && i < outside) outside = i;
        if (d.cell[i] >= 0) d.wall[i] = nearest_boundary(whole, start, face_of, d.cell[i], point + 3 * (int64_t)i);
    }
    if (outside == n) take_own(s, m, &d), find_ranks(s);
    free(start), free(face_of), free(d.cell), free(d.wall);
    if (outside == n) return true;
    const double *away = point + 3 * (int64_t)outside;
    return refuse(e, EXIT_INPUT, m->dim == 2 ? "%s: %s.%s: the point (%g, %g) is outside the mesh; move it inside" :
                  "%s: %s.%s: the point (%g, %g, %g) is outside the mesh; move it inside", place, group, name, away[0],
                  away[1], away[2]);
}

void sample_free(struct sample *s)
{
    device_free(s->cell);
    device_free(s->wall);
    device_free(s->point);
    device_free(s->arm);
    device_free(s->on_device);
    free(s->own), free(s->rank);
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
    int32_t columns = fields_columns(&f->fields, FIELD_SAMPLE), column = 0;
    double *of_field, *all, *own;
    NEW(of_field, (int64_t)s->dim * s->n_own), NEW(all, (int64_t)ranks_count() * columns * s->n);
    own = all + (int64_t)ranks_own() * columns * s->n;
    for (const struct field *x = f->fields.field; x < f->fields.field + f->fields.n; x++) {
        if (!(x->use & FIELD_SAMPLE)) continue;
        struct sample_args a = {.s = f->s, .b = f->b, .fluids = fluids_of(f), .n = s->n_own, .cell = s->cell,
                                .wall = s->wall, .point = s->point, .arm = s->arm, .value = *x->value,
                                .gradient = x->gradient, .boundary = x->boundary ? *x->boundary : NULL,
                                .rule = x->rule ? *x->rule : NULL, .falls = x->falls, .sampled = s->on_device};
        int64_t n = (int64_t)x->components * s->n_own;
        sample_points(&a, n);
        device_download(of_field, s->on_device, (size_t)n * sizeof *of_field);
        for (int k = 0; k < x->components; k++, column++)
            for (int32_t i = 0; i < s->n_own; i++)
                own[(int64_t)column * s->n + s->own[i]] = of_field[(int64_t)k * s->n_own + i];
    }
    ranks_gather(all, (size_t)columns * (size_t)s->n * sizeof *all);
    for (int32_t k = 0; k < columns; k++)
        for (int32_t i = 0; i < s->n; i++)
            value[(int64_t)k * s->n + i] = all[((int64_t)s->rank[i] * columns + k) * s->n + i];
    free(of_field), free(all);
}
