/* monitor.h: what is monitored while a case runs, in files of the output directory: probes, forces and moments on
 * boundaries, surfaces, planes, flow rates, lines; and the quantities that must become constant before the run counts
 * as converged. */
#ifndef POISE_MONITOR_H
#define POISE_MONITOR_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "flow/flow.h"
#include "run/case_settings.h"

struct findings;
struct monitors;
/* Checks that points fit a mesh of f->dim dimensions, and that each probe, force and surface has the quantity that
 * `convergence` names. */
void monitors_check_mesh(const struct case_settings *c, struct findings *f);
/* Checks that the fields requested by surfaces and planes exist.  all: fields of the case.  False with a message. */
bool monitors_check_fields(const struct case_settings *c, const struct fields *all, struct error *e);
/* Adds to *e the monitors that are outside the mesh. */
void monitors_check_places(const struct case_settings *c, const struct mesh *m, struct error *e);
/* Calls tell() for every kind of monitor in the case: their number, their word. */
void monitors_count(const struct case_settings *c, void (*tell)(int n, const char *word));
/* resume: as csv_open().  Fails for a point outside the mesh or a boundary that does not exist. */
struct monitors *monitors_create(const struct case_settings *c, const struct mesh *m, struct flow *f, bool resume,
                                 int64_t resumed_step, struct error *e);
/* Reads all but lines and adds a row to the files; transient runs have the time in it.  due: the step is one of
 * output.report_every; the last step of a run need not be, and is then not used by `convergence`, so that a run
 * restarted from it judges as if it had never ended. */
bool monitors_record(struct monitors *w, int64_t step, double time, bool due, struct error *e);
/* Rewrites lines/NAME.csv, the faces of the surfaces and the planes; called when fields are written. */
bool monitors_write(struct monitors *w, int64_t step, double time, struct error *e);
/* Called after every step, before monitors_record(): averages, and the surfaces and planes with their own interval.
 * dt: the length of the step; in a steady run the time is the iteration, and the length 1. */
bool monitors_follow(struct monitors *w, int64_t step, double time, double dt, struct error *e);
/* Called when the fields of the flow, including the history of the convergence monitors, have been read from the
 * checkpoint of this path and step.  Fails if its counts are not whole numbers that so many steps can produce. */
bool monitors_restored(struct monitors *w, const char *path, int64_t step, struct error *e);
/* Whether every quantity of `convergence` has changed by no more than its tolerance over its span.  *worst: index of
 * the one that changes most, or -1. */
bool monitors_steady(const struct monitors *w, int *worst, double *change);
/* A conserved quantity after a step, per unit of time. */
struct balance {
    int of;                     /* see balances.h; 0: there is none */
    const char *name;           /* of the transported quantity, or NULL */
    double missing, gross;      /* what does not close; the sum of the magnitudes of all that passes */
    double rounding;            /* rounding errors of what is missing, for values of size 1 */
};
/* That of the i-th monitor; false: there are fewer. */
bool monitors_balance(struct monitors *w, int64_t step, int i, struct balance *b);
/* Prints the values after this step for the summary. */
void monitors_print(struct monitors *w, int64_t step);
void monitors_free(struct monitors *w);
#endif
