/* given.h: the values that a case gives at boundary faces and in zones (the mesh's regions of cells): one list for
 * velocity, pressure, fraction and scalars; only its functions fill these arrays.
 *
 * An entry has a kind of value, the faces or cells that it applies to, and the array on the device that kernels read.
 * given_add() fills the array for the first time.  given_update() fills it again if the kind depends on time, and
 * otherwise costs nothing.  A new kind is one line in the table of given.c and one function. */
#ifndef POISE_GIVEN_H
#define POISE_GIVEN_H
#include "assembly/boundary_setting.h"
#include "assembly/stencil.h"
#include "base/error.h"
#include "mesh/mesh.h"

/* A uniform number or vector; an inlet's profile times a vector. */
enum given_kind { GIVEN_NUMBER, GIVEN_PROFILE, N_GIVEN_KINDS };

struct given {
    enum given_kind kind;
    const double *number;       /* [components] from the case, which outlives the list */
    const struct boundary_setting *profile;     /* GIVEN_PROFILE: its shape */
    double *factor;             /* for one component: [faces] a factor of the value, freed with the list; or NULL */
    const struct patch *patch;  /* at all of its faces, including those of other ranks' cells; NULL: */
    int zone;                   /* in the rank's own cells of this region of the mesh */
    int components;             /* 1 or dim */
    double *array;              /* [components n_boundary] or [components pitch], on the device */
    double *value;              /* [components faces] the same on the host, made by given_add(); in cells NULL */
};
struct given_list {
    const struct mesh *m;       /* outlives the list */
    struct stencil *s;          /* stencil_zones() is called when a value is given in a zone */
    struct given *item;
    int n;
    double time;                /* of the last update */
    double *work;               /* [cells] on the device, while values in zones are filled in */
};

/* Adds an entry and fills its array at the list's time.  False with a message: the mesh does not suit the kind. */
bool given_add(struct given_list *list, const struct given *g, struct error *e);
/* Fills the arrays of all values that depend on time: before a time step that ends at time t. */
void given_update(struct given_list *list, double t);
/* After reading a checkpoint of time t: restores the values of the case at that time.  They differ from the
 * checkpoint's if the case has been changed. */
void given_restore(struct given_list *list, double t);
void given_free(struct given_list *list);

struct given_zone_args { const int32_t *zone_of; int32_t zone; const double *from; double *to; };
KERNEL(given_in_zone, struct given_zone_args)           /* over cells: in this zone: to = from */
#endif
