/* Manufactured solutions: the order at which the error of velocity and pressure falls with the mesh, L2 over the cells.
 *
 * closed: u = curl(psi a), psi = prod sin^2(pi x_k) / pi: zero on all walls.  open: psi = y + 0.3 (1-x)^3 sin(2 y), inlets
 * on three sides, an outlet at x = 1, where u = (1, 0).  p = sin(2 x + y - z).  The force per volume
 * rho u.grad u - mu lap u + grad p at the cells' centres goes into the momentum equation.
 *
 * test_mms --half: more schemes and boundaries.  test_mms --full: these on meshes twice as fine, and the table of
 * docs/numerics.md.  There the pressure's ripple of first order (docs/numerics.md) makes the studies fail that do not reach what is promised. */
#include "flow_fixture.h"

struct exact { double u[3], grad_p[3], p, force[3]; };

static const double density = 1.3;
static double viscosity_of(int dim) { return dim == 3 ? 0.02 : 0.01; }

/* psi and its derivatives up to the third, as powers: value[i][j][k] = d^(i+j+k) psi / dx^i dy^j dz^k. */
static void stream(bool open, int dim, const double *x, double value[4][4][4])
{
    double one[3][4];
    for (int k = 0; k < 3; k++) {
        double s = sin(2 * M_PI * x[k]), c = cos(2 * M_PI * x[k]), pi = M_PI;
        double wave[4] = {(1 - c) / 2, pi * s, 2 * pi * pi * c, -4 * pi * pi * pi * s}, flat[4] = {1, 0, 0, 0};
        memcpy(one[k], k < dim ? wave : flat, sizeof flat);
    }
    if (open) {
        double a = 1 - x[0], s = sin(2 * x[1]), c = cos(2 * x[1]);
        memcpy(one[0], (double[]){0.3 * pow(a, 3), -0.9 * a * a, 1.8 * a, -1.8}, sizeof one[0]);
        memcpy(one[1], (double[]){s, 2 * c, -4 * s, -8 * c}, sizeof one[1]);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++) value[i][j][k] = one[0][i] * one[1][j] * one[2][k] / (open ? 1 : M_PI);
    if (open) value[0][0][0] += x[1], value[0][1][0] += 1;
}

/* d^n u_c / dx^n with n[] the orders: u = grad psi x a. */
static double velocity(double psi[4][4][4], int dim, int c, const int n[3])
{
    const double a[3] = {dim == 3 ? 0.6 : 0, dim == 3 ? -0.8 : 0, 1};
    int i = (c + 1) % 3, j = (c + 2) % 3, ni[3] = {n[0], n[1], n[2]}, nj[3] = {n[0], n[1], n[2]};
    ni[i]++, nj[j]++;
    return psi[ni[0]][ni[1]][ni[2]] * a[j] - psi[nj[0]][nj[1]][nj[2]] * a[i];
}

static void exact_at(bool open, int dim, const double *x, struct exact *e)
{
    double psi[4][4][4], phase = 2 * x[0] + x[1] - (dim == 3 ? x[2] : 0);
    const double wave[3] = {2, 1, -1};
    memset(e, 0, sizeof *e);
    stream(open, dim, x, psi);
    e->p = sin(phase);
    for (int c = 0; c < dim; c++) e->u[c] = velocity(psi, dim, c, (int[3]){0, 0, 0});
    for (int c = 0; c < dim; c++) {
        e->force[c] = e->grad_p[c] = wave[c] * cos(phase);
        for (int k = 0; k < dim; k++) {
            int once[3] = {0}, twice[3] = {0};
            once[k] = 1, twice[k] = 2;
            e->force[c] += density * e->u[k] * velocity(psi, dim, c, once) - viscosity_of(dim) * velocity(psi, dim, c, twice);
        }
    }
}

/* Force into the cells, exact values onto inlets and outlets. */
static void impose(struct trial *w, bool open)
{
    struct flow *f = w->f;
    const struct mesh *m = &w->m;
    int dim = m->dim;
    double *source, *velocity_b = from_device(f->b.velocity, (int64_t)dim * f->s.n_boundary);
    double *pressure_b = from_device(f->b.pressure, f->s.n_boundary);
    struct exact e;
    NEW(source, dim * f->s.n_padded);
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x[3] = {0};
        for (int k = 0; k < dim; k++) x[k] = m->cell_centre[(int64_t)k * m->n_cells + c];
        exact_at(open, dim, x, &e);
        for (int k = 0; k < dim; k++) source[k * f->s.n_padded + c] = e.force[k];
    }
    for (int32_t b = 0; b < f->s.n_boundary; b++) {
        int32_t face = m->n_internal + b, cell = m->face_owner[face];
        double x[3] = {0};
        for (int k = 0; k < dim; k++) x[k] = m->cell_centre[(int64_t)k * m->n_cells + cell] + m->face_r[(int64_t)k * m->n_faces + face];
        exact_at(open, dim, x, &e);
        for (int k = 0; k < dim; k++) velocity_b[(int64_t)k * f->s.n_boundary + b] = e.u[k];
        if (x[0] == 1) pressure_b[b] = e.p;
    }
    size_t size = (size_t)dim * (size_t)f->s.n_padded * sizeof *source;
    f->source = device_alloc(size, "source");
    device_upload(f->source, source, size);
    if (open) {
        device_upload(f->b.velocity, velocity_b, (size_t)dim * (size_t)f->s.n_boundary * sizeof *velocity_b);
        device_upload(f->b.pressure, pressure_b, (size_t)f->s.n_boundary * sizeof *pressure_b);
    }
    free(source), free(velocity_b), free(pressure_b);
}

struct errors { double velocity, pressure; int cells; };

static struct errors measure(const struct trial *w, bool open)
{
    const struct mesh *m = &w->m;
    int64_t stride = w->f->s.n_padded;
    double *u = from_device(w->f->u, m->dim * stride), *p = from_device(w->f->p, stride);
    double volume = 0, first = 0, second = 0, square = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        struct exact e;
        double x[3] = {0}, v = m->cell_volume[c];
        for (int k = 0; k < m->dim; k++) x[k] = m->cell_centre[(int64_t)k * m->n_cells + c];
        exact_at(open, m->dim, x, &e);
        for (int k = 0; k < m->dim; k++) square += v * (u[k * stride + c] - e.u[k]) * (u[k * stride + c] - e.u[k]);
        volume += v, first += v * (p[c] - e.p), second += v * (p[c] - e.p) * (p[c] - e.p);
    }
    free(u), free(p);
    double mean = open ? 0 : first / volume;                    /* closed: pressure is known up to a constant */
    return (struct errors){sqrt(square / volume), sqrt(second / volume - mean * mean), m->n_cells};
}

struct study {
    enum grid kind;
    double distortion;
    bool open;
    const char *convection, *gradient;
    int coarse, finest;         /* cells along a side, doubled: coarse, 2 coarse (test; 0: not there); .. finest (full) */
};
static bool full;               /* --full, and --half: up to half as many cells along a side */
static int part = 1;            /* 2: half */

static struct errors solve(const struct study *s, int n)
{
    struct trial w;
    char text[2000];
    const char *side = s->open ? "inlet" : "wall", *third = grid_dim(s->kind) == 3 ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "";
    const char *at = s->open ? " velocity = [1, 1];" : "";
    snprintf(text, sizeof text, "fluid = { density = %g; viscosity = %g; };\n"
             "boundary = { left = { type = \"%s\";%s }; bottom = { type = \"%s\";%s }; top = { type = \"%s\";%s }; right = { type = \"%s\"; };%s };\n"
             "solver = { tolerance = %g; max_iterations = 6000; convection = \"%s\"; gradient = \"%s\"; relaxation_velocity = 0.9; };\n",
             density, viscosity_of(grid_dim(s->kind)), side, at, side, at, side, at, s->open ? "outlet" : "wall", third, full ? 1e-9 : 1e-7, s->convection, s->gradient);
    struct box_setting box = grid_box(s->kind, n, s->distortion);
    trial_open(&w, s->kind, &box, false, text);
    impose(&w, s->open);
    int iterations = trial_converge(&w);
    struct errors e = measure(&w, s->open);
    trial_close(&w);
    if (iterations < 0) fail_msg("%s, n = %d: not converged", grid_name[s->kind], n);
    if (full) printf("# %17s %4.2f %6s %-13s %-13s %7d cells %5d iterations  velocity %.3e  pressure %.3e\n", grid_name[s->kind], s->distortion,
                     s->open ? "open" : "closed", s->convection, s->gradient, e.cells, iterations, e.velocity, e.pressure);
    return e;
}

/* Orders between the two finest levels. */
static void observe(const struct study *s)
{
    int n = full ? s->finest / 2 / part : s->coarse;
    for (int k = s->coarse ? s->coarse : n / 2; full && k < n; k *= 2) solve(s, k);
    struct errors a = solve(s, n), b = solve(s, 2 * n);
    double refinement = log((double)b.cells / a.cells) / grid_dim(s->kind);
    double velocity_order = log(a.velocity / b.velocity) / refinement, pressure_order = log(a.pressure / b.pressure) / refinement;
    print_message("# %s, distortion %g, %s, %s, %s: order of velocity %.2f, of pressure %.2f\n", grid_name[s->kind], s->distortion,
                  s->open ? "open" : "closed", s->convection, s->gradient, velocity_order, pressure_order);
    if (!(velocity_order >= 1.9 && pressure_order >= 1.5))
        fail_msg("%s: order of velocity %.2f (1.9), of pressure %.2f (1.5)", grid_name[s->kind], velocity_order, pressure_order);
}

static const struct study studies[] = {
#define LU "linear-upwind", "least-squares"
#define CD "central", "least-squares"
    {GRID_QUADS, 0, false, LU, 16, 64}, {GRID_QUADS, 0, false, CD, 16, 64},
    {GRID_QUADS, 0, false, "linear-upwind", "green-gauss", 16, 64}, {GRID_QUADS, 0, true, LU, 0, 128},
    {GRID_QUADS, 0.25, false, LU, 16, 64}, {GRID_QUADS, 0.25, false, CD, 16, 64}, {GRID_QUADS, 0.25, true, LU, 0, 128},
    {GRID_TRIANGLES, 0.2, false, LU, 16, 64}, {GRID_TRIANGLES, 0.2, false, CD, 0, 64}, {GRID_TRIANGLES, 0.2, true, LU, 16, 64},
    {GRID_MIXED_2D, 0.2, false, LU, 16, 64}, {GRID_MIXED_2D, 0.2, false, CD, 0, 64},
    {GRID_HEXAHEDRA, 0.2, false, LU, 8, 32}, {GRID_HEXAHEDRA, 0.2, false, CD, 0, 32},
    {GRID_TETRAHEDRA, 0.1, false, LU, 6, 24}, {GRID_TETRAHEDRA, 0.1, false, CD, 0, 24},
    {GRID_MIXED_3D, 0.15, false, LU, 6, 24}, {GRID_MIXED_3D, 0.15, false, CD, 0, 24},
};

static void one_study(void **state) { observe(*state); }

int main(int argc, char **argv)
{
    enum { N = sizeof studies / sizeof *studies };
    struct CMUnitTest tests[N];
    static char name[N][100];
    part = argc > 1 && !strcmp(argv[1], "--half") ? 2 : 1;
    full = part == 2 || (argc > 1 && !strcmp(argv[1], "--full"));
    int n = 0;
    for (int i = 0; i < N; i++) {
        const struct study *s = &studies[i];
        if (!full && !s->coarse) continue;
        snprintf(name[i], sizeof name[i], "%s %g %s %s %s", grid_name[s->kind], s->distortion, s->open ? "open" : "closed", s->convection, s->gradient);
        tests[n++] = (struct CMUnitTest){.name = name[i], .test_func = one_study, .initial_state = (void *)s};
    }
    open_device();
    return finish_tests(_cmocka_run_group_tests("mms", tests, (size_t)n, NULL, NULL));
}
