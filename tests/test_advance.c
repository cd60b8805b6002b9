/* Advection of the interface: volume, bounds, accuracy. */
#include <inttypes.h>
#include <omp.h>
#include "interface_fixture.h"
#include "base/digest.h"
#include "assembly/gradient.h"
#include "interface/prescribed.h"

/* A uniform velocity: everywhere, and its fluxes. */
static void uniform(const struct two_fluids *t, const double v[3], double **u, double **grad, double **flux)
{
    int dim = t->m.dim;
    double *uh, *fh;
    NEW(uh, dim * t->s.pitch), NEW(fh, t->m.n_faces);
    for (int k = 0; k < dim; k++) {
        for (int32_t c = 0; c < t->m.n_cells; c++) uh[k * t->s.pitch + c] = v[k];
        for (int32_t f = 0; f < t->m.n_faces; f++) fh[f] += v[k] * t->m.face_area[(int64_t)k * t->m.n_faces + f];
    }
    *u = on_device(uh, dim * t->s.pitch), *flux = on_device(fh, t->m.n_faces);
    *grad = device_alloc((size_t)(dim * dim * t->s.pitch) * sizeof(double), "test");
    free(uh), free(fh);
}

/* A front that flows in on the left and out on the right stays unchanged, and the ledger contains the inflow; also for
 * a front that starts on grid lines, where no cell is cut. */
static void a_front_is_carried_exactly(void **state)
{
    (void)state;
    for (int g = 0; g < 4; g++) {
        struct two_fluids t;
        enum grid kind = g % 2 ? GRID_HEXAHEDRA : GRID_QUADS;
        struct box_setting box = grid_box(kind, 8, 0);
        double data[6] = {g < 2 ? 0.3 : 0.25, 0, 0, 1, 0, 0}, *u, *grad, *flux, *one;
        two_fluids_open(&t, kind, &box, half_space, data, 0);
        t.i.iterations = 30;
        interface_reconstruct(&t.i);
        uniform(&t, (double[3]){1, 0, 0}, &u, &grad, &flux);
        NEW(one, t.s.n_boundary);
        for (int32_t f = 0; f < t.s.n_boundary; f++) one[f] = 1;
        device_upload(t.i.inflow_fraction, one, (size_t)t.s.n_boundary * sizeof *one);
        for (int step = 0; step < 40; step++) {
            struct interface_summary r;
            interface_advance(&t.i, flux, u, grad, 0.011);
            interface_summarise(&t.i, &r);
            data[0] += 0.011;
            assert_true(fabs(r.volume - data[0]) < 1e-13 && fabs(r.volume_error) < 1e-14 && r.lowest >= 0 &&
                        r.highest <= 1);
            if (!(fabs(r.area - 1) < 1e-12))
                fail_msg("%s, step %d: area %.15g, %d cut", grid_name[box.dim == 2 ? 0 : 3], step, r.area, r.n_cut);
        }
        double *fraction = FROM_DEVICE(t.i.fraction, t.m.n_cells), worst = 0;
        for (int32_t c = 0; c < t.m.n_cells; c++)
            worst = fmax(worst, fabs(fraction[c] - part_of_cell(&t, c, half_space, data, 0)));
        assert_true(worst < 1e-12);
        free(fraction), free(one);
        device_free(u), device_free(grad), device_free(flux);
        two_fluids_close(&t);
    }
}

/* A step of a plane in that velocity, and of the same plane with the fluids exchanged: together they fill the cells, as
 * far as the planes of both are the same: in 3-D to single precision. */
static void both_fluids_are_carried_alike(void **state)
{
    (void)state;
    for (int k = 0; k < N_GRIDS; k++) {
        const struct box_setting box = grid_box(every_grid[k], 8, 0.1);
        double *part[2], worst = 0, moved = 0, *u, *grad, *flux, *start = NULL;
        struct two_fluids t;
        for (int i = 0; i < 2; i++) {
            const double way = i ? -1 : 1, data[6] = {0.51, 0.52, 0.47, way, 0.6 * way, 0.3 * way};
            two_fluids_open(&t, every_grid[k], &box, half_space, data, 0);
            sheared(&t, &u, &grad, &flux);
            interface_reconstruct(&t.i);
            if (!i) start = FROM_DEVICE(t.i.fraction, t.m.n_cells);
            interface_advance(&t.i, flux, u, grad, 0.04);
            part[i] = FROM_DEVICE(t.i.fraction, t.m.n_cells);
            device_free(u), device_free(grad), device_free(flux);
            if (!i) two_fluids_close(&t);
        }
        for (int32_t c = 0; c < t.m.n_cells; c++) {
            bool inside = true;
            for (int j = 0; j < t.m.dim; j++)
                inside &= fabs(t.m.cell_centre[(int64_t)j * t.m.n_cells + c] - 0.5) < 0.3;
            if (inside) worst = fmax(worst, fabs(part[0][c] + part[1][c] - 1));
            if (inside) moved = fmax(moved, fabs(part[0][c] - start[c]));
        }
        print_message("# %s: fractions change by %.2g, and add up to 1 to %.1e\n", grid_name[every_grid[k]], moved,
                      worst);
        if (!(worst < (t.m.dim == 2 ? 1e-12 : 1e-6) && moved > 0.01))
            fail_msg("%s: %g", grid_name[every_grid[k]], worst);
        free(part[0]), free(part[1]), free(start);
        two_fluids_close(&t);
    }
}

/* The flux of a flow is free of divergence only to the solver's tolerance: that creates no interface segments in full
 * or empty cells. */
static void no_wisps_from_an_inexact_flux(void **state)
{
    (void)state;
    struct two_fluids t;
    struct box_setting box = grid_box(GRID_QUADS, 16, 0);
    double data[6] = {0.3, 0, 0, 1, 0, 0}, *u, *grad, *flux;
    two_fluids_open(&t, GRID_QUADS, &box, half_space, data, 0);
    uniform(&t, (double[3]){0, 0, 0}, &u, &grad, &flux);
    double *f = FROM_DEVICE(flux, t.m.n_faces);
    uint32_t random = 1;
    for (int32_t k = 0; k < t.m.n_internal; k++)
        random = random * 1664525u + 1013904223u, f[k] = 1e-6 * (random / 4294967296.0 - 0.5);
    device_upload(flux, f, (size_t)t.m.n_faces * sizeof *f);
    for (int step = 0; step < 50; step++) {
        struct interface_summary r;
        interface_advance(&t.i, flux, u, grad, 0.1);
        interface_summarise(&t.i, &r);
        assert_true(fabs(r.volume_error) < 1e-14 && r.lowest >= 0 && r.highest <= 1);
        if (r.n_cut != 16) fail_msg("step %d: %d cut cells", step, r.n_cut);
    }
    free(f);
    device_free(u), device_free(grad), device_free(flux);
    two_fluids_close(&t);
}

/* Far from the interface a small remaining fraction has no interface segment, does not change the distance and is moved
 * to the interface; beside a full cell an equally small fraction has its segment. */
static void wisps_are_no_interface(void **state)
{
    (void)state;
    struct two_fluids t;
    struct box_setting box = grid_box(GRID_QUADS, 16, 0);
    double data[6] = {0.5, 0, 0, 1, 0, 0}, *u, *grad, *flux;
    two_fluids_open(&t, GRID_QUADS, &box, half_space, data, 0);
    struct interface wisps;
    int32_t changed[3] = {-1, -1, -1};                          /* inside, outside, at the interface */
    for (int32_t c = 0; c < t.m.n_cells; c++) {
        const double *x = t.m.cell_centre + c;
        if (fabs(x[t.m.n_cells] - 0.53125) > 1e-6) continue;
        if (fabs(x[0] - 0.28125) < 1e-6) changed[0] = c, t.fraction[c] = 1 - 1e-5;
        if (fabs(x[0] - 0.78125) < 1e-6) changed[1] = c, t.fraction[c] = 1e-5;
        if (fabs(x[0] - 0.53125) < 1e-6) changed[2] = c, t.fraction[c] = 1e-5;
    }
    assert_true(changed[0] >= 0 && changed[1] >= 0 && changed[2] >= 0);
    struct error e;
    assert_true(interface_create_with(&wisps, NULL, &t.m, &t.s, NULL, t.fraction, &e));
    uniform(&t, (double[3]){0, 0, 0}, &u, &grad, &flux);
    double *distance = FROM_DEVICE(wisps.distance, t.m.n_cells), *area = FROM_DEVICE(wisps.area, t.m.n_cells);
    for (int k = 0; k < 2; k++) assert_true(fabs(distance[changed[k]]) == wisps.far && area[changed[k]] == 0);
    assert_true(wisps.n_cut == 1 && area[changed[2]] > 0);
    struct interface_summary r;
    interface_advance(&wisps, flux, u, grad, 0.1);
    interface_summarise(&wisps, &r);
    double *after = FROM_DEVICE(wisps.fraction, t.m.n_cells);
    assert_true(after[changed[0]] == 1 && after[changed[1]] == 0 && after[changed[2]] > 0 &&
                fabs(r.volume_error) < 1e-15);
    free(distance), free(area), free(after);
    device_free(u), device_free(grad), device_free(flux);
    interface_free(&wisps);
    two_fluids_close(&t);
}

/* Two fluids that slip along a level interface, to the right below it and to the left above. */
static double speed_at(double y, double level) { return y < level ? 1 : -1; }

static void slip(const struct two_fluids *t, double level, double **u, double **grad, double **flux)
{
    const struct mesh *m = &t->m;
    double *uh, *fh, *bh;
    NEW(uh, 2 * t->s.pitch), NEW(fh, m->n_faces), NEW(bh, 2 * (int64_t)t->s.n_boundary);
    for (int32_t c = 0; c < m->n_cells; c++) uh[c] = 2 * t->fraction[c] - 1;
    for (int32_t f = 0; f < m->n_faces; f++) {
        double area = m->face_area[f],
               y = m->cell_centre[m->n_cells + m->face_owner[f]] + m->face_r[(int64_t)m->n_faces + f],
               part = area == 0 ? 0 : fmin(1, fmax(0, (level - y) / fabs(area) + 0.5));     /* below the level */
        fh[f] = area * (2 * part - 1);
        if (f >= m->n_internal) bh[f - m->n_internal] = speed_at(y, level);
    }
    *u = on_device(uh, 2 * t->s.pitch), *flux = on_device(fh, m->n_faces);
    *grad = device_alloc((size_t)(4 * t->s.pitch) * sizeof(double), "test");
    double *boundary = on_device(bh, 2 * (int64_t)t->s.n_boundary);
    gradient(&t->s, GRADIENT_LEAST_SQUARES, 2, *u, boundary, *grad, NULL);
    device_free(boundary);
    free(uh), free(fh), free(bh);
}

/* Rows of equilateral triangles, with lines of 1 / cells: squares cut in two, each row shifted by half a square. */
static void open_rows(struct two_fluids *t, int cells, const double *plane)
{
    static const int corner[6] = {0, 1, 2, 0, 2, 3};
    struct error e;
    struct mesh *m = &t->m;
    struct box_setting box = grid_box(GRID_QUADS, cells, 0);
    int32_t *vertex;
    grid_mesh(m, GRID_QUADS, &box);
    NEW(vertex, 6 * (int64_t)m->n_cells);
    for (int32_t k = 0; k < 6 * m->n_cells; k++) vertex[k] = m->cell_vertex[4 * (k / 6) + corner[k % 6]];
    free(m->cell_vertex), m->cell_vertex = vertex, m->n_cells *= 2;
    RESIZE(m->cell_type, m->n_cells), RESIZE(m->cell_start, m->n_cells + 1), RESIZE(m->cell_region, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++)
        m->cell_type[c] = CELL_TRIANGLE, m->cell_start[c + 1] = 3 * (c + 1), m->cell_region[c] = 0;
    for (int32_t v = 0; v < m->n_vertices; v++) {
        double *x = m->vertex + 3 * (int64_t)v;
        x[0] -= 0.5 * (x[1] - 0.5), x[1] *= sqrt(0.75);
    }
    if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    two_fluids_start(t, half_space, plane, 0);
}

/* The interface stays level where nothing from the inlets has reached it.  In a row of triangles, those on their base
 * and those on their tip have different velocity gradients, and yet each must pass on what it receives. */
static void fluids_that_slip_leave_the_interface_level(void **state)
{
    (void)state;
    for (int place = 0; place < 3; place++) {
        enum { CELLS = 24, STEPS = 3 };
        struct two_fluids t;
        double level = (0.5 + (0.2 + 0.3 * place) / CELLS) * sqrt(0.75), *u, *grad, *flux;
        open_rows(&t, CELLS, (double[6]){0, level, 0, 0, 1, 0});
        slip(&t, level, &u, &grad, &flux);
        for (int step = 0; step < STEPS; step++) interface_advance(&t.i, flux, u, grad, 0.1 / CELLS);
        double *fraction = FROM_DEVICE(t.i.fraction, t.m.n_cells), worst = 0;
        for (int32_t c = 0; c < t.m.n_cells; c++)
            if (fabs(t.m.cell_centre[c] - 0.5) < 0.1) worst = fmax(worst, fabs(fraction[c] - t.fraction[c]));
        if (!(worst < 1e-12)) fail_msg("place %d: a fraction changes by %g", place, worst);
        free(fraction);
        device_free(u), device_free(grad), device_free(flux);
        two_fluids_close(&t);
    }
}

struct run { uint64_t bits; double error, volume_error, low, high, redistributed; };

/* A ball carried there and back. */
static struct run there_and_back(enum grid kind, int n, enum prescribed_field field, const double ball_data[4],
                                 double period, int steps)
{
    struct two_fluids t;
    struct prescribed p;
    struct error e;
    const struct prescribed_setting given = {.given = true, .field = field, .period = period};
    struct box_setting box = grid_box(kind, n, 0);
    struct run r = {0};
    two_fluids_open(&t, kind, &box, ball, ball_data, kind <= GRID_MIXED_2D ? 10 : 6);
    if (!prescribed_create(&p, &given, &t.m, &t.s, &e)) fail_msg("%s", e.text);
    int dim = t.m.dim;
    double *u = device_alloc((size_t)(dim * t.s.pitch) * 8, "u"),
            *grad = device_alloc((size_t)(dim * dim * t.s.pitch) * 8, "grad");
    double *flux = device_alloc((size_t)t.m.n_faces * 8, "flux"),
            *boundary = device_alloc((size_t)(dim * t.s.n_boundary) * 8, "boundary");
    for (int step = 0; step < steps; step++) {
        struct interface_summary s;
        prescribed_set(&p, (step + 0.5) * period / steps, u, flux, boundary);
        gradient(&t.s, GRADIENT_LEAST_SQUARES, dim, u, boundary, grad, NULL);
        interface_advance(&t.i, flux, u, grad, period / steps);
        interface_summarise(&t.i, &s);
        r.volume_error = fmax(r.volume_error, fabs(s.volume_error)),
        r.redistributed = fmax(r.redistributed, fabs(s.redistributed));
        r.low = fmin(r.low, s.lowest), r.high = fmax(r.high, s.highest);
    }
    double *fraction = FROM_DEVICE(t.i.fraction, t.m.n_cells);
    for (int32_t k = 0; k < t.m.n_cells; k++) r.error += t.m.cell_volume[k] * fabs(fraction[k] - t.fraction[k]);
    r.bits = digest_add(DIGEST_START, fraction, (size_t)t.m.n_cells * sizeof *fraction);
    free(fraction);
    device_free(u), device_free(grad), device_free(flux), device_free(boundary);
    prescribed_free(&p);
    two_fluids_close(&t);
    return r;
}

static void check_run(const char *what, struct run r, double error)
{
    printf("# %s: L1 %.3e, volume error %.1e, redistributed %.1e\n", what, r.error, r.volume_error, r.redistributed);
    assert_true(r.low >= 0 && r.high <= 1);
    assert_true(r.volume_error < 1e-13);
    assert_true(r.redistributed < 1e-4);
    if (!(r.error < error)) fail_msg("%s: L1 %g, expected < %g", what, r.error, error);
}

static void a_disc_comes_back_from_a_vortex(void **state)
{
    (void)state;
    static const double disc[4] = {0.5, 0.75, 0, 0.15};
    check_run("quads 32, T = 2", there_and_back(GRID_QUADS, 32, PRESCRIBED_VORTEX, disc, 2, 160), 3e-3);
    check_run("triangles 24, T = 2", there_and_back(GRID_TRIANGLES, 24, PRESCRIBED_VORTEX, disc, 2, 200), 4e-3);
    check_run("quads 64, T = 8", there_and_back(GRID_QUADS, 64, PRESCRIBED_VORTEX, disc, 8, 1330), 0.01261);
}

static void a_ball_comes_back_from_a_shear(void **state)
{
    (void)state;
    static const double sphere[4] = {0.35, 0.35, 0.35, 0.15};
    check_run("hexahedra 16, T = 1", there_and_back(GRID_HEXAHEDRA, 16, PRESCRIBED_SHEAR, sphere, 1, 80), 4e-3);
    check_run("tetrahedra 8, T = 1", there_and_back(GRID_TETRAHEDRA, 8, PRESCRIBED_SHEAR, sphere, 1, 80), 8e-3);
}

/* Also printed, for comparison with a build with reversed lanes and with a GPU. */
static void bits_do_not_depend_on_the_threads(void **state)
{
    (void)state;
    static const double disc[4] = {0.5, 0.75, 0, 0.15}, sphere[4] = {0.35, 0.35, 0.35, 0.2};
    int threads = omp_get_max_threads();
    uint64_t first[2] = {0};
    for (int t = 1; t <= 3; t++) {
        omp_set_num_threads(t);
        uint64_t bits[2] = {there_and_back(GRID_TRIANGLES, 64, PRESCRIBED_VORTEX, disc, 1, 20).bits,
                            there_and_back(GRID_MIXED_3D, 18, PRESCRIBED_SHEAR, sphere, 1, 6).bits};
        if (t == 1) memcpy(first, bits, sizeof bits);
        assert_memory_equal(first, bits, sizeof bits);
    }
    omp_set_num_threads(threads);
    printf("# bits: %016" PRIx64 " %016" PRIx64 "\n", first[0], first[1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_front_is_carried_exactly),
                                       cmocka_unit_test(both_fluids_are_carried_alike),
        cmocka_unit_test(no_wisps_from_an_inexact_flux),
        cmocka_unit_test(wisps_are_no_interface),
        cmocka_unit_test(fluids_that_slip_leave_the_interface_level),
        cmocka_unit_test(a_disc_comes_back_from_a_vortex),
        cmocka_unit_test(a_ball_comes_back_from_a_shear),
        cmocka_unit_test(bits_do_not_depend_on_the_threads),
    };
    return RUN_TESTS("advance", tests);
}
