/* Checks cells, vertices and boundaries before faces are built; orients 2-D cells anticlockwise. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/cells.h"
#include "mesh/format.h"

bool mesh_advise(const struct mesh *m, struct error *e, const char *other, const char *in_gmsh, ...)
{
    enum mesh_format format = mesh_format_of(m->source);
    size_t used = strlen(e->text);
    va_list list;
    va_start(list, in_gmsh);
    used += (size_t)snprintf(e->text + used, sizeof e->text - used, "\n  ");
    if (format == FORMAT_GEO || format == FORMAT_GMSH || format == FORMAT_NONE)
        vsnprintf(e->text + used, sizeof e->text - used, in_gmsh, list);
    else snprintf(e->text + used, sizeof e->text - used, "%s", other);
    va_end(list);
    return false;
}

bool mesh_check_coordinates(const struct mesh *m, struct error *e)
{
    const double most = 1e50;                                   /* the sixth power of such a length is still finite */
    for (int32_t v = 0; v < m->n_vertices; v++) {
        const double *x = m->vertex + 3 * (int64_t)v;
        for (int k = 0; k < 3; k++)
            if (!(fabs(x[k]) <= most))
                return refuse(e, EXIT_INPUT, "%s: vertex %d (counted from 0) is at (%g, %g, %g); expected numbers from "
                              "%g to %g", m->source, v, x[0], x[1], x[2], -most, most);
    }
    return true;
}

static bool check_vertices(const struct mesh *m, struct error *e)
{
    int32_t unused = 0, first = 0;
    uint8_t *used;
    char at[100];
    NEW(used, m->n_vertices);
    for (int64_t k = 0; k < m->cell_start[m->n_cells]; k++) used[m->cell_vertex[k]] = 1;
    for (int32_t v = m->n_vertices; v-- > 0;) if (!used[v]) unused++, first = v;
    free(used);
    if (!unused) return true;
    const char *kind = m->dim == 2 ? "Surface" : "Volume";
    refuse(e, EXIT_INPUT, "%s: %d of %d vertices are used by no cell, the first is %d (counted from 0) at %s",
           m->source, unused, m->n_vertices, first, point_text(m, m->vertex + 3 * (int64_t)first, at));
    return mesh_advise(m, e, "write the vertices of cells only",
        "put every %s that has a mesh into a Physical %s, for example Physical %s(\"fluid\") = {1}; and keep "
        "Mesh.SaveAll = 0;", m->dim == 2 ? "surface" : "volume", kind, kind);
}

static bool check_repeats(const struct mesh *m, struct error *e)
{
    int32_t repeats = 0, first = m->n_cells;
    char text[160];
    #pragma omp parallel for schedule(static) reduction(+ : repeats) reduction(min : first)
    for (int32_t c = 0; c < m->n_cells; c++) {
        bool twice = false;
        for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++)
            for (int64_t j = m->cell_start[c]; j < i; j++) twice |= m->cell_vertex[i] == m->cell_vertex[j];
        repeats += twice;
        if (twice && c < first) first = c;
    }
    if (!repeats) return true;
    return refuse(e, EXIT_INPUT, "%s: %d cell(s) use a vertex twice, the first is %s\n"
        "  write such cells with their true type (a hexahedron with a collapsed edge is a prism), or mesh again",
        m->source, repeats, cell_text(m, first, text));
}

static bool check_plane(const struct mesh *m, struct error *e)
{
    double low[3], high[3];
    int32_t lowest = 0, highest = 0;
    for (int k = 0; k < 3; k++) low[k] = high[k] = m->vertex[k];
    for (int32_t v = 0; v < m->n_vertices; v++) {
        const double *x = m->vertex + 3 * (int64_t)v;
        if (x[2] < low[2]) lowest = v;
        if (x[2] > high[2]) highest = v;
        for (int k = 0; k < 3; k++) low[k] = fmin(low[k], x[k]), high[k] = fmax(high[k], x[k]);
    }
    if (high[2] - low[2] <= 1e-9 * fmax(high[0] - low[0], high[1] - low[1])) return true;
    const double *a = m->vertex + 3 * (int64_t)lowest, *b = m->vertex + 3 * (int64_t)highest;
    refuse(e, EXIT_INPUT, "%s: a 2-D mesh must lie in a plane z = constant, but vertex %d is at (%.6g, %.6g, %.6g) and "
           "vertex %d at (%.6g, %.6g, %.6g)", m->source, lowest, a[0], a[1], a[2], highest, b[0], b[1], b[2]);
    return mesh_advise(m, e, "turn the geometry into a plane z = constant",
                       "turn the geometry, for example Rotate {{1, 0, 0}, {0, 0, 0}, Pi/2} { Surface{:}; }, or name a "
                       "volume: Physical Volume(\"fluid\") = {1};");
}

/* Number of corners that turn right: none in an anticlockwise convex cell, all in a clockwise one. */
static int right_turns(const struct mesh *m, int32_t c, int *n)
{
    const int32_t *v = m->cell_vertex + m->cell_start[c];
    int right = 0;
    *n = (int)(m->cell_start[c + 1] - m->cell_start[c]);
    for (int i = 0; i < *n; i++) {
        const double *a = m->vertex + 3 * (int64_t)v[i], *b = m->vertex + 3 * (int64_t)v[(i + 1) % *n];
        const double *d = m->vertex + 3 * (int64_t)v[(i + 2) % *n];
        right += (b[0] - a[0]) * (d[1] - b[1]) - (b[1] - a[1]) * (d[0] - b[0]) < 0;
    }
    return right;
}

static void reverse_cells(struct mesh *m, int32_t region)
{
    for (int32_t c = 0; c < m->n_cells; c++) {
        if (m->cell_region[c] != region) continue;
        int64_t i = m->cell_start[c] + 1, j = m->cell_start[c + 1] - 1;         /* the first vertex is kept */
        for (; i < j; i++, j--) {
            int32_t t = m->cell_vertex[i];
            m->cell_vertex[i] = m->cell_vertex[j], m->cell_vertex[j] = t;
        }
    }
}

/* A Gmsh surface with its normal along -z gives clockwise cells.  They are reversed if all cells of the region are
 * clockwise; a mixture is rejected. */
static bool orient(struct mesh *m, struct error *e)
{
    struct sense { int32_t n, clockwise, first; } *sense;
    char text[160];
    int64_t folded = 0;
    int32_t first_folded = 0;
    NEW(sense, m->n_regions);
    for (int32_t c = m->n_cells; c-- > 0;) {
        struct sense *s = &sense[m->cell_region[c]];
        int n, right = right_turns(m, c, &n);
        s->n++;
        if (2 * right > n) s->clockwise++, s->first = c;
        if (n == 4 && right == 2) folded++, first_folded = c;
    }
    bool ok = true;
    if (folded) {
        refuse(e, EXIT_INPUT, "%s: %lld quadrilateral(s) are folded (two sides cross), the first is %s", m->source,
               (long long)folded, cell_text(m, first_folded, text));
        ok = mesh_advise(m, e, "mesh finer there, or with another algorithm",
                         "mesh finer there, or with another Mesh.Algorithm");
    }
    for (int r = 0; r < m->n_regions && ok; r++) {
        struct sense s = sense[r];
        if (s.clockwise == 0) continue;
        if (s.clockwise < s.n) {
            refuse(e, EXIT_INPUT, "%s: %d of the %d cells of region \"%s\" are clockwise, the others not; the first is "
                   "%s", m->source, s.clockwise, s.n, m->region[r], cell_text(m, s.first, text));
            ok = mesh_advise(m, e, "write the vertices of all cells anticlockwise",
                             "turn the surface that they are on, in the .geo: ReverseMesh Surface{1};");
        } else {
            reverse_cells(m, r);
            snprintf(m->note, sizeof m->note, "the %d cells of region \"%s\" were clockwise and have been reversed",
                     s.n, m->region[r]);
        }
    }
    free(sense);
    return ok;
}

static bool check_patches(const struct mesh *m, struct error *e)
{
    int32_t *count;
    bool ok = true;
    const char *kind = m->dim == 2 ? "Curve" : "Surface";
    NEW(count, m->n_patches);
    for (int32_t k = 0; k < m->n_marked; k++) count[m->marked_patch[k]]++;
    for (int p = 0; p < m->n_patches && ok; p++)
        if (!count[p]) {
            refuse(e, EXIT_INPUT, "%s: boundary \"%s\" has no faces", m->source, m->patch[p].name);
            ok = mesh_advise(m, e, "give it some faces, or take it out of the mesh",
                             "give it some %ss in the .geo, for example Physical %s(\"%s\") = {1, 2}; or take it out",
                             m->dim == 2 ? "curve" : "surface", kind, m->patch[p].name);
        }
    free(count);
    return ok;
}

bool mesh_check_cells(struct mesh *m, struct error *e)
{
    m->note[0] = 0;
    return mesh_check_coordinates(m, e) && check_vertices(m, e) && check_repeats(m, e) && check_patches(m, e) &&
           (m->dim == 3 || (check_plane(m, e) && orient(m, e)));
}
