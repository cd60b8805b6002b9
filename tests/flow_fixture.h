/* flow_fixture.h: boxes of every kind of cell, and a flow in them, for tests of assembly and flow. */
#ifndef FLOW_FIXTURE_H
#define FLOW_FIXTURE_H
#include <math.h>
#include <unistd.h>
#include "test.h"
#include "run/case_settings.h"
#include "run/report.h"
#include "flow/simple.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"
#include "mesh/mesh.h"

enum grid { GRID_QUADS, GRID_TRIANGLES, GRID_MIXED_2D, GRID_HEXAHEDRA, GRID_TETRAHEDRA, GRID_PRISMS, GRID_PYRAMIDS,
            GRID_MIXED_3D };
static const char *const grid_name[] = {"quads", "triangles", "tri+quad", "hexahedra", "tetrahedra", "prisms",
                                        "pyramids", "hex+pyramid+prism"};
static inline int grid_dim(enum grid kind) { return kind <= GRID_MIXED_2D ? 2 : 3; }

struct grid_builder { struct mesh *m; int64_t length; };

static inline void grid_cell(struct grid_builder *g, enum cell_type type, const int32_t *h, int n, const int *corner)
{
    struct mesh *m = g->m;
    m->cell_type[m->n_cells++] = (uint8_t)type;
    for (int i = 0; i < n; i++) m->cell_vertex[g->length++] = h[corner[i]];
    m->cell_start[m->n_cells] = g->length;
}

/* One cell of the box, corners h, as cells of the kind; `middle`: the common vertex of pyramids. */
static inline void grid_split(struct grid_builder *g, enum grid kind, const int32_t *h, int turn)
{
    static const int triangles[4][3] = {{0, 1, 2}, {0, 2, 3}, {0, 1, 3}, {1, 2, 3}}, ring[7] = {1, 2, 3, 7, 4, 5, 1};
    static const int all[8] = {0, 1, 2, 3, 4, 5, 6, 7};
    if (kind == GRID_QUADS) grid_cell(g, CELL_QUADRILATERAL, h, 4, all);
    if (kind == GRID_HEXAHEDRA) grid_cell(g, CELL_HEXAHEDRON, h, 8, all);
    for (int i = 0; i < 2 && kind == GRID_TRIANGLES; i++) grid_cell(g, CELL_TRIANGLE, h, 3, triangles[2 * turn + i]);
    for (int i = 0; i < 2 && kind == GRID_PRISMS; i++) {
        const int *t = triangles[2 * turn + i];
        grid_cell(g, CELL_PRISM, h, 6, (int[]){t[0], t[1], t[2], t[0] + 4, t[1] + 4, t[2] + 4});
    }
    for (int i = 0; i < 6 && kind == GRID_TETRAHEDRA; i++)
        grid_cell(g, CELL_TETRAHEDRON, h, 4, (int[]){0, ring[i], ring[i + 1], 6});
    for (int i = 0; i < 6 && kind == GRID_PYRAMIDS; i++) {
        const int8_t *v = cell_shape[CELL_HEXAHEDRON].face[i];
        grid_cell(g, CELL_PYRAMID, h, 5, (int[]){v[0], v[3], v[2], v[1], 8});
    }
}

/* Marks boundary faces again: a face is on a side if all its vertices are. */
static inline void grid_mark(struct mesh *m, const struct box_setting *box)
{
    m->n_marked = 0;
    for (int32_t c = 0; c < m->n_cells; c++)
        for (int l = 0; l < cell_shape[m->cell_type[c]].n_faces; l++) {
            double corner[4][3];
            int32_t v[4];
            int n = cell_face(m, c, l, corner, v);
            for (int p = 0; p < 2 * m->dim; p++) {
                int on = 0;
                for (int i = 0; i < n; i++) on += corner[i][p / 2] == (p % 2 ? box->to : box->from)[p / 2];
                if (on == n) mesh_mark(m, p, v, n);
            }
        }
}

/* Splits the cells of a box into those of the kind.  Mixed: columns of one kind after the other. */
static inline void grid_mesh(struct mesh *m, enum grid kind, const struct box_setting *box)
{
    static const enum grid columns[] = {GRID_HEXAHEDRA, GRID_PYRAMIDS, GRID_PRISMS};
    mesh_box(m, box);
    if (kind == GRID_QUADS || kind == GRID_HEXAHEDRA) return;
    int corners = m->dim == 2 ? 4 : 8;
    int32_t n = m->n_cells, *box_vertex = m->cell_vertex, nx = box->cells[0];
    struct grid_builder g = {m, 0};
    RESIZE(m->cell_type, 6 * (int64_t)n), RESIZE(m->cell_start, 6 * (int64_t)n + 1),
        NEW(m->cell_vertex, 30 * (int64_t)n);
    RESIZE(m->vertex, 3 * ((int64_t)m->n_vertices + n));
    m->n_cells = 0;
    for (int32_t c = 0; c < n; c++) {
        int32_t h[9], i = c % nx, j = c / nx % box->cells[1];
        enum grid as = kind == GRID_MIXED_3D   ? columns[3 * i / nx]
                       : kind != GRID_MIXED_2D ? kind
                       : 2 * i < nx            ? GRID_QUADS
                                               : GRID_TRIANGLES;
        memcpy(h, box_vertex + (int64_t)corners * c, (size_t)corners * sizeof *h);
        if (as == GRID_PYRAMIDS) {
            double *middle = m->vertex + 3 * (int64_t)(h[8] = m->n_vertices++);
            for (int k = 0; k < 3; k++) middle[k] = 0;
            for (int k = 0; k < 24; k++) middle[k % 3] += m->vertex[3 * (int64_t)h[k / 3] + k % 3] / 8;
        }
        grid_split(&g, as, h, (i + j) % 2);
    }
    free(box_vertex);
    RESIZE(m->cell_region, m->n_cells);
    memset(m->cell_region, 0, (size_t)m->n_cells * sizeof *m->cell_region);
    grid_mark(m, box);
}

static inline struct box_setting grid_box(enum grid kind, int n, double distortion)
{
    return (struct box_setting){.given = true, .dim = grid_dim(kind), .cells = {n, n, n}, .to = {1, 1, 1},
                                .stretch = {1, 1, 1}, .distortion = distortion};
}

/* Reads a case from a text. */
static inline void case_of_text(struct case_settings *c, const char *text)
{
    char path[] = "/tmp/poise-test-XXXXXX.cfg";
    struct error e;
    int file = mkstemps(path, 4);
    assert_true(file >= 0);
    assert_int_equal(write(file, text, strlen(text)), strlen(text));
    close(file);
    bool good = case_read(c, path, NULL, 0, &e);
    unlink(path);
    if (!good) fail_msg("%s", e.text);
}

/* A steady flow; f: its fields. */
struct trial { struct case_settings c; struct mesh m; struct simple simple; struct flow *f; };

/* A flow in the mesh w->m, which is complete.  text: the case without its mesh. */
static inline void trial_start(struct trial *w, const char *text)
{
    char whole[4096];
    struct error e;
    snprintf(whole, sizeof whole, "mesh = { box = { cells = [1, 1]; }; };\n%s", text);
    case_of_text(&w->c, whole);
    if (!simple_create(&w->simple, &w->c.flow, &w->m, &e)) fail_msg("%s", e.text);
    w->f = &w->simple.f;
}

/* A flow in such a box.  left_to_right: these two are joined. */
static inline void trial_open(struct trial *w, enum grid kind, const struct box_setting *box, bool left_to_right,
                              const char *text)
{
    struct error e;
    grid_mesh(&w->m, kind, box);
    if (!mesh_complete(&w->m, ORDERING_HILBERT, (int[]){0, 1}, left_to_right, &e)) fail_msg("%s", e.text);
    trial_start(w, text);
}

static inline void trial_close(struct trial *w)
{
    simple_free(&w->simple);
    mesh_free(&w->m);
    case_free(&w->c);
}

/* Iterates to the case's tolerance; returns the number of iterations, or -1 if they did not suffice. */
static inline int trial_converge(struct trial *w)
{
    struct simple_report r;
    for (int i = 1; i <= w->c.flow.solver.max_iterations; i++) {
        simple_iterate(&w->simple, &r);
        if (worst_residual(w->f, &r) < w->c.flow.solver.tolerance) return i;
    }
    return -1;
}

/* The same for uniform pressure, whose residual has no scale: by velocity and continuity. */
static inline int trial_settle(struct trial *w)
{
    struct simple_report r;
    for (int i = 1; i <= w->c.flow.solver.max_iterations; i++) {
        double worst = 0;
        simple_iterate(&w->simple, &r);
        for (int k = 0; k < w->m.dim; k++) worst = fmax(worst, r.residual[k]);
        if (worst < w->c.flow.solver.tolerance && r.continuity < w->c.flow.solver.tolerance) return i;
    }
    return -1;
}
#endif
