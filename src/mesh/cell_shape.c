/* The table of cell shapes, and the faces that follow from a cell's shape. */
#include "mesh/cell_shape.h"
#include <math.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/cells.h"

const struct cell_shape cell_shape[10] = {
    [CELL_TRIANGLE] = {"triangle", "triangles", 2, 3, 3, {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 0, -1, -1}}},
    [CELL_QUADRILATERAL] = {"quadrilateral", "quadrilaterals", 2, 4, 4,
                            {{0, 1, -1, -1}, {1, 2, -1, -1}, {2, 3, -1, -1}, {3, 0, -1, -1}}},
    [CELL_TETRAHEDRON] = {"tetrahedron", "tetrahedra", 3, 4, 4,
                          {{0, 2, 1, -1}, {0, 1, 3, -1}, {0, 3, 2, -1}, {1, 2, 3, -1}}},
    [CELL_PYRAMID] = {"pyramid", "pyramids", 3, 5, 5,
                      {{0, 3, 2, 1}, {0, 1, 4, -1}, {1, 2, 4, -1}, {2, 3, 4, -1}, {3, 0, 4, -1}}},
    [CELL_PRISM] = {"prism", "prisms", 3, 6, 5,
                    {{0, 2, 1, -1}, {3, 4, 5, -1}, {0, 1, 4, 3}, {1, 2, 5, 4}, {2, 0, 3, 5}}},
    [CELL_HEXAHEDRON] = {"hexahedron", "hexahedra", 3, 8, 6,
                         {{0, 3, 2, 1}, {4, 5, 6, 7}, {0, 1, 5, 4}, {1, 2, 6, 5}, {2, 3, 7, 6}, {3, 0, 4, 7}}},
};

int cell_face(const struct mesh *m, int32_t cell, int local, double corner[4][3], int32_t vertex[4])
{
    const int8_t *face = cell_shape[m->cell_type[cell]].face[local];
    const int32_t *v = m->cell_vertex + m->cell_start[cell];
    int n = 0;
    for (; n < 4 && face[n] >= 0; n++) {
        memcpy(corner[n], m->vertex + 3 * (int64_t)v[face[n]], 3 * sizeof(double));
        if (vertex) vertex[n] = v[face[n]];
    }
    return n;
}

const char *cell_name(const struct mesh *m, int32_t cell) { return cell_shape[m->cell_type[cell]].name; }

void mesh_count_shapes(const struct mesh *m, void (*say)(const char *plural, int32_t count))
{
    int32_t count[sizeof cell_shape / sizeof *cell_shape] = {0};
    for (int32_t c = 0; c < m->n_cells; c++) count[m->cell_type[c]]++;
    for (int t = CELL_TRIANGLE; t <= CELL_HEXAHEDRON; t++) if (count[t]) say(cell_shape[t].plural, count[t]);
}

double cell_signed_volume(const struct mesh *m, int32_t cell, double *extent)
{
    double volume = 0, middle[3];
    cell_middle(m, cell, middle);
    *extent = 0;
    for (int l = 0; l < cell_shape[m->cell_type[cell]].n_faces; l++) {
        double corner[4][3], area[3], centre[3];
        int32_t vertex[4];
        const struct ring ring = {vertex, cell_face(m, cell, l, corner, vertex), 0, 1};
        for (int i = 0; i < ring.n; i++)
            for (int k = 0; k < m->dim; k++) *extent = fmax(*extent, fabs(corner[i][k] - middle[k]));
        face_measure(m, &ring, area, centre);
        for (int k = 0; k < m->dim; k++) volume += area[k] * (centre[k] - middle[k]) / m->dim;
    }
    return volume;
}

bool halves_create(struct halves *h, struct mesh *m, struct error *e)
{
    int64_t n = 0, length = 0;
    int size[sizeof cell_shape / sizeof *cell_shape] = {0}, most = 1;           /* vertices of all faces */
    for (int t = CELL_TRIANGLE; t <= CELL_HEXAHEDRON; t++)
        for (int k = 0; k < 4 * cell_shape[t].n_faces; k++) size[t] += cell_shape[t].face[k / 4][k % 4] >= 0;
    NEW(m->cell_face_start, m->n_cells + (int64_t)1);
    for (int32_t c = 0; c < m->n_cells; c++) {
        const struct cell_shape *shape = &cell_shape[m->cell_type[c]];
        most = shape->n_faces > most ? shape->n_faces : most;
        m->cell_face_start[c + 1] = n += shape->n_faces, length += size[m->cell_type[c]];
    }
    if (n + m->n_marked > INT32_MAX)
        return refuse(e, EXIT_RESOURCE, "%s: %d cells are too many: Poise counts their faces in 32 bits, which is "
                      "enough for %d such cells", m->source, m->n_cells, INT32_MAX / most);
    h->n = (int32_t)n;
    NEW(h->start, n + 1), NEW(h->vertex, length), NEW(h->cell, n);
    length = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        const struct cell_shape *shape = &cell_shape[m->cell_type[c]];
        const int32_t *vertex = m->cell_vertex + m->cell_start[c];
        for (int l = 0; l < shape->n_faces; l++) {
            int64_t k = m->cell_face_start[c] + l;
            for (int i = 0; i < 4 && shape->face[l][i] >= 0; i++) h->vertex[length++] = vertex[shape->face[l][i]];
            h->cell[k] = c, h->start[k + 1] = length;
        }
    }
    return true;
}
