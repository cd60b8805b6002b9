/* Launches the kernels of a viscosity that depends on the shear rate (viscosity.h). */
#include "assembly/viscosity.h"

void viscosity_update(const struct viscosity_args *a)
{
    static void (*const faces[2][2])(const struct viscosity_args *, int64_t) = {
        {viscosity_faces_2d, viscosity_faces_3d}, {viscosity_quadratic_2d, viscosity_quadratic_3d}};
    const struct stencil *s = &a->s;
    const struct halo *h = s->pattern.halo;
    const int dim = s->dim;
    halo_update_together(h, {a->u, dim}, {a->grad_u, dim * dim});
    for (int i = 0; i < 2; i++) if (a->cells[i]) halo_update(h, a->cells[i], 1);
    if (a->own) halo_update(h, a->properties.distance, 1);
    if (a->second) halo_update_single(h, a->second, dim * dim * (dim + 1) / 2);
    if (a->largest.total) largest_shear_rate(a, s->n_slices), sums_finish_largest(&a->largest, 0, 1);
    faces[a->second != NULL][dim - 2](a, s->n_active);
    viscosity_boundary(a, s->n_boundary);
    viscosity_cells(a, s->n_slices);
    viscosity_boundary_cells(a, s->n_boundary_cells);
}

void viscosity_add_transposed(const struct stencil *s, const double *transposed, double *rhs)
{
    struct transposed_args a = {.s = *s, .transposed = transposed, .rhs = rhs};
    transposed_stress(&a, s->n_slices);
    boundary_transposed_stress(&a, s->n_boundary_cells);
}
