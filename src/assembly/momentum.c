#include "assembly/momentum.h"
#include "assembly/momentum_kernels.h"

bool momentum_needs_gradient(const struct stencil *s, enum convection scheme)
{
    return scheme == CONVECTION_LINEAR_UPWIND || scheme == CONVECTION_VAN_LEER || !s->orthogonal || !s->unskewed;
}

void momentum_assemble(const struct momentum *m, enum convection scheme)
{
    bool mixture = m->viscosity_faces;
    switch (scheme) {
    case CONVECTION_UPWIND: (mixture ? mixture_upwind : momentum_upwind)(m, m->s.n_slices); break;
    case CONVECTION_LINEAR_UPWIND: (mixture ? mixture_linear_upwind : momentum_linear_upwind)(m, m->s.n_slices); break;
    case CONVECTION_CENTRAL: (mixture ? mixture_central : momentum_central)(m, m->s.n_slices); break;
    case CONVECTION_VAN_LEER: (mixture ? mixture_van_leer : momentum_van_leer)(m, m->s.n_slices); break;
    }
    momentum_boundary(m, m->s.n_boundary_cells);
}
