/* initial_file.h: initial.file: the fields of another run, with which this one starts.
 *
 * All fields that both runs have by name and that this run continues from step to step: velocity, pressure, scalars of
 * both fluids, the fraction (unless the case has shapes).  On the same mesh values are copied; on another one they are
 * linear in its cells and bounded by near cells (mesh/transfer.h), the fraction as in
 * interface/fraction_transfer.h. */
#ifndef POISE_INITIAL_FILE_H
#define POISE_INITIAL_FILE_H
#include "mesh/part.h"
#include "run/case_settings.h"

/* Sets c->flow.initial.values, called by all ranks with their parts of the flow's mesh, before the algorithm is
 * created.  Rank 0 reads and interpolates.  Nothing is done if the case has no initial.file.  False with a message: it
 * is missing, damaged, of another dimension, or lacks a field. */
bool initial_file_read(struct case_settings *c, const struct mesh *m, struct error *e);
/* Prints what was read, as lines of the log's first page. */
void initial_file_report(const struct case_settings *c);
void initial_file_free(struct case_settings *c);
/* For poise check: whether the file has what a run of this dimension needs. */
bool initial_file_check(const struct case_settings *c, int dim, struct error *e);
#endif
