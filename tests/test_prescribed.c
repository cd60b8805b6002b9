/* Prescribed velocities: the fluxes of every cell sum to zero within rounding, and agree with the formulas. */
#include <math.h>
#include "flow_fixture.h"
#include "interface/prescribed.h"

static const double PI = 3.14159265358979323846;
static const char *const field_name[] = {"vortex", "rotation", "shear", "deformation"};

static struct prescribed_setting settings(enum prescribed_field field, double period)
{
    return (struct prescribed_setting){.given = true, .field = field, .period = period};
}

static bool fits(enum prescribed_field field, int dim)
{
    return field == PRESCRIBED_ROTATION || (field == PRESCRIBED_VORTEX) == (dim == 2);
}

/* The velocity is the curl of the potential, by central differences. */
static void curls(void **state)
{
    (void)state;
    for (enum prescribed_field field = PRESCRIBED_VORTEX; field <= PRESCRIBED_DEFORMATION; field++)
        for (int i = 0; i < 50; i++) {
            double x[3], u[3], slope[3][3], h = 1e-4;
            for (int k = 0; k < 3; k++) x[k] = 0.5 + 0.9 * number(3 * i + k);
            if (field < PRESCRIBED_SHEAR) x[2] = 0;
            prescribed_velocity(field, 2.5, x, u);
            for (int j = 0; j < 3; j++) {
                double low[3], high[3], at[3];
                memcpy(at, x, sizeof at);
                at[j] = x[j] - h, prescribed_potential(field, 2.5, at, low);
                at[j] = x[j] + h, prescribed_potential(field, 2.5, at, high);
                for (int k = 0; k < 3; k++) slope[k][j] = (high[k] - low[k]) / (2 * h);
            }
            for (int k = 0; k < 3; k++) {
                int p = (k + 1) % 3, q = (k + 2) % 3;
                double curl = slope[q][p] - slope[p][q];
                if (fabs(curl - u[k]) > 3e-6)
                    fail_msg("%s: component %d is %g, curl %g", field_name[field], k, u[k], curl);
            }
        }
}

/* Sums of a cell's fluxes; face fluxes compared with u.S at the face centre, which is second-order accurate. */
static double check_fluxes(enum prescribed_field field, enum grid kind, int n, double distortion)
{
    struct mesh m;
    struct stencil s;
    struct error e;
    struct prescribed p;
    struct box_setting box = grid_box(kind, n, distortion);
    struct prescribed_setting c = settings(field, 2.0);
    grid_mesh(&m, kind, &box);
    assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
    stencil_create(&s, &m);
    if (!prescribed_create(&p, &c, &m, &s, &e)) fail_msg("%s", e.text);
    double *flux = device_alloc((size_t)s.n_faces * sizeof *flux, "flux"), *sum, worst = 0, largest = 0;
    prescribed_set(&p, 0.5, NULL, flux, NULL);
    double *f = FROM_DEVICE(flux, s.n_faces), factor = field == PRESCRIBED_ROTATION ? 1 : cos(PI * 0.25);
    NEW(sum, m.n_cells);
    for (int i = 0; i < m.n_faces; i++) {
        double x[3] = {0}, u[3], expected = 0, area = 0;
        sum[m.face_owner[i]] += f[i];
        if (i < m.n_internal) sum[m.face_neighbour[i]] -= f[i];
        for (int k = 0; k < m.dim; k++)
            x[k] = m.cell_centre[(int64_t)k * m.n_cells + m.face_owner[i]] + m.face_r[(int64_t)k * m.n_faces + i];
        prescribed_velocity(field, 2.0, x, u);
        for (int k = 0; k < m.dim; k++) {
            double S = m.face_area[(int64_t)k * m.n_faces + i];
            expected += factor * u[k] * S, area += S * S;
        }
        worst = fmax(worst, fabs(f[i] - expected) / sqrt(area)), largest = fmax(largest, fabs(f[i]));
    }
    for (int i = 0; i < m.n_cells; i++)
        if (!(fabs(sum[i]) <= 2e-15 * (1 + largest)))
            fail_msg("%s on %s: fluxes of cell %d sum up to %g", field_name[field], grid_name[kind], i, sum[i]);
    device_free(flux), free(f), free(sum);
    prescribed_free(&p), stencil_free(&s), mesh_free(&m);
    return worst;
}

static void fluxes(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (enum prescribed_field field = PRESCRIBED_VORTEX; field <= PRESCRIBED_DEFORMATION; field++) {
            if (!fits(field, grid_dim(kind))) continue;
            double coarse = check_fluxes(field, kind, 6, 0), fine = check_fluxes(field, kind, 12, 0);
            if (!(fine < 0.5 * coarse || fine < 1e-12) || fine > 0.3)
                fail_msg("%s on %s: fluxes differ from u.S by %g, %g on the finer mesh", field_name[field],
                         grid_name[kind], coarse, fine);
            assert_true(check_fluxes(field, kind, 6, 0.3) < 0.5);
        }
}

/* Cell and boundary values at a time; invalid combinations are rejected. */
static void values_and_refusals(void **state)
{
    (void)state;
    struct mesh m;
    struct stencil s;
    struct error e;
    struct prescribed p;
    struct box_setting box = grid_box(GRID_TRIANGLES, 6, 0.2);
    struct prescribed_setting c = settings(PRESCRIBED_VORTEX, 8.0);
    grid_mesh(&m, GRID_TRIANGLES, &box);
    assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
    stencil_create(&s, &m);
    assert_true(prescribed_create(&p, &c, &m, &s, &e));
    double *u = device_alloc((size_t)(2 * s.pitch) * sizeof *u, "u"),
           *flux = device_alloc((size_t)s.n_faces * sizeof *u, "flux"),
           *wall = device_alloc((size_t)(2 * s.n_boundary) * sizeof *u, "wall");
    prescribed_set(&p, 6.0, u, flux, wall);
    double *host = FROM_DEVICE(u, 2 * s.pitch), *host_wall = FROM_DEVICE(wall, 2 * s.n_boundary);
    for (int i = 0; i < m.n_cells; i++) {
        double x = m.cell_centre[i], y = m.cell_centre[m.n_cells + i], t = cos(0.75 * PI);
        assert_true(fabs(host[i] + t * sin(PI * x) * sin(PI * x) * sin(2 * PI * y)) < 1e-14);
        assert_true(fabs(host[s.pitch + i] - t * sin(2 * PI * x) * sin(PI * y) * sin(PI * y)) < 1e-14);
    }
    for (int i = 0; i < 2 * s.n_boundary; i++) assert_true(fabs(host_wall[i]) < 1e-14);     /* zero at the walls */
    device_free(u), device_free(flux), device_free(wall), free(host), free(host_wall);
    prescribed_free(&p);
    c = settings(PRESCRIBED_SHEAR, 3.0);
    assert_false(prescribed_create(&p, &c, &m, &s, &e));
    assert_non_null(strstr(e.text, "is a velocity in 3-D, but the mesh is 2-D"));
    c = settings(PRESCRIBED_ROTATION, 0);
    assert_false(prescribed_create(&p, &c, &m, &s, &e));
    assert_non_null(strstr(e.text, "prescribed.period is missing"));
    stencil_free(&s), mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curls), cmocka_unit_test(fluxes),
                                       cmocka_unit_test(values_and_refusals)};
    return RUN_TESTS("prescribed", tests);
}
