/* monitor.h: what is watched while a case runs: probes, forces and moments on boundaries, surfaces, planes, flow
 * rates, lines, in files of the output directory, and the quantities that must stand still before the run counts as
 * converged. */
#ifndef POISE_MONITOR_H
#define POISE_MONITOR_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"
#include "flow/flow.h"
#include "run/case_settings.h"

struct findings;
struct monitors;
/* Are points in a mesh of f->dim dimensions, and has each probe, force and surface the quantity that `convergence`
 * names of it? */
void monitors_check_mesh(const struct case_settings *c, struct findings *f);
/* Are there the fields that surfaces and planes ask for?  all: of the case.  False with a message. */
bool monitors_check_fields(const struct case_settings *c, const struct fields *all, struct error *e);
/* Adds to *e which of them are outside the mesh. */
void monitors_check_places(const struct case_settings *c, const struct mesh *m, struct error *e);
/* Calls tell() for every kind of which the case has some: how many, its word. */
void monitors_count(const struct case_settings *c, void (*tell)(int n, const char *word));
/* resume: as csv_open().  Refused: a point outside the mesh, a boundary that does not exist. */
struct monitors *monitors_create(const struct case_settings *c, const struct mesh *m, struct flow *f, bool resume,
                                 int64_t resumed_step, struct error *e);
/* Reads all but lines and adds a row to the files; the time is in those of transient runs.  due: it is one of
 * output.report_every, not that of a last iteration in between, which `convergence` does not see: a run that goes on
 * from there judges as if it had never ended. */
bool monitors_record(struct monitors *w, int64_t step, double time, bool due, struct error *e);
/* lines/NAME.csv, rewritten whole, the faces of the surfaces, the planes; called when fields are written. */
bool monitors_write(struct monitors *w, int64_t step, double time, struct error *e);
/* Called after every step, before monitors_record(): averages, and the surfaces and planes that have an interval of
 * their own.  dt: the step's length; of a steady run the time is the iteration, and the length 1. */
bool monitors_follow(struct monitors *w, int64_t step, double time, double dt, struct error *e);
/* Called when the fields of the flow, of which the history of the convergence monitors is one, have been read from the
 * checkpoint of this path and step.  Refused where its counts are not whole numbers that so many steps can make. */
bool monitors_restored(struct monitors *w, const char *path, int64_t step, struct error *e);
/* Has every quantity of `convergence` changed by no more than its tolerance over its span?  *worst: index of the one
 * that moves most, or -1. */
bool monitors_steady(const struct monitors *w, int *worst, double *change);
/* Prints the values after this step, for the summary. */
void monitors_print(struct monitors *w, int64_t step);
void monitors_free(struct monitors *w);
#endif
