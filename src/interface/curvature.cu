/* Kernels that fit paraboloids to the interface and compute its curvature (curvature.h). */
#include "interface/curvature.h"
#include "interface/curvature_mirror.h"
#include "interface/fit_extent.h"

/* The facets of a fit.  In meshes of tetrahedra up to 150 have weight.  The position of a facet follows from the shifts
 * of the two steps to its cell: so a list fits into the GPU's cache. */
enum { FIT_PIECES = 320, FIT_HASH_BITS = 9, FIT_SLOTS = 1 << FIT_HASH_BITS };
struct neighbourhood {
    int n;
    int32_t cell[FIT_PIECES];
    uint8_t shift[FIT_PIECES][2];
    uint16_t slot[FIT_SLOTS];           /* hash table of the cells: 1 + the position in the list, 0: free */
};

#define NO_CURVATURE DBL_MAX            /* in `raw`: there were too few facets */
#define LEAST_PIVOT 1e-9
#define ROUND_PART 1e-9                 /* of fit_solve_rounded(); its pivots are larger than: */
#define LEAST_ROUNDED_PIVOT 1e-11
/* Minimum cosine between the normal of a facet at a wall and the prescribed one. */
#define LEAST_TURN 0.4
/* Range of a contact angle other than 90 degrees beyond its own cell, relative to the reach: about a cell.  The angle
 * counts as nearly 90 degrees with a weight that decreases as 1 minus the cosine approaches RIGHT_TURN. */
#define CONTACT_REACH_2D 0.34
#define CONTACT_REACH_3D 0.29
#define RIGHT_TURN 0.03
#define SLOPE_WEIGHT 4.0                /* weight of a contact angle; a facet as long as its cell has 1 */

ON_DEVICE void read_metric(const struct curvature_args *a, int32_t c, double *metric, const int dim)
{
    for (int k = 0; k < dim * (dim + 1) / 2; k++) metric[k] = CELL_VALUE(a->p.g.s, a->k.metric, k, c);
}

ON_DEVICE void find_extent(const struct curvature_args *a, int32_t c, struct extent *e, const int dim)
{
    double n[3];
    e->own = a->k.triangles;
    read_metric(a, c, e->metric, dim);
    for (int k = 0; k < dim; k++) n[k] = CELL_VALUE(a->p.g.s, a->p.normal, k, c);
    extent_along(e, n, dim);
}

/* Finds where the facet of boundary cell c meets boundary face b, and the prescribed normal there times a weight: 1, or
 * less if the plane misses the face by less than a quarter of the face's width, so that the angle changes gradually
 * when the contact line moves from face to face.  m: unit normal of the face, out of the domain. */
ON_DEVICE void contact_at_face(const struct curvature_args *a, int32_t c, int32_t b, const int dim)
{
    const struct geometry *g = &a->p.g;
    int32_t f = g->s.n_internal + b;
    double m[3], n[3], x[MOST_CORNERS][3], area = 0, mn = 0, gap = 0, tangent = 0;
    int corners = face_corners(g, f, 1, x);
    double least = DBL_MAX, most = -DBL_MAX;
    for (int k = 0; k < dim; k++)
        n[k] = CELL_VALUE(g->s, a->p.normal, k, c), m[k] = FACE_VECTOR(g->s, area, k, f), area = fma(m[k], m[k], area);
    for (int j = 0; j < corners; j++) {
        double value = -a->p.offset[c];
        for (int k = 0; k < dim; k++) value = fma(n[k], x[j][k], value);
        least = value < least ? value : least, most = value > most ? value : most;
    }
    double out = least > 0 ? least : most < 0 ? -most : 0, part = 1 - 4 * out / (most - least);
    if (!(part > 0)) return;
    for (int k = 0; k < dim; k++) {
        m[k] /= sqrt(area);
        mn = fma(m[k], n[k], mn);
        gap = fma(m[k], FACE_VECTOR(g->s, r, k, f) - CELL_VALUE(g->s, a->p.centroid, k, c), gap);
    }
    for (int k = 0; k < dim; k++) tangent = fma(m[k] - mn * n[k], m[k] - mn * n[k], tangent);
    if (tangent < 1e-6) return;                         /* the facet is parallel to the wall */
    double cosine = a->k.cosine[b], sine = sqrt(fma(-cosine, cosine, 1.0)), w[3], turn = 0;
    for (int k = 0; k < dim; k++) {
        w[k] = sine * (n[k] - mn * m[k]) / sqrt(tangent) - cosine * m[k];
        turn = fma(w[k], n[k], turn);
    }
    /* Too steep a slope for a paraboloid: the normal is turned up to the limit. */
    double keep = turn < LEAST_TURN ? sqrt((1 - LEAST_TURN * LEAST_TURN) / (1 - turn * turn)) : 1,
           add = turn < LEAST_TURN ? LEAST_TURN - keep * turn : 0;
    for (int k = 0; k < dim; k++) {
        a->k.contact_point[(int64_t)k * g->s.n_boundary + b] =
            fma(gap / tangent, m[k] - mn * n[k], CELL_VALUE(g->s, a->p.centroid, k, c));
        a->k.contact_normal[(int64_t)k * g->s.n_boundary + b] =
            part * fma(keep, w[k], add * n[k]);
    }
}

INDEX_KERNEL(contact_points, struct curvature_args)
{
    const struct stencil *s = &a->p.g.s;
    int32_t c = s->boundary_cell[i];
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t b = s->boundary_face[k];
        for (int j = 0; j < s->dim; j++) a->k.contact_normal[(int64_t)j * s->n_boundary + b] = 0;
        if (!(a->p.area[c] > 0) || a->k.cosine[b] > 1) continue;
        if (s->dim == 2) contact_at_face(a, c, b, 2);
        else contact_at_face(a, c, b, 3);
    }
}

/* A facet's weight from its distance d relative to the reach, t = 1 - d^2: t^6, in 3-D t^8.  With t^4 in 3-D, and a
 * shorter reach, the curvature of cell-to-cell oscillations had the wrong sign, and drops at rest burst. */
ON_DEVICE double nearness(double t, const int dim)
{
    double square = t * t, fourth = square * square;
    return fourth * (dim == 2 ? square : fourth);
}

/* The weight of the facet of cell j, displaced by two shifts, in the fit of cell c; 0: not included.  r: from the
 * centroid of c's own facet to this one's. */
ON_DEVICE double piece_weight(const struct curvature_args *a, int32_t c, int32_t j, const uint8_t *shift,
                              const struct extent *e, double r[3], const int dim)
{
    const struct pieces *p = &a->p;
    const struct geometry *g = &p->g;
    double other[6], turn = 0;
    read_metric(a, j, other, dim);
    for (int k = 0; k < dim; k++) {
        r[k] = CELL_VALUE(g->s, g->centre, k, j) - CELL_VALUE(g->s, g->centre, k, c) +
               (g->shift[shift[0]][k] + g->shift[shift[1]][k]) +
               (CELL_VALUE(g->s, p->centroid, k, j) - CELL_VALUE(g->s, p->centroid, k, c));
        turn = fma(CELL_VALUE(g->s, p->normal, k, j), CELL_VALUE(g->s, p->normal, k, c), turn);
    }
    double t = 1 - extent_square(e, other, r, dim);
    if (!(t > 0) || !(turn > NEAR_TURN)) return 0;
    return p->area[j] * e->per_area * turn * nearness(t, dim);
}

/* Adds cell j, displaced by two shifts, to the list if it has a facet and is not in the list yet. */
ON_DEVICE void consider(const struct pieces *p, struct neighbourhood *list, int32_t j, uint8_t first, uint8_t second)
{
    const double (*shift)[3] = p->g.shift;
    if (!(p->area[j] > 0) || list->n == FIT_PIECES) return;
    uint32_t at = (uint32_t)j * 2654435769u >> (32 - FIT_HASH_BITS);            /* Knuth's multiplicative hash */
    for (; list->slot[at]; at = (at + 1) % FIT_SLOTS) {
        int l = list->slot[at] - 1, same = list->cell[l] == j;
        if (!same) continue;
        const double *a = shift[list->shift[l][0]], *b = shift[list->shift[l][1]];
        for (int k = 0; k < 3; k++) same &= a[k] + b[k] == shift[first][k] + shift[second][k];
        if (same) return;
    }
    list->cell[list->n] = j;
    list->shift[list->n][0] = first, list->shift[list->n][1] = second;
    list->slot[at] = (uint16_t)++list->n;
}

/* First lists the cells, then computes their weights, so that the lanes of a GPU's warp do this together. */
ON_DEVICE void gather(const struct curvature_args *a, struct neighbourhood *list, int32_t c, const struct extent *e,
                      const int dim)
{
    const struct pieces *p = &a->p;
    const struct geometry *g = &p->g;
    double r[3];
    list->n = list->cell[0] = list->shift[0][0] = list->shift[0][1] = 0;
    for (int l = 0; l < FIT_SLOTS; l++) list->slot[l] = 0;
    consider(p, list, c, 0, 0);
    for (int64_t k = g->near_start[c]; k < g->near_start[c + 1]; k++)
        consider(p, list, g->near[k], 0, g->near_shift[k]);
    for (int first = list->n, l = 1; l < first; l++) {
        const int32_t j = list->cell[l];
        if (!(piece_weight(a, c, j, list->shift[l], e, r, dim) > 0)) continue;
        for (int64_t k = g->near_start[j]; k < g->near_start[j + 1]; k++)
            consider(p, list, g->near[k], list->shift[l][1], g->near_shift[k]);
    }
}

/* Adds the contact angles of boundary cell j, whose facet's centroid is at `from`.  Angles of nearly 90 degrees are
 * added as mirrors, others as slopes that act on the facets at the wall and on those within about a cell: acting on
 * whole fits, they would drive the second row of cells more than the first, which is slowed by friction at the wall,
 * and the contact line would move the wrong way. */
ON_DEVICE void add_contact(const struct curvature_args *a, struct fit *fit, struct mirrors *mirrors,
                           const struct extent *e, int32_t c, int32_t j, const double *from, const int dim)
{
    const struct stencil *s = &a->p.g.s;
    const int32_t row = a->k.boundary_row[j];
    for (int32_t k = s->boundary_start[row]; k < s->boundary_start[row + 1]; k++) {
        int32_t b = s->boundary_face[k], f = s->n_internal + b;
        double r[3], n[3], m[3], other[6], size = 0;
        read_metric(a, j, other, dim);
        for (int i = 0; i < dim; i++) {
            n[i] = a->k.contact_normal[(int64_t)i * s->n_boundary + b];
            m[i] = FACE_VECTOR(*s, area, i, f);
            r[i] = from[i] - CELL_VALUE(*s, a->p.centroid, i, j) +
                   a->k.contact_point[(int64_t)i * s->n_boundary + b];
            size = fma(m[i], m[i], size);
        }
        double part = sqrt(fit_dot(n, n, dim));
        if (part == 0) continue;
        for (int i = 0; i < dim; i++) n[i] /= part;
        for (int i = 0; i < dim; i++) m[i] /= sqrt(size);
        double contact = dim == 2 ? CONTACT_REACH_2D : CONTACT_REACH_3D, far = extent_square(e, other, r, dim),
               turn = 0;
        for (int i = 0; i < dim; i++) turn = fma(n[i], CELL_VALUE(*s, a->p.normal, i, j), turn);
        double beside = 1 - far / (contact * contact), wrong = fmin((1 - turn) / RIGHT_TURN, 1.0),
               right = a->k.cosine[b] == 0 ? 1.0 : (1 - wrong * wrong) * (1 - wrong * wrong);
        double weight = (j == c ? 1 : beside > 0 ? beside * beside : 0) * (1 - right);
        if (far < 1) mirrors_add(mirrors, part * nearness(1 - far, dim), right, r, n, m, dim);
        if (weight > 0) fit_slope(fit, part * part * weight * SLOPE_WEIGHT * (dim == 2 ? 0.4 : 0.08), r, n, m, dim);
    }
}

/* Adds the facet of cell j, whose centroid is at r, and its images. */
ON_DEVICE void add_piece(const struct curvature_args *a, struct fit *fit, const struct mirrors *mirrors,
                         const struct extent *e, int32_t c, int32_t j, double weight, const double *r, const int dim)
{
    const struct stencil *s = &a->p.g.s;
    double per_area = 1 / a->p.area[j];
    struct piece own;
    for (int i = 0; i < dim; i++) own.r[i] = r[i], own.n[i] = CELL_VALUE(*s, a->p.normal, i, j);
    for (int i = 0; i < dim * (dim + 1) / 2; i++) own.moment[i] = CELL_VALUE(*s, a->p.moment, i, j) * per_area;
    read_metric(a, j, own.metric, dim);
    fit_piece(fit, weight, own.r, own.moment, dim);
    for (int set = 1; set < 1 << mirrors->n; set++) {
        struct piece image = own;
        double part = mirror_in_set(mirrors, set, &image, dim), turn = 0,
               near = 1 - extent_square(e, image.metric, image.r, dim);
        for (int i = 0; i < dim; i++) turn = fma(image.n[i], CELL_VALUE(*s, a->p.normal, i, c), turn);
        if (!(part > 0) || !(near > 0) || !(turn > NEAR_TURN)) continue;
        part *= a->p.area[j] * e->per_area * turn * nearness(near, dim);
        fit_piece(fit, part, image.r, image.moment, dim);
    }
}

/* Sets up the equations of all facets and solves them; 0: they do not determine a paraboloid. */
ON_DEVICE int fit_once(const struct curvature_args *a, struct fit *fit, const struct neighbourhood *list,
                       const struct extent *e, int32_t c, double *x, const int dim)
{
    struct mirrors mirrors = {.n = 0};
    double r[3];
    fit_clear(fit);
    for (int l = 0; l < list->n; l++)
        if (a->k.boundary_row[list->cell[l]] >= 0 &&
            piece_weight(a, c, list->cell[l], list->shift[l], e, r, dim) > 0)
            add_contact(a, fit, &mirrors, e, c, list->cell[l], r, dim);
    mirrors_finish(&mirrors, dim);
    for (int l = 0; l < list->n; l++) {
        double weight = piece_weight(a, c, list->cell[l], list->shift[l], e, r, dim);
        if (weight > 0) add_piece(a, fit, &mirrors, e, c, list->cell[l], weight, r, dim);
    }
    if (dim == 2) return fit_solve(fit->m, fit->b, x, LEAST_PIVOT, 3);
    return fit_solve_rounded(fit->m, fit->b, x, ROUND_PART, LEAST_ROUNDED_PIVOT);
}

ON_DEVICE void fit_cell(const struct curvature_args *a, struct neighbourhood *list, int32_t c, const int dim)
{
    const struct stencil *s = &a->p.g.s;
    struct fit fit;
    struct extent e;
    double n[3], x[FIT_TERMS];
    for (int k = 0; k < dim; k++) n[k] = CELL_VALUE(*s, a->p.normal, k, c);
    find_extent(a, c, &e, dim);
    gather(a, list, c, &e, dim);
    fit_frame(&fit, n, e.length, dim);
    int ok = fit_once(a, &fit, list, &e, c, x, dim);
    if (ok) {
        fit.h[0] = 2 * x[dim == 2 ? 2 : 3];
        if (dim == 3) fit.h[1] = x[4], fit.h[2] = 2 * x[5];
        ok = fit_once(a, &fit, list, &e, c, x, dim);
    }
    if (a->normal) {
        if (ok) fit_normal(&fit, x, n, dim);
        for (int k = 0; k < dim; k++) CELL_VALUE(*s, a->normal, k, c) = n[k];
        return;
    }
    /* The curvature is limited to that of a circle or ball whose radius is a fifth of the reach, half a cell. */
    double most = 5 * (dim - 1) / e.length, value = ok ? fit_curvature(&fit, x, dim) : NO_CURVATURE;
    a->k.raw[c] = !ok ? value : value > most ? most : value < -most ? -most : value;
}

HEAVY_INDEX_KERNEL(fit_paraboloids, struct curvature_args)
{
    struct neighbourhood list;
    if (a->p.g.s.dim == 2) fit_cell(a, &list, a->p.cell[i], 2);
    else fit_cell(a, &list, a->p.cell[i], 3);
}

INDEX_KERNEL(fill_curvature, struct curvature_args)
{
    const struct geometry *g = &a->p.g;
    int32_t c = a->p.cell[i];
    double value = a->k.raw[c];
    if (value == NO_CURVATURE) {
        double sum = 0, weight = 0;
        for (int64_t k = g->near_start[c]; k < g->near_start[c + 1]; k++) {
            int32_t j = g->near[k];
            if (!(a->p.area[j] > 0) || a->k.raw[j] == NO_CURVATURE) continue;
            sum = fma(a->p.area[j], a->k.raw[j], sum), weight += a->p.area[j];
        }
        value = weight > 0 ? sum / weight : 0;
    }
    a->curvature[c] = value;
}
