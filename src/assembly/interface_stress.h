/* interface_stress.h: the viscous stress where two fluids of different viscosity meet.
 *
 * Viscosity of faces: a cell counts as the fluid at its centre; between two cells of one fluid a face has that fluid's
 * viscosity, between both fluids that of two layers in series, (d_1 + d_2) / (d_1/mu_1 + d_2/mu_2), d_1, d_2 the
 * distances of the centres from the interface.  The momentum matrix with it is exact for shear along any plane
 * interface of one direction of faces; what it lacks elsewhere is added to rhs.
 *
 * In the cells that are cut or lie at a face between both fluids, n the interface's normal there, the gradient J is
 * weighted with the same viscosities:
 *     N = sum w mu_f d d^T,  J = (sum w mu_f du d^T) N^-1,  N_0 = sum w d d^T,
 * over faces, w = g / 2, at boundaries g.  For a velocity that is linear but for a kink of the shear across the
 * interface it gives the mean stress, whatever the angle between faces and interface.  With
 *     rho = N^-1 N_0 n,  H = 1 / (n.rho)          the viscosity of layers in series
 *     A                                           that of layers side by side, by volume; see viscosity_along()
 *     s, v                                        the parts along the interface of J n and J^T n
 *     a = n.J n,  E = P J (1 - H n rho^T),  P = 1 - n n^T                 the gradient along the interface
 *     S = A (E + E^T - P (a + tr E))
 * the stress, as far as it is not a pressure where div u = 0, is
 *     sigma = H ((s + v) n^T + n (s + v)^T) + A (a - tr E) n n^T + S - H (S rho) n^T.
 * The cell's force on the neighbour through face f, and the opposite one on itself, is
 *     w mu_f (V sigma N^-1 - J) d:
 * the derivative of an energy, that of sigma less what the matrix has of it.  So that nothing is left where both
 * viscosities are equal, the same with the lesser viscosity in all faces is subtracted; in neighbours of these cells,
 * whose rows have the transposed stress mu ((grad u)^T S - S tr(grad u)), too.  In other cells that one vanishes, and
 * what a viscosity that varies leaves of it is that of mu_f - mu_P.  Where one varies, a cell has one of each fluid.
 *
 * The curvature has noise, which moves the thin fluid 2 to 5 times as fast as it did with the viscosity of a mixture.
 * Each cell adds the energy of what du has besides a velocity that is linear but for the kink: the force w e r,
 *     r = du - B psi,  psi = d + n (n.d) (mu_min / mu_f - 1),  B by least squares with the weights w e,
 *     e = 3 mu (1 - 1 / (1 + La^2)),  La = rho |d| (surface tension) / (30 mu^2),
 * mu, rho means by volume of both cells: little where viscosity soon stops what the tension moves.  With 8 mu a carried
 * drop of 48 cells grows waves, at e dt / (rho h^2) of 40 in the thin fluid.
 *
 * All of this is explicit.  It is stable with an excess of viscosity at faces, on both sides of the equation: it acts
 * on differences, and conserves momentum.  From each cell it is 4 w mu_f |N^-1 d| A V sum w mu |N^-1 d| + w e, less a
 * quarter of the inertia.  Twice, not 4 times, bounds the energy of sigma; but with that passes of long steps explode
 * on triangles. */
#ifndef POISE_INTERFACE_STRESS_H
#define POISE_INTERFACE_STRESS_H
#include "assembly/boundary.h"
#include "assembly/mixture.h"
#include "assembly/properties.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"

/* Components of the array `value` of a cell: sum mu_f g / V if it has this stress, else 0; A V sum w mu |N^-1 d|; then
 * N^-1, PACKED, and the tensors V sigma N^-1 - J, and the same for the lesser viscosity; B, n. */
enum { STRESS_FRICTION, STRESS_BOUND, STRESS_INVERSE };
/* Cells with less than this part of the determinant of N_0 / V, which is 1 in regular cells, have none: the neighbours
 * of flat tetrahedra do not give a gradient. */
#define STRESS_FLAT 0.1
#define STRESS_TENSOR(dim) (STRESS_INVERSE + (dim) * ((dim) + 1) / 2)
#define STRESS_LEAST(dim) (STRESS_TENSOR(dim) + (dim) * (dim))
#define STRESS_KINKED(dim) (STRESS_LEAST(dim) + (dim) * (dim))
#define STRESS_NORMAL(dim) (STRESS_KINKED(dim) + (dim) * (dim))
#define STRESS_VALUES(dim) (STRESS_NORMAL(dim) + (dim))

struct interface_stress_args {
    struct stencil s;
    struct matrix a;
    struct properties properties;
    double tension;                     /* the largest surface tension */
    double least;                       /* the lesser viscosity, if both are numbers */
    struct sums fluidity;               /* otherwise its number 0: the largest 1 / viscosity of cells; else all 0 */
    double c;                           /* of struct time_step; infinite: no excess */
    const int32_t *band;                /* cells near the interface */
    const int32_t *cell_face;           /* [most_faces pitch] all faces of a cell, coded as in struct stencil */
    int32_t most_faces;
    const double *normal;               /* [dim pitch] of the interface, 0 where there is none */
    const uint8_t *velocity_rule;       /* of struct boundary */
    const double *u, *boundary;         /* the guess: [dim pitch], [dim n_boundary] */
    const double *grad_u;               /* [dim dim pitch] its gradient, by reconstruct() */
    const double *old, *older;          /* [dim pitch] velocities of the last two steps, with ghosts */
    double ahead;                       /* (time of w - time of `old`) / last step */
    double *value;                      /* [STRESS_VALUES(dim) pitch] */
    double *rhs;
    int repeated;                       /* the matrix has the excess already */
};
KERNEL(largest_fluidity, struct interface_stress_args)          /* over slices */
KERNEL(interface_stress, struct interface_stress_args)          /* over the band; STRESS_FRICTION is 0 before */
/* rhs -= what the momentum equation has of the gradient where d is not along S, for halves of faces in such cells.  It
 * follows from the first guess of a step. */
KERNEL(without_cross_terms, struct interface_stress_args)       /* over slices, after fetching the ghosts of `value` */
KERNEL(add_interface_stress, struct interface_stress_args)      /* over slices, likewise: internal faces, the excess */
KERNEL(add_boundary_stress, struct interface_stress_args)       /* over boundary cells, after it */
#endif
