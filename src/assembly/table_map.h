/* table_map.h: values of a table (base/table.h) at other points, by interpolation.
 *
 * In time: linear.  In space, over the coordinates that the table has: on a line of points, linear along it; else a
 * linear function fitted to the nearest points, by least squares with weights 1 / distance^2, and kept between their
 * extremes; a table without coordinates is uniform.  Linear functions are reproduced exactly, and so are the table's
 * values at its own points.  A point outside has the value of the nearest one; it may be a tenth of the table's extent
 * away. */
#ifndef POISE_TABLE_MAP_H
#define POISE_TABLE_MAP_H
#include "base/table.h"

struct table_map {
    const struct table *table;  /* outlives the map */
    int64_t n;                  /* points */
    int each;                   /* neighbours of each point */
    int32_t *point;             /* [each n] of the table, in its order */
    double *weight;             /* [each n] */
};
/* x: [dim n], component-major.  Returns the first point that is too far from those of the table, or -1. */
int64_t table_map_create(struct table_map *map, const struct table *t, int dim, int64_t n, const double *x);
void table_map_free(struct table_map *map);
/* The column's values at time t, to[n].  False: t is outside the table's times. */
bool table_map_values(const struct table_map *map, int column, double t, double *to);
#endif
