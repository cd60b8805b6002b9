/* Prescribed velocity fields and their exact face fluxes (prescribed.h). */
#include "interface/prescribed.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "mesh/rings.h"

void prescribed_velocity(enum prescribed_field field, double period, const double x[3], double u[3])
{
    double s[3], s2[3], rx = x[0] - 0.5, ry = x[1] - 0.5, r = hypot(rx, ry);
    for (int k = 0; k < 3; k++) s[k] = sin(M_PI * x[k]) * sin(M_PI * x[k]), s2[k] = sin(2 * M_PI * x[k]);
    u[0] = u[1] = u[2] = 0;
    switch (field) {
    case PRESCRIBED_VORTEX: u[0] = -s[0] * s2[1], u[1] = s2[0] * s[1]; break;
    case PRESCRIBED_ROTATION: u[0] = 2 * M_PI / period * ry, u[1] = -2 * M_PI / period * rx; break;
    case PRESCRIBED_SHEAR:
        u[0] = 2 * s[0] * s2[1] * s2[2], u[1] = -s2[0] * s[1] * s2[2], u[2] = -s2[0] * s2[1] * s[2];
        break;
    case PRESCRIBED_DEFORMATION: u[0] = s[0] * s2[1], u[1] = -s2[0] * s[1], u[2] = (1 - 2 * r) * (1 - 2 * r); break;
    }
}

/* The vector potential a, u = curl a. */
void prescribed_potential(enum prescribed_field field, double period, const double x[3], double a[3])
{
    double s[3], s2[3], c2[3], rx = x[0] - 0.5, ry = x[1] - 0.5, r = hypot(rx, ry);
    for (int k = 0; k < 3; k++)
        s[k] = sin(M_PI * x[k]) * sin(M_PI * x[k]), s2[k] = sin(2 * M_PI * x[k]), c2[k] = cos(2 * M_PI * x[k]);
    a[0] = a[1] = a[2] = 0;
    switch (field) {
    case PRESCRIBED_VORTEX: a[2] = -s[0] * s[1] / M_PI; break;
    case PRESCRIBED_ROTATION: a[2] = M_PI / period * r * r; break;
    case PRESCRIBED_SHEAR:
        a[1] = (2 * s[0] * s2[1] * c2[2] + c2[0] * s2[1]) / (4 * M_PI);
        a[2] = -(2 * s[0] * c2[1] * s2[2] + c2[0] * s2[2]) / (4 * M_PI);
        break;
    case PRESCRIBED_DEFORMATION: {
        double turn = 0.5 - 4 * r / 3 + r * r;          /* integral of w r dr, over r^2 */
        a[0] = -turn * ry, a[1] = turn * rx, a[2] = s[0] * s[1] / M_PI;
        break;
    }
    }
}

/* Integral of the potential along the edge from vertex v to w, by Gauss's rule with six points, always from the lower
 * number to the higher, so that both directions give the same bits. */
static double along_edge(const struct prescribed *p, const struct mesh *m, int32_t v, int32_t w)
{
    static const double at[3] = {0.2386191860831969, 0.6612093864662645, 0.9324695142031521};
    static const double weight[3] = {0.4679139345726910, 0.3607615730481386, 0.1713244923791704};
    const double *from = m->vertex + 3 * (int64_t)(v < w ? v : w), *to = m->vertex + 3 * (int64_t)(v < w ? w : v);
    double sum = 0;
    for (int i = 0; i < 6; i++) {
        double x[3], a[3], s = 0.5 + 0.5 * (i % 2 ? at[i / 2] : -at[i / 2]);
        for (int k = 0; k < 3; k++) x[k] = from[k] + s * (to[k] - from[k]);
        prescribed_potential(p->field, p->period, x, a);
        for (int k = 0; k < 3; k++) sum += 0.5 * weight[i / 2] * a[k] * (to[k] - from[k]);
    }
    return v < w ? sum : -sum;
}

static double face_flux(const struct prescribed *p, const struct mesh *m, int32_t f)
{
    double first[3], last[3], sum = 0;
    const struct ring ring = face_ring(m, f);
    if (ring.n == 2) {
        prescribed_potential(p->field, p->period, ring_corner(m, &ring, 0), first);
        prescribed_potential(p->field, p->period, ring_corner(m, &ring, 1), last);
        return last[2] - first[2];
    }
    for (int i = 0; i < ring.n; i++) sum += along_edge(p, m, ring_vertex(&ring, i), ring_vertex(&ring, i + 1));
    return sum;
}

static void fill_arrays(struct prescribed *p, const struct mesh *m, const struct stencil *s)
{
    double *u, *flux, *boundary;
    NEW(u, p->n_u), NEW(flux, p->n_faces), NEW(boundary, p->n_boundary);
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x[3] = {0}, value[3];
        for (int k = 0; k < m->dim; k++) x[k] = m->cell_centre[(int64_t)k * m->n_all + c];
        prescribed_velocity(p->field, p->period, x, value);
        for (int k = 0; k < m->dim; k++) u[k * s->pitch + c] = value[k];
    }
    #pragma omp parallel for schedule(static)
    for (int32_t f = 0; f < m->n_faces; f++) {
        double x[3] = {0}, value[3];
        flux[f] = face_flux(p, m, f);
        if (f < m->n_internal) continue;
        for (int k = 0; k < m->dim; k++) x[k] = face_centre(m, k, f);
        prescribed_velocity(p->field, p->period, x, value);
        for (int k = 0; k < m->dim; k++) boundary[(int64_t)k * s->n_boundary + f - m->n_internal] = value[k];
    }
    p->u = device_copy_of(u, (size_t)p->n_u * sizeof *u, "prescribed velocity");
    p->flux = device_copy_of(flux, (size_t)p->n_faces * sizeof *flux, "prescribed flux");
    p->boundary = device_copy_of(boundary, (size_t)p->n_boundary * sizeof *boundary, "prescribed boundary velocity");
    free(u), free(flux), free(boundary);
}

bool prescribed_check(const struct prescribed_setting *c, int dim, struct error *e)
{
    static const struct { bool in_2d, in_3d; } fields[N_PRESCRIBED_FIELDS] = {
        [PRESCRIBED_VORTEX] = {true, false}, [PRESCRIBED_ROTATION] = {true, true}, [PRESCRIBED_SHEAR] = {false, true},
        [PRESCRIBED_DEFORMATION] = {false, true}};
    if (!(dim == 2 ? fields[c->field].in_2d : fields[c->field].in_3d))
        return refuse(e, EXIT_INPUT, "%s: prescribed.field = \"%s\" is a velocity in %d-D, but the mesh is %d-D; "
                      "expected %s", case_place_text(c->place), prescribed_field_words[c->field], 5 - dim, dim,
                      dim == 2 ? "\"vortex\" or \"rotation\"" : "\"rotation\", \"shear\" or \"deformation\"");
    if (c->field == PRESCRIBED_ROTATION && !(c->period > 0))
        return refuse(e, EXIT_INPUT, "%s: prescribed.period is missing: field \"rotation\" makes one turn in it; "
                      "expected a time > 0", case_place_text(c->place));
    return true;
}

bool prescribed_create(struct prescribed *p, const struct prescribed_setting *c, const struct mesh *m,
                       const struct stencil *s, struct error *e)
{
    *p = (struct prescribed){.field = c->field, .period = c->period, .n_u = s->dim * s->pitch,
                             .n_faces = s->n_faces, .n_boundary = (int64_t)s->dim * s->n_boundary};
    if (!prescribed_check(c, m->dim, e)) return false;
    fill_arrays(p, m, s);
    return true;
}

void prescribed_set(const struct prescribed *p, double t, double *u, double *flux, double *boundary_velocity)
{
    double factor = p->period > 0 && p->field != PRESCRIBED_ROTATION ? cos(M_PI * t / p->period) : 1;
    struct combine_args a = {flux, factor, p->flux, 0, p->flux};
    combine(&a, p->n_faces);
    a.x = u, a.y = a.z = p->u;
    if (u) combine(&a, p->n_u);
    a.x = boundary_velocity, a.y = a.z = p->boundary;
    if (boundary_velocity && p->n_boundary) combine(&a, p->n_boundary);
}

void prescribed_free(struct prescribed *p)
{
    device_free(p->u), device_free(p->flux), device_free(p->boundary);
    memset(p, 0, sizeof *p);
}
