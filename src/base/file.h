/* file.h: files that are complete or absent.  A file is written under a temporary name beside its final one
 * (PATH.PROCESS-NUMBER.part), synchronised to disk and renamed, so that neither a kill nor a full disk leaves an
 * incomplete file under a name that anything reads. */
#ifndef POISE_FILE_H
#define POISE_FILE_H
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include "base/error.h"

/* Creates the directory and missing parents.  False (EXIT_RESOURCE) with path and reason. */
bool directory_make(const char *path, struct error *e);
/* Creates a folder, if missing, in an existing directory; a symbolic link of that name is rejected because it may lead
 * elsewhere.  False (EXIT_RESOURCE) with path and reason. */
bool folder_make(const char *path, struct error *e);
/* Replaces the content of the file with `bytes` bytes.  False (EXIT_RESOURCE) with path and reason (disk full, not
 * writable, ...); the previous file is then unchanged and no temporary file is left. */
bool file_replace(const char *path, const void *data, size_t bytes, struct error *e);
/* For handlers of signals that end the program: removes the temporary file of an interrupted file_replace(). */
void file_abandon(void);
/* Removes temporary files left by killed processes in a directory; no other process may be writing there.  A symbolic
 * link to a directory is skipped. */
void file_remove_unfinished(const char *directory);
/* A file that a command will write, and the option that names it ("--solution").  path NULL: the option was not
 * given. */
struct output_name { const char *option, *path; };
/* Called before a long computation with all n files that it will write: checks that none of them is among its inputs
 * (input: n_inputs paths, each may be NULL), that none is written twice, and that file_replace() can write each, by
 * creating an empty file beside it.  False: EXIT_INPUT, or as file_replace(). */
bool outputs_check(const struct output_name *output, int n, const char *const *input, int n_inputs, struct error *e);
/* Opens a file for reading, which the caller closes.  Only regular files and /dev/null are accepted, because a pipe may
 * block for ever and a device may have no end.  NULL (the second function: -1): *why is the reason in words, errno its
 * number. */
FILE *file_open(const char *path, const char **why);
int file_descriptor(const char *path, const char **why);
/* Reads such a file into memory with a terminating zero; the caller frees it; *bytes: its length.  A file of more than
 * `most` bytes is rejected with EFBIG. */
char *file_text(const char *path, size_t most, size_t *bytes, const char **why);
/* Opens a file of an output directory for reading and appending, and creates it if missing.  A symbolic link is
 * rejected: it may point to a file elsewhere.  -1: EXIT_RESOURCE with path and reason. */
int file_continue(const char *path, struct error *e);
/* Does the name end in the extension (".h5"), with something before it? */
bool file_ends_in(const char *path, const char *extension);
/* For the message that a file does not exist: "; case files in this folder: a.cfg, b.cfg (did you mean \"a.cfg\"?)",
 * from the matching names in its folder, or "; there is no folder X/".  Valid until the next call. */
const char *file_others(const char *path, const char *what, bool (*suits)(const char *name));
/* The path of a library of this program: beside it or, if installed, in lib/poise beside the program's folder.  Valid
 * until the next call; the file need not exist. */
const char *file_of_program(const char *name);
/* Writes all bytes to an open file.  False: see errno. */
bool file_write_all(int file, const void *data, size_t bytes);
/* Fills *e with "PATH: what: <errno in words>" and what to do when the disk is full; returns false. */
bool file_refuse(struct error *e, const char *path, const char *what);
#endif
