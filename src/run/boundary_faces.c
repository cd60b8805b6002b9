/* The faces of boundaries that a setting names. */
#include "run/boundary_faces.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"

static void refuse_boundary(const struct mesh *m, const char *boundary, const char *place, const char *group,
                            const char *name, struct error *e)
{
    const char **names;
    NEW(names, m->n_patches);
    for (int k = 0; k < m->n_patches; k++) names[k] = m->patch[k].name;
    const char *near = nearest_name(boundary, names, m->n_patches);
    free(names);
    refuse(e, EXIT_INPUT, "%s: %s.%s: boundary \"%s\" is not in the mesh%s%s%s", place, group, name, boundary,
           near ? " (did you mean \"" : "", near ? near : "", near ? "\"?)" : "");
}

int32_t *boundary_faces(const struct mesh *m, char (*boundary)[NAME_LENGTH], int n_boundaries, int32_t *n,
                        int32_t *start, const char *place, const char *group, const char *name, struct error *e)
{
    int32_t *face;
    *n = 0;
    NEW(face, m->n_faces - m->n_internal);
    for (int i = 0; i < n_boundaries; i++) {
        int p = 0;
        while (p < m->n_patches && strcmp(m->patch[p].name, boundary[i])) p++;
        if (p == m->n_patches) return free(face), refuse_boundary(m, boundary[i], place, group, name, e), NULL;
        for (int32_t k = 0; k < m->patch[p].count; k++) face[(*n)++] = m->patch[p].first + k - m->n_internal;
        if (start) start[i + 1] = *n;
    }
    return face;
}
