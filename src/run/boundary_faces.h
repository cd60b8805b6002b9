/* boundary_faces.h: the faces of the boundaries named in a setting. */
#ifndef POISE_BOUNDARY_FACES_H
#define POISE_BOUNDARY_FACES_H
#include <string.h>
#include "mesh/mesh.h"

/* The index of the patch with this name; -1: none. */
static inline int boundary_patch(const struct mesh *m, const char *name)
{
    for (int i = 0; i < m->n_patches; i++) if (!strcmp(m->patch[i].name, name)) return i;
    return -1;
}

/* The n faces of this rank on the named boundaries, numbered from the first boundary face, in the mesh's order; a
 * periodic boundary has none.  start, unless NULL: [n_boundaries + 1], the first face of each boundary.  The caller
 * frees it.  NULL: the mesh has no such boundary; for the message: location of the setting, "forces", its name. */
int32_t *boundary_faces(const struct mesh *m, char (*boundary)[NAME_LENGTH], int n_boundaries, int32_t *n,
                        int32_t *start, const char *place, const char *group, const char *name, struct error *e);
#endif
