/* Fields and forces at points and boundary faces. */
#include "run/monitor_kernels.h"

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

/* Component c of w x S at a face of a wall. */
ON_DEVICE double turned(const struct boundary *b, const struct stencil *s, int32_t face, const double *area, int c)
{
    int i = (c + 1) % 3, j = (c + 2) % 3;
    double first = j < s->dim ? b->spin[(int64_t)i * s->n_boundary + face] * area[j] : 0.0;
    return i < s->dim ? fma(-b->spin[(int64_t)j * s->n_boundary + face], area[i], first) : first;
}

/* Force of the fluid on the boundary: p S - mu (grad u + grad u^T) . S, S out of the fluid.  The gradient at the face
 * is the cell's, corrected so that grad u . S is that of the momentum equation where the velocity is given, and so that
 * it agrees with the face's value along r elsewhere.  Along a wall, whose velocity is uniform, it is zero: the cell's
 * is not if the wall is curved, and would make the shear wrong by the centre's distance over the radius.  Along a wall
 * that rotates it is that of the rotation w x r, whose part normal to the wall adds - w x S to the transposed
 * gradient's. */
INDEX_KERNEL(wall_forces, struct force_args)
{
    const struct stencil *s = &a->s;
    int32_t face = a->face[i], f = s->n_internal + face, cell = s->owner[f];
    double gradient[3][3], area[3], across = 0;
    int given = a->b.velocity_rule[face] == RULE_VALUE, wall = given && a->b.flux_rule[face] == FLUX_NONE;
    for (int k = 0; k < s->dim; k++) {
        area[k] = FACE_VECTOR(*s, area, k, f);
        across = fma(area[k], FACE_VECTOR(*s, r, k, f), across);
    }
    for (int c = 0; c < s->dim; c++) {
        double step = a->b.velocity[(int64_t)c * s->n_boundary + face] - CELL_VALUE(*s, a->u, c, cell);
        double stress = fma(s->g[f], step, a->wall[(int64_t)c * s->n_boundary + face]), along = 0, through = 0;
        double square = 0;
        for (int k = 0; k < s->dim; k++) {
            gradient[c][k] = CELL_VALUE(*s, a->grad_u, c * s->dim + k, cell);
            along = fma(gradient[c][k], FACE_VECTOR(*s, r, k, f), along);
            through = fma(gradient[c][k], area[k], through);
            square = fma(area[k], area[k], square);
        }
        double miss = given ? (stress - (wall ? 0 : through)) / square : (step - along) / across;
        for (int k = 0; k < s->dim; k++) gradient[c][k] = fma(miss, area[k], wall ? 0 : gradient[c][k]);
    }
    double pressure = a->b.pressure[face], viscosity = viscosity_in(&a->fluids.properties, cell);
    if (a->fluids.falls) pressure += hydrostatic(&a->fluids, s->dim, cell, a->point, a->n, i);
    for (int c = 0; c < s->dim; c++) {
        double viscous = wall && a->b.spin ? -turned(&a->b, s, face, area, c) : 0.0;
        for (int k = 0; k < s->dim; k++) viscous = fma(gradient[c][k] + gradient[k][c], area[k], viscous);
        a->force[(int64_t)c * a->n + i] = pressure * area[c];
        a->force[(int64_t)(s->dim + c) * a->n + i] = -viscosity * viscous;
    }
}
