/* Kernel that adds up fluxes through boundary faces in cells (passing.h). */
#include "assembly/passing.h"

INDEX_KERNEL(passing_rows, struct passing_args)
{
    const struct stencil *s = &a->s;
    int32_t row = s->boundary_cell[i];
    double net = 0, gross = 0, area = 0;
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k], f = s->n_internal + face;
        double square = 0;
        net += a->flux[f], gross += fabs(a->flux[f]);
        for (int j = 0; j < s->dim; j++) square = fma(FACE_VECTOR(*s, area, j, f), FACE_VECTOR(*s, area, j, f), square);
        if (a->b.flux_rule[face] == FLUX_FREE) area += sqrt(square);
    }
    a->row[PASSING_NET * s->pitch + row] = net;
    a->row[PASSING_GROSS * s->pitch + row] = gross;
    a->row[PASSING_AREA * s->pitch + row] = area;
}
