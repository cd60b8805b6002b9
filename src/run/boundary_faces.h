/* boundary_faces.h: the faces of boundaries that a setting names. */
#ifndef POISE_BOUNDARY_FACES_H
#define POISE_BOUNDARY_FACES_H
#include <string.h>
#include "mesh/mesh.h"

/* The patch of this name, -1: the mesh has none. */
static inline int boundary_patch(const struct mesh *m, const char *name)
{
    for (int i = 0; i < m->n_patches; i++) if (!strcmp(m->patch[i].name, name)) return i;
    return -1;
}

/* This rank's n boundary faces, counted from the first one of all boundaries, of those that are named, in the mesh's
 * order; none of a periodic boundary.  start, unless NULL: [n_boundaries + 1], where each one's begin.  The caller
 * frees them.  NULL: the mesh does not have such a boundary; for the message:
 * place of the setting, "forces", its name. */
int32_t *boundary_faces(const struct mesh *m, char (*boundary)[NAME_LENGTH], int n_boundaries, int32_t *n,
                        int32_t *start, const char *place, const char *group, const char *name, struct error *e);
#endif
