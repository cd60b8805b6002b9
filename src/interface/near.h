/* near.h: which cells share a vertex; private to geometry.c and near.c. */
#ifndef POISE_INTERFACE_NEAR_H
#define POISE_INTERFACE_NEAR_H
#include "base/error.h"
#include "interface/geometry.h"
#include "mesh/mesh.h"

struct near_cells { int64_t *start; int32_t *cell; uint8_t *code; int n_shifts; double shift[N_SHIFTS][3]; };
/* On the host; the arrays are the caller's to free, also after a refusal. */
bool near_cells_find(struct near_cells *n, const struct mesh *m, struct error *e);
#endif
