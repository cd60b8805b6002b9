/* near.h: which cells share a vertex; private to geometry.c and near.c. */
#ifndef POISE_INTERFACE_NEAR_H
#define POISE_INTERFACE_NEAR_H
#include "base/error.h"
#include "interface/geometry.h"
#include "mesh/mesh.h"

/* In CSR.  On a rank of several own cells have a list, and the copies of those that share a vertex with one of them
 * (layer 1); layer 2: the copies that further only these lists name. */
struct near_cells {
    int64_t *start, n;          /* [n_all + 1] */
    int32_t *cell;              /* [n] in the part, in the order of the whole mesh */
    uint8_t *code;              /* [n] of the shift by which it is seen */
    uint8_t *layer;             /* [n_all] */
    int n_shifts;
    double shift[N_SHIFTS][3];
};

/* On the host. */
bool near_cells_find(struct near_cells *n, const struct mesh *m, struct error *e);
void near_cells_free(struct near_cells *n);
#endif
