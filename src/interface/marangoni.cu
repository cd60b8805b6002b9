/* Kernels of the force along an interface whose surface tension varies (marangoni.h). */
#include "interface/marangoni.h"
#include "interface/curvature_fit.h"

/* The equation of a cell at x from cell c, at the signed distance z. */
ON_DEVICE void add_temperature(struct fit *fit, const double conductivity[2], double weight, const double *x,
                               double z, double temperature, const int dim)
{
    double slope = fit->scale * z / conductivity[z < 0], row[FIT_TERMS] = {1, 0, 0, 0, 0, 0};
    for (int k = 1; k < dim; k++) {
        row[k] = fit->scale * fit_dot(fit->axis[k - 1], x, dim);
        row[dim + k] = slope * row[k];
    }
    row[dim] = slope;
    fit_equation(fit, weight, row, temperature, 2 * dim);
}

/* The gradient of the temperature along the interface, and the temperature there, by fewer terms where there are too
 * few cells; 0: not determined. */
ON_DEVICE int surface_gradient(const struct marangoni_args *a, int32_t c, const double *n, double distance,
                               double *gradient, double *there, const int dim)
{
    const struct geometry *g = &a->g;
    const double none[3] = {0, 0, 0}, *T = a->tension.temperature;
    double square = near_mean_square(g, c, dim), x[3], m[FIT_PACKED], terms[FIT_TERMS] = {0, 0, 0, 0, 0, 0};
    const double conductivity[2] = {fluid_value_in(&a->conductivity[0], c, T[c]),
                                    fluid_value_in(&a->conductivity[1], c, T[c])};
    struct fit fit;
    int solved = 0;
    if (!(square > 0)) return 0;
    fit_clear(&fit);
    fit_frame(&fit, n, sqrt(square), dim);
    add_temperature(&fit, conductivity, 1, none, distance, 0, dim);
    for (int64_t k = g->near_start[c]; k < g->near_start[c + 1]; k++) {
        near_offset(g, c, k, x);
        double weight = square / (square + fit_dot(x, x, dim));
        add_temperature(&fit, conductivity, weight, x, distance + fit_dot(n, x, dim), T[g->near[k]] - T[c], dim);
    }
    for (int n_terms = 2 * dim; !solved && n_terms >= dim; n_terms -= n_terms == 2 * dim ? dim - 1 : 1) {
        for (int k = 0; k < FIT_PACKED; k++) m[k] = fit.m[k];
        solved = fit_solve(m, fit.b, terms, 1e-6, n_terms);
    }
    if (solved) *there = T[c] + terms[0];
    for (int k = 0; k < dim && solved; k++) {
        gradient[k] = terms[1] * fit.axis[0][k];
        if (dim == 3) gradient[k] = fma(terms[2], fit.axis[1][k], gradient[k]);
        gradient[k] *= fit.scale;
    }
    return solved;
}

/* The face `code` of cell c is between both fluids: the cell beyond it, else -1. */
ON_DEVICE int32_t beyond_interface(const struct marangoni_args *a, int32_t c, int32_t code)
{
    const struct stencil *s = &a->g.s;
    int32_t f = FACE_OF(code);
    if (code == 0 || f >= s->n_internal) return -1;
    int32_t other = code > 0 ? s->neighbour[f] : s->owner[f];
    return (a->distance[c] < 0) != (a->distance[other] < 0) ? other : -1;
}

/* The cell's unit normal and distance; those of its face where the interface is a face of the mesh without a facet
 * near. */
ON_DEVICE int plane_of_cell(const struct marangoni_args *a, int32_t c, double n[3], double *distance, const int dim)
{
    const struct stencil *s = &a->g.s;
    double r[3] = {0, 0, 0};
    for (int k = 0; k < dim; k++) n[k] = CELL_VALUE(*s, a->normal, k, c);
    *distance = a->distance[c];
    double length = sqrt(fit_dot(n, n, dim)), out = *distance < 0 ? 1 : -1;
    for (int l = 0; l < a->g.most_faces && !(length > 0); l++) {
        int32_t code = CELL_VALUE(*s, a->g.cell_face, l, c), f = FACE_OF(code);
        if (beyond_interface(a, c, code) < 0) continue;
        for (int k = 0; k < dim; k++) {
            n[k] = out * FACE_SIGN(code) * FACE_VECTOR(*s, area, k, f);
            r[k] = FACE_VECTOR(*s, r, k, f) - (code > 0 ? 0 : FACE_VECTOR(*s, d, k, f));
        }
        length = sqrt(fit_dot(n, n, dim));
        *distance = -fit_dot(n, r, dim) / length;
    }
    for (int k = 0; k < dim; k++) n[k] = length > 0 ? n[k] / length : 0;
    return length > 0;
}

ON_DEVICE void gradient_of_cell(const struct marangoni_args *a, int32_t c, const int dim)
{
    double n[3], gradient[3] = {0, 0, 0}, distance, there = a->tension.temperature[c];
    if (plane_of_cell(a, c, n, &distance, dim) && tension_at(&a->tension, there) > 0)
        surface_gradient(a, c, n, distance, gradient, &there, dim);
    const double slope = tension_slope(&a->tension, there);
    for (int k = 0; k < dim; k++) CELL_VALUE(a->g.s, a->gradient, k, c) = slope * gradient[k];
}

HEAVY_INDEX_KERNEL(marangoni_gradient, struct marangoni_args)
{
    if (a->g.s.dim == 2) gradient_of_cell(a, a->band[i], 2);
    else gradient_of_cell(a, a->band[i], 3);
}

/* The normal between two cells out of the second fluid, not of unit length, and the distances of both from the
 * interface; those of the face where there is no facet near. */
ON_DEVICE void plane_between(const struct marangoni_args *a, int32_t c, int32_t other, int32_t code, double n[3],
                             double *mine, double *theirs, const int dim)
{
    const struct stencil *s = &a->g.s;
    int32_t f = FACE_OF(code);
    double weight = code > 0 ? s->weight[f] : 1 - s->weight[f], out = (code > 0) == (a->distance[c] < 0) ? 1 : -1;
    for (int k = 0; k < dim; k++) n[k] = CELL_VALUE(*s, a->normal, k, c) + CELL_VALUE(*s, a->normal, k, other);
    *mine = fabs(a->distance[c]), *theirs = fabs(a->distance[other]);
    if (fit_dot(n, n, dim) > 0) return;
    for (int k = 0; k < dim; k++) n[k] = out * FACE_VECTOR(*s, area, k, f);
    *mine = 1 - weight, *theirs = weight;
}

/* The cell's share of the force of the piece at its face `code`, between the cell and the other one. */
ON_DEVICE void add_share(const struct marangoni_args *a, int32_t c, int32_t other, int32_t code, double *sum,
                         const int dim)
{
    const struct stencil *s = &a->g.s;
    int second = a->distance[c] < 0;
    double n[3], mine, theirs, area = 0, along = 0, force[3];
    plane_between(a, c, other, code, n, &mine, &theirs, dim);
    const double *of_faces = a->viscosity_faces;
    mine /= of_faces ? of_faces[second * (int64_t)s->n_faces + FACE_OF(code)] : a->viscosity[second];
    theirs /= of_faces ? of_faces[!second * (int64_t)s->n_faces + FACE_OF(code)] : a->viscosity[!second];
    double share = mine + theirs > 0 ? theirs / (mine + theirs) : 0.5, square = fit_dot(n, n, dim);
    for (int k = 0; k < dim; k++) {
        area = fma(n[k], FACE_VECTOR(*s, area, k, FACE_OF(code)), area);
        force[k] = 0.5 * (CELL_VALUE(*s, a->gradient, k, c) + CELL_VALUE(*s, a->gradient, k, other));
        along = fma(n[k], force[k], along);
    }
    if ((code > 0) != second) area = -area;             /* of the face as seen from the second fluid */
    for (int k = 0; k < dim; k++)
        sum[k] = fma(share * area / sqrt(square), force[k] - along * n[k] / square, sum[k]);
}

ON_DEVICE void pull_of_cell(const struct marangoni_args *a, int32_t c, const int dim)
{
    const struct stencil *s = &a->g.s;
    double sum[3] = {0, 0, 0};
    for (int l = 0; l < a->g.most_faces; l++) {
        int32_t code = CELL_VALUE(*s, a->g.cell_face, l, c), other = beyond_interface(a, c, code);
        if (other >= 0) add_share(a, c, other, code, sum, dim);
    }
    for (int k = 0; k < dim; k++) CELL_VALUE(*s, a->pull, k, c) = sum[k];
}

HEAVY_INDEX_KERNEL(marangoni_cells, struct marangoni_args)
{
    if (a->g.s.dim == 2) pull_of_cell(a, a->band[i], 2);
    else pull_of_cell(a, a->band[i], 3);
}
