/* Spectral radius of every lagged part of the discretisation: the explicit part over the implicit part that balances
 * it, by power iteration with the program's own kernels.  Below 1 the lagged part converges without help; above 1
 * something else must damp it.  Required: viscous and flux below 0.9 (1 with slivers), all others except central below
 * 1.
 *
 * viscous   x -> A^-1 deferred(x): momentum without flux, velocity zero on all walls
 * lowest    the lowest eigenvalue of that, if it is real: an extrapolated initial guess of a time step allows -1/3
 *           (docs/explanation/numerics.md)
 * flux      p -> L^-1 div through(grad p): effect of the flux correction on the pressure
 * cross     p -> L^-1 div of the flux across d of grad p: the non-orthogonal corrector of SIMPLE
 * time      change of the acceleration -> that of one more non-orthogonal corrector of a time step
 * uzawa     p -> p after a step so large that only viscous terms are left: an error of the pressure, minus its mean
 *           (without the explicit viscous terms; 0: not measured where steep boundary cells keep a part of the state)
 * lu, cd    x -> A^-1 (convection by linear-upwind, central, minus upwind) in a uniform stream at a cell Peclet number
 *           of 1000, A upwind and relaxed by 0.9; "all": with the part of x kept by relaxation, as iterated by SIMPLE
 *           at a constant pressure
 *
 * Central is only printed.  Without viscosity, on uniform cells, the wave that alternates from cell to cell gives cd
 * 0.95 and "all" exactly 1 in a stream along the cells, so skewness and non-uniform cells raise it above 1: on Gmsh's
 * tetrahedra in a few bad cells to 1.55.  There it is 0.87 at a cell Peclet number of 10: viscosity damps it.
 * test_spectrum --full FILE.h5 ...: more iterations, and these native meshes too, all their boundaries as walls. */
#include "flow_fixture.h"
#include "gmsh_fixture.h"
#include "assembly/gradient.h"
#include "assembly/transport.h"
#include "assembly/pressure.h"
#include "flow/transient.h"
#include "gpu/sums.h"
#include "gpu/vector.h"

enum part { VISCOUS, LOWEST, FLUX, CROSS, TIME, UZAWA, UPWIND_ALONE, CENTRAL_ALONE, UPWIND_ALL, CENTRAL_ALL, N_PARTS };
static const char *const part_name[N_PARTS] = {"viscous", "lowest", "flux", "cross", "time", "uzawa", "lu", "cd",
                                               "lu, all", "cd, all"};

/* One mesh: a box of the kind, or a file. */
struct spectrum {
    const char *name, *file;
    enum grid kind;
    int n, layers;              /* layers: in z, between slip walls; 0: n, between walls */
    double distortion, stretch;
    bool slivers;
    int32_t cells;
    double radius[N_PARTS];
};

#define BOX(label, type, along, shift, widest) \
    {.name = label, .kind = type, .n = along, .distortion = shift, .stretch = widest}
#define GMSH(label) .name = label, .file = "tests/data/" label ".msh"
static struct spectrum spectra[100] = {
    BOX("quads", GRID_QUADS, 16, 0.3, 1), BOX("quads, stretched 10", GRID_QUADS, 16, 0.15, 10),
    BOX("triangles", GRID_TRIANGLES, 12, 0.2, 1), BOX("hexahedra", GRID_HEXAHEDRA, 7, 0.3, 1),
    BOX("tetrahedra", GRID_TETRAHEDRA, 4, 0.1, 1), BOX("pyramids", GRID_PYRAMIDS, 4, 0.1, 1),
    BOX("hex+pyramid+prism", GRID_MIXED_3D, 6, 0.15, 1),
    {.name = "flat tetrahedra, slip", .kind = GRID_TETRAHEDRA, .n = 11, .layers = 2, .stretch = 1},
    {GMSH("gmsh_triangles")}, {GMSH("gmsh_tetrahedra")}, {GMSH("gmsh_slivers"), .slivers = true},
};
enum { N_OWN = 11, LAST = 20 };
static int rounds = 80;

struct rig {
    struct case_settings c;
    struct mesh m;
    struct transient t;
    double *no_flux;            /* [n_faces] 0 */
    struct boundary stream;     /* given velocity where the stream enters, outlets where it leaves */
    double *stream_flux;        /* [n_faces] */
    struct reconstruction in_stream;
    double stream_viscosity;
    enum convection scheme;
    bool alone;                 /* without the part kept by relaxation */
};

/* ---------------------------------------------------------------- mesh and case */
static void open_mesh(struct mesh *m, const struct spectrum *x)
{
    if (!x->file) {
        struct box_setting box = grid_box(x->kind, x->n, x->distortion);
        for (int k = 0; k < 3; k++) box.stretch[k] = x->stretch;
        if (x->layers) box.cells[2] = x->layers;
        grid_mesh(m, x->kind, &box);
        if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    } else if (strstr(x->file, ".msh"))
        load(m, x->file, NULL, 0);
    else if (!mesh_open(m, x->file, ORDERING_HILBERT, &e))
        fail_msg("%s", e.text);
}

/* Every boundary of the mesh is a wall at rest, except those with slip. */
static void walls_everywhere(struct case_settings *c, const struct mesh *m, bool slip)
{
    char text[4096];
    int n = snprintf(text, sizeof text, "mesh = { box = { cells = [1, 1]; }; };\nfluid = { viscosity = 1.0; };\n"
                     "solver = { algorithm = \"piso\"; pressure = { tolerance = 1e-8; max_iterations = 2000; };"
                     "velocity = { tolerance = 1e-8; max_iterations = 2000; }; };\n"
                     "time = { end = 1.0; step = 1.0; };\nboundary = {");
    for (int p = 0; p < m->n_patches; p++)
        n += snprintf(text + n, sizeof text - (size_t)n, " %s = { type = \"%s\"; };", m->patch[p].name,
                      slip && p >= 4 ? "slip" : "wall");
    snprintf(text + n, sizeof text - (size_t)n, " };\n");
    case_of_text(c, text);
}

/* The stream (1, 0.7, 0.4) through all boundaries. */
static void open_stream(struct rig *g)
{
    static const double stream[3] = {1, 0.7, 0.4};
    const struct mesh *m = &g->m;
    const struct stencil *s = &g->t.f.s;
    double *flux, volume = 0;
    uint8_t *rule;
    NEW(flux, m->n_faces), NEW(rule, s->n_boundary);
    for (int32_t f = 0; f < m->n_faces; f++) {
        for (int k = 0; k < m->dim; k++) flux[f] += stream[k] * m->face_area[(int64_t)k * m->n_faces + f];
        if (f >= m->n_internal) rule[f - m->n_internal] = flux[f] < 0 ? RULE_VALUE : RULE_GRADIENT;
    }
    for (int32_t c = 0; c < m->n_cells; c++) volume += m->cell_volume[c];
    g->stream_viscosity = sqrt(1 + 0.49 + (m->dim == 3 ? 0.16 : 0)) * pow(volume / m->n_cells, 1.0 / m->dim) / 1000;
    g->stream_flux = device_copy_of(flux, (size_t)m->n_faces * sizeof *flux, "stream");
    g->stream = g->t.f.b;
    g->stream.velocity_rule = device_copy_of(rule, (size_t)s->n_boundary, "rules");
    g->stream.velocity = device_alloc((size_t)m->dim * (size_t)s->n_boundary * sizeof(double), "stream's boundary");
    reconstruction_create(&g->in_stream, s, &g->stream, m, ACCURACY_HIGH, g->t.f.work);
    free(flux), free(rule);
}

/* The pressure's matrix, with the coefficient g, is used for all parts. */
static void open_rig(struct rig *g, const struct spectrum *x)
{
    memset(g, 0, sizeof *g);
    open_mesh(&g->m, x);
    walls_everywhere(&g->c, &g->m, x->layers > 0);
    if (!transient_create(&g->t, &g->c.flow, &g->m, &e)) fail_msg("%s", e.text);
    struct flow *f = &g->t.f;
    g->no_flux = device_alloc((size_t)f->s.n_faces * sizeof(double), "no flux");
    struct pressure_args p = {.s = f->s, .a = f->pressure, .coefficient = f->s.g, .flux = g->no_flux,
                              .scale = 1, .rhs = g->t.balance};
    pressure_matrix(&p, f->s.n_slices);
    solver_set_bounds(f->pressure_solver, g->c.flow.solver.pressure.tolerance, 0);
    open_stream(g);
}

static void close_rig(struct rig *g)
{
    reconstruction_free(&g->in_stream);
    device_free(g->no_flux), device_free(g->stream_flux);
    device_free((void *)g->stream.velocity_rule), device_free(g->stream.velocity);
    transient_free(&g->t);
    mesh_free(&g->m);
    case_free(&g->c);
}

/* ---------------------------------------------------------------- what is iterated */
static void zero(double *x, int64_t n)
{
    struct fill_args a = {x, 0};
    fill(&a, n);
}

/* p = L^-1 of the net flux of t.f.flux. */
static void solve_for_flux(struct rig *g)
{
    struct flow *f = &g->t.f;
    struct pressure_args p = {.s = f->s, .a = f->pressure, .coefficient = f->s.g, .flux = f->flux, .scale = 1,
                              .rhs = g->t.balance};
    pressure_rhs(&p, f->s.n_slices);
    pressure_boundary_rhs(&p, f->s.n_boundary_cells);
    zero(f->p, f->s.pitch);
    struct linear_result r = solver_solve(f->pressure_solver, &f->pressure, f->p, g->t.balance);
    if (r.status != LINEAR_CONVERGED) fail_msg("pressure: status %d after %d iterations", r.status, r.iterations);
}

/* u = Green-Gauss gradient of p, extrapolated to the walls. */
static void pressure_gradient(struct rig *g)
{
    struct flow *f = &g->t.f;
    struct boundary_args b = {.s = f->s, .b = f->b, .u = f->u, .p = f->p, .grad_p = f->grad_p};
    boundary_pressure(&b, f->s.n_boundary);
    wall_pressure(&b, f->b.n_wall_cells);
    gradient(&f->s, GRADIENT_GREEN_GAUSS, 1, f->p, f->b.pressure, f->u, f->scratch);
}

static void flux_step(struct rig *g)
{
    struct flow *f = &g->t.f;
    struct reconstruction *r = &f->reconstruction;
    zero(f->flux, f->s.n_faces);
    if (r->regular) return zero(f->p, f->s.pitch);
    pressure_gradient(g);
    reconstruct(r, f->u, f->grad_u);
    reconstruct_at_faces(r, f->u, f->grad_u, NULL);
    struct combine_args copy = {f->flux, 1, r->through, 0, r->through};
    combine(&copy, f->s.n_internal);
    solve_for_flux(g);
}

static void cross_step(struct rig *g)
{
    struct flow *f = &g->t.f;
    zero(f->flux, f->s.n_faces), zero(g->t.through, f->s.n_faces);
    pressure_gradient(g);
    struct cross_flux_args a = {.s = f->s, .coefficient = f->s.g, .grad_change = f->u, .cross = g->t.through,
                                .flux = f->flux};
    cross_flux(&a, f->s.n_internal);
    solve_for_flux(g);
}

/* The current momentum matrix and right-hand side, without pressure. */
static void assemble(struct rig *g, const struct reconstruction *r, double relaxation, double *rhs)
{
    struct transient *t = &g->t;
    struct flow *f = &t->f;
    bool stream = r == &g->in_stream;
    struct transport m = {.s = f->s, .a = t->f.momentum, .components = f->s.dim,
                          .boundary = boundary_of_velocity(&r->b, r, false),
                          .diffusivity = stream ? g->stream_viscosity : 1, .relaxation = relaxation, .x = f->u,
                          .gradient = f->grad_u, .deferred = r->deferred, .density = 1,
                          .flux = stream ? g->stream_flux : g->no_flux, .rhs = rhs};
    transport_assemble(&m, stream ? g->scheme : CONVECTION_UPWIND);
}

static void solve_momentum(struct rig *g)
{
    struct flow *f = &g->t.f;
    zero(f->u, f->s.dim * f->s.pitch);
    struct linear_result r = solver_solve(f->velocity_solver, &f->momentum, f->u, f->rhs);
    if (r.status != LINEAR_CONVERGED && r.final > 1e-6 * r.initial)
        fail_msg("velocity: status %d after %d iterations, %g of %g", r.status, r.iterations, r.final, r.initial);
}

static void viscous_step(struct rig *g)
{
    struct flow *f = &g->t.f;
    struct reconstruction_fluid fluid = {.viscosity = 1, .density = 0};
    reconstruct(&f->reconstruction, f->u, f->grad_u);
    reconstruct_at_faces(&f->reconstruction, f->u, f->grad_u, &fluid);
    assemble(g, &f->reconstruction, 1, f->rhs);
    solve_momentum(g);
}

/* x minus the above: its largest eigenvalue is 1 minus the smallest one of that. */
static void viscous_rest(struct rig *g)
{
    struct flow *f = &g->t.f;
    int64_t n = f->s.dim * f->s.pitch;
    struct combine_args keep = {g->t.u_older, 1, f->u, 0, f->u};
    combine(&keep, n);
    viscous_step(g);
    struct combine_args rest = {f->u, 1, g->t.u_older, -1, f->u};
    combine(&rest, n);
}

/* Without density: the contribution of bent faces to the convection is not linear.  Assembled without relaxation first:
 * its right-hand side is the deferred part alone. */
static void stream_step(struct rig *g)
{
    struct flow *f = &g->t.f;
    struct reconstruction_fluid fluid = {.viscosity = g->stream_viscosity, .density = 0};
    struct boundary_args b = {.s = f->s, .b = g->stream, .u = f->u, .p = f->p, .grad_p = f->grad_p};
    boundary_velocity(&b, f->s.n_boundary);
    reconstruct(&g->in_stream, f->u, f->grad_u);
    reconstruct_at_faces(&g->in_stream, f->u, f->grad_u, &fluid);
    if (g->alone) assemble(g, &g->in_stream, 1, f->rhs);
    assemble(g, &g->in_stream, 0.9, g->alone ? g->t.u_older : f->rhs);
    solve_momentum(g);
}

/* The change of the acceleration by a non-orthogonal corrector from the previous one, in units in which c is 1. */
static void time_step_corrector(struct rig *g)
{
    struct transient *t = &g->t;
    const struct stencil *s = &t->f.s;
    struct time_step none = {.c = 1, .h1 = 0, .h2 = 0, .old = t->u_old, .older = t->u_old, .flux_old = g->no_flux,
                             .flux_older = g->no_flux};
    zero(t->before, s->dim * s->pitch), zero(t->through, s->n_faces);
    struct fill_args coefficient = {t->coefficient, 0};
    fill(&coefficient, s->n_faces);
    struct combine_args geometry = {t->coefficient, 1, s->g, 0, s->g};
    combine(&geometry, s->n_internal);
    struct corrector_flux_args flux = {.s = *s, .b = t->f.b, .t = none, .before = t->before,
                                       .acceleration = t->acceleration, .through = t->through, .flux = t->f.flux,
                                       .coefficient = t->coefficient, .properties.density = {1}, .p = t->f.p};
    zero(t->f.p, s->pitch);
    boundary_known_flux(&flux, s->n_boundary);
    known_flux(&flux, s->n_internal);
    solve_for_flux(g);
    struct correct_faces_args faces = {.s = *s, .b = t->f.b, .c = 1, .properties.density = {1}, .change = t->f.p,
                                       .p = t->f.p, .coefficient = t->coefficient, .through = t->through,
                                       .before = t->before, .acceleration = t->acceleration, .flux = t->f.flux,
                                       .step = t->face_step};
    struct boundary_args walls = {.s = *s, .b = t->f.b, .u = t->f.u, .p = t->f.p, .grad_p = t->f.grad_p};
    correct_faces(&faces, s->n_internal);
    correct_boundary_faces(&faces, s->n_boundary);
    wall_pressure(&walls, t->f.b.n_wall_cells);
    wall_steps(&faces, t->f.b.n_wall_cells);
    struct correct_cells_args cells = {.s = *s, .c = 1, .step = t->face_step, .along = t->along,
                                       .acceleration = t->acceleration};
    if (t->along) gradient_of_steps(s, t->face_step, t->along);
    correct_cells(&cells, s->n_slices);
    correct_boundary_cells(&cells, s->n_boundary_cells);
}

/* y and the acceleration of the current pressure. */
static void accelerate(struct rig *g)
{
    struct transient *t = &g->t;
    const struct stencil *s = &t->f.s;
    struct correct_faces_args faces = {.s = *s, .b = t->f.b, .c = 1, .properties.density = {1}, .p = t->f.p,
                                       .diagonal = t->diagonal, .coefficient = s->g, .predicted = t->predicted,
                                       .through = t->through, .flux = t->f.flux, .step = t->face_step, .rotated = 1};
    struct boundary_args walls = {.s = *s, .b = t->f.b, .u = t->f.u, .p = t->f.p, .grad_p = t->f.grad_p};
    struct correct_cells_args cells = {.s = *s, .c = 1, .step = t->face_step, .along = t->along,
                                       .acceleration = t->acceleration};
    correct_faces(&faces, s->n_internal);
    correct_boundary_faces(&faces, s->n_boundary);
    wall_pressure(&walls, t->f.b.n_wall_cells);
    wall_steps(&faces, t->f.b.n_wall_cells);
    if (t->along) gradient_of_steps(s, t->face_step, t->along);
    correct_cells(&cells, s->n_slices);
    correct_boundary_cells(&cells, s->n_boundary_cells);
}

static void remove_mean(const struct stencil *s, double *p)
{
    double *ones = device_alloc((size_t)s->pitch * sizeof *ones, "ones");
    struct fill_args one = {ones, 1};
    fill(&one, s->n_cells);
    struct combine_args less = {p, 1, p, -reduce(REDUCE_DOT, ones, p, s->n_padded) / s->n_cells, ones};
    combine(&less, s->n_padded);
    device_free(ones);
}

/* Density and viscosity are 1, and c is so small that inertia vanishes. */
static void uzawa_step(struct rig *g)
{
    struct transient *t = &g->t;
    struct flow *f = &t->f;
    const struct stencil *s = &f->s;
    struct reconstruction *r = &f->reconstruction;
    struct time_step k = {.c = 1e-9, .old = t->u_old, .older = t->u_old, .flux_old = g->no_flux,
                          .flux_older = g->no_flux};
    accelerate(g);
    zero(f->u, s->dim * s->pitch), zero(f->flux, s->n_faces);
    struct reconstruction_fluid fluid = {.viscosity = 1};
    reconstruct(r, f->u, f->grad_u), reconstruct_at_faces(r, f->u, f->grad_u, &fluid);
    assemble(g, r, 1, f->rhs);
    struct momentum_args diagonal = {.s = *s, .a = f->momentum, .diagonal = t->diagonal};
    momentum_diagonal(&diagonal, s->n_cells);
    struct predictor_args predictor = {.s = *s, .properties.density = {1},
                                       .acceleration = t->acceleration, .rhs = f->rhs, .predicted = f->rhs};
    predictor_rhs(&predictor, s->n_cells);
    solve_momentum(g);
    reconstruct(r, f->u, f->grad_u), reconstruct_at_faces(r, f->u, f->grad_u, NULL);
    struct corrector_flux_args flux = {.s = *s, .b = f->b, .t = k, .u = f->u, .diagonal = t->diagonal,
                                       .before = t->acceleration, .step = t->face_step, .reconstructed = r->through,
                                       .properties.density = {1}, .predicted = t->predicted, .through = t->through,
                                       .coefficient = t->coefficient};
    predicted_flux(&flux, s->n_internal), boundary_predicted_flux(&flux, s->n_boundary);
    struct pressure_args net = {.s = *s, .a = f->pressure, .flux = t->predicted, .scale = 1, .rhs = t->balance};
    struct rotate_args rotate = {.s = *s, .b = f->b, .c = k.c, .properties = {.density = {1}, .viscosity = {1}},
                                 .diagonal = t->diagonal, .predicted = t->predicted, .flux = f->flux,
                                 .balance = t->balance, .p = f->p};
    pressure_rhs(&net, s->n_slices), predicted_boundary_balance(&rotate, s->n_boundary_cells);
    rotate_pressure(&rotate, s->n_slices);
    remove_mean(s, f->p);
}

/* ---------------------------------------------------------------- power iteration */
static void start(const struct stencil *s, double *x, int components)
{
    double *host;
    NEW(host, components * s->pitch);
    for (int k = 0; k < components; k++)
        for (int32_t c = 0; c < s->n_cells; c++) host[k * s->pitch + c] = number((int64_t)k * s->n_cells + c);
    device_upload(x, host, (size_t)components * (size_t)s->pitch * sizeof *host);
    free(host);
}

/* Growth of the norm, as a geometric mean over the last iterations. */
static double growth(struct rig *g, void (*step)(struct rig *), double *x, int components)
{
    int64_t n = components * g->t.f.s.pitch;
    double sum = 0;
    start(&g->t.f.s, x, components);
    for (int i = -1; i < rounds; i++) {
        double size = sqrt(reduce(REDUCE_DOT, x, x, n));
        if (i >= rounds - LAST) sum += log(size);
        if (!(size > 1e-30)) return isfinite(size) ? 0 : INFINITY;
        struct combine_args scale = {x, 1 / size, x, 0, x};
        combine(&scale, n);
        if (i < rounds - 1) step(g);
    }
    return exp(sum / LAST);
}

static double stream_growth(struct rig *g, enum convection scheme, bool alone)
{
    g->scheme = scheme, g->alone = alone;
    return growth(g, stream_step, g->t.f.u, g->m.dim);
}

static void measure(struct rig *g, double radius[N_PARTS])
{
    struct flow *f = &g->t.f;
    radius[VISCOUS] = growth(g, viscous_step, f->u, g->m.dim);
    radius[LOWEST] = 1 - growth(g, viscous_rest, f->u, g->m.dim);
    radius[FLUX] = growth(g, flux_step, f->p, 1);
    radius[CROSS] = f->s.orthogonal ? 0 : growth(g, cross_step, f->p, 1);
    radius[TIME] = growth(g, time_step_corrector, g->t.acceleration, g->m.dim);
    zero(g->t.u_old, g->m.dim * f->s.pitch), zero(g->t.face_step, f->s.n_faces);
    radius[UZAWA] = f->b.n_steep ? 0 : growth(g, uzawa_step, f->p, 1);
    radius[UPWIND_ALONE] = stream_growth(g, CONVECTION_LINEAR_UPWIND, true);
    radius[CENTRAL_ALONE] = stream_growth(g, CONVECTION_CENTRAL, true);
    radius[UPWIND_ALL] = stream_growth(g, CONVECTION_LINEAR_UPWIND, false);
    radius[CENTRAL_ALL] = stream_growth(g, CONVECTION_CENTRAL, false);
}

static void below(const struct spectrum *x, enum part part, double bound)
{
    if (x->radius[part] < bound) return;
    fail_msg("%s, %s: spectral radius %.3f, expected below %g", x->name, part_name[part], x->radius[part], bound);
}

static void one_mesh(void **state)
{
    struct spectrum *x = *state;
    struct rig g;
    open_rig(&g, x);
    x->cells = g.m.n_cells;
    measure(&g, x->radius);
    close_rig(&g);
    below(x, VISCOUS, x->slivers ? 1 : 0.9), below(x, FLUX, x->slivers ? 1 : 0.9);
    /* A tenth of the implicit part is added on both sides (transient_predict.c), with which -0.46 is stable. */
    const double lowest = x->layers ? -0.46 : -1.0 / 3;
    if (x->radius[LOWEST] < lowest) fail_msg("%s: an explicit viscous part of %.3f", x->name, x->radius[LOWEST]);
    below(x, CROSS, 1), below(x, TIME, 1), below(x, UZAWA, 1), below(x, UPWIND_ALONE, 1), below(x, UPWIND_ALL, 1);
}

static void print_table(int n)
{
    printf("# %-24s %7s", "mesh", "cells");
    for (int k = 0; k < N_PARTS; k++) printf(" %8s", part_name[k]);
    for (int i = 0; i < n; i++) {
        if (!spectra[i].cells) continue;
        printf("\n# %-24s %7d", spectra[i].name, spectra[i].cells);
        for (int k = 0; k < N_PARTS; k++) printf(" %8.3f", spectra[i].radius[k]);
    }
    printf("\n");
}

static int add_files(int n, int argc, char **argv)
{
    for (int i = 2; i < argc && n < 100; i++) {
        const char *name = strrchr(argv[i], '/');
        bool slivers = strstr(argv[i], "sliver");
        spectra[n++] = (struct spectrum){.name = name ? name + 1 : argv[i], .file = argv[i], .slivers = slivers};
    }
    return n;
}

int main(int argc, char **argv)
{
    static struct CMUnitTest tests[100];
    bool full = argc > 1 && !strcmp(argv[1], "--full"), gmsh = prepare();
    int n = full ? add_files(N_OWN, argc, argv) : N_OWN, n_tests = 0;
    if (full) rounds = 150;
    for (int i = 0; i < n; i++) {
        struct spectrum *x = &spectra[i];
        if (!gmsh && x->file && strstr(x->file, ".msh")) printf("ok %s # SKIP poise-gmsh is not built\n", x->name);
        else tests[n_tests++] = (struct CMUnitTest){.name = x->name, .test_func = one_mesh, .initial_state = x};
    }
    open_device();
    int failed = _cmocka_run_group_tests("spectrum", tests, (size_t)n_tests, NULL, NULL);
    print_table(n);
    clean(NULL);
    return finish_tests(failed);
}
