/* given.h: the values that a case gives at boundary faces, in zones (the mesh's regions of cells) and everywhere: one
 * list for velocity, pressure, fraction and scalars; only its functions fill these arrays.
 *
 * An entry has a value for every component, the faces or cells that it applies to, and the array on the device that
 * kernels read.  given_add() fills the array for the first time.  given_update() fills those again whose values contain
 * the time, and costs nothing if there are none.  A further kind of value is a few lines in value_at() of given.c.
 *
 * Expressions are evaluated on the host, at the faces' or cells' centres; or they are means over the faces, so that the
 * flux of a parabola is exact. */
#ifndef POISE_GIVEN_H
#define POISE_GIVEN_H
#include "assembly/boundary_setting.h"
#include "assembly/stencil.h"
#include "base/error.h"
#include "mesh/mesh.h"

enum { MOST_GIVEN = 3, GIVEN_EVERYWHERE = -1 };

struct given {
    const struct value_setting *of;     /* [components], copied; their texts are the case's, which outlives the list */
    int components;             /* 1 to MOST_GIVEN */
    const struct patch *patch;  /* at all of its faces, including those of other ranks' cells; NULL: */
    int zone;                   /* in the rank's own cells of this region of the mesh, or GIVEN_EVERYWHERE */
    double *array;              /* [components n_boundary] or [components pitch], on the device */
    bool mean;                  /* at faces: the mean over each (face_points.h) instead of the value at its centre */
    int pieces;                 /* of each for that mean; 0: one */
    /* What the array contains instead of the values themselves: NULL, or changes the values, n of each component and
     * component after component, in place.  data: for its use, freed with the list. */
    void (*change)(double *value, int components, int32_t n, const double *data);
    double *data;
    double stretch;             /* the largest factor by which `change` lengthens a vector; 0: it is at most 1 */
    /* A vector along the patch: an error where it points through a face. */
    bool tangential;
    bool shared;                /* others fill the array, too: given_restore() leaves it as in the checkpoint, unless in
                                   time */
    bool keeps_stage;           /* given_end() leaves the array as it is: it is that of the last step */

    bool aside;                 /* evaluated beside the device's work, or before there is a device */

    /* Set by given_add() and updates. */
    double *value;              /* [components faces] the array's on the host; in cells NULL unless in time */
    double *stage;              /* likewise, of given_stage() or of the last update; NULL: the list has neither, or it
                                   is not in time */
    struct value_setting *own;          /* the copy */
    struct given_points *points;        /* where expressions are evaluated; NULL: there is none */
    struct expression *expression[MOST_GIVEN];
    struct table_map *map[MOST_GIVEN];  /* components of the same table share one */
    double low[MOST_GIVEN], high[MOST_GIVEN];           /* extremes of each component on all ranks, before `change`; low
                                                           > high: there is no face */
    double largest;             /* length of the longest vector when it was added, likewise, times `stretch` */
};
struct given_list {
    const struct mesh *m;       /* outlives the list */
    struct stencil *s;          /* stencil_zones() is called when a value is given in a zone */
    struct given *item;
    int n;
    double time;                /* of the last update */
    bool steady;                /* no value may contain the time */
    bool staged;                /* given_stage() may be called */
    bool from_start;            /* given_update() keeps the values of the last one, for given_mean() */
    struct given_list *next;    /* updated and restored together with this one; or NULL */
    double *work;               /* [cells] on the device, while values in zones are filled in */
    struct given_ahead *ahead;  /* values of the next step, or NULL */
};

/* A `change`: times data[i], for all components. */
void given_scale(double *value, int components, int32_t n, const double *data);
/* Component k at place i times data[k n + i]. */
void given_scale_each(double *value, int components, int32_t n, const double *data);

/* Adds an entry and fills its array at the list's time, on all ranks alike.  False with a message on all of them: a
 * value is not a number or outside its range, with the place in the case and the position where it occurred. */
bool given_add(struct given_list *list, const struct given *g, struct error *e);
/* Only evaluates an entry, as given_add() does, on this rank; it needs no array. */
bool given_check(const struct given_list *list, const struct given *g, struct error *e);
/* Fills the arrays of all values that depend on time: before a time step that ends at time t.  False with a message as
 * above; the arrays of the entry with the error are then those of the last time. */
bool given_update(struct given_list *list, double t, struct error *e);
/* After an update: a thread evaluates the values at time t, for an update at exactly that time; any other evaluates its
 * own.  The same values, and the same errors then.  Not in a list with `staged`. */
void given_prepare(struct given_list *list, double t);
/* Within a step, after given_update() for its end, in this list alone: fills the arrays with the values at the time t;
 * then with 1 - part of these and part of those at the end; then with those at the end.  Errors as above; extremes then
 * include those at t.  With `from_start` given_mean() comes first, once, and takes the values of the update before. */
bool given_stage(struct given_list *list, double t, struct error *e);
void given_mean(struct given_list *list, double part);
void given_end(struct given_list *list);
/* Does the entry, or any entry, depend on time? */
bool given_is_in_time(const struct given *g);
bool given_in_time(const struct given_list *list);
/* Further lists are updated and restored after this one. */
void given_append(struct given_list *list, struct given_list *later);
/* After reading a checkpoint of time t: restores the values of the case at that time, except `shared` ones.  They
 * differ from the checkpoint's if the case has been changed. */
bool given_restore(struct given_list *list, double t, struct error *e);
/* Extremes of the first component of all entries of this array at the last update; 1 and -1: there are none. */
void given_extremes(const struct given_list *list, const double *array, double *low, double *high);
/* The longest vector of the entries of this array that contain expressions or have a `stretch`; 0: none.  Those that
 * contain the time are sampled at times from 0 to 1e6 steps, so that the result does not depend on when a run is
 * restarted.  Collective. */
double given_largest(struct given_list *list, const double *array, double step);
/* Those times, i from 0 to GIVEN_TIMES - 1; and the values [components faces] on this rank, at a time, of an entry that
 * contains it; false: they are not valid. */
enum { GIVEN_TIMES = 100 };
double given_time(int i, double step);
bool given_sample(const struct given_list *list, const struct given *g, double t, double *value);
/* given_largest() of an entry that is not in the list, on this rank alone; it needs no array. */
double given_longest(const struct given_list *list, const struct given *g, double step);
void given_free(struct given_list *list);

struct given_zone_args { const int32_t *zone_of; int32_t zone; const double *from; double *to; };
KERNEL(given_in_zone, struct given_zone_args)           /* over cells of this zone: to = from */
#endif
