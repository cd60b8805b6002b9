/* Launches the kernels of surface tension that depends on the temperature (marangoni.h). */
#include "interface/marangoni.h"
#include <string.h>
#include "gpu/halo.h"
#include "gpu/vector.h"
#include "interface/interface.h"

struct tension interface_tension(const struct interface *i)
{
    const struct second_fluid_setting *second = i->in.second_fluid;
    return (struct tension){second->surface_tension, second->surface_tension_slope, second->tension_reference,
                            i->tension_law, tension_varies(second) ? i->temperature : NULL};
}

void marangoni_make(struct interface *i)
{
    const struct stencil *s = &i->g.s;
    struct marangoni_args a = {.g = i->g, .tension = interface_tension(i), .band = i->band, .normal = i->normal,
                               .distance = i->distance,
                               .viscosity = {i->in.fluid->viscosity, i->in.second_fluid->viscosity},
                               .viscosity_faces = i->viscosity,
                               .conductivity = {{.number = 1}, {.number = 1}}, .gradient = i->pull_gradient,
                               .pull = i->pull};
    if (!a.tension.temperature) return;
    if (i->in.second_fluid->conductivity_given)
        a.conductivity[0].number = i->in.fluid->conductivity,
        a.conductivity[1].number = i->in.second_fluid->conductivity;
    if (i->conductivity[0].number > 0) memcpy(a.conductivity, i->conductivity, sizeof a.conductivity);
    halo_update(i->g.around, a.tension.temperature, 1);
    fill(&(struct fill_args){a.gradient, 0}, s->dim * s->pitch);        /* beyond faces are cells outside the band */
    marangoni_gradient(&a, i->n_band);
    halo_update_together(s->pattern.halo, {i->normal, s->dim}, {i->distance, 1}, {a.gradient, s->dim});
    fill(&(struct fill_args){a.pull, 0}, s->dim * s->pitch);
    marangoni_cells(&a, i->n_band);
}
