/* Outlets that admit no backflow, and those of given total pressure, steady and in time. */
#include "unsteady_fixture.h"

/* A channel of 2 x 1, in 3-D a slab, with an inlet in the upper half of its left end: the flow is detached below. */
static void step_mesh(struct mesh *m, enum grid kind, int n)
{
    struct error e;
    struct box_setting box = grid_box(kind, n, 0);
    box.cells[0] = 2 * n, box.to[0] = 2, box.cells[2] = 2, box.to[2] = 2.0 / n;
    memset(m, 0, sizeof *m);
    grid_mesh(m, kind, &box);
    int inlet = m->n_patches++;
    RESIZE(m->patch, m->n_patches);
    m->patch[inlet] = (struct patch){.name = "inlet"};
    for (int32_t i = 0; i < m->n_marked; i++) {
        bool upper = m->marked_patch[i] == 0;
        for (int64_t k = m->marked_start[i]; k < m->marked_start[i + 1]; k++)
            upper &= m->vertex[3 * (int64_t)m->marked_vertex[k] + 1] > 0.5 - 1e-9;
        if (upper) m->marked_patch[i] = inlet;
    }
    if (!mesh_complete(m, ORDERING_HILBERT, (int[]){0, 1, 2, 3, 4, 5, 6}, 0, &e)) fail_msg("%s", e.text);
}

static void step_text(char *text, size_t size, enum grid kind, const char *inlet, double viscosity, const char *more)
{
    snprintf(text, size, "fluid = { density = 3.0; viscosity = %g; };\nboundary = { inlet = { type = \"inlet\"; %s };\n"
             "right = { type = \"outlet\"; pressure = 5.0; backflow = \"none\"; }; left = { type = \"wall\"; };\n"
             "bottom = { type = \"wall\"; }; top = { type = \"wall\"; };%s };\n%s", viscosity, inlet,
             grid_dim(kind) == 2 ? "" : " back = { type = \"slip\"; }; front = { type = \"slip\"; };", more);
}

struct passing { double out, in; int shut; };

static struct passing through_outlet(const struct flow *f, const struct mesh *m)
{
    struct passing p = {0};
    double *flux = FROM_DEVICE(f->flux, f->s.n_faces), *shut = FROM_DEVICE(f->b.shut, f->s.n_boundary);
    for (int i = 0; i < m->n_patches; i++)
        for (int32_t k = m->patch[i].first; k < m->patch[i].first + m->patch[i].count; k++) {
            if (strcmp(m->patch[i].name, "right")) continue;
            p.out += fmax(flux[k], 0), p.in += fmax(-flux[k], 0), p.shut += shut[k - m->n_internal] > 0;
        }
    free(flux), free(shut);
    return p;
}

/* With every algorithm: no face lets fluid in, some are shut, and what enters leaves. */
static void steady_outlets_shut(void **state)
{
    (void)state;
    static const struct { enum grid kind; const char *algorithm; int n; } row[] = {
        {GRID_QUADS, "simplec", 16}, {GRID_QUADS, "coupled", 16}, {GRID_TRIANGLES, "simple", 12},
        {GRID_TRIANGLES, "coupled", 12}, {GRID_TETRAHEDRA, "coupled", 8}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct trial w = {0};
        char text[2000], more[200], inlet[100];
        double depth = grid_dim(row[i].kind) == 2 ? 1 : 2.0 / row[i].n;
        snprintf(more, sizeof more, "solver = { algorithm = \"%s\"; tolerance = 1e-8; };\n", row[i].algorithm);
        step_mesh(&w.m, row[i].kind, row[i].n);
        snprintf(inlet, sizeof inlet, "flow_rate = %.17g; profile = \"parabolic\";", 0.5 * depth);
        step_text(text, sizeof text, row[i].kind, inlet, 0.012, more);
        trial_start(&w, text);
        int iterations = trial_converge(&w);
        struct passing p = through_outlet(w.f, &w.m);
        print_message("%s, %s: %d iterations, %d faces shut, %.10g out, %.2g in\n", grid_name[row[i].kind],
                      row[i].algorithm, iterations, p.shut, p.out, p.in);
        assert_true(iterations > 0 && p.shut > 0 && p.in == 0 && fabs(p.out - 0.5 * depth) < 1e-7 * depth);
        trial_close(&w);
    }
}

/* An inflow that swings between nothing and twice its mean, with vortices that reach the outlet. */
static void outlets_shut_in_time(void **state)
{
    (void)state;
    static const struct { enum grid kind; const char *algorithm, *scheme; int n; double step; } row[] = {
        {GRID_QUADS, "piso", "bdf2", 16, 0.02}, {GRID_TRIANGLES, "piso", "bdf2", 12, 0.02},
        {GRID_QUADS, "pimple", "bdf2", 16, 0.05}, {GRID_QUADS, "piso", "crank-nicolson", 16, 0.02},
        {GRID_TRIANGLES, "piso", "crank-nicolson", 12, 0.02}, {GRID_QUADS, "pimple", "crank-nicolson", 16, 0.05}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct unsteady w;
        struct transient_report r;
        char text[2000], more[200];
        double worst = 0, continuity = 0;
        int least = 1000, most = 0;
        snprintf(more, sizeof more, "solver = { algorithm = \"%s\"; };\ntime = { end = 20.0; step = %g; "
                 "scheme = \"%s\"; };\n", row[i].algorithm, row[i].step, row[i].scheme);
        step_mesh(&w.m, row[i].kind, row[i].n);
        step_text(text, sizeof text, row[i].kind, "flow_rate = \"0.5 - 0.5*cos(2*t)\";", 0.003, more);
        start_unsteady(&w, text);
        while (w.t.time < 20 * (1 - 1e-12)) {
            transient_advance(&w.t, transient_choose_step(&w.t, 20), &r);
            struct passing p = through_outlet(&w.t.f, &w.m);
            worst = fmax(worst, p.in), continuity = fmax(continuity, r.continuity);
            if (w.t.time > 5) least = p.shut < least ? p.shut : least, most = p.shut > most ? p.shut : most;
        }
        print_message("%s, %s, %s: %d to %d faces shut, inflow at most %.2g of the mean, continuity %.2g\n",
                      grid_name[row[i].kind], row[i].algorithm, row[i].scheme, least, most, worst / 0.5, continuity);
        assert_true(most > 8 && worst / 0.5 < 3e-3 && continuity < 1e-4);
        close_unsteady(&w);
    }
}

/* The mean of pressure and dynamic pressure over the outflow, weighted by it. */
static double mean_total(const struct flow *f, const struct mesh *m, double density, const char *name)
{
    const int64_t n = f->s.n_boundary;
    double *flux = FROM_DEVICE(f->flux, f->s.n_faces), *p = FROM_DEVICE(f->b.pressure, n);
    double *u = FROM_DEVICE(f->b.velocity, m->dim * n), sum = 0, all = 0;
    for (int i = 0; i < m->n_patches; i++)
        for (int32_t k = m->patch[i].first; k < m->patch[i].first + m->patch[i].count; k++) {
            double square = 0, normal = 0, area = 0;
            if (strcmp(m->patch[i].name, name) || flux[k] <= 0) continue;
            for (int j = 0; j < m->dim; j++) {
                double s = face_vector(m->face_area, m, j, k), x = u[j * n + k - m->n_internal];
                square += x * x, normal += x * s, area += s * s;
            }
            square += (flux[k] * flux[k] - normal * normal) / area;
            sum += flux[k] * (p[k - m->n_internal] + 0.5 * density * square), all += flux[k];
        }
    free(flux), free(p), free(u);
    return sum / all;
}

/* With every algorithm the given mean, with and without backflow. */
static void outlets_have_their_total_pressure(void **state)
{
    (void)state;
    static const struct { enum grid kind; const char *algorithm, *backflow, *side, *other; } row[] = {
        {GRID_QUADS, "simplec", "none", "right", "bottom"}, {GRID_QUADS, "coupled", "total", "right", "bottom"},
        {GRID_TRIANGLES, "coupled", "none", "right", "bottom"},
        {GRID_TETRAHEDRA, "coupled", "total", "right", "bottom"},
        {GRID_QUADS, "coupled", "total", "bottom", "right"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct trial w = {0};
        char text[2000];
        int n = grid_dim(row[i].kind) == 2 ? 12 : 6;
        step_mesh(&w.m, row[i].kind, n);
        snprintf(text, sizeof text, "fluid = { density = 3.0; viscosity = 0.012; };\nboundary = { inlet = { type = "
                 "\"inlet\"; velocity = [1.0, 0.0%s]; }; %s = { type = \"outlet\"; total_pressure = 5.0; backflow = "
                 "\"%s\"; }; left = { type = \"wall\"; }; %s = { type = \"wall\"; };\n"
                 "top = { type = \"wall\"; };%s };\n"
                 "solver = { algorithm = \"%s\"; tolerance = 1e-8; };\n", n == 6 ? ", 0.0" : "", row[i].side,
                 row[i].backflow, row[i].other,
                 n == 6 ? " back = { type = \"slip\"; }; front = { type = \"slip\"; };" : "", row[i].algorithm);
        trial_start(&w, text);
        int iterations = trial_converge(&w);
        double total = mean_total(w.f, &w.m, 3, row[i].side);
        print_message("%s, %s, %s, %s: %d iterations, total pressure %.9f\n", grid_name[row[i].kind], row[i].algorithm,
                      row[i].backflow, row[i].side, iterations, total);
        assert_true(iterations > 0 && fabs(total - 5) < 1e-6);
        trial_close(&w);
    }
}

/* A long channel whose pressure at one end oscillates: what enters leaves, to 2e-5 of the largest flow so far.  The
 * pressure's solves alone, with a tolerance of 1e-4, missed up to 1e-2, and Crank-Nicolson added the errors up. */
static void flow_passes_whole(void **state)
{
    (void)state;
    static const struct { enum grid kind; const char *scheme; int cells[3]; double viscosity, step; int steps; }
        row[] = {
        {GRID_QUADS, "bdf2", {280, 20, 1}, 489, 0.00246, 5}, {GRID_QUADS, "euler", {280, 20, 1}, 0.05, 0.00246, 5},
        {GRID_QUADS, "crank-nicolson", {70, 8, 1}, 0.05, 0.000246, 2000},
        {GRID_TRIANGLES, "crank-nicolson", {60, 6, 1}, 0.05, 0.00246, 40},
        {GRID_TETRAHEDRA, "bdf2", {30, 4, 4}, 4.89, 0.00246, 5}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct unsteady w;
        struct transient_report r;
        char text[1000];
        double worst = 0, most = 0, sum[N_PASSING];
        const bool flat = grid_dim(row[i].kind) == 2;
        struct box_setting box = grid_box(row[i].kind, 1, 0);
        memcpy(box.cells, row[i].cells, sizeof box.cells);
        snprintf(text, sizeof text, "fluid = { density = 1.0; viscosity = %g; };\nboundary = { left = { type = "
                 "\"outlet\"; pressure = \"12.5*(1 - cos(510.8*t))\"; }; right = { type = \"outlet\"; };\n"
                 "bottom = { type = \"wall\"; }; top = { type = \"slip\"; };%s };\n"
                 "solver = { algorithm = \"piso\"; };\ntime = { end = 10.0; step = %g; scheme = \"%s\"; };\n",
                 row[i].viscosity, flat ? "" : " back = { type = \"slip\"; }; front = { type = \"slip\"; };",
                 row[i].step, row[i].scheme);
        open_unsteady(&w, row[i].kind, &box, 0, text);
        for (int k = 0; k < row[i].steps; k++) {
            transient_advance(&w.t, row[i].step, &r);
            flow_passing(&w.t.f, sum);
            most = fmax(most, 0.5 * sum[PASSING_GROSS]), worst = fmax(worst, fabs(sum[PASSING_NET]) / most);
        }
        print_message("%s, %s: %d steps, %.3g of the largest flow is missing\n", grid_name[row[i].kind],
                      row[i].scheme, row[i].steps, worst);
        assert_true(most > 0 && worst < 2e-5);
        close_unsteady(&w);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(steady_outlets_shut), cmocka_unit_test(outlets_shut_in_time),
                                       cmocka_unit_test(outlets_have_their_total_pressure),
                                       cmocka_unit_test(flow_passes_whole)};
    return RUN_TESTS("outlets", tests);
}
