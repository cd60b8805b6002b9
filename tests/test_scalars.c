/* Passive scalars: conduction is exact on every kind of cell, convection and diffusion are second-order accurate,
 * amounts are conserved to rounding, bounded schemes are bounded, in one fluid and in one of two. */
#include "run_fixture.h"
#include "unsteady_fixture.h"
#include "flow/scalar.h"

static struct scalar *scalar_of(struct flow *f, int i)
{
    for (int k = 0; k < MOST_EQUATIONS; k++) if (f->equation[k]) return &((struct scalars *)f->equation[k])->item[i];
    fail_msg("there are no scalars");
    return NULL;
}

static double centre(const struct mesh *m, int k, int32_t c)
{
    return k < m->dim ? m->cell_centre[(int64_t)k * m->n_cells + c] : 0;
}

#define WALLS_2D "boundary = { top = { type = \"wall\"; velocity = [1.0, 0.0]; }; " \
                 "left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; };\n"

/* ---------------------------------------------------------------- conduction */
/* From 1 at the left to 3 at the right through a fluid at rest. */
static void conduction_is_linear(void **state)
{
    (void)state;
    static const char *const scheme[] = {"linear-upwind", "limited"};
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int k = 0; k < 2; k++) {
            struct trial w;
            struct simple_report r;
            char text[1000];
            bool solid = grid_dim((enum grid)kind) == 3;
            struct box_setting box = grid_box((enum grid)kind, solid ? 4 : 6, kind == GRID_TETRAHEDRA ? 0.1 : 0.2);
            double worst = 0;
            snprintf(text, sizeof text, "fluid = { viscosity = 1.0; };\nboundary = { left = { type = \"wall\"; }; "
                     "right = { type = \"wall\"; }; bottom = { type = \"symmetry\"; }; top = { type = \"wall\"; "
                     "};%s };\nscalars = { t = { diffusivity = 0.7; convection = \"%s\"; values = { left = 1.0; "
                     "right = 3.0; }; }; };\n",
                     solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", scheme[k]);
            trial_open(&w, (enum grid)kind, &box, false, text);
            for (int i = 0; i < 3000 && (i < 10 || r.residual[w.m.dim + 1] > 1e-15); i++) simple_iterate(&w.simple, &r);
            double *x = FROM_DEVICE(scalar_of(w.f, 0)->x, w.f->s.n_padded);
            for (int32_t c = 0; c < w.m.n_cells; c++) worst = fmax(worst, fabs(x[c] - 1 - 2 * centre(&w.m, 0, c)));
            print_message("# %s, %s: largest error %.1e\n", grid_name[kind], scheme[k], worst);
            if (worst > 1e-12) fail_msg("%s, %s: error %g", grid_name[kind], scheme[k], worst);
            free(x);
            trial_close(&w);
        }
}

/* ---------------------------------------------------------------- second order */
static const double stream[3] = {1, 0.5, 0.25};
enum { STEEPNESS = 2 };
/* exp(k u.x) satisfies u . grad x = D lap x with D = 1 / k. */
static double exact(const double *x)
{
    return exp(STEEPNESS * (stream[0] * x[0] + stream[1] * x[1] + stream[2] * x[2]));
}

static void impose(struct scalar *q, const struct flow *f, const struct mesh *m)
{
    int32_t n = f->s.n_boundary;
    double *value;
    uint8_t *rule, *none;
    NEW(value, n), NEW(rule, n), NEW(none, n);
    for (int32_t b = 0; b < n; b++) {
        double x[3] = {0};
        for (int k = 0; k < m->dim; k++)
            x[k] = centre(m, k, m->face_owner[m->n_internal + b]) +
                   m->face_r[(int64_t)k * m->n_faces + m->n_internal + b];
        value[b] = exact(x), rule[b] = RULE_VALUE;
    }
    device_upload(q->value, value, (size_t)n * sizeof *value);
    device_upload(q->rule, rule, (size_t)n), device_upload(q->entering, none, (size_t)n);
    free(value), free(rule), free(none);
}

static double steady_error(enum grid kind, int cells, const char *scheme)
{
    struct trial w;
    struct simple_report r = {0};
    char text[1500];
    bool solid = grid_dim(kind) == 3;
    const char *x_of = solid ? "\"exp(2*(x + 0.5*y + 0.25*z))\"" : "\"exp(2*(x + 0.5*y))\"";
    const char *at = solid ? "type = \"inlet\"; velocity = [1.0, 0.5, 0.25];"
                           : "type = \"inlet\"; velocity = [1.0, 0.5];";
    struct box_setting box = grid_box(kind, cells, kind == GRID_TETRAHEDRA ? 0.1 : 0.2);
    int n = snprintf(text, sizeof text, "fluid = { viscosity = 1.0; };\ninitial = { velocity = [1.0, 0.5%s]; };\n"
                     "boundary = { left = { %s }; right = { %s }; bottom = { %s }; top = { %s };",
                     solid ? ", 0.25" : "", at, at, at, at);
    if (solid) n += snprintf(text + n, sizeof text - (size_t)n, " back = { %s }; front = { %s };", at, at);
    n += snprintf(text + n, sizeof text - (size_t)n, " };\nscalars = { t = { diffusivity = %g; convection = \"%s\"; "
                  "values = { left = %s; right = %s; bottom = %s; top = %s;", 1.0 / STEEPNESS, scheme,
                  x_of, x_of, x_of, x_of);
    if (solid) n += snprintf(text + n, sizeof text - (size_t)n, " back = %s; front = %s;", x_of, x_of);
    snprintf(text + n, sizeof text - (size_t)n, " }; }; };\n");
    trial_open(&w, kind, &box, false, text);
    impose(scalar_of(w.f, 0), w.f, &w.m);
    for (int i = 0; i < 3000 && (i < 30 || r.residual[w.m.dim + 1] > 1e-9); i++) simple_iterate(&w.simple, &r);
    double *x = FROM_DEVICE(scalar_of(w.f, 0)->x, w.f->s.n_padded), square = 0, volume = 0;
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        double at_centre[3] = {centre(&w.m, 0, c), centre(&w.m, 1, c), centre(&w.m, 2, c)};
        square += w.m.cell_volume[c] * pow(x[c] - exact(at_centre), 2), volume += w.m.cell_volume[c];
    }
    free(x);
    trial_close(&w);
    return sqrt(square / volume);
}

static void convection_and_diffusion_are_of_second_order(void **state)
{
    (void)state;
    static const struct { enum grid kind; int cells; const char *scheme; double least; } row[] = {
        {GRID_QUADS, 16, "linear-upwind", 1.8}, {GRID_QUADS, 16, "limited", 1.8},
        {GRID_TRIANGLES, 12, "linear-upwind", 1.8}, {GRID_TRIANGLES, 12, "limited", 1.8},
        {GRID_MIXED_2D, 12, "central", 1.8}, {GRID_TETRAHEDRA, 5, "linear-upwind", 1.8},
        {GRID_HEXAHEDRA, 6, "linear-upwind", 1.7},
        {GRID_QUADS, 16, "van-leer", 1.7}, {GRID_QUADS, 16, "upwind", 0.7}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        double coarse = steady_error(row[i].kind, row[i].cells, row[i].scheme),
               fine = steady_error(row[i].kind, 2 * row[i].cells, row[i].scheme);
        print_message("# %s, %s: errors %.3e, %.3e, order %.2f\n", grid_name[row[i].kind], row[i].scheme, coarse, fine,
                      log2(coarse / fine));
        if (!(log2(coarse / fine) >= row[i].least))
            fail_msg("%s, %s: order %.2f", grid_name[row[i].kind], row[i].scheme, log2(coarse / fine));
    }
}

/* Convection around a cavity between a lid at 1 and walls at 0, almost without diffusion. */
static void steady_bounds_are_kept(void **state)
{
    (void)state;
    static const char *const scheme[] = {"limited", "upwind"};
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES};
    for (int k = 0; k < 4; k++) {
        struct trial w;
        struct simple_report r = {0};
        char text[1000];
        double lowest = 1, highest = 0;
        struct box_setting box = grid_box(kinds[k / 2], 16, 0.2);
        snprintf(text, sizeof text, "fluid = { viscosity = 0.01; };\n" WALLS_2D
                 "scalars = { t = { diffusivity = 1e-4; initial = 0.5; convection = \"%s\"; "
                 "values = { left = 0.0; right = 0.0; bottom = 0.0; top = 1.0; }; }; };\n",
                 scheme[k % 2]);
        trial_open(&w, kinds[k / 2], &box, false, text);
        int i = 0;
        for (; i < 4000 && (i < 10 || r.residual[3] > 1e-9); i++) simple_iterate(&w.simple, &r);
        double *x = FROM_DEVICE(scalar_of(w.f, 0)->x, w.f->s.n_padded);
        for (int32_t c = 0; c < w.m.n_cells; c++) lowest = fmin(lowest, x[c]), highest = fmax(highest, x[c]);
        print_message("# %s, %s: from %g to %.17g, residual %.1e after %d iterations\n", grid_name[kinds[k / 2]],
                      scheme[k % 2], lowest, highest, r.residual[3], i);
        assert_true(r.residual[3] < 1e-7 && lowest > -1e-7 && highest < 1 + 1e-7);
        free(x);
        trial_close(&w);
    }
}

/* At high Peclet numbers only a little diffusion reaches the middle of the cavity. */
static void steady_scalars_converge_at_high_peclet_numbers(void **state)
{
    (void)state;
    static const struct { enum grid kind; const char *scheme; } row[] = {
        {GRID_TRIANGLES, "limited"}, {GRID_QUADS, "limited"}, {GRID_TRIANGLES, "linear-upwind"},
        {GRID_TRIANGLES, "upwind"}};
    for (size_t k = 0; k < sizeof row / sizeof *row; k++) {
        struct trial w;
        struct simple_report r = {0};
        char text[1000];
        double lowest = 1, highest = 0;
        struct box_setting box = grid_box(row[k].kind, 20, 0.2);
        snprintf(text, sizeof text, "fluid = { viscosity = 0.01; };\n" WALLS_2D
                 "scalars = { t = { diffusivity = 1e-5; convection = \"%s\"; values = { top = 1.0; bottom = 0.0; }; }; "
                 "};\n", row[k].scheme);
        trial_open(&w, row[k].kind, &box, false, text);
        int i = 0;
        for (; i < 1000 && (i < 10 || worst_residual(w.f, &r) > 1e-6); i++) simple_iterate(&w.simple, &r);
        double *x = FROM_DEVICE(scalar_of(w.f, 0)->x, w.f->s.n_padded);
        for (int32_t c = 0; c < w.m.n_cells; c++) lowest = fmin(lowest, x[c]), highest = fmax(highest, x[c]);
        print_message("# %s, %s: from %g to %g, residual %.1e after %d iterations\n", grid_name[row[k].kind],
                      row[k].scheme, lowest, highest, r.residual[3], i);
        if (!(worst_residual(w.f, &r) <= 1e-6))
            fail_msg("%s, %s: residual %.1e", grid_name[row[k].kind], row[k].scheme, r.residual[3]);
        if (k < 2) assert_true(lowest > -1e-6 && highest < 1 + 1e-6);
        free(x);
        trial_close(&w);
    }
}

/* ---------------------------------------------------------------- in time */
static void set_field(struct unsteady *w, struct scalar *q, double (*f)(double x, double y))
{
    double *x;
    NEW(x, w->t.f.s.n_padded);
    for (int32_t c = 0; c < w->m.n_cells; c++) x[c] = f(centre(&w->m, 0, c), centre(&w->m, 1, c));
    device_upload(q->x, x, (size_t)w->t.f.s.n_padded * sizeof *x);
    free(x);
}

static double wave(double x, double y) { (void)y; return cos(M_PI * x); }
static double disc(double x, double y) { return pow(x - 0.5, 2) + pow(y - 0.7, 2) < 0.05 ? 3 : 2; }

/* cos(pi x) decays as exp(-D pi^2 t) between impermeable walls. */
static double decay_error(const char *time, int cells)
{
    struct unsteady w;
    char text[1000];
    double square = 0;
    struct box_setting box = grid_box(GRID_QUADS, cells, 0.2);
    snprintf(text, sizeof text, "fluid = { viscosity = 1.0; };\nboundary = { top = { type = \"wall\"; }; "
             "left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; };\n"
             "solver = { algorithm = \"piso\"; };\ntime = { end = 0.1; step = %g; scheme = \"%s\"; };\n"
             "scalars = { t = { diffusivity = 1.0; convection = \"central\"; }; };\n", 0.2 / cells, time);
    open_unsteady(&w, GRID_QUADS, &box, 0, text);
    struct scalar *q = scalar_of(&w.t.f, 0);
    set_field(&w, q, wave);
    advance_to_end(&w);
    double *x = FROM_DEVICE(q->x, w.t.f.s.n_padded);
    for (int32_t c = 0; c < w.m.n_cells; c++)
        square += w.m.cell_volume[c] * pow(x[c] - exp(-M_PI * M_PI * 0.1) * wave(centre(&w.m, 0, c), 0), 2);
    free(x);
    close_unsteady(&w);
    return sqrt(square);
}

static void time_is_of_its_order(void **state)
{
    (void)state;
    double coarse = decay_error("crank-nicolson", 16), fine = decay_error("crank-nicolson", 32);
    print_message("# errors %.3e, %.3e, order %.2f\n", coarse, fine, log2(coarse / fine));
    assert_true(log2(coarse / fine) > 1.8);
    coarse = decay_error("euler", 16), fine = decay_error("euler", 32);
    assert_true(log2(coarse / fine) > 0.8);
}

/* A disc stirred in a cavity. */
static void amounts_and_bounds_are_kept(void **state)
{
    (void)state;
    static const struct { const char *scheme; bool bounded; } row[] = {
        {"limited", true}, {"upwind", true}, {"linear-upwind", false}, {"van-leer", false}};
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++)
        for (int k = 0; k < 2; k++) {
            struct unsteady w;
            char text[1000];
            struct box_setting box = grid_box(kinds[k], 20, 0.2);
            double before = 0, after = 0, lowest = INFINITY, highest = -INFINITY;
            snprintf(text, sizeof text, "fluid = { viscosity = 0.01; };\n" WALLS_2D
                     "solver = { algorithm = \"piso\"; };\ntime = { end = 0.5; step = 0.02; };\n"
                     "scalars = { dye = { diffusivity = 1e-4; convection = \"%s\"; }; };\n",
                     row[i].scheme);
            open_unsteady(&w, kinds[k], &box, 0, text);
            struct scalar *q = scalar_of(&w.t.f, 0);
            set_field(&w, q, disc);
            double *start = FROM_DEVICE(q->x, w.t.f.s.n_padded);
            advance_to_end(&w);
            double *x = FROM_DEVICE(q->x, w.t.f.s.n_padded);
            for (int32_t c = 0; c < w.m.n_cells; c++) {
                before += w.m.cell_volume[c] * start[c], after += w.m.cell_volume[c] * x[c];
                lowest = fmin(lowest, x[c]), highest = fmax(highest, x[c]);
            }
            print_message("# %s, %s: %.17g to %.17g, from %.17g to %.17g\n", grid_name[kinds[k]], row[i].scheme, before,
                          after, lowest, highest);
            assert_true(fabs(after - before) < 1e-13 * before);
            if (row[i].bounded) assert_true(lowest > 2 - 1e-14 && highest < 3 + 1e-14);
            free(start), free(x);
            close_unsteady(&w);
        }
}

/* A front that enters with the flow, without diffusion, in large steps: solver errors must not take x beyond its range
 * at the start and at the inlet. */
static void a_front_makes_no_new_extremes(void **state)
{
    (void)state;
    static const struct { enum grid kind; int cells; double distortion, step; } row[] = {
        {GRID_QUADS, 16, 0, 1}, {GRID_TRIANGLES, 16, 0, 1}, {GRID_TRIANGLES, 16, 0.2, 0.5},
        {GRID_TETRAHEDRA, 6, 0, 1}, {GRID_TETRAHEDRA, 6, 0, 0.5}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct unsteady w;
        struct transient_report r;
        char text[1000];
        double lowest = 0, highest = 0;
        struct box_setting box = grid_box(row[i].kind, row[i].cells, row[i].distortion);
        snprintf(text, sizeof text, "fluid = { viscosity = 0.01; };\nboundary = { left = { type = \"inlet\"; "
                 "velocity = [1, 0]; }; right = { type = \"outlet\"; }; bottom = { type = \"slip\"; }; "
                 "top = { type = \"slip\"; };%s };\ninitial = { velocity = [1, 0]; };\n"
                 "solver = { algorithm = \"piso\"; };\ntime = { end = 0.7; step = %.17g; };\n"
                 "scalars = { dye = { diffusivity = 0.0; values = { left = 1.0; }; }; };\n",
                 grid_dim(row[i].kind) == 3 ? " back = { type = \"slip\"; }; front = { type = \"slip\"; };" : "",
                 row[i].step / row[i].cells);
        open_unsteady(&w, row[i].kind, &box, 0, text);
        while (w.t.time < 0.7 * (1 - 1e-12)) {
            transient_advance(&w.t, transient_choose_step(&w.t, 0.7), &r);
            double *x = FROM_DEVICE(scalar_of(&w.t.f, 0)->x, w.t.f.s.n_padded);
            for (int32_t c = 0; c < w.m.n_cells; c++) lowest = fmin(lowest, x[c]), highest = fmax(highest, x[c]);
            free(x);
        }
        print_message("# %s, step %g: from %.3g to 1 + %.3g\n", grid_name[row[i].kind], row[i].step, lowest,
                      highest - 1);
        assert_true(lowest > -1e-14 && highest < 1 + 1e-14);
        close_unsteady(&w);
    }
}

/* A passive scalar does not change the flow, nor the error of the last step; a uniform one does not change the steps
 * that time.tolerance chooses either. */
static void the_flow_does_not_notice_a_scalar(void **state)
{
    (void)state;
    static const char *const scheme[] = {"euler", "crank-nicolson", "bdf2"};
    for (int i = 0; i < 6; i++) {
        const bool controlled = i >= 3;
        char scalar[200];
        snprintf(scalar, sizeof scalar, "scalars = { t = { diffusivity = 0.1; initial = 1.0; values = { left = 1.0; "
                 "right = %s; }; }; };\n", controlled ? "1.0" : "0.0");
        double time[2], splitting[2], *u[2] = {NULL, NULL};
        int64_t n = 0;
        for (int with = 0; with < 2; with++) {
            struct unsteady w;
            struct transient_report r;
            char text[1000];
            struct box_setting box = grid_box(GRID_TRIANGLES, 12, 0);
            snprintf(text, sizeof text, "fluid = { density = 1000.0; viscosity = 10.0; };\n" WALLS_2D
                     "solver = { algorithm = \"piso\"; };\n"
                     "time = { end = 1.0; step = 0.05; tolerance = %s; scheme = \"%s\"; };\n%s",
                     controlled ? "0.01" : "0", scheme[i % 3], with ? scalar : "");
            open_unsteady(&w, GRID_TRIANGLES, &box, 0, text);
            for (int k = 0; k < 8; k++) transient_advance(&w.t, transient_choose_step(&w.t, 1), &r);
            time[with] = w.t.time, splitting[with] = transient_splitting(&w.t);
            n = w.t.f.s.dim * w.t.f.s.pitch;
            u[with] = FROM_DEVICE(w.t.f.u, n);
            close_unsteady(&w);
        }
        print_message("# %s: 8 steps end at %.15g, %.15g with a scalar\n", scheme[i % 3], time[0], time[1]);
        assert_true(time[0] == time[1] && splitting[0] == splitting[1] && splitting[0] > 0);
        assert_memory_equal(u[0], u[1], (size_t)n * sizeof **u);
        free(u[0]), free(u[1]);
    }
}

/* Dye in a bubble: it leaves neither by convection nor by diffusion. */
static void dye_stays_in_its_fluid(void **state)
{
    (void)state;
    static const char text[] =
        "fluid = { density = 10.0; viscosity = 0.1; gravity = [0.0, -1.0]; };\n"
        "second_fluid = { density = 1.0; viscosity = 0.01; surface_tension = 0.1; };\n"
        "shapes = { bubble = { type = \"sphere\"; centre = [0.5, 0.4]; radius = 0.2; }; };\n" WALLS_2D
        "solver = { algorithm = \"piso\"; };\ntime = { end = 0.4; step = 0.01; courant = 0.5; };\n"
        "scalars = { dye = { diffusivity = 1e-3; initial = 2.0; fluid = \"second\"; }; "
        "salt = { diffusivity = 1e-3; initial = 1.0; fluid = \"first\"; }; };\n";
    struct unsteady w;
    struct box_setting box = grid_box(GRID_QUADS, 24, 0.2);
    open_unsteady(&w, GRID_QUADS, &box, 0, text);
    int64_t n = w.t.f.s.n_padded;
    for (int round = 0; round < 2; round++) {           /* uniform; then only in the bubble's upper half */
        double before[2] = {0}, after[2] = {0};
        for (int i = 0; i < 2; i++) {
            double *amount = FROM_DEVICE(scalar_of(&w.t.f, i)->amount, n);
            for (int32_t c = 0; c < w.m.n_cells; c++) {
                if (round == 1 && centre(&w.m, 1, c) < 0.45) amount[c] *= 0.5;
                before[i] += w.m.cell_volume[c] * amount[c];
            }
            device_upload(scalar_of(&w.t.f, i)->amount, amount, (size_t)n * sizeof *amount);
            free(amount);
        }
        w.c.flow.time.end = 0.2 * (round + 1);
        advance_to_end(&w);
        double *fraction = FROM_DEVICE(w.t.f.interface->fraction, n);
        for (int i = 0; i < 2; i++) {
            double *amount = FROM_DEVICE(scalar_of(&w.t.f, i)->amount, n);
            for (int32_t c = 0; c < w.m.n_cells; c++) {
                double part = i == 0 ? fraction[c] : 1 - fraction[c], most = i == 0 ? 2 : 1;
                after[i] += w.m.cell_volume[c] * amount[c];
                if (amount[c] > most * part + 1e-12) fail_msg("%g of %g in cell %d", amount[c], part, c);
                if (round == 0 && fabs(amount[c] - most * part) > 1e-12)
                    fail_msg("%g of %g in cell %d", amount[c], part, c);
            }
            print_message("# fluid %d: %.17g to %.17g\n", 2 - i, before[i], after[i]);
            assert_true(fabs(after[i] - before[i]) < 1e-12 * before[i]);
            free(amount);
        }
        free(fraction);
    }
    close_unsteady(&w);
}

/* ---------------------------------------------------------------- zones */
/* The box with its cells between x = 1/4 and 3/4 in a separate zone, "heater". */
static void zones_mesh(struct mesh *m, enum grid kind, int cells)
{
    struct error e;
    struct box_setting box = grid_box(kind, cells, 0.0);
    grid_mesh(m, kind, &box);
    RESIZE(m->region, 2);
    memset(m->region[1], 0, NAME_LENGTH);
    strcpy(m->region[1], "heater"), m->n_regions = 2;
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x = 0;
        int64_t corners = m->cell_start[c + 1] - m->cell_start[c];
        for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++)
            x += m->vertex[3 * (int64_t)m->cell_vertex[i]] / (double)corners;
        m->cell_region[c] = x > 0.25 && x < 0.75;
    }
    if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
}

static double amount_in(const struct mesh *m, const double *x, int region)
{
    double sum = 0;
    for (int32_t c = 0; c < m->n_cells; c++) if (m->cell_region[c] == region) sum += m->cell_volume[c] * (x ? x[c] : 1);
    return sum;
}

/* Outflow through the boundary per unit of time, as reported by `surfaces`. */
static double outflow(struct flow *f)
{
    for (int i = 0; i < f->fields.n; i++) {
        struct field *q = &f->fields.field[i];
        if (!q->make_flux) continue;
        q->make_gradient(q->owner);
        double *through = FROM_DEVICE((double *)q->make_flux(q->owner), f->s.n_boundary), sum = 0;
        for (int32_t b = 0; b < f->s.n_boundary; b++) sum -= through[b];
        free(through);
        return sum;
    }
    fail_msg("there is no flux");
    return 0;
}

/* Heated in the middle, on any kind of cell, with every scheme: all generated heat leaves. */
static void sources_leave_through_boundaries(void **state)
{
    (void)state;
    static const char *const scheme[] = {"limited", "van-leer"}, *const algorithm[] = {"simplec", "coupled"};
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++)
        for (int k = 0; k < 2; k++) {
            if (!full_size() && (kind + k) % 2) continue;
            struct trial w = {0};
            struct simple_report r = {0};
            char text[1500];
            bool solid = grid_dim((enum grid)kind) == 3;
            zones_mesh(&w.m, (enum grid)kind, solid ? 4 : 8);
            snprintf(text, sizeof text, "fluid = { density = 2.0; viscosity = 0.1; };\ninitial = { velocity = "
                     "[1, 0%s]; };\nboundary = { left = { type = \"inlet\"; velocity = [1, 0%s]; scalars = { "
                     "t = 1.0; }; }; right = { type = \"outlet\"; }; bottom = { type = \"wall\"; scalars = { "
                     "t = 0.5; }; }; top = { type = \"slip\"; };%s };\nsolver = { algorithm = \"%s\"; };\n"
                     "scalars = { t = { diffusivity = 0.05; "
                     "convection = \"%s\"; sources = { heater = 3.0; fluid = -0.5; }; }; };\n", solid ? ", 0" : "",
                     solid ? ", 0" : "", solid ? " back = { type = \"slip\"; }; front = { type = \"slip\"; };" : "",
                     algorithm[k], scheme[k]);
            trial_start(&w, text);
            for (int i = 0; i < 3000 && (i < 30 || r.residual[w.m.dim + 1] > 1e-13); i++)
                simple_iterate(&w.simple, &r);
            double made = 3 * amount_in(&w.m, NULL, 1) - 0.5 * amount_in(&w.m, NULL, 0), out = outflow(w.f);
            print_message("# %s, %s: %.15g arise, %.15g leave\n", grid_name[kind], scheme[k], made, out);
            assert_true(fabs(made - 1.25) < 0.01);
            if (!(fabs(out - made) < 1e-9)) fail_msg("%s, %s: %g", grid_name[kind], scheme[k], out - made);
            trial_close(&w);
        }
}

/* Conduction from a heater between walls at 0: x'' = -1 in the heater. */
static double heated_error(int cells)
{
    struct trial w = {0};
    struct simple_report r = {0};
    double worst = 0;
    zones_mesh(&w.m, GRID_QUADS, cells);
    trial_start(&w, "fluid = { viscosity = 1.0; };\nboundary = { left = { type = \"wall\"; }; right = { type = "
                "\"wall\"; }; bottom = { type = \"symmetry\"; }; top = { type = \"symmetry\"; }; };\nscalars = { t = "
                "{ diffusivity = 2.0; values = { left = 0.0; right = 0.0; }; sources = { heater = 2.0; }; }; };\n");
    for (int i = 0; i < 3000 && (i < 10 || r.residual[3] > 1e-13); i++) simple_iterate(&w.simple, &r);
    double *x = FROM_DEVICE(scalar_of(w.f, 0)->x, w.f->s.n_padded);
    for (int32_t c = 0; c < w.m.n_cells; c++) {
        double away = fabs(centre(&w.m, 0, c) - 0.5);
        double exact = away > 0.25 ? 0.25 * (0.5 - away) : 0.0625 + 0.5 * (0.0625 - away * away);
        worst = fmax(worst, fabs(x[c] - exact));
    }
    free(x);
    trial_close(&w);
    return worst;
}

static void a_heater_is_of_second_order(void **state)
{
    (void)state;
    double coarse = heated_error(8), fine = heated_error(16);
    print_message("# errors %.3e, %.3e\n", coarse, fine);
    assert_true(coarse < 5e-3 && log2(coarse / fine) > 1.9);
}

/* In a stirred closed cavity: the amount in the zones at the start, and the amount generated since. */
static void zones_keep_their_account_in_time(void **state)
{
    (void)state;
    static const struct { enum grid kind; const char *convection, *scheme; } row[] = {
        {GRID_QUADS, "limited", "bdf2"}, {GRID_TRIANGLES, "van-leer", "crank-nicolson"},
        {GRID_TRIANGLES, "upwind", "euler"}, {GRID_HEXAHEDRA, "limited", "bdf2"}, {GRID_TETRAHEDRA, "limited", "bdf2"},
        {GRID_MIXED_3D, "linear-upwind", "bdf2"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct unsteady w = {0};
        char text[1000];
        bool solid = grid_dim(row[i].kind) == 3;
        zones_mesh(&w.m, row[i].kind, solid ? 4 : 8);
        snprintf(text, sizeof text, "fluid = { density = 2.0; viscosity = 0.01; };\nboundary = { top = { type = "
                 "\"wall\"; velocity = [1, 0%s]; }; left = { type = \"wall\"; }; right = { type = \"wall\"; }; "
                 "bottom = { type = "
                 "\"wall\"; };%s };\nsolver = { algorithm = \"piso\"; };\ntime = { end = 0.4; step = 0.02; scheme = "
                 "\"%s\"; };\nscalars = { t = { diffusivity = 0.01; initial = 1.0; convection = \"%s\"; initials = { "
                 "heater = 2.0; }; sources = { heater = 3.0; fluid = 0.5; }; }; };\n", solid ? ", 0" : "",
                 solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", row[i].scheme,
                 row[i].convection);
        start_unsteady(&w, text);
        struct scalar *q = scalar_of(&w.t.f, 0);
        double inside = amount_in(&w.m, NULL, 1), outside = amount_in(&w.m, NULL, 0);
        double *x = FROM_DEVICE(q->x, w.t.f.s.n_padded);
        for (int32_t c = 0; c < w.m.n_cells; c++) assert_true(x[c] == (w.m.cell_region[c] ? 2 : 1));
        free(x);
        advance_to_end(&w);
        x = FROM_DEVICE(q->x, w.t.f.s.n_padded);
        double expected = 2 * inside + outside + 0.4 * (3 * inside + 0.5 * outside);
        double found = amount_in(&w.m, x, 1) + amount_in(&w.m, x, 0);
        print_message("# %s, %s: %.17g, expected %.17g\n", grid_name[row[i].kind], row[i].convection, found, expected);
        assert_true(fabs(found - expected) < 1e-13 * expected);
        free(x);
        close_unsteady(&w);
    }
}

/* ---------------------------------------------------------------- whole runs */
static const char channel[] = "mesh = { box = { cells = [24, 12]; to = [2.0, 1.0]; distortion = 0.2; }; };\n"
    "fluid = { viscosity = 0.02; };\nboundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; "
    "profile = \"parabolic\"; }; right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; "
    "top = { type = \"slip\"; }; };\nscalars = { dye = { diffusivity = 1e-3; initial = 0.2; values = { left = 1.0; "
    "right = 0.0; }; };\n            heat = { diffusivity = 0.02; values = { left = 0.0; }; fluxes = { bottom = 0.1; "
    "}; };\n            cool = { diffusivity = 0.02; initial = 1.0; values = { left = 1.0; bottom = 0.0; }; "
    "coefficients = { bottom = 0.1; }; }; };\nprobes = { p = { at = [1.0, 0.5]; }; };\n"
    "output = { report_every = 1000; };\n";

static void same_bits(const char *more, const char *first, const char *rest)
{
    char text[2000], log[20000];
    snprintf(text, sizeof text, "%s%s", channel, rest[0] ? rest : more);
    run_case(text, 1, false, log);
    unsigned long long whole = digest_of(log);
    run_case(text, 3, false, log);
    assert_true(digest_of(log) == whole);
    snprintf(text, sizeof text, "%s%s", channel, first);
    run_case(text, 1, false, log);
    snprintf(text, sizeof text, "%s%s", channel, rest[0] ? rest : more);
    run_case(text, 1, true, log);
    assert_true(digest_of(log) == whole);
}

static void threads_and_restarts_change_no_bit(void **state)
{
    (void)state;
    same_bits("", "solver = { max_iterations = 9; };\n", "solver = { max_iterations = 20; };\n");
    same_bits("", "solver = { algorithm = \"piso\"; };\ntime = { end = 0.4; step = 0.02; max_steps = 7; };\n",
              "solver = { algorithm = \"piso\"; };\ntime = { end = 0.4; step = 0.02; };\n");
}

/* Values that are changed before a restart apply from then on: the checkpoint contains the old ones. */
static void changed_values_hold_after_a_restart(void **state)
{
    (void)state;
    static const char *const solver[] = {"solver = { max_iterations = %d; };\n",
                                         "solver = { algorithm = \"piso\"; };\n"
                                         "time = { end = 10; step = 0.02; max_steps = %d; };\n"};
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < 2; i++) {
            char text[2000], log[20000], header[2000];
            double row[400];
            int n = snprintf(text, sizeof text, "mesh = { box = { cells = [12, 6]; to = [2.0, 1.0]; }; };\nfluid = { "
                             "viscosity = 0.02; };\nboundary = { left = { type = \"inlet\"; velocity = [%g, 0.0]; "
                             "scalars = { dye = 1.0; }; }; top = { type = \"slip\"; }; right = { type = \"outlet\"; "
                             "backflow = \"static\"; pressure = %g; }; bottom = { type = \"wall\"; scalars = { dye = "
                             "%g; }; }; };\nscalars = { dye = { diffusivity = 0.02; }; };\nsurfaces = { floor = { "
                             "boundaries = [\"bottom\"]; fields = [\"dye\"]; }; end = { boundaries = [\"right\"]; "
                             "fields = [\"pressure\"]; }; };\n", 1.0 + i, 3.0 + i, 0.5 + i);
            snprintf(text + n, sizeof text - (size_t)n, solver[k], 5 * (i + 1));
            run_case(text, 1, i == 1, log);
            if (!i) continue;
            int rows = read_csv("flows.csv", header, row, 20);
            double flow = row[(rows - 1) * csv_columns(header) + csv_column(header, "left")];
            rows = read_csv("surfaces/floor.csv", header, row, 20);
            double dye = row[(rows - 1) * csv_columns(header) + csv_column(header, "dye")];
            rows = read_csv("surfaces/end.csv", header, row, 20);
            double pressure = row[(rows - 1) * csv_columns(header) + csv_column(header, "pressure")];
            print_message("# flow %g, dye %g, pressure %g\n", flow, dye, pressure);
            assert_true(fabs(flow + 2) < 1e-12 && fabs(dye - 1.5) < 1e-12 && fabs(pressure - 4) < 1e-12);
        }
}

/* A scalar that is washed out falls towards 0 until its smallest numbers have no more digits, and never settles. */
static void what_is_washed_out_converges(void **state)
{
    (void)state;
    static const char *const algorithm[] = {"simple", "simplec", "coupled"};
    for (int i = 0; i < 3; i++) {
        char text[2000], log[20000];
        snprintf(text, sizeof text, "mesh = { box = { cells = [9, 6]; }; };\nfluid = { viscosity = 0.05; };\n"
                 "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; }; right = { type = \"outlet\"; "
                 "}; top = { type = \"wall\"; }; bottom = { type = \"wall\"; }; };\nscalars = { dye = { "
                 "diffusivity = 0.5; initial = 1.0; values = { left = 0.0; }; convection = \"linear-upwind\"; }; };\n"
                 "solver = { algorithm = \"%s\"; };\n",
                 algorithm[i]);
        assert_int_equal(run_case(text, 1, false, log), EXIT_CONVERGED);
    }
}

/* The same case with its values in the groups of the boundaries. */
static void values_at_boundaries_are_the_same(void **state)
{
    (void)state;
    static const char *const given[] = {
        "right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; };\nscalars = { dye = { diffusivity = 0.02; "
        "values = { left = 1.0; right = 0.3; bottom = 0.5; }; coefficients = { bottom = 0.1; }; }; };\n",
        "right = { type = \"outlet\"; scalars = { dye = 0.3; }; }; bottom = { type = \"wall\"; scalars = { dye = 0.5; "
        "}; }; };\nscalars = { dye = { diffusivity = 0.02; values = { left = 1.0; }; coefficients = { bottom = 0.1; }; "
        "}; };\n"};
    unsigned long long digest[2];
    for (int i = 0; i < 2; i++) {
        char text[2000], log[20000];
        snprintf(text, sizeof text, "mesh = { box = { cells = [12, 6]; to = [2.0, 1.0]; }; };\nfluid = { viscosity = "
                 "0.02; };\nboundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; }; top = { type = \"slip\"; "
                 "}; %ssolver = { max_iterations = 20; };\n", given[i]);
        run_case(text, 1, false, log);
        digest[i] = digest_of(log);
    }
    assert_true(digest[0] == digest[1]);
}

/* ---------------------------------------------------------------- rejected input */
static void refused_at_left(const char *left, const char *scalar, const char *message)
{
    char path[] = "/tmp/poise-test-XXXXXX.cfg", text[2000];
    struct case_settings c;
    struct error e = {0};
    int n = snprintf(text, sizeof text, "mesh = { box = { cells = [4, 4]; }; };\nfluid = { viscosity = 1.0; };\n"
                     "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; %s }; right = { type = "
                     "\"outlet\"; }; bottom = { type = \"wall\"; }; top = { type = \"wall\"; }; };\n"
                     "scalars = { %s };\n", left, scalar);
    int file = mkstemps(path, 4);
    assert_int_equal(write(file, text, (size_t)n), n);
    close(file);
    bool good = case_read(&c, path, NULL, 0, &e);
    unlink(path);
    assert_false(good);
    if (!strstr(e.text, message)) fail_msg("\"%s\", expected \"%s\"", e.text, message);
}

static void refused_scalar(const char *scalar, const char *message) { refused_at_left("", scalar, message); }

static void slips_are_refused(void **state)
{
    (void)state;
    refused_at_left("scalars = { dey = 1.0; };", "dye = { diffusivity = 1.0; };",
                    ".cfg:3: boundary.left.scalars.dey: scalar \"dey\" is not in the case (did you mean \"dye\"?)");
    refused_at_left("scalars = { dye = \"hot\"; };", "dye = { diffusivity = 1.0; };",
                    "boundary.left.scalars.dye: there is no variable \"hot\"; expected x, y, z or t, a number, pi");
    refused_at_left("scalars = { dye = 1.0; };", "\ndye = { diffusivity = 1.0;\nvalues = { left = 1.0; }; };",
                    ".cfg:3: boundary.left.scalars.dye is given a second time, by scalars.dye.values.left in /tmp");
    refused_at_left("scalars = { dye = 1.0; };", "\ndye = { diffusivity = 1.0;\nvalues = { left = 1.0; }; };",
                    ".cfg:6; remove one of them");
    refused_scalar("dye = { diffusivity = 1.0; };",
                   "scalars.dye.values has none for \"left\": an inlet needs it, like values = { left = 1.0; }");
    refused_scalar("dye = { diffusivity = 1.0; values = { left = 1.0; botom = 1.0; }; };",
                   "boundary \"botom\" is not in the case (did you mean \"bottom\"?)");
    refused_scalar("dye = { diffusivity = 1.0; values = { left = 1.0; }; fluxes = { right = 1.0; }; };",
                   "scalars.dye.fluxes does not apply to boundary \"right\", of type \"outlet\"; remove it");
    refused_scalar("dye = { diffusivity = 0.0; values = { left = 1.0; }; };",
                   "scalars.dye.diffusivity = 0: expected a number > 0 in steady flow");
    static const char *const taken[] = {"pressure", "time", "area", "shear", "inertia", "history", "clock", "settings",
                                        "multigrid", "normal_x"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) {
        char scalar[100], said[100];
        snprintf(scalar, sizeof scalar, "%s = { diffusivity = 1.0; values = { left = 1.0; }; };", taken[i]);
        snprintf(said, sizeof said, "scalars.%s: another field or column has this name", taken[i]);
        refused_scalar(scalar, said);
    }
    refused_scalar("dye = { diffusivity = 1.0; fluid = \"first\"; values = { left = 1.0; }; };",
                   "does not apply to a case without second_fluid");
    refused_scalar("dye = { diffusivity = 1.0; values = { left = 1.0; }; coefficients = { bottom = 1.0; }; };",
                   "in values what it exchanges with");
    refused_scalar("dye = { diffusivity = 1.0; values = { left = 1.0; }; sources = 3; };",
                   "scalars.dye.sources = 3: expected a group of numbers or expressions, like { NAME = 1.0; } "
                   "[scalar/time]");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(conduction_is_linear), cmocka_unit_test(convection_and_diffusion_are_of_second_order),
        cmocka_unit_test(steady_bounds_are_kept), cmocka_unit_test(steady_scalars_converge_at_high_peclet_numbers),
        cmocka_unit_test(time_is_of_its_order), cmocka_unit_test(amounts_and_bounds_are_kept),
        cmocka_unit_test(a_front_makes_no_new_extremes), cmocka_unit_test(the_flow_does_not_notice_a_scalar),
        cmocka_unit_test(dye_stays_in_its_fluid),
        cmocka_unit_test(sources_leave_through_boundaries), cmocka_unit_test(a_heater_is_of_second_order),
        cmocka_unit_test(zones_keep_their_account_in_time),
        cmocka_unit_test_setup_teardown(threads_and_restarts_change_no_bit, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(changed_values_hold_after_a_restart, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(what_is_washed_out_converges, make_folder, remove_folder),
        cmocka_unit_test_setup_teardown(values_at_boundaries_are_the_same, make_folder, remove_folder),
        cmocka_unit_test(slips_are_refused)};
    return RUN_TESTS("scalars", tests);
}
