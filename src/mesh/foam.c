/* OpenFOAM's polyMesh: converts cells given by their faces to the known shapes, and one layer of cells between `empty`
 * patches to a 2-D mesh. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/foam_file.h"
#include "mesh/foreign.h"

/* The faces of every cell: those of cell c from start[c] on. */
struct around { int64_t *start, *face; };

static struct around faces_of_cells(const struct foam *m)
{
    struct around a;
    int64_t *at;
    NEW(a.start, m->n_cells + 1), NEW(a.face, m->n_faces + m->n_internal + 1), NEW(at, m->n_cells + 1);
    for (int64_t i = 0; i < m->n_faces; i++) a.start[m->owner[i] + 1]++;
    for (int64_t i = 0; i < m->n_internal; i++) a.start[m->neighbour[i] + 1]++;
    for (int64_t c = 0; c < m->n_cells; c++) at[c + 1] = a.start[c + 1] += a.start[c];
    for (int64_t i = 0; i < m->n_faces; i++) a.face[at[m->owner[i]]++] = i;
    for (int64_t i = 0; i < m->n_internal; i++) a.face[at[m->neighbour[i]]++] = i;
    free(at);
    return a;
}

static int64_t length(const struct foam *m, int64_t face) { return m->face_start[face + 1] - m->face_start[face]; }

/* The vertices of a face seen from inside the cell (OpenFOAM: anticlockwise from outside its owner). */
static void from_inside(const struct foam *m, int64_t face, int64_t cell, int64_t *v)
{
    int64_t n = length(m, face);
    for (int64_t k = 0; k < n; k++) v[m->owner[face] == cell ? n - 1 - k : k] = m->face[m->face_start[face] + k];
}

static bool is_in(const int64_t *v, int n, int64_t x)
{
    for (int i = 0; i < n; i++) if (v[i] == x) return true;
    return false;
}

/* The vertex outside the base that an edge connects with this one; below 0: none. */
static int64_t above(const struct foam *m, const int64_t *face, int n_faces, const int64_t *base, int n, int64_t vertex)
{
    for (int i = 0; i < n_faces; i++) {
        int64_t w = length(m, face[i]);
        const int64_t *v = m->face + m->face_start[face[i]];
        for (int64_t k = 0; k < w; k++) {
            if (v[k] != vertex) continue;
            int64_t next = v[(k + 1) % w], last = v[(k + w - 1) % w];
            if (!is_in(base, n, next)) return next;
            if (!is_in(base, n, last)) return last;
        }
    }
    return -1;
}

/* VTK's number of the cell's type, with its vertices; any other shape is a polyhedron. */
static int shape_of(const struct foam *m, const struct around *a, int64_t cell, int64_t vertex[8], int *n)
{
    const int64_t *face = a->face + a->start[cell];
    int n_faces = (int)(a->start[cell + 1] - a->start[cell] < 9 ? a->start[cell + 1] - a->start[cell] : 9);
    int triangles = 0, base = 0;
    *n = 0;
    for (int i = 0; i < n_faces; i++) {
        if (length(m, face[i]) != 3 && length(m, face[i]) != 4) return VTK_POLYHEDRON;
        triangles += length(m, face[i]) == 3;
    }
    int type = n_faces == 4 && triangles == 4 ? VTK_TETRA : n_faces == 5 && triangles == 4 ? VTK_PYRAMID
             : n_faces == 5 && triangles == 2 ? VTK_WEDGE : n_faces == 6 &&
                 !triangles ? VTK_HEXAHEDRON : VTK_POLYHEDRON;
    if (type == VTK_POLYHEDRON) return type;
    int sides = type == VTK_TETRA || type == VTK_WEDGE ? 3 : 4;
    while (length(m, face[base]) != sides) base++;
    from_inside(m, face[base], cell, vertex);
    for (*n = sides; *n < foreign_nodes(type); ++*n)
        if ((vertex[*n] = above(m, face, n_faces, vertex, sides, vertex[*n - sides])) < 0) return *n = 0,
            VTK_POLYHEDRON;
    return type;
}

static bool is_empty(const struct foam_patch *p) { return !strcmp(p->type, "empty"); }

static bool check_patches(struct foreign *f, const struct foam *m, const char *path)
{
    for (int i = 0; i < m->n_patches; i++) {
        const struct foam_patch *p = &m->patch[i];
        const char *wrong = !strcmp(p->type, "wedge") ? "axisymmetric flow, which Poise does not support"
            : !strncmp(p->type, "processor", 9) ? "a part of a decomposed case; expected the whole mesh: "
                                                  "reconstructParMesh" : NULL;
        if (wrong) return refuse(f->e, EXIT_INPUT, "%s/boundary: the patch %s is of type %s: %s", path, p->name,
                                 p->type, wrong);
    }
    return true;
}

/* Index of a patch's name, set with its partner if periodic; below 0: rejected. */
static int name_of(struct foreign *f, const struct foam_patch *p)
{
    int name = foreign_name(f, p->name);
    if (name < 0 || strcmp(p->type, "cyclic") || !*p->neighbour) return name;
    int partner = foreign_name(f, p->neighbour);
    if (partner >= 0) strcpy(f->partner[name], f->names[partner]);
    return partner < 0 ? partner : name;
}

static bool take_volumes(struct foreign *f, const struct foam *m, const struct around *a)
{
    int64_t vertex[8];
    int n;
    for (int64_t c = 0; c < m->n_cells; c++) {
        int type = shape_of(m, a, c, vertex, &n);
        foreign_element(f, type, vertex, n, NAMELESS);
    }
    for (int i = 0; i < m->n_patches; i++) {
        int name = m->patch[i].n ? name_of(f, &m->patch[i]) : 0;
        if (name < 0) return false;
        for (int64_t k = m->patch[i].first; k < m->patch[i].first + m->patch[i].n; k++) {
            bool known = length(m, k) == 3 || length(m, k) == 4;
            foreign_element(f, !known ? VTK_POLYGON : length(m, k) == 3 ? VTK_TRIANGLE : VTK_QUAD,
                            m->face + m->face_start[k], known ? (int)length(m, k) : 0, name);
        }
    }
    return true;
}

/* ---------------------------------------------------------------- one layer of cells */
static void area_of(const struct foam *m, int64_t face, double area[3])
{
    const int64_t *v = m->face + m->face_start[face];
    memset(area, 0, 3 * sizeof *area);
    for (int64_t k = 2; k < length(m, face); k++)
        for (int i = 0; i < 3; i++) {
            int a = (i + 1) % 3, b = (i + 2) % 3;
            const double *x = m->point + 3 * v[0], *y = m->point + 3 * v[k - 1], *z = m->point + 3 * v[k];
            area[i] += 0.5 * ((y[a] - x[a]) * (z[b] - x[b]) - (y[b] - x[b]) * (z[a] - x[a]));
        }
}

/* The direction of the normals of empty patches. */
static int axis_of(const struct foam *m, const bool *empty)
{
    double sum[3] = {0}, area[3];
    for (int64_t i = 0; i < m->n_faces; i++)
        if (empty[i]) for (int k = (area_of(m, i, area), 0); k < 3; k++) sum[k] += fabs(area[k]);
    return sum[0] > sum[1] && sum[0] > sum[2] ? 0 : sum[1] > sum[2] ? 1 : 2;
}

/* For every cell the empty face at the low end of the axis; low: marks the points of these faces. */
static bool take_layer(struct foreign *f, const struct foam *m, const struct around *a, const bool *empty, int axis,
                       bool *low)
{
    int64_t vertex[4];
    double area[3];
    for (int64_t c = 0; c < m->n_cells; c++) {
        int64_t below = -1;
        int n_empty = 0;
        for (int64_t k = a->start[c]; k < a->start[c + 1]; k++) {
            if (!empty[a->face[k]]) continue;
            area_of(m, a->face[k], area);                       /* for a boundary face: points out of the cell */
            n_empty++;
            if (area[axis] < 0) below = a->face[k];
        }
        if (n_empty != 2 || below < 0)
            return refuse(f->e, EXIT_INPUT, "%s: cell %lld has %d faces on empty patches; expected one layer of cells, "
                          "with one such face at either end", f->m->source, (long long)c, n_empty);
        int n = (int)(length(m, below) < 5 ? length(m, below) : 5);
        if (n < 5) from_inside(m, below, c, vertex);
        foreign_element(f, n == 3 ? VTK_TRIANGLE : n == 4 ? VTK_QUAD : VTK_POLYGON, vertex, n < 5 ? n : 0, NAMELESS);
        for (int64_t k = m->face_start[below]; k < m->face_start[below + 1]; k++) low[m->face[k]] = true;
    }
    return true;
}

static bool take_rim(struct foreign *f, const struct foam *m, const bool *low)
{
    for (int i = 0; i < m->n_patches; i++) {
        const struct foam_patch *p = &m->patch[i];
        int name = is_empty(p) || !p->n ? 0 : name_of(f, p);
        if (name < 0) return false;
        for (int64_t k = p->first; !is_empty(p) && k < p->first + p->n; k++) {
            int64_t end[2] = {-1, -1};
            int n = 0;
            for (int64_t j = m->face_start[k]; j < m->face_start[k + 1]; j++)
                if (low[m->face[j]]) end[n++ ? 1 : 0] = m->face[j];
            if (n != 2)
                return refuse(f->e, EXIT_INPUT, "%s: face %lld of the patch %s has %d points on the empty patches' one "
                              "side; expected 2", f->m->source, (long long)k, p->name, n);
            foreign_element(f, VTK_LINE, end, 2, name);
        }
    }
    return true;
}

static bool take_flat(struct foreign *f, const struct foam *m, const struct around *a, const bool *empty)
{
    int axis = axis_of(m, empty), x = axis == 0 ? 1 : 0, y = axis == 2 ? 1 : 2;
    bool *low;
    NEW(low, m->n_points);
    bool good = take_layer(f, m, a, empty, axis, low) && take_rim(f, m, low);
    for (int64_t v = 0; v < m->n_points; v++) {
        double point[2] = {m->point[3 * v + x], m->point[3 * v + y]};
        memcpy(f->m->vertex + 3 * v, (double[]){point[0], point[1], 0}, 3 * sizeof(double));
    }
    f->strays_expected = true;
    free(low);
    return good;
}

bool foam_read(struct foreign *f, const char *path)
{
    struct foam m;
    bool any = false, *empty, good = foam_load(&m, path, f->e) && check_patches(f, &m, path);
    double *x = good ? foreign_vertices(f, m.n_points) : NULL;
    if (!x) return foam_free(&m), false;
    memcpy(x, m.point, 3 * (size_t)m.n_points * sizeof *x);
    struct around a = faces_of_cells(&m);
    NEW(empty, m.n_faces);
    for (int i = 0; i < m.n_patches; i++)
        for (int64_t k = 0; is_empty(&m.patch[i]) && k < m.patch[i].n; k++) any = empty[m.patch[i].first + k] = true;
    good = any ? take_flat(f, &m, &a, empty) : take_volumes(f, &m, &a);
    free(a.start), free(a.face), free(empty);
    foam_free(&m);
    return good;
}
