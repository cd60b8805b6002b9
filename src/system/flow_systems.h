/* flow_systems.h: nonsymmetric linear systems of flow on grids of points or cells, numbered row by row. */
#ifndef POISE_FLOW_SYSTEMS_H
#define POISE_FLOW_SYSTEMS_H
#include "system/linear_system.h"

/* Diffusion and upwind convection at points[0] x points[1] (x points[2]) points inside a unit square (cube) with
 * Dirichlet values: rotation about the middle, in a cube with a vertical wind, with cell Peclet numbers up to 1/4.
 * Without rhs. */
void wind(struct linear_system *s, int dim, const int32_t points[3]);

/* The pressure equation of a semi-implicit scheme for a stratified atmosphere: p_xx + p_yy + p_zz - p_z / H = -f, with
 * the density falling to 1/e in H = 50 layers, upwind, Dirichlet values, f one long wave: half a sine period along each
 * direction. */
void stratified(struct linear_system *s, const int32_t points[3]);

/* The first Newton step of a lid-driven cavity in velocity and vorticity (Ma et al. 2021, section 4.4): n x n points, h
 * = 1 / (n - 1), blocks (u, v, w), five points, times h^2.  In the interior
 *     4 u - sum of neighbours - h/2 (w_N - w_S),  4 v - sum + h/2 (w_E - w_W),  4 w - sum;
 * on boundaries u and v themselves; w + (u_above - u) / h at the bottom, w + (u - u_below) / h at the top, w - (v_right
 * - v) / h left, w - (v - v_left) / h right, the corners belong to left and right.  The stencil's zero blocks are kept.
 * rhs: 1 in the u of the top, without corners. */
void cavity_vorticity(struct linear_system *s, int32_t n);

/* Velocity and pressure of a lid-driven cavity together, blocks (u, v, p): n x n cells in a unit square, the widest
 * `ratio` times the narrowest, which are at the walls; lid velocity and density 1, viscosity 1 / reynolds, one Picard
 * step: upwind with the face fluxes of a vortex that fills the cavity.  Face values p_f and u_f are interpolated
 * linearly between the centres; S: a face's area.
 *     momentum    a_P u_P - sum of a_N u_N + sum of p_f S = 0, at walls p_f = p_P
 *     continuity  sum of u_f.S - D (p_N - p_P) = 0, D = (V / a_P)_f |S| / distance     (Rhie and Chow's compact part)
 * The pressure is determined up to a constant.  rhs: the lid's drag. */
void cavity_coupled(struct linear_system *s, int32_t n, double reynolds, double ratio);
#endif
