/* Creates and frees the common data of all algorithms: fields, boundaries, solvers, initial values (flow.h). */
#include "flow/flow.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/boundary_parts.h"
#include "assembly/gradient.h"
#include "assembly/transport.h"
#include "assembly/pressure.h"
#include "base/memory.h"
#include "base/timer.h"
#include "flow/potential.h"
#include "flow/start_values.h"
#include "gpu/device.h"
#include "gpu/vector.h"

const char *const phase_name[N_PHASES] = {"momentum assembly", "momentum solve", "pressure assembly", "pressure solve",
                                          "correction", "interface", "other equations"};

double *flow_cells(const struct flow *f, int components, const char *what)
{
    return pattern_alloc(&f->s.pattern, components, sizeof(double), what);
}

void flow_use_gradient(struct flow *f)
{
    if (!f->grad_u) f->grad_u = flow_cells(f, f->s.dim * f->s.dim, "velocity gradient");
    f->uses_gradient = true;
}

void flow_use_face_force(struct flow *f)
{
    if (f->face_force.acts) return;
    size_t size = (size_t)f->s.n_faces * sizeof(double);
    f->face_force = (struct face_force){device_alloc(size, "forces at faces"), true};
}

void flow_use_viscosity(struct flow *f)
{
    if (f->properties.viscosity_faces) return;
    f->properties.viscosity_faces = device_alloc((size_t)f->s.n_faces * sizeof(double), "viscosity");
    flow_use_gradient(f);
}

static double *used_gradient(const struct flow *f) { return f->uses_gradient ? f->grad_u : NULL; }

struct boundary_args flow_at_boundary(const struct flow *f)
{
    return (struct boundary_args){.s = f->s, .b = f->b, .u = f->u, .p = f->p, .grad_p = f->grad_p,
                                  .force = f->face_force, .grad_u = used_gradient(f)};
}

static void allocate_fields(struct flow *f)
{
    int dim = f->s.dim;
    f->u = flow_cells(f, dim, "velocity");
    f->p = flow_cells(f, 1, "pressure");
    f->grad_p = flow_cells(f, dim, "pressure gradient");
    f->rhs = flow_cells(f, dim, "right-hand side");
    f->flux = device_alloc((size_t)f->s.n_faces * sizeof(double), "flux");
    if (transport_needs_gradient(&f->s, f->c->solver.convection)) flow_use_gradient(f);
    bool of_velocity = gradient_needs_scratch(&f->s, f->c->solver.gradient);
    if (of_velocity || gradient_needs_scratch(&f->s, GRADIENT_GREEN_GAUSS))
        f->scratch = flow_cells(f, of_velocity ? dim * dim : dim, "gradient");
}

/* The matrix of the plain Laplacian: multigrid takes its structure from it, so that it depends only on the mesh and a
 * restarted run has the same. */
static void assemble_laplacian(struct flow *f)
{
    struct fill_args no_flux = {f->flux, 0};
    fill(&no_flux, f->s.n_faces);
    struct pressure_args p = {.s = f->s, .a = f->pressure, .coefficient = f->s.g, .flux = f->flux, .scale = 1,
                              .rhs = f->rhs};
    pressure_matrix(&p, f->s.n_slices);
}

void flow_pin_pressure(struct flow *f)
{
    struct pressure_pin_args a = {.a = f->pressure, .cell = f->b.pin};
    if (f->b.n_pins) pressure_pin(&a, f->b.n_pins);
}

void flow_assemble_pressure(struct flow *f, const double *coefficient)
{
    struct pressure_args p = {.s = f->s, .a = f->pressure, .coefficient = coefficient, .flux = f->flux, .scale = 1,
                              .rhs = f->rhs};
    pressure_matrix(&p, f->s.n_slices);
    pressure_boundary(&p, f->s.n_boundary_cells);
    flow_pin_pressure(f);
}

void flow_net_flux(struct flow *f, double *net)
{
    struct pressure_args p = {.s = f->s, .a = f->pressure, .flux = f->flux, .scale = 1, .rhs = net};
    pressure_rhs(&p, f->s.n_slices);
    pressure_boundary_rhs(&p, f->s.n_boundary_cells);
}

/* u = (-cos x sin y, sin x cos y) at the cells' centres, on the host: the same bits for every device. */
static void start_taylor_green(struct flow *f, const struct mesh *m)
{
    double *u;
    NEW(u, f->s.dim * f->s.pitch);
    for (int32_t c = 0; c < m->n_cells; c++) {
        double x = m->cell_centre[c], y = m->cell_centre[m->n_all + c];
        u[c] = -cos(x) * sin(y), u[f->s.pitch + c] = sin(x) * cos(y);
    }
    device_upload(f->u, u, (size_t)f->s.dim * (size_t)f->s.pitch * sizeof *u);
    free(u);
}

/* Values everywhere; returns the length of the longest vector, -1 on failure. */
static double start_values(struct flow *f, const struct value_setting *of, int components, double *array,
                           struct error *e)
{
    struct given_list start = {.m = f->given.m, .s = &f->s};
    const struct given g = {.of = of, .components = components, .zone = GIVEN_EVERYWHERE, .array = array};
    double longest = given_add(&start, &g, e) ? given_largest(&start, array, 0) : -1;
    given_free(&start);
    return longest;
}

/* Adds a constant in each part where all of the pressure [n_cells] is above or below those given at boundaries. */
static void shift_pressure(const struct flow *f, double *p)
{
    const struct boundary_parts *parts = f->b.parts;
    double *low, *high;
    NEW(low, parts->n), NEW(high, parts->n);
    for (int32_t k = 0; k < parts->n; k++) low[k] = INFINITY, high[k] = -INFINITY;
    for (int32_t c = 0; c < f->s.n_cells; c++) {
        const int32_t k = boundary_part(parts, f->given.m, c);
        low[k] = fmin(low[k], p[c]), high[k] = fmax(high[k], p[c]);
    }
    boundary_parts_extremes(parts, low, high);
    for (int32_t c = 0; c < f->s.n_cells; c++) {
        const int32_t k = boundary_part(parts, f->given.m, c);
        if (!(parts->low[k] <= parts->high[k])) continue;
        p[c] += fmax(parts->low[k] - high[k], 0) - fmax(low[k] - parts->high[k], 0);
    }
    free(low), free(high);
}

bool flow_start_pressure(struct flow *f, struct error *e)
{
    const double *from = values_of_file(f->c, "pressure");
    const size_t size = (size_t)f->s.n_cells * sizeof(double);
    double *p;
    if (start_values(f, &f->c->initial.pressure, 1, f->p, e) < 0) return false;
    NEW(p, f->s.n_cells);
    device_download(p, f->p, size);
    if (from) memcpy(p, from, size);
    if (from && f->c->fluid.gravity_length) flow_add_hydrostatic(f, f->given.m, -1, p);
    if (!from && !f->c->initial.pressure_given)
        for (int32_t c = 0; c < f->s.n_cells; c++)
            p[c] = boundary_part_level(f->b.parts, boundary_part(f->b.parts, f->given.m, c), 0);
    else if (!flow_algorithm(f->c)->in_time) shift_pressure(f, p);
    device_upload(f->p, p, size);
    free(p);
    return true;
}

static bool start_fields(struct flow *f, const struct mesh *m, struct error *e)
{
    const struct initial_setting *set = &f->c->initial;
    struct value_setting start[3];
    double mean[3];
    memcpy(start, set->velocity, sizeof start);
    if (!set->velocity_length && drive_mean_velocity(f, mean))
        for (int k = 0; k < 3; k++) start[k].number = mean[k];
    double speed = start_values(f, start, f->s.dim, f->u, e);
    if (speed < 0 || !flow_start_pressure(f, e)) return false;
    if (f->c->initial.field == INITIAL_TAYLOR_GREEN) start_taylor_green(f, m);
    if (start_of_file(f->c, &f->s, "velocity", f->u)) speed = f->c->initial.values->speed;
    const double step = f->c->time.step;
    const double pressure = boundary_parts_difference(f->b.parts, &f->given, f->b.given_pressure, step);
    f->speed = fmax(fmax(flow_given_speed(f->c), speed), given_largest(&f->given, f->b.velocity, step));
    f->speed = fmax(f->speed, sqrt(2 * pressure / f->c->fluid.density));
    struct boundary_args b = {.s = f->s, .b = f->b, .u = f->u};
    boundary_velocity(&b, f->s.n_boundary);
    stencil_update_far(&f->s, f->p, 1), halo_update(f->s.pattern.halo, f->u, f->s.dim);
    struct start_flux_args flux = {.s = f->s, .u = f->u, .boundary_velocity = f->b.velocity,
                                   .flux_rule = f->b.flux_rule, .flux = f->flux};
    start_flux(&flux, f->s.n_faces);
    return true;
}

/* Of the given pressures: see struct boundary. */
static void set_speeds(struct boundary *b, const struct given_list *given, double density)
{
    const struct mesh *m = given->m;
    const int32_t n = given->s->n_boundary;
    double *at;
    for (int32_t k = 0; k < b->parts->n; k++) b->speed = fmax(b->speed, boundary_part_speed(b->parts, k, density));
    if (!b->stiff) return;
    NEW(at, n);
    for (int32_t i = 0; i < n; i++)
        at[i] = boundary_part_speed(b->parts, boundary_part_at(b->parts, m, m->n_internal + i), density);
    b->own_speed = device_copy_of(at, (size_t)n * sizeof *at, "speed at inlets");
    free(at);
}

bool flow_create_boundary(struct boundary *b, struct given_list *given, const struct flow_setting *c,
                          struct error *e)
{
    const struct value_setting *u = c->initial.velocity;
    const double velocity[3] = {u[0].number, u[1].number, u[2].number};
    struct error one;
    *e = (struct error){0};
    bool fits = error_keep(models_check(c, given->m, &one), e, &one);
    bool made = error_keep(boundary_create(b, given, &c->boundary, velocity, c->initial.pressure.number, &one), e,
                           &one);
    bool good = ranks_agree(made && fits, e);
    if (made && !good) boundary_free(b);
    if (good) set_speeds(b, given, c->fluid.density);
    return good;
}

/* Unless the algorithm has none, or a model has created one. */
static bool create_pressure_solver(struct flow *f, struct error *e)
{
    struct solver_setup setup = {.singular = f->b.closed, .values_follow = true};
    if (!flow_algorithm(f->c)->pressure_solver || f->pressure_solver) return true;
    f->pressure_solver = solver_create(&f->pressure, &f->c->solver.pressure, &setup, e);
    return f->pressure_solver != NULL;
}

bool flow_create(struct flow *f, const struct flow_setting *c, const struct mesh *m, struct error *e)
{
    const struct algorithm_kind *algorithm = flow_algorithm(c);
    memset(f, 0, sizeof *f);
    f->c = c;
    f->properties = (struct properties){.density = {c->fluid.density, c->second_fluid.density},
                                        .viscosity = {c->fluid.viscosity, c->second_fluid.viscosity}};
    drive_across(m, c->fluid.gravity, f->gravity);
    stencil_create(&f->s, m);
    stage_done("geometry");
    f->given = (struct given_list){.m = m, .s = &f->s, .steady = !algorithm->in_time,
                                   .from_start = algorithm->in_time && c->time.scheme == TIME_CRANK_NICOLSON};
    if (!flow_create_boundary(&f->b, &f->given, c, e)) {
        given_free(&f->given);
        stencil_free(&f->s);
        return false;
    }
    flow_create_outlets(f);
    stage_done("boundary");
    if (algorithm->solves) {
        int solver = c->solver.velocity.method == METHOD_BICGSTAB ? BICGSTAB_VECTORS * f->s.dim : 0;
        int own = reconstruction_work(&f->s, c->solver.accuracy), most = solver > own ? solver : own;
        if (most) f->work = flow_cells(f, most, "velocity solver");
        reconstruction_create(&f->reconstruction, &f->s, &f->b, m, c->solver.accuracy, f->work);
        stage_done("reconstruction");
    }
    for (int i = 0; i < algorithm->matrices; i++) matrix_create(&f->values[i], &f->s.pattern);
    if (algorithm->matrices) f->pressure = f->values[0], f->momentum = f->values[algorithm->matrices - 1];
    allocate_fields(f);
    if (algorithm->matrices) assemble_laplacian(f);
    residual_create(&f->residual, &f->s, NULL, 0);
    f->residual.part_level = boundary_part_levels(f->b.parts, m, &f->s.pattern);
    f->residual.by_exchange = c->fluid.viscosity_model.given;
    bool good = models_create(f, m, e) && create_pressure_solver(f, e);
    stage_done("solver");
    good = good && start_fields(f, m, e);
    if (good && c->initial.field == INITIAL_POTENTIAL) good = potential_start(f, e);
    if (good && c->initial.values && algorithm->solves && !algorithm->in_time) good = potential_start_flux(f, e);
    stage_done("fields");
    if (!good) flow_free(f);
    return good;
}

void flow_free(struct flow *f)
{
    double *const arrays[] = {f->u, f->p, f->flux, f->grad_p, f->grad_u, f->source, f->sink, f->scratch, f->rhs,
                              f->work};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    const struct properties *p = &f->properties;
    device_free(p->time_density), device_free(p->inertia), device_free(p->viscosity_cells),
        device_free(p->viscosity_fluids),
        device_free(p->viscosity_faces), device_free(p->transposed), device_free(f->face_force.value);
    flow_free_outlets(f);
    stopwatch_free(&f->watch);
    models_free(f);
    equations_free(f);
    fields_free(&f->fields);
    residual_free(&f->residual);
    solver_free(f->velocity_solver);
    solver_free(f->pressure_solver);
    solver_free(f->coupled_solver);
    reconstruction_free(&f->reconstruction);
    for (int i = 0; i < 2; i++) matrix_free(&f->values[i]);
    boundary_free(&f->b);
    given_free(&f->given);
    stencil_free(&f->s);
}

bool flow_create_velocity_solver(struct flow *f, struct error *e)
{
    struct solver_setup setup = {.components = f->s.dim, .nonsymmetric = true, .values_follow = true, .work = f->work};
    f->velocity_solver = solver_create(&f->pressure, &f->c->solver.velocity, &setup, e);
    return f->velocity_solver != NULL;
}

static void case_gradient(struct flow *f)
{
    gradient(&f->s, f->c->solver.gradient, f->s.dim, f->u, f->b.velocity, f->grad_u, f->scratch);
}

static void make_gradient(struct flow *f, double *to)
{
    if (!flow_is_solved(f->c)) case_gradient(f);        /* its cells have no reconstruction */
    else reconstruct(&f->reconstruction, f->u, to);
}

void flow_reconstruct(struct flow *f) { make_gradient(f, used_gradient(f)); }

const double *flow_velocity_gradient(struct flow *f)
{
    if (!f->grad_u) f->grad_u = flow_cells(f, f->s.dim * f->s.dim, "velocity gradient");
    make_gradient(f, f->grad_u);
    if (f->c->solver.gradient != GRADIENT_LEAST_SQUARES) case_gradient(f);
    return f->grad_u;
}

void flow_reconstruct_faces(struct flow *f, const struct reconstruction_fluid *fluid)
{
    reconstruct_at_faces(&f->reconstruction, f->u, used_gradient(f), fluid);
    if (f->uses_gradient && f->c->solver.gradient != GRADIENT_LEAST_SQUARES) case_gradient(f);
}

void flow_reconstruct_convected(struct flow *f, const double *u, double *grad_u, double *outlet)
{
    reconstruct(&f->reconstruction, u, grad_u);
    reconstruct_at_outlets(&f->reconstruction, u, grad_u, outlet);
    if (f->c->solver.gradient != GRADIENT_LEAST_SQUARES)
        gradient(&f->s, f->c->solver.gradient, f->s.dim, u, f->b.velocity, grad_u, f->scratch);
}

double flow_fastest(struct flow *f) { return largest_vector(&f->residual, &f->s, f->u); }

const double *flow_tension_values(const struct flow *f)
{
    const char *name = flow_tension_field(f->c);
    return name ? *fields_find(&f->fields, name, FIELD_CHECKPOINT)->value : NULL;
}
