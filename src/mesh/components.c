/* The connected components of a mesh. */
#include <stdlib.h>
#include "base/forest.h"
#include "base/memory.h"
#include "mesh/mesh.h"

int32_t mesh_components(const struct mesh *m, int32_t *component)
{
    int32_t *parent, *in_file, n = 0;
    NEW(parent, m->n_cells), NEW(in_file, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) parent[c] = c, in_file[m->cell_original[c]] = c;
    for (int32_t f = 0; f < m->n_internal; f++) forest_join(parent, m->face_owner[f], m->face_neighbour[f]);
    for (int32_t c = 0; c < m->n_cells; c++) component[c] = -1;
    for (int32_t i = 0; i < m->n_cells; i++) {
        int32_t root = forest_root(parent, in_file[i]);
        if (component[root] < 0) component[root] = n++;
        component[in_file[i]] = component[root];
    }
    free(parent), free(in_file);
    return n;
}
