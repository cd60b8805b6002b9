/* sample.h: fields at points, for probes and lines, continuous, and at walls what they are there: blend.h. */
#ifndef POISE_SAMPLE_H
#define POISE_SAMPLE_H
#include <stdbool.h>
#include "flow/flow.h"
#include "run/blend.h"

/* What a point's value is made of comes from the ranks that have the cells, and the boundary faces of walls, and is put
 * together on the host of all of them. */
struct sample {
    int32_t n;                  /* points */
    int dim;
    struct blend blend;         /* on the host, numbered as in the whole mesh */
    int64_t *cell_at, *wall_at; /* [entries] where the cell's and the wall's numbers are among those of all ranks; no
                                   wall: -1 */
    int32_t n_cells, n_walls;   /* entries whose cell, whose wall is this rank's; of these, on the machine: */
    int32_t *cell, *wall;       /* [n_cells]; [n_walls] */
    double *point, *arm;        /* [dim n_cells] */
    double *on_device;          /* [3 dim n_cells] or [2 dim n_walls]: of one field */
};

/* All ranks together.  point: [3 n].  Refused: a point outside the mesh; for the message: place as case_place() has it,
 * "probes" or "lines", the name. */
bool sample_create(struct sample *s, const struct mesh *m, const double *point, int32_t n, const char *place,
                   const char *group, const char *name, struct error *e);
/* The same at points, [3 n], that are known to be in these cells of the whole mesh, by the linear function of each cell
 * alone. */
void sample_of_cells(struct sample *s, const struct mesh *m, const double *point, const int32_t *cell, int32_t n);
void sample_free(struct sample *s);
/* The fields of FIELD_SAMPLE, with the gradients of the last fields_look(): value [columns n], host: column k
 * (fields_column()) of point i at [k * n + i].  All ranks together, and all have the values. */
void sample_read(const struct sample *s, const struct flow *f, double *value);
#endif
