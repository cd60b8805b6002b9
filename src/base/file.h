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
/* A folder in a directory that is there, and no link to one elsewhere.  False (EXIT_RESOURCE) with path and reason. */
bool folder_make(const char *path, struct error *e);
/* `bytes` bytes become the whole content of the file.  False (EXIT_RESOURCE) with path and reason: disk full, not
 * writable, ...; the file that was there before is then untouched and nothing is left beside it. */
bool file_replace(const char *path, const void *data, size_t bytes, struct error *e);
/* For a signal's handler that ends the program: removes the file beside its place that file_replace() is writing, if it
 * is. */
void file_abandon(void);
/* Removes what killed processes left beside the files of a directory (no link to one) that nobody else writes into now. */
void file_remove_unfinished(const char *directory);
/* A file that a command is about to write (path NULL: it is not), and what asked for it: "--solution". */
struct output_name { const char *option, *path; };
/* Asked before a long computation, of all n files that it will write: none of them is among those that it reads (input:
 * n_inputs paths, each may be NULL), none is written twice, and file_replace() could write each: it is tried with an
 * empty file beside its place.  False: EXIT_INPUT or as file_replace(). */
bool outputs_check(const struct output_name *output, int n, const char *const *input, int n_inputs, struct error *e);
/* A file to be read, which the caller closes: a regular one or /dev/null, because a pipe may wait for ever and a device never end.
 * NULL (as a descriptor: -1): *why says why not, in words, and errno. */
FILE *file_open(const char *path, const char **why);
int file_descriptor(const char *path, const char **why);
/* The whole content of such a file, if it is of at most `most` bytes (else EFBIG), and a zero behind it, the caller's to
 * free; *bytes: its length. */
char *file_text(const char *path, size_t most, size_t *bytes, const char **why);
/* A file that grows in an output directory: open to be read and to be written at its end, made where it is not there;
 * through no link, which somebody may have laid there to a file elsewhere.  -1: EXIT_RESOURCE with path and reason. */
int file_continue(const char *path, struct error *e);
/* Does the name end in the extension (".h5"), with something before it? */
bool file_ends_in(const char *path, const char *extension);
/* All bytes to an open file.  False: errno says why. */
bool file_write_all(int file, const void *data, size_t bytes);
/* Fills *e with "PATH: what: <errno in words>" and what to do when the disk is full; returns false. */
bool file_refuse(struct error *e, const char *path, const char *what);
#endif
