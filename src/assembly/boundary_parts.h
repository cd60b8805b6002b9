/* boundary_parts.h: the connected parts of the flow's mesh, which no face joins, and the pressures given at the
 * boundaries of each: a level and a difference of pressure act in one part alone. */
#ifndef POISE_BOUNDARY_PARTS_H
#define POISE_BOUNDARY_PARTS_H
#include "assembly/boundary_setting.h"
#include "assembly/given.h"

struct boundary_parts {
    int32_t n;
    int32_t *of;                /* [cells of the whole mesh] 0 .. n-1; NULL: there is one */
    bool *open;                 /* [n] a boundary gives the pressure */
    bool *pulled;               /* [n] an inlet of given pressure and none of given velocity: pressures drive it */
    double *low, *high;         /* [n] extremes of these pressures; low > high: none is given */
};

struct boundary_parts *boundary_parts_create(const struct mesh *m, const struct boundary_settings *all);
void boundary_parts_free(struct boundary_parts *p);
/* The part of a cell of this rank, and of the cell at a boundary face. */
int32_t boundary_part(const struct boundary_parts *p, const struct mesh *m, int32_t cell);
int32_t boundary_part_at(const struct boundary_parts *p, const struct mesh *m, int32_t face);
/* Sets low and high from the entries of this array as they were last evaluated.  Collective. */
void boundary_parts_measure(struct boundary_parts *p, const struct given_list *list, const double *array);
/* Extremes of each part on this rank, [n], become those of all ranks. */
void boundary_parts_extremes(const struct boundary_parts *p, double *low, double *high);
/* Halfway between low and high; `other` where no pressure is given. */
double boundary_part_level(const struct boundary_parts *p, int32_t part, double other);
/* That of every cell, on the device; a part without given pressures has 0.  NULL: there is one part. */
double *boundary_part_levels(const struct boundary_parts *p, const struct mesh *m, const struct pattern *cells);
/* That the pressures given in a part can cause: sqrt(2 (high - low) / density); 0: none. */
double boundary_part_speed(const struct boundary_parts *p, int32_t part, double density);
/* The largest difference of the entries of this array within one part, over the times of given_largest().
 * Collective. */
double boundary_parts_difference(const struct boundary_parts *p, struct given_list *list, const double *array,
                                 double step);
#endif
