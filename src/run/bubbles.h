/* bubbles.h: what is told of the second fluid while a case runs: its connected parts, each with a number that it
 * keeps, in bubbles.csv, and all of it together in interface.csv.
 *
 * A part gets the number of the part of the report before that it continues: the nearest one, seen from where that
 * one should be by now (its centre + its velocity times the time between, through periodic joints too).  Centres go
 * on smoothly through joints, out of the mesh.  Without `bubbles` in the case there are no numbers, and centres stay
 * in the mesh. */
#ifndef POISE_BUBBLES_H
#define POISE_BUBBLES_H
#include <stdint.h>
#include "run/case_settings.h"
#include "base/error.h"
#include "interface/parts.h"
#include "mesh/mesh.h"

struct bubbles;

/* Opens DIRECTORY/interface.csv, and DIRECTORY/bubbles.csv when the case has `bubbles`; their columns:
 * docs/reference/formats.md.  resume: numbers go on from the rows that csv_open() keeps, as if the run had not been
 * interrupted. */
struct bubbles *bubbles_create(const struct case_settings *c, const struct mesh *m, const char *directory, bool resume,
                               int64_t resumed_step, struct error *e);
/* Adds rows from the interface as it stands; what they need of its arrays is fetched from the machine (collect.h).
 * u: [dim pitch] there.  Parts that are new (broken off) or gone (joined to another) get a line in the log. */
bool bubbles_report(struct bubbles *b, struct interface *i, const double *u, int64_t step, double time,
                    struct error *e);
/* Area of the interface of all parts at this step, as interface.csv has it; the report's, if this step has had one.
 * If not, bubbles_parts() has the parts of this step afterwards, without numbers. */
double bubbles_area(struct bubbles *b, const struct interface *i, const double *u, int64_t step);
/* The parts of the last report; n: how many. */
const struct part *bubbles_parts(const struct bubbles *b, int *n);
void bubbles_free(struct bubbles *b);

/* The same from arrays on the host. */
bool bubbles_report_parts(struct bubbles *b, const struct parts_input *p, const struct interface_summary *s,
                          int64_t step, double time, struct error *e);
#endif
