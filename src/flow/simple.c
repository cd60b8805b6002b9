/* One iteration of SIMPLE or SIMPLEC, and the parts that the coupled algorithm shares (simple.h). */
#include "flow/simple.h"
#include <math.h>
#include <string.h>
#include "assembly/gradient.h"
#include "assembly/transport.h"
#include "assembly/pressure.h"
#include "assembly/time_step.h"
#include "assembly/viscosity.h"
#include "base/error.h"
#include "base/timer.h"
#include "flow/coupled.h"
#include "flow/rest.h"
#include "flow/simple_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

static void allocate_balance(struct simple *w)
{
    w->step = device_alloc((size_t)w->f.s.n_faces * sizeof(double), "steps of the pressure");
    w->balanced = flow_cells(&w->f, w->f.s.dim, "balanced gradient");
}

static void allocate_fields(struct simple *w)
{
    const struct flow *f = &w->f;
    w->rhie = flow_cells(f, 1, "Rhie-Chow coefficient");
    w->correct = flow_cells(f, 1, "velocity correction coefficient");
    w->boundary_part = device_alloc((size_t)f->s.n_boundary_cells * sizeof(double), "boundary part of the matrix");
    w->coefficient = device_alloc((size_t)f->s.n_faces * sizeof(double), "pressure coefficients");
    if (f->face_force.acts) allocate_balance(w);
}

static void allocate_correction(struct simple *w)
{
    const struct flow *f = &w->f;
    int dim = f->s.dim;
    w->grad_next = flow_cells(f, dim, "pressure gradient");
    w->u_old = flow_cells(f, dim, "old velocity");
    w->change = flow_cells(f, 1, "pressure correction");
    if (f->c->solver.non_orthogonal_correctors > 0 && !f->s.orthogonal) {
        w->cross = device_alloc((size_t)f->s.n_internal * sizeof(double), "non-orthogonal flux");
        w->change_boundary = device_alloc((size_t)f->s.n_boundary * sizeof(double), "boundary pressure correction");
    }
}

/* Mixed: the state at the start of an iteration, except fields that correct() derives from it.  Scalars follow the flux
 * and have an acceleration of their own. */
static struct anderson *create_acceleration(struct simple *w, double noise)
{
    struct flow *f = &w->f;
    const struct stencil *s = &f->s;
    struct anderson_setup setup = {
        .name = "acceleration", .depth = f->c->solver.acceleration,
        .noise = noise, .volume = s->volume, .n_slices = s->n_slices, .n_arrays = 3,
        .array = {{"velocity", &f->u, s->dim, s->pitch, ITEM_CELLS}, {"pressure", &f->p, 1, s->pitch, ITEM_CELLS},
                  {"flux", &f->flux, 1, s->n_faces, ITEM_FACES}}};
    const char *acting = flow_acting_scalar(f->c);
    if (acting) {
        const struct field *x = fields_find(&f->fields, acting, FIELD_CHECKPOINT);
        setup.array[setup.n_arrays++] = (struct anderson_array){acting, (double **)x->value, 1, x->pitch, ITEM_CELLS,
                                                                         x->with_solids};
    }
    if (f->drive && f->drive->holds_rate)
        setup.array[setup.n_arrays++] = (struct anderson_array){"gradient", &f->drive->number, 1, 1, ITEM_NONE, false};
    return setup.depth ? anderson_create(&setup) : NULL;
}

/* The pressure at the boundary and its gradient, of a pressure that is not uniform, follow each other. */
enum { START_ROUNDS = 3 };

bool simple_create(struct simple *w, const struct flow_setting *c, const struct mesh *m, struct error *e)
{
    memset(w, 0, sizeof *w);
    if (!flow_create(&w->f, c, m, e)) return false;
    w->m = m;
    const bool coupled = flow_is_coupled(c), solved = flow_is_solved(c);
    const bool segregated = solved && (!coupled || c->scalars.n > 0);   /* for the scalars */
    if (segregated && !flow_create_velocity_solver(&w->f, e)) return flow_free(&w->f), false;
    if (solved) allocate_fields(w);
    if (solved && !coupled) allocate_correction(w);
    if (!equations_create(&w->f, m, e)) return simple_free(w), false;
    simple_fields(w);
    if (!solved) return true;
    w->anderson = create_acceleration(w, (coupled ? &c->solver.coupled : &c->solver.velocity)->tolerance);
    if (w->anderson) anderson_fields(w->anderson, &w->f.fields);
    stage_done("fields");
    if (coupled && !coupled_create(w, m, e)) return simple_free(w), false;
    if (coupled) stage_done("solver");
    for (int i = 0; c->initial.values && i < START_ROUNDS; i++) simple_follow_pressure(w), simple_follow_velocity(w);
    return true;
}

void simple_free(struct simple *w)
{
    double *const arrays[] = {w->grad_next, w->u_old, w->rhie, w->correct, w->change, w->boundary_part, w->coefficient,
                              w->cross, w->change_boundary, w->step, w->balanced};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    coupled_free(w->coupled);
    anderson_free(w->anderson);
    flow_free(&w->f);
}

void simple_fields(struct simple *w)
{
    struct flow *f = &w->f;
    flow_fields(f);                                     /* velocity and pressure first: the order of residuals */
    const struct field own[] = {
        {.name = "pressure_gradient", .use = FIELD_CHECKPOINT, .components = f->s.dim, .pitch = f->s.pitch,
         .value = f->face_force.acts ? &w->balanced : &f->grad_p},
        {.name = "boundary_pressure", .use = FIELD_CHECKPOINT, .components = 1, .pitch = f->s.n_boundary,
         .of = ITEM_BOUNDARY, .value = &f->b.pressure},
        {.name = "gross_flux", .use = FIELD_CHECKPOINT, .components = 1, .pitch = 1, .number = &w->gross_flux},
        {.name = "flow.rest", .use = FIELD_CHECKPOINT | FIELD_MAY_LACK, .components = 1, .pitch = 1,
         .number = &w->rest}};
    const size_t n = flow_is_solved(f->c) ? sizeof own / sizeof *own : 0;
    for (size_t i = 0; i < n; i++) fields_add(&f->fields, &own[i]);
    if (flow_has_mean_heads(f->c))
        fields_add(&f->fields, &(struct field){.name = "outlet_head", .use = FIELD_CHECKPOINT, .components = 1,
                                               .pitch = f->s.n_boundary, .of = ITEM_BOUNDARY, .value = &f->b.head});
    equations_fields(f);
    if (fields_columns(&f->fields, FIELD_RESIDUAL) > MOST_RESIDUALS)
        die("more residuals than struct simple_report holds");
}

/* The pressure's gradient is always Green-Gauss, whatever the case sets for the velocity's, because the pressure force
 * must be conservative.  On triangles and tetrahedra p has a ripple of O(h) from cell to cell; its least-squares
 * gradients do not cancel between the cells and leave a force that does not vanish with the mesh. */
static void pressure_gradient(const struct flow *f, const double *p, const double *boundary, double *to)
{
    gradient(&f->s, GRADIENT_GREEN_GAUSS, 1, p, boundary, to, f->scratch);
}

/* The same for the pressure less a force at faces, from its differences: zero if the pressure balances the force. */
static void balanced_gradient(struct simple *w, double *to)
{
    struct flow *f = &w->f;
    const struct stencil *s = &f->s;
    struct pressure_steps_args steps = {.s = *s, .p = f->p, .boundary = f->b.pressure, .force = f->face_force,
                                        .step = w->step};
    pressure_steps(&steps, s->n_active);
    boundary_pressure_steps(&steps, s->n_boundary);
    struct correct_cells_args a = {.s = *s, .c = 1, .step = w->step, .along = s->unskewed ? NULL : f->scratch,
                                   .acceleration = to};
    if (a.along) {
        gradient_of_steps(s, w->step, f->scratch);
        halo_update(s->pattern.halo, a.along, s->dim);
    }
    correct_cells(&a, s->n_slices);
    correct_boundary_cells(&a, s->n_boundary_cells);
}

/* The pressure's gradient in the equations, less a force at faces. */
static double **driving(struct simple *w) { return w->f.face_force.acts ? &w->balanced : &w->f.grad_p; }

static void take_gradient(struct simple *w)
{
    double **now = driving(w), *before = *now;
    if (w->grad_next) *now = w->grad_next, w->grad_next = before;
}

/* Computes the forces of this iteration, and the remaining gradient of the pressure. */
static void act(struct simple *w)
{
    struct flow *f = &w->f;
    models_add_forces(f, &(struct model_step){.part = 1});
    if (!f->face_force.acts) return;
    rest_forces(f, w->m, &w->rest);
    if (!w->step) allocate_balance(w);
    simple_follow_pressure(w);
    take_gradient(w);
}

/* Where the viscosity depends on the shear rate.  The transposed stress lags by an iteration and can be as large as the
 * implicit viscous terms, with the same sign: half of these is added on both sides.  The coupled system contains the
 * pressure, and converges without. */
static void add_lagging_stress(struct flow *f)
{
    struct momentum_args split = {.s = f->s, .a = f->momentum, .velocity_rule = f->b.velocity_rule, .part = 0.5,
                                  .properties = f->properties, .u = f->u, .rhs = f->rhs};
    viscosity_add_transposed(&f->s, f->properties.transposed, f->rhs);
    if (flow_is_coupled(f->c)) return;
    split_viscosity(&split, f->s.n_slices);
    split_boundary_viscosity(&split, f->s.n_boundary_cells);
}

void simple_assemble_momentum(struct simple *w)
{
    struct flow *f = &w->f;
    const struct flow_setting *c = f->c;
    act(w);
    flow_gate(f, f->flux, 0, NULL, NULL);
    flow_back(f, f->flux, NULL, 0);
    const struct properties *p = &f->properties;
    struct reconstruction_fluid fluid = {.viscosity = p->viscosity[0], .density = p->density[0],
                                         .viscosity_faces = p->viscosity_faces};
    bool simplec = c->solver.algorithm != ALGORITHM_SIMPLE;
    flow_reconstruct(f);
    models_set_properties(f, &(struct model_step){.part = 1});
    flow_reconstruct_faces(f, &fluid);
    const struct reconstruction *r_u = &f->reconstruction;
    struct transport t = {.s = f->s, .a = f->momentum, .components = f->s.dim,
                          .boundary = boundary_of_velocity(&f->b, r_u, c->solver.convection != CONVECTION_UPWIND),
                          .diffusivity = p->viscosity[0], .diffusivity_faces = p->viscosity_faces,
                          .relaxation = c->solver.relaxation_velocity, .x = f->u, .gradient = f->grad_u,
                          .deferred = r_u->deferred, .density = p->density[0], .flux = f->flux,
                          .source = f->source, .sink = f->sink, .grad_p = *driving(w), .rhs = f->rhs,
                          .boundary_part = w->boundary_part};
    transport_assemble(&t, c->solver.convection);
    if (f->properties.transposed) add_lagging_stress(f);
    struct simple_coefficients_args k = {.s = f->s, .a = f->momentum, .relaxation = c->solver.relaxation_velocity,
                                         .simplec = simplec, .sink = f->sink, .boundary_part = w->boundary_part,
                                         .rhie = w->rhie, .correct = w->correct};
    simple_coefficients(&k, f->s.n_padded);
    if (simplec) simple_boundary_coefficients(&k, f->s.n_boundary_cells);
    residual_make(&f->residual, OF_VELOCITY, &f->momentum, f->u, f->rhs, false);
}

static void predict_velocity(struct simple *w, struct simple_report *r)
{
    struct flow *f = &w->f;
    simple_assemble_momentum(w);
    stopwatch_lap(&f->watch, PHASE_MOMENTUM_ASSEMBLY);
    copy_array(w->u_old, f->u, f->s.dim * f->s.pitch);
    r->velocity_solve = solver_solve(f->velocity_solver, &f->momentum, f->u, f->rhs);
    stopwatch_lap(&f->watch, PHASE_MOMENTUM_SOLVE);
}

void simple_face_flux(struct simple *w, const double *v, double relaxation)
{
    struct flow *f = &w->f;
    const struct halo *h = f->s.pattern.halo;
    struct face_flux_args flux = {.s = f->s, .b = f->b, .relaxation = relaxation, .v = v,
                                  .reconstructed = f->reconstruction.through, .p = f->p, .grad_p = *driving(w),
                                  .force = f->face_force, .rhie = w->rhie, .correct = w->correct,
                                  .response = w->coupled ? w->rhie : w->correct, .flux = f->flux,
                                  .coefficient = w->coefficient};
    halo_update_together(h, {v, f->s.dim}, {*driving(w), f->s.dim}, {f->p, 1}, {w->rhie, 1}, {w->correct, 1});
    face_flux(&flux, f->s.n_active);
    boundary_flux(&flux, f->s.n_boundary);
}

void simple_assemble_pressure_matrix(struct simple *w)
{
    struct flow *f = &w->f;
    flow_assemble_pressure(f, w->coefficient);
    residual_make(&f->residual, OF_CELLS, &f->pressure, f->p, f->rhs, true);
}

static void assemble_pressure(struct simple *w)
{
    struct flow *f = &w->f;
    const double relaxation = f->c->solver.relaxation_velocity;
    /* u* - (1 - relaxation) u_old */
    struct combine_args blend = {.x = w->u_old, .a = 1, .y = f->u, .b = relaxation - 1, .z = w->u_old};
    combine(&blend, f->s.dim * f->s.pitch);
    simple_face_flux(w, w->u_old, relaxation);
    drive_predict(f, w->correct);
    simple_assemble_pressure_matrix(w);
}

/* Solves for p', and once more for every non-orthogonal corrector, in which the flux across d is computed from the
 * previous p'. */
static void solve_pressure(struct simple *w, struct simple_report *r)
{
    struct flow *f = &w->f;
    r->pressure_solve = solver_solve_from_zero(f->pressure_solver, &f->pressure, w->change, f->rhs);
    if (!w->cross) return;
    struct fill_args none = {w->cross, 0}, flat = {w->grad_next, 0}, given = {w->change_boundary, 0};
    fill(&none, f->s.n_active);
    fill(&flat, f->s.dim * f->s.pitch);
    fill(&given, f->s.n_boundary);                              /* an outlet may have been shut */
    struct boundary b = f->b;
    b.pressure = w->change_boundary;                            /* stays zero where the pressure is given */
    for (int i = 0; i < f->c->solver.non_orthogonal_correctors; i++) {
        stencil_update_far(&f->s, w->change, 1);
        struct boundary_args extrapolate = {.s = f->s, .b = b, .u = f->u, .p = w->change, .grad_p = w->grad_next};
        boundary_pressure(&extrapolate, f->s.n_boundary);
        wall_pressure(&extrapolate, b.n_wall_cells);
        pressure_gradient(f, w->change, b.pressure, w->grad_next);
        struct cross_flux_args cross = {.s = f->s, .coefficient = w->coefficient, .grad_change = w->grad_next,
                                        .cross = w->cross, .flux = f->flux};
        halo_update(f->s.pattern.halo, w->grad_next, f->s.dim);
        cross_flux(&cross, f->s.n_active);
        flow_net_flux(f, f->rhs);
        struct linear_result again = solver_solve_again(f->pressure_solver, &f->pressure, w->change, f->rhs);
        again.iterations += r->pressure_solve.iterations;
        if (!again.note) again.note = r->pressure_solve.note;
        r->pressure_solve = again;
    }
}

void simple_follow_pressure(struct simple *w)
{
    struct flow *f = &w->f;
    struct boundary_args b = flow_at_boundary(f);
    double *to = w->grad_next ? w->grad_next : *driving(w);
    b.grad_p = *driving(w);
    flow_back_again(f);
    boundary_pressure(&b, f->s.n_boundary);
    stencil_update_far(&f->s, f->p, 1);
    wall_pressure(&b, f->b.n_wall_cells);
    if (f->face_force.acts) balanced_gradient(w, to);
    else pressure_gradient(f, f->p, f->b.pressure, to);
}

void simple_follow_velocity(struct simple *w)
{
    struct flow *f = &w->f;
    struct boundary_args b = flow_at_boundary(f);
    take_gradient(w);
    boundary_velocity(&b, f->s.n_boundary);
}

static void correct(struct simple *w)
{
    struct flow *f = &w->f;
    struct correct_args a = {.s = f->s, .coefficient = w->coefficient, .change = w->change,
                             .relaxation = f->c->solver.relaxation_pressure, .flux = f->flux,
                             .grad_old = *driving(w), .grad_new = w->grad_next, .correct = w->correct, .u = f->u};
    halo_update(f->s.pattern.halo, w->change, 1);
    correct_flux(&a, f->s.n_active);
    correct_boundary_flux(&a, f->s.n_boundary);
    combine(&(struct combine_args){f->p, 1, f->p, a.relaxation, w->change}, f->s.n_padded);
    simple_follow_pressure(w);
    correct_velocity(&a, f->s.n_padded);
    simple_follow_velocity(w);
}

static void simple_accelerate(struct simple *w, struct simple_report *r)
{
    enum anderson_action done = w->anderson ? anderson_end(w->anderson) : ANDERSON_PLAIN;
    if (w->anderson) r->step = anderson_last_step(w->anderson);
    if (done == ANDERSON_MIXED) simple_follow_pressure(w), simple_follow_velocity(w);
    r->acceleration = done;
}

void simple_conclude(struct simple *w, struct simple_report *r, bool accelerate)
{
    struct flow *f = &w->f;
    bool acts = flow_acting_scalar(f->c);
    if (accelerate && !acts) simple_accelerate(w, r);
    flow_net_flux(f, f->rhs);
    continuity_make(&f->residual, &f->s, f->flux, f->rhs);
    r->continuity = residual_read(&f->residual, &w->gross_flux, r->residual);
    stopwatch_lap(&f->watch, PHASE_CORRECTION);
    for (int i = 0; !w->coupled && i <= f->s.dim; i++)
        f->worst_residual = i ? fmax(f->worst_residual, r->residual[i]) : r->residual[i];
    if (rest_look(f, r->residual, &w->rest)) {
        accelerate = false;
        if (w->anderson) anderson_forget(w->anderson);
    }
    if (equations_there(f)) equations_iterate(f, r->residual + f->s.dim + 1);
    if (accelerate && acts) simple_accelerate(w, r);
    r->step *= fmin(1, f->residual.motion / FORCE_FLOOR);
    if (equations_there(f)) stopwatch_lap(&f->watch, PHASE_EQUATIONS);
    models_after_step(f);
}

void simple_iterate(struct simple *w, struct simple_report *r)
{
    struct flow *f = &w->f;
    if (w->coupled) { coupled_iterate(w, r); return; }
    stopwatch_start(&f->watch);
    memset(r, 0, sizeof *r);
    if (!flow_is_solved(f->c)) {
        equations_iterate(f, r->residual);
        stopwatch_lap(&f->watch, PHASE_EQUATIONS);
        return;
    }
    if (w->anderson) anderson_begin(w->anderson);
    predict_velocity(w, r);
    assemble_pressure(w);
    stopwatch_lap(&f->watch, PHASE_PRESSURE_ASSEMBLY);
    solve_pressure(w, r);
    stopwatch_lap(&f->watch, PHASE_PRESSURE_SOLVE);
    correct(w);
    simple_conclude(w, r, true);
}

void simple_assemble_pressure(struct simple *w)
{
    struct simple_report r;
    stopwatch_start(&w->f.watch);
    predict_velocity(w, &r);
    assemble_pressure(w);
}
