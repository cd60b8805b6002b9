/* sample.h: fields at points, for probes and lines, continuous, and at walls what they are there: blend.h. */
#ifndef POISE_SAMPLE_H
#define POISE_SAMPLE_H
#include <stdbool.h>
#include "flow/flow.h"

struct sample {
    int32_t n;                  /* points */
    int dim;
    int64_t entries;
    int64_t *start;             /* on the machine, as in struct blend: [n + 1] */
    int32_t *cell, *wall;       /* [entries] */
    double *part, *weight;      /* [entries] */
    double *arm;                /* [dim entries] */
    double *point;              /* [dim n] on the machine */
    double *on_device;          /* [dim n] of one field */
};

/* point: [3 n].  Refused: a point outside the mesh; for the message: place as case_place() has it, "probes" or "lines",
 * the name. */
bool sample_create(struct sample *s, const struct mesh *m, const double *point, int32_t n, const char *place,
                   const char *group, const char *name, struct error *e);
/* The same at points, [3 n], that are known to be in these cells, by the linear function of each cell alone. */
void sample_of_cells(struct sample *s, const struct mesh *m, const double *point, const int32_t *cell, int32_t n);
void sample_free(struct sample *s);
/* The fields of FIELD_SAMPLE, with the gradients of the last fields_look(): value [columns n], host: column k
 * (fields_column()) of point i at [k * n + i]. */
void sample_read(const struct sample *s, const struct flow *f, double *value);
#endif
