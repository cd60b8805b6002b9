/* level.h: shapes of type "level", the second fluid where a function of x, y and z is negative; private to shapes.c.
 *
 * Simplices of a cell where the function is less than its variation in them are bisected, nine times in 3-D and six in
 * 2-D: to an eighth of their size; where it is continuous and not linear even then, as in films abs(y) - w and small
 * drops, twice as often.  In each of the smallest the function is taken as linear, so that the surface is a plane, and
 * a body like those of the other shapes.  Linear functions are exact; the error of a curved surface is of second order,
 * and 64 times smaller than that of planes in the cells. */
#ifndef POISE_LEVEL_H
#define POISE_LEVEL_H
#include "interface/body.h"

struct level_volumes { double all, unresolved; };       /* of simplices where it is negative; where it may be, but they
                                                           are too large to tell */

struct levels {
    int n;                      /* shapes of this type */
    const struct shape_setting **shape;         /* [n] */
    int64_t *copy;              /* [n] their numbers among the copies of all shapes */
    int n_threads;
    struct expression **expression;             /* [n n_threads]; NULL: a number */
    uint8_t *wrong;             /* [n] 1: a value was not finite */
    struct level_volumes *seen; /* [n n_threads] */
};

/* copy: the number of the shape's copy. */
void levels_add(struct levels *l, const struct shape_setting *shape, int64_t copy);
void levels_free(struct levels *l);
/* second_fluid() of the n bodies and of all levels; list has room for these at its end.  met: marked at the copies of
 * those that are in the simplex.  Not a number where a function is not finite. */
double levels_second_fluid(const struct levels *l, const struct cutter *k, const struct simplex *t,
                           const struct body **list, int n, uint8_t *met);
/* The volumes of level i in the cells of all ranks. */
struct level_volumes levels_seen(const struct levels *l, int i);
#endif
