/* control.h: requests to a running case from outside: signals, a limit on the wall clock, checkpoints every so many
 * minutes, and the file DIRECTORY/control.
 *
 * Lines of that file: stop; write (fields, lines and a checkpoint); KEY = VALUE with one of a few keys of the case
 * (control_file.c).  It is read after every output.control_every iterations and removed; its requests, and lines that
 * are not understood, are reported in the log.  Only `stop` ends the run.
 *
 * Nothing here changes the results, unless the file does.  All ranks agree on the requests. */
#ifndef POISE_CONTROL_H
#define POISE_CONTROL_H
#include <stdbool.h>
#include <stdint.h>
#include "run/case_settings.h"
#include "run/changes.h"

struct control {
    struct case_settings *c;    /* whose end, step and limits the file may change */
    struct changes *changes;
    char path[PATH_LENGTH + 32];
    char before[200];           /* the reported reason why the file cannot be read; "": it can */
    double deadline;            /* wall_seconds() by which the run must have ended; 0: none */
    double looked, longest;     /* time of the last control_look(), or 0; most seconds between two calls */
    double writing[2];          /* most seconds that writing fields, and a checkpoint, took; 0: not written yet */
    double saved;               /* time of the last checkpoint, or of the start of the run */
};

struct asked {
    bool stop, write, checkpoint;
    char why[80];               /* of stop: "by signal 15 (SIGTERM)" */
};

enum { CONTROL_FIELDS, CONTROL_CHECKPOINT };
/* c and changes, which records changes, must outlive it.  From here on signals end the run after the current iteration
 * instead of the program (INT or TERM once more: the program, at once); SIGUSR1 requests a checkpoint.  An existing
 * control file belongs to an earlier run and is removed. */
void control_begin(struct control *k, struct case_settings *c, struct changes *changes, double deadline);
/* Called after every iteration or step; time: of the flow.  False: a change could not be written. */
bool control_look(struct control *k, int64_t step, double time, struct asked *a, struct error *e);
/* Records how long it took to write something. */
void control_wrote(struct control *k, int what, double seconds);

/* ---------------------------------------------------------------- control_file.c */
enum { MOST_CONTROLLED = 12 };
/* Requests as numbers on which ranks can agree: the largest counts. */
struct wishes { double stop, write, checkpoint, value[MOST_CONTROLLED]; };      /* value: -infinity: not requested */
enum { STOP_BY_FILE = 1000, STOP_BY_CLOCK };    /* and signals by their numbers */
/* Reads the file, if it exists, and removes it. */
void control_read(struct control *k, int64_t step, double time, struct wishes *w);
/* Changes the case's settings as requested. */
bool control_apply(struct control *k, int64_t step, const struct wishes *w, struct error *e);
#endif
