/* twins.h: vertices on periodic joints.  A joint has the same vertices on both of its sides; a vertex of the one side
 * and its twin on the other are at one place, seen through the joint. */
#ifndef POISE_TWINS_H
#define POISE_TWINS_H
#include "mesh/mesh.h"

struct twin { int32_t from, to; double shift[3]; };     /* place of `from` + shift = place of `to` */
/* All of them, both ways round, by `from`, then `to`; has: [n_vertices] is there one from this vertex?  (Written there
 * alone, so that most of its pages take no memory.) */
struct twins { struct twin *twin; int64_t n; uint8_t *has; };

void twins_find(struct twins *t, const struct mesh *m);         /* of a complete mesh */
/* The place of the first one from a vertex; n: there is none. */
int64_t twins_first(const struct twins *t, int32_t vertex);
void twins_free(struct twins *t);
/* Of a, moved by shift, from b. */
double twins_distance(const double a[3], const double b[3], const double shift[3]);
#endif
