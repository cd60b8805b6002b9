/* sample_meshes.h: a small conforming mesh of every kind of cell, made by hand. */
#ifndef POISE_SAMPLE_MESHES_H
#define POISE_SAMPLE_MESHES_H
#include <string.h>
#include "base/memory.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"
#include "mesh/mesh.h"

enum sample { SAMPLE_TRIANGLES, SAMPLE_QUADRILATERALS, SAMPLE_MIXED_2D, SAMPLE_TETRAHEDRA, SAMPLE_HEXAHEDRA,
              SAMPLE_PRISMS, SAMPLE_PYRAMIDS, SAMPLE_MIXED_3D, N_SAMPLES };
static const char *const sample_name[N_SAMPLES] = {"triangles", "quadrilaterals", "mixed2d", "tetrahedra", "hexahedra",
                                                   "prisms", "pyramids", "mixed3d"};
enum { SAMPLE_NX = 4, SAMPLE_NY = 3, SAMPLE_NZ = 2 };

static void sample_cell(struct mesh *m, enum cell_type type, const int32_t *vertex)
{
    int n = cell_shape[type].n_vertices;
    int64_t end = m->n_cells ? m->cell_start[m->n_cells] : 0;
    RESIZE(m->cell_type, m->n_cells + 1), RESIZE(m->cell_start, m->n_cells + 2), RESIZE(m->cell_vertex, end + n);
    m->cell_start[0] = 0;
    m->cell_type[m->n_cells] = (uint8_t)type;
    memcpy(m->cell_vertex + end, vertex, (size_t)n * sizeof *vertex);
    m->cell_start[++m->n_cells] = end + n;
}

static int32_t sample_vertex(struct mesh *m, double x, double y, double z)
{
    RESIZE(m->vertex, 3 * (m->n_vertices + 1));
    memcpy(m->vertex + 3 * m->n_vertices, (double[]){x, y, z}, 3 * sizeof(double));
    return m->n_vertices++;
}

static void sample_square(struct mesh *m, enum sample kind, int i, const int32_t q[4])
{
    bool whole = kind == SAMPLE_QUADRILATERALS || (kind == SAMPLE_MIXED_2D && i % 2);
    if (whole) return sample_cell(m, CELL_QUADRILATERAL, q);
    sample_cell(m, CELL_TRIANGLE, (int32_t[]){q[0], q[1], q[2]});
    sample_cell(m, CELL_TRIANGLE, (int32_t[]){q[0], q[2], q[3]});
}

/* The cube of hexahedron h as tetrahedra around its diagonal 0-6, pyramids around its middle, prisms, or unchanged. */
static void sample_cube(struct mesh *m, enum sample kind, const int32_t h[8])
{
    static const int ring[7] = {1, 2, 3, 7, 4, 5, 1};
    if (kind == SAMPLE_HEXAHEDRA) sample_cell(m, CELL_HEXAHEDRON, h);
    if (kind == SAMPLE_PRISMS) {
        sample_cell(m, CELL_PRISM, (int32_t[]){h[0], h[1], h[2], h[4], h[5], h[6]});
        sample_cell(m, CELL_PRISM, (int32_t[]){h[0], h[2], h[3], h[4], h[6], h[7]});
    }
    for (int k = 0; k < 6 && kind == SAMPLE_TETRAHEDRA; k++)
        sample_cell(m, CELL_TETRAHEDRON, (int32_t[]){h[0], h[ring[k]], h[ring[k + 1]], h[6]});
    if (kind != SAMPLE_PYRAMIDS) return;
    double c[3] = {0};
    for (int k = 0; k < 24; k++) c[k % 3] += m->vertex[3 * h[k / 3] + k % 3] / 8;
    int32_t middle = sample_vertex(m, c[0], c[1], c[2]);
    for (int f = 0; f < 6; f++) {
        const int8_t *v = cell_shape[CELL_HEXAHEDRON].face[f];
        sample_cell(m, CELL_PYRAMID, (int32_t[]){h[v[0]], h[v[3]], h[v[2]], h[v[1]], middle});
    }
}

/* Columns of hexahedra, pyramids, prisms, prisms; a roof of tetrahedra on the first prisms. */
static void sample_mixed_cube(struct mesh *m, int i, int j, int k, const int32_t h[8])
{
    static const enum sample column[SAMPLE_NX] = {SAMPLE_HEXAHEDRA, SAMPLE_PYRAMIDS, SAMPLE_PRISMS, SAMPLE_PRISMS};
    sample_cube(m, column[i], h);
    if (i != 2 || j || k != SAMPLE_NZ - 1) return;
    int32_t top = sample_vertex(m, 2.5, 0.5, SAMPLE_NZ + 0.75);
    sample_cell(m, CELL_TETRAHEDRON, (int32_t[]){h[4], h[5], h[6], top});
    sample_cell(m, CELL_TETRAHEDRON, (int32_t[]){h[4], h[6], h[7], top});
}

static bool sample_same_face(const int32_t a[4], const int32_t b[4], int n)
{
    for (int i = 0; i < n; i++) {
        int j = 0;
        while (j < n && a[i] != b[j]) j++;
        if (j == n) return false;
    }
    return true;
}

/* Puts every face that belongs to only one cell into the patch "walls". */
static void sample_mark_boundary(struct mesh *m)
{
    int32_t (*face)[4] = NULL;
    int n = 0;
    for (int32_t c = 0; c < m->n_cells; c++)
        for (int f = 0; f < cell_shape[m->cell_type[c]].n_faces; f++) {
            double corner[4][3];
            RESIZE(face, n + 1);
            memset(face[n], -1, sizeof *face);
            cell_face(m, c, f, corner, face[n++]);
        }
    for (int i = 0; i < n; i++) {
        int size = face[i][2] < 0 ? 2 : face[i][3] < 0 ? 3 : 4, twins = 0;
        for (int j = 0; j < n; j++)
            twins += (face[i][3] < 0) == (face[j][3] < 0) && sample_same_face(face[i], face[j], size);
        if (twins > 1) continue;
        mesh_mark(m, 0, face[i], size);
    }
    free(face);
}

/* In the file's numbering; the caller calls mesh_complete(). */
static void sample_mesh(struct mesh *m, enum sample kind)
{
    enum { LINE = SAMPLE_NX + 1, PLANE = LINE * (SAMPLE_NY + 1) };
    *m = (struct mesh){.dim = kind <= SAMPLE_MIXED_2D ? 2 : 3, .source = "sample"};
    for (int k = 0; k <= (m->dim == 3 ? SAMPLE_NZ : 0); k++)
        for (int j = 0; j <= SAMPLE_NY; j++)
            for (int i = 0; i <= SAMPLE_NX; i++) sample_vertex(m, i, j, k);
    for (int k = 0; k < (m->dim == 3 ? SAMPLE_NZ : 1); k++)
        for (int j = 0; j < SAMPLE_NY; j++)
            for (int i = 0; i < SAMPLE_NX; i++) {
                int32_t o = k * PLANE + j * LINE + i, u = o + PLANE;
                const int32_t h[8] = {o, o + 1, o + LINE + 1, o + LINE, u, u + 1, u + LINE + 1, u + LINE};
                if (m->dim == 2) sample_square(m, kind, i, h);
                else if (kind == SAMPLE_MIXED_3D) sample_mixed_cube(m, i, j, k, h);
                else sample_cube(m, kind, h);
            }
    NEW(m->cell_region, m->n_cells), NEW(m->region, 1), NEW(m->patch, 1);
    m->n_regions = m->n_patches = 1;
    strcpy(m->region[0], "fluid"), strcpy(m->patch[0].name, "walls");
    sample_mark_boundary(m);
}
#endif
