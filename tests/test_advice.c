/* Advice for runs that diverge or stagnate.  tests/regression/messages.sh tests whole runs. */
#include "flow_fixture.h"
#include "run/advice.h"
#include "run/backflow.h"
#include "run/growth.h"
#include "run/standstill.h"
#include "gpu/device.h"

static const char steady[] =
    "fluid = { viscosity = 0.1; };\n"
    "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; }; right = { type = \"outlet\"; }; bottom = { "
    "type = \"wall\"; };"
    " top = { type = \"wall\"; }; };\nsolver = { %s };\n";

/* A normal situation of a case, and the case itself. */
static struct situation usual(struct flow_setting *c)
{
    *c = (struct flow_setting){.fluid.density = 1, .time.scheme = TIME_BDF2,
                               .solver = {.algorithm = ALGORITHM_PISO, .convection = CONVECTION_LINEAR_UPWIND,
                                          .relaxation_velocity = 0.9, .relaxation_pressure = 1}};
    return (struct situation){.c = c, .courant = 0.4, .step = 0.1, .wave_step = INFINITY,
                              .place = {.peclet = 1, .mesh = {.non_orthogonality_max = 10, .aspect_max = 2}}};
}

static void expect(const struct situation *s, int line, const char *text)
{
    struct advices a;
    advise(&a, s);
    assert_in_range(a.n, 1, MOST_ADVICE);
    if (line >= a.n || !strstr(a.line[line].text, text)) fail_msg("\"%s\" is not line %d of %d: %s", text, line, a.n,
        a.line[0].text);
}

static int count(const struct situation *s)
{
    struct advices a;
    advise(&a, s);
    return a.n;
}

static void nothing_unusual(void **state)
{
    (void)state;
    struct flow_setting c;
    struct situation s = usual(&c);
    expect(&s, 0, "nothing measured is unusual (Courant number 0.4, faces up to 10 degrees from orthogonal): set "
                  "time.courant = 0.2");
    assert_int_equal(count(&s), 1);
    c.solver.algorithm = ALGORITHM_SIMPLEC, c.solver.relaxation_velocity = 0.2, s.courant = 0;
    expect(&s, 0, "velocity and pressure are solved one after the other: set solver.algorithm = \"coupled\"");
    c.solver.algorithm = ALGORITHM_COUPLED;
    expect(&s, 0, "nothing measured is unusual (faces up to 10 degrees from orthogonal, cell Peclet number 1): a "
                  "finer mesh there");
}

static void of_transported_quantities(void **state)
{
    (void)state;
    struct flow_setting c;
    struct situation s = usual(&c);
    s.beyond = "temperature", s.place.peclet = 1e6;
    expect(&s, 0, "values beyond those at the boundaries: set solver.convection_temperature = \"bounded\"");
    assert_int_equal(count(&s), 1);
    s.beyond = "dye";
    expect(&s, 0, "set scalars.dye.convection = \"bounded\"");
    s.beyond_bounded = true;
    expect(&s, 0, "its scheme is bounded, so that a linear solver must have failed: set time.step = 0.05");
    c.solver.algorithm = ALGORITHM_TRANSIENT_CONDUCTION;
    expect(&s, 0, "a mesh of less oblique cells");
    assert_int_equal(count(&s), 1);
}

static void of_two_fluids(void **state)
{
    (void)state;
    struct flow_setting c;
    struct situation s = usual(&c);
    c.second_fluid = (struct second_fluid_setting){.given = true, .density = 1000, .viscosity = 1,
                                                    .surface_tension = 1};
    expect(&s, 0, "linear-upwind convection overshoots where the density jumps by a factor of 1000: set "
                  "solver.convection = \"van-leer\"");
    c.solver.convection = CONVECTION_VAN_LEER;
    expect(&s, 0, "nothing measured is unusual");
    s.courant = 0.7;
    expect(&s, 0, "set time.courant = 0.5");
    s.courant = 0.1, s.interface_courant = 0.8;
    expect(&s, 0, "the Courant number at the interface was 0.8: set time.interface_courant = 0.5");
    s.wave_step = 0.02;
    expect(&s, 0, "the step 0.1 is 5 times the limit of waves of a cell's size, 0.02: set time.capillary = 0.8");
}

static void of_the_mesh(void **state)
{
    (void)state;
    struct flow_setting c;
    struct situation s = usual(&c);
    s.place.mesh.skewness_max = 1.5;
    expect(&s, 0, "the skewness of faces near that cell is 1.5 (below 1 is usual)");
    s.place.mesh.skewness_max = 0, s.place.mesh.aspect_max = 500;
    expect(&s, 0, "cells around it are 500 times as long as wide");
    s.place.mesh.non_orthogonality_max = 40, s.place.mesh.aspect_max = 0;
    expect(&s, 0, "nothing measured is unusual");
    c.solver.algorithm = ALGORITHM_SIMPLEC;
    expect(&s, 0, "and 0 correctors leave the error growing: set solver.non_orthogonal_correctors = 1");
    c.solver.algorithm = ALGORITHM_PISO, s.place.mesh.non_orthogonality_max = 80;
    expect(&s, 0, "and 0 correctors leave the error growing: set solver.non_orthogonal_correctors = 1");
    c.solver.non_orthogonal_correctors = 2;
    expect(&s, 0, "set solver.non_orthogonal_correctors = 3");
    c.solver.non_orthogonal_correctors = 1;
    expect(&s, 0, "faces near that cell are 80 degrees from orthogonal: improve the mesh there");
    c.solver.accuracy = ACCURACY_STANDARD;
    expect(&s, 0, "too many for solver.accuracy = \"standard\": set solver.accuracy = \"high\"");
    s.slivers = 7;
    expect(&s, 0, "set solver.accuracy = \"high\"");          /* in time they hold */
    c.solver.algorithm = ALGORITHM_SIMPLEC;
    expect(&s, 0, "7 cells of the mesh are slivers, in which simplec's corrections overshoot: set solver.algorithm = "
           "\"simple\"");
}

static void the_likeliest_three(void **state)
{
    (void)state;
    struct flow_setting c;
    struct situation s = usual(&c);
    c.solver.convection = CONVECTION_CENTRAL;
    s.courant = 14, s.place.peclet = 180, s.place.mesh.skewness_max = 2, s.place.mesh.aspect_max = 900;
    assert_int_equal(count(&s), 3);
    expect(&s, 0, "the Courant number was 14 before the velocity grew: set time.courant = 1");
    expect(&s, 1, "central convection at a cell Peclet number of 180 in that cell: set solver.convection = "
                  "\"linear-upwind\"");
    expect(&s, 2, "skewness");
    s.refused = true;
    expect(&s, 0, "set solver.pressure.preconditioner = \"multigrid\"");
    assert_int_equal(count(&s), 1);
}

/* Steady runs that have used up their iterations. */
static void expect_mends(const struct situation *u, const char *const *text, int n)
{
    struct advices a = {0};
    advise_unconverged(&a, u);
    assert_int_equal(a.n, n);
    for (int i = 0; i < n; i++)
        if (!strstr(a.line[i].text, text[i])) fail_msg("line %d is not \"%s\": %s", i, text[i], a.line[i].text);
}
#define EXPECT_MENDS(u, ...) expect_mends(u, (const char *const[]){__VA_ARGS__}, \
                                          (int)(sizeof((const char *const[]){__VA_ARGS__}) / sizeof(const char *)))

static void mends_of_unconverged_runs(void **state)
{
    (void)state;
    struct flow_setting c;
    usual(&c);
    c.solver.algorithm = ALGORITHM_SIMPLEC, c.solver.tolerance = 1e-6;
    struct situation u = {.c = &c, .steps = 500, .residual = 1e-4, .decay = log(10) / 100, .angle = 20,
                          .place.peclet = 50};
    EXPECT_MENDS(&u, "it falls to a tenth in about 100 iterations: continue with --restart --set "
                 "solver.max_iterations=1100", "set solver.acceleration = 10", "set solver.algorithm = \"coupled\"");
    u.decay = log(10) / 5000;                                           /* too slowly to wait for */
    EXPECT_MENDS(&u, "set solver.acceleration = 10", "set solver.algorithm = \"coupled\"", "=46500");
    u.angle = 85, u.slivers = 7;
    EXPECT_MENDS(&u, "7 cells of the mesh are slivers", "set solver.acceleration = 10", "\"coupled\"");
    u.slivers = 0, c.solver.acceleration = 10;
    EXPECT_MENDS(&u, "\"coupled\"", "up to 85 degrees from orthogonal: set solver.non_orthogonal_correctors = 1",
                 "=49500");
    c.solver.algorithm = ALGORITHM_COUPLED, u.decay = NAN, u.angle = 0, u.steps = 3;
    EXPECT_MENDS(&u, "too few iterations to judge the residual: continue with --restart --set "
                 "solver.max_iterations=603");
    u.stands = true, u.residual = 2e-4;
    EXPECT_MENDS(&u, "set solver.convection = \"upwind\"", "set solver.tolerance = 4e-04");
    c.solver.algorithm = ALGORITHM_CONDUCTION, c.solver.relaxation_velocity = 0, u.stands = false;     /* no flow */
    EXPECT_MENDS(&u, "too few iterations to judge the residual");
    c.solver.algorithm = ALGORITHM_COUPLED, u.stands = true;
    const struct patch outlet = {.name = "out"};
    u.inflow = (struct inflow){&outlet, 0.1};
    EXPECT_MENDS(&u, "inflow through outlet \"out\" (10 % of the flow there)", "\"upwind\"", "4e-04");
    struct advices a = {0};                             /* the reason first, and no repeated advice */
    c.solver.algorithm = ALGORITHM_SIMPLEC, c.solver.acceleration = 0, u.inflow.through = NULL;
    advices_add(&a, 9, "because: set solver.acceleration = 10");
    advise_unconverged(&a, &u);
    assert_true(a.n == 3 && !strncmp(a.line[0].text, "because", 7) && !strstr(a.line[1].text, "acceleration"));
}

/* Courant numbers that rise as at a start, stay, and grow by a half per step at the end. */
static void courant_before_growth(void **state)
{
    (void)state;
    struct growth g = {0};
    double courant, interface_courant, now = 3;
    growth_before(&g, &courant, &interface_courant);
    assert_true(courant == 0);
    for (int i = 0; i < 400; i++) growth_add(&g, 3 + 0.1 * (i % 3), 2, 0.1);
    for (int i = 0; i < 30; i++) growth_add(&g, now *= 1.5, 2, 0.1);
    growth_before(&g, &courant, &interface_courant);
    assert_true(courant >= 3 && courant < 4.6 && interface_courant == 2);
    g.n = 0;
    for (int i = 0; i < 6; i++) growth_add(&g, pow(10, i - 1), 0, 1);          /* from the first step on: the third */
    growth_before(&g, &courant, &interface_courant);
    assert_true(courant == 10);
    growth_add(&g, NAN, 0, 1);
    growth_before(&g, &courant, &interface_courant);
    assert_true(courant == 10);
}

static void open_box(struct trial *w, double distortion, const char *solver)
{
    char text[1024];
    struct box_setting box = grid_box(GRID_QUADS, 8, distortion);
    snprintf(text, sizeof text, steady, solver);
    trial_open(w, GRID_QUADS, &box, false, text);
}

static int32_t cell_at(const struct mesh *m, double x, double y)
{
    for (int32_t c = 0; c < m->n_cells; c++) if (hypot(m->cell_centre[c] - x,
        m->cell_centre[m->n_cells + c] - y) < 0.02) return c;
    fail_msg("no cell at (%g, %g)", x, y);
    return 0;
}

/* The fastest cell of the newest finite velocity. */
static void where_it_is_fastest(void **state)
{
    (void)state;
    struct trial w;
    struct place p;
    open_box(&w, 0, "");
    int64_t stride = w.f->s.pitch;
    double *u, *broken = flow_cells(w.f, 2, "velocity");
    NEW(u, 2 * stride);
    int32_t cell = cell_at(&w.m, 0.9375, 0.5625);
    u[cell] = 30, u[stride + cell] = 40;
    device_upload(w.f->u, u, (size_t)(2 * stride) * sizeof *u);
    u[3] = NAN;
    device_upload(broken, u, (size_t)(2 * stride) * sizeof *u);
    const double *const velocity[] = {broken, w.f->u};
    place_of_fastest(&p, w.f, &w.m, velocity, 2, 0);
    assert_int_equal(p.cell, cell);
    assert_int_equal(p.age, 1);
    assert_true(p.speed == 50 && fabs(p.size - 0.125) < 1e-12 && fabs(p.peclet - 50 * 0.125 / 0.1) < 1e-9);
    assert_string_equal(p.outlet->name, "right");
    place_of_fastest(&p, w.f, &w.m, velocity, 2, 2);                    /* no faster than 2 */
    assert_true(fabs(p.peclet - 2 * 0.125 / 0.1) < 1e-9);
    place_of_fastest(&p, w.f, &w.m, velocity, 1, 2);
    assert_int_equal(p.cell, 3);
    assert_true(isnan(p.speed));
    free(u), device_free(broken);
    trial_close(&w);
}

/* Only the cells near a location: the worst of all cells is elsewhere. */
static void mesh_near_a_place(void **state)
{
    (void)state;
    struct trial w;
    struct mesh_quality all, near;
    double most = 0;
    uint8_t *mark;
    open_box(&w, 0.4, "");
    NEW(mark, w.m.n_cells);
    mesh_measure(&w.m, &all);
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        mark[c] = 1;
        mesh_measure_near(&w.m, mark, &near);
        assert_true(near.volume_total == w.m.cell_volume[c] && near.non_orthogonality_max <= all.non_orthogonality_max);
        most = fmax(most, near.non_orthogonality_max);
        mark[c] = 0;
    }
    assert_true(most == all.non_orthogonality_max && near.non_orthogonality_max < most);
    free(mark);
    trial_close(&w);
}

/* A quarter of the flow through the outlet is inflow, until everything grows a hundredfold with a larger share of
 * inflow. */
static void flow_through_an_outlet(void **state)
{
    (void)state;
    struct trial w;
    struct backflow b;
    struct place p = {0};
    double *flux;
    int right = 0;
    open_box(&w, 0, "");
    while (strcmp(w.m.patch[right].name, "right")) right++;
    const struct patch *patch = &w.m.patch[right];
    NEW(flux, w.m.n_faces);
    backflow_create(&b, &w.m);
    p.m = &w.m;
    assert_null(backflow_find(&b, &p).through);
    for (int step = 1; step <= 6; step++) {
        int part = step > 3 ? 2 : 1, much = step > 3 ? 100 : 1;
        for (int32_t i = 0; i < patch->count; i++) flux[patch->first + i] = 4 * i < part * patch->count ? -much : much;
        device_upload(w.f->flux, flux, (size_t)w.m.n_faces * sizeof *flux);
        backflow_look(&b, w.f, &w.m, step);
    }
    const struct inflow found = backflow_find(&b, &p);
    assert_true(found.through == patch && found.share == 0.25);
    for (int32_t i = 0; i < patch->count; i++) flux[patch->first + i] = -1;     /* an outlet that drives the flow */
    device_upload(w.f->flux, flux, (size_t)w.m.n_faces * sizeof *flux);
    for (int step = 1; step <= BACKFLOW_LOOKS; step++) backflow_look(&b, w.f, &w.m, step);
    assert_null(backflow_find(&b, &p).through);
    free(flux), backflow_free(&b);
    trial_close(&w);
}

/* Feeds n iterations whose residual is high at first and then falls by `factor` per iteration, while the velocity of a
 * cell changes as requested; returns the iteration at which stagnation is reported, or 0. */
static int64_t feed(struct standstill *s, struct trial *w, int n, double factor, double swing)
{
    int64_t said = 0, stride = w->f->s.pitch;
    double residual = 1e-2, *u;
    NEW(u, 2 * stride);
    for (int64_t i = 0; i < stride; i++) u[i] = 1;
    for (int i = 1; i <= n; i++, residual *= factor) {
        struct simple_report r = {.residual = {residual * (1 + 0.2 * sin(i)), 0.1 * residual, 0.5 * residual}};
        u[5] = 1 + 0.5 * swing * sin(0.3 * i);
        device_upload(w->f->u, u, (size_t)(2 * stride) * sizeof *u);
        standstill_add(s, &r);
        if (standstill_watch(s, n - i, i == n)) {
            if (said) fail_msg("said twice, after %lld and %d iterations", (long long)said, i);
            said = i;
        }
    }
    free(u);
    return said;
}

static void residuals_that_stand(void **state)
{
    (void)state;
    struct trial w;
    struct standstill s;
    for (int falls = 0; falls < 2; falls++) {
        open_box(&w, 0, "");
        standstill_create(&s, w.f, &w.m, 0);
        int64_t said = feed(&s, &w, 1500, falls ? 0.999 : 1, 0.4);
        assert_int_equal(said, falls ? 0 : 700);
        assert_int_equal(standstill_now(&s), !falls);
        if (!falls) {
            assert_int_equal(s.place.cell, 5);
            assert_true(s.to_and_fro && fabs(s.swing - 0.4) < 0.03 && fabs(s.share - 1.0 / 64) < 1e-12);
        }
        standstill_free(&s), trial_close(&w);
    }
    open_box(&w, 0, "");
    standstill_create(&s, w.f, &w.m, 0);
    assert_int_equal(feed(&s, &w, 599, 1, 0.4), 0);                             /* too few to tell */
    assert_false(standstill_now(&s));
    standstill_free(&s), trial_close(&w);
}

/* As a restart does it: a new one with the numbers of `from` that checkpoints contain. */
static void start_again(struct standstill *s, struct trial *w, const struct standstill *from)
{
    standstill_free(s), trial_close(w);
    open_box(w, 0, "");
    standstill_create(s, w->f, &w->m, 0);
    memcpy(s->kept, from->kept, (size_t)(2 * s->span * s->n_columns + 3) * sizeof *s->kept);
    s->starting = from->starting;
    standstill_restored(s);
}

/* While a flow starts, by 2 % in 100 iterations, its residual does not fall.  Restarted runs stagnate from the same
 * iteration on. */
static void a_flow_that_starts(void **state)
{
    (void)state;
    struct trial w, again;
    struct standstill s, restarted;
    double *u;
    open_box(&w, 0, ""), open_box(&again, 0, "");
    NEW(u, 2 * w.f->s.pitch);
    standstill_create(&s, w.f, &w.m, 0), standstill_create(&restarted, again.f, &again.m, 0);
    int64_t said = 0;
    for (int i = 1; i <= 6000; i++) {
        struct simple_report r = {.residual = {1e-2, 1e-3, 1e-3}};
        for (int32_t c = 0; c < w.f->s.n_cells; c++) u[c] = exp(2e-4 * (i < 4000 ? i : 4000));
        if ((i % 1000 == 777 && i < 5000) || i == 4150) start_again(&restarted, &again, &s);
        for (int k = 0; k < 2; k++)
            device_upload((k ? again.f : w.f)->u, u, (size_t)(2 * w.f->s.pitch) * sizeof *u);
        standstill_add(&s, &r), standstill_add(&restarted, &r);
        if (standstill_watch(&s, 6000 - i, i == 6000)) said = i;
        standstill_watch(&restarted, 6000 - i, i == 6000);
        assert_true(s.since == restarted.since && s.lowest == restarted.lowest);
        assert_false(i < 5000 && standstill_over(&s));
    }
    assert_true(said > 4000 && said <= 4300 && standstill_over(&s));
    free(u), standstill_free(&s), standstill_free(&restarted);
    trial_close(&w), trial_close(&again);
}

/* A conductivity that jumps makes the temperature's iteration oscillate, whatever the velocity does. */
static void a_conductivity_that_jumps(void **state)
{
    (void)state;
    struct trial w;
    struct standstill s;
    struct advices a = {0};
    open_box(&w, 0, "}; scalars = { dye = { diffusivity = \"dye < 0.5 ? 1 : 100\"; range = [0.0, 1.0]; "
             "values = { left = 1.0; right = 0.0; }; };");
    standstill_create(&s, w.f, &w.m, 0);
    for (int i = 1; i <= 800; i++) {
        struct simple_report r = {.residual = {0, 0, 0, i % 4 < 2 ? 0.5 : 0.05}};
        standstill_add(&s, &r), standstill_watch(&s, 800 - i, i == 800);
    }
    standstill_advise(&s, &a);
    assert_true(a.n > 0 && strstr(a.line[0].text, "diffusivity of dye"));
    standstill_free(&s), trial_close(&w);
}

/* A dye waits for the flow: while the flow has not converged, a residual of the dye that stays is no stagnation. */
static void a_scalar_that_waits(void **state)
{
    (void)state;
    struct trial w;
    struct standstill s;
    for (int converged = 0; converged < 2; converged++) {
        open_box(&w, 0, "}; scalars = { dye = { diffusivity = 1.0; values = { left = 1.0; }; };");
        standstill_create(&s, w.f, &w.m, 0);
        double flow = converged ? 0.5 * w.f->c->solver.tolerance : 1e-2;
        for (int i = 0; i < 700; i++, flow *= 0.999) {
            struct simple_report r = {.residual = {flow, flow, flow, 0.1}};
            w.f->worst_residual = flow;
            standstill_add(&s, &r);
        }
        assert_int_equal(s.n_columns, 4);
        assert_int_equal(standstill_now(&s), converged);
        standstill_free(&s), trial_close(&w);
    }
}

/* n iterations with this residual; is the run over?  After each, the restart data goes into another one, which must
 * give the same answer. */
static bool stall(struct standstill *s, struct standstill *restarted, int n, double residual)
{
    for (int i = 0; i < n; i++) {
        struct simple_report r = {.residual = {residual, residual, residual}};
        standstill_add(s, &r);
        memcpy(restarted->kept, s->kept, (size_t)(2 * s->span * s->n_columns + 3) * sizeof *s->kept);
        if (!standstill_over(s)) standstill_restored(restarted);
        assert_true(restarted->n == s->n || standstill_over(s));
        assert_true(standstill_over(s) || restarted->since == s->since);
    }
    return standstill_over(s);
}

/* A run ends after the case's number of iterations once residuals no longer fall to half of their value. */
static void stalled_runs_end(void **state)
{
    (void)state;
    struct trial w, other;
    struct standstill s, r;
    open_box(&w, 0, "stall_limit = 1000;"), open_box(&other, 0, "");
    standstill_create(&s, w.f, &w.m, 0), standstill_create(&r, other.f, &other.m, 0);
    assert_false(stall(&s, &r, 1299, 1e-2));
    assert_true(stall(&s, &r, 1, 1e-2));
    memcpy(r.kept, s.kept, (size_t)(2 * s.span * s.n_columns + 3) * sizeof *s.kept);
    r.f = w.f;                                              /* as a restart with this limit: it counts again from the
                                                               start */
    standstill_restored(&r);
    assert_true(r.n == 0 && !standstill_over(&r));
    standstill_free(&s);
    trial_close(&w);
    open_box(&w, 0, "stall_limit = 1000;");
    standstill_create(&s, w.f, &w.m, 0), r.f = other.f;
    assert_false(stall(&s, &r, 1200, 1e-2));
    assert_false(stall(&s, &r, 1000, 4e-3));                /* less than half: the count restarts there */
    assert_true(stall(&s, &r, 200, 4e-3));
    standstill_free(&s), standstill_free(&r);
    trial_close(&w), trial_close(&other);
}

/* n iterations whose residual starts here and falls by `factor` in each; after which of them has the run converged? */
static int settled_after(double residual, double factor, int n, const double *luck)
{
    struct trial w;
    struct standstill s;
    int after = 0;
    open_box(&w, 0, "tolerance = 1e-6;");
    standstill_create(&s, w.f, &w.m, 0);
    for (int i = 1; i <= n && !after; i++, residual *= factor) {
        const double now = luck && luck[i - 1] > 0 ? luck[i - 1] : residual;
        standstill_add(&s, &(struct simple_report){.residual = {now, 0.1 * now, 0.1 * now}});
        if (standstill_settled(&s)) after = i;
    }
    standstill_free(&s), trial_close(&w);
    return after;
}

/* Of residuals that fall by 1 % an iteration the error is a hundred times the last one. */
static void small_residuals_that_fall_slowly(void **state)
{
    (void)state;
    static const double once[8] = {[5] = 5e-7};
    assert_int_equal(settled_after(1e-2, 1e-9, 9, NULL), 2);        /* far below the tolerance at once */
    assert_int_equal(settled_after(1e-2, 0.1, 20, NULL), 8);        /* 1e-9; the last three are below it */
    int after = settled_after(1e-2, 0.99, 3000, NULL);              /* at 6e-8, not at 1e-6, after 918 */
    assert_int_equal(after, 1 + (int)ceil(log(6e-6) / log(0.99)));
    assert_int_equal(settled_after(5e-7, 1, 20, NULL), 4);          /* rounding, which stays below the tolerance */
    assert_int_equal(settled_after(2e-6, 1, 500, NULL), 0);
    assert_int_equal(settled_after(1e-3, 0.9, 8, once), 0);         /* a lucky one among others */
}

/* Residuals that swing by a factor of 5 about a slow fall: at the end of a swing the last ones seem to fall fast. */
static void small_residuals_that_swing(void **state)
{
    (void)state;
    enum { N = 400, PERIOD = 20 };
    double swinging[N], level = 1e-2;
    const double fall = 0.97;
    for (int i = 0; i < N; i++, level *= fall) swinging[i] = level * pow(5, cos(i * 2 * M_PI / PERIOD));
    const int after = settled_after(1, 1, N, swinging);
    assert_true(after > 0 && 1e-2 * pow(fall, after) / (1 - fall) < 6e-6);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_unusual), cmocka_unit_test(of_transported_quantities),
            cmocka_unit_test(of_two_fluids), cmocka_unit_test(of_the_mesh),
            cmocka_unit_test(the_likeliest_three), cmocka_unit_test(mends_of_unconverged_runs),
        cmocka_unit_test(courant_before_growth), cmocka_unit_test(where_it_is_fastest),
            cmocka_unit_test(mesh_near_a_place),
        cmocka_unit_test(flow_through_an_outlet), cmocka_unit_test(residuals_that_stand),
        cmocka_unit_test(a_flow_that_starts), cmocka_unit_test(a_conductivity_that_jumps),
        cmocka_unit_test(a_scalar_that_waits),
        cmocka_unit_test(stalled_runs_end), cmocka_unit_test(small_residuals_that_fall_slowly),
        cmocka_unit_test(small_residuals_that_swing)};
    return RUN_TESTS("advice", tests);
}
