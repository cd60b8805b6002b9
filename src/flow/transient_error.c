/* The error of a step in time, and steps that are made again because of it (time.tolerance).
 *
 * The error is the larger of two (assembly/step_error.h), each a 2-norm over the mass relative to the velocity's:
 * that of the scheme in time, and what splitting velocity and pressure leaves of the momentum equation.  The residual
 * r = (M - rho c V) d of that, d the corrector's change of the velocity, makes an error of the velocity of about
 * |r/(rho c V)| / (1 + |r/(rho c V)| / |d|): r/(rho c V) where inertia is larger than the viscous terms, d where they
 * are far larger.  In a steady flow both errors are zero. */
#include <math.h>
#include <stdlib.h>
#include "assembly/step_error.h"
#include "base/memory.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "solve/matrix.h"

/* The step of the tolerance: the first one over time.step, and its Courant number at the speed that the case can make:
 * it is always accepted, since the pressure is not known before it; the most and the least that the next is of the
 * last; the part of the ideal one that is taken; how short it may become, over time.step, where further rejections are
 * pointless. */
#define FIRST_STEP 1e-3
#define FIRST_COURANT 0.1
#define MOST_GROWTH 1.5
#define MOST_SHRINKING 0.2
#define SAFETY 0.9
#define SHORTEST 1e-9
enum { KNOWN_FROM = 3 };        /* steps before the error of the time is known: at time 0 the velocity may jump */

/* Splitting's error below which correctors end where their number is free. */
#define SETTLED 2e-4

static bool is_controlled(const struct transient *t) { return t->f.c->time.tolerance > 0; }

/* ---------------------------------------------------------------- estimate */
/* d of the last corrector, in `before`, and M d, in `hat`: from these two it is made, so once.  part: that of the
 * velocity as it is in w; the rest is the old one. */
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

/* The sums of the step just made, before the next one begins.  dt: its length, with the error of the time too; 0:
 * without.  part: as above. */
static void make_sums(struct transient *t, double dt, double part, double sum[N_ERROR_SUMS])
{
    struct step_error_args a = {.s = t->f.s, .u = t->f.u, .old = t->u_old, .older = t->u_older, .step = dt,
                                .step_old = t->step, .change = t->before, .product = t->hat, .c = t->c,
                                .properties = t->f.properties, .sums = t->errors};
    bool before = dt > 0 && t->steps > 0;               /* there are two velocities before this one */
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

/* What errors are compared with. */
static double scale(const struct transient *t, const double sum[N_ERROR_SUMS])
{
    return sqrt(sum[ERROR_VELOCITY]) + 1e-3 * t->speed * sqrt(sum[ERROR_MASS]);
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
/* What a checkpoint has is what a step begins with. */
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
        if (back) copy(*f->value, t->kept.array[i], n);
        else copy(t->kept.array[i], *f->value, n);
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

/* The step for which both errors, of second and of third order (Euler: second), are the tolerance. */
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
    bool good = r->error <= t->f.c->time.tolerance;             /* false where it is not a number */
    if (!(next >= MOST_SHRINKING * *dt)) next = MOST_SHRINKING * *dt;
    if (good || t->steps == 0 || *dt < SHORTEST * t->f.c->time.step) {
        t->control[0] = fmin(next, MOST_GROWTH * *dt), t->control[1]++;
        return true;
    }
    keep(t, true);
    *dt = fmin(next, SAFETY * *dt);
    return false;
}
