/* The velocity of rotating walls, and whether their shape allows the rotation (boundary_shape.h). */
#include <math.h>
#include "assembly/boundary_shape.h"
#include "base/dense.h"
#include "mesh/cells.h"
#include "mesh/part.h"

/* Part of the speed that may point through a face beside what its facets explain: coordinates in files are rounded. */
static const double ROUNDING = 1e-3;

static void unit_axis(const struct boundary_setting *set, int dim, double axis[3])
{
    const double *a = set->rotation.axis, length = sqrt(dot(a, a));
    for (int k = 0; k < 3; k++) axis[k] = dim == 2 ? k == 2 : a[k] / length;
}

/* axis x (x - about) */
static void turn(const struct boundary_setting *set, const double axis[3], const double x[3], double u[3])
{
    double arm[3];
    for (int k = 0; k < 3; k++) arm[k] = x[k] - set->rotation.about[k];
    for (int k = 0; k < 3; k++) u[k] = axis[(k + 1) % 3] * arm[(k + 2) % 3] - axis[(k + 2) % 3] * arm[(k + 1) % 3];
}

/* The flux of the rotation through a facet whose vertices lie on a surface of revolution is the integral of r^2 / 2
 * along the axis around its edges, r: the distance from the axis.  On an edge, r^2 is less than on a cylinder through
 * its ends by l^2 / 6 on average, with its length l seen along the axis, and than on a sphere with its whole length;
 * what all edges have in common cancels.  Other surfaces are between these. */
static double facet_flux(const struct mesh *m, int32_t f, const double axis[3])
{
    const struct ring ring = face_ring(m, f);
    double least[2] = {INFINITY, INFINITY}, sum[2] = {0};
    for (int pass = 0; pass < 2 && m->dim == 3; pass++)
        for (int i = 0; i < ring.n; i++) {
            const double *a = m->vertex + 3 * (int64_t)ring_vertex(&ring, i);
            const double *b = m->vertex + 3 * (int64_t)ring_vertex(&ring, (i + 1) % ring.n);
            const double edge[3] = {b[0] - a[0], b[1] - a[1], b[2] - a[2]}, along = fabs(dot(edge, axis));
            const double square[2] = {dot(edge, edge) - along * along, dot(edge, edge)};
            for (int k = 0; k < 2 && along > 1e-6 * sqrt(square[1]); k++)
                if (pass == 0) least[k] = fmin(least[k], square[k]);
                else sum[k] += (square[k] - least[k]) * along / 12;
        }
    return 1.5 * fmax(sum[0], sum[1]);
}

/* The velocity at the face's centre; returns its flux through the face, *scale: speed times area. */
static double velocity_at(const struct mesh *m, const struct boundary_setting *set, const double axis[3], int32_t f,
                          double u[3], double *scale)
{
    double x[3] = {0}, flux = 0;
    for (int k = 0; k < m->dim; k++) x[k] = face_centre(m, k, f);
    turn(set, axis, x, u);
    for (int k = 0; k < m->dim; k++) flux += u[k] * face_vector(m->face_area, m, k, f);
    *scale = sqrt(dot(u, u)) * mesh_face_size(m, f);
    return flux;
}

static bool check_shape(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                        const double axis[3], struct error *e)
{
    double u[3], scale, largest = 0;
    for (int32_t f = patch->first; f < patch->first + patch->count; f++) {
        velocity_at(m, set, axis, f, u, &scale);
        largest = fmax(largest, scale);
    }
    for (int32_t f = patch->first; f < patch->first + patch->count; f++) {
        double flux = fabs(velocity_at(m, set, axis, f, u, &scale)), x[3] = {0};
        char at[100];
        if (flux <= ROUNDING * scale + 1e-9 * largest + facet_flux(m, f, axis)) continue;
        for (int k = 0; k < m->dim; k++) x[k] = face_centre(m, k, f);
        return refuse(e, EXIT_INPUT, "%s: the rotation of wall \"%s\" points through the wall around %s, with "
                      "%.2g %% of its speed; the wall must be a surface of revolution about the axis: correct "
                      "rotation.about or axis, or the mesh", case_place_text(set->rotation.speed.place), patch->name,
                      point_text(m, x, at), 100 * flux / scale);
    }
    return true;
}

bool boundary_rotation(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                       double *velocity, double *spin, struct error *e)
{
    const struct mesh *whole = mesh_whole(m);
    const int32_t n = patch->count + patch->copies;
    double axis[3];
    unit_axis(set, m->dim, axis);
    for (int32_t i = 0; i < n; i++) {
        double u[3], scale, square = 0;
        const int32_t f = patch->first + i;
        double flux = velocity_at(m, set, axis, f, u, &scale);
        for (int k = 0; k < m->dim; k++) square += pow(face_vector(m->face_area, m, k, f), 2);
        for (int k = 0; k < m->dim; k++)
            velocity[(int64_t)k * n + i] = u[k] - flux / square * face_vector(m->face_area, m, k, f);
        for (int k = 0; k < 3; k++) spin[(int64_t)k * n + i] = axis[k];
    }
    return check_shape(whole, &whole->patch[patch - m->patch], set, axis, e);
}
