/* start_values.h: fields that another run has written, with which this one starts (run/initial_file.h). */
#ifndef POISE_START_VALUES_H
#define POISE_START_VALUES_H
#include <stdbool.h>
#include <stdint.h>
#include "base/names.h"

struct flow_setting;
struct stencil;

enum { MOST_START_FIELDS = 32 };
struct start_field {
    char name[NAME_LENGTH];     /* as in struct field */
    int components;
    bool with_solids;           /* likewise */
    int32_t n_cells;            /* this rank's own of the field's mesh; on one rank with those of solids after the
                                   others */
    double *value;              /* host, [components n_cells], component after component */
};
struct start_values {
    int n;
    struct start_field field[MOST_START_FIELDS];
    double speed;               /* the largest velocity of all cells */
    char note[2000];            /* lines for the log */
};

/* The values of the field of this name, or NULL: the case reads no file, or the file does not have it. */
const double *values_of_file(const struct flow_setting *c, const char *name);
/* Copies those of the first cells to an array on the device, as many as the stencil has, [components pitch].  False:
 * there are none, and the array is unchanged. */
bool start_of_file(const struct flow_setting *c, const struct stencil *s, const char *name, double *to);
#endif
