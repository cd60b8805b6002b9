/* Kernels that compute velocity and pressure at boundary faces, and outlet backflow (boundary.h). */
#include "assembly/boundary.h"

/* Component k of the cell's velocity, extrapolated by the part of r parallel to the face. */
ON_DEVICE double beside_face(const struct boundary_args *a, int k, int32_t f, int32_t cell, double r_over_s)
{
    const struct stencil *s = &a->s;
    double u = CELL_VALUE(*s, a->u, k, cell);
    if (!a->grad_u) return u;
    const double *grad = a->grad_u + (int64_t)k * s->dim * s->pitch;
    for (int j = 0; j < s->dim; j++)
        u = fma(CELL_VALUE(*s, grad, j, cell), FACE_VECTOR(*s, r, j, f) - r_over_s * FACE_VECTOR(*s, area, j, f), u);
    return u;
}

INDEX_KERNEL(boundary_velocity, struct boundary_args)
{
    const struct stencil *s = &a->s;
    int slip = a->b.velocity_rule[i] == RULE_SLIP;
    if (!slip && a->b.velocity_rule[i] != RULE_GRADIENT) return;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double normal = 0, rs = 0, ss = 0, u[3];            /* u.S, r.S, S.S */
    for (int k = 0; k < s->dim; k++) {
        rs = fma(FACE_VECTOR(*s, r, k, f), FACE_VECTOR(*s, area, k, f), rs);
        ss = fma(FACE_VECTOR(*s, area, k, f), FACE_VECTOR(*s, area, k, f), ss);
    }
    for (int k = 0; k < s->dim; k++) {
        u[k] = beside_face(a, k, f, cell, rs / ss);
        if (slip) normal = fma(u[k], FACE_VECTOR(*s, area, k, f), normal);
    }
    for (int k = 0; k < s->dim; k++)
        a->b.velocity[(int64_t)k * s->n_boundary + i] = u[k] - normal / ss * FACE_VECTOR(*s, area, k, f);
}

INDEX_KERNEL(outlet_change, struct outlet_change_args)
{
    const struct stencil *s = &a->s;
    if (a->b.velocity_rule[i] != RULE_GRADIENT) return;
    int32_t cell = s->owner[s->n_internal + i];
    for (int k = 0; k < s->dim; k++)
        a->b.velocity[(int64_t)k * s->n_boundary + i] += CELL_VALUE(*s, a->u, k, cell)
                                                       - CELL_VALUE(*s, a->from, k, cell);
}

INDEX_KERNEL(boundary_pressure, struct boundary_args)
{
    const struct stencil *s = &a->s;
    if (a->b.pressure_rule[i] != RULE_EXTRAPOLATED) return;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double p = a->p[cell];
    for (int k = 0; k < s->dim; k++) p = fma(CELL_VALUE(*s, a->grad_p, k, cell), FACE_VECTOR(*s, r, k, f), p);
    a->b.pressure[i] = p + force_step(s, &a->force, f);
}

/* Fluid enters along the normal; fluid that leaves has the cell's velocity along the face. */
ON_DEVICE void inlet_velocity(const struct backflow_args *a, int64_t i, double flux_over_square)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double normal = 0, square = 0;
    for (int k = 0; k < s->dim && flux_over_square > 0; k++) {
        double area = FACE_VECTOR(*s, area, k, f);
        normal = fma(CELL_VALUE(*s, a->u, k, cell), area, normal), square = fma(area, area, square);
    }
    for (int k = 0; k < s->dim; k++) {
        double along = square > 0 ? CELL_VALUE(*s, a->u, k, cell) - normal / square * FACE_VECTOR(*s, area, k, f) : 0.0;
        a->b.velocity[(int64_t)k * s->n_boundary + i] = fma(flux_over_square, FACE_VECTOR(*s, area, k, f), along);
    }
}

/* Steady: the part of the change of a mean dynamic pressure that an iteration makes.  All of it made SIMPLEC diverge
 * from rest. */
#define MEAN_PART 0.3

INDEX_KERNEL(outlet_backflow, struct backflow_args)
{
    const struct stencil *s = &a->s;
    int rule = a->b.total[i];
    if (rule == HEAD_NONE || (a->inlets_only && rule != HEAD_INLET)) return;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double density = a->inertia ? a->inertia[cell] : a->density, area = 0;
    double mass = a->mass ? a->mass[f] : a->density * a->flux[f];
    double inert = density * s->volume[cell], part = inert / fma(2 * a->dt, fabs(mass), inert);
    double flux = fma(part, a->flux[f] - a->flux_old[f], a->flux_old[f]);
    for (int k = 0; k < s->dim; k++) area = fma(FACE_VECTOR(*s, area, k, f), FACE_VECTOR(*s, area, k, f), area);
    const double inward = flux < 0 ? flux : 0.0;
    double head = mass < 0 ? 0.5 * mass * inward / area : 0.0;
    if (rule == HEAD_MEAN) {
        const double *sums = a->heads + 2 * (a->b.mean[i] - 1);
        head += sums[1] > 0 ? sums[0] / sums[1] : 0.0;
        if (a->dt == 0) part = MEAN_PART;
    }
    if (rule == HEAD_INLET && a->dt == 0) {
        double speed = -inward / sqrt(area);
        a->b.stiffness[i] = density / sqrt(area) * (speed > a->b.own_speed[i] ? speed : a->b.own_speed[i]);
    }
    a->b.head[i] = fma(1 - part, a->b.head[i] - head, head);     /* in steady flow without a trace of the last one */
    if (a->b.gate && a->b.shut[i] > 0) return;
    a->b.pressure[i] = (a->given ? a->given[i] : a->b.pressure[i]) - a->b.head[i];
    for (int k = 0; k < s->dim; k++)
        a->b.entering[(int64_t)k * s->n_boundary + i] = inward / area * FACE_VECTOR(*s, area, k, f);
    if (rule == HEAD_INLET) inlet_velocity(a, i, flux / area);
}

/* Subtracts the force's part from the pressure gradient of wall cell i. */
ON_DEVICE void subtract_force(const struct boundary_args *a, int64_t i, double *gradient)
{
    int32_t n = a->b.wall_force_start[a->b.n_wall_cells];
    for (int32_t k = a->b.wall_force_start[i]; k < a->b.wall_force_start[i + 1]; k++) {
        double step = force_step(&a->s, &a->force, a->b.wall_face[k]);
        for (int j = 0; j < a->s.dim; j++)
            gradient[j] = fma(-a->b.wall_force[(int64_t)j * n + k], step, gradient[j]);
    }
}

INDEX_KERNEL(wall_pressure, struct boundary_args)
{
    const struct stencil *s = &a->s;
    int32_t place = a->b.wall_cell[i], cell = s->boundary_cell[place], n = a->b.wall_start[a->b.n_wall_cells];
    double gradient[3] = {0};
    for (int32_t k = a->b.wall_start[i]; k < a->b.wall_start[i + 1]; k++) {
        double step = a->p[a->b.wall_neighbour[k]] - a->p[cell];
        for (int j = 0; j < s->dim; j++)
            gradient[j] = fma(a->b.wall_coefficient[(int64_t)j * n + k], step, gradient[j]);
    }
    if (a->force.acts) subtract_force(a, i, gradient);
    for (int32_t k = s->boundary_start[place]; k < s->boundary_start[place + 1]; k++) {
        int32_t face = s->boundary_face[k], f = s->n_internal + face;
        double p = a->p[cell];
        for (int j = 0; j < s->dim; j++) p = fma(gradient[j], FACE_VECTOR(*s, r, j, f), p);
        a->b.pressure[face] = p + force_step(s, &a->force, f);
    }
}
