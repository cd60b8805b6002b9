/* Fields and forces at points and boundary faces. */
#include "run/monitor_kernels.h"
#include "assembly/boundary_gradient.h"

/* The hydrostatic pressure at point i of n. */
ON_DEVICE double hydrostatic(const struct fluids *f, int dim, int32_t cell, const double *point, int64_t n, int64_t i)
{
    double depth = 0, density = density_in(&f->properties, cell);
    if (!f->falls) return 0;
    for (int k = 0; k < dim; k++) depth = fma(f->gravity[k], point[k * n + i], depth);
    return fma(f->properties.density[0] - density, f->bottom, depth * density);
}

INDEX_KERNEL(sample_cells, struct sample_args)
{
    const struct stencil *s = &a->s;
    int32_t c = (int32_t)(i % a->components), e = (int32_t)(i / a->components), cell = a->cell[e];
    double change = 0;
    if (a->gradient)
        for (int k = 0; k < s->dim; k++)
            change = fma(CELL_VALUE(*s, a->gradient, c * s->dim + k, cell), a->arm[(int64_t)k * a->n + e], change);
    a->sampled[3 * i] = CELL_VALUE(*s, a->value, c, cell);
    a->sampled[3 * i + 1] = change;
    a->sampled[3 * i + 2] = a->falls ? hydrostatic(&a->fluids, s->dim, cell, a->point, a->n, e) : 0.0;
}

INDEX_KERNEL(sample_walls, struct sample_walls_args)
{
    int32_t c = (int32_t)(i % a->components), wall = a->wall[i / a->components];
    a->sampled[2 * i] = a->boundary[(int64_t)c * a->n_boundary + wall];
    a->sampled[2 * i + 1] = a->rule[wall] == RULE_VALUE ? 1.0 : 0.0;
}

INDEX_KERNEL(sample_faces, struct face_args)
{
    const struct stencil *s = &a->s;
    int32_t c = (int32_t)(i / a->n), at = (int32_t)(i % a->n), face = a->face[at];
    int32_t cell = s->owner[s->n_internal + face];
    double value = a->boundary ? a->boundary[(int64_t)c * s->n_boundary + face] : CELL_VALUE(*s, a->value, c, cell);
    if (a->falls && a->fluids.falls) value += hydrostatic(&a->fluids, s->dim, cell, a->point, a->n, at);
    a->sampled[i] = value;
}

/* Force of the fluid on the boundary: p S - mu (grad u + grad u^T) . S, S out of the fluid. */
INDEX_KERNEL(wall_forces, struct force_args)
{
    const struct stencil *s = &a->s;
    int32_t face = a->face[i], f = s->n_internal + face, cell = s->owner[f];
    double gradient[3][3], area[3];
    for (int k = 0; k < s->dim; k++) area[k] = FACE_VECTOR(*s, area, k, f);
    boundary_gradient(s, &a->b, a->u, a->grad_u, a->wall, face, gradient);
    double pressure = a->b.pressure[face], viscosity = viscosity_beside(&a->fluids.properties, cell, f);
    if (a->fluids.falls) pressure += hydrostatic(&a->fluids, s->dim, cell, a->point, a->n, i);
    for (int c = 0; c < s->dim; c++) {
        double viscous = 0;
        for (int k = 0; k < s->dim; k++) viscous = fma(gradient[c][k] + gradient[k][c], area[k], viscous);
        a->force[(int64_t)c * a->n + i] = pressure * area[c];
        a->force[(int64_t)(s->dim + c) * a->n + i] = -viscosity * viscous;
    }
}
