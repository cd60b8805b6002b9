/* error.h: three kinds of error that are never mixed.
 *   a bug or a dead device   die(): prints what and where, ends the program
 *   bad user input, disk     refuse(): fills struct error, the caller returns false, main prints it once
 *   numerics                 a status in the solver's result, not here */
#ifndef POISE_ERROR_H
#define POISE_ERROR_H
#include <stdbool.h>

/* The program's exit status, as documented in `poise help`. */
enum exit_status { EXIT_CONVERGED = 0, EXIT_INPUT = 1, EXIT_NOT_CONVERGED = 2, EXIT_DIVERGED = 3, EXIT_RESOURCE = 4,
                   EXIT_STALLED = 5, EXIT_STOPPED = 6 };

struct error {
    enum exit_status status;
    char text[16384];                   /* one or more lines, no final newline, without a leading "error:" */
};

/* Fills *e (printf style) and returns false, so that a function can `return refuse(e, EXIT_INPUT, ...)`.  Words of over
 * 1100 letters (long paths) are shortened so that the reason stays visible. */
bool refuse(struct error *e, enum exit_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* *to = *from, copying only the text in use. */
void error_copy(struct error *to, const struct error *from);

/* For checks that continue after the first error: unless `good`, appends the text of *one to *all (which begins as
 * {0}).  Returns good. */
bool error_keep(bool good, struct error *all, const struct error *one);

/* Replaces control characters (including 8-bit ones, but not tabs and line ends) and invalid UTF-8 with "?", because
 * names come from files.  log.h applies it to everything that is printed. */
void text_make_printable(char *text);

/* Prints the text (printf style, a whole line), also to log.txt, and ends the program with EXIT_RESOURCE at once,
 * without exit(): handlers that libraries have registered crash if the library was interrupted. */
void end_at_once(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* Called last: ends the other processes of the same computation (gpu/ranks.h). */
void end_at_once_also(void (*stop)(void));
/* A bug or a dead device: file:line and the text, by end_at_once(). */
#define die(...) die_at(__FILE__, __LINE__, __VA_ARGS__)
void die_at(const char *file, int line, const char *format, ...) __attribute__((noreturn, format(printf, 3, 4)));

/* The one of n `names` that is nearest to `name` by edit distance or that begins with it; NULL if none is near. */
const char *nearest_name(const char *name, const char *const *names, int n);
/* " (did you mean NAME?)", with `front` before the name, or "" if none of n names is near; valid until the next
 * call. */
const char *did_you_mean(const char *word, const char *front, const char *const *names, int n);
/* refuse() with EXIT_INPUT: the text, then what was expected: some of the names, and the nearest one. */
bool refuse_name(struct error *e, const char *text, const char *name, const char *const *names, int n);
#endif
