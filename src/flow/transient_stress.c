/* The transposed viscous stress of mixtures, and passes of a long step until it agrees (transient_parts.h). */
#include <math.h>
#include "assembly/mixture.h"
#include "assembly/step_error.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* Extrapolation of the velocity for the implicit part of the stress (mixture.h), as a fraction of the time to w, where
 * a step has one pass.  Full extrapolation is of second order in time, but waves on the interface then grow by some
 * percent per step at viscous numbers of 100.  Half of it is stable at any number, with the error of a larger
 * inertia. */
static double stress_ahead(const struct transient *t, double dt)
{
    double number = transient_viscous_number(t, dt);
    return number > 30 ? 0.5 + 0.5 * 30 / number : 1;
}

static void add_stress(struct transient *t, double *old, double ahead, int repeated)
{
    const struct stencil *s = &t->f.s;
    struct transpose_args a = {.s = *s, .a = t->f.momentum, .properties = t->f.properties, .c = t->c, .old = old,
                               .older = t->u_older, .ahead = ahead, .grad_u = t->f.grad_u, .rhs = t->f.rhs,
                               .repeated = repeated};
    halo_update_together(s->pattern.halo, {t->f.grad_u, s->dim * s->dim}, {old, s->dim}, {t->u_older, s->dim});
    viscous_transpose(&a, s->n_slices);
    boundary_viscous_transpose(&a, s->n_boundary_cells);
}

static void begin_pass(struct transient *t)
{
    copy_array(t->tried, t->f.u, t->f.s.dim * t->f.s.pitch);
    anderson_begin(t->anderson);
}

/* Memory that only long steps need.  The pressure's accelerations, in cells and at faces, are what the next pass has of
 * the last one besides velocity and pressure. */
static void create_passes(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    const struct anderson_setup setup = {
        .name = "stress", .depth = 8, .endless = true, .noise = 0.01, .volume = s->volume, .n_slices = s->n_slices,
        .array = {{"u", &t->f.u, s->dim, s->pitch, ITEM_CELLS, false},
                  {"a", &t->acceleration, s->dim, s->pitch, ITEM_CELLS, false},
                  {"p", &t->f.p, 1, s->pitch, ITEM_CELLS, false},
                  {"y", &t->face_step, 1, s->n_faces, ITEM_FACES, false}}, .n_arrays = 4};
    if (t->anderson) return;
    t->anderson = anderson_create(&setup);
    t->unstressed = flow_cells(&t->f, s->dim, "explicit terms without stress");
    t->tried = flow_cells(&t->f, s->dim, "velocity before a pass");
}

void transient_free_stress(struct transient *t)
{
    anderson_free(t->anderson);
    device_free(t->unstressed), device_free(t->tried);
}

/* nu dt / h^2 across the thinnest cells from which two fluids have passes. */
static const double LONG = 1;
enum { MOST_PASSES = 60 };

void transient_add_stress(struct transient *t, double dt)
{
    const struct flow *f = &t->f;
    const struct properties *p = &f->properties;
    const bool differ = p->viscosity_cells || p->viscosity[0] != p->viscosity[1];
    const bool repeats = f->interface && differ && f->c->solver.correctors != 1;
    t->passes = repeats && transient_thin_number(t, dt) > LONG ? MOST_PASSES : 0;
    if (t->passes > 0) {
        create_passes(t);
        copy_array(t->unstressed, t->f.rhs, t->f.s.dim * t->f.s.pitch);
        anderson_restart(t->anderson);
        begin_pass(t);
    }
    const double part = t->passes > 0 ? 1 : stress_ahead(t, dt);
    add_stress(t, t->u_old, t->steps > 0 ? part * t->part * dt / t->step : 0, 0);
}

/* The root mean square of the velocity's difference from another one, and of the velocity, by volume. */
static double difference(struct transient *t, const double *from, double *size)
{
    struct pass_change_args a = {.s = t->f.s, .u = t->f.u, .before = from, .sums = t->errors};
    double sum[N_PASS_SUMS];
    pass_change(&a, t->f.s.n_slices);
    sums_finish(&t->errors, 0, PASS_VELOCITY);
    sums_download(&t->errors, 0, PASS_VELOCITY, sum);
    *size = sqrt(sum[PASS_SQUARE] / sum[PASS_VOLUME]);
    return sqrt(sum[PASS_CHANGE] / sum[PASS_VOLUME]);
}

/* SETTLED: of what the step changes.  Fluids at rest never settle: below these parts of the speed that conditions and
 * forces can cause passes end (ROUNDING) and are not reported (REST). */
bool transient_stress_agrees(struct transient *t, int number, struct transient_report *r)
{
    static const double SETTLED = 3e-3, ROUNDING = 1e-11, REST = 1e-8;
    const struct stencil *s = &t->f.s;
    double size;
    const double change = difference(t, t->tried, &size), whole = difference(t, t->u_old, &size);
    const double speed = fmax(size, fmax(t->speed, t->fastest));
    r->unsettled = change > REST * speed ? change / whole : 0;
    if (number > 0 && !(change > fmax(SETTLED * whole, ROUNDING * speed))) return true;     /* or not finite */
    if (number + 1 == t->passes) return true;
    if (anderson_end(t->anderson) == ANDERSON_MIXED) {
        halo_update(s->pattern.halo, t->f.p, 1);
        struct boundary_args b = flow_at_boundary(&t->f);
        boundary_velocity(&b, s->n_boundary);
    }
    flow_reconstruct(&t->f);
    copy_array(t->f.rhs, t->unstressed, s->dim * s->pitch);
    add_stress(t, t->f.u, 0, 1);
    begin_pass(t);
    return false;
}
