#include "flow/simple.h"
#include <math.h>
#include <string.h>
#include "assembly/gradient.h"
#include "assembly/momentum.h"
#include "assembly/pressure.h"
#include "base/timer.h"
#include "gpu/device.h"
#include "gpu/vector.h"

const char *const phase_name[N_PHASES] = {"momentum assembly", "momentum solve", "pressure assembly", "pressure solve", "correction"};

static double *cells(const struct simple *f, int components, const char *what)
{
    return device_alloc((size_t)components * (size_t)f->s.n_padded * sizeof(double), what);
}

static void allocate_fields(struct simple *f)
{
    int dim = f->s.dim;
    size_t n_faces = (size_t)f->s.n_faces;
    f->u = cells(f, dim, "velocity");
    f->p = cells(f, 1, "pressure");
    f->grad_p = cells(f, dim, "pressure gradient");
    f->grad_next = cells(f, dim, "pressure gradient");
    f->rhs = cells(f, dim, "right-hand side");
    f->u_old = cells(f, dim, "old velocity");
    f->rhie = cells(f, 1, "Rhie-Chow coefficient");
    f->correct = cells(f, 1, "velocity correction coefficient");
    f->change = cells(f, 1, "pressure correction");
    f->flux = device_alloc(n_faces * sizeof(double), "mass flux");
    f->coefficient = device_alloc(n_faces * sizeof(double), "pressure coefficients");
    bool need = momentum_needs_gradient(&f->s, f->c->convection);
    if (need) f->grad_u = cells(f, dim * dim, "velocity gradient");
    bool of_velocity = gradient_needs_scratch(&f->s, f->c->gradient);
    if (of_velocity || gradient_needs_scratch(&f->s, GRADIENT_GREEN_GAUSS)) f->scratch = cells(f, of_velocity ? dim * dim : dim, "gradient");
    if (f->c->non_orthogonal_correctors > 0 && !f->s.orthogonal) {
        f->cross = device_alloc((size_t)f->s.n_internal * sizeof(double), "non-orthogonal flux");
        f->change_boundary = device_alloc((size_t)f->s.n_boundary * sizeof(double), "boundary pressure correction");
    }
}

/* The matrix of the plain Laplacian: what multigrid takes its structure from, so that it depends on the mesh alone and a
 * restarted run has the same. */
static void assemble_laplacian(struct simple *f)
{
    struct fill_args no_flux = {f->flux, 0};
    fill(&no_flux, f->s.n_faces);
    struct pressure_args p = {f->s, f->a, f->s.g, f->flux, f->rhs};
    pressure_matrix(&p, f->s.n_slices);
}

static void start_fields(struct simple *f)
{
    for (int k = 0; k < f->s.dim; k++) {
        struct fill_args u = {f->u + k * f->s.n_padded, f->c->initial_velocity[k]};
        fill(&u, f->s.n_cells);
    }
    struct fill_args p = {f->p, f->c->initial_pressure};
    fill(&p, f->s.n_cells);
    struct boundary_args b = {f->s, f->b, f->u, f->p, f->grad_p};
    boundary_velocity(&b, f->s.n_boundary);
    boundary_pressure(&b, f->s.n_boundary);
    wall_pressure(&b, f->b.n_wall_cells);
    struct start_flux_args flux = {f->s, f->c->density, f->u, f->b.velocity, f->b.type, f->flux};
    start_flux(&flux, f->s.n_faces);
}

bool simple_create(struct simple *f, const struct case_settings *c, const struct mesh *m, struct error *e)
{
    memset(f, 0, sizeof *f);
    f->c = c;
    stencil_create(&f->s, m);
    if (!boundary_create(&f->b, &f->s, m, c, e)) {
        stencil_free(&f->s);
        return false;
    }
    mod_sell_like(&f->a, &f->s.pattern);
    allocate_fields(f);
    assemble_laplacian(f);
    f->velocity_solver = bicgstab_create(&f->a, &c->velocity, f->s.dim);
    f->pressure_solver = cg_create(&f->a, &c->pressure, f->b.closed, e);
    residual_create(&f->velocity_residual, &f->s, f->s.dim);
    residual_create(&f->pressure_residual, &f->s, 1);
    start_fields(f);
    if (f->pressure_solver) return true;
    simple_free(f);
    return false;
}

void simple_free(struct simple *f)
{
    double *const arrays[] = {f->u, f->p, f->flux, f->grad_p, f->grad_u, f->grad_next, f->scratch, f->rhs, f->u_old, f->rhie,
                              f->correct, f->change, f->coefficient, f->cross, f->change_boundary, f->source};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    residual_free(&f->velocity_residual);
    residual_free(&f->pressure_residual);
    bicgstab_free(f->velocity_solver);
    cg_free(f->pressure_solver);
    mod_sell_free_like(&f->a);
    boundary_free(&f->b);
    stencil_free(&f->s);
}

/* Always Green-Gauss, whatever the case says for velocity: the pressure force must be conservative.  On triangles and
 * tetrahedra p carries a ripple of O(h) from cell to cell; least-squares gradients of it do not cancel between the
 * cells and leave a force that does not vanish with the mesh. */
static void pressure_gradient(struct simple *f, const double *p, const double *boundary)
{
    gradient(&f->s, GRADIENT_GREEN_GAUSS, 1, p, boundary, f->grad_next, f->scratch);
}

static void end_phase(struct simple *f, enum phase phase, double *clock)
{
    double now = wall_seconds();
    f->seconds[phase] += now - *clock;
    *clock = now;
}

static void predict_velocity(struct simple *f, struct simple_report *r, double *clock)
{
    const struct case_settings *c = f->c;
    if (f->grad_u) gradient(&f->s, c->gradient, f->s.dim, f->u, f->b.velocity, f->grad_u, f->scratch);
    struct momentum m = {f->s, f->b, f->a, c->viscosity, c->relaxation_velocity, c->algorithm == ALGORITHM_SIMPLEC,
                         f->u, f->grad_u, f->grad_p, f->flux, f->source, f->rhs, f->u_old, f->rhie, f->correct};
    momentum_assemble(&m, c->convection);
    residual_normalised(&f->velocity_residual, &f->a, f->u, f->rhs, false, 0, r->velocity);
    end_phase(f, PHASE_MOMENTUM_ASSEMBLY, clock);
    r->velocity_solve = bicgstab_solve(f->velocity_solver, f->u, f->rhs);
    end_phase(f, PHASE_MOMENTUM_SOLVE, clock);
}

static void assemble_pressure(struct simple *f)
{
    struct blend_args blend = {f->c->relaxation_velocity, f->u, f->u_old};
    blend_velocity(&blend, f->s.dim * f->s.n_padded);
    struct face_flux_args flux = {f->s, f->b, f->c->density, f->c->relaxation_velocity, f->u_old, f->grad_u, f->p, f->grad_p,
                                  f->rhie, f->correct, f->flux, f->coefficient};
    face_flux(&flux, f->s.n_internal);
    boundary_flux(&flux, f->s.n_boundary);
    struct pressure_args p = {f->s, f->a, f->coefficient, f->flux, f->rhs};
    pressure_matrix(&p, f->s.n_slices);
    pressure_boundary(&p, f->s.n_boundary_cells);
}

/* Net flux of every cell, with the sign of the right-hand side, into f->rhs. */
static void net_flux(struct simple *f)
{
    struct pressure_args p = {f->s, f->a, f->coefficient, f->flux, f->rhs};
    pressure_rhs(&p, f->s.n_slices);
    pressure_boundary_rhs(&p, f->s.n_boundary_cells);
}

/* p', and once more for every non-orthogonal corrector with the flux across d from the p' just found. */
static void solve_pressure(struct simple *f, struct simple_report *r)
{
    struct fill_args zero = {f->change, 0};
    fill(&zero, f->s.n_padded);
    r->pressure_solve = cg_solve(f->pressure_solver, f->change, f->rhs);
    if (!f->cross) return;
    struct fill_args none = {f->cross, 0}, flat = {f->grad_next, 0};
    fill(&none, f->s.n_internal);
    fill(&flat, f->s.dim * f->s.n_padded);
    struct boundary b = f->b;
    b.pressure = f->change_boundary;                            /* stays zero where pressure is given */
    for (int i = 0; i < f->c->non_orthogonal_correctors; i++) {
        struct boundary_args extrapolate = {f->s, b, f->u, f->change, f->grad_next};
        boundary_pressure(&extrapolate, f->s.n_boundary);
        wall_pressure(&extrapolate, b.n_wall_cells);
        pressure_gradient(f, f->change, b.pressure);
        struct cross_flux_args cross = {f->s, f->coefficient, f->grad_next, f->cross, f->flux};
        cross_flux(&cross, f->s.n_internal);
        net_flux(f);
        struct linear_result again = cg_solve(f->pressure_solver, f->change, f->rhs);
        again.iterations += r->pressure_solve.iterations;
        if (!again.note) again.note = r->pressure_solve.note;
        r->pressure_solve = again;
    }
}

static void correct(struct simple *f)
{
    struct correct_args a = {f->s, f->coefficient, f->change, f->c->relaxation_pressure, f->p, f->flux,
                             f->grad_p, f->grad_next, f->correct, f->u};
    correct_flux(&a, f->s.n_internal);
    correct_boundary_flux(&a, f->s.n_boundary);
    correct_pressure(&a, f->s.n_padded);
    struct boundary_args b = {f->s, f->b, f->u, f->p, f->grad_p};
    boundary_pressure(&b, f->s.n_boundary);
    wall_pressure(&b, f->b.n_wall_cells);
    pressure_gradient(f, f->p, f->b.pressure);
    correct_velocity(&a, f->s.n_padded);
    double *swap = f->grad_p;
    f->grad_p = f->grad_next;
    f->grad_next = swap;
    boundary_velocity(&b, f->s.n_boundary);
}

void simple_iterate(struct simple *f, struct simple_report *r)
{
    double clock = wall_seconds();
    memset(r, 0, sizeof *r);
    predict_velocity(f, r, &clock);
    assemble_pressure(f);
    residual_normalised(&f->pressure_residual, &f->a, f->p, f->rhs, true, f->gross_flux, &r->pressure);
    end_phase(f, PHASE_PRESSURE_ASSEMBLY, &clock);
    solve_pressure(f, r);
    end_phase(f, PHASE_PRESSURE_SOLVE, &clock);
    correct(f);
    net_flux(f);
    r->continuity = continuity_error(&f->pressure_residual, &f->s, f->flux, f->rhs, &f->gross_flux);
    end_phase(f, PHASE_CORRECTION, &clock);
}

void simple_assemble_pressure(struct simple *f)
{
    struct simple_report r;
    double clock = wall_seconds();
    predict_velocity(f, &r, &clock);
    assemble_pressure(f);
}

const double *simple_velocity_gradient(struct simple *f)
{
    if (!f->grad_u) f->grad_u = cells(f, f->s.dim * f->s.dim, "velocity gradient");
    gradient(&f->s, f->c->gradient, f->s.dim, f->u, f->b.velocity, f->grad_u, f->scratch);
    return f->grad_u;
}

double simple_fastest(struct simple *f) { return largest_vector(&f->velocity_residual, &f->s, f->u); }
