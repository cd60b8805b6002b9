/* mesh_fixture.h: small meshes built by hand, for tests of the mesh. */
#ifndef MESH_FIXTURE_H
#define MESH_FIXTURE_H
#include <math.h>
#include "test.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"

/* Vertices as x y z triples, cells as {type, vertices ...} one after another; one region, no boundary yet. */
static inline void build_mesh(struct mesh *m, int dim, const double *x, int n_vertices, const int *cells, int n_cells)
{
    int64_t length = 0;
    *m = (struct mesh){.dim = dim, .n_vertices = n_vertices, .n_cells = n_cells, .n_regions = 1};
    strcpy(m->source, "hand.msh");
    NEW(m->vertex, 3 * n_vertices), NEW(m->cell_type, n_cells), NEW(m->cell_start, n_cells + 1);
    NEW(m->cell_region, n_cells), NEW(m->cell_vertex, 8 * n_cells), NEW(m->region, 1);
    strcpy(m->region[0], "fluid");
    memcpy(m->vertex, x, 3 * (size_t)n_vertices * sizeof *x);
    for (int c = 0; c < n_cells; c++) {
        m->cell_type[c] = (uint8_t)*cells;
        for (int n = cell_shape[*cells++].n_vertices; n > 0; n--) m->cell_vertex[length++] = *cells++;
        m->cell_start[c + 1] = length;
    }
}

static inline void add_patch(struct mesh *m, const char *name)
{
    RESIZE(m->patch, m->n_patches + 1);
    m->patch[m->n_patches] = (struct patch){.count = 0};
    snprintf(m->patch[m->n_patches++].name, NAME_LENGTH, "%s", name);
}

static inline void mark(struct mesh *m, int patch, const int32_t vertex[4])
{
    mesh_mark(m, patch, vertex, vertex[2] < 0 ? 2 : vertex[3] < 0 ? 3 : 4);
}

static inline bool same_face(const int32_t a[4], const int32_t b[4])
{
    for (int i = 0; i < 4; i++) {
        bool there = false;
        for (int j = 0; j < 4; j++) there |= a[i] == b[j];
        if (!there) return false;
    }
    return true;
}

/* Puts all faces that belong to only one cell into one patch "rim", by comparing every face with every other. */
static inline void mark_rim(struct mesh *m)
{
    add_patch(m, "rim");
    for (int c = 0; c < m->n_cells; c++)
        for (int l = 0; l < cell_shape[m->cell_type[c]].n_faces; l++) {
            double corner[4][3];
            int32_t v[4] = {-1, -1, -1, -1};
            int found = 0;
            cell_face(m, c, l, corner, v);
            for (int d = 0; d < m->n_cells; d++)
                for (int k = 0; k < cell_shape[m->cell_type[d]].n_faces; k++) {
                    int32_t u[4] = {-1, -1, -1, -1};
                    cell_face(m, d, k, corner, u);
                    found += same_face(v, u) && same_face(u, v);
                }
            if (found == 1) mark(m, m->n_patches - 1, v);
        }
}

static inline struct box_setting box_of(int dim, int nx, int ny, int nz)
{
    return (struct box_setting){.given = true, .dim = dim, .cells = {nx, ny, nz}, .to = {1, 1, 1},
                                .stretch = {1, 1, 1}};
}

static inline void complete(struct mesh *m, enum ordering ordering)
{
    struct error e;
    if (!mesh_complete(m, ordering, NULL, 0, &e)) fail_msg("%s", e.text);
}

/* Invariants of every complete mesh: closed cells, face order, vectors that agree with the centres. */
static inline void check_mesh(const struct mesh *m)
{
    double *sum, *size;
    NEW(sum, m->dim * m->n_cells), NEW(size, m->n_cells);
    for (int f = 0; f < m->n_faces; f++) {
        int o = m->face_owner[f], n = f < m->n_internal ? m->face_neighbour[f] : -1;
        double ad = 0, area = 0;
        for (int k = 0; k < m->dim; k++) {
            double a = m->face_area[k * m->n_faces + f];
            sum[k * m->n_cells + o] += a;
            if (n >= 0) sum[k * m->n_cells + n] -= a;
            ad += a * m->face_d[k * m->n_faces + f], area += a * a;
        }
        assert_true(ad > 0);
        size[o] += sqrt(area);
        if (n < 0) continue;
        size[n] += sqrt(area);
        assert_true(o < n);
        if (f == 0) continue;
        assert_true(m->face_owner[f - 1] < o || (m->face_owner[f - 1] == o && m->face_neighbour[f - 1] <= n));
    }
    for (int k = 0; k < m->dim; k++)
        for (int c = 0; c < m->n_cells; c++) assert_true(fabs(sum[k * m->n_cells + c]) <= 1e-13 * size[c]);
    int at = m->n_internal;
    for (int p = 0; p < m->n_patches; at += m->patch[p++].count) assert_int_equal(m->patch[p].first, at);
    assert_int_equal(at, m->n_faces);
    free(sum), free(size);
}

static inline double total_volume(const struct mesh *m)
{
    double sum = 0;
    for (int c = 0; c < m->n_cells; c++) sum += m->cell_volume[c];
    return sum;
}
#endif
