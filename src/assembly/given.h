/* given.h: the values that a case gives at boundary faces and in zones (the mesh's regions of cells): one list for
 * velocity, pressure, fraction and scalars, which is the only place that fills them.
 *
 * An entry is a kind of value, the place where it holds and the array on the device that kernels read.  given_add()
 * fills the array for the first time.  given_update() fills it again where the kind depends on time: for the others it
 * costs nothing.  A new kind is one line in the table of given.c and one function. */
#ifndef POISE_GIVEN_H
#define POISE_GIVEN_H
#include "assembly/boundary_setting.h"
#include "assembly/stencil.h"
#include "base/error.h"
#include "mesh/mesh.h"

/* A number (or vector), the same at all places; the profile of an inlet, times the vector. */
enum given_kind { GIVEN_NUMBER, GIVEN_PROFILE, N_GIVEN_KINDS };

struct given {
    enum given_kind kind;
    const double *number;       /* [components] of the case, which outlives the list */
    const struct boundary_setting *profile;     /* GIVEN_PROFILE: its shape */
    double scale;               /* the array gets the value times this */
    double *factor;             /* of one component: [faces] and times this; or NULL; freed with the list */
    const struct patch *patch;  /* at all of its faces, those of other ranks' cells too; NULL: */
    int zone;                   /* in the own cells of this region of the mesh */
    int components;             /* 1 or dim */
    double *array;              /* [components n_boundary] or [components pitch], on the device */
    double *value;              /* [components faces] the same on the host, made by given_add(); in cells NULL */
};
struct given_list {
    const struct mesh *m;       /* outlives the list */
    struct stencil *s;          /* gets its zones when a value is given in one */
    struct given *item;
    int n;
    double time;                /* of the last update */
    double *work;               /* [cells] on the device, while values in zones are filled in */
};

/* Adds an entry and fills its array at the list's time.  False with a message: the mesh does not suit the kind. */
bool given_add(struct given_list *list, const struct given *g, struct error *e);
/* Fills the arrays of all values that depend on time: before a time step that ends at time t. */
void given_update(struct given_list *list, double t);
/* After a checkpoint of time t has been read: puts back the values of the case at that time.  Where the case has been
 * changed the checkpoint has others. */
void given_restore(struct given_list *list, double t);
void given_free(struct given_list *list);

struct given_zone_args { const int32_t *zone_of; int32_t zone; const double *from; double *to; };
KERNEL(given_in_zone, struct given_zone_args)           /* over cells: to = from in this zone */
#endif
