/* series.h: what a run has written into DIRECTORY/fields, to be read again. */
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

/* N of "NNNNNN.h5" as output_write() spells it; -1 for other names: those are the user's own. */
int64_t series_step_of(const char *name);
/* The step of the series, or the last one where step < 0.  False (EXIT_INPUT) with what is there instead. */
bool series_step(struct written_step *s, const char *directory, int64_t step, struct error *e);
/* A field of it as the file has it: component k of cell c, as the mesh file numbers it, at [c * components + k].  The
 * caller's to free; NULL: it cannot be read, or is not of n cells. */
double *series_field(const struct written_step *s, const struct written_field *f, int32_t n, struct error *e);
#endif
