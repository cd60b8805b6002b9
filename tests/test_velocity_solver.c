/* The velocity's linear solver in cases: every method with every suitable preconditioner, steady and transient, with
 * scalars. */
#include "flow_fixture.h"
#include "flow/transient.h"

static const char *const method[] = {"bicgstab", "gmres", "fgmres"};
/* With their keys; gmres rejects the last two, whose operator varies with r. */
static const char *const preconditioner[] = {
    "\"none\"", "\"jacobi\"", "\"block-jacobi\"; inner = \"gauss-seidel\"; inner_sweeps = 2",
    "\"jacobi-richardson\"; sweeps = 2",
    "\"gauss-seidel\"; direction = \"forward\"", "\"multicolour-gs\"; damping = 0.9",
    "\"two-stage-gs\"; richardson_sweeps = 2; inner_damping = 0.9; precision = \"single\"",
    "\"ilu\"; level = 1; factor_ordering = \"multicolour\"", "\"block-isai\"; power = 2",
    "\"multigrid\"", "\"async-block-jacobi\""};
enum { N_METHODS = 3, N_KINDS = sizeof preconditioner / sizeof *preconditioner };

static const char *const duct_2d =
    "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0]; profile = \"parabolic\"; };"
    "right = { type = \"outlet\"; }; top = { type = \"wall\"; }; bottom = { type = \"symmetry\"; }; };\n"
    "fluid = { viscosity = 0.02; };\n";
static const char *const duct_3d =
    "boundary = { left = { type = \"inlet\"; velocity = [1.0, 0.0, 0.0]; }; right = { type = \"outlet\"; };"
    "top = { type = \"wall\"; }; bottom = { type = \"symmetry\"; }; front = { type = \"wall\"; };"
    "back = { type = \"slip\"; }; };\nfluid = { viscosity = 0.02; };\n";
static const char *const dye = "scalars = { dye = { diffusivity = 0.01; values = { left = 1.0; }; }; };\n";

/* The case's text with this solver of the velocity. */
static void describe(char text[4000], bool solid, const char *more, int m, int p)
{
    snprintf(text, 4000, "%s%ssolver = { %s velocity = { method = \"%s\"; preconditioner = %s; tolerance = 1e-3; "
             "max_iterations = 500; }; };\n", solid ? duct_3d : duct_2d, dye, more, method[m], preconditioner[p]);
}

static void expect_near(const double *u, const double *v, int64_t n, double bound, const char *text)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) most = fmax(most, fabs(u[i] - v[i]));
    if (!(most <= bound)) fail_msg("it differs by %g: %s", most, text);
}

/* Velocity and scalar, when converged. */
static double *steady(bool solid, int m, int p, int64_t *n, char text[4000])
{
    struct trial w;
    enum grid kind = solid ? GRID_MIXED_3D : GRID_MIXED_2D;
    struct box_setting box = grid_box(kind, solid ? 5 : 10, 0.15);
    describe(text, solid, "tolerance = 1e-9; max_iterations = 2000;", m, p);
    trial_open(&w, kind, &box, false, text);
    if (trial_converge(&w) < 0) fail_msg("not converged: %s", text);
    int64_t size = w.f->s.dim * w.f->s.pitch;
    double *all = FROM_DEVICE(w.f->u, size);
    RESIZE(all, *n = size + w.f->s.pitch);
    const struct field *x = fields_find(&w.f->fields, "dye", FIELD_OUTPUT);
    device_download(all + size, *x->value, (size_t)w.f->s.pitch * sizeof *all);
    trial_close(&w);
    return all;
}

/* The velocity after a few steps that are large. */
static double *in_time(bool solid, int m, int p, int64_t *n, char text[4000])
{
    struct trial w;
    struct transient t;
    struct transient_report r;
    struct error e;
    enum grid kind = solid ? GRID_HEXAHEDRA : GRID_MIXED_2D;
    struct box_setting box = grid_box(kind, solid ? 5 : 10, 0.15);
    char whole[4400];
    describe(text, solid, "algorithm = \"piso\"; pressure = { tolerance = 1e-9; };", m, p);
    char *at = strstr(text, "tolerance = 1e-3");
    memcpy(at, "tolerance = 1e-9", 16);
    grid_mesh(&w.m, kind, &box);
    if (!mesh_complete(&w.m, ORDERING_HILBERT, (int[]){0, 1}, false, &e)) fail_msg("%s", e.text);
    snprintf(whole, sizeof whole, "mesh = { box = { cells = [1, 1]; }; };\n%stime = { end = 1.0; step = 0.3; };\n",
             text);
    case_of_text(&w.c, whole);
    if (!transient_create(&t, &w.c.flow, &w.m, &e)) fail_msg("%s", e.text);
    for (int i = 0; i < 3; i++) transient_advance(&t, 0.3, &r);
    double *u = FROM_DEVICE(t.f.u, *n = t.f.s.dim * t.f.s.pitch);
    transient_free(&t);
    mesh_free(&w.m);
    case_free(&w.c);
    return u;
}

/* Every method and preconditioner finds the solution of the first ones. */
static void all_agree(double *find(bool solid, int method, int kind, int64_t *n, char text[4000]))
{
    static char text[4000];
    for (int solid = 0; solid < 2; solid++) {
        double *first = NULL;
        for (int k = 0; k < N_METHODS * N_KINDS; k++) {
            int64_t n;
            if (k / N_KINDS == 1 && k % N_KINDS >= N_KINDS - 2) continue;       /* gmres */
            double *now = find(solid, k / N_KINDS, k % N_KINDS, &n, text);
            if (!first) first = now;
            else expect_near(now, first, n, 1e-6, text), free(now);
        }
        free(first);
    }
}

static void steady_flow_is_the_same(void **state) { (void)state, all_agree(steady); }
static void flow_in_time_is_the_same(void **state) { (void)state, all_agree(in_time); }

static int open_machine(void **state) { return (void)state, open_device(), 0; }
static int close_machine(void **state) { return (void)state, device_close(), 0; }

int main(void)
{
#define ON_MACHINE(test) cmocka_unit_test_setup_teardown(test, open_machine, close_machine)
    const struct CMUnitTest tests[] = {ON_MACHINE(steady_flow_is_the_same), ON_MACHINE(flow_in_time_is_the_same)};
    return cmocka_run_group_tests_name("velocity_solver", tests, NULL, NULL);
}
