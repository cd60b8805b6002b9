/* transport_kernels.h: private to transport.c and transport.cu. */
#ifndef POISE_TRANSPORT_KERNELS_H
#define POISE_TRANSPORT_KERNELS_H
#include "assembly/transport.h"

#define DECLARE_TRANSPORT(name, kernel, word, gradient) KERNEL(transport_##kernel, struct transport)
CONVECTION_SCHEMES(DECLARE_TRANSPORT)                   /* over slices: internal faces */
KERNEL(transport_boundary_cells, struct transport)      /* over boundary cells, after one of them */
#endif
