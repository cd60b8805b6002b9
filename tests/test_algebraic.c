/* Algebraic advection of the interface beside the geometric one: bounds, volume, error of a disc that comes back. */
#include <math.h>
#include "flow_fixture.h"
#include "assembly/gradient.h"
#include "interface/interface.h"
#include "interface/prescribed.h"

struct outcome { double error, volume_error, low, high, redistributed; };

static double *array(int64_t n) { return device_alloc((size_t)(n + 1) * sizeof(double), "test"); }

/* A ball in a prescribed velocity and back, at Courant numbers (outflow dt / volume) of up to `courant`. */
static struct outcome run(enum interface_advection how, enum grid kind, int n, enum prescribed_field field,
                          double period, double courant)
{
    int dim = grid_dim(kind);
    struct shape_setting shape = {.name = "ball", .type = SHAPE_SPHERE, .centre = {0.5, 0.75}, .radius = 0.15,
                                  .length = dim, .copies = {1, 1, 1}};
    const struct shape_settings shapes = {&shape, 1};
    const struct interface_setting set = {.advection = how};
    const struct prescribed_setting given = {.given = true, .field = field, .period = period};
    const struct interface_inputs in = {.interface = &set};
    struct box_setting box = grid_box(kind, n, dim == 3 ? 0 : 0.1);
    struct outcome r = {.low = 1};
    struct mesh m;
    struct stencil s;
    struct interface i;
    struct prescribed p;
    struct error e;
    if (dim == 3) for (int k = 0; k < 3; k++) shape.centre[k] = 0.35;
    grid_mesh(&m, kind, &box);
    assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
    stencil_create(&s, &m);
    if (!prescribed_create(&p, &given, &m, &s, &e) || !interface_create(&i, &in, &shapes, &m, &s, NULL, &e))
        fail_msg("%s", e.text);
    double *u = array(dim * s.pitch), *grad = array(dim * dim * s.pitch), *flux = array(s.n_faces),
           *wall = array(dim * s.n_boundary);
    prescribed_set(&p, 0, u, flux, wall);
    double *f = FROM_DEVICE(flux, s.n_faces), *out, most = 0, *before = FROM_DEVICE(i.fraction, m.n_cells);
    NEW(out, m.n_cells);
    for (int k = 0; k < m.n_faces; k++) {
        out[m.face_owner[k]] += fmax(f[k], 0);
        if (k < m.n_internal) out[m.face_neighbour[k]] -= fmin(f[k], 0);
    }
    for (int k = 0; k < m.n_cells; k++) most = fmax(most, out[k] / m.cell_volume[k]);
    int steps = (int)ceil(period * most / courant);
    for (int k = 0; k < steps; k++) {
        struct interface_summary sum;
        prescribed_set(&p, (k + 0.5) * period / steps, u, flux, wall);
        gradient(&s, GRADIENT_LEAST_SQUARES, dim, u, wall, grad, NULL);
        interface_advance(&i, flux, u, grad, period / steps);
        interface_summarise(&i, &sum);
        r.volume_error = fmax(r.volume_error, fabs(sum.volume_error));
        r.redistributed = fmax(r.redistributed, fabs(sum.redistributed));
        r.low = fmin(r.low, sum.lowest), r.high = fmax(r.high, sum.highest);
    }
    double *after = FROM_DEVICE(i.fraction, m.n_cells);
    for (int k = 0; k < m.n_cells; k++) r.error += m.cell_volume[k] * fabs(after[k] - before[k]);
    free(f), free(out), free(before), free(after);
    device_free(u), device_free(grad), device_free(flux), device_free(wall);
    interface_free(&i), prescribed_free(&p), stencil_free(&s), mesh_free(&m);
    return r;
}

static void compare(enum grid kind, int n, enum prescribed_field field, double period, double most)
{
    struct outcome a = run(ADVECTION_ALGEBRAIC, kind, n, field, period, 0.5),
                   g = run(ADVECTION_GEOMETRIC, kind, n, field, period, 0.5);
    printf("# %s %d, period %g: L1 algebraic %.3e, geometric %.3e; volume error %.1e, redistributed %.1e\n",
           grid_name[kind], n, period, a.error, g.error, a.volume_error, a.redistributed);
    assert_true(a.low >= 0 && a.high <= 1);
    assert_true(a.volume_error < 1e-13);
    assert_true(a.redistributed < 1e-8);                /* the limiter leaves next to nothing outside of [0, 1] */
    if (!(a.error < most)) fail_msg("%s: L1 %g, expected < %g", grid_name[kind], a.error, most);
}

static void there_and_back(void **state)
{
    (void)state;
    compare(GRID_QUADS, 24, PRESCRIBED_VORTEX, 2, 1.5e-2);
    compare(GRID_TRIANGLES, 20, PRESCRIBED_VORTEX, 2, 1.5e-2);
    compare(GRID_MIXED_2D, 20, PRESCRIBED_VORTEX, 2, 1.5e-2);
    compare(GRID_HEXAHEDRA, 12, PRESCRIBED_SHEAR, 1, 1e-2);
    compare(GRID_TETRAHEDRA, 6, PRESCRIBED_SHEAR, 1, 2e-2);
}

/* Up to a Courant number of one the bounds hold. */
static void bounds_at_large_steps(void **state)
{
    (void)state;
    struct outcome r = run(ADVECTION_ALGEBRAIC, GRID_QUADS, 24, PRESCRIBED_VORTEX, 2, 0.95);
    assert_true(r.low >= 0 && r.high <= 1 && r.volume_error < 1e-13 && r.redistributed < 1e-8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(there_and_back), cmocka_unit_test(bounds_at_large_steps)};
    return RUN_TESTS("algebraic", tests);
}
