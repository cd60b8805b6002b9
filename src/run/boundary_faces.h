/* boundary_faces.h: the faces of boundaries that a setting names. */
#ifndef POISE_BOUNDARY_FACES_H
#define POISE_BOUNDARY_FACES_H
#include "mesh/mesh.h"

/* This rank's n boundary faces, counted from the first one of all boundaries, of those that are named, in the mesh's
 * order; none of a periodic boundary.  start, unless NULL: [n_boundaries + 1], where each one's begin.  The caller
 * frees them.  NULL: the mesh does not have such a boundary; for the message:
 * place of the setting, "forces", its name. */
int32_t *boundary_faces(const struct mesh *m, char (*boundary)[NAME_LENGTH], int n_boundaries, int32_t *n,
                        int32_t *start, const char *place, const char *group, const char *name, struct error *e);
#endif
