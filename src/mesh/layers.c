/* Marks the cells of other ranks of which a rank's part has copies (layers.h). */
#include "mesh/layers.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/part.h"
#include "mesh/twins.h"

/* Arrays here are as long as the whole mesh, but only marks are written: untouched pages of zeros take no memory. */
struct marking { const struct mesh *whole; int32_t first, end; uint8_t *layer; };

static bool is_own(const struct marking *k, int32_t cell) { return cell >= k->first && cell < k->end; }

/* ---------------------------------------------------------------- over faces */
/* Marks the cells up to FAR_LAYERS layers from those with large fits. */
static void mark_far(const struct marking *k)
{
    const struct mesh *w = k->whole;
    uint8_t *layer;                                     /* FAR_LAYERS + 1 at the start, then decreasing */
    NEW(layer, w->n_cells);
    bool regular = w->orthogonal && w->unskewed;
    if (!regular) memset(layer + k->first, FAR_LAYERS + 1, (size_t)(k->end - k->first));
    for (int32_t f = w->n_internal; f < w->n_faces; f++)
        if (is_own(k, w->face_owner[f])) layer[w->face_owner[f]] = FAR_LAYERS + 1;
    for (uint8_t at = FAR_LAYERS + 1; at > 1; at--)
        for (int32_t f = 0; f < w->n_internal; f++) {
            int32_t o = w->face_owner[f], n = w->face_neighbour[f];
            if (layer[o] == at && layer[n] < at - 1) layer[n] = at - 1;
            if (layer[n] == at && layer[o] < at - 1) layer[o] = at - 1;
        }
    for (int32_t c = 0; c < w->n_cells; c++) if (layer[c]) k->layer[c] = FAR;
    free(layer);
}

static void mark_near(const struct marking *k)
{
    const struct mesh *w = k->whole;
    for (int32_t f = 0; f < w->n_internal; f++)
        if (is_own(k, w->face_owner[f]) != is_own(k, w->face_neighbour[f]))
            k->layer[w->face_owner[f]] = k->layer[w->face_neighbour[f]] = NEAR;
    for (int32_t c = k->first; c < k->end; c++) k->layer[c] = OWN;
}

/* ---------------------------------------------------------------- over vertices */
/* Marks of a vertex extend to its twins, and to theirs. */
static void mark_twins(const struct twins *t, uint8_t *vertex)
{
    for (bool more = true; more;) {
        more = false;
        for (int64_t i = 0; i < t->n; i++)
            if (vertex[t->twin[i].from] && !vertex[t->twin[i].to]) vertex[t->twin[i].to] = more = true;
    }
}

/* Marks the cells that share a vertex with own ones, across periodic faces too; those that share one with these; and so
 * on. */
static void mark_around(const struct marking *k, int layers)
{
    const struct mesh *w = k->whole;
    struct twins twins;
    uint8_t *reached, *vertex;
    twins_find(&twins, w);
    NEW(reached, w->n_cells), NEW(vertex, w->n_vertices);
    memset(reached + k->first, 1, (size_t)(k->end - k->first));
    for (int i = 0; i < layers; i++) {
        for (int32_t c = 0; c < w->n_cells; c++)
            for (int64_t v = w->cell_start[c]; reached[c] && v < w->cell_start[c + 1]; v++)
                vertex[w->cell_vertex[v]] = 1;
        mark_twins(&twins, vertex);
        for (int32_t c = 0; c < w->n_cells; c++)
            for (int64_t v = w->cell_start[c]; !reached[c] && v < w->cell_start[c + 1]; v++)
                if (vertex[w->cell_vertex[v]]) reached[c] = 1;
    }
    for (int32_t c = 0; c < w->n_cells; c++) if (reached[c] && !k->layer[c]) k->layer[c] = AROUND;
    free(reached), free(vertex), twins_free(&twins);
}

void layers_mark(const struct mesh *whole, int32_t first, int32_t end, int vertex_layers, uint8_t *layer)
{
    struct marking k = {whole, first, end, layer};
    mark_far(&k);
    mark_near(&k);
    if (vertex_layers) mark_around(&k, vertex_layers);
}
