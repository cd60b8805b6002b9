/* Kernel that prepares the mean dynamic pressure at outlets of given total pressure (outlet_head.h). */
#include "assembly/outlet_head.h"

INDEX_KERNEL(outlet_head_rows, struct outlet_head_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    for (int n = 0; n < 2 * a->b.n_mean; n++) a->h.row[n * s->pitch + row] = 0;
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k], f = s->n_internal + face;
        int outlet = a->b.mean[face];
        double flux = a->flux[f], mass = a->mass ? a->mass[f] : a->density * flux, square = 0, normal = 0, area = 0;
        if (outlet == 0 || !(flux > 0) || !(mass > 0)) continue;
        for (int j = 0; j < s->dim; j++) {
            double u = a->b.velocity[(int64_t)j * s->n_boundary + face], side = FACE_VECTOR(*s, area, j, f);
            square = fma(u, u, square), normal = fma(u, side, normal), area = fma(side, side, area);
        }
        double along = fma(-normal / area, normal, square);     /* |u|^2 without its part normal to the face */
        a->h.row[(2 * outlet - 2) * s->pitch + row] += 0.5 * mass * fma(flux, flux / area, along);
        a->h.row[(2 * outlet - 1) * s->pitch + row] += flux;
    }
}
