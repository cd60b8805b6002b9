/* forest.h: disjoint sets (Tarjan 1975): which of n items are connected, directly or through others. */
#ifndef POISE_FOREST_H
#define POISE_FOREST_H
#include <stdint.h>

/* parent: [n], initially parent[i] = i.  The root is the lowest number of the set; paths are halved. */
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
