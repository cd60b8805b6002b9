/* mixture.h: mixtures of two fluids: density, viscosity at faces, momentum history, pressure at outlets. */
#ifndef POISE_MIXTURE_H
#define POISE_MIXTURE_H
#include "assembly/boundary.h"
#include "assembly/field_table.h"
#include "assembly/properties.h"
#include "assembly/stencil.h"

/* Fractions of less than a wisp, or up to one of full, count as empty or full. */
#define WISP 1e-8
#define IS_CUT(fraction) ((fraction) > WISP && (fraction) < 1 - WISP)

/* Density and viscosity of two fluids. */
struct mixture_args {
    struct stencil s;
    struct properties properties;       /* in: fraction; out: the other arrays */
    double weight;                      /* of the old fraction in the density: theta, see flow/two_fluids.c */
    const double *fraction_old;         /* [pitch] */
};
KERNEL(mixture_density, struct mixture_args)            /* over n_padded */
KERNEL(mixture_viscosity, struct mixture_args)          /* over all faces: interface_stress.h */
/* A property of one of the fluids: a number, or by a law of a field, or given in cells. */
struct fluid_value {
    double number;
    struct field_table law;             /* without `cubic`: none */
    const double *cells;                /* [pitch], or NULL */
};
/* In a cell with the value x of the field. */
ON_DEVICE double fluid_value_in(const struct fluid_value *v, int64_t cell, double x)
{
    return v->law.cubic ? field_table_at(&v->law, x) : v->cells ? v->cells[cell] : v->number;
}
/* A conductivity or diffusivity at faces: cos^2 of the angle between d
 * and the normal times that of two layers,
 *     (d_1 + d_2) / (d_1 / value_1 + d_2 / value_2),
 * d_1 and d_2 the distances of the cells' centres from the interface between them, and sin^2 times that of the
 * interpolated fraction, which is also that at boundaries.  So layers conduct exactly, across and along, wherever a
 * plane interface parallel to faces is.
 *     One that depends on a field has its means over the field's values at both ends of the layer (diffusivity.h), with
 * the value between the fluids at which both layers conduct the same. */
struct two_layers {
    double across;              /* this cos^2; 0 in one fluid without an interface near */
    double mine, theirs;        /* distances of the owner's and the neighbour's centre, or in proportion to them */
    int first, other;           /* the fluid there, 0 or 1 */
};
/* Without a normal the face itself is the interface, if it is between both fluids. */
ON_DEVICE struct two_layers two_layers_at(const struct stencil *s, const double *distance, const double *normal,
                                          int64_t f)
{
    int32_t P = s->owner[f], N = f < s->n_internal ? s->neighbour[f] : P;
    double weight = f < s->n_internal ? s->weight[f] : 1, along = 0, nn = 0, dd = 0;
    struct two_layers l = {1, distance[P], distance[N], distance[P] < 0, distance[N] < 0};
    for (int k = 0; k < s->dim; k++) {
        double n = CELL_VALUE(*s, normal, k, P) + CELL_VALUE(*s, normal, k, N), d = FACE_VECTOR(*s, d, k, f);
        along = fma(n, d, along), nn = fma(n, n, nn), dd = fma(d, d, dd);
    }
    if (nn > 0) l.across = along * along / (nn * dd);
    else if (l.first == l.other) l.across = 0;
    else l.mine = 1 - weight, l.theirs = weight;
    l.mine = fabs(l.mine), l.theirs = fabs(l.theirs);
    return l;
}
/* A viscosity at face f from those of both fluids there: see interface_stress.h. */
ON_DEVICE double viscosity_of_layers(const struct stencil *s, const double *distance, const double of[2], int64_t f)
{
    double x = distance[s->owner[f]], y = f < s->n_internal ? distance[s->neighbour[f]] : x;
    int first = x < 0, other = y < 0;
    x = fabs(x), y = fabs(y);
    return first == other ? of[first] : (x + y) / (x / of[first] + y / of[other]);
}
struct layers_args {
    struct stencil s;
    struct fluid_value value[2];        /* of both fluids */
    const double *x, *x_boundary;       /* [pitch], [n_boundary] the field, where one depends on it; else NULL */
    const double *fraction;             /* [pitch] */
    const double *distance;             /* [pitch] signed distance from the interface, negative in the second fluid */
    const double *normal;               /* [dim pitch] of the interface; 0: none near */
    double *faces;                      /* [n_faces] out */
};
KERNEL(layers_at_faces, struct layers_args)             /* over all faces */
/* Heat capacity of a mixture: 1 + (ratio - 1) fraction, over that of the first fluid. */
struct capacity_args { double ratio; const double *fraction; double *capacity; };
KERNEL(mixture_capacity, struct capacity_args)          /* over n_padded */
/* BDF2: mass that entered a cell in the last step has no older velocity there; the stored one is that of the fluid
 * which it displaced.  Extrapolating with it would accelerate a drop smaller than a cell in every cell that it enters.
 * So u^n - u^(n-1) is weighted with the share of mass that was there before, rho^(n-1) / rho^n if below 1.  The rest is
 * the mean over the neighbours, weighted with the mass m that each contained at both times: sum m (u^n - u^(n-1)) /
 * max(sum m, rho^n), which vanishes where all of them are light.  `older` and the older flux are changed by the
 * difference. */
struct history_args {
    struct stencil s;
    double density[2];
    const double *fraction, *fraction_old;      /* [pitch] of `old` and of `older` */
    const double *old;                  /* [dim pitch] u^n */
    double *older;                      /* [dim pitch] u^(n-1) */
    double *removed;                    /* [dim pitch] out: change of `older` */
    double *flux_older;                 /* [n_faces] */
};
KERNEL(mixture_history, struct history_args)            /* over n_cells */
KERNEL(mixture_face_history, struct history_args)       /* over all faces, after fetching the ghosts of `removed` */
KERNEL(mixture_older, struct history_args)              /* over n_cells */
/* Outside an outlet the first fluid is at rest; the reduced pressure (interface/forces.h) there is
 *     given - (rho_2 - rho_1) fraction (gravity . x - bottom) */
struct outlet_pressure_args {
    struct stencil s;
    struct boundary b;                  /* out: pressure at outlets */
    double density_step, gravity[3], bottom;
    const double *given;                /* [n_boundary] */
    const double *fraction, *centre;    /* [pitch]; [dim pitch] of the cells */
};
KERNEL(outlet_pressure, struct outlet_pressure_args)    /* over boundary faces */
#endif
