/* The error of a time step, and steps repeated because of it (time.tolerance).
 *
 * The error is the larger of two (assembly/step_error.h), each a 2-norm over the mass relative to the velocity's: that
 * of the time scheme, and the error of the momentum equation by splitting velocity and pressure.  The residual of the
 * latter, r = (M - rho c V) d with the corrector's velocity change d, causes a velocity error of about
 * |r/(rho c V)| / (1 + |r/(rho c V)| / |d|): r/(rho c V) if inertia is larger than the viscous terms, d if they are far
 * larger.  In a steady flow both errors are zero. */
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

/* Splitting error below which correctors end if their number is free. */
#define SETTLED 2e-4

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
    for (int k = 0; k < s->dim; k++)
        matrix_product(&t->f.momentum, t->before + k * s->pitch, t->hat + k * s->pitch);
}

/* Weights of the second difference and of its change, for the scheme of the step. */
static void weights(const struct transient *t, double dt, double *second, double *third)
{
    double span = dt + t->step, all = span + t->older_step;
    *second = *third = 0;
    if (t->control[1] < KNOWN_FROM) return;
    switch (step_scheme(t)) {
    case TIME_EULER: *second = dt * dt; break;
    case TIME_BDF2: *third = dt * span / t->c / all; break;
    case TIME_CRANK_NICOLSON: *second = (2 * t->part - 1) * dt * dt, *third = dt * dt * dt / 2 / all; break;
    }
}

/* Computes the sums for the last step, before the next one begins.  dt: its length, to include the time error; 0:
 * without.  part: as above. */
static void make_sums(struct transient *t, double dt, double part, double sum[N_ERROR_SUMS])
{
    struct step_error_args a = {.s = t->f.s, .u = t->f.u, .old = t->u_old, .older = t->u_older, .step = dt,
                                .step_old = t->step, .change = t->before, .product = t->hat, .c = t->c,
                                .properties = t->f.properties, .sums = t->errors};
    bool before = dt > 0 && t->steps > 0;               /* whether there are two earlier velocities */
    if (before) a.bend = t->bend, weights(t, dt, &a.second, &a.third);
    if (t->splitting < 0) change_of_corrector(t, part);
    step_error(&a, t->f.s.n_slices);
    sums_finish(&t->errors, 0, N_ERROR_SUMS);
    sums_download(&t->errors, 0, N_ERROR_SUMS, sum);
}

static double splitting(const double sum[N_ERROR_SUMS])
{
    double residual = sqrt(sum[ERROR_SPLITTING]), change = sqrt(sum[ERROR_CHANGE]);
    return change > 0 ? residual / (1 + residual / change) : 0;
}

/* The reference value of errors. */
static double scale(const struct transient *t, const double sum[N_ERROR_SUMS])
{
    return sqrt(sum[ERROR_VELOCITY]) + 1e-3 * fmax(t->speed, t->fastest) * sqrt(sum[ERROR_MASS]);
}

static double splitting_now(struct transient *t, double part)
{
    double sum[N_ERROR_SUMS];
    if (t->c == 0 || t->splitting >= 0) return t->splitting;
    make_sums(t, 0, part, sum);
    double of = scale(t, sum);
    return t->splitting = of > 0 ? splitting(sum) / of : 0;
}

double transient_splitting(struct transient *t) { return splitting_now(t, t->part); }

bool transient_is_settled(struct transient *t) { return splitting_now(t, 1) < SETTLED; }

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

/* The step at which the errors, of second and of third order (Euler: second), equal the tolerance. */
static double ideal(const struct transient *t, double dt, double time, double split)
{
    double tolerance = t->f.c->time.tolerance, root = step_scheme(t) == TIME_EULER ? 2 : 3;
    return dt * SAFETY * fmin(pow(tolerance / time, 1 / root), pow(tolerance / split, 0.5));
}

bool transient_accept(struct transient *t, double *dt, struct transient_report *r)
{
    double sum[N_ERROR_SUMS];
    if (!is_controlled(t)) return true;
    make_sums(t, *dt, t->part, sum);
    double of = scale(t, sum), time = of > 0 ? sqrt(sum[ERROR_TIME]) / of : 0;
    t->splitting = of > 0 ? splitting(sum) / of : 0;
    double next = ideal(t, *dt, time, t->splitting);
    r->error = fmax(time, t->splitting);
    bool good = r->error <= t->f.c->time.tolerance;             /* false for a NaN */
    if (!(next >= MOST_SHRINKING * *dt)) next = MOST_SHRINKING * *dt;
    if (good || t->steps == 0 || *dt < SHORTEST * t->f.c->time.step) {
        t->control[0] = fmin(next, MOST_GROWTH * *dt), t->control[1]++;
        return true;
    }
    keep(t, true);
    *dt = fmin(next, SAFETY * *dt);
    return false;
}
