/* Chooses the kernels of the transport equation's scheme and launches them (transport.h). */
#include <math.h>
#include "assembly/transport.h"

#define TABLE_LINE(name, kernel, word, gradient) [CONVECTION_##name] = {gradient, transport_##kernel},
static const struct { bool needs_gradient; void (*internal_faces)(const struct transport *, int64_t); } schemes[] = {
    CONVECTION_SCHEMES(TABLE_LINE)};

bool transport_needs_gradient(const struct stencil *s, enum convection scheme)
{
    return schemes[scheme].needs_gradient || !s->orthogonal || !s->unskewed;
}

void transport_assemble(const struct transport *t, enum convection scheme)
{
    if (scheme != CONVECTION_UPWIND) {                  /* upwind reads no other rows */
        bool gradient = transport_needs_gradient(&t->s, scheme);
        halo_update_together(t->s.pattern.halo, {t->convected ? t->convected : t->x, t->components},
                             {gradient ? t->gradient : NULL, t->components * t->s.dim});
    }
    schemes[scheme].internal_faces(t, t->s.n_slices);
    transport_boundary_cells(t, t->s.n_boundary_cells);
    if (t->fixed) transport_fix(t, t->s.n_slices);
}

double transport_change_norm(struct transport_change_args *a)
{
    double square[3], most = 0;
    transport_change(a, a->s.n_slices);
    sums_finish(&a->sums, a->first, a->components);
    sums_download(&a->sums, a->first, a->components, square);
    for (int k = 0; k < a->components; k++) most = fmax(most, square[k]);
    return sqrt(most);
}
