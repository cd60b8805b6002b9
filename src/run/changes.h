/* changes.h: what was changed in a case while it was computed: by a restart with another case file or other --set, and
 * by the control file.  Each change is a row of DIRECTORY/changes.csv: iteration,by,key,before,now; the file is there
 * once there is one. */
#ifndef POISE_CHANGES_H
#define POISE_CHANGES_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"

struct changes {
    char *settings;             /* those in force, a line "path = value" each; what a checkpoint gets */
    char path[2048];
    int64_t resumed;            /* the iteration that this run goes on from */
    bool resume;
    struct csv *csv;            /* NULL: not opened yet */
};

/* settings: of the case (case.h), copied.  Without resume an earlier run's file is removed; with it, rows after
 * resumed_step are.  changes_close() frees it, also after a failure. */
bool changes_open(struct changes *c, const char *directory, const char *settings, bool resume, int64_t resumed_step,
                  struct error *e);
/* Are two texts of settings the same but for limits on the iterations and the directory?  Then a run that has come to
 * its end with one is at its end with the other. */
bool changes_keep_end(const char *before, const char *now);
/* Tells the log and the file what is different from the settings that a checkpoint holds (NULL: it holds none). */
bool changes_since(struct changes *c, const char *before, struct error *e);
/* The control file has changed one of them. */
bool changes_note(struct changes *c, int64_t step, const char *key, const char *now, struct error *e);
void changes_close(struct changes *c);
#endif
