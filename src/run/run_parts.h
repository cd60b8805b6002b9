/* run_parts.h: private to src/run: a run, and the functions of an algorithm in it. */
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
    struct mesh m;              /* this rank's part of the mesh, or all of it, with solids */
    struct mesh fluid;          /* with solids: where it flows, mesh/fluid.h, or this rank's part; else unused */
    struct mesh whole;          /* several ranks: the mesh that m is a part of; else unused */
    struct mesh whole_fluid;    /* several ranks, with solids: that of `fluid`; else unused */
    struct flow *f;             /* of the algorithm that runs */
    struct monitors *monitors;
    struct output *output;
    struct csv *residuals;
    struct backflow backflow;
    double speed;               /* that boundary conditions and forces can cause; 0: not known */
    char checkpoint[PATH_LENGTH + 32];
    int64_t first, step;        /* step of the checkpoint that this run continues, or 0; steps done */
    double time, length;        /* after the last step, and its length; steady: iterations, 1 */
    bool on_time;               /* it ended at a time at which fields are written */
    char note[300];             /* the last note of the pressure's solver in the log; each is logged once */
    int64_t recorded;           /* last step that has a row in residuals.csv */
    int64_t written;            /* last step whose fields are on the disk */
    int64_t saved;              /* step of the checkpoint on disk or being written; 0: none */
    struct control control;
    struct asked asked;         /* after the last iteration */
    struct changes changes;
    char *settings_before;      /* of the checkpoint that this run continues, or NULL */
    double ended;               /* 1 + exit status of a completed run, as in checkpoints; 0: not completed */
    double start, before;       /* clock at the first step; seconds spent by earlier runs */
    double told;                /* clock at the last row of the table; 0: none yet */
};

/* The mesh of the flow. */
static inline const struct mesh *run_mesh(const struct run *r) { return r->fluid.n_cells ? &r->fluid : &r->m; }

struct run_system { const struct matrix *a; const double *rhs; double unit; };          /* as in system_file_write() */
struct run_number { char name[2 * NAME_LENGTH]; double value; };

/* What differs between steady and transient runs, in the order in which run.c calls it.  False with a message.  NULL:
 * nothing is done. */
struct run_kind {
    const char *word;           /* for a step: "iteration" */
    bool in_time;
    size_t size;                /* of `own`, zero at first */
    /* The list of f's fields; f has only c and s.dim; nothing is allocated for the fields themselves. */
    struct fields (*fields)(const struct flow *f);
    bool (*create)(struct run *r, struct error *e);             /* sets r->f, r->speed */
    bool (*restored)(struct run *r, struct error *e);           /* the fields have been read */
    bool (*begin)(struct run *r, struct error *e);              /* after the first page of the log */
    bool (*over)(const struct run *r);                          /* no step may follow */
    bool (*step)(struct run *r, struct error *e);               /* false: an invalid value of the case */
    bool (*tables)(struct run *r, bool all, struct error *e);   /* rows of its own files; all: after the last step */
    int (*numbers)(const struct run *r, struct run_number *n);  /* a row of residuals.csv; returns their number */
    const char *(*trouble)(struct run *r);                      /* why the run must end, or NULL */
    enum exit_status (*judge)(const struct run *r);             /* without trouble; also before the first step */
    void (*tell)(struct run *r, bool last);
    void (*situation)(const struct run *r, struct situation *s);        /* after a divergence */
    bool (*end)(struct run *r, enum exit_status *status);       /* reports how it ended; true: nothing is left to do */
    void (*wrote)(struct run *r);                               /* fields, also before the first step */
    struct run_system (*make_system)(struct run *r, enum system_kind which);
    void (*free)(void *own);
};
enum { MOST_NUMBERS = MOST_RESIDUALS + 16 };
extern const struct run_kind steady_run, transient_run;
const struct run_kind *run_kind_of(const struct flow_setting *c);

static inline bool run_is_due(int64_t step, int every) { return every > 0 && step % every == 0; }
/* Writes the fields, with this time, and the lines. */
bool run_save_fields(struct run *r, struct error *e);
/* Whether this step has a row in the table: the first steps do, then those with round numbers, the last one, and one a
 * minute if these take longer.  *head: if it has a row, whether it is the first of this run (which may continue from
 * any step), printed below the names of the columns. */
bool run_row_is_due(struct run *r, bool last, bool *head);
/* Logs the note of the pressure's solver, if it is new. */
void run_tell_note(struct run *r, const struct linear_result *pressure_solve);
/* Why the run must end because of the solvers' results, or NULL. */
const char *run_solver_trouble(const struct linear_result *velocity_solve, const struct linear_result *pressure_solve);
/* Whether no step has been made since the start, or since the checkpoint that it continues. */
static inline bool run_is_idle(const struct run *r) { return r->step == r->first; }
/* Whether a restart finds a completed run of an unchanged case.  Then nothing is computed or written, and no file is
 * open. */
static inline bool run_is_done(const struct run *r) { return r->ended > 0; }
#endif
