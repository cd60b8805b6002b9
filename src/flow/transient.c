/* One time step of PISO, PIMPLE, advection in a prescribed velocity, or conduction (transient.h). */
#include "flow/transient.h"
#include <float.h>
#include <math.h>
#include <string.h>
#include "assembly/gradient.h"
#include "assembly/mixture.h"
#include "assembly/step_error.h"
#include "assembly/transport.h"
#include "assembly/pressure.h"
#include "assembly/viscosity.h"
#include "base/timer.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

static double *numbers(int64_t n, const char *what) { return device_alloc((size_t)n * sizeof(double), what); }

/* The net flux of a cell in a step, as a fraction of its volume, that no solver has to reduce further. */
#define ROUNDING 1e-13

/* ---------------------------------------------------------------- memory and start */
static void allocate(struct transient *t, bool solved)
{
    const struct stencil *s = &t->f.s;
    struct flow *f = &t->f;
    flow_use_gradient(f);
    t->u_old = flow_cells(f, s->dim, "old velocity"), t->u_older = flow_cells(f, s->dim, "older velocity");
    t->flux_old = numbers(s->n_faces, "old flux"), t->flux_older = numbers(s->n_faces, "older flux");
    t->marks = sums_create(TOLD_CONTINUITY, s->n_slices, "Courant numbers and speed");
    t->marks.total = t->told = numbers(N_TOLD, "what a step tells");
    if (!solved) return;
    t->acceleration = flow_cells(f, s->dim, "acceleration"), t->before = flow_cells(f, s->dim, "old acceleration");
    t->hat = flow_cells(f, s->dim, "velocity without pressure");
    t->diagonal = flow_cells(f, 1, "momentum coefficients");
    t->balance = flow_cells(f, 1, "net flux"), t->change = flow_cells(f, 1, "change of the pressure");
    if (f->c->time.scheme == TIME_CRANK_NICOLSON) t->left = flow_cells(f, 1, "net flux of the last step");
    if (f->passing.row) t->outlets = flow_cells(f, 1, "response of outlets");
    if (t->outlets) fill(&(struct fill_args){t->outlets, 0}, s->pitch);
    t->through = numbers(s->n_faces, "flux without pressure");
    t->coefficient = numbers(s->n_faces, "pressure coefficients");
    t->face_step = numbers(s->n_faces, "steps of the pressure");
    if (t->f.interface) t->mass_flux = numbers(s->n_faces, "mass flux");
    t->predicted = numbers(s->n_faces, "predicted flux");
    if (!s->unskewed) t->along = flow_cells(f, s->dim, "steps along the cells");
    if (f->properties.transposed) {
        t->pass = flow_cells(f, s->dim, "velocity before a pass");
        t->carried = flow_cells(f, s->dim, "convected velocity of all passes");
    }
    t->errors = sums_create(N_ERROR_SUMS, s->n_slices, "errors of a step");
    if (!t->f.interface) t->rate = flow_cells(f, 2, "rates of convection and diffusion");
    if (t->pass || (transient_convects(f->c) && transport_needs_gradient(s, f->c->solver.convection)))
        t->convected_gradient = flow_cells(f, s->dim * s->dim, "gradient for convection");
    if (t->convected_gradient && f->reconstruction.outlet)
        t->convected_outlet = numbers(s->dim * s->n_boundary, "velocity at outlets");
    if (f->c->time.tolerance > 0) t->bend = flow_cells(f, s->dim, "second difference in time");
}

void transient_free(struct transient *t)
{
    double *const arrays[] = {t->u_old, t->u_older, t->flux_old, t->flux_older, t->acceleration, t->before, t->hat,
                              t->diagonal, t->through, t->coefficient, t->balance, t->mass_flux, t->face_step,
                              t->predicted, t->change, t->along, t->bend, t->rate, t->told, t->convected_gradient,
                              t->convected_outlet, t->left, t->outlets, t->slip_diagonal, t->slip_excess, t->pass,
                              t->carried};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    sums_free(&t->marks), sums_free(&t->errors);
    transient_kept_free(t);
    equation_errors_free(&t->equations);
    transient_free_stress(t);
    prescribed_free(&t->prescribed);
    flow_free(&t->f);
}

void transient_fields(struct transient *t)
{
    struct flow *f = &t->f;
    const int64_t cells = f->s.pitch, faces = f->s.n_faces;
    const int dim = f->s.dim;
    const bool solved = flow_is_solved(f->c), moves = !flow_is_absent(f->c), controlled = f->c->time.tolerance > 0,
               older = moves && f->c->time.scheme == TIME_CRANK_NICOLSON && !f->c->second_fluid.given;
    const struct { bool has; struct field field; } own[] = {
        {true, {.name = "time", .components = 1, .pitch = 1, .number = &t->time}},
        {true, {.name = "last_step", .components = 1, .pitch = 1, .number = &t->step}},
        {true, {.name = "older_step", .components = 1, .pitch = 1, .number = &t->older_step}},
        {solved, {.name = "fastest", .use = FIELD_MAY_LACK, .components = 1, .pitch = 1, .number = &t->fastest}},
        {moves, {.name = "old_velocity", .components = dim, .pitch = cells, .value = &t->u_old}},
        {moves, {.name = "old_flux", .components = 1, .pitch = faces, .of = ITEM_FACES, .value = &t->flux_old}},
        {solved, {.name = "acceleration", .components = dim, .pitch = cells, .value = &t->acceleration}},
        {solved, {.name = "pressure_step", .components = 1, .pitch = faces, .of = ITEM_FACES, .value = &t->face_step}},
        {solved, {.name = "outlet_head", .components = 1, .pitch = f->s.n_boundary, .of = ITEM_BOUNDARY,
                  .value = &f->b.head}},
        {solved, {.name = "flow.passing", .use = FIELD_MAY_LACK, .components = 1, .pitch = 2,
                  .number = f->passing.last}},
        {solved && controlled, {.name = "bend", .use = FIELD_MAY_LACK, .components = dim, .pitch = cells,
                                .value = &t->bend}},
        {controlled, {.name = "step_control", .use = FIELD_MAY_LACK, .components = 1, .pitch = 2,
                      .number = t->control}},
        {older, {.name = "older_velocity", .components = dim, .pitch = cells, .value = &t->u_older}},
        {older, {.name = "older_flux", .components = 1, .pitch = faces, .of = ITEM_FACES, .value = &t->flux_older}}};
    flow_fields(f);
    for (size_t i = 0; i < sizeof own / sizeof *own; i++) {
        struct field field = own[i].field;
        field.use |= FIELD_CHECKPOINT;
        if (own[i].has) fields_add(&f->fields, &field);
    }
    equations_fields(f);
    equation_errors_fields(&t->equations, &f->fields);
}

void transient_restored(struct transient *t)
{
    models_restored(&t->f);
    halo_update(t->f.s.pattern.halo, t->f.p, 1);
    t->measured = false;
}

/* ---------------------------------------------------------------- a step */
static struct time_step coefficients(const struct transient *t, double dt)
{
    struct time_step k = {.c = 1 / dt, .h1 = 1 / dt, .h2 = 0, .old = t->u_old, .older = t->u_older,
                          .flux_old = t->flux_old, .flux_older = t->flux_older};
    enum time_scheme scheme = step_scheme(t);
    if (scheme == TIME_CRANK_NICOLSON) k.c = k.h1 = 1 / (t->part * dt);
    if (scheme == TIME_BDF2 && t->steps > 0) {
        double r = dt / t->step;
        k.c = (1 + 2 * r) / (1 + r) / dt, k.h1 = (1 + r) / dt, k.h2 = -r * r / (1 + r) / dt;
    }
    return k;
}

/* Advances the velocity from the time of w to the end of the step. */
static void finish_step(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    double over = 1 / t->part;
    if (over == 1) return;
    given_end(&t->f.given);
    struct combine_args u = {t->f.u, over, t->f.u, 1 - over, t->u_old};
    combine(&u, s->dim * s->pitch);
    struct combine_args flux = {t->f.flux, over, t->f.flux, 1 - over, t->flux_old};
    combine(&flux, s->n_faces);
    struct boundary_args b = flow_at_boundary(&t->f);
    boundary_velocity(&b, s->n_boundary);
}

static void continuity(struct transient *t)
{
    flow_net_flux(&t->f, t->balance);
    continuity_make(&t->f.residual, &t->f.s, t->f.flux, t->balance);
    continuity_finish(&t->f.residual, t->told + TOLD_CONTINUITY);
}

/* Equations after the flow of the step. */
static bool advance_equations(struct transient *t, double dt)
{
    if (!equations_there(&t->f)) return true;
    const bool midpoint = t->f.c->time.scheme != TIME_EULER;
    struct equation_time step = {.start = t->time, .dt = dt, .ahead = midpoint && t->steps > 0 ? 0.5 * dt / t->step : 0,
                                 .midpoint = midpoint, .flux = t->f.flux, .flux_old = t->flux_old,
                                 .mass_flux = t->mass_flux};
    bool good = equations_advance(&t->f, &step, &t->fault);
    stopwatch_lap(&t->f.watch, PHASE_EQUATIONS);
    return good;
}

/* At outlets the velocity is that of the guess, too: that of the last step is of first order in time where fluid
 * enters.  With two fluids it stays that of the last step. */
static void guess_at_outlets(const struct transient *t, const double *u, const double *from)
{
    struct outlet_change_args a = {.s = t->f.s, .b = t->f.b, .u = u, .from = from};
    if (!t->f.interface) outlet_change(&a, t->f.s.n_boundary);
}

/* False: a given value within the step is invalid. */
static bool flow_step(struct transient *t, double dt, struct transient_report *r)
{
    stopwatch_start(&t->f.watch);
    transient_read_courant(t);
    t->part = transient_implicit_part(t, dt), t->sharpness = transient_sharpness(t, dt);
    if (t->part < 1) given_mean(&t->f.given, t->part);          /* w is a mean of the velocities at both ends */
    if (t->part < 1) flow_net_flux(&t->f, t->left);
    transient_start(t, dt);
    drive_start(&t->f, t->flux_old);
    struct time_step k = coefficients(t, dt);
    t->c = k.c;
    bool settles;
    int correctors = transient_correctors(t, dt, &settles);
    for (int outer = 0; outer < t->f.c->solver.outer_correctors || transient_repeats(t, dt, outer); outer++) {
        flow_gate(&t->f, t->flux_old, 1 - t->part, t->face_step, NULL);
        if (outer > 0) t->convected = NULL;
        if (t->pass) transient_keep_pass(t, outer);
        if (t->convected && t->convected_gradient) {
            if (outer == 0) guess_at_outlets(t, t->convected, t->u_old);
            flow_reconstruct_convected(&t->f, t->convected, t->convected_gradient, t->convected_outlet);
            if (outer == 0) guess_at_outlets(t, t->u_old, t->convected);
        }
        if (outer == 0) guess_at_outlets(t, t->f.u, t->u_old);
        flow_reconstruct(&t->f);
        stopwatch_lap(&t->f.watch, PHASE_MOMENTUM_ASSEMBLY);
        struct model_step act = {.dt = dt, .part = t->part, .outer = outer, .flux_old = t->flux_old,
                                 .ahead = t->steps > 0 ? t->part * dt / t->step : 0, .mass_flux = t->mass_flux};
        models_set_properties(&t->f, &act);
        models_add_forces(&t->f, &act);
        if (act.note) r->pressure_solve.note = act.note;
        stopwatch_lap(&t->f.watch, PHASE_INTERFACE);
        if (t->f.interface || t->f.b.gate) t->assembled = false;
        transient_assemble(t, &k, dt);
        for (int i = 0; i < (t->passes > 0 ? t->passes : correctors); i++) {
            transient_predict(t, i > 0, r);
            transient_correct(t, &k, r);
            t->splitting = -1;
            if (t->passes > 0 ? transient_stress_agrees(t, i, r) : settles && transient_is_settled(t)) break;
        }
    }
    finish_step(t);
    continuity(t);
    stopwatch_lap(&t->f.watch, PHASE_CORRECTION);
    return advance_equations(t, dt);
}

/* A step of algorithm "advection", with the velocity in the middle of the step. */
static bool advection_step(struct transient *t, double dt)
{
    stopwatch_start(&t->f.watch);
    prescribed_set(&t->prescribed, t->time + dt / 2, t->f.u, t->f.flux, t->f.b.velocity);
    flow_reconstruct(&t->f);
    interface_advance(t->f.interface, t->f.flux, t->f.u, t->f.grad_u, dt);
    stopwatch_lap(&t->f.watch, PHASE_INTERFACE);
    return true;
}

/* A step of conduction alone. */
static bool conduction_step(struct transient *t, double dt)
{
    stopwatch_start(&t->f.watch);
    return advance_equations(t, dt);
}

static bool make_step(struct transient *t, double dt, struct transient_report *r)
{
    if (flow_is_solved(t->f.c)) return flow_step(t, dt, r);
    return flow_is_advection(t->f.c) ? advection_step(t, dt) : conduction_step(t, dt);
}

/* Copies the report of the step to the host, with the data for the choice of the next step. */
static void tell(struct transient *t, struct transient_report *r)
{
    double told[N_TOLD], gross;
    if (t->f.interface) {
        interface_sum_up(t->f.interface);
        device_copy(t->told + TOLD_LEDGER, t->f.interface->ledger, N_LEDGER * sizeof *told);
    }
    transient_measure(t), transient_measure_energy(t);
    device_download(told, t->told, sizeof told);
    r->continuity = continuity_from(told + TOLD_CONTINUITY, &gross);
    r->above_rounding = r->pressure_solve.final > 1e4 * t->c * transient_rounding(t, t->c);
    if (t->f.interface) interface_summary_from(t->f.interface, told + TOLD_LEDGER, &r->interface);
    memcpy(r->energy, told + TOLD_ENERGY, sizeof r->energy);
    t->courant = told[TOLD_COURANT], t->interface_courant = told[TOLD_COURANT + 1], t->tension = told[TOLD_TENSION];
    t->viscosity = told[TOLD_VISCOSITY], t->measured = true;
    r->speed = sqrt(told[TOLD_SPEED]);
    t->fastest = fmax(t->fastest, r->speed);
    t->f.passing.last[PASSING_MOST] = fmax(t->f.passing.last[PASSING_MOST], t->passing[PASSING_MOST]);
    t->f.passing.last[PASSING_LEFT] = t->passing[PASSING_LEFT];
}

/* The given values at the end of the step, after those at its start if the last ones are of a rejected step; their flux
 * must balance in a closed domain. */
static bool give_values(struct transient *t, double dt)
{
    struct flow *f = &t->f;
    const double end = t->time + dt;
    bool known = !f->given.from_start || f->given.time == t->time;
    bool good = (known || given_update(&f->given, t->time, &t->fault)) && given_update(&f->given, end, &t->fault) &&
                drive_update(f, t->time, end, &t->fault) &&
                (!given_in_time(&f->given) || boundary_check_balance(&f->b, &f->given, &f->c->boundary, &t->fault));
    if (good && dt == t->step && device_kind() != DEVICE_CPU) given_prepare(&f->given, end + dt);
    return good;
}

void transient_advance(struct transient *t, double dt, struct transient_report *r)
{
    int rejected = 0;
    transient_begin(t);
    do {
        memset(r, 0, sizeof *r);
        r->rejected = rejected++;
        if (!give_values(t, dt) || !make_step(t, dt, r)) {
            r->fault = &t->fault;
            return;
        }
    } while (!transient_accept(t, &dt, r));
    models_after_step(&t->f);
    r->courant = t->courant * dt, r->interface_courant = t->interface_courant * dt;
    tell(t, r);
    t->older_step = t->step, t->step = dt, t->time += dt, t->steps++;
}

bool transient_create(struct transient *t, const struct flow_setting *c, const struct mesh *m, struct error *e)
{
    memset(t, 0, sizeof *t);
    if (!flow_create(&t->f, c, m, e)) return false;
    const bool solved = flow_is_solved(c);
    if (solved && !flow_create_velocity_solver(&t->f, e)) return transient_free(t), false;
    allocate(t, solved);
    if (!equations_create(&t->f, m, e)) return transient_free(t), false;
    if (c->time.tolerance > 0) equation_errors_create(&t->equations, &t->f);
    transient_fields(t);
    if (flow_is_absent(c)) return true;
    if (!solved) {
        if (!prescribed_create(&t->prescribed, &c->prescribed, m, &t->f.s, e)) return transient_free(t), false;
        prescribed_set(&t->prescribed, 0, t->f.u, t->f.flux, t->f.b.velocity);
        return true;
    }
    transient_predictor_create(t);
    transient_start_flux(t);            /* before `finest` is known: it has no step with which to compare net fluxes */
    copy_array(t->balance, t->f.s.volume, t->f.s.n_cells);              /* which has 1 in the padding, this one 0 */
    t->finest = ROUNDING * sqrt(reduce(REDUCE_DOT, t->balance, t->balance, t->f.s.n_padded));
    if (!t->f.interface) flow_back(&t->f, t->f.flux, NULL, DBL_MIN);    /* heads of the start, not relaxed from 0 */
    stage_done("fields");
    return true;
}
