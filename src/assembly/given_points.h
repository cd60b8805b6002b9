/* given_points.h: private to given.c and given_ahead.c: the points where the expressions and tables of an entry are
 * evaluated, and their values. */
#ifndef POISE_GIVEN_POINTS_H
#define POISE_GIVEN_POINTS_H
#include "assembly/given.h"

struct given_points {
    int64_t n;
    double *x;                  /* [dim n] */
    int64_t *start;             /* with `mean`: [places + 1] the points of each face, and their weights [n]; or NULL */
    double *weight;
    int32_t *cell;              /* in a zone: [n] its cells; or NULL */
    double *value;              /* [n] with one of these */
};

/* Faces, with copies, or the rank's cells. */
int32_t given_places(const struct given *g, const struct mesh *m);
/* For an entry with an expression or a table.  False with a message: a point is outside its table. */
bool given_points_create(struct given *g, const struct mesh *m, struct error *e);
void given_points_free(struct given *g);
/* Component k at time t at all places; in a zone only in its cells.  False: the time is outside its table. */
bool given_value_at(const struct given *g, const struct mesh *m, int k, double t, double *to);
/* All components at time t, or those that contain the time, and their extremes.  False with a message: one is not a
 * number, outside its range or its table. */
bool given_evaluate(struct given *g, const struct mesh *m, double t, bool all, double *to, struct error *e);
/* "PLACE: KEY what in the face around X of boundary B at t = T"; t NAN: without it. */
bool given_refuse_at(const struct given *g, const struct mesh *m, int k, double t, int32_t place, const char *what,
                     struct error *e);
#endif
