/* reconstruction.h: reconstruction of the velocity inside cells, exact for quadratic fields: gradients and second
 * derivatives of every cell, and their corrections to the flux and to the viscous force at faces.  Errors of O(h^2) in
 * either, whose sign changes from cell to cell, would cause ripples of O(h) in the pressure, which would be first-order
 * accurate (docs/explanation/numerics.md, "Reconstruction").
 *
 *     q_P(x) = u_P + g . y + y H y / 2,   y = x - x_P
 *
 * Most cells use successive corrections (k-exact reconstruction in passes over face neighbours: Haider, Brenner,
 * Courbet & Croisille 2011), which need a small matrix per cell and no list of neighbours on any mesh:
 *     a   least-squares gradient over face neighbours; in simplices, where it is noisy, its mean with the neighbours'
 *     H = M (symmetric part of sum w d (a_N - a_P)),  w = 1/|d|^2:  M makes it exact
 *     g = a - E : H:  E is the error of a for a quadratic
 * Fitted cells, i.e. those at boundaries and those with a large noise amplification in M, use one least-squares fit
 * over two to four layers of neighbours and the given values at walls and inlets, in steep cells (mesh_steep()) also
 * the condition at their slip faces; layers are added until the noise amplification of the second derivatives is small.
 * If four are not enough the fit is regularised, and `n_limited` counts the cell.
 *
 * Without second derivatives (accuracy "standard", and on meshes that are orthogonal and not skewed) g is a, H is 0:
 * exact for linear velocities.  The shear at walls always comes from a fit. */
#ifndef POISE_RECONSTRUCTION_H
#define POISE_RECONSTRUCTION_H
#include "assembly/boundary.h"
#include "assembly/stencil.h"
#include "assembly/scheme_setting.h"

struct mesh;

/* Numbers of cells or faces, component-major, in 16 bits with a scale for each cell or face: the relative error of 2e-5
 * is negligible in a correction. */
struct short_numbers { const int16_t *value; const float *scale; };

/* Rows over cells and over boundary faces with a given velocity or slip.  Entry e of row i over cells:
 * start[2 (i / WARP)] + e WARP + i % WARP; over faces: from start[2 (i / WARP) + 1] on.  Padding has coefficients 0. */
struct fits {
    int32_t n;
    const int32_t *row;         /* [n] the row's cell or boundary face */
    const int64_t *start;       /* [2 n / WARP + 3] */
    const int32_t *column;      /* [n_entries] a cell, or a boundary face */
    int64_t n_entries;
};

struct reconstruction {
    struct stencil s;
    struct boundary b;
    int n_second;               /* number of second derivatives of a component, in the order of PACKED(): 3 or 6 */
    int regular;                /* the mesh is orthogonal and not skewed: members marked (*) below are NULL */
    int quadratic;              /* second derivatives are used: else members marked (2) are NULL; 0 on regular meshes */
    int averaged;               /* some cell uses the mean with its neighbours */
    int32_t n_limited;          /* cells of all ranks whose second derivatives are regularised */
    /* geometry */
    const float *own;           /* (*) [pitch] self weight in a; the neighbours share the rest equally */
    struct short_numbers error; /* (2) [dim n_second pitch] E: component k for derivative j at [k * n_second + j] */
    struct short_numbers matrix;        /* (2) [n_second n_second pitch] M, row by row */
    struct short_numbers moment;        /* (2) [n_second n_faces] mean of y_j y_k over the face, y from its centre */
    struct fits list;           /* (2) the fitted cells */
    const double *slope;        /* (2) [dim list.n_entries] g = sum over entries of slope (u_column - u_P) */
    const float *bow;           /* (2) [n_second list.n_entries] H = the same sum with bow */
    struct fits walls;          /* boundary faces where the velocity is given */
    const double *shear;        /* [walls.n_entries] `wall` = the same sum with shear */
    /* results */
    double *mean;               /* (*) [dim dim pitch] a, or the gradients before averaging; in `work` */
    float *listed_second;       /* (2) [dim n_second list.n] H of the fitted cells, before it is copied to `second` */
    float *second;              /* (2) [dim n_second pitch] H: of component i at [i * n_second + j]; in `work` */
    double *through;            /* (*) [n_faces] int u . dS - interp(u) . S; at outlets minus u_P . S, at other boundary
                                   faces 0 */
    double *outlet;             /* (*) [dim n_boundary] velocity at the centre of an outlet's face minus u_P */
    double *deferred;           /* (*) [dim n_internal] explicit force on the owner's side, see below */
    double *wall;               /* [dim n_boundary] int grad u . dS - g (u_b - u_P) at walls and inlets, else 0 */
    const double *wall_own;     /* [n_boundary] >= 0: for flat cells: the part -wall_own u_P of `wall` is implicit */
};

/* work: [reconstruction_work() pitch] on the device.  It contains a and H between reconstruct() and
 * reconstruct_at_faces(), and may be used for other purposes between the latter and the next reconstruct(). */
int reconstruction_work(const struct stencil *s, enum accuracy accuracy);
void reconstruction_create(struct reconstruction *r, const struct stencil *s, const struct boundary *b,
                           const struct mesh *m, enum accuracy accuracy, double *work);
void reconstruction_free(struct reconstruction *r);

/* Definition of `deferred`: viscosity (int grad u . dS - g (u_N - u_P)) - density (int u u . dS - u_f int u . dS). */
struct reconstruction_fluid {
    double viscosity, density;  /* density 0: without the second part */
    const double *viscosity_faces;      /* [n_faces] for a mixture, or NULL */
};

/* The cells' part, for velocity u and its values at boundaries: computes H and wall.  gradient: [dim dim pitch] out, g;
 * on regular meshes it may be NULL if not needed. */
void reconstruct(struct reconstruction *r, const double *u, double *gradient);
/* The faces' part, after it and with its gradient: computes through and, unless fluid is NULL, deferred.  Does
 * nothing on regular meshes. */
void reconstruct_at_faces(struct reconstruction *r, const double *u, const double *gradient,
                          const struct reconstruction_fluid *fluid);

/* Only the velocity at outlets, after reconstruct() and with its gradient, into `outlet` [dim n_boundary]; overwrites
 * `through` there.  Does nothing on regular meshes. */
void reconstruct_at_outlets(const struct reconstruction *r, const double *u, const double *gradient, double *outlet);

/* Kernels, private to reconstruction.c and reconstruction.cu. */
struct reconstruction_args {
    struct reconstruction r;
    struct reconstruction_fluid fluid;
    const double *u;
    double *plain;              /* [dim dim pitch] least-squares gradients */
    double *averaged;           /* [dim dim pitch] a */
    double *gradient;           /* [dim dim pitch] g */
};
KERNEL(reconstruct_walls, struct reconstruction_args)   /* over warps of r.walls: wall */
KERNEL(reconstruct_listed, struct reconstruction_args)  /* over warps of r.list: g into plain, and listed_second */
/* over slices: averaged -> H and gradient; H is 0 in fitted cells */
KERNEL(reconstruct_second, struct reconstruction_args)
KERNEL(reconstruct_listed_second, struct reconstruction_args)   /* over r.list, after it: their H */
/* Over internal faces: through; forces: deferred too.  bent: s.bend is not NULL; linear: without second derivatives. */
KERNEL(faces_2d_flux, struct reconstruction_args)
KERNEL(faces_2d_forces, struct reconstruction_args)
KERNEL(faces_3d_flux, struct reconstruction_args)
KERNEL(faces_3d_forces, struct reconstruction_args)
KERNEL(faces_bent_flux, struct reconstruction_args)
KERNEL(faces_bent_forces, struct reconstruction_args)
KERNEL(linear_2d_flux, struct reconstruction_args)
KERNEL(linear_2d_forces, struct reconstruction_args)
KERNEL(linear_3d_flux, struct reconstruction_args)
KERNEL(linear_3d_forces, struct reconstruction_args)
KERNEL(linear_bent_flux, struct reconstruction_args)
KERNEL(linear_bent_forces, struct reconstruction_args)
KERNEL(reconstruct_outlets, struct reconstruction_args) /* over boundary faces: through and outlet */
KERNEL(limit_through, struct reconstruction_args)       /* over internal faces, after these, if there are slivers */
#endif
