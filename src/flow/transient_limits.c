/* Limits of the next step. */
#include <math.h>
#include "assembly/step_error.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* Tolerances of 1e-4 then become 1e-12, near rounding. */
#define LEAST_SHARPNESS 1e-8

void transient_measure(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct courant_args a = {.s = *s, .flux = t->f.flux, .marked = t->f.interface ? t->f.interface->area : NULL,
                             .properties = t->f.properties, .u = t->f.u, .rate = t->rate, .sums = t->marks};
    if (flow_tension_field(t->f.c)) {
        t->f.interface->temperature = flow_tension_values(&t->f);
        a.tension = interface_tension(t->f.interface);
    }
    courant_numbers(&a, s->n_slices);
    sums_finish_largest(&t->marks, TOLD_COURANT, TOLD_CONTINUITY);
}

static bool energy_is_known(const struct flow *f)
{
    return f->interface && flow_is_solved(f->c) && !drive_acts(f) && !f->c->buoyancy.given &&
           !tension_varies(&f->c->second_fluid);
}

void transient_measure_energy(struct transient *t)
{
    const struct flow *f = &t->f;
    const struct energy_flow flow = {.b = f->b, .properties = f->properties, .u = f->u, .p = f->p, .flux = f->flux,
                                     .source = f->source};
    if (energy_is_known(f)) interface_energies(f->interface, &flow, t->told + TOLD_ENERGY);
}

bool transient_energy(struct transient *t, double energy[N_ENERGIES])
{
    if (!energy_is_known(&t->f)) return false;
    transient_measure_energy(t);
    device_download(energy, t->told + TOLD_ENERGY, N_ENERGIES * sizeof *energy);
    return true;
}

void transient_read_courant(struct transient *t)
{
    double most[TOLD_VISCOSITY + 1];
    if (t->measured) return;
    transient_measure(t);
    device_download(most, t->told, sizeof most);
    t->courant = most[TOLD_COURANT], t->interface_courant = most[TOLD_COURANT + 1], t->tension = most[TOLD_TENSION];
    t->viscosity = most[TOLD_VISCOSITY], t->measured = true;
}

double transient_wave_step(const struct transient *t)
{
    const struct flow_setting *c = t->f.c;
    if (!t->f.interface) return INFINITY;
    double tension = t->measured && t->tension > 0 ? t->tension : c->second_fluid.surface_tension;
    return flow_wave_step_of(c, t->f.s.spacing, tension);
}

double transient_sharpness(const struct transient *t, double dt)
{
    double longer = fmax(1, dt / transient_wave_step(t));
    return fmax(1 / (longer * longer), LEAST_SHARPNESS);
}

double transient_viscosity(const struct transient *t)
{
    const struct properties *p = &t->f.properties;
    double viscosity = p->viscosity_cells ? t->viscosity : fmax(p->viscosity[0], p->viscosity[1]);
    return viscosity / fmax(p->density[0], p->density[1]);
}

double transient_viscous_number(const struct transient *t, double dt)
{
    return transient_viscosity(t) * dt / (t->f.s.spacing * t->f.s.spacing);
}

double transient_thin_number(const struct transient *t, double dt)
{
    return transient_viscosity(t) * dt * t->f.s.conductance / t->f.s.dim;
}

double transient_rounding(const struct transient *t, double c)
{
    double speed = fmax(t->speed, t->fastest);
    return t->finest * (speed > 0 ? fmin(c, speed / t->f.s.spacing) : c);
}

static double density_ratio(const struct transient *t)
{
    const double *density = t->f.properties.density;
    return t->f.interface ? fmax(density[0] / density[1], density[1] / density[0]) : 1;
}

/* Measured: with densities of 1000 : 1 waves on a bubble grow at 0.55 on 160 x 320 cells, and not at 0.65; with 10 : 1
 * no shift is needed.  Slivers need more than 0.52 with nu dt / h^2 = 0.1. */
double transient_implicit_part(const struct transient *t, double dt)
{
    if (step_scheme(t) != TIME_CRANK_NICOLSON) return 1;
    double number = transient_viscous_number(t, dt), ratio = density_ratio(t);
    double least = ratio > HIGH_DENSITY_RATIO ? 0.7 : t->f.s.n_slivers ? 0.55 : 0.5;
    return fmax(least, 0.5 + 0.5 * number / (number + 1000));
}

/* nu dt / h^2 across the thinnest cells, from which friction matters within the first step, and a varying viscosity in
 * every one. */
#define VISCOUS_START 3

/* One fluid: one, but if viscosity dominates, correctors are iterations of Uzawa's method, repeated until converged; so
 * they are in the first step, whose predictor knows neither the pressure nor the forces: with one corrector these would
 * accelerate the fluid without friction where that matters within a step; not with a viscosity that varies, whose step
 * is repeated instead (transient_repeats()).  What counts is friction across the thinnest cells: with the
 * spacing, volume^(1/dim), cavities of cells 10 : 1 are 13 % off after six steps (tests/test_thin_cells.c).
 * Two fluids: in a step with one corrector the forces of the moved interface are first balanced without viscosity,
 * which overestimates their effect if it is large.  One is stable while the square of the wave's phase angle per step,
 * times the viscous number if that is above 1, stays below 2, and the density ratio below a few thousand
 * (docs/explanation/two-fluids.md, "Step limits"). */
int transient_correctors(struct transient *t, double dt, bool *free)
{
    enum { MOST_RATIO = 2000, VISCOUS = 100, MOST = 8 };
    const int wanted = t->f.c->solver.correctors;
    const bool start = t->steps == 0, varies = t->pass != NULL;
    const double number = transient_thin_number(t, dt);
    t->viscous = !t->f.interface && !(start && varies) && number > (start ? VISCOUS_START : VISCOUS);
    *free = t->viscous && wanted <= 0;
    if (wanted > 0) return wanted;
    if (!t->f.interface) return t->viscous ? MOST : 1;
    double wave = M_PI / 2 * dt / transient_wave_step(t);              /* phase angle per step */
    return density_ratio(t) > MOST_RATIO || wave * wave * fmax(1, transient_viscous_number(t, dt)) > 2 ? 2 : 1;
}

/* The change of the velocity in the last pass, as a part of its deviation from its mean, which is the same in a frame
 * that moves; of a uniform velocity a millionth of itself. */
static double change_of_pass(struct transient *t)
{
    struct pass_change_args a = {.s = t->f.s, .u = t->f.u, .before = t->pass, .sums = t->errors};
    double sum[N_PASS_SUMS], mean = 0;
    pass_change(&a, t->f.s.n_slices);
    sums_finish(&t->errors, 0, PASS_VELOCITY + t->f.s.dim);
    sums_download(&t->errors, 0, PASS_VELOCITY + t->f.s.dim, sum);
    for (int k = 0; k < t->f.s.dim; k++) mean += sum[PASS_VELOCITY + k] * sum[PASS_VELOCITY + k];
    const double deviation = fmax(sum[PASS_SQUARE] - mean / sum[PASS_VOLUME], 1e-12 * sum[PASS_SQUARE]);
    return deviation > 0 ? sqrt(sum[PASS_CHANGE] / deviation) : 0;
}

/* The convected velocity is that of the last pass that the algorithm makes: deferred corrections that are repeated
 * without end need not converge. */
void transient_keep_pass(struct transient *t, int number)
{
    const int own = t->f.c->solver.outer_correctors;
    const int64_t n = t->f.s.dim * t->f.s.pitch;
    copy_array(t->pass, t->f.u, n);
    if (number == own - 1) copy_array(t->carried, t->convected ? t->convected : t->f.u, n);
    if (number >= own) t->convected = t->carried;
}

/* The terms that a varying viscosity leaves explicit, and the viscosity itself, are those of the velocity before the
 * pass.  In steps that are short beside the viscous time of a cell, or in which the velocity changes as it did before,
 * that is accurate enough.  Where passes converge slowly, as near a yield stress, so do the next steps. */
bool transient_repeats(struct transient *t, double dt, int passes)
{
    enum { MOST = 30, TRIED = 4 };
    static const double SETTLED = 1e-3, SLOW = 0.9;
    const struct properties *p = &t->f.properties;
    if (!t->pass || passes >= MOST) return false;
    if (t->steps == 0) {                        /* the viscosity may be that of a fluid at rest, which may be any */
        flow_reconstruct(&t->f);
        models_set_properties(&t->f, &(struct model_step){.dt = dt, .part = t->part, .outer = passes});
    }
    const double viscosity = reduce(REDUCE_ABS_MAX, p->viscosity_cells, NULL, t->f.s.n_padded) / p->density[0];
    const double number = viscosity * dt * t->f.s.conductance / t->f.s.dim, last = t->moved;
    t->moved = change_of_pass(t);
    if (passes > TRIED && t->moved > SLOW * last) return false;
    if (!(number > VISCOUS_START && t->moved > SETTLED)) return false;
    return t->viscous = true;                   /* solves may not end at a part of the residual of the first pass */
}

double transient_choose_step(struct transient *t, double until)
{
    const struct time_setting *set = &t->f.c->time;
    double dt = set->step, left = until - t->time;
    transient_read_courant(t);
    if (set->courant > 0 && t->courant > 0) dt = fmin(dt, set->courant / t->courant);
    if (set->interface_courant > 0 && t->interface_courant > 0)
        dt = fmin(dt, set->interface_courant / t->interface_courant);
    if (set->capillary > 0) dt = fmin(dt, set->capillary * transient_wave_step(t));
    dt = fmin(dt, transient_tolerated_step(t));
    if (t->steps > 0 && (set->courant > 0 || set->interface_courant > 0)) dt = fmin(dt, 1.2 * t->step);
    double steps = ceil(left / dt * (1 - 1e-9));                /* number of equal steps to the end of the interval */
    return steps <= 20 ? left / fmax(steps, 1) : dt;
}
