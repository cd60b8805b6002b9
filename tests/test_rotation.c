/* Walls that rotate: rigid rotation of the fluid, the torque on them, shapes that cannot rotate. */
#include "unsteady_fixture.h"
#include "run/monitor_kernels.h"

/* A square, in 3-D a cube, from -1 to 1 becomes a disc of radius 1, or a cylinder of height 1, about a point.
 * slide: the vertices move within the surface. */
static void disc_mesh(struct mesh *m, enum grid kind, int n, const double about[2], bool slide)
{
    struct error e;
    struct box_setting box = grid_box(kind, n, 0);
    for (int k = 0; k < 2; k++) box.from[k] = -1;
    memset(m, 0, sizeof *m);
    grid_mesh(m, kind, &box);
    for (int32_t i = 0; i < m->n_vertices; i++) {
        double *v = m->vertex + 3 * (int64_t)i, x = v[0], y = v[1];
        double px = x * sqrt(1 - y * y / 2), py = y * sqrt(1 - x * x / 2);
        double turn = slide ? 0.25 * sin(5 * v[2]) : 0;
        if (slide) v[2] += 0.03 * sin(2 * M_PI * v[2]) * cos(3 * atan2(py, px));
        v[0] = about[0] + cos(turn) * px - sin(turn) * py, v[1] = about[1] + sin(turn) * px + cos(turn) * py;
    }
    if (!mesh_complete(m, ORDERING_HILBERT, (int[]){0, 1, 2, 3, 4, 5}, 0, &e)) fail_msg("%s", e.text);
}

static void disc_text(char *text, size_t size, int dim, const char *about, double speed)
{
    static const char *const names[] = {"left", "right", "bottom", "top", "back", "front"};
    size_t n = (size_t)snprintf(text, size, "fluid = { density = 2.0; viscosity = 0.5; };\nboundary = {");
    for (int i = 0; i < 2 * dim; i++)
        n += (size_t)snprintf(text + n, size - n, " %s = { type = \"wall\"; rotation = { about = [%s%s]; speed = "
                              "%.17g; %s }; };\n", names[i], about, dim == 2 ? "" : ", 7.0", speed,
                              dim == 2 ? "" : "axis = [0.0, 0.0, 3.0];");
    snprintf(text + n, size - n, "};\nsolver = { algorithm = \"simplec\"; tolerance = 1e-9; };\n");
}

static double torque_on(struct trial *w, const double about[2])
{
    const int64_t n = w->f->s.n_boundary, dim = w->m.dim;
    int32_t *face;
    double *centre, *host, sum = 0, *force = device_alloc((size_t)(2 * dim * n) * sizeof(double), "forces");
    NEW(face, n), NEW(centre, dim * n), NEW(host, 2 * dim * n);
    for (int32_t i = 0; i < n; i++) {
        face[i] = i;
        for (int k = 0; k < dim; k++) centre[k * n + i] = face_centre(&w->m, k, w->m.n_internal + i);
    }
    int32_t *on_device = device_copy_of(face, (size_t)n * sizeof *face, "faces");
    double *places = device_copy_of(centre, (size_t)(dim * n) * sizeof *centre, "faces");
    flow_velocity_gradient(w->f);
    wall_force_of_faces(w->f, on_device, places, (int32_t)n, force, host);
    for (int64_t i = 0; i < n; i++)                     /* of the viscous part */
        sum += (centre[i] - about[0]) * host[(dim + 1) * n + i] - (centre[n + i] - about[1]) * host[dim * n + i];
    device_free(on_device), device_free(places), device_free(force);
    free(face), free(centre), free(host);
    return sum;
}

/* All walls turn together, and so does the fluid, without friction.  A wall of uniform velocity along each face would
 * have the torque 2 mu speed times the area. */
static void fluid_turns_with_its_walls(void **state)
{
    (void)state;
    static const double about[2] = {3, -2};
    for (int kind = 0; kind <= GRID_MIXED_3D; kind++) {
        struct trial w = {0};
        char text[2000];
        double worst = 0;
        bool flat = grid_dim(kind) == 2;
        disc_mesh(&w.m, kind, flat || kind == GRID_TETRAHEDRA ? 8 : 4, about, false);
        disc_text(text, sizeof text, w.m.dim, "3.0, -2.0", -0.75);
        trial_start(&w, text);
        const double speed = boundary_largest_speed(&w.m, &w.f->c->boundary, 0);
        assert_true(speed > 0.7 && speed < 0.7501);
        assert_true(trial_converge(&w) > 0);
        double *u = FROM_DEVICE(w.f->u, w.m.dim * w.f->s.pitch);
        for (int32_t c = 0; c < w.m.n_cells; c++) {
            double x = w.m.cell_centre[c] - about[0], y = w.m.cell_centre[w.m.n_all + c] - about[1];
            worst = fmax(worst, hypot(u[c] + -0.75 * y, u[w.f->s.pitch + c] - -0.75 * x));
        }
        free(u);
        double torque = torque_on(&w, about) / (2 * 0.5 * 0.75 * M_PI);
        print_message("%s: velocity within %.1e, torque %.1e\n", grid_name[kind], worst, torque);
        if (!(worst < (flat ? 0.005 : 0.03) && fabs(torque) < (flat ? 0.002 : kind == GRID_TETRAHEDRA ? 0.06 : 0.01)))
            fail_msg("not rigid");
        trial_close(&w);
    }
}

static void expect_fault(enum grid kind, bool round, const char *about, const char *part)
{
    static const double origin[2] = {0};
    struct error e;
    struct trial w = {0};
    struct box_setting box = grid_box(kind, 16, 0);
    char text[3000], whole[4000];
    if (round) disc_mesh(&w.m, kind, 16, origin, false);
    else {
        box.cells[2] = 2;
        grid_mesh(&w.m, kind, &box);
        if (!mesh_complete(&w.m, ORDERING_HILBERT, (int[]){0, 1}, 0, &e)) fail_msg("%s", e.text);
    }
    disc_text(text, sizeof text, w.m.dim, about, 1);
    snprintf(whole, sizeof whole, "mesh = { box = { cells = [1, 1]; }; };\n%s", text);
    case_of_text(&w.c, whole);
    if (simple_create(&w.simple, &w.c.flow, &w.m, &e)) fail_msg("%s about %s", grid_name[kind], about);
    if (!strstr(e.text, part)) fail_msg("the message does not say '%s':\n%s", part, e.text);
    mesh_free(&w.m);
    case_free(&w.c);
}

/* A square, and circles about other points. */
static void only_round_walls_rotate(void **state)
{
    (void)state;
    expect_fault(GRID_QUADS, false, "0.5, 0.5", "the rotation of wall \"left\" points through the wall around (0, ");
    expect_fault(GRID_TRIANGLES, true, "0.01, 0.0", "the wall must be a surface of revolution about the axis");
    expect_fault(GRID_HEXAHEDRA, false, "0.5, 0.5", "wall \"left\" points through the wall around (0, ");
    expect_fault(GRID_TETRAHEDRA, true, "0.1, 0.0", "the wall must be a surface of revolution about the axis");
    expect_fault(GRID_TETRAHEDRA, true, "0.009, 0.0", "the wall must be a surface of revolution about the axis");
}

/* Uneven facets of a cylinder are no reason to reject it. */
static void uneven_facets_rotate(void **state)
{
    (void)state;
    static const double origin[2] = {0};
    for (int n = 6; n <= 12; n += 6) {
        struct trial w = {0};
        char text[3000];
        disc_mesh(&w.m, GRID_TETRAHEDRA, n, origin, true);
        disc_text(text, sizeof text, 3, "0.0, 0.0", 1);
        trial_start(&w, text);
        trial_close(&w);
    }
}

/* The velocities after ten units of time, in n steps, while the wall turns to and fro. */
static double *swung(int n, int64_t *size)
{
    static const double origin[2] = {0};
    struct unsteady w = {0};
    struct transient_report r;
    char text[3000];
    size_t at = 0;
    static const char *const names[] = {"left", "right", "bottom", "top"};
    disc_mesh(&w.m, GRID_QUADS, 8, origin, false);
    at += (size_t)snprintf(text, sizeof text, "fluid = { density = 2.0; viscosity = 0.1; };\ntime = { end = 10.0; "
                           "step = %.17g; scheme = \"crank-nicolson\"; };\nsolver = { algorithm = \"piso\"; "
                           "pressure = { tolerance = 1e-9; }; velocity = { tolerance = 1e-9; }; };\nboundary = {",
                           10.0 / n);
    for (int i = 0; i < 4; i++)
        at += (size_t)snprintf(text + at, sizeof text - at, " %s = { type = \"wall\"; rotation = { about = [0.0, 0.0]; "
                               "speed = \"1 - cos(t)\"; }; };\n", names[i]);
    snprintf(text + at, sizeof text - at, "};\n");
    start_unsteady(&w, text);
    for (int i = 0; i < n; i++) transient_advance(&w.t, 10.0 / n, &r);
    *size = 2 * w.t.f.s.pitch;
    double *u = FROM_DEVICE(w.t.f.u, *size);
    close_unsteady(&w);
    return u;
}

static void speeds_of_rotation_are_of_second_order(void **state)
{
    (void)state;
    int64_t n;
    double *fine = swung(640, &n), error[2];
    for (int k = 0; k < 2; k++) {
        double *u = swung(40 << k, &n);
        error[k] = distance(u, fine, n);
        free(u);
    }
    free(fine);
    print_message("Crank-Nicolson: error %.2e, order %.2f\n", error[1], log2(error[0] / error[1]));
    assert_true(log2(error[0] / error[1]) > 1.8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fluid_turns_with_its_walls),
                                       cmocka_unit_test(only_round_walls_rotate),
                                       cmocka_unit_test(uneven_facets_rotate),
                                       cmocka_unit_test(speeds_of_rotation_are_of_second_order)};
    return RUN_TESTS("rotation", tests);
}
