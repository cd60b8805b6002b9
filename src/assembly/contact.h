/* contact.h: conduction through faces where two materials touch, of which at least one is solid.
 *
 * The field x has a kink there, and a jump if the contact resists.  From the values on the two sides of the face,
 *     flux into the owner = a_P (x_fP - x_P) + D_P grad x_P . t_P      a = D |S|^2 / (S . r), from the cell to the face
 *                         = |S| / R (x_fN - x_fP) = - the same of the neighbour,
 * with r from the cell's centre to the face's, and t = r - S (S . r) / |S|^2 in a S . r / |S|^2, follows one number
 *     flux into the owner = c (x_N - x_P + grad x_N . t_N - grad x_P . t_P),   1 / c = 1 / a_P + 1 / a_N + R / |S|
 * exact for a field that is linear on both sides, on every mesh.  Gradients in cells with such faces are fitted to the
 * values on their own side of them.
 *
 * Where the flux's correction is limited (limiter.h), the share R that a cell allows varies as fast as the cell's own
 * conductance times x, in the better conductor c times the ratio of conductivities.  Limited by that R the flux would
 * depend on tiny differences within the better conductor more than on x_N - x_P, and x would not converge.  So a cell
 * takes part in the limit by min(1, 50 c / a): fully up to a ratio of 50, half of that at which the lagged
 * correction's gain is 0.9 (it grows with the ratio), and hardly in a far better conductor, where the correction can do
 * little harm.  Where solids limit, too, they do so only where x would leave its bounds, and fully.
 *
 * In a rank's part of a mesh contacts are those of its own cells; the values on both sides are computed on the ranks of
 * both cells, and have the same bits. */
#ifndef POISE_CONTACT_H
#define POISE_CONTACT_H
#include "assembly/transport.h"

struct contacts {
    int32_t n, n_cells;         /* faces; own cells that have some */
    int32_t first_solid;        /* cells of solids are those from here on */
    const int32_t *face;        /* [n] active faces, mesh_is_contact() */
    const double *resistance;   /* [n] R: area and difference of x over flux */
    const uint8_t *solid;       /* [n] 1: the owner is solid, 2: the neighbour, 3: both */
    const double *conductivity; /* [pitch] D in cells; belongs to the caller, who sets it */
    double *side;               /* [2 n] x on the owner's sides, then on the neighbours': state */
    /* The cells' faces: f + 1, or -(f + 1) if the cell is the neighbour, and for a contact the place in `side`, else
     * -1. */
    const int32_t *cell, *start;        /* [n_cells], [n_cells + 1] */
    const int32_t *code, *place;        /* [start[n_cells]] */
};

/* m: with solids, of the stencil s; resistance: [m->n_regions] of solids, for each side; added where two touch. */
void contacts_create(struct contacts *k, const struct stencil *s, const struct mesh *m, const double *resistance);
void contacts_free(struct contacts *k);

struct contact_args {
    struct stencil s;
    struct contacts k;
    double *diffusivity_faces;  /* [n_faces] D of faces as in transport.h: out in contact_conductance(), then in */
    const double *x;            /* [pitch] */
    struct face_values at;      /* of boundary faces */
    double *gradient;           /* [dim pitch] in: of other cells, out: of those with contacts; then in; NULL: 0 */
    double *flux;               /* [contacts] out: into the owner */
    double *smooth;             /* [dim pitch] out, of contact_mean */
    double *correction;         /* [n_faces] out: at contacts, into the owner: the flux without c (x_N - x_P) */
    const double *plus, *minus; /* [pitch] R+ and R- of limiter.h */
    int solids_limit;           /* solids take part in the limit fully */
};
/* They read x, conductivity and gradient, or plus and minus, of both cells. */
KERNEL(contact_conductance, struct contact_args)        /* over contacts: diffusivity_faces = c / g */
KERNEL(contact_gradient, struct contact_args)           /* over cells with contacts: gradient, from side (slope.h) */
/* Over cells with contacts: smooth = the mean of the gradients of the cell and of neighbours of the same material. */
KERNEL(contact_mean, struct contact_args)
KERNEL(contact_sides, struct contact_args)              /* over contacts: side, from the present gradient */
KERNEL(contact_correction, struct contact_args)         /* over contacts: correction */
KERNEL(contact_limit, struct contact_args)              /* over contacts, after it: limits correction */
KERNEL(contact_flux, struct contact_args)               /* over contacts: flux */

/* Removes the relaxation of an assembled equation in solids.  They have no convection that would need it, and where
 * they conduct much better than the fluid, it would let them follow the fluid's temperature only slowly. */
struct solid_rows_args { int32_t first; struct matrix a; double relaxation; const double *x; double *rhs; };
KERNEL(solid_unrelax, struct solid_rows_args)           /* over cells of solids */
#endif
