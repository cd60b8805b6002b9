/* Fields at points: the cell of each point, its rank, and the combined values. */
#include "run/sample.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "flow/heat.h"
#include "run/monitor_kernels.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "interface/interface.h"
#include "mesh/nearest.h"
#include "mesh/rings.h"

/* Distance of the point beyond face f of cell c (negative: on the cell's side); *other: the cell on the other side, -1:
 * a boundary. */
static double beyond(const struct mesh *m, int32_t c, int32_t f, const double *point, int32_t *other)
{
    bool owner = m->face_owner[f] == c;
    double through = 0, area = 0;
    for (int k = 0; k < m->dim; k++) {
        double s = m->face_area[(int64_t)k * m->n_faces + f] * (owner ? 1 : -1);
        double face = m->face_r[(int64_t)k * m->n_faces + f] - (owner ? 0 : m->face_d[(int64_t)k * m->n_faces + f]);
        through += s * (point[k] - m->cell_centre[(int64_t)k * m->n_all + c] - face);
        area += s * s;
    }
    *other = f >= m->n_internal ? -1 : owner ? m->face_neighbour[f] : m->face_owner[f];
    return through / sqrt(area);
}

/* Finds the cell that contains the point: starts at the cell with the nearest centre and repeatedly crosses the face
 * that the point is farthest beyond, until there is none.  -1: the walk ends at the boundary, and the point is outside
 * by more than a thousandth of a cell. */
static int32_t find_cell(const struct mesh *m, const struct nearest *centres, const double *point)
{
    double away;
    int32_t c = nearest_find(centres, point, &away);
    double size = mesh_edge(m->cell_volume[c], m->dim);
    for (int step = 0; step < 100; step++) {
        double worst = 1e-9 * size, outside = 0;
        int32_t next = -1;
        for (int64_t k = m->cell_face_start[c]; k < m->cell_face_start[c + 1]; k++) {
            int32_t other;
            double d = beyond(m, c, face_of_cell(m, k), point, &other);
            if (other < 0) outside = fmax(outside, d);
            else if (d > worst) worst = d, next = other;
        }
        if (next < 0) return outside > 1e-3 * size ? -1 : c;
        c = next;
    }
    return c;                                           /* the walk circles among cells that all touch the point */
}

/* ---------------------------------------------------------------- data of the ranks */
/* Index of each entry of `own` [n] among those of all ranks: at [entries], -1 for entries that no rank has. */
static int64_t *places_of(const int32_t *own, int32_t n, int64_t entries)
{
    int64_t *at, *first;
    int32_t *all = ranks_collect(own, n, sizeof *own, &first);
    NEW(at, entries);
    for (int64_t e = 0; e < entries; e++) at[e] = -1;
    for (int64_t i = 0; i < first[ranks_count()]; i++) at[all[i]] = i;
    free(all), free(first);
    return at;
}

/* Copies the entries whose cell is owned by this rank to the device. */
static void take_cells(struct sample_cells *s, const struct blend *b, const struct mesh *m, const double *point)
{
    int32_t first = m->part ? m->part->first : 0, end = first + m->n_cells, *own, *cell, n = 0;
    int64_t entries = b->start[b->n];
    double *at, *arm;
    NEW(own, entries), NEW(cell, entries);
    for (int32_t e = 0; e < entries; e++)
        if (b->cell[e] >= first && b->cell[e] < end) cell[n] = b->cell[e] - first, own[n++] = e;
    NEW(at, (int64_t)m->dim * n), NEW(arm, (int64_t)m->dim * n);
    for (int32_t i = 0, p = 0; i < n; i++) {
        while (b->start[p + 1] <= own[i]) p++;
        for (int k = 0; k < m->dim; k++) {
            at[(int64_t)k * n + i] = point[3 * (int64_t)p + k];
            arm[(int64_t)k * n + i] = b->arm[3 * (int64_t)own[i] + k];
        }
    }
    s->n = n;
    s->at = places_of(own, n, entries);
    s->cell = device_copy_of(cell, (size_t)n * sizeof *cell, "sample cells");
    s->point = device_copy_of(at, (size_t)m->dim * (size_t)n * sizeof *at, "sample points");
    s->arm = device_copy_of(arm, (size_t)m->dim * (size_t)n * sizeof *arm, "sample points");
    free(own), free(cell), free(at), free(arm);
}

/* The same for entries whose wall is. */
static void take_walls(struct sample *s, const struct mesh *m)
{
    const struct mesh *whole = mesh_whole(m);
    const struct blend *b = &s->blend;
    int32_t first = m->part ? m->part->first : 0, *own, *wall, *here = mesh_boundary_here(m), n = 0;
    int64_t entries = b->start[s->n];
    NEW(own, entries), NEW(wall, entries);
    for (int32_t e = 0; e < entries; e++) {
        if (b->wall[e] < 0) continue;
        int32_t cell = whole->face_owner[whole->n_internal + b->wall[e]];
        if (cell < first || cell >= first + m->n_cells) continue;
        wall[n] = here[b->wall[e]], own[n++] = e;
    }
    s->n_walls = n;
    s->wall_at = places_of(own, n, entries);
    s->wall = device_copy_of(wall, (size_t)n * sizeof *wall, "sample walls");
    free(own), free(wall), free(here);
}

static void take_entries(struct sample *s, const struct mesh *m, const double *point)
{
    take_cells(&s->cells[0], &s->blend, m, point), take_cells(&s->cells[1], &s->blend, mesh_with_solids(m), point);
    take_walls(s, m);
    int32_t most = s->n_walls;
    for (int i = 0; i < 2; i++) if (s->cells[i].n > most) most = s->cells[i].n;
    s->on_device = device_alloc(3 * (size_t)m->dim * (size_t)most * sizeof(double), "sample values");
}

/* ---------------------------------------------------------------- functions of sample.h */
bool sample_create(struct sample *s, const struct mesh *m, const double *point, int32_t n, const char *place,
                   const char *group, const char *name, struct error *e)
{
    const struct mesh *whole = mesh_whole(m), *all = mesh_with_solids(whole);
    struct nearest centres;
    int32_t *cell, outside = n;
    *s = (struct sample){.n = n, .dim = m->dim};
    NEW(cell, n);
    nearest_create(&centres, all->cell_centre, m->dim, all->n_cells);
    #pragma omp parallel for schedule(dynamic) reduction(min : outside)
    for (int32_t i = 0; i < n; i++) {
        cell[i] = find_cell(all, &centres, point + 3 * (int64_t)i);
        if (cell[i] < 0 && i < outside) outside = i;
    }
    nearest_free(&centres);
    if (outside == n) {
        blend_points(&s->blend, whole, cell, point, n);
        take_entries(s, m, point);
    }
    free(cell);
    if (outside == n) return true;
    const double *away = point + 3 * (int64_t)outside;
    return refuse(e, EXIT_INPUT, m->dim == 2 ? "%s: %s.%s: the point (%g, %g) is outside the mesh; move it inside" :
                  "%s: %s.%s: the point (%g, %g, %g) is outside the mesh; move it inside", place, group, name, away[0],
                  away[1], away[2]);
}

void sample_of_cells(struct sample *s, const struct mesh *m, const double *point, const int32_t *cell, int32_t n)
{
    const struct mesh *whole = mesh_with_solids(mesh_whole(m));
    struct blend *b = &s->blend;
    *s = (struct sample){.n = n, .dim = m->dim, .blend.n = n};
    NEW(b->start, n + 1), NEW(b->cell, n), NEW(b->wall, n), NEW(b->part, n), NEW(b->weight, n);
    NEW(b->arm, 3 * (int64_t)n);
    for (int32_t i = 0; i < n; i++) {
        b->start[i + 1] = i + 1, b->cell[i] = cell[i], b->wall[i] = -1, b->weight[i] = 1;
        for (int k = 0; k < m->dim; k++)
            b->arm[3 * (int64_t)i + k] = point[3 * (int64_t)i + k] -
                                         whole->cell_centre[(int64_t)k * whole->n_all + cell[i]];
    }
    take_entries(s, m, point);
}

void sample_free(struct sample *s)
{
    for (struct sample_cells *c = s->cells; c < s->cells + 2; c++)
        device_free(c->cell), device_free(c->point), device_free(c->arm), free(c->at);
    device_free(s->wall), device_free(s->on_device);
    free(s->wall_at);
    blend_free(&s->blend);
    memset(s, 0, sizeof *s);
}

struct fluids fluids_of(const struct flow *f)
{
    const double *g = f->gravity;
    return (struct fluids){.properties = f->properties, .gravity = {g[0], g[1], g[2]},
                           .bottom = f->interface ? f->interface->bottom : 0,
                           .falls = g[0] != 0 || g[1] != 0 || g[2] != 0};
}

/* Gathers the arrays of all ranks, the caller's to free; this rank has n entries, each of `numbers`, on the device. */
static double *of_all(const double *on_device, int32_t n, int numbers)
{
    double *own, *all;
    NEW(own, (int64_t)n * numbers);
    device_download(own, on_device, (size_t)n * (size_t)numbers * sizeof *own);
    all = ranks_collect(own, n, (size_t)numbers * sizeof *own, NULL);
    free(own);
    return all;
}

/* The polynomial of a cell in blend.h, from the values of sample_cells() and sample_walls(), the latter NULL without a
 * wall. */
static double at_point(const double *cell, const double *wall, double t)
{
    if (!wall || wall[1] == 0) return cell[0] + cell[1] + cell[2];
    return fma(t * t, wall[0] - cell[0], fma(1 - t, cell[1], cell[0])) + cell[2];
}

static void read_field(const struct sample *s, const struct flow *f, const struct field *x, double *value)
{
    const struct blend *b = &s->blend;
    const struct sample_cells *of = &s->cells[x->with_solids];
    const int n = x->components;
    struct sample_args cells = {.s = x->with_solids ? *heat_stencil(f) : f->s, .fluids = fluids_of(f), .n = of->n,
                                .components = n, .cell = of->cell, .point = of->point, .arm = of->arm,
                                .value = *x->value, .gradient = x->gradient, .falls = x->falls,
                                .sampled = s->on_device};
    struct sample_walls_args walls = {.n = s->n_walls, .n_boundary = f->s.n_boundary, .components = n, .wall = s->wall,
                                      .boundary = x->boundary ? *x->boundary : NULL,
                                      .rule = x->boundary ? *x->rule : NULL, .sampled = s->on_device};
    sample_cells(&cells, (int64_t)n * of->n);
    double *of_cells = of_all(s->on_device, of->n, 3 * n), *of_walls = NULL;
    if (x->boundary) {
        sample_walls(&walls, (int64_t)n * s->n_walls);
        of_walls = of_all(s->on_device, s->n_walls, 2 * n);
    }
    for (int k = 0; k < n; k++)
        for (int32_t i = 0; i < s->n; i++) {
            double sum = 0;
            for (int64_t e = b->start[i]; e < b->start[i + 1]; e++) {
                if (of->at[e] < 0) continue;
                const double *cell = of_cells + 3 * (of->at[e] * n + k);
                const double *wall = of_walls && s->wall_at[e] >= 0 ? of_walls + 2 * (s->wall_at[e] * n + k) : NULL;
                sum = fma(b->weight[e], at_point(cell, wall, b->part[e]), sum);
            }
            value[(int64_t)k * s->n + i] = sum;
        }
    free(of_cells), free(of_walls);
}

void sample_read(const struct sample *s, const struct flow *f, double *value)
{
    for (const struct field *x = f->fields.field; x < f->fields.field + f->fields.n; x++) {
        if (!(x->use & FIELD_SAMPLE)) continue;
        read_field(s, f, x, value);
        value += (int64_t)x->components * s->n;
    }
}
