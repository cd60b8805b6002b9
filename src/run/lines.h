/* lines.h: fields along straight lines, lines/NAME.csv. */
#ifndef POISE_LINES_H
#define POISE_LINES_H
#include "flow/flow.h"
#include "run/case_settings.h"
#include "run/sample.h"

struct lines { const struct case_settings *c; struct sample *line; };

/* *l must be all zero.  Refused: a point outside of the mesh; lines_free() is due then, too. */
bool lines_create(struct lines *l, const struct case_settings *c, const struct mesh *m, struct error *e);
/* DIRECTORY/lines/NAME.csv, rewritten whole: x, y(, z) and the fields of FIELD_SAMPLE as they are now. */
bool lines_write(const struct lines *l, struct flow *f, const char *directory, struct error *e);
void lines_free(struct lines *l);
#endif
