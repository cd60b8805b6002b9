/* directory.h: a run's output directory.  The file poise.lock marks it as one of Poise's, and is locked (flock) by the
 * run that writes there: so no second run uses it, and no foreign file is replaced or removed. */
#ifndef POISE_DIRECTORY_H
#define POISE_DIRECTORY_H
#include <stdbool.h>
#include "base/error.h"

#define DIRECTORY_LOCK "poise.lock"

/* May a run write to this directory?  True if it does not exist, is empty or has poise.lock; else false (EXIT_INPUT).
 * Nothing is written, and locks of other runs are not checked. */
bool directory_check(const char *path, struct error *e);
/* Creates the directory if missing, locks it, and removes temporary files of killed runs.  *lock is passed to
 * directory_release().  *note: a remark for the user (a file system without locks), or NULL.  False: EXIT_INPUT as from
 * directory_check(); EXIT_RESOURCE: another run uses it (with its process), or it cannot be written. */
bool directory_claim(const char *path, int *lock, const char **note, struct error *e);
void directory_release(int lock);
#endif
