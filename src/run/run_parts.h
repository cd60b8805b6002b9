/* run_parts.h: private to run.c, run_steady.c and run_transient.c. */
#ifndef POISE_RUN_PARTS_H
#define POISE_RUN_PARTS_H
#include <stdint.h>
#include "flow/flow.h"
#include "run/control.h"
#include "run/monitor.h"
#include "run/run.h"
#include "io/output.h"

struct run {
    const struct case_settings *c;
    const struct run_options *o;
    struct mesh m;              /* this rank's part of the mesh, or all of it */
    struct mesh whole;          /* of several ranks: what m is a part of; else unused */
    struct flow *f;             /* of the algorithm that runs */
    struct monitors *monitors;
    struct output *output;
    struct csv *residuals;
    char checkpoint[PATH_LENGTH + 32];
    int64_t first, step;        /* step of the checkpoint that this run goes on from, or 0; steps done */
    char note[300];             /* the last note of the pressure's solver that was told: each is told once */
    int64_t written;            /* last step whose fields are on the disk */
    int64_t saved;              /* step of the checkpoint that is on the disk or being written; 0: there is none */
    struct control control;
    struct asked asked;         /* after the last iteration */
    struct changes changes;
    char *settings_before;      /* of the checkpoint that this run goes on from, or NULL */
    double ended;               /* 1 + exit status of a run that is at its end, as checkpoints have it; 0: it is not */
    double start, before;       /* clock at the first step; seconds that earlier runs spent */
    double told;                /* clock at the last row of the table; 0: there has been none */
};

/* The whole run on the mesh r->m, which must be there.  r->f is NULL again afterwards. */
bool run_steady(struct run *r, double mesh_seconds, enum exit_status *status, struct error *e);
bool run_transient(struct run *r, double mesh_seconds, enum exit_status *status, struct error *e);

/* Opens output, residuals.csv with this header and monitors, and on a restart reads the state.  run_close() closes
 * what is open, also after a failure. */
bool run_open(struct run *r, const char *header, struct error *e);
void run_close(struct run *r);
/* On a restart: where it begins ("iteration 12"), and what has changed in the case since the checkpoint. */
bool run_tell_restart(struct run *r, const char *where, struct error *e);
/* Does a restart find a run that came to its end, in a case that is the same since then?  Then nothing is computed or
 * written, and no file is open. */
bool run_is_done(const struct run *r);
bool run_save_checkpoint(struct run *r, struct error *e);
/* One more step has been done. */
void run_count_step(struct run *r);
/* Writes the fields, as those of this time, and the lines. */
bool run_save_fields(struct run *r, double time, struct error *e);
/* Waits until all that was saved is on the disk. */
bool run_files_are_written(struct error *e);
/* Tells where the results are, and the digest if it was asked for. */
void run_results(const struct run *r);

/* Does this step have a row in the table?  The first ones have, then those with round numbers, the last one, and one a
 * minute where these take longer.  *head: where it has, whether it is this run's first, which the columns' names stand
 * above; of a run that goes on from a checkpoint that may be any. */
bool run_row_is_due(struct run *r, bool last, bool *head);
/* Tells the note of the pressure's solver, if it is a new one. */
void run_tell_note(struct run *r, const struct linear_result *pressure_solve);
/* Why the run must end because of what the solvers answered, or NULL. */
const char *run_solver_trouble(const struct linear_result *velocity_solve, const struct linear_result *pressure_solve);
#endif
