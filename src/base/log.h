/* log.h: the program's output, on the terminal (stdout) and in log.txt alike.  Everything is printed through these
 * functions, which make it printable (error.h), because it may contain names and text from untrusted files. */
#ifndef POISE_LOG_H
#define POISE_LOG_H
#include <stdbool.h>
#include "base/error.h"

/* append: continue an existing file (restart).  quiet: file only.  False: the file cannot be written. */
bool log_open(const char *path, bool append, bool quiet, struct error *e);
/* Printf style, newlines as given.  Before log_open() and after log_close(): stdout only. */
void log_print(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Errors and warnings, to stderr alone. */
void log_error(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* Of several processes that do the same (gpu/ranks.h) only rank 0 prints and has a log.txt: log_print(), log_error()
 * and log_progress() of the others do nothing.  who: prefix of log_last_words(); the caller keeps ownership. */
void log_set_rank(int rank, const char *who);
/* To stderr, from every rank: why it ends at once. */
void log_last_words(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* To log.txt alone. */
void log_file_only(const char *format, ...) __attribute__((format(printf, 1, 2)));
/* A line (without newline) that the next one overwrites: only on a terminal, at most ten a second; never in the file.
 * log_print() clears it first.  Terminals of zero width show none: mpirun gives its processes such terminals when its
 * own output goes to a file. */
void log_progress(const char *format, ...) __attribute__((format(printf, 1, 2)));
void log_close(void);
/* errno of the first failed write to stdout; 0: none failed. */
int log_lost(void);
#endif
