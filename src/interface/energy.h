/* energy.h: the mechanical energy of two fluids, and the power that enters through boundaries: without other forces the
 * energy grows by no more than what enters, whatever the viscosities, so that a discretisation that creates energy
 * shows (run/energy_balance.h). */
#ifndef POISE_INTERFACE_ENERGY_H
#define POISE_INTERFACE_ENERGY_H
#include "assembly/boundary.h"
#include "assembly/properties.h"
#include "gpu/sums.h"
#include "interface/geometry.h"

struct interface;

/* 2-D: per unit of depth.
 * kinetic: 1/2 rho u^2.  potential: of the second fluid beside the first, (rho_2 - rho_1) alpha (bottom - gravity.x),
 * bottom as in forces.h.  surface: sigma times the sum of V |grad alpha|, since facets beside mesh lines may count
 * twice or not at all.
 * wall: -sigma cos(contact angle) times the wall's area that the second fluid wets.  resolution: the potential energy
 * by which cut cells are uncertain, whose facet may move by a cell's width.
 * power: the most that may enter: the sum of the magnitudes of F p, with the reduced pressure of forces.h, which
 * contains gravity's part, and F rho u^2 / 2 of boundary faces, of the friction of moving walls and of the power of
 * forces in cells; and UNSURE times the surface energy that passes boundaries.  cells: the number of cut ones. */
enum energy { ENERGY_KINETIC, ENERGY_POTENTIAL, ENERGY_SURFACE, ENERGY_WALL, ENERGY_RESOLUTION, ENERGY_POWER,
              ENERGY_CELLS, N_ENERGIES };

/* The flow whose energy it is; on the device. */
struct energy_flow {
    struct boundary b;
    struct properties properties;
    const double *u;            /* [dim pitch] */
    const double *p;            /* [pitch] reduced */
    const double *flux;         /* [n_faces] out of the owner */
    const double *source;       /* [dim pitch] force per volume; NULL: none */
};

struct energy_args {
    struct geometry g;
    struct energy_flow flow;
    const double *fraction, *inflow_fraction, *cosine;   /* cosine: of curvature.h; NULL: no surface tension */
    const int32_t *band_mark;
    double gravity[3], bottom, tension;
    struct sums sums;
};
KERNEL(sum_energies, struct energy_args)        /* over slices: N_ENERGIES sums */

/* Computes the energies, [N_ENERGIES] on the device. */
void interface_energies(const struct interface *i, const struct energy_flow *flow, double *energies);
#endif
