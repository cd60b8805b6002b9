/* Planes of the interface on one mesh, and the fractions that they give on another (fraction_transfer.h). */
#include "interface/fraction_transfer.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "interface/body.h"
#include "interface/cut.h"
#include "interface/interface.h"
#include "mesh/nearest.h"

enum { MOST_SECANTS = 8 };
static const double SAME_SPACE = 1e-3;  /* difference of the volumes of two meshes of the same geometry */
enum { ROUNDS = 32 };                   /* of normals from distances: as many as at the start of interface.c */

/* A plane { x : normal.x = offset }, normal out of the second fluid; point: the middle of its part in the cell, or the
 * centre of a face between a full and an empty cell; radius: of the cell or the face around it. */
struct facet { double normal[3], offset, point[3], radius; };
struct facets {
    const struct transfer *t;
    const double *fraction;
    struct facet *item;
    int32_t n, n_cut;           /* the first n_cut are in cells, */
    int32_t *cell, *of;         /* [n_cut] these; [cells of from] the facet of the cell, or -1 */
    double *point;              /* [dim n] for nearest.h */
    double shift;               /* of all planes along their normals, on the other mesh */
};

static bool is_cut(double fraction) { return fraction > SLIVER && fraction < 1 - SLIVER; }
static double bounded(double fraction) { return fmin(fmax(fraction, 0), 1); }

static void centre_of(const struct mesh *m, int32_t cell, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = k < m->dim ? m->cell_centre[(int64_t)k * m->n_all + cell] : 0;
}

/* ---------------------------------------------------------------- planes in cells */
static double part_below(int dim, const double value[4])
{
    double slope;
    return dim == 2 ? triangle_part(value[0], value[1], value[2], &slope)
                    : tetrahedron_part(value[0], value[1], value[2], value[3], &slope);
}

/* Fraction of the simplices where normal.x <= offset. */
static double fraction_below(const struct simplex *s, int n, int dim, const double normal[3], double offset)
{
    double all = 0, below = 0, value[4];
    for (int i = 0; i < n; i++) {
        const double size = simplex_volume(&s[i], dim);
        for (int j = 0; j <= dim; j++) value[j] = dot(normal, s[i].x[j]) - offset;
        all += size, below += size * part_below(dim, value);
    }
    return below / all;
}

/* Puts the facet's plane where the fraction is below it, by bisection, and its point in the middle of the edges that
 * it crosses. */
static void place(const struct simplex *s, int n, int dim, double fraction, struct facet *f)
{
    double low = INFINITY, high = -INFINITY, sum[3] = {0};
    int crossed = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= dim; j++) {
            const double v = dot(f->normal, s[i].x[j]);
            low = fmin(low, v), high = fmax(high, v);
        }
    for (int i = 0; i < 60; i++) {
        const double middle = low + 0.5 * (high - low);
        if (fraction_below(s, n, dim, f->normal, middle) < fraction) low = middle;
        else high = middle;
    }
    f->offset = low + 0.5 * (high - low);
    for (int i = 0; i < n; i++)
        for (int a = 0; a <= dim; a++)
            for (int b = 0; b < a; b++) {
                const double *x = s[i].x[a], *y = s[i].x[b], u = dot(f->normal, x) - f->offset,
                             v = dot(f->normal, y) - f->offset;
                if ((u < 0) == (v < 0)) continue;
                for (int k = 0; k < 3; k++) sum[k] += x[k] + u / (u - v) * (y[k] - x[k]);
                crossed++;
            }
    for (int k = 0; k < 3 && crossed; k++) f->point[k] = sum[k] / crossed;
}

/* The gradient of a field of `from`, of length 1; false: it is zero. */
static bool direction(const struct transfer *t, int32_t cell, const double *value, double sign, double normal[3])
{
    const struct transfer_slope s = transfer_slope(t, cell, value, 1, 0);
    const double length = sqrt(dot(s.gradient, s.gradient));
    for (int k = 0; k < 3 && length > 0; k++) normal[k] = sign * s.gradient[k] / length;
    return length > 0;
}

static void place_all(struct facets *f)
{
    const struct mesh *m = f->t->from;
    #pragma omp parallel for schedule(dynamic, 64)
    for (int32_t i = 0; i < f->n_cut; i++) {
        struct simplex *s;
        const int n = cell_simplices(m, f->cell[i], &s);
        place(s, n, m->dim, f->fraction[f->cell[i]], &f->item[i]);
        free(s);
    }
}

static void find_cut_cells(struct facets *f)
{
    const struct mesh *m = f->t->from;
    NEW(f->of, m->n_cells), NEW(f->cell, m->n_cells), NEW(f->item, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) {
        struct facet *x = &f->item[f->n];
        f->of[c] = -1;
        if (!is_cut(f->fraction[c]) || !direction(f->t, c, f->fraction, -1, x->normal)) continue;
        centre_of(m, c, x->point), x->radius = transfer_radius(m, c);
        f->of[c] = f->n, f->cell[f->n++] = c;
    }
    f->n_cut = f->n;
}

/* ---------------------------------------------------------------- normals from distances */
/* The distance of a cell's centre from its own plane, or the mean from those of its neighbours, weighted by the squared
 * cosine between normal and arm. */
static double distance_at(const struct facets *f, int32_t cell)
{
    const struct transfer *t = f->t;
    const struct mesh *m = t->from;
    double x[3], sum = 0, weights = 1e-99;
    centre_of(m, cell, x);
    if (f->of[cell] >= 0) return dot(f->item[f->of[cell]].normal, x) - f->item[f->of[cell]].offset;
    for (int64_t i = m->cell_start[cell]; i < m->cell_start[cell + 1]; i++)
        for (int64_t j = t->start[m->cell_vertex[i]]; j < t->start[m->cell_vertex[i] + 1]; j++) {
            if (f->of[t->near[j]] < 0) continue;
            const struct facet *near = &f->item[f->of[t->near[j]]];
            double arm[3];
            const double length = difference(x, near->point, arm), out = dot(near->normal, x) - near->offset;
            const double weight = length > 0 ? out * out / (length * length) : 0;
            sum += weight * out, weights += weight;
        }
    return sum / weights;
}

/* Lists the cut cells and those that share a vertex with them; returns their number. */
static int32_t list_band(const struct facets *f, int32_t *band)
{
    const struct transfer *t = f->t;
    const struct mesh *m = t->from;
    int32_t n = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        bool near = false;
        for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1] && !near; i++)
            for (int64_t j = t->start[m->cell_vertex[i]]; j < t->start[m->cell_vertex[i] + 1] && !near; j++)
                near = f->of[t->near[j]] >= 0;
        if (near) band[n++] = c;
    }
    return n;
}

static void improve_normals(struct facets *f)
{
    double *distance;
    int32_t *band;
    NEW(distance, f->t->from->n_cells), NEW(band, f->t->from->n_cells);
    const int32_t n = list_band(f, band);
    for (int round = 0; round < ROUNDS; round++) {
        #pragma omp parallel for schedule(static)
        for (int32_t i = 0; i < n; i++) distance[band[i]] = distance_at(f, band[i]);
        #pragma omp parallel for schedule(static)
        for (int32_t i = 0; i < f->n_cut; i++) direction(f->t, f->cell[i], distance, 1, f->item[i].normal);
        place_all(f);
    }
    free(distance), free(band);
}

/* ---------------------------------------------------------------- faces between full and empty cells */
static void add_faces(struct facets *f)
{
    const struct mesh *m = f->t->from;
    for (int32_t i = 0; i < m->n_internal; i++) {
        const double step = f->fraction[m->face_neighbour[i]] - f->fraction[m->face_owner[i]];
        const double size = mesh_face_size(m, i);
        if (fabs(step) <= 1 - 2 * SLIVER || !(size > 0)) continue;
        RESIZE(f->item, f->n + 1);
        struct facet *x = &f->item[f->n++];
        *x = (struct facet){.radius = m->dim == 2 ? size : sqrt(size)};
        for (int k = 0; k < m->dim; k++) {
            x->normal[k] = (step < 0 ? 1 : -1) * face_vector(m->face_area, m, k, i) / size;
            x->point[k] = face_centre(m, k, i);
        }
        x->offset = dot(x->normal, x->point);
    }
}

/* ---------------------------------------------------------------- the other mesh */
static double distance_from(const struct facets *f, const struct nearest *tree, const double x[3])
{
    double unused;
    const struct facet *near = &f->item[nearest_find(tree, x, &unused)];
    return dot(near->normal, x) - near->offset;
}

static double fraction_in(const struct facets *f, const struct nearest *tree, int32_t cell)
{
    const struct mesh *m = f->t->to;
    double x[3], distance = INFINITY, all = 0, below = 0, value[4];
    centre_of(m, cell, x);
    const int32_t near = nearest_find(tree, x, &distance);
    if (near < 0 || distance > transfer_radius(m, cell) + 2 * f->item[near].radius)
        return bounded(f->fraction[f->t->cell[cell]]);
    struct simplex *s;
    const int n = cell_simplices(m, cell, &s);
    for (int i = 0; i < n; i++) {
        const double size = simplex_volume(&s[i], m->dim);
        for (int j = 0; j <= m->dim; j++) value[j] = distance_from(f, tree, s[i].x[j]) - f->shift;
        all += size, below += size * part_below(m->dim, value);
    }
    free(s);
    const double fraction = below / all;
    return fraction < 1e-13 ? 0 : fraction > 1 - 1e-13 ? 1 : fraction;
}

/* Returns the volume of the second fluid. */
static double fill_cells(const struct facets *f, const struct nearest *tree, double *to)
{
    const struct mesh *m = f->t->to;
    double sum = 0;
    #pragma omp parallel for schedule(dynamic, 64)
    for (int32_t c = 0; c < m->n_cells; c++) to[c] = fraction_in(f, tree, c);
    for (int32_t c = 0; c < m->n_cells; c++) sum += m->cell_volume[c] * to[c];
    return sum;
}

static double volume_of(const struct mesh *m, const double *fraction)
{
    double sum = 0;
    for (int32_t c = 0; c < m->n_cells; c++) sum += m->cell_volume[c] * (fraction ? bounded(fraction[c]) : 1);
    return sum;
}

/* If both meshes fill the same space the volume is that of the file: planes in finer cells lose a little on convex
 * sides, which a shift, found by the secant method, makes up for.  A shift of over half a cell is not a correction. */
static void conserve(struct facets *f, const struct nearest *tree, double *to)
{
    const double wanted = volume_of(f->t->from, f->fraction), all = volume_of(f->t->to, NULL);
    const double most = 0.5 * mesh_edge(all / f->t->to->n_cells, f->t->to->dim);
    double shift[2] = {0, 0}, error[2] = {fill_cells(f, tree, to) - wanted, 0};
    if (!f->n || f->t->n_outside || fabs(all / volume_of(f->t->from, NULL) - 1) > SAME_SPACE) return;
    shift[1] = error[0] < 0 ? 1e-3 * most : -1e-3 * most;
    for (int i = 0; i < MOST_SECANTS && fabs(error[i > 0]) > 1e-13 * wanted; i++) {
        f->shift = shift[1], error[1] = fill_cells(f, tree, to) - wanted;
        const double slope = (error[1] - error[0]) / (shift[1] - shift[0]), next = shift[1] - error[1] / slope;
        if (!(fabs(next) <= most)) break;
        shift[0] = shift[1], error[0] = error[1], shift[1] = next;
    }
    if (fabs(error[1]) <= 1e-6 * wanted) return;
    f->shift = 0, fill_cells(f, tree, to);
}

double *fraction_transfer(const struct transfer *t, const double *fraction)
{
    struct facets f = {.t = t, .fraction = fraction};
    struct nearest tree;
    double *to;
    if (t->same) {
        to = transfer_field(t, fraction, 1, true);
        for (int32_t c = 0; c < t->to->n_cells; c++) to[c] = bounded(to[c]);
        return to;
    }
    find_cut_cells(&f);
    place_all(&f), improve_normals(&f);
    add_faces(&f);
    NEW(f.point, (int64_t)t->from->dim * f.n), NEW(to, t->to->n_cells);
    for (int32_t i = 0; i < f.n; i++)
        for (int k = 0; k < t->from->dim; k++) f.point[(int64_t)k * f.n + i] = f.item[i].point[k];
    nearest_create(&tree, f.point, t->from->dim, f.n);
    conserve(&f, &tree, to);
    nearest_free(&tree);
    free(f.item), free(f.cell), free(f.of), free(f.point);
    return to;
}
