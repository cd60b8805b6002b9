/* write.h: what a run leaves on the disk: the fields that the case asks for, checkpoints, the digest. */
#ifndef POISE_WRITE_H
#define POISE_WRITE_H
#include <stdbool.h>
#include <stdint.h>
#include "run/run_setting.h"
#include "flow/flow.h"
#include "io/output.h"

/* A field as files show it, of the cells of all ranks in the solver's order, [components cells], on rank 0, which frees
 * it; NULL on the others. */
double *field_gathered(const struct field *f, const struct mesh *m);
/* The case's fields into the series; time: of the flow, or the iteration's number. */
bool write_fields(struct output *o, const struct output_setting *set, const struct flow *f, const struct mesh *m,
                  int64_t step, double time, struct error *e);

/* checkpoint.c: the whole state (fields of FIELD_CHECKPOINT, multigrid's structure), so that a run from it gives the
 * same bits as one that was never interrupted.  clock: seconds spent so far, handed on; ended: 1 + the exit status of a
 * run that has come to its end, 0 before; settings: of the run, a text (changes.h).  Reading refuses the checkpoint of
 * another mesh, and one that does not hold these arrays. */
bool write_checkpoint(const char *path, const struct flow *f, const struct mesh *m, int64_t step, double *clock,
                      double *ended, const char *settings, struct error *e);
bool read_checkpoint(const char *path, struct flow *f, const struct mesh *m, int64_t *step, double *clock,
                     struct error *e);
/* Reads what is needed to open the files that go on from a checkpoint: its step, ended and settings, for which room is
 * made: NULL where there are none.  Refused where it is of an algorithm that this run's cannot continue. */
bool peek_checkpoint(const char *path, const struct mesh *m, enum algorithm now, int64_t *step, double *ended,
                     char **settings, struct error *e);

/* Hash of the fields of FIELD_DIGEST, as they are kept, in the file's cell numbering; on rank 0. */
uint64_t fields_digest(const struct flow *f, const struct mesh *m);
#endif
