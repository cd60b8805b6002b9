/* layers.h: which cells of other ranks a rank's part of a mesh has copies of: private to part.c and layers.c. */
#ifndef POISE_LAYERS_H
#define POISE_LAYERS_H
#include "mesh/mesh.h"

enum layer { ELSEWHERE, AROUND, FAR, NEAR, OWN };

/* layer: [n_cells] of the whole mesh, zeros; becomes OWN for the cells first .. end - 1, and for others what part.h
 * says of them.  vertex_layers: 0: none is AROUND. */
void layers_mark(const struct mesh *whole, int32_t first, int32_t end, int vertex_layers, uint8_t *layer);
#endif
