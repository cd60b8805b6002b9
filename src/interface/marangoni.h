/* marangoni.h: surface tension that depends on the temperature: its force along the interface.
 *
 * Where sigma varies the interface exerts grad_s sigma = d sigma/dT grad_s T on the fluids, per area, along itself,
 * with the slope at the temperature of the interface, a below.
 * grad_s T is that of the least-squares fit
 *     T = a + b.t + (q + r.t) z / k(z)
 * to the near cells, t along the interface, z the signed distance from it and k the conductivity of the fluid there, at
 * the temperature of the cell where it varies: so
 * the temperature and the heat flux across the interface are continuous, and both vary along it.
 *
 * The interface is cut into pieces by the faces f between cells on both sides of it: a piece has the area S_f.n and
 * lies between the centres of the cells, at the distances d_1 and d_2 from them, in the fluids of viscosities mu_1 and
 * mu_2.  Its force acts on both cells, in proportion to the resistances of the other sides:
 *     on cell 1 the part (d_2/mu_2) / (d_1/mu_1 + d_2/mu_2).
 * With the viscosity of two layers at the face (assembly/mixture.h) a shear flow along a plane interface is then exact,
 * wherever that is in the cells. */
#ifndef POISE_INTERFACE_MARANGONI_H
#define POISE_INTERFACE_MARANGONI_H
#include "assembly/mixture.h"
#include "assembly/properties.h"
#include "interface/geometry.h"

struct interface;

/* Of a face between two cells, by interpolation. */
ON_DEVICE double face_tension(const struct tension *a, const struct stencil *s, int64_t f)
{
    return a->temperature ? tension_at(a, face_value(s, a->temperature, 0, f)) : a->value;
}

/* The law with i->temperature; constant without the case's slope. */
struct tension interface_tension(const struct interface *i);
/* Computes i->pull from the current facets and i->temperature, whose ghosts it fetches; nothing with a constant
 * tension. */
void marangoni_make(struct interface *i);

/* Kernels, private to marangoni.c and marangoni.cu. */
struct marangoni_args {
    struct geometry g;
    struct tension tension;
    const int32_t *band;
    const double *normal, *distance;
    double viscosity[2];
    const double *viscosity_faces;      /* [2 n_faces] of each fluid, or NULL: these numbers */
    struct fluid_value conductivity[2];         /* 1 each if all is the same */
    double *gradient;           /* [dim pitch] of the tension, along the interface; in the band */
    double *pull;               /* [dim pitch] out: force on each cell */
};
KERNEL(marangoni_gradient, struct marangoni_args)       /* over the band */
KERNEL(marangoni_cells, struct marangoni_args)          /* over the band, after fetching ghosts of the gradient: pull */
#endif
