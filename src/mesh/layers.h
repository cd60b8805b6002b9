/* layers.h: chooses the cells of other ranks that a rank's part of a mesh copies; private to part.c and layers.c. */
#ifndef POISE_LAYERS_H
#define POISE_LAYERS_H
#include "mesh/mesh.h"

enum layer { ELSEWHERE, AROUND, FAR, NEAR, OWN };

/* layer: [n_cells] of the whole mesh, zeros; set to OWN for the cells first .. end - 1, and for others as part.h
 * defines.  vertex_layers: 0: none is AROUND. */
void layers_mark(const struct mesh *whole, int32_t first, int32_t end, int vertex_layers, uint8_t *layer);
#endif
