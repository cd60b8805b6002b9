/* forest.h: which of n things are connected, directly or through others: disjoint sets (Tarjan 1975). */
#ifndef POISE_FOREST_H
#define POISE_FOREST_H
#include <stdint.h>

/* parent: [n], at first parent[i] = i.  The root is the lowest number of the set; the path to it is halved. */
static inline int32_t forest_root(int32_t *parent, int32_t i)
{
    while (parent[i] != i) i = parent[i] = parent[parent[i]];
    return i;
}
static inline void forest_join(int32_t *parent, int32_t a, int32_t b)
{
    a = forest_root(parent, a), b = forest_root(parent, b);
    if (a < b) parent[b] = a;
    else parent[a] = b;
}
#endif
