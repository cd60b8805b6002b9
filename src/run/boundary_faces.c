/* The faces of the boundaries named in a setting. */
#include "run/boundary_faces.h"
#include <stdlib.h>
#include "base/memory.h"
#include "case/section.h"
#include "mesh/part.h"

static void refuse_boundary(const struct mesh *m, const char *boundary, const char *place, const char *group,
                            const char *name, struct error *e)
{
    const char **names;
    NEW(names, m->n_patches);
    for (int k = 0; k < m->n_patches; k++) names[k] = m->patch[k].name;
    refuse(e, EXIT_INPUT, "%s: %s.%s: boundary \"%s\" is not in the mesh%s", place, group, name, boundary,
           case_did_you_mean(boundary, names, m->n_patches));
    free(names);
}

int32_t *boundary_faces(const struct mesh *m, char (*boundary)[NAME_LENGTH], int n_boundaries, int32_t *n,
                        int32_t *start, const char *place, const char *group, const char *name, struct error *e)
{
    int32_t *face;
    *n = 0;
    NEW(face, m->n_faces - m->n_internal);
    for (int i = 0; i < n_boundaries; i++) {
        int p = boundary_patch(m, boundary[i]);
        if (p < 0) return free(face), refuse_boundary(m, boundary[i], place, group, name, e), NULL;
        const struct mesh *whole = mesh_whole(m), *all = mesh_with_solids(whole);
        if (!whole->patch[p].count && p < all->n_patches && all->patch[p].count) {
            free(face);
            refuse(e, EXIT_INPUT, "%s: %s.%s: boundary \"%s\" belongs to solids only; expected boundaries of the "
                   "fluid, or the name of a solid for its surface%s", place, group, name, boundary[i],
                   strcmp(group, "surfaces") ? "" : ", or fields of solids alone: temperature, temperature-flux, "
                                                    "wall-distance");
            return NULL;
        }
        for (int32_t k = 0; k < m->patch[p].count; k++) face[(*n)++] = m->patch[p].first + k - m->n_internal;
        if (start) start[i + 1] = *n;
    }
    return face;
}
