/* The given values of a driven flow, which may depend on time (drive.h). */
#include <math.h>
#include "base/expression.h"
#include "flow/drive.h"
#include "flow/flow.h"
#include "gpu/device.h"

/* In the order of enum drive_value; NULL: not given. */
static const struct value_setting *setting(const struct flow_setting *c, int i)
{
    if (i < DRIVE_CAUSE) return c->fluid.acceleration_length > i ? &c->fluid.acceleration[i] : NULL;
    if (!c->driven.given) return NULL;
    return c->driven.flow_rate_given ? &c->driven.flow_rate : &c->driven.pressure_gradient;
}

/* At time t. */
static bool values_at(struct drive *d, const struct flow *f, double t, double value[N_DRIVE_VALUES], struct error *e)
{
    const struct expression_input at = {&t, 0};
    for (int i = 0; i < N_DRIVE_VALUES; i++) {
        const struct value_setting *v = setting(f->c, i);
        value[i] = v ? v->number : 0;
        if (d->expression[i]) expression_evaluate(d->expression[i], &at, 1, &value[i]);
        if (d->map[i].table && !table_map_values(&d->map[i], v->column, t, &value[i]))
            return refuse(e, EXIT_INPUT, "%s: %s: t = %.9g is outside the times of %s; add rows to it, or change "
                          "time.end", case_place_text(v->place), v->path, t, v->table->path);
        if (!isfinite(value[i]))
            return refuse(e, EXIT_INPUT, "%s: %s is %s at t = %.9g:\n    %.250s", case_place_text(v->place), v->path,
                          isnan(value[i]) ? "not a number" : "infinite", t, v->text);
        if (i < DRIVE_CAUSE) value[i] += f->c->fluid.gravity[i] - f->gravity[i];
        else if (d->holds_rate) value[i] *= d->period;
    }
    return true;
}

/* Their weighted mean of both ends of the step, in device memory; R: at its end. */
static void upload(const struct drive *d, double part)
{
    double now[N_DRIVE_VALUES];
    if (!d->number) return;
    for (int i = 0; i < N_DRIVE_VALUES; i++)
        now[i] = part == 1 ? d->value[1][i] : part * d->value[1][i] + (1 - part) * d->value[0][i];
    if (d->holds_rate) now[DRIVE_CAUSE] = d->value[1][DRIVE_CAUSE];
    device_upload(d->number + DRIVE_GIVEN, now, sizeof now);
    if (!d->holds_rate) device_upload(d->number + DRIVE_GRADIENT, &now[DRIVE_CAUSE], sizeof *now);
}

bool drive_values_create(struct drive *d, const struct flow *f, struct error *e)
{
    struct expression_fault fault;
    for (int i = 0; i < N_DRIVE_VALUES; i++) {
        const struct value_setting *v = setting(f->c, i);
        if (!v || !v->text) continue;
        if (v->in_time && !flow_is_transient(f->c))
            return refuse(e, EXIT_INPUT, "%s: %s = \"%.200s\" depends on t, but steady flow has no time; remove it, or "
                          "set solver.algorithm = \"piso\" or \"pimple\"", case_place_text(v->place), v->path, v->text);
        static const double anywhere[3] = {0};
        if (v->table) table_map_create(&d->map[i], v->table, f->s.dim, 1, anywhere);
        else d->expression[i] = expression_create(v->text, v->variable, v->n_variables, &fault);
        if (!v->table && !d->expression[i]) die("%s: %s", v->text, fault.what);         /* the case has been checked */
        d->in_time |= v->in_time;
    }
    if (!values_at(d, f, 0, d->value[0], e)) return false;
    for (int i = 0; i < N_DRIVE_VALUES; i++) d->value[1][i] = d->value[0][i];
    return true;
}

void drive_values_free(struct drive *d)
{
    for (int i = 0; i < N_DRIVE_VALUES; i++) expression_free(d->expression[i]), table_map_free(&d->map[i]);
}

void drive_values_start(const struct drive *d) { upload(d, 1); }

void drive_values_act(const struct drive *d, double part) { if (d->in_time) upload(d, part); }

bool drive_update(struct flow *f, double from, double to, struct error *e)
{
    struct drive *d = f->drive;
    return !d || !d->in_time || (values_at(d, f, from, d->value[0], e) && values_at(d, f, to, d->value[1], e));
}

/* The largest magnitudes of all values, with time at 100 times until the end of the run. */
static void largest(const struct flow *f, double most[N_DRIVE_VALUES])
{
    struct drive *d = f->drive;
    for (int i = 0; i < N_DRIVE_VALUES; i++) most[i] = fabs(d->value[0][i]);
    for (int k = 1; d->in_time && k <= 100; k++) {
        double value[N_DRIVE_VALUES];
        struct error e;
        if (!values_at(d, f, 0.01 * k * f->c->time.end, value, &e)) continue;
        for (int i = 0; i < N_DRIVE_VALUES; i++) most[i] = fmax(most[i], fabs(value[i]));
    }
}

void drive_limits(const struct flow *f, double acceleration[3], double *speed)
{
    const struct flow_setting *c = f->c;
    const struct drive *d = f->drive;
    double lighter = c->fluid.density, most[N_DRIVE_VALUES];
    if (c->second_fluid.given) lighter = fmin(lighter, c->second_fluid.density);
    *speed = 0;
    for (int k = 0; k < 3; k++) acceleration[k] = fabs(f->gravity[k]);
    if (!d) return;
    largest(f, most);
    for (int k = 0; k < 3; k++) {
        acceleration[k] += most[k];
        if (!d->holds_rate) acceleration[k] += most[DRIVE_CAUSE] / lighter * fabs(d->direction[k]);
    }
    if (d->holds_rate) *speed = most[DRIVE_CAUSE] / d->volume;
}

bool drive_mean_velocity(const struct flow *f, double u[3])
{
    const struct drive *d = f->drive;
    if (!d || !d->holds_rate) return false;
    for (int k = 0; k < 3; k++) u[k] = d->value[0][DRIVE_CAUSE] / d->volume * d->direction[k];
    return true;
}
