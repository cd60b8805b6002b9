/* Computes and checks volumes, centres and face vectors (cells.h). */
#include <float.h>
#include <math.h>
#include <string.h>
#include "base/dense.h"
#include "base/memory.h"
#include "mesh/cells.h"

/* The triangle of the ring's corners i and i + 1 and a point: the sides from that point, and twice its area vector. */
static void triangle_of(const struct mesh *m, const struct ring *ring, int i, const double point[3], double a[3],
                        double b[3], double twice[3])
{
    const double *from = ring_corner(m, ring, i), *to = ring_corner(m, ring, i + 1);
    for (int k = 0; k < 3; k++) a[k] = from[k] - point[k], b[k] = to[k] - point[k];
    cross(a, b, twice);
}

void face_measure(const struct mesh *m, const struct ring *ring, double area[3], double centre[3])
{
    double a[3], b[3], triangle[3], mean[3] = {0}, weight = 0, offset[3] = {0};
    if (ring->n == 2) {                                 /* an edge: its tangent turned to the right */
        const double *from = ring_corner(m, ring, 0), *to = ring_corner(m, ring, 1);
        area[0] = to[1] - from[1], area[1] = from[0] - to[0], area[2] = 0;
        for (int k = 0; k < 3; k++) centre[k] = 0.5 * (from[k] + to[k]);
        return;
    }
    for (int i = 0; i < ring->n; i++)                   /* triangles about the mean of the corners */
        for (int k = 0; k < 3; k++) mean[k] += ring_corner(m, ring, i)[k] / ring->n;
    for (int k = 0; k < 3; k++) area[k] = 0, centre[k] = mean[k];
    for (int i = 0; i < ring->n; i++) {
        triangle_of(m, ring, i, mean, a, b, triangle);
        for (int k = 0; k < 3; k++) area[k] += 0.5 * triangle[k];
    }
    if (ring->n == 3) return;
    for (int i = 0; i < ring->n; i++) {                 /* centroids of the triangles, by their projected areas */
        triangle_of(m, ring, i, mean, a, b, triangle);
        double w = dot(triangle, area);
        weight += w;
        for (int k = 0; k < 3; k++) offset[k] += w * (a[k] + b[k]) / 3;
    }
    if (weight > 0) for (int k = 0; k < 3; k++) centre[k] += offset[k] / weight;
}

/* Adds the tetrahedron with the corners 0, a, b, c. */
static void add_tetrahedron(const double a[3], const double b[3], const double c[3], double *volume, double moment[3])
{
    double n[3];
    cross(b, c, n);
    double v = dot(a, n) / 6;
    *volume += v;
    for (int k = 0; k < 3; k++) moment[k] += 0.25 * v * (a[k] + b[k] + c[k]);
}

/* Corner i of a ring, seen from a point. */
static void corner_from(const struct mesh *m, const struct ring *ring, int i, const double point[3], double x[3])
{
    const double *corner = ring_corner(m, ring, i);
    for (int k = 0; k < 3; k++) x[k] = corner[k] - point[k];
}

/* Volume and centroid, from triangles (2-D) or tetrahedra (3-D) about the middle. */
static double measure_cell(const struct mesh *m, int32_t cell, double centre[3])
{
    double middle[3], volume = 0, moment[3] = {0};
    cell_middle(m, cell, middle);
    for (int64_t l = m->cell_face_start[cell]; l < m->cell_face_start[cell + 1]; l++) {
        const struct ring ring = cell_ring(m, l);
        double a[3], b[3], mean[3] = {0};
        corner_from(m, &ring, 0, middle, a), corner_from(m, &ring, 1, middle, b);
        if (m->dim == 2) {
            double v = 0.5 * (a[0] * b[1] - a[1] * b[0]);
            volume += v;
            for (int k = 0; k < 3; k++) moment[k] += v * (a[k] + b[k]) / 3;
            continue;
        }
        if (ring.n == 3) {
            corner_from(m, &ring, 2, middle, mean);
            add_tetrahedron(a, b, mean, &volume, moment);
            continue;
        }
        for (int i = 0; i < ring.n; i++) {
            corner_from(m, &ring, i, middle, a);
            for (int k = 0; k < 3; k++) mean[k] += a[k];
        }
        for (int k = 0; k < 3; k++) mean[k] *= 1.0 / ring.n;
        for (int i = 0; i < ring.n; i++) {
            corner_from(m, &ring, i, middle, a), corner_from(m, &ring, i + 1, middle, b);
            add_tetrahedron(mean, a, b, &volume, moment);
        }
    }
    for (int k = 0; k < 3; k++) centre[k] = middle[k] + (volume != 0 ? moment[k] / volume : 0);
    return volume;
}

double mesh_edge(double volume, int dim)
{
    if (dim == 2 || !(volume > 0) || isinf(volume)) return dim == 2 ? sqrt(volume) : cbrt(volume);
    /* cbrt() rounds differently above 1 than below; in 1 .. 8 it rounds consistently. */
    int exponent = ilogb(volume), thirds = (exponent - (exponent % 3 + 3) % 3) / 3;
    return ldexp(cbrt(ldexp(volume, -3 * thirds)), thirds);
}

/* The diagonal of the cell's bounding box to the power dim.  A volume that is negligible compared with this counts as
 * zero. */
static double cell_bulk(const struct mesh *m, int32_t c)
{
    double square = 0;
    for (int k = 0; k < m->dim; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++) {
            double x = m->vertex[3 * (int64_t)m->cell_vertex[i] + k];
            low = x < low ? x : low, high = x > high ? x : high;
        }
        square += (high - low) * (high - low);
    }
    return m->dim == 2 ? square : square * sqrt(square);
}

static bool advise(const struct mesh *m, struct error *e)
{
    if (!strcmp(m->source, "box")) return mesh_advise(m, e, "", "reduce the box's distortion");
    return mesh_advise(m, e, "mesh finer there, or with another algorithm", "mesh finer there, or with another "
                       "Mesh.Algorithm%s",
                       m->dim == 2 ? "" : "3D; in an extruded or transfinite volume check the order of its points");
}

static bool measure_cells(struct mesh *m, struct error *e)
{
    int32_t bad = 0, first = m->n_cells, n = m->n_cells;
    char text[160];
    NEW(m->cell_centre, (int64_t)m->dim * n), NEW(m->cell_volume, n);
    #pragma omp parallel for schedule(static) reduction(+ : bad) reduction(min : first)
    for (int32_t c = 0; c < n; c++) {
        double centre[3], volume = measure_cell(m, c, centre);
        m->cell_volume[c] = volume;
        for (int k = 0; k < m->dim; k++) m->cell_centre[(int64_t)k * n + c] = centre[k];
        if (volume > 1e-14 * cell_bulk(m, c)) continue;
        bad++;
        if (c < first) first = c;
    }
    if (!bad) return true;
    double v = m->cell_volume[first], bulk = cell_bulk(m, first);
    refuse(e, EXIT_INPUT, "%s: %d of %d cells have %s volume, the first is %s: %.3g\n  its vertices are in the wrong "
           "order, or it is folded or flat", m->source, bad, n, fabs(v) <= 1e-14 * bulk ? "no" : "a negative",
           cell_text(m, first, text), v);
    return advise(m, e);
}

static bool folded(const struct mesh *m, int32_t face, int32_t count, struct error *e)
{
    double area[3], centre[3];
    char at[100], a[160], b[160];
    const struct ring ring = face_ring(m, face);
    face_measure(m, &ring, area, centre);
    bool internal = face < m->n_internal;
    refuse(e, EXIT_INPUT, "%s: %d face(s) do not point out of their cell or lie on the wrong side of it, the first at "
           "%s, of %s%s%s\n  the cell is folded, or two cells overlap", m->source, count, point_text(m, centre, at),
           cell_text(m, m->face_owner[face], a), internal ? " and " : "",
           internal ? cell_text(m, m->face_neighbour[face], b) : "");
    return advise(m, e);
}

/* Area, d and r of all faces; d of a periodic face crosses to the neighbour's image. */
static void measure_faces(struct mesh *m)
{
    int64_t n = m->n_faces;
    NEW(m->face_area, m->dim * n), NEW(m->face_d, m->dim * n), NEW(m->face_r, m->dim * n);
    #pragma omp parallel for schedule(static)
    for (int32_t f = 0; f < m->n_faces; f++) {
        double area[3], centre[3];
        int32_t o = m->face_owner[f];
        const struct ring ring = face_ring(m, f);
        face_measure(m, &ring, area, centre);
        for (int k = 0; k < m->dim; k++) {
            const double *x = m->cell_centre + (int64_t)k * m->n_cells;
            m->face_area[k * n + f] = area[k];
            m->face_r[k * n + f] = centre[k] - x[o];
            m->face_d[k * n + f] = (f < m->n_internal ? x[m->face_neighbour[f]] : centre[k]) - x[o];
        }
    }
    for (int32_t j = 0; j < m->n_joints; j++)
        for (int k = 0; k < m->dim; k++) m->face_d[k * n + m->joint_face[j]] -= m->joint_shift[3 * j + k];
}

static void face_vectors(const struct mesh *m, int32_t f, double area[3], double d[3], double r[3])
{
    area[2] = d[2] = r[2] = 0;
    for (int k = 0; k < m->dim; k++) {
        int64_t i = (int64_t)k * m->n_faces + f;
        area[k] = m->face_area[i], d[k] = m->face_d[i], r[k] = m->face_r[i];
    }
}

/* Angles and offsets, relative to a length, that count as zero: 1e-10, or, far from the origin, the rounding error of
 * the coordinates. */
static double no_angle(const struct mesh *m, int32_t f, double area, double length)
{
    double reach = 0, edge = m->dim == 2 ? area : sqrt(area);
    for (int k = 0; k < m->dim; k++)
        reach = fmax(reach, fabs(m->cell_centre[(int64_t)k * m->n_all + m->face_owner[f]]));
    return 1e-10 + 16 * DBL_EPSILON * reach * (1 / length + 1 / edge);
}

bool geometry_check(struct mesh *m, struct error *e)
{
    int32_t bad = 0, first = m->n_faces, oblique = 0, skewed = 0;
    #pragma omp parallel for schedule(static) reduction(+ : bad, oblique, skewed) reduction(min : first)
    for (int32_t f = 0; f < m->n_faces; f++) {
        double area[3], d[3], r[3], turn[3], miss[3];
        face_vectors(m, f, area, d, r);
        double ad = dot(area, d), ar = dot(area, r), length = sqrt(dot(d, d));
        bool out = ar > 0 && ad > 0 && (f >= m->n_internal || ad > ar);      /* ad - ar: from the neighbour's centre */
        double size = sqrt(dot(area, area)), none = no_angle(m, f, size, length);
        cross(area, d, turn);
        oblique += sqrt(dot(turn, turn)) > none * size * length;
        for (int k = 0; k < 3; k++) miss[k] = r[k] - ar / ad * d[k];
        skewed += f < m->n_internal && !(sqrt(dot(miss, miss)) <= none * length);
        if (out) continue;
        bad++;
        if (f < first) first = f;
    }
    m->orthogonal = !oblique, m->unskewed = !skewed;
    return bad ? folded(m, first, bad, e) : true;
}

bool geometry_compute(struct mesh *m, struct error *e)
{
    if (!measure_cells(m, e)) return false;
    measure_faces(m);
    return geometry_check(m, e);
}
