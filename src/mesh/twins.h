/* twins.h: vertices on periodic boundaries.  Both sides have the same vertices; a vertex on one side and its twin on
 * the other are images of each other. */
#ifndef POISE_TWINS_H
#define POISE_TWINS_H
#include "mesh/mesh.h"

struct twin { int32_t from, to; double shift[3]; };     /* position of `from` + shift = position of `to` */
/* All twins, in both directions, sorted by `from`, then `to`; has: [n_vertices] has this vertex a twin?  (Only true
 * entries are written, so most of its pages take no memory.) */
struct twins { struct twin *twin; int64_t n; uint8_t *has; };

void twins_find(struct twins *t, const struct mesh *m);         /* for a complete mesh */
/* Index of a vertex's first twin; n: none. */
int64_t twins_first(const struct twins *t, int32_t vertex);
void twins_free(struct twins *t);
/* Distance between a, moved by shift, and b. */
double twins_distance(const double a[3], const double b[3], const double shift[3]);
#endif
