/* sample.h: fields at points, for probes and lines.  In the cell that holds the point the field is linear: x_P +
 * grad x . (point - centre).  At a boundary face where a value is given this misses that value by something: so much
 * is added times t^2, t being the part of the way from the centre to the face that the point is on.  The change of
 * the velocity along a wall fades towards it.  So a line that ends at a wall ends with the wall's velocity. */
#ifndef POISE_SAMPLE_H
#define POISE_SAMPLE_H
#include <stdbool.h>
#include "flow/flow.h"

struct sample {
    int32_t n, n_own;           /* points; those in cells of this rank */
    int dim;
    int *rank;                  /* [n] on the host: which rank has the point's cell */
    int32_t *own;               /* [n_own] on the host: which points those of this rank are */
    int32_t *cell;              /* [n_own] on the machine */
    double *point;              /* [dim n_own] on the machine */
    double *arm;                /* [dim n_own] on the machine: centre -> point */
    int32_t *wall;              /* [n_own] on the machine: boundary face of the cell that the point is nearest to, or
                                   -1 */
    double *on_device;          /* [dim n_own] of one field */
};

/* All ranks together.  point: [3 n].  Refused: a point outside the mesh; for the message: place as case_place() has it,
 * "probes" or "lines", the name. */
bool sample_create(struct sample *s, const struct mesh *m, const double *point, int32_t n, const char *place,
                   const char *group, const char *name, struct error *e);
void sample_free(struct sample *s);
/* The fields of FIELD_SAMPLE, with the gradients of the last fields_look(): value [columns n], host: column k
 * (fields_column()) of point i at [k * n + i].  All ranks together, and all have the values. */
void sample_read(const struct sample *s, const struct flow *f, double *value);
#endif
