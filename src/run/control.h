/* control.h: what is asked of a run from outside while it goes on: signals, a limit on the wall clock, checkpoints
 * after so many minutes, and the file DIRECTORY/control.
 *
 * Lines of that file: stop; write (fields, lines and a checkpoint); KEY = VALUE with one of a few keys of the case
 * (control_file.c).  It is read after every output.control_every iterations and removed; what it asks for, and what in
 * it is not understood, is told.  Nothing in it ends a run but stop.
 *
 * Nothing here changes what is computed, unless the file does.  Several ranks agree. */
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
    char before[200];           /* why the file cannot be read, as told; "": it can */
    double deadline;            /* wall_seconds() by which the run must have ended; 0: none */
    double looked, longest;     /* when control_look() was called last, or 0; most seconds between two calls */
    double writing[2];          /* most seconds that fields, and a checkpoint, took to write; 0: not written yet */
    double saved;               /* when the last checkpoint was written, or the run began */
};

struct asked {
    bool stop, write, checkpoint;
    char why[80];               /* of stop: "by signal 15 (SIGTERM)" */
};

enum { CONTROL_FIELDS, CONTROL_CHECKPOINT };
/* c and changes, where changes are noted, must outlive it.  From here on signals do not end the program but the run,
 * after the iteration it is in (INT or TERM once more: the program, at once); SIGUSR1 asks for a checkpoint.  A control
 * file that is there already is none of this run and is removed. */
void control_begin(struct control *k, struct case_settings *c, struct changes *changes, double deadline);
/* After every iteration or step; time: of the flow.  False: a change could not be written. */
bool control_look(struct control *k, int64_t step, double time, struct asked *a, struct error *e);
/* Tells how long it took to write something. */
void control_wrote(struct control *k, int what, double seconds);

/* ---------------------------------------------------------------- control_file.c */
enum { MOST_CONTROLLED = 12 };
/* What is asked for, as numbers that ranks can agree on: the largest counts. */
struct wishes { double stop, write, checkpoint, value[MOST_CONTROLLED]; };      /* value: -infinity: not asked for */
enum { STOP_BY_FILE = 1000, STOP_BY_CLOCK };    /* and signals by their numbers */
/* Reads the file, if it is there, and removes it. */
void control_read(struct control *k, int64_t step, double time, struct wishes *w);
/* Changes the case's settings as wished. */
bool control_apply(struct control *k, int64_t step, const struct wishes *w, struct error *e);
#endif
