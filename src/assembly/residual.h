/* residual.h: residuals as in OpenFOAM: L1, normalised with the spread about the mean of x,
 *   sum |b - A x| / sum (|A x - A xm| + |b - A xm|),  xm: mean of x, the same in every row
 * except that all components of a vector share the largest of their scales, because a component that vanishes (v in a
 * straight channel) would be normalised with its own rounding errors; and that a thousandth of sum |a_P x| (velocity)
 * or of sum |flux| (pressure correction) is added to the scale, because the spread of a uniform field is zero.
 *
 * Separate parts of the mesh have pressures of separate levels: there xm is a level of each part plus the mean of what
 * x exceeds it by.
 *
 * With buoyancy a thousandth of the sum of the weights is the least scale of the velocity's: where the fluid comes to
 * rest, rounding errors would be compared with each other.
 *
 * Those of scalars and temperatures, and of the velocity with a viscosity model, are relative to what the cells
 * exchange with each other and the boundaries,
 *   sum |b - A x| / sum (sum |a_N (x_N - x_P)| + |b - x_P sum A|),
 * which does not depend on the level of x: in kelvin, or with a good conductor beside a poor one, a_P x is many times
 * the flux, and an iteration would count as converged at once; as would fluid of huge viscosity that starts to move.
 * In a row where |b - A x| is no more than the rounding of x itself, 1e-15 |a_P x_P|, it counts as 0, as it does in the
 * pressure's equation: at 1e5 Pa rounding leaves fluxes that no correction of the pressure can change.  Of a scalar it
 * is that of no less than its imposed values: one that is washed out falls to zero for ever.
 *
 * With several materials it is the largest of their own, as a good conductor exchanges thousands of times what a poor
 * one does; each scale is at least 1e-2 of the sum of all, because materials may exchange nothing. */
#ifndef POISE_RESIDUAL_H
#define POISE_RESIDUAL_H
#include "assembly/face_force.h"
#include "assembly/stencil.h"
#include "gpu/sums.h"
#include "solve/solver.h"

/* Residuals of a flow: of the velocity, of a scalar in cells, and the continuity error.  Each has its own sums, so that
 * they can be computed at different points of an iteration and be read together. */
struct residual {
    struct sums sums;
    int dim;
    bool by_exchange;           /* of the velocity: set after residual_create(), as part_level */
    double size;                /* of a scalar: the largest magnitude imposed; set before its residual is made */
    double *part_level;         /* [cells] of the pressure, where the mesh has several parts; owned; else NULL */
    const uint8_t *region;      /* [pitch] with several materials: which of n_regions a cell belongs to; NULL: one */
    int n_regions;
    double motion;              /* by residual_read(): the velocity's scale over the sum of forces; INFINITY without */
};
enum { MOST_REGIONS = 16 };
enum residual_of { OF_VELOCITY, OF_CELLS };
/* region, which outlives it: with n_regions > 0 only a scalar's residual, the largest of theirs, is made. */
void residual_create(struct residual *r, const struct stencil *s, const uint8_t *region, int n_regions);
void residual_free(struct residual *r);

/* Computes one residual.  b_is_rest: b is already b - A x, and x the whole field: for the equation of a correction that
 * starts from zero. */
void residual_make(struct residual *r, enum residual_of which, const struct matrix *a, const double *x,
                   const double *b, bool b_is_rest);
/* The continuity error: sum over cells of |net| over the sum over internal faces of |flux|; 0 if all fluxes are zero.
 * net: [pitch] net flux of each cell (from pressure_rhs()). */
void continuity_make(struct residual *r, const struct stencil *s, const double *flux, const double *net);

/* The sum over cells and their internal faces of |S| times the pressure difference that balances the force at the face:
 * twice the force on the fluid, in all directions. */
void residual_of_forces(struct residual *r, const struct stencil *s, const struct face_force *force);

/* Reads all three, OF_CELLS made with b_is_rest; normalised: [dim + 1], host.  *gross: in: the sum of |flux| for
 * OF_CELLS; out: that of the continuity error.  Returns that error; waits for the device. */
double residual_read(struct residual *r, double *gross, double *normalised);

/* Computes and reads one of them; waits for the device.  gross: the sum of |flux|, with b_is_rest. */
void residual_normalised(struct residual *r, enum residual_of which, const struct matrix *a, const double *x,
                         const double *b, bool b_is_rest, double gross, double *normalised);
/* Stores the sums of continuity_make() in `to`, [2] on the device; then the error from these two, on the host. */
void continuity_finish(struct residual *r, double *to);
double continuity_from(const double *two, double *gross);
double continuity_error(struct residual *r, const struct stencil *s, const double *flux, const double *net,
                        double *gross);
/* The largest magnitude of a vector field u, [dim pitch]; waits for the device. */
double largest_vector(struct residual *r, const struct stencil *s, const double *u);

/* Kernels, private to residual.c and residual.cu. */
#define RESIDUAL_FLOOR 1e-3
#define RESIDUAL_ROUNDING 1e-15
#define FORCE_FLOOR 1e-3
#define REGION_FLOOR 1e-2
struct residual_args {
    struct matrix a;
    int components, b_is_rest;
    int by_exchange;            /* of a scalar, or of a velocity with a viscosity model */
    double size;                /* least magnitude of x whose rounding counts as 0 */
    const double *x, *b;
    const double *part_level;   /* NULL, or [cells]: xm is the mean of x - part_level, plus part_level */
    const uint8_t *region;      /* with n_regions > 0: the two sums of region k are norms + 2 k and norms + 2 k + 1 */
    int n_regions;
    struct sums sums;
    int norms;                  /* sums norms + 2 k and norms + 2 k + 1: residual and scale of component k */
    int means;                  /* sum means + k: sum of x_k */
    int64_t fold;               /* residual_norms() adds up the latter from so many partial sums */
};
KERNEL(residual_sums, struct residual_args)             /* of x */
KERNEL(residual_norms, struct residual_args)            /* the others, after these */

struct continuity_args { struct stencil s; const double *flux, *net; struct sums sums; int64_t first; };
KERNEL(continuity_sums, struct continuity_args)         /* sum first: |net|, first + 1: |flux| */
struct face_sums_args { struct stencil s; struct face_force force; struct sums sums; int64_t number; };
KERNEL(force_sums, struct face_sums_args)
struct largest_args { struct stencil s; const double *u; struct sums sums; };
KERNEL(largest_squares, struct largest_args)            /* number 0: largest |u|^2 */
#endif
