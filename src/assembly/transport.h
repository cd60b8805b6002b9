/* transport.h: assembles the transport equation of a field x of 1 to 3 components, one matrix for all components:
 *
 *   time + sum_f F (x_f - x_P) - sum_f D (grad x)_f . S = (source - sink x - grad p) V
 *   F: density times the flux through the face, out of the cell
 *
 * For the velocity F is a mass flux, D the viscosity and p the pressure.  For a scalar F is a volume flux, D its
 * diffusivity, and there is no p.
 *
 * Convection: upwind in the matrix, the rest of the scheme is deferred to the right-hand side (Khosla & Rubin 1974).
 * Subtracting x_P sum F, which is zero at convergence, keeps the diagonal dominant while the flux is not yet
 * divergence-free. Diffusion: D g (x_N - x_P) in the matrix, with the over-relaxed g of stencil.h (Jasak 1996);
 * `deferred`, computed from gradients by the caller, on the right-hand side.
 * Sink: implicit.  In cells with a given value the equation is x = that value.
 * The matrix is relaxed implicitly (Patankar 1980): a_P / alpha on the left, + (1 - alpha) / alpha a_P x on the right.
 * Time terms are added after that, by transport_time(). */
#ifndef POISE_TRANSPORT_H
#define POISE_TRANSPORT_H
#include "assembly/boundary_kinds.h"
#include "assembly/scheme_setting.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"

/* A field at boundary faces.  An array may be NULL if no face has its rule. */
struct face_values {
    const uint8_t *rule;        /* [n_boundary] enum face_rule */
    const double *value;        /* [components n_boundary] RULE_VALUE: the given value */
    /* [components n_boundary] RULE_VALUE: int grad x . dS - g (x_f - x_P); RULE_MIXED: 1 - a times that; NULL: 0 */
    const double *wall;
    const double *wall_own;     /* [n_boundary] >= 0: the part -wall_own x_P of `wall` is implicit; NULL: 0 */
    /* [components n_boundary] RULE_GRADIENT: D grad x . S, inflow by diffusion; NULL: 0 */
    const double *through;
    const double *beyond;       /* likewise: x_f - x_P in convection; NULL: 0 */
    const double *entering;     /* likewise: x_f of inflow where `entered` is 1; NULL: as for outflow */
    const uint8_t *entered;     /* [n_boundary] */
    const double *mixed;        /* [2 n_boundary] RULE_MIXED, one component: all a, then all b, of x_f = a x_P + b */
};

struct transport {
    struct stencil s;
    struct matrix a;            /* out */
    int64_t components;         /* 1, or dim: a vector, to which RULE_SLIP may apply */
    struct face_values boundary;
    double diffusivity, relaxation;
    const double *diffusivity_faces;    /* [n_faces] instead of diffusivity; or NULL */
    const double *x;            /* [components pitch] */
    int capped;                 /* 1: the correction of van Leer is at most that of central, on irregular meshes */
    const double *convected;    /* [components pitch] x for the scheme's correction to upwind; NULL: x */
    const double *gradient;     /* [components dim pitch] of that; NULL where transport_needs_gradient() is false */
    const double *deferred;     /* [components n_internal] explicit diffusion on the owner's side; NULL: none */
    double density;             /* F is density times `flux`; 1: `flux` is F itself */
    const double *flux;         /* [n_faces] out of the owner */
    const double *source;       /* [components pitch] per volume, or NULL */
    const double *sink;         /* [pitch] per volume, >= 0, or NULL */
    const uint8_t *fixed;       /* [pitch] 1: x is given in this cell, and does not change; or NULL */
    const double *grad_p;       /* [components pitch], or NULL */
    double *rhs;                /* [components pitch] out */
    double *boundary_part;      /* [n_boundary_cells] out: contributions of boundary faces to the diagonal, before
                                   relaxation; or NULL */
};

KERNEL(transport_fix, struct transport)                 /* over slices: rows of fixed cells, after all other terms */
bool transport_needs_gradient(const struct stencil *s, enum convection scheme);
void transport_assemble(const struct transport *t, enum convection scheme);

/* Time: the unknown is x at the time where the equation holds, and
 *     capacity (c x - h) V = ...,   h = h1 x^n + h2 x^(n-1)
 *     Euler:           x = x^(n+1), c = h1 = 1 / dt
 *     Crank-Nicolson:  x = part x^(n+1) + (1 - part) x^n, c = h1 = 1 / (part dt); part = 1/2: the midpoint rule
 *     BDF2:            x = x^(n+1), c = (1 + 2 r) / (1 + r) / dt, h1 = (1 + r) / dt, h2 = -r^2 / (1 + r) / dt,
 *                      r = dt / dt_old */
struct time_step {
    double c, h1, h2;
    const double *old, *older;                  /* [components pitch] x^n, x^(n-1) */
    const double *flux_old, *flux_older;        /* [n_faces] old fluxes of the flow: see time_step.h */
};
struct transport_time_args {
    struct stencil s;
    struct matrix a;
    int64_t components;
    struct time_step t;
    double capacity;
    const double *capacity_cells;       /* [pitch] instead of it, or NULL */
    const uint8_t *fixed;               /* of struct transport */
    double *rhs;
};
KERNEL(transport_time, struct transport_time_args)      /* over n_cells, after transport_assemble() */
/* What time adds to the residual: capacity c V (x - old). */
struct transport_change_args {
    struct stencil s;
    int components;
    double c, capacity;
    const double *capacity_cells;       /* [pitch] instead of `capacity`, or NULL */
    const double *x, *old;              /* [components pitch] */
    struct sums sums;
    int first;                          /* the sum of the squares of component k is number first + k */
};
KERNEL(transport_change, struct transport_change_args)  /* over slices */
/* The largest 2-norm of it of a component; waits for the device. */
double transport_change_norm(struct transport_change_args *a);
/* For kernel bodies: h of component k in cell c. */
ON_DEVICE double cell_history(const struct stencil *s, const struct time_step *t, int k, int64_t c)
{
    double h = t->h1 * CELL_VALUE(*s, t->old, k, c);
    return t->h2 != 0 ? fma(t->h2, CELL_VALUE(*s, t->older, k, c), h) : h;
}

/* Bounds of a scalar: numbers, or, if `size` is not NULL, [3] on the device: size, size + the highest, size - the
 * lowest (scalar_step.h).  sides: those that it keeps; without a side it may be anything there. */
enum { KEEPS_LOWEST = 1, KEEPS_HIGHEST = 2, KEEPS_BOTH = 3 };
struct bounds { double lowest, highest; const double *size; int sides; };
ON_DEVICE double highest_of(const struct bounds *b)
{
    return !(b->sides & KEEPS_HIGHEST) ? INFINITY : b->size ? b->size[1] - b->size[0] : b->highest;
}
ON_DEVICE double lowest_of(const struct bounds *b)
{
    return !(b->sides & KEEPS_LOWEST) ? -INFINITY : b->size ? b->size[0] - b->size[2] : b->lowest;
}
/* The share of a correction `wanted` > 0 that fits into `room`: y - 4/27 y^3 with y = room / wanted; 1 from 3/2 on. */
ON_DEVICE double part_kept(double room, double wanted)
{
    double y = room / wanted;
    if (room < 0) return 0;
    return 1.5 * wanted > room ? y * (1 - 4.0 / 27 * y * y) : 1.0;
}

/* Fluxes at faces of a scalar x, linear in every cell, that are not in the matrix.  correction, into the owner: the
 * scheme's correction to upwind convection, and diffusion minus D g (x_N - x_P). */
struct transport_faces_args {
    struct stencil s;
    struct face_values boundary;
    enum convection scheme;
    double diffusivity;
    const double *diffusivity_faces;    /* [n_faces] instead of it, or NULL */
    const double *x;
    double *gradient;           /* out of slope_boundary (slope.h), else in */
    const double *smooth;       /* the gradient for convection; NULL: the same */
    const double *flux;         /* [n_faces]; NULL: without convection */
    double *correction;         /* [n_faces] out: internal faces; transport_through: boundary faces */
    int within;                 /* `wall` is limited so that x stays within: */
    struct bounds bounds;
    double *value, *wall;       /* [n_boundary] out: x at boundary faces where it is not given; `wall` of face_values */
};
KERNEL(transport_correction, struct transport_faces_args)       /* over internal faces */
KERNEL(transport_boundary, struct transport_faces_args) /* over boundary faces: value and wall; gradient NULL: 0 */
/* Inflow through a boundary face, as in the equation: by diffusion and, if `flux` is given, by convection. */
KERNEL(transport_through, struct transport_faces_args)  /* over boundary faces: correction; after transport_boundary */

/* Kernels, private to transport.c and transport.cu. */
#define DECLARE_TRANSPORT(name, kernel, word, gradient) KERNEL(transport_##kernel, struct transport)
CONVECTION_SCHEMES(DECLARE_TRANSPORT)                   /* over slices: internal faces */
KERNEL(transport_boundary_cells, struct transport)      /* over boundary cells, after one of them */
#endif
