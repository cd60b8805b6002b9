/* nearest.h: finds the nearest of many points, by a k-d tree (Bentley 1975, Commun. ACM 18, 509). */
#ifndef POISE_NEAREST_H
#define POISE_NEAREST_H
#include <stdint.h>

struct nearest {
    int dim;                    /* 2 or 3 */
    int32_t n;
    const double *point;        /* [dim n], component-major; must outlive the tree */
    int32_t *order;             /* [n] the tree: the middle of a range is its root; lower points come before it */
    uint8_t *axis;              /* [n] splitting axis of the root at this position */
};

void nearest_create(struct nearest *t, const double *point, int dim, int32_t n);
void nearest_free(struct nearest *t);
/* The point nearest to x[dim]; among several the first.  *distance: to it.  -1: there are no points. */
int32_t nearest_find(const struct nearest *t, const double *x, double *distance);
/* The `most` nearest ones, the nearest first, with their squared distances; returns how many there are. */
int nearest_several(const struct nearest *t, const double *x, int most, int32_t *point, double *square);
#endif
