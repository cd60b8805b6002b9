/* directory.h: the directory that a run writes into.  The file poise.lock in it marks it as one of Poise's, and is
 * locked (flock) by the run that writes there: no second run enters, and no file of anybody else's is replaced or
 * removed. */
#ifndef POISE_DIRECTORY_H
#define POISE_DIRECTORY_H
#include <stdbool.h>
#include "base/error.h"

#define DIRECTORY_LOCK "poise.lock"

/* May a run write there?  It may where nothing is yet, in an empty directory and in one with poise.lock; else false
 * (EXIT_INPUT).  Nothing is written, and whether another run is there is not asked. */
bool directory_check(const char *path, struct error *e);
/* Makes the directory where it is missing, locks it, and removes what killed runs left unfinished in it.  *lock is what
 * directory_release() takes.  *note: what the user should be told, or NULL: a file system that has no locks.  False:
 * EXIT_INPUT as directory_check(); EXIT_RESOURCE: another run is there (which process), or it cannot be written. */
bool directory_claim(const char *path, int *lock, const char **note, struct error *e);
void directory_release(int lock);
#endif
