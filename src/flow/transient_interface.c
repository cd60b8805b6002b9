/* What two fluids add to a step in time. */
#include "assembly/mixture.h"
#include "flow/phases.h"
#include "flow/transient_parts.h"
#include "gpu/vector.h"

/* Makes density and viscosity of the mixture, the mass flux, and the pressure that the second fluid meets at
 * outlets.  The density in the time term is the one with which it is, together with the mass flux, a balance of
 * momentum: (1 - theta) rho^(n+1) + theta rho^n.  BDF2 takes the old density as well: what leaves a cell in a step
 * can be a thousand times what is there after it, and the explicit parts of convection are stable only against the
 * mass that was there before. */
static void mix(struct transient *t, double dt)
{
    const struct flow_setting *c = t->f.c;
    const struct stencil *s = &t->f.s;
    double weight = t->part;
    struct mixture_args m = {.s = *s, .density = {c->fluid.density, c->second_fluid.density},
                             .viscosity = {c->fluid.viscosity, c->second_fluid.viscosity}, .weight = weight,
                             .fraction = t->interface.fraction, .fraction_old = t->fraction_old,
                             .density_cells = t->density, .inertia_cells = t->inertia,
                             .viscosity_faces = t->viscosity};
    mixture_density(&m, s->n_padded);
    halo_update_together(s->pattern.halo, {m.fraction, 1}, {t->density, 1}, {t->inertia, 1});
    mixture_viscosity(&m, s->n_faces);
    struct mass_flux_args mass = {.density = {c->fluid.density, c->second_fluid.density}, .dt = dt, .flux = t->f.flux,
                                  .carried = t->interface.carried, .mass = t->mass_flux};
    mixture_mass_flux(&mass, s->n_faces);
    struct outlet_pressure_args outlet = {.s = *s, .b = t->f.b,
                                          .density_step = c->second_fluid.density - c->fluid.density,
                                          .gravity = {c->fluid.gravity[0], c->fluid.gravity[1], c->fluid.gravity[2]},
                                          .bottom = t->interface.bottom, .given = t->f.b.given_pressure,
                                          .fraction = t->interface.fraction, .centre = t->interface.g.centre};
    outlet_pressure(&outlet, s->n_boundary);
}

void transient_move_interface(struct transient *t, double dt, int outer, struct transient_report *r)
{
    const struct stencil *s = &t->f.s;
    struct interface *i = &t->interface;
    if (outer > 0) {
        double part = 0.5 / t->part;                            /* of the flux at the time of w */
        struct combine_args flux = {t->mass_flux, part, t->f.flux, 1 - part, t->flux_old};
        combine(&flux, s->n_faces);
        copy(t->f.flux, t->mass_flux, s->n_faces);
        copy(i->fraction, t->fraction_old, s->n_padded);
    }
    interface_advance(i, t->f.flux, t->f.u, t->f.grad_u, dt);
    mix(t, dt);
    interface_forces(i);
    const char *note = phases_follow(&t->f, i->fraction);
    if (note) r->pressure_solve.note = note;
}
