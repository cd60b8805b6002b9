/* write.h: what a run writes to disk: the fields requested by the case, checkpoints, the digest. */
#ifndef POISE_WRITE_H
#define POISE_WRITE_H
#include <stdbool.h>
#include <stdint.h>
#include "run/run_setting.h"
#include "flow/flow.h"
#include "io/output.h"

/* In all of these m is the mesh of the flow. */
/* A field as in output files, of the cells of all ranks in the solver's order, [components cells], on rank 0, which
 * frees it; NULL on the others.  With solids their cells are included; fields of the flow are 0 there. */
double *field_gathered(const struct field *f, const struct mesh *m);
/* Writes the case's fields into the series; time: of the flow, or the iteration's number. */
bool write_fields(struct output *o, const struct output_setting *set, const struct flow *f, const struct mesh *m,
                  int64_t step, double time, struct error *e);

/* checkpoint.c: the whole state (fields of FIELD_CHECKPOINT, the multigrid structure), so that a restarted run has the
 * same bits as an uninterrupted one.  clock: seconds spent so far, accumulated over restarts; ended: 1 + the exit
 * status of a completed run, 0 before; settings: of the run, a text (changes.h).  Reading rejects the checkpoint of
 * another mesh, and one without these arrays. */
bool write_checkpoint(const char *path, const struct flow *f, const struct mesh *m, int64_t step, double *clock,
                      double *ended, const char *settings, struct error *e);
bool read_checkpoint(const char *path, struct flow *f, const struct mesh *m, int64_t *step, double *clock,
                     struct error *e);
/* Reads what is needed to open the files that are continued from a checkpoint: its step, ended and settings, which are
 * allocated: NULL if it has none.  Fails if its algorithm is one that this run's cannot continue. */
bool peek_checkpoint(const char *path, const struct mesh *m, enum algorithm now, int64_t *step, double *ended,
                     char **settings, struct error *e);

/* Hash of the fields of FIELD_DIGEST, as stored, in the file's cell numbering; on rank 0. */
uint64_t fields_digest(const struct flow *f, const struct mesh *m);
#endif
