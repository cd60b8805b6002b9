/* Generates box meshes (mesh.h). */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/random.h"
#include "mesh/cell_shape.h"
#include "mesh/cells.h"

/* Coordinates of the n + 1 grid lines.  Widths grow by a constant factor from both ends to the middle; the two halves
 * mirror each other bit by bit. */
static double *grid_lines(int n, double from, double to, double stretch)
{
    double *x, sum, width = 1, factor = n > 2 ? pow(stretch, 1.0 / ((n - 1) / 2)) : 1;
    NEW(x, n + 1);
    for (int i = 0; i < n; i++) {                       /* x[i + 1] = sum of the widths so far, up to the middle */
        if (2 * i < n) x[i + 1] = x[i] + width * (2 * i + 1 == n ? 0.5 : 1);
        if (2 * (i + 1) < n) width *= factor;
    }
    sum = 2 * x[(n + 1) / 2];
    double length = to - from;
    for (int i = 0; 2 * i < n; i++) {
        double share = x[i] / sum;
        x[i] = from + share * length, x[n - i] = to - share * length;
    }
    if (n % 2 == 0) x[n / 2] = from + 0.5 * length;
    return x;
}

static void place_vertices(struct mesh *m, const struct box_setting *b, const int n[3])
{
    double *line[3] = {NULL, NULL, NULL};
    for (int k = 0; k < m->dim; k++) line[k] = grid_lines(n[k], b->from[k], b->to[k], b->stretch[k]);
    int layers = m->dim == 3 ? n[2] + 1 : 1;
    #pragma omp parallel for schedule(static)
    for (int k = 0; k < layers; k++)
        for (int j = 0; j <= n[1]; j++)
            for (int i = 0; i <= n[0]; i++) {
                int at[3] = {i, j, k};
                int64_t v = ((int64_t)k * (n[1] + 1) + j) * (n[0] + 1) + i;
                bool inside = true;
                for (int a = 0; a < m->dim; a++) inside &= at[a] > 0 && at[a] < n[a];
                for (int a = 0; a < m->dim; a++) m->vertex[3 * v + a] = line[a][at[a]];
                for (int a = 0; a < m->dim && inside; a++) {
                    const double *x = line[a] + at[a], width = fmin(x[1] - x[0], x[0] - x[-1]);
                    m->vertex[3 * v + a] += b->distortion * width * random_number((uint64_t)(3 * v + a));
                }
            }
    for (int k = 0; k < 3; k++) free(line[k]);
}

static void connect_cells(struct mesh *m, const int n[3])
{
    int corners = m->dim == 2 ? 4 : 8;
    int32_t row = n[0] + 1, layer = row * (n[1] + 1);
    const int32_t corner[8] = {0, 1, row + 1, row, layer, layer + 1, layer + row + 1, layer + row};
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < m->n_cells; c++) {
        int i = c % n[0], j = c / n[0] % n[1], k = c / n[0] / n[1];
        m->cell_type[c] = m->dim == 2 ? CELL_QUADRILATERAL : CELL_HEXAHEDRON;
        m->cell_start[c + 1] = (int64_t)corners * (c + 1);
        int32_t first = k * layer + j * row + i;
        for (int v = 0; v < corners; v++) m->cell_vertex[(int64_t)corners * c + v] = first + corner[v];
    }
}

/* Patch 2a is at the low end of axis a (0, 1, 2), patch 2a + 1 at its high end. */
static void mark_boundaries(struct mesh *m, const int n[3])
{
    static const char *const names[] = {"left", "right", "bottom", "top", "back", "front"};
    static const int local2[] = {3, 1, 0, 2}, local3[] = {5, 3, 2, 4, 0, 1};
    for (int p = 0; p < m->n_patches; p++) {
        int a = p / 2, from[3] = {0}, to[3] = {n[0] - 1, n[1] - 1, n[2] - 1};
        strcpy(m->patch[p].name, names[p]);
        from[a] = to[a] = p % 2 ? n[a] - 1 : 0;
        for (int k = from[2]; k <= to[2]; k++)
            for (int j = from[1]; j <= to[1]; j++)
                for (int i = from[0]; i <= to[0]; i++) {
                    double corner[4][3];
                    int32_t v[4], c = (k * n[1] + j) * n[0] + i;
                    mesh_mark(m, p, v, cell_face(m, c, m->dim == 2 ? local2[p] : local3[p], corner, v));
                }
    }
}

void mesh_box(struct mesh *m, const struct box_setting *b)
{
    int n[3] = {b->cells[0], b->cells[1], b->dim == 3 ? b->cells[2] : 1};
    if (box_faces(b) > INT32_MAX) die("box of %d x %d x %d cells", n[0], n[1], n[2]);
    *m = (struct mesh){.dim = b->dim, .n_regions = 1, .n_patches = 2 * b->dim};
    strcpy(m->source, "box");
    m->n_cells = n[0] * n[1] * n[2];
    m->n_vertices = (n[0] + 1) * (n[1] + 1) * (b->dim == 3 ? n[2] + 1 : 1);
    NEW(m->vertex, 3 * (int64_t)m->n_vertices), NEW(m->cell_type, m->n_cells), NEW(m->cell_start, m->n_cells + 1);
    NEW(m->cell_vertex, (b->dim == 2 ? 4 : 8) * (int64_t)m->n_cells), NEW(m->cell_region, m->n_cells);
    NEW(m->region, 1), NEW(m->patch, m->n_patches);
    strcpy(m->region[0], "fluid");
    place_vertices(m, b, n);
    connect_cells(m, n);
    mark_boundaries(m, n);
}

bool mesh_box_open(struct mesh *m, const char *text, struct error *e)
{
    bool distorted = !strncmp(text, "distorted:", 10);
    struct box_setting box = {.given = true, .to = {1, 1, 1}, .stretch = {1, 1, 1}, .distortion = distorted ? 0.3 : 0};
    const char *at = strchr(text, ':') + 1;
    while (box.dim < 3) {
        char *end;
        long n = strtol(at, &end, 10);
        if (end == at || n < 1 || n > INT32_MAX) break;
        box.cells[box.dim++] = (int)n;
        at = end;
        if (*at != ',') break;
        at++;
    }
    if (*at || box.dim < 2 || at[-1] == ',')
        return refuse(e, EXIT_INPUT, "%s: expected two or three cell counts, box:64,64 or box:64,64,64", text);
    if (box_faces(&box) > INT32_MAX)
        return refuse(e, EXIT_INPUT, "%s: too many cells: Poise counts the faces of all cells in 32 bits", text);
    mesh_box(m, &box);
    snprintf(m->source, sizeof m->source, "%s", text);
    return true;
}
