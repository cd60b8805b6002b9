/* shared.h: a complete mesh that all ranks (gpu/ranks.h) read without holding it in memory: its arrays are in a file,
 * each contiguous, which the ranks map.  So a rank reads only the ranges that it accesses; the pages belong to the
 * system's cache, one copy per machine, and are evicted when memory is short. */
#ifndef POISE_SHARED_H
#define POISE_SHARED_H
#include "mesh/mesh.h"

/* m: complete on rank 0, untouched on the others; afterwards the same on all of them, with read-only arrays.  path: the
 * file is PATH.PROCESS-0.part, which all ranks must see.  It is removed by mesh_free() or, if all ranks are on one
 * machine, at once; if ranks are killed, the next run in its directory removes it (file_remove_unfinished()).  False
 * with a message, on all ranks; m is then good for mesh_free() only.  With one rank it does nothing.  m->conducting is
 * set before, on all ranks, and kept. */
bool mesh_share(struct mesh *m, const char *path, struct error *e);
/* Most of it will not be read for a while: releases its pages from this process. */
void mesh_shared_rest(const struct mesh *m);
/* Called by mesh_free(). */
void mesh_shared_free(struct mesh *m);
#endif
