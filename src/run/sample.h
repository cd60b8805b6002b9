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
    struct sample_cells {       /* for fields of the flow; for fields with solids (struct field), whose cells may be on
                                   other ranks */
        int32_t n;              /* entries whose cell is owned by this rank */
        int64_t *at;            /* [entries] index of the cell's numbers among those of all ranks; -1: it is a solid */
        int32_t *cell;          /* [n], on the device */
        double *point, *arm;    /* [dim n], on the device */
    } cells[2];
    int64_t *wall_at;           /* [entries] likewise of the wall's numbers; no wall: -1 */
    int32_t n_walls;            /* entries whose wall is owned by this rank */
    int32_t *wall;              /* [n_walls], on the device */
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
