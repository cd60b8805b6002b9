/* The energies of two fluids (energy.h). */
#include "interface/energy.h"
#include <string.h>
#include "interface/interface.h"

void interface_energies(const struct interface *i, const struct energy_flow *flow, double *energies)
{
    const struct second_fluid_setting *second = i->in.second_fluid;
    struct energy_args a = {.g = i->g, .flow = *flow, .fraction = i->fraction,
                            .inflow_fraction = i->inflow_fraction, .band_mark = i->band_mark, .bottom = i->bottom,
                            .tension = second->surface_tension, .sums = i->energy_sums};
    if (second->surface_tension != 0) a.cosine = i->fit.cosine;
    if (i->in.gravity) memcpy(a.gravity, i->in.gravity, sizeof a.gravity);
    a.sums.total = energies;
    sum_energies(&a, i->g.s.n_slices);
    sums_finish(&a.sums, 0, N_ENERGIES);
}
