/* The error of a time step, and steps repeated because of it (time.tolerance).
 *
 * The largest of three kinds counts (assembly/step_error.h), each a 2-norm over the mass relative to the velocity's:
 *     The error e of the time scheme, and those of the schemes of temperature and scalars (equation_error.h), each
 *     relative to its own norm.  Where a quantity changes at the rate l, e = k (l dt)^(p + 1) with the scheme's order
 *     p, and while it changes by its own size the errors of 1 / (l dt) such steps add up to k (l dt)^p.  This is
 *     compared with the tolerance, so that the error of a run is proportional to it.  It is (k^(1/p) e)^(p / (p + 1)),
 *     whatever l is.
 *     The error of the momentum equation by splitting velocity and pressure.  Its residual r = (M - rho c V) d, with
 *     the corrector's velocity change d, causes a velocity error of about |r/(rho c V)| / (1 + |r/(rho c V)| / |d|):
 *     r/(rho c V) if inertia is larger than the viscous terms, d if they are far larger.
 * In a steady flow all are zero. */
#include <math.h>
#include <stdlib.h>
#include "assembly/step_error.h"
#include "base/memory.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/matrix.h"

/* Step control: the first step over time.step, and its Courant number at the speed that the case can cause: it is
 * always accepted, since the pressure is not known before it; the largest and the smallest ratio of successive steps;
 * the fraction of the ideal step that is used; the shortest step, over time.step, below which further rejections are
 * pointless. */
#define FIRST_STEP 1e-3
#define FIRST_COURANT 0.1
#define MOST_GROWTH 1.5
#define MOST_SHRINKING 0.2
#define SAFETY 0.9
#define SHORTEST 1e-9
enum { KNOWN_FROM = 3 };        /* steps before the time error is known: at time 0 the velocity may jump */

/* Splitting error below which correctors end if their number is free, relative to the velocity's deviation from its
 * mean, which does not change in a moving frame; of a uniform velocity a millionth of it counts. */
#define SETTLED 2e-4
#define OF_UNIFORM 1e-6

static bool is_controlled(const struct transient *t) { return t->f.c->time.tolerance > 0; }

/* ---------------------------------------------------------------- estimate */
/* d of the last corrector, in `before`, and M d, in `hat`.  These are also the inputs, so call it once.  part: weight
 * of the present velocity in w; the rest is the old one. */
static void change_of_corrector(struct transient *t, double part)
{
    const struct stencil *s = &t->f.s;
    int64_t n = s->dim * s->pitch;
    struct combine_args d = {t->before, 1 / t->c, t->before, -1, t->hat}, u = {t->before, 1, t->before, part, t->f.u},
                        old = {t->before, 1, t->before, 1 - part, t->u_old};
    combine(&d, n), combine(&u, n);
    if (part < 1) combine(&old, n);
    for (int k = 0; k < s->dim; k++) {
        struct matrix own = transient_momentum(t, k);
        matrix_product(&own, t->before + k * s->pitch, t->hat + k * s->pitch);
    }
}

/* Order and constant of the schemes: p and k above. */
static const struct { int order; double constant; } schemes[] = {
    [TIME_EULER] = {1, 1 / 2.0}, [TIME_BDF2] = {2, 1 / 3.0}, [TIME_CRANK_NICOLSON] = {2, 1 / 12.0}};

/* For the differences of a step of dt; part: of Crank-Nicolson. */
static struct step_times step_times(const struct transient *t, double dt, enum time_scheme scheme, double part)
{
    double span = dt + t->step, all = span + t->older_step;
    struct step_times a = {.step = dt, .old = t->steps > 0 ? t->step : 0};
    if (t->control[1] < KNOWN_FROM) return a;
    switch (scheme) {
    case TIME_EULER: a.second = dt * dt; break;
    case TIME_BDF2: a.third = dt * dt * span / all; break;
    case TIME_CRANK_NICOLSON: a.second = (2 * part - 1) * dt * dt, a.third = dt * dt * dt / 2 / all; break;
    }
    return a;
}

/* Computes the sums for the last step, before the next one begins.  dt: its length, to include the time error; 0:
 * without.  part: as above. */
static void make_sums(struct transient *t, double dt, double part, double sum[N_ERROR_SUMS])
{
    struct step_error_args a = {.s = t->f.s, .u = t->f.u, .old = t->u_old, .older = t->u_older, .change = t->before,
                                .product = t->hat, .c = t->c, .properties = t->f.properties, .sums = t->errors};
    if (dt > 0 && t->steps > 0)                         /* there are two earlier velocities */
        a.bend = t->bend, a.times = step_times(t, dt, step_scheme(t), t->part);
    if (t->splitting < 0) change_of_corrector(t, part);
    step_error(&a, t->f.s.n_slices);
    sums_finish(&t->errors, 0, N_ERROR_SUMS);
    sums_download(&t->errors, 0, N_ERROR_SUMS, sum);
    /* Of a mass of 1: the root of one in other units may be rounded otherwise. */
    const double mass = sum[ERROR_MASS];
    for (int i = 0; i < N_ERROR_SUMS; i++) sum[i] = mass > 0 ? sum[i] / mass : sum[i];
}

static double splitting(const double sum[N_ERROR_SUMS])
{
    double residual = sqrt(sum[ERROR_SPLITTING]), change = sqrt(sum[ERROR_CHANGE]);
    return change > 0 ? residual / (1 + residual / change) : 0;
}

/* Of the largest speed: the least velocity that an error is compared with. */
#define LEAST_SPEED 1e-3

static double fastest(const struct transient *t) { return fmax(t->speed, t->fastest); }

/* The reference value of errors. */
static double scale(const struct transient *t, const double sum[N_ERROR_SUMS])
{
    return sqrt(sum[ERROR_VELOCITY]) + LEAST_SPEED * fastest(t);
}

static double deviation(const double sum[N_ERROR_SUMS])
{
    double square = sum[ERROR_VELOCITY];
    for (int k = 0; k < 3; k++) square -= sum[ERROR_MOMENTUM + k] * sum[ERROR_MOMENTUM + k];
    return sqrt(fmax(square, OF_UNIFORM * OF_UNIFORM * sum[ERROR_VELOCITY]));
}

static void find_splitting(struct transient *t, double part, double sum[N_ERROR_SUMS])
{
    make_sums(t, 0, part, sum);
    const double of = scale(t, sum);
    t->splitting = of > 0 ? splitting(sum) / of : 0;
}

double transient_splitting(struct transient *t)
{
    double sum[N_ERROR_SUMS];
    if (t->c != 0 && t->splitting < 0) find_splitting(t, t->part, sum);
    return t->splitting;
}

bool transient_is_settled(struct transient *t)
{
    double sum[N_ERROR_SUMS];
    find_splitting(t, 1, sum);
    return splitting(sum) <= SETTLED * fmax(deviation(sum), LEAST_SPEED * fastest(t));
}

/* ---------------------------------------------------------------- the state at the start of a step */
/* Stores, or restores if `back`, the state at the start of a step, which is that of a checkpoint. */
static void keep(struct transient *t, bool back)
{
    const struct fields *all = &t->f.fields;
    if (!t->kept.array) {
        NEW(t->kept.array, all->n);
        t->kept.n = all->n;
    }
    for (int i = 0; i < t->kept.n; i++) {
        const struct field *f = &all->field[i];
        int64_t n = f->components * f->pitch;
        if (!(f->use & FIELD_CHECKPOINT) || !f->value || !*f->value || n == 0) continue;
        if (!t->kept.array[i]) t->kept.array[i] = device_alloc((size_t)n * sizeof(double), "start of the step");
        if (back) copy_array(*f->value, t->kept.array[i], n);
        else copy_array(t->kept.array[i], *f->value, n);
    }
    if (back) transient_restored(t);
}

void transient_kept_free(struct transient *t)
{
    for (int i = 0; i < t->kept.n; i++) device_free(t->kept.array[i]);
    free(t->kept.array);
}

/* ---------------------------------------------------------------- control */
void transient_begin(struct transient *t)
{
    if (is_controlled(t)) keep(t, false);
}

double transient_tolerated_step(const struct transient *t)
{
    if (!is_controlled(t)) return INFINITY;
    if (t->control[1] > 0) return t->control[0];
    double first = FIRST_STEP * t->f.c->time.step;
    if (t->steps > 0) return t->step;
    return t->speed > 0 ? fmin(first, FIRST_COURANT * t->f.s.spacing / t->speed) : first;
}

/* An error that counts, of the given order in time, and the shortest step at which one of them equals the tolerance. */
struct worst { double error, step; };

static void add(struct worst *w, const struct transient *t, double dt, double error, double order)
{
    w->step = fmin(w->step, dt * SAFETY * pow(t->f.c->time.tolerance / error, 1 / order));
    if (!(error <= w->error)) w->error = error;                 /* a NaN stays */
}

static void add_time(struct worst *w, const struct transient *t, double dt, double error, enum time_scheme scheme)
{
    double order = schemes[scheme].order;
    add(w, t, dt, pow(pow(schemes[scheme].constant, 1 / order) * error, order / (order + 1)), order);
}

/* Of velocity and pressure. */
static void add_flow(struct worst *w, struct transient *t, double dt)
{
    double sum[N_ERROR_SUMS];
    make_sums(t, dt, t->part, sum);
    double of = scale(t, sum);
    t->splitting = of > 0 ? splitting(sum) / of : 0;
    add(w, t, dt, t->splitting, 2);
    add_time(w, t, dt, of > 0 ? sqrt(sum[ERROR_TIME]) / of : 0, step_scheme(t));
}

/* The midpoint rule has Crank-Nicolson's error, its stages where diffusion is stiff half of it. */
static void add_equations(struct worst *w, const struct transient *t, double dt)
{
    const enum time_scheme scheme = t->f.c->time.scheme == TIME_EULER ? TIME_EULER : TIME_CRANK_NICOLSON;
    struct step_times times = step_times(t, dt, scheme, 0.5);
    add_time(w, t, dt, equation_errors_of_step(&t->equations, &times), scheme);
}

bool transient_accept(struct transient *t, double *dt, struct transient_report *r)
{
    struct worst worst = {.step = INFINITY};
    if (!is_controlled(t)) return true;
    if (flow_is_solved(t->f.c)) add_flow(&worst, t, *dt);
    add_equations(&worst, t, *dt);
    r->error = worst.error;
    bool good = r->error <= t->f.c->time.tolerance;             /* false for a NaN */
    double next = isfinite(worst.error) ? worst.step : 0;
    if (!(next >= MOST_SHRINKING * *dt)) next = MOST_SHRINKING * *dt;
    if (good || t->steps == 0 || *dt < SHORTEST * t->f.c->time.step) {
        t->control[0] = fmin(next, MOST_GROWTH * *dt), t->control[1]++;
        equation_errors_accept(&t->equations);
        return true;
    }
    keep(t, true);
    *dt = fmin(next, SAFETY * *dt);
    return false;
}
