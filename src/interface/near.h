/* near.h: finds the cells that share a vertex; private to geometry.c and near.c. */
#ifndef POISE_INTERFACE_NEAR_H
#define POISE_INTERFACE_NEAR_H
#include "base/error.h"
#include "interface/geometry.h"
#include "mesh/mesh.h"

/* In CSR.  With several ranks, own cells and the ghosts that share a vertex with one of them (layer 1) have lists;
 * layer 2: further ghosts that appear only in lists of layer 1. */
struct near_cells {
    int64_t *start, n;          /* [n_all + 1] */
    int32_t *cell;              /* [n] numbers in the rank's part, in the order of the whole mesh */
    uint8_t *code;              /* [n] code of its periodic shift */
    uint8_t *layer;             /* [n_all] */
    int n_shifts;
    double shift[N_SHIFTS][3];
};

/* On the host. */
bool near_cells_find(struct near_cells *n, const struct mesh *m, struct error *e);
void near_cells_free(struct near_cells *n);
#endif
