/* Transport of a quantity and viscous stress compared with exact solutions: sinks, cells with given values, variable
 * viscosity. */
#include "unsteady_fixture.h"
#include "assembly/transport.h"
#include "flow/scalar_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* ---------------------------------------------------------------- sinks and fixed cells */
struct problem {
    struct mesh m;
    struct stencil s;
    struct matrix a;
    double *x, *rhs, *flux;
    uint8_t *rule;
    double *value;
};

/* A box with given values on its left and right sides, zero gradient on the others, and no flow. */
static void open_problem(struct problem *p, enum grid kind, int n, double left, double right)
{
    struct error e;
    struct box_setting box = grid_box(kind, n, 0);
    memset(p, 0, sizeof *p);
    grid_mesh(&p->m, kind, &box);
    if (!mesh_complete(&p->m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    stencil_create(&p->s, &p->m);
    matrix_create(&p->a, &p->s.pattern);
    p->x = pattern_alloc(&p->s.pattern, 1, sizeof(double), "x");
    p->rhs = pattern_alloc(&p->s.pattern, 1, sizeof(double), "right-hand side");
    p->flux = device_alloc((size_t)p->s.n_faces * sizeof(double), "flux");
    uint8_t *rule;
    double *value;
    NEW(rule, p->s.n_boundary), NEW(value, p->s.n_boundary);
    for (int k = 0; k < p->m.n_patches; k++)
        for (int32_t f = p->m.patch[k].first; f < p->m.patch[k].first + p->m.patch[k].count; f++) {
            bool first = !strcmp(p->m.patch[k].name, "left"), last = !strcmp(p->m.patch[k].name, "right");
            rule[f - p->m.n_internal] = first || last ? RULE_VALUE : RULE_GRADIENT;
            value[f - p->m.n_internal] = first ? left : right;
        }
    p->rule = device_copy_of(rule, (size_t)p->s.n_boundary, "rules");
    p->value = device_copy_of(value, (size_t)p->s.n_boundary * sizeof *value, "values");
    free(rule), free(value);
}

static void close_problem(struct problem *p)
{
    device_free(p->x), device_free(p->rhs), device_free(p->flux), device_free(p->rule), device_free(p->value);
    matrix_free(&p->a), stencil_free(&p->s), mesh_free(&p->m);
}

/* The solution, on the host. */
static double *solve(struct problem *p, double diffusivity, const double *source, const double *sink,
                     const uint8_t *fixed)
{
    struct error e;
    struct linear_setting linear = {.method = METHOD_BICGSTAB, .preconditioner = PRECONDITIONER_JACOBI,
                                    .tolerance = 1e-14, .max_iterations = 5000};
    struct transport t = {.s = p->s, .a = p->a, .components = 1, .boundary = {.rule = p->rule, .value = p->value},
                          .diffusivity = diffusivity, .relaxation = 1, .x = p->x, .density = 1, .flux = p->flux,
                          .source = source, .sink = sink, .fixed = fixed, .rhs = p->rhs};
    transport_assemble(&t, CONVECTION_UPWIND);
    struct solver_setup setup = {.components = 1, .nonsymmetric = true};
    struct solver *solver = solver_create(&p->a, &linear, &setup, &e);
    if (!solver) fail_msg("%s", e.text);
    solver_solve(solver, &p->a, p->x, p->rhs);
    solver_free(solver);
    return FROM_DEVICE(p->x, p->s.pitch);
}

static double *cells_of(const struct problem *p, double value)
{
    double *x;
    NEW(x, p->s.pitch);
    for (int64_t i = 0; i < p->s.pitch; i++) x[i] = value;
    double *on = device_copy_of(x, (size_t)p->s.pitch * sizeof *x, "numbers");
    free(x);
    return on;
}

/* D x'' = k x between x = 1 at both sides: cosh(m (2 s - 1) / 2) / cosh(m / 2), m = sqrt(k / D). */
static double error_of_sink(enum grid kind, int n)
{
    struct problem p;
    const double k = 30, D = 2, m = sqrt(k / D);
    double worst = 0;
    open_problem(&p, kind, n, 1, 1);
    double *sink = cells_of(&p, k), *x = solve(&p, D, NULL, sink, NULL);
    for (int32_t c = 0; c < p.m.n_cells; c++)
        worst = fmax(worst, fabs(x[c] - cosh(m * (p.m.cell_centre[c] - 0.5)) / cosh(m / 2)));
    device_free(sink), free(x);
    close_problem(&p);
    return worst;
}

static void a_sink_is_of_second_order(void **state)
{
    (void)state;
    open_device();
    double coarse = error_of_sink(GRID_QUADS, 32), fine = error_of_sink(GRID_QUADS, 64);
    if (!(fine < 1e-3 && coarse > 3.7 * fine)) fail_msg("errors %g and %g", coarse, fine);
    device_close();
}

/* x = source / sink where nothing else acts, on every element type. */
static void a_sink_balances_a_source(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct problem p;
        open_problem(&p, (enum grid)kind, 4, 3.5, 3.5);
        double *source = cells_of(&p, 7), *sink = cells_of(&p, 2), *x = solve(&p, 0.1, source, sink, NULL);
        for (int32_t c = 0; c < p.m.n_cells; c++) assert_true(fabs(x[c] - 3.5) < 1e-11);
        device_free(source), device_free(sink), free(x);
        close_problem(&p);
    }
    device_close();
}

/* Cells left of 1/4 have the value 2; from there it is linear to 5 at the right side, without any influence of the left
 * side.  The same after a time step, which preserves fixed cells. */
static void fixed_cells_keep_their_value(void **state)
{
    (void)state;
    static const enum grid grids[] = {GRID_QUADS, GRID_HEXAHEDRA};
    open_device();
    for (int i = 0; i < 2; i++) {
        struct problem p;
        open_problem(&p, grids[i], 8, -100, 5);
        uint8_t *fixed;
        double *x;
        NEW(fixed, p.s.pitch), NEW(x, p.s.pitch);
        for (int32_t c = 0; c < p.m.n_cells; c++) fixed[c] = p.m.cell_centre[c] < 0.25, x[c] = fixed[c] ? 2 : 0;
        uint8_t *on = device_copy_of(fixed, (size_t)p.s.pitch, "fixed cells");
        device_upload(p.x, x, (size_t)p.s.pitch * sizeof *x);
        double *found = solve(&p, 0.3, NULL, NULL, on), from = 3 / 16.0;
        for (int32_t c = 0; c < p.m.n_cells; c++) {
            double exact = fixed[c] ? 2 : 2 + 3 * (p.m.cell_centre[c] - from) / (1 - from);
            if (!(fabs(found[c] - exact) < 1e-12))
                fail_msg("%s: %g, expected %g", grid_name[grids[i]], found[c], exact);
        }
        double *diagonal = FROM_DEVICE(p.a.diag, p.s.n_padded), *before = FROM_DEVICE(p.rhs, p.s.n_padded);
        struct transport_time_args time = {.s = p.s, .a = p.a, .components = 1, .t = {.c = 10, .h1 = 10, .old = p.x},
                                           .capacity = 1, .fixed = on, .rhs = p.rhs};
        transport_time(&time, p.s.n_cells);
        double *later = FROM_DEVICE(p.a.diag, p.s.n_padded), *after = FROM_DEVICE(p.rhs, p.s.n_padded);
        for (int32_t c = 0; c < p.m.n_cells; c++) {
            assert_true((later[c] == diagonal[c]) == fixed[c]);
            if (fixed[c]) assert_true(after[c] == before[c] && after[c] == 2 * diagonal[c]);
        }
        free(fixed), free(x), free(found), free(diagonal), free(before), free(later), free(after);
        device_free(on);
        close_problem(&p);
    }
    device_close();
}

/* ---------------------------------------------------------------- equation_step() */
#define AT_REST "fluid = { viscosity = 1.0; };\nboundary = { left = { type = \"wall\"; }; " \
                "right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; };%s };\n" \
                "scalars = { t = { diffusivity = 0.3; initial = 1; values = { %s }; }; };\n"

static void rest(char *text, size_t size, enum grid kind, const char *values)
{
    bool solid = grid_dim(kind) == 3;
    snprintf(text, size, AT_REST, solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", values);
}

static double *numbers_of(const struct flow *f, double value)
{
    double *on = flow_cells(f, 1, "numbers");
    fill(&(struct fill_args){.x = on, .value = value}, f->s.n_padded);
    return on;
}

/* Steady: source 7 and sink 2 give 3.5 between sides at that value. */
static void steady_sources(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct trial w;
        struct box_setting box = grid_box((enum grid)kind, 8, 0.2);
        char text[1500];
        double residual = 1;
        rest(text, sizeof text, (enum grid)kind, "left = 3.5; right = 3.5;");
        trial_open(&w, (enum grid)kind, &box, false, text);
        struct scalars *all = w.f->equation[0];
        struct equation q = scalar_as_equation(all->item, all->item->value, w.f->flux);
        double *source = numbers_of(w.f, 7), *sink = numbers_of(w.f, 2);
        q.source = source, q.sink = sink;
        for (int i = 0; i < 200 && residual > 1e-14; i++) equation_step(&q, &all->work, 0, false, &residual);
        double *x = FROM_DEVICE(q.x, w.m.n_cells);
        for (int32_t c = 0; c < w.m.n_cells; c++)
            if (!(fabs(x[c] - 3.5) < 1e-9)) fail_msg("%s: %g", grid_name[kind], x[c]);
        device_free(source), device_free(sink), free(x);
        trial_close(&w);
    }
    device_close();
}

/* Transient dx/dt = 7 - 2 x from 1, the same in all cells: exact with Euler's rule for the sink; fixed cells are
 * preserved. */
static void sources_in_time(void **state)
{
    (void)state;
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct unsteady w;
        struct box_setting box = grid_box((enum grid)kind, 4, 0.2);
        char text[1500];
        enum { STEPS = 20 };
        const double dt = 0.05;
        double exact = 1;
        rest(text, sizeof text, (enum grid)kind, "");
        strcat(text, "solver = { algorithm = \"piso\"; };\ntime = { end = 1.0; step = 0.05; };\n");
        open_unsteady(&w, (enum grid)kind, &box, 0, text);
        struct flow *f = &w.t.f;
        struct scalars *all = f->equation[0];
        struct equation q = scalar_as_equation(all->item, all->item->value, f->flux);
        double *source = numbers_of(f, 7), *sink = numbers_of(f, 2), *none = numbers_of(f, 0);
        uint8_t *fixed;
        NEW(fixed, f->s.pitch);
        q.source = source, q.sink = sink;
        for (int i = 0; i < STEPS; i++) {
            equation_step(&q, &all->work, dt, true, NULL);
            exact = (exact + 7 * dt) / (1 + 2 * dt);
        }
        double *x = FROM_DEVICE(q.x, w.m.n_cells);
        for (int32_t c = 0; c < w.m.n_cells; c++)
            if (!(fabs(x[c] - exact) < 1e-9)) fail_msg("%s: %.12g, expected %.12g", grid_name[kind], x[c], exact);
        for (int32_t c = 0; c < w.m.n_cells; c++) fixed[c] = w.m.cell_centre[c] < 0.4;
        q.fixed = device_copy_of(fixed, (size_t)f->s.pitch, "fixed cells"), q.sink = none;
        equation_step(&q, &all->work, dt, true, NULL);
        double *later = FROM_DEVICE(q.x, w.m.n_cells);
        for (int32_t c = 0; c < w.m.n_cells; c++)
            assert_true(fixed[c] ? fabs(later[c] - x[c]) < 1e-12 : later[c] > x[c] + 1e-3);
        device_free((void *)q.fixed), device_free(source), device_free(sink), device_free(none);
        free(fixed), free(x), free(later);
        close_unsteady(&w);
    }
    device_close();
}

/* ---------------------------------------------------------------- variable viscosity */
/* If the viscosity is 1 + b . x and the velocity A x, A of trace 0, the stress 2 mu sym(A) has the divergence 2 sym(A)
 * b, which a linear pressure balances.  (A A x, the contribution of convection, is a gradient only in 2-D: so the
 * density is small.) */
static const double A[3][3] = {{0.3, 0.7, -0.2}, {0.4, -0.5, 0.6}, {0.1, 0.2, 0.2}}, b[3] = {0.8, -0.4, 0.5};
static double slope(int i, int k, int dim) { return dim == 2 && i == k ? (i ? -0.3 : 0.3) : A[i][k]; }

static void set_exact(struct flow *f, const struct mesh *m)
{
    int dim = m->dim;
    int64_t n = f->s.n_boundary;
    double *velocity;
    NEW(velocity, dim * n);
    for (int32_t i = m->n_internal; i < m->n_faces; i++)
        for (int j = 0; j < dim; j++)
            for (int k = 0; k < dim; k++)
                velocity[j * n + i - m->n_internal] +=
                    slope(j, k, dim) * (m->cell_centre[(int64_t)k * m->n_all + m->face_owner[i]] +
                                        m->face_r[(int64_t)k * m->n_faces + i]);
    device_upload(f->b.velocity, velocity, (size_t)(dim * n) * sizeof *velocity);
    free(velocity);
}

/* The largest errors of velocity and pressure. */
static void measure(const struct flow *f, const struct mesh *m, double error[2])
{
    int dim = m->dim;
    double *u = FROM_DEVICE(f->u, dim * f->s.pitch), *p = FROM_DEVICE(f->p, m->n_cells), mean = 0;
    error[0] = error[1] = 0;
    for (int pass = 0; pass < 2; pass++)
        for (int32_t c = 0; c < m->n_cells; c++) {
            double off = p[c];
            for (int i = 0; i < dim; i++) {
                double x = m->cell_centre[(int64_t)i * m->n_all + c], exact = 0;
                for (int k = 0; k < dim; k++) {
                    off -= (slope(i, k, dim) + slope(k, i, dim)) * b[k] * x;
                    exact += slope(i, k, dim) * m->cell_centre[(int64_t)k * m->n_all + c];
                }
                error[0] = fmax(error[0], fabs(u[i * f->s.pitch + c] - exact));
            }
            if (pass) error[1] = fmax(error[1], fabs(off - mean));
            else mean += off / m->n_cells;
        }
    free(u), free(p);
}

static void solve_exact(enum grid kind, int cells, const char *algorithm, double error[2])
{
    const bool solid = grid_dim(kind) == 3, plane = !solid || kind == GRID_TETRAHEDRA;      /* faces, distorted too */
    const bool steps = strcmp(algorithm, "piso") == 0;
    struct box_setting box = grid_box(kind, cells, plane ? 0.1 : 0);
    const char *at = solid ? "velocity = [1, 1, 1]; }" : "velocity = [1, 1]; }";
    char text[1500];
    snprintf(text, sizeof text, "fluid = { density = 1e-12; viscosity = \"1 + %g*x + %g*y + %g*z\"; };\nboundary = { "
             "left = { type = \"inlet\"; %s; right = { type = \"inlet\"; %s; bottom = { type = \"inlet\"; %s; top = "
             "{ type = \"inlet\"; %s; %s%s%s%s };\nsolver = { algorithm = \"%s\"; };\n%s", b[0], b[1],
             solid ? b[2] : 0, at, at, at, at, solid ? "back = { type = \"inlet\"; " : "", solid ? at : "",
             solid ? "; front = { type = \"inlet\"; " : "", solid ? "velocity = [1, 1, 1]; };" : "", algorithm,
             steps ? "time = { end = 1.0; step = 1e-11; };\n" : "");
    if (steps) {
        struct unsteady w;
        struct transient_report r;
        open_unsteady(&w, kind, &box, 0, text);
        set_exact(&w.t.f, &w.m);
        for (int k = 0; k < 300; k++) transient_advance(&w.t, 1e-11, &r);
        measure(&w.t.f, &w.m, error);
        close_unsteady(&w);
        return;
    }
    struct trial w;
    struct simple_report r;
    trial_open(&w, kind, &box, false, text);
    set_exact(w.f, &w.m);
    for (int k = 0; k < (strcmp(algorithm, "coupled") == 0 ? 60 : 600); k++) simple_iterate(&w.simple, &r);
    measure(w.f, &w.m, error);
    trial_close(&w);
}

static void linear_flow_of_linear_viscosity(void **state)
{
    (void)state;
    static const char *const algorithms[] = {"simple", "simplec", "coupled", "piso"};
    open_device();
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int i = 0; i < 4; i++) {
            const int cells = grid_dim((enum grid)kind) == 3 ? 3 : 6;
            double coarse[2], fine[2];
            if (i != kind % 4 && !full_size()) continue;
            solve_exact((enum grid)kind, cells, algorithms[i], coarse);
            solve_exact((enum grid)kind, 2 * cells, algorithms[i], fine);
            if (!(fine[0] < fmax(0.36 * coarse[0], 1e-11) && fine[1] < fmax(0.7 * coarse[1], 1e-10)))
                fail_msg("%s, %s: velocity off by %g, then %g, pressure by %g, then %g", grid_name[kind],
                         algorithms[i], coarse[0], fine[0], coarse[1], fine[1]);
        }
    device_close();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_sink_is_of_second_order), cmocka_unit_test(a_sink_balances_a_source),
        cmocka_unit_test(fixed_cells_keep_their_value),
        cmocka_unit_test(steady_sources), cmocka_unit_test(sources_in_time),
        cmocka_unit_test(linear_flow_of_linear_viscosity)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
