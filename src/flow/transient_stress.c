/* The viscous stress of two fluids, and passes of a long step until it agrees (transient_parts.h). */
#include <math.h>
#include "assembly/interface_stress.h"
#include "assembly/step_error.h"
#include "flow/transient_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "interface/interface.h"

/* Extrapolation of the velocity for the implicit part of the stress (interface_stress.h), as a fraction of the time to
 * w, where a step has one pass.  Full extrapolation is of second order in time, but waves on the interface then grow by
 * some percent per step at viscous numbers of 100.  Half of it is stable at any number, with the error of a larger
 * inertia. */
static double stress_ahead(const struct transient *t, double dt)
{
    double number = transient_viscous_number(t, dt);
    return number > 30 ? 0.5 + 0.5 * 30 / number : 1;
}

static struct interface_stress_args stress_args(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    const struct properties *p = &t->f.properties;
    const struct interface *i = t->f.interface;
    return (struct interface_stress_args){
        .s = *s, .a = t->f.momentum, .properties = *p, .c = t->c,
        .tension = t->f.c->second_fluid.surface_tension, .least = fmin(p->viscosity[0], p->viscosity[1]),
        .fluidity = p->viscosity_cells ? t->errors : (struct sums){0},
        .band = i->band,
        .cell_face = i->g.cell_face, .most_faces = i->g.most_faces, .normal = i->normal,
        .velocity_rule = t->f.b.velocity_rule, .u = t->f.u, .boundary = t->f.b.velocity, .grad_u = t->f.grad_u,
        .older = t->u_older, .value = t->stress, .rhs = t->f.rhs};
}

/* A viscosity that depends on the shear may be any in the first step, when fluids are at rest: passes diverged on
 * triangles. */
static bool is_known(const struct transient *t) { return t->steps > 0 || !t->f.properties.of_shear; }

/* The stress in cells, with its ghosts, by the guess. */
static void make_stress(struct transient *t, struct interface_stress_args *a)
{
    const struct stencil *s = &t->f.s;
    halo_update_together(s->pattern.halo, {t->f.u, s->dim}, {t->f.grad_u, s->dim * s->dim},
                         {t->f.properties.viscosity_fluids, 2}, {t->f.properties.viscosity_cells, 1});
    if (a->fluidity.total) largest_fluidity(a, s->n_slices), sums_finish_largest(&t->errors, 0, 1);
    fill(&(struct fill_args){t->stress + STRESS_FRICTION * s->pitch, 0}, s->pitch);
    if (is_known(t)) interface_stress(a, t->f.interface->n_band);
    halo_update(s->pattern.halo, t->stress, STRESS_VALUES(s->dim));
}

static void add_stress(struct transient *t, struct interface_stress_args *a, double *old)
{
    const struct stencil *s = &t->f.s;
    a->old = old;
    halo_update_together(s->pattern.halo, {old, s->dim}, {t->u_older, s->dim});
    add_interface_stress(a, s->n_slices);
    add_boundary_stress(a, s->n_boundary_cells);
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
    device_free(t->unstressed), device_free(t->tried), device_free(t->stress);
}

/* nu dt / h^2 across the thinnest cells from which two fluids have passes; how far these agree, as a part of the step's
 * change, in steps that are not very long.  What remains acts with the excess of viscosity: at a number of 1e4 to 1e5
 * and a ratio of 1e4, layers in shear grew with 3e-3 and 1e-3. */
static const double LONG = 1, SETTLED = 3e-3;
enum { MOST_PASSES = 60 };

void transient_add_stress(struct transient *t, double dt)
{
    const struct flow *f = &t->f;
    const struct properties *p = &f->properties;
    if (!p->viscosity_cells && p->viscosity[0] == p->viscosity[1]) return;
    if (!t->stress) t->stress = flow_cells(f, STRESS_VALUES(f->s.dim), "stress at the interface");
    const double number = transient_thin_number(t, dt);
    t->passes = f->c->solver.correctors != 1 && number > LONG && is_known(t) ? MOST_PASSES : 0;
    t->settled = SETTLED / (1 + fmin(number, 1e5) / 1000);
    struct interface_stress_args a = stress_args(t);
    make_stress(t, &a);
    without_cross_terms(&a, f->s.n_slices);
    if (t->passes > 0) {
        create_passes(t);
        copy_array(t->unstressed, t->f.rhs, t->f.s.dim * t->f.s.pitch);
        anderson_restart(t->anderson);
        begin_pass(t);
    }
    const double part = t->passes > 0 ? 1 : stress_ahead(t, dt);
    a.ahead = t->steps > 0 ? part * t->part * dt / t->step : 0;
    add_stress(t, &a, t->u_old);
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

/* Fluids at rest never settle: below these parts of the speed that conditions and forces can cause passes end
 * (ROUNDING) and are not reported (REST). */
bool transient_stress_agrees(struct transient *t, int number, struct transient_report *r)
{
    static const double ROUNDING = 1e-11, REST = 1e-8;
    const struct stencil *s = &t->f.s;
    double size;
    const double change = difference(t, t->tried, &size), whole = difference(t, t->u_old, &size);
    const double speed = fmax(size, fmax(t->speed, t->fastest));
    r->unsettled = change > REST * speed ? change / whole : 0;
    if (number > 0 && !(change > fmax(t->settled * whole, ROUNDING * speed))) return true;     /* or not finite */
    if (number + 1 == t->passes) return true;
    if (anderson_end(t->anderson) == ANDERSON_MIXED) {
        halo_update(s->pattern.halo, t->f.p, 1);
        struct boundary_args b = flow_at_boundary(&t->f);
        boundary_velocity(&b, s->n_boundary);
    }
    flow_reconstruct(&t->f);
    copy_array(t->f.rhs, t->unstressed, s->dim * s->pitch);
    struct interface_stress_args a = stress_args(t);
    a.repeated = 1;
    make_stress(t, &a);
    add_stress(t, &a, t->f.u);
    begin_pass(t);
    return false;
}
