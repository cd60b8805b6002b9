/* bubbles.h: reports on the second fluid while a case runs: its connected parts, each with a persistent number, in
 * bubbles.csv, and its totals in interface.csv.
 *
 * A part gets the number of the part of the previous report that it continues: the nearest one to where that part
 * should be by now (its centre + its velocity times the elapsed time, through periodic faces too).  Centres continue
 * smoothly through periodic faces, out of the mesh.  Without `bubbles` in the case there are no numbers, and centres
 * stay in the mesh. */
#ifndef POISE_BUBBLES_H
#define POISE_BUBBLES_H
#include <stdint.h>
#include "run/case_settings.h"
#include "base/error.h"
#include "interface/parts.h"
#include "mesh/mesh.h"

struct bubbles;

/* Opens DIRECTORY/interface.csv, and DIRECTORY/bubbles.csv when the case has `bubbles`; their columns:
 * docs/reference/formats.md.  resume: numbering continues from the rows that csv_open() keeps, as if the run had not
 * been interrupted. */
struct bubbles *bubbles_create(const struct case_settings *c, const struct mesh *m, const char *directory, bool resume,
                               int64_t resumed_step, struct error *e);
/* Adds rows for the current interface, whose arrays are fetched from the device as needed (collect.h).  u: [dim pitch]
 * on the device.  New parts (broken off) and vanished ones (merged with another) get a line in the log. */
bool bubbles_report(struct bubbles *b, struct interface *i, const double *u, int64_t step, double time,
                    struct error *e);
/* Area of the interface of all parts at this step, as in interface.csv; from the report if there was one at this step.
 * If not, bubbles_parts() returns the parts of this step afterwards, without numbers. */
double bubbles_area(struct bubbles *b, const struct interface *i, const double *u, int64_t step);
/* The parts of the last report; n: their number. */
const struct part *bubbles_parts(const struct bubbles *b, int *n);
void bubbles_free(struct bubbles *b);

/* The same from arrays on the host. */
bool bubbles_report_parts(struct bubbles *b, const struct parts_input *p, const struct interface_summary *s,
                          int64_t step, double time, struct error *e);
#endif
