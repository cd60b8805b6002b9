/* series.h: reads the fields that a run has written into DIRECTORY/fields. */
#ifndef POISE_SERIES_H
#define POISE_SERIES_H
#include <stdint.h>
#include "base/error.h"
#include "base/names.h"
#include "io/output.h"

struct written_field { char name[NAME_LENGTH]; int components; };      /* components: 1 or 3 */
struct written_step {
    char path[2 * PATH_LENGTH];
    int64_t step;
    double time;
    int n_fields;
    struct written_field field[MOST_OUTPUT_FIELDS];
};

/* The steps of DIRECTORY/fields, ascending: the N of files NNNNNN.h5 named as by output_write(); others are the user's
 * own.  The caller frees them.  -1: the folder cannot be read. */
int series_steps(const char *folder, int64_t **steps);
/* Opens the file s->path.  False with a message, which ends with `advice`. */
bool series_read(struct written_step *s, const char *advice, struct error *e);
/* The given step of the series, or the last one if step < 0.  False (EXIT_INPUT): not found; the message names the
 * existing steps. */
bool series_step(struct written_step *s, const char *directory, int64_t step, struct error *e);
/* One of its fields in the file's layout: component k of cell c, in the mesh file's numbering, at [c * components + k].
 * The caller frees it; NULL: it cannot be read, or does not have n cells. */
double *series_field(const struct written_step *s, const struct written_field *f, int32_t n, struct error *e);
#endif
