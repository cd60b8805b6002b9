/* Builds the least-squares stencils of the pressure at boundaries on the host (boundary.h). */
#include "assembly/boundary.h"
#include "assembly/reconstruction_setup.h"
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"

enum { MOST = 256 };                                    /* cells of two layers: 6 on triangles, 18 on hexahedra */

struct layers {                                         /* of one cell: neighbours and the vectors to them */
    int n;
    int32_t cell[MOST];
    double way[MOST][3];
    int32_t path[MOST][2];                              /* the faces between, as codes */
};

/* Adds the neighbours of `cell` that are not included yet; `way`: from the centre of the stencil to the cell, through
 * face `path` (0: it is the centre). */
static void add_neighbours(struct layers *l, const struct mesh *m, const struct adjacency *a, int32_t centre,
                           int32_t cell, const double *way, int32_t path)
{
    for (int64_t k = a->start[cell]; k < a->start[cell + 1] && l->n < MOST; k++) {
        int32_t other = a->column[k], at = 0;
        double d[3];
        while (at < l->n && l->cell[at] != other) at++;
        if (at < l->n || other == centre) continue;
        l->cell[l->n] = other;
        way_to(m, a, k, d);
        for (int j = 0; j < 3; j++) l->way[l->n][j] = way[j] + d[j];
        l->path[l->n][0] = path ? path : a->face[k], l->path[l->n][1] = path ? a->face[k] : 0;
        l->n++;
    }
}

/* Inverse of sum w d d^T, w = 1 / |d|^2, by cofactors. False: it is close to singular. */
static bool invert(const struct layers *l, int dim, double inverse[3][3])
{
    double m[3][3] = {{0}};
    for (int k = 0; k < l->n; k++) {
        const double *d = l->way[k];
        double dd = dot(d, d);
        for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) m[i][j] += d[i] * d[j] / dd;
    }
    double size = (m[0][0] + m[1][1] + m[2][2]) / dim;
    if (dim == 2) m[2][2] = size;
    const double det = cofactors(m, inverse);
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) inverse[i][j] /= det;
    return l->n >= dim && det > 1e-3 * size * size * size;
}

/* Boundary cells that are not steep and have no face with given pressure, and their positions in the stencil's list. */
static int32_t *wall_cells(const struct mesh *m, const uint8_t *rule, const bool *steep, int32_t **place, int32_t *n)
{
    uint8_t *kind;                                  /* 1: boundary, 2: a face where the pressure is not extrapolated */
    int32_t *cell, at = 0;
    NEW(kind, m->n_all), NEW(cell, m->n_faces - m->n_internal), NEW(*place, m->n_faces - m->n_internal);
    for (int32_t f = m->n_internal; f < m->n_faces; f++)
        kind[m->face_owner[f]] |= rule[f - m->n_internal] == RULE_EXTRAPOLATED ? 1 : 2;
    *n = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        if (kind[c] == 1 && !steep[c]) (*place)[*n] = at, cell[(*n)++] = c;
        at += kind[c] > 0;
    }
    free(kind);
    return cell;
}

static const void *upload(const void *from, size_t bytes) { return device_copy_of(from, bytes, "wall gradients"); }

void wall_stencil_create(struct boundary *b, const struct mesh *m, const uint8_t *rule)
{
    struct adjacency a;
    struct layers l;
    int32_t n_cells, n = 0, room = 0, *start, *neighbour = NULL, *place, (*path)[2] = NULL;
    bool *steep;
    NEW(steep, m->n_all);
    b->n_steep = (int32_t)count_over_ranks(mesh_steep(m, steep));
    int32_t *cell = wall_cells(m, rule, steep, &place, &n_cells);
    double (*coefficient)[3] = NULL;
    mesh_adjacency(m, &a.start, &a.column, &a.face);
    NEW(start, n_cells + 1);
    for (int32_t i = 0; i < n_cells; i++) {
        double inverse[3][3], none[3] = {0};
        l.n = 0;
        add_neighbours(&l, m, &a, cell[i], cell[i], none, 0);
        for (int k = 0, first = l.n; k < first; k++)
            add_neighbours(&l, m, &a, cell[i], l.cell[k], l.way[k], l.path[k][0]);
        if (!invert(&l, m->dim, inverse)) continue;
        if (start[n] + l.n > room) {
            room = 2 * (room + MOST);
            RESIZE(neighbour, room), RESIZE(coefficient, room), RESIZE(path, room);
        }
        for (int k = 0; k < l.n; k++) {
            const double *d = l.way[k];
            double dd = dot(d, d);
            neighbour[start[n] + k] = l.cell[k];
            memcpy(path[start[n] + k], l.path[k], sizeof *path);
            for (int j = 0; j < 3; j++)
                coefficient[start[n] + k][j] =
                    (inverse[j][0] * d[0] + inverse[j][1] * d[1] + inverse[j][2] * d[2]) / dd;
        }
        start[n + 1] = start[n] + l.n;
        place[n++] = place[i];
    }
    double *by_component;
    NEW(by_component, (int64_t)m->dim * start[n]);
    for (int j = 0; j < m->dim; j++)
        for (int32_t k = 0; k < start[n]; k++) by_component[(int64_t)j * start[n] + k] = coefficient[k][j];
    b->n_wall_cells = n;
    b->wall_cell = upload(place, (size_t)n * sizeof *place);
    b->wall_start = upload(start, ((size_t)n + 1) * sizeof *start);
    b->wall_neighbour = upload(neighbour, (size_t)start[n] * sizeof *neighbour);
    b->wall_coefficient = upload(by_component, (size_t)m->dim * (size_t)start[n] * sizeof *by_component);
    b->wall_path = upload(path, (size_t)start[n] * sizeof *path);
    free(a.start), free(a.column), free(a.face), free(start), free(steep), free(neighbour), free(cell), free(place),
        free(coefficient), free(by_component), free(path);
}
