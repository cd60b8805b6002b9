/* file.h: files that are whole or not there.  Everything is written beside its place, into a file of its own
 * (PATH.PROCESS-NUMBER.part), brought to the disk and renamed, so that neither a kill nor a full disk leaves half a
 * file under a name that anybody reads. */
#ifndef POISE_FILE_H
#define POISE_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "base/error.h"

/* The directory and those above it are made where they are missing.  False (EXIT_RESOURCE) with path and reason. */
bool directory_make(const char *path, struct error *e);
/* Makes a folder, where it is missing, in a directory that is there; a symbolic link of that name is refused, it may
 * lead elsewhere.  False (EXIT_RESOURCE) with path and reason. */
bool folder_make(const char *path, struct error *e);
/* `bytes` bytes become the whole content of the file.  False (EXIT_RESOURCE) with path and reason: disk full, not
 * writable, ...; the file that was there before is then untouched and nothing is left beside it. */
bool file_replace(const char *path, const void *data, size_t bytes, struct error *e);
/* For the handler of a signal that ends the program: removes the unfinished file of a file_replace() that the signal
 * has interrupted, if there is one. */
void file_abandon(void);
/* Removes the unfinished files that killed processes have left in a directory; no other process may be writing
 * there.  A symbolic link to a directory is left alone. */
void file_remove_unfinished(const char *directory);
/* A file that a command will write, and the option that asked for it ("--solution").  path NULL: nothing did. */
struct output_name { const char *option, *path; };
/* Called before a long computation with all n files that it will write: checks that none of them is among those that
 * it reads (input: n_inputs paths, each may be NULL), that none is written twice, and that file_replace() could
 * write each, by making an empty file beside its place.  False: EXIT_INPUT, or as file_replace(). */
bool outputs_check(const struct output_name *output, int n, const char *const *input, int n_inputs, struct error *e);
/* Opens a file to be read, which the caller closes.  Only regular files and /dev/null are opened, because a pipe may
 * keep its reader waiting for ever and a device may never end.  NULL (the second one: -1): *why is the reason in
 * words, errno its number. */
FILE *file_open(const char *path, const char **why);
int file_descriptor(const char *path, const char **why);
/* The whole content of such a file with a zero behind it, which the caller frees; *bytes: its length.  A file of more
 * than `most` bytes is refused with EFBIG. */
char *file_text(const char *path, size_t most, size_t *bytes, const char **why);
/* Opens a file that grows in an output directory, to be read and to be written at its end, and makes it where it is not
 * there.  A symbolic link is refused: somebody may have laid it to a file elsewhere.  -1: EXIT_RESOURCE with path and
 * reason. */
int file_continue(const char *path, struct error *e);
/* Does the name end in the extension (".h5"), with something before it? */
bool file_ends_in(const char *path, const char *extension);
/* For the message that a file is not there: "; case files in this folder: a.cfg, b.cfg (did you mean \"a.cfg\"?)", of
 * the files beside it whose names suit, or "; there is no folder X/".  Valid until the next call. */
const char *file_others(const char *path, const char *what, bool (*suits)(const char *name));
/* Writes all bytes to an open file.  False: errno says why. */
bool file_write_all(int file, const void *data, size_t bytes);
/* Fills *e with "PATH: what: <errno in words>" and what to do when the disk is full; returns false. */
bool file_refuse(struct error *e, const char *path, const char *what);
#endif
