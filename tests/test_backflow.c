/* Transient backflow through outlets: jets, vortices. */
#include "unsteady_fixture.h"

#define OUTLET "{ type = \"outlet\"; };"

/* A box of 0.06 x 0.1, in 3-D a slab of two layers, whose top is a wall except for an inlet of 0.01 in its middle. */
static void open_jet(struct unsteady *w, enum grid kind, int across, const char *text)
{
    char whole[4096];
    struct error e;
    struct box_setting box = grid_box(kind, across, 0);
    box.cells[1] = across * 10 / 6, box.cells[2] = 2;
    box.from[0] = -0.03, box.to[0] = 0.03, box.to[1] = 0.1, box.to[2] = 0.12 / across;
    snprintf(whole, sizeof whole, "mesh = { box = { cells = [1, 1]; }; };\n%s", text);
    case_of_text(&w->c, whole);
    memset(&w->m, 0, sizeof w->m);
    grid_mesh(&w->m, kind, &box);
    int inlet = w->m.n_patches++;
    RESIZE(w->m.patch, w->m.n_patches);
    w->m.patch[inlet] = (struct patch){.name = "inlet"};
    for (int32_t i = 0; i < w->m.n_marked; i++) {
        int corners = (int)(w->m.marked_start[i + 1] - w->m.marked_start[i]), inside = 0;
        for (int64_t k = w->m.marked_start[i]; k < w->m.marked_start[i + 1]; k++)
            inside += fabs(w->m.vertex[3 * (int64_t)w->m.marked_vertex[k]]) < 0.005 + 1e-9;
        if (w->m.marked_patch[i] == 3 && inside == corners) w->m.marked_patch[i] = inlet;
    }
    if (!mesh_complete(&w->m, ORDERING_HILBERT, (int[]){0, 1, 2, 3, 4, 5, 6}, 0, &e) ||
        !transient_create(&w->t, &w->c.flow, &w->m, &e))
        fail_msg("%s", e.text);
}

/* A jet between outlets entrains the fluid around it; in the corners it enters along the wall and grew without limit
 * before BACKFLOW_TOTAL, to 100 within the time given here. */
static void jets_between_outlets(void **state)
{
    (void)state;
    static const struct { enum grid kind; int across; bool two; double end; const char *scheme; } row[] = {
        {GRID_TRIANGLES, 18, true, 0.2, "van-leer"}, {GRID_TETRAHEDRA, 12, true, 0.2, "van-leer"},
        {GRID_TRIANGLES, 18, false, 0.15, "van-leer"}, {GRID_TETRAHEDRA, 12, false, 0.05, "linear-upwind"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (!full_size() && (i == 1 || i == 2)) continue;           /* two fluids on triangles, one on tetrahedra */
        struct unsteady w;
        struct transient_report r;
        bool flat = grid_dim(row[i].kind) == 2;
        const char *zero = flat ? "" : ", 0.0";
        double most = 0;
        char text[2000], water[300];
        snprintf(water, sizeof water, "second_fluid = { density = 1000.0; viscosity = 0.001; };\nshapes = { water = { "
                 "type = \"box\"; from = [-0.005, 0.09%s]; to = [0.005, 0.11%s]; }; };\n", zero, flat ? "" : ", 0.1");
        snprintf(text, sizeof text, "fluid = { density = 1.2; viscosity = 1.8e-5; gravity = [0.0, %s%s]; };\n%s"
                 "boundary = { left = %s right = %s bottom = %s top = { type = \"wall\"; };\n"
                 "inlet = { type = \"inlet\"; velocity = [0.0, %s%s]; %s };\n%s};\n"
                 "time = { end = %g; step = 0.001; courant = 0.5; };\n"
                 "solver = { algorithm = \"piso\"; convection = \"%s\"; };\n", row[i].two ? "-9.81" : "0.0", zero,
                 row[i].two ? water : "", OUTLET, OUTLET, OUTLET, row[i].two ? "-1.0" : "-5.0", zero,
                 row[i].two ? "fraction = 1.0;" : "",
                 flat ? "" : "back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };\n", row[i].end,
                 row[i].scheme);
        open_jet(&w, row[i].kind, row[i].across, text);
        while (w.t.time < row[i].end * (1 - 1e-12) && most < 100) {
            transient_advance(&w.t, transient_choose_step(&w.t, row[i].end), &r);
            most = fmax(most, r.speed);
        }
        print_message("%s, %s: %lld steps to t = %g, fastest %.3g\n", grid_name[row[i].kind],
                      row[i].two ? "water into air" : "air", (long long)w.t.steps, w.t.time, most);
        if (!(most < (row[i].two ? 3 : 8))) fail_msg("%.3g at t = %g", most, w.t.time);
        close_unsteady(&w);
    }
}

static double energy(const struct unsteady *w)
{
    int64_t pitch = w->t.f.s.pitch;
    double *u = FROM_DEVICE(w->t.f.u, w->m.dim * pitch), sum = 0;
    for (int32_t c = 0; c < w->m.n_cells; c++)
        for (int k = 0; k < w->m.dim; k++) sum += 0.5 * w->m.cell_volume[c] * u[k * pitch + c] * u[k * pitch + c];
    free(u);
    return sum;
}

/* Vortices surrounded by outlets, with fluid at rest outside. */
static void open_vortices(struct unsteady *w, enum grid kind, int across, const char *convection, const char *time)
{
    struct box_setting box = grid_box(kind, across, 0);
    char text[1500];
    box.from[0] = -2.5, box.from[1] = -2, box.to[0] = 3, box.to[1] = 3.5, box.to[2] = 2, box.cells[2] = across / 4;
    snprintf(text, sizeof text, "fluid = { density = 1.3; viscosity = 1e-4; };\n"
             "boundary = { left = %s right = %s bottom = %s top = %s %s };\ninitial = { field = \"taylor-green\"; };\n"
             "time = { %s };\nsolver = { algorithm = \"piso\"; convection = \"%s\"; "
             "pressure = { tolerance = 1e-6; }; velocity = { tolerance = 1e-6; }; };\n", OUTLET, OUTLET, OUTLET,
             OUTLET, grid_dim(kind) == 2 ? "" : "back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };",
             time, convection);
    open_unsteady(w, kind, &box, 0, text);
}

/* No energy is generated.  With the given pressure as the static one it rose tenfold. */
static void vortices_lose_energy(void **state)
{
    (void)state;
    static const struct { enum grid kind; int across; const char *convection; } row[] = {
        {GRID_QUADS, 48, "central"}, {GRID_TRIANGLES, 24, "linear-upwind"}, {GRID_TRIANGLES, 24, "van-leer"},
        {GRID_HEXAHEDRA, 16, "central"}, {GRID_TETRAHEDRA, 12, "linear-upwind"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        if (!full_size() && i == 2) continue;
        struct unsteady w;
        struct transient_report r;
        open_vortices(&w, row[i].kind, row[i].across, row[i].convection, "end = 20.0; step = 0.05; courant = 0.5;");
        double first = energy(&w), least = first;
        while (w.t.time < 20 * (1 - 1e-12)) {
            transient_advance(&w.t, transient_choose_step(&w.t, 20), &r);
            double now = energy(&w);
            if (!(now < least * (1 + 1e-9))) fail_msg("from %.6g to %.6g at t = %g", least, now, w.t.time);
            least = now;
        }
        print_message("%s, %s: %.4f of the energy is left\n", grid_name[row[i].kind], row[i].convection, least / first);
        assert_true(least < 0.2 * first);
        close_unsteady(&w);
    }
}

/* The velocity [2 cells] at t = 1, the second half with this step, approached by smaller steps before. */
static double *vortices_at_1(double step, const char *scheme)
{
    struct unsteady w;
    struct transient_report r;
    char time[200];
    snprintf(time, sizeof time, "end = 1.0; step = 0.1; scheme = \"%s\";", scheme);
    open_vortices(&w, GRID_TRIANGLES, 16, "linear-upwind", time);
    while (w.t.time < 0.5 - 1e-9) transient_advance(&w.t, 1.0 / 512, &r);
    for (int i = 0; i < 2; i++) transient_advance(&w.t, step / 4, &r);
    transient_advance(&w.t, step / 2, &r);
    while (w.t.time < 1 - 1e-9) transient_advance(&w.t, step, &r);
    const int64_t n = w.t.f.s.n_cells, pitch = w.t.f.s.pitch;
    double *all = FROM_DEVICE(w.t.f.u, 2 * pitch), *u;
    NEW(u, 2 * n);
    for (int64_t i = 0; i < 2 * n; i++) u[i] = all[i / n * pitch + i % n];
    free(all);
    close_unsteady(&w);
    return u;
}

/* Compared with a small step, at Courant numbers of up to 0.2. */
static void order_in_time(void **state)
{
    (void)state;
    static const char *const schemes[] = {"bdf2", "crank-nicolson"};
    enum { CELLS = 2 * 16 * 16 };
    for (int k = 0; k < 2; k++) {
        double *exact = vortices_at_1(1.0 / 512, schemes[k]), error[2] = {0};
        for (int l = 0; l < 2; l++) {
            double *u = vortices_at_1(1.0 / (32 << l), schemes[k]);
            for (int64_t i = 0; i < 2 * CELLS; i++) error[l] += (u[i] - exact[i]) * (u[i] - exact[i]) / CELLS;
            error[l] = sqrt(error[l]);
            free(u);
        }
        free(exact);
        print_message("%s: %.2e, %.2e, order %.2f\n", schemes[k], error[0], error[1], log2(error[0] / error[1]));
        assert_true(log2(error[0] / error[1]) > 1.8);
    }
}

/* A uniform stream that a total pressure maintains stays as it starts, in steps of any length: the dynamic pressure
 * at the start is that of its velocity. */
static void a_stream_goes_on(void **state)
{
    (void)state;
    open_device();
    for (int i = 0; i < 4; i++) {
        struct unsteady w;
        struct transient_report r;
        struct box_setting box = grid_box(i < 2 ? GRID_QUADS : GRID_TRIANGLES, 4, 0);
        const double dt = i % 2 ? 100 : 0.1;
        open_unsteady(&w, i < 2 ? GRID_QUADS : GRID_TRIANGLES, &box, 0,
                      "fluid = { density = 2.0; viscosity = 1.0; };\nboundary = { left = { type = \"inlet\"; "
                      "total_pressure = 9.0; }; right = { type = \"outlet\"; }; bottom = { type = \"slip\"; }; top = { "
                      "type = \"slip\"; }; };\ninitial = { velocity = [3.0, 0.0]; pressure = 0.0; };\n"
                      "time = { end = 300.0; step = 1.0; scheme = \"euler\"; };\nsolver = { algorithm = \"piso\"; "
                      "pressure = { tolerance = 1e-10; }; velocity = { tolerance = 1e-10; }; };\n");
        for (int k = 0; k < 3; k++) transient_advance(&w.t, dt, &r);
        close_unsteady(&w);
        if (!(fabs(r.speed - 3) < 1e-6)) fail_msg("run %d: the largest velocity is %.9g instead of 3", i, r.speed);
    }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(jets_between_outlets), cmocka_unit_test(vortices_lose_energy),
                                       cmocka_unit_test(order_in_time), cmocka_unit_test(a_stream_goes_on)};
    return RUN_TESTS("backflow", tests);
}
