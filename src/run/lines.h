/* lines.h: fields along straight lines, lines/NAME.csv. */
#ifndef POISE_LINES_H
#define POISE_LINES_H
#include "flow/flow.h"
#include "run/case_settings.h"
#include "run/columns.h"
#include "run/sample.h"

struct lines { const struct case_settings *c; struct sample *line; struct columns *columns; };

/* *l must be all zero.  averages: of the run, or NULL.  Refused: a point outside of the mesh; lines_free() is due then,
 * too. */
bool lines_create(struct lines *l, const struct case_settings *c, const struct mesh *m, const struct fields *all,
                  struct averages *averages, struct error *e);
/* The fields of FIELD_SAMPLE as they stood at the last fields_look(). */
void lines_read(const struct lines *l, const struct flow *f);
/* DIRECTORY/lines/NAME.csv, rewritten whole: x, y(, z) and the columns of the last lines_read(). */
bool lines_write(const struct lines *l, int dim, const char *directory, struct error *e);
void lines_free(struct lines *l);
#endif
