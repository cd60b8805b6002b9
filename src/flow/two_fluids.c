/* Two fluids, as a model: the interface moves; density, viscosity and mass flux follow; surface tension and gravity act
 * at faces. */
#include <stdlib.h>
#include "assembly/mixture.h"
#include "base/memory.h"
#include "base/timer.h"
#include "flow/model.h"
#include "flow/phases.h"
#include "flow/start_values.h"
#include "gpu/vector.h"
#include "interface/forces.h"
#include "interface/interface.h"

static bool given(const struct flow_setting *c) { return c->second_fluid.given; }

/* Computes density and viscosity of the mixture, the mass flux, and the pressure of the second fluid at outlets.  With
 * the mass flux, the time term conserves momentum if its density is (1 - theta) rho^(n+1) + theta rho^n.  BDF2 uses the
 * old density as well: the mass leaving a cell in a step can be a thousand times the remaining mass, and the explicit
 * parts of convection are stable only with the old mass. */
static void mix(struct flow *f, const struct model_step *step)
{
    const struct stencil *s = &f->s;
    const struct interface *i = f->interface;
    const double *g = f->gravity;
    const struct properties *p = &f->properties;
    struct mixture_args m = {.s = *s, .properties = *p, .weight = step->part, .fraction_old = i->fraction_old};
    mixture_density(&m, s->n_padded);
    halo_update_together(s->pattern.halo, {p->fraction, 1}, {p->distance, 1}, {p->time_density, 1},
                         {p->inertia, 1});
    if (!p->viscosity_cells) mixture_viscosity(&m, s->n_faces);
    struct combine_args mass = {step->mass_flux, p->density[0], f->flux, (p->density[1] - p->density[0]) / step->dt,
                                i->carried};
    combine(&mass, s->n_faces);
    struct outlet_pressure_args outlet = {.s = *s, .b = f->b,
                                          .density_step = p->density[1] - p->density[0],
                                          .gravity = {g[0], g[1], g[2]}, .bottom = i->bottom,
                                          .given = f->b.given_pressure, .fraction = i->fraction,
                                          .centre = i->g.centre};
    outlet_pressure(&outlet, s->n_boundary);
}

static void before_momentum(void *state, struct flow *f, struct model_step *step)
{
    const struct stencil *s = &f->s;
    struct interface *i = state;
    if (step->outer == 0) interface_begin(i);
    else {                                              /* again from the start, with a better flux */
        double part = 0.5 / step->part;                         /* of the flux at the time of w */
        struct combine_args flux = {step->mass_flux, part, f->flux, 1 - part, step->flux_old};
        combine(&flux, s->n_faces);
        copy_array(f->flux, step->mass_flux, s->n_faces);
        interface_return(i);
    }
    interface_advance(i, f->flux, f->u, f->grad_u, step->dt);
    mix(f, step);
}

static void before_pressure(void *state, struct flow *f, struct model_step *step)
{
    struct interface *i = state;
    i->temperature = flow_tension_values(f);
    interface_forces(i, f->face_force.value);
    f->cell_force = i->pull;
    step->note = phases_follow(f, i->fraction);
}

/* Algorithm advection moves only the interface: no properties, no force. */
static bool create_properties(struct flow *f, struct error *e)
{
    if (flow_is_advection(f->c)) return true;
    f->properties.time_density = flow_cells(f, 1, "density"), f->properties.inertia = flow_cells(f, 1, "inertia");
    flow_use_viscosity(f);
    flow_use_face_force(f);
    return phases_create_solver(f, f->interface->fraction, e);
}

static void *create(struct flow *f, const struct mesh *m, struct error *e)
{
    struct interface_inputs in = flow_interface_inputs(f->c);
    struct interface *i;
    in.given = &f->given, in.gravity = f->gravity;
    NEW(i, 1);
    const double *fraction = f->c->shapes.n ? NULL : values_of_file(f->c, "fraction");
    bool good = fraction ? interface_create_with(i, &in, m, &f->s, &f->b, fraction, e)
                         : interface_create(i, &in, &f->c->shapes, m, &f->s, &f->b, e);
    if (!good) return free(i), NULL;
    f->interface = i, f->properties.fraction = i->fraction, f->properties.distance = i->distance;
    if (!create_properties(f, e)) return interface_free(i), free(i), NULL;
    stage_done("interface");
    return i;
}

static void fields(void *state, const struct flow *f, struct fields *all)
{
    static struct interface none;
    struct interface *i = state ? state : &none;
    interface_fields(i, all, &f->s);
    if (f->c->time.scheme == TIME_BDF2)
        fields_add(all, &(struct field){.name = "old_fraction", .use = FIELD_CHECKPOINT, .components = 1,
                                        .pitch = f->s.pitch, .value = &i->fraction_old});
}

static void restored(void *state) { interface_restored(state); }

static void free_state(void *state)
{
    interface_free(state);
    free(state);
}

const struct model two_fluids_model = {.given = given, .create = create, .fields = fields,
    .before_momentum = before_momentum, .before_pressure = before_pressure, .restored = restored, .free = free_state};
