/* changes.h: the settings that changed while a case was computed: by a restart with another case file or other --set,
 * and by the control file.  Each change is a row of DIRECTORY/changes.csv: iteration,by,key,before,now; the file is
 * created with the first one. */
#ifndef POISE_CHANGES_H
#define POISE_CHANGES_H
#include <stdbool.h>
#include <stdint.h>
#include "base/error.h"

struct changes {
    char *settings;             /* the current ones, a line "path = value" each; stored in checkpoints */
    char path[2048];
    int64_t resumed;            /* the iteration that this run continues from */
    bool resume;
    struct csv *csv;            /* NULL: not opened yet */
};

/* settings: of the case (case.h), copied.  Without resume the file of an earlier run is removed; with it, rows after
 * resumed_step are.  changes_close() frees it, also after a failure. */
bool changes_open(struct changes *c, const char *directory, const char *settings, bool resume, int64_t resumed_step,
                  struct error *e);
/* Whether two texts of settings differ only in limits on the iterations and the directory.  Then a run that is complete
 * with one is complete with the other. */
bool changes_keep_end(const char *before, const char *now);
/* Writes to the log and the file the differences from the settings in a checkpoint (NULL: it has none). */
bool changes_since(struct changes *c, const char *before, struct error *e);
/* Records that the control file has changed one of them. */
bool changes_note(struct changes *c, int64_t step, const char *key, const char *now, struct error *e);
void changes_close(struct changes *c);
#endif
