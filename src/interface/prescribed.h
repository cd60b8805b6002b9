/* prescribed.h: velocities given as formulas, to advect an interface without solving for the flow (algorithm
 * "advection").
 *
 * vortex       2-D  psi = sin^2(pi x) sin^2(pi y) / pi, u = -dpsi/dy, v = dpsi/dx; times cos(pi t / period)
 *                   (Rider & Kothe 1998, J. Comput. Phys. 141, 112)
 * rotation     2-D, 3-D  (y - 1/2, 1/2 - x, 0) 2 pi / period: one turn about (1/2, 1/2) in a period, never reversed
 * shear        3-D  u = 2 sin^2(pi x) sin(2 pi y) sin(2 pi z), v = -sin(2 pi x) sin^2(pi y) sin(2 pi z),
 *                   w = -sin(2 pi x) sin(2 pi y) sin^2(pi z); times cos(pi t / period)
 *                   (LeVeque 1996, SIAM J. Numer. Anal. 33, 627)
 * deformation  3-D  u = sin^2(pi x) sin(2 pi y), v = -sin(2 pi x) sin^2(pi y), w = (1 - 2 r)^2, r the distance from
 *                   the axis (1/2, 1/2); times cos(pi t / period)   (Liovic et al. 2006, Comput. Fluids 35, 1011)
 *
 * The flux through a face is the integral of the vector potential along its edges (2-D: the difference of the stream
 * function at its ends).  An edge contributes the same number to all its faces, so the fluxes out of a cell sum to
 * zero, up to rounding, on every mesh.  Without a period (0) the velocity is steady. */
#ifndef POISE_PRESCRIBED_H
#define POISE_PRESCRIBED_H
#include "assembly/stencil.h"
#include "base/error.h"
#include "interface/interface_setting.h"
#include "mesh/mesh.h"

struct prescribed {
    enum prescribed_field field;
    double period;
    int64_t n_u, n_faces, n_boundary;              /* numbers of each: dim pitch, n_faces, dim n_boundary */
    double *u, *flux, *boundary;                        /* at t = 0, on the device */
};

/* Rejects a field of the other dimension, and a rotation without period. */
bool prescribed_check(const struct prescribed_setting *c, int dim, struct error *e);
/* From checked settings. */
bool prescribed_create(struct prescribed *p, const struct prescribed_setting *c, const struct mesh *m,
                       const struct stencil *s, struct error *e);
/* At time t: u [dim pitch] at the cells' centres, volume flux [n_faces], boundary_velocity [dim n_boundary] at
 * the boundary faces' centres; u and boundary_velocity may be NULL.  Arrays on the device. */
void prescribed_set(const struct prescribed *p, double t, double *u, double *flux, double *boundary_velocity);
void prescribed_free(struct prescribed *p);

/* The formulas at t = 0, on the host, for tests: velocity, and its vector potential (in 2-D only its third component is
 * used). */
void prescribed_velocity(enum prescribed_field field, double period, const double x[3], double u[3]);
void prescribed_potential(enum prescribed_field field, double period, const double x[3], double a[3]);
#endif
