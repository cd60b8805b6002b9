#include "assembly/boundary.h"
#include "base/case.h"

INDEX_KERNEL(boundary_velocity, struct boundary_args)
{
    const struct stencil *s = &a->s;
    int type = a->b.type[i];
    if (type != BOUNDARY_OUTLET && type != BOUNDARY_SYMMETRY) return;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double normal = 0, ss = 0;                          /* u.S, S.S */
    if (type == BOUNDARY_SYMMETRY)
        for (int k = 0; k < s->dim; k++) {
            double area = FACE_VECTOR(*s, area, k, f);
            normal = fma(CELL_VALUE(*s, a->u, k, cell), area, normal);
            ss = fma(area, area, ss);
        }
    for (int k = 0; k < s->dim; k++)
        a->b.velocity[(int64_t)k * s->n_boundary + i] =
            CELL_VALUE(*s, a->u, k, cell) - (type == BOUNDARY_SYMMETRY ? normal / ss * FACE_VECTOR(*s, area, k, f) : 0.0);
}

INDEX_KERNEL(boundary_pressure, struct boundary_args)
{
    const struct stencil *s = &a->s;
    if (a->b.type[i] == BOUNDARY_OUTLET) return;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double p = a->p[cell];
    for (int k = 0; k < s->dim; k++) p = fma(CELL_VALUE(*s, a->grad_p, k, cell), FACE_VECTOR(*s, r, k, f), p);
    a->b.pressure[i] = p;
}
