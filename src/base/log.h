/* log.h: what the program tells, on the terminal (stdout) and in log.txt alike.  Nothing is printed but through these
 * functions, which make it printable (error.h): what is told has names and text of files from strangers in it. */
#ifndef POISE_LOG_H
#define POISE_LOG_H
#include <stdbool.h>
#include "base/error.h"

/* append: go on behind what the file holds (restart).  quiet: file only.  False: the file cannot be written. */
bool log_open(const char *path, bool append, bool quiet, struct error *e);
/* Printf style, newlines as given.  Before log_open() and after log_close(): stdout only. */
void log_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* What is wrong, to stderr alone. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Of several processes that do the same (gpu/ranks.h) the one with rank 0 alone prints and has a log.txt: log_print(),
 * log_error() and log_progress() of the others do nothing.  who: put in front of log_last_words(); it stays the
 * caller's. */
void log_set_rank(int rank, const char *who);
/* To stderr, of every rank: why it ends at once. */
void log_last_words(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* To the file alone. */
void log_file_only(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line (without newline) that the next one overwrites: on a terminal only, at most ten a second; the file never
 * sees it.  log_print() clears it first.  A terminal without a width shows none: mpirun gives such a one to its
 * processes where its own output goes into a file. */
void log_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_close(void);
/* errno of the first line that stdout did not take; 0: it took all. */
int log_lost(void);
#endif
