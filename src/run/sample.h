/* sample.h: fields at points, for probes and lines; continuous, and with the given values at walls: blend.h. */
#ifndef POISE_SAMPLE_H
#define POISE_SAMPLE_H
#include <stdbool.h>
#include "flow/flow.h"
#include "run/blend.h"

/* The contributions to a point's value come from the ranks that own the cells and the boundary faces of walls, and are
 * combined on the host of every rank. */
struct sample {
    int32_t n;                  /* points */
    int dim;
    struct blend blend;         /* on the host, numbered as in the whole mesh */
    int64_t *cell_at, *wall_at; /* [entries] index of the cell's and the wall's numbers among those of all ranks; no
                                   wall: -1 */
    int32_t n_cells, n_walls;   /* entries whose cell, or wall, is owned by this rank; of these, on the device: */
    int32_t *cell, *wall;       /* [n_cells]; [n_walls] */
    double *point, *arm;        /* [dim n_cells] */
    double *on_device;          /* [3 dim n_cells] or [2 dim n_walls]: one field */
};

/* All ranks together.  m: where the fluid flows; points may also be in its solids, where a field is the linear function
 * of the cell alone.  point: [3 n].  Fails for a point outside the mesh; for the message: place from
 * case_place_text(), "probes" or "lines", the name. */
bool sample_create(struct sample *s, const struct mesh *m, const double *point, int32_t n, const char *place,
                   const char *group, const char *name, struct error *e);
/* The same for points, [3 n], known to be in these cells of the whole mesh, with the linear function of each cell
 * alone. */
void sample_of_cells(struct sample *s, const struct mesh *m, const double *point, const int32_t *cell, int32_t n);
void sample_free(struct sample *s);
/* The fields of FIELD_SAMPLE, with the gradients of the last fields_look(): value [columns n], host: column k
 * (fields_column()) of point i at [k * n + i].  All ranks together; all get the values. */
void sample_read(const struct sample *s, const struct flow *f, double *value);
#endif
