/* Kernels of the face forces: curvature around the interface, surface tension, gravity (forces.h). */
#include "interface/forces.h"

HEAVY_INDEX_KERNEL(spread_curvature, struct forces_args)
{
    const struct geometry *g = &a->p.g;
    int32_t c = a->band[i];
    if (a->mark[c]) return;
    double sum = 0, area = 0;
    for (int64_t k = g->near_start[c]; k < g->near_start[c + 1]; k++) {
        int32_t j = g->near[k];
        if (!a->mark[j]) continue;
        sum = fma(a->p.area[j], a->curvature[j], sum), area += a->p.area[j];
    }
    if (area > 0) a->curvature[c] = sum / area;
}

INDEX_KERNEL(interface_face_forces, struct forces_args)
{
    const struct stencil *s = &a->p.g.s;
    int32_t P = s->owner[i], N = s->neighbour[i];
    double difference = a->p.fraction[N] - a->p.fraction[P];
    if (difference == 0) return;
    double height = -a->bottom, n[3], x[3];
    double curvature = face_curvature(a, i, n);
    if (a->number && a->number[P] >= 0)
        for (int k = 0; k < s->dim; k++) curvature = fma(n[k], CELL_VALUE(*s, a->tilt, k, P), curvature);
    interface_at_face(&a->p, i, x);
    for (int k = 0; k < s->dim; k++) height = fma(a->jump[k], CELL_VALUE(*s, a->p.g.centre, k, P) + x[k], height);
    a->force[i] += (face_tension(&a->tension, s, i) * curvature - height) * s->g[i] * difference;
}
