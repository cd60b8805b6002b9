/* run_parts.h: private to src/run: a run, and what an algorithm does in it. */
#ifndef POISE_RUN_PARTS_H
#define POISE_RUN_PARTS_H
#include <stdint.h>
#include "flow/simple.h"
#include "io/output.h"
#include "run/advice.h"
#include "run/backflow.h"
#include "run/control.h"
#include "run/monitor.h"
#include "run/run.h"

struct run {
    const struct case_settings *c;
    const struct run_options *o;
    const struct run_kind *kind;
    void *own;                  /* of the kind */
    struct mesh m;              /* this rank's part of the mesh, or all of it */
    struct mesh whole;          /* of several ranks: what m is a part of; else unused */
    struct flow *f;             /* of the algorithm that runs */
    struct monitors *monitors;
    struct output *output;
    struct csv *residuals;
    struct backflow backflow;
    double speed;               /* that conditions and forces can make; 0: not known */
    char checkpoint[PATH_LENGTH + 32];
    int64_t first, step;        /* step of the checkpoint that this run goes on from, or 0; steps done */
    double time, length;        /* after the last step, and of it; steady: iterations, 1 */
    bool on_time;               /* it ended at a time at which fields are written */
    char note[300];             /* the last note of the pressure's solver that was told: each is told once */
    int64_t recorded;           /* last step that has a row in residuals.csv */
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

struct run_system { const struct matrix *a; const double *rhs; double unit; };          /* as system_file_write() */
struct run_number { char name[2 * NAME_LENGTH]; double value; };

/* What is not alike in steady runs and runs in time, in the order in which run.c calls it.  False with a message.
 * NULL: nothing is done. */
struct run_kind {
    const char *word;           /* for a step: "iteration" */
    bool in_time;
    size_t size;                /* of `own`, zero at first */
    /* The list of f's fields, of which c and s.dim are given; nothing is allocated for the fields themselves. */
    struct fields (*fields)(const struct flow *f);
    bool (*create)(struct run *r, struct error *e);             /* sets r->f, r->speed */
    bool (*restored)(struct run *r, struct error *e);           /* the fields are there */
    bool (*begin)(struct run *r, struct error *e);              /* behind the first page of the log */
    bool (*over)(const struct run *r);                          /* no step may follow */
    void (*step)(struct run *r);
    bool (*tables)(struct run *r, bool all, struct error *e);   /* rows of its own files; all: after the last step */
    int (*numbers)(const struct run *r, struct run_number *n);  /* a row of residuals.csv; returns how many */
    const char *(*trouble)(struct run *r);                      /* why the run must end, or NULL */
    enum exit_status (*judge)(const struct run *r);             /* without trouble; also before the first step */
    void (*tell)(struct run *r, bool last);
    void (*situation)(const struct run *r, struct situation *s);        /* after a divergence */
    bool (*end)(struct run *r, enum exit_status *status);       /* tells how it ended; true: nothing is left */
    struct run_system (*make_system)(struct run *r, enum system_kind which);
    void (*free)(void *own);
};
enum { MOST_NUMBERS = MOST_RESIDUALS + 16 };
extern const struct run_kind steady_run, transient_run;
const struct run_kind *run_kind_of(const struct flow_setting *c);

static inline bool run_is_due(int64_t step, int every) { return every > 0 && step % every == 0; }
/* Writes the fields, as those of this time, and the lines. */
bool run_save_fields(struct run *r, struct error *e);
/* Does this step have a row in the table?  The first ones have, then those with round numbers, the last one, and one a
 * minute where these take longer.  *head: where it has, whether it is this run's first, which the columns' names stand
 * above; of a run that goes on from a checkpoint that may be any. */
bool run_row_is_due(struct run *r, bool last, bool *head);
/* Tells the note of the pressure's solver, if it is a new one. */
void run_tell_note(struct run *r, const struct linear_result *pressure_solve);
/* Why the run must end because of what the solvers answered, or NULL. */
const char *run_solver_trouble(const struct linear_result *velocity_solve, const struct linear_result *pressure_solve);
/* Has it made no step since its start, or since the checkpoint that it goes on from? */
static inline bool run_is_idle(const struct run *r) { return r->step == r->first; }
/* Does a restart find a run that came to its end, in a case that is the same since then?  Then nothing is computed or
 * written, and no file is open. */
static inline bool run_is_done(const struct run *r) { return r->ended > 0; }
#endif
