/* Builds the least-squares stencils of the pressure at boundaries on the host (boundary.h). */
#include "assembly/boundary.h"
#include "assembly/reconstruction_setup.h"
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"

enum { MOST = 256, MOST_LINKS = 4 * MOST };             /* cells of two layers: 6 on triangles, 18 on hexahedra */

/* A face, as a code, between neighbours number `from` (-1: the centre) and `to`. */
struct link { int from, to; int32_t code; };
struct layers {                                         /* of one cell */
    int n, n_links;
    int32_t cell[MOST];                                 /* neighbours; images of a cell in one layer are several */
    double way[MOST][3];                                /* the vectors to them */
    double coefficient[MOST][3];
    int links_to[MOST];
    struct link link[MOST_LINKS];
};

/* The number of the neighbour at `way`, or of an image of that cell in an earlier layer; l->n: neither is included.
 * Numbers from `first` on are those of this layer. */
static int find_neighbour(const struct layers *l, int32_t cell, const double *way, int first)
{
    int at = 0;
    while (at < l->n && !(l->cell[at] == cell && (at < first || is_same_point(l->way[at], way)))) at++;
    return at;
}

/* Adds the neighbours of `cell`, which is number `from`, and its links to them. */
static void add_neighbours(struct layers *l, const struct mesh *m, const struct adjacency *a, int32_t centre,
                           int32_t cell, int from, int first)
{
    for (int64_t k = a->start[cell]; k < a->start[cell + 1] && l->n < MOST && l->n_links < MOST_LINKS; k++) {
        double way[3];
        way_to(m, a, k, way);
        for (int j = 0; j < 3 && from >= 0; j++) way[j] += l->way[from][j];
        int at = find_neighbour(l, a->column[k], way, first);
        if (at < first || a->column[k] == centre) continue;
        if (at == l->n) {
            l->cell[l->n++] = a->column[k];
            memcpy(l->way[at], way, sizeof way);
            l->links_to[at] = 0;
        }
        l->link[l->n_links++] = (struct link){from, at, a->face[k]};
        l->links_to[at]++;
    }
}

static void add_layers(struct layers *l, const struct mesh *m, const struct adjacency *a, int32_t centre)
{
    l->n = l->n_links = 0;
    add_neighbours(l, m, a, centre, centre, -1, 0);
    for (int k = 0, first = l->n; k < first; k++) add_neighbours(l, m, a, centre, l->cell[k], k, first);
}

/* Of a mesh one cell thick: adds to m, whose cofactors are given, the direction without neighbours, in which the
 * gradient is then 0. */
static void add_missing(double m[3][3], double adjoint[3][3], double size)
{
    int k = 0;
    for (int i = 1; i < 3; i++) if (adjoint[i][i] > adjoint[k][k]) k = i;
    const double *n = adjoint[k], nn = dot(n, n);           /* they are n n^T times a number, if n has no neighbours */
    for (int i = 0; i < 3 && nn > 0; i++) for (int j = 0; j < 3; j++) m[i][j] += size * n[i] * n[j] / nn;
}

/* Inverse of sum w d d^T, w = 1 / |d|^2, by cofactors; a direction without neighbours is left out.  False: it is close
 * to singular. */
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
    double det = cofactors(m, inverse);
    if (!(l->n >= dim && det > 1e-3 * size * size * size)) {
        add_missing(m, inverse, size);
        det = cofactors(m, inverse);
    }
    for (int i = 0; i < 3; i++) for (int j = 0; j < 3; j++) inverse[i][j] /= det;
    return l->n >= dim - 1 && det > 1e-3 * size * size * size;
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

static void set_coefficients(struct layers *l, double inverse[3][3])
{
    for (int k = 0; k < l->n; k++) {
        const double *d = l->way[k];
        double dd = dot(d, d);
        for (int j = 0; j < 3; j++)
            l->coefficient[k][j] = (inverse[j][0] * d[0] + inverse[j][1] * d[1] + inverse[j][2] * d[2]) / dd;
    }
}

/* Rows of a matrix from numbers at columns to gradients. */
struct rows {
    int32_t *start, *column, room;
    double (*coefficient)[3];
};

static void append(struct rows *r, int32_t row, int32_t column, const double *coefficient, double factor)
{
    int32_t at = r->start[row + 1]++;
    if (at == r->room) {
        r->room = 2 * (r->room + MOST);
        RESIZE(r->column, r->room), RESIZE(r->coefficient, r->room);
    }
    r->column[at] = column;
    for (int j = 0; j < 3; j++) r->coefficient[at][j] = factor * coefficient[j];
}

/* Appends one row to both matrices.  Links of the second layer, which come last, share the coefficient of the neighbour
 * to which they lead, and add their share to the neighbour from which they come. */
static void append_row(struct rows *pressure, struct rows *force, int32_t row, struct layers *l)
{
    pressure->start[row + 1] = pressure->start[row], force->start[row + 1] = force->start[row];
    for (int k = 0; k < l->n; k++) append(pressure, row, l->cell[k], l->coefficient[k], 1);
    for (int k = l->n_links - 1; k >= 0; k--) {
        const struct link *link = &l->link[k];
        const double *shared = l->coefficient[link->to], part = 1.0 / l->links_to[link->to];
        append(force, row, abs(link->code) - 1, shared, link->code > 0 ? part : -part);
        for (int j = 0; j < 3 && link->from >= 0; j++) l->coefficient[link->from][j] += part * shared[j];
    }
}

static const void *upload(const void *from, size_t bytes) { return device_copy_of(from, bytes, "wall gradients"); }

/* The coefficients by component. */
static const double *upload_coefficients(const struct rows *r, int dim, int32_t n)
{
    double *by_component;
    NEW(by_component, (int64_t)dim * n);
    for (int j = 0; j < dim; j++)
        for (int32_t k = 0; k < n; k++) by_component[(int64_t)j * n + k] = r->coefficient[k][j];
    const double *on_device = upload(by_component, (size_t)dim * (size_t)n * sizeof *by_component);
    free(by_component);
    return on_device;
}

static void free_rows(struct rows *r) { free(r->start), free(r->column), free(r->coefficient); }

void wall_stencil_create(struct boundary *b, const struct mesh *m, const uint8_t *rule)
{
    struct adjacency a;
    struct layers *l;
    struct rows pressure = {0}, force = {0};
    int32_t n_cells, n = 0, *place;
    bool *steep;
    NEW(steep, m->n_all), NEW(l, 1);
    b->n_steep = (int32_t)count_over_ranks(mesh_steep(m, steep));
    int32_t *cell = wall_cells(m, rule, steep, &place, &n_cells);
    mesh_adjacency(m, &a.start, &a.column, &a.face);
    NEW(pressure.start, n_cells + 1), NEW(force.start, n_cells + 1);
    for (int32_t i = 0; i < n_cells; i++) {
        double inverse[3][3];
        add_layers(l, m, &a, cell[i]);
        if (!invert(l, m->dim, inverse)) continue;
        set_coefficients(l, inverse);
        append_row(&pressure, &force, n, l);
        place[n++] = place[i];
    }
    const int32_t entries = pressure.start[n], links = force.start[n];
    b->n_wall_cells = n;
    b->wall_cell = upload(place, (size_t)n * sizeof *place);
    b->wall_start = upload(pressure.start, ((size_t)n + 1) * sizeof *pressure.start);
    b->wall_neighbour = upload(pressure.column, (size_t)entries * sizeof *pressure.column);
    b->wall_coefficient = upload_coefficients(&pressure, m->dim, entries);
    b->wall_force_start = upload(force.start, ((size_t)n + 1) * sizeof *force.start);
    b->wall_face = upload(force.column, (size_t)links * sizeof *force.column);
    b->wall_force = upload_coefficients(&force, m->dim, links);
    free(a.start), free(a.column), free(a.face), free(steep), free(cell), free(place), free(l);
    free_rows(&pressure), free_rows(&force);
}
