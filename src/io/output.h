/* output.h: fields for ParaView and checkpoints.  A file that exists is complete: everything is written beside its place
 * and renamed; the .xdmf is rewritten whole after every step, so the series can be opened at any moment.
 * Everything on disk is in the mesh file's own cell numbering, except checkpoints (solver's order, same mesh only). */
#ifndef POISE_OUTPUT_H
#define POISE_OUTPUT_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "mesh/mesh.h"

struct output_field {
    const char *name;
    int components;             /* 1, or the mesh's dimension: written as a 3-component vector, 2-D padded with zero */
    const double *value;        /* host, component k of cell c at [k * stride + c], solver's order */
    int64_t stride;
};

/* Directory and mesh.h5 are made. resume: keep the steps <= resumed_step that are there already (restart), drop later ones. */
struct output;
struct output *output_open(const char *directory, const char *name, const struct mesh *m, bool resume, int64_t resumed_step,
                           struct error *e);
/* fields/NNNNNN.h5 and NAME.xdmf.  time: the value ParaView shows (iteration number in a steady run). */
bool output_write(struct output *o, int64_t step, double time, const struct output_field *field, int n_fields, struct error *e);
void output_close(struct output *o);

/* A checkpoint: named arrays of doubles. key: what the run depends on (mesh, numerics); reading another key is refused. */
struct checkpoint_array { const char *name; double *value; int64_t n; };
bool checkpoint_write(const char *path, const char *key, int64_t step, const struct checkpoint_array *a, int n, struct error *e);
bool checkpoint_read(const char *path, const char *key, int64_t *step, const struct checkpoint_array *a, int n, struct error *e);

/* CSV that grows by whole lines, first column the iteration. resume: rows after resumed_step are dropped. */
struct csv;
struct csv *csv_open(const char *path, const char *header, bool resume, int64_t resumed_step, struct error *e);
bool csv_row(struct csv *c, int64_t step, const double *value, int n, struct error *e);         /* %.17g-exact, flushed */
void csv_close(struct csv *c);
#endif
