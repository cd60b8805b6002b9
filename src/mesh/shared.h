/* shared.h: a complete mesh that all ranks (gpu/ranks.h) read and none of them has in its memory: its arrays lie in a
 * file, each in one piece, which the ranks map.  So a rank reads the ranges that it looks at; their pages are the
 * system's, one copy a machine, and it takes them back where memory is short. */
#ifndef POISE_SHARED_H
#define POISE_SHARED_H
#include "mesh/mesh.h"

/* m: complete on rank 0, untouched on the others; then the same on all of them, and its arrays may only be read.
 * path: the file is PATH.PROCESS-0.part, which all ranks must see.  It goes with mesh_free(), or, where all ranks are
 * on one machine, at once; where ranks are killed, the next run in its directory removes it (file_remove_unfinished()).
 * False with a message, on all ranks; m is then good for mesh_free() only.  Nothing happens on one rank. */
bool mesh_share(struct mesh *m, const char *path, struct error *e);
/* Nobody will look at most of it for a while: its pages no longer count as this process's. */
void mesh_shared_rest(const struct mesh *m);
/* For mesh_free(). */
void mesh_shared_free(struct mesh *m);
#endif
