/* error.h: three kinds of error that are never mixed.
 *   a bug or a dead device   die(): prints what and where, ends the program
 *   bad user input, disk     refuse(): fills struct error, the caller returns false, main prints it once
 *   numerics                 a status in the solver's result, not here */
#ifndef POISE_ERROR_H
#define POISE_ERROR_H
#include <stdbool.h>

/* The program's exit status, as documented in `poise help`. */
enum exit_status { EXIT_CONVERGED = 0, EXIT_INPUT = 1, EXIT_NOT_CONVERGED = 2, EXIT_DIVERGED = 3, EXIT_RESOURCE = 4 };

struct error {
    enum exit_status status;
    char text[4096];                    /* one or more lines, no newline at the end, no "error:" in front */
};

/* Fills *e (printf style) and returns false, so that a function can `return refuse(e, EXIT_INPUT, ...)`.  A word of over
 * 1100 letters, a path that is too long, is shortened so that the reason is seen. */
bool refuse(struct error *e, enum exit_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* For checks that go on after a fault: adds *one below those in *all, which begins as {0}, unless `good`; returns
 * good. */
bool error_keep(bool good, struct error *all, const struct error *one);

/* What a terminal would take as a command (control characters but tabs and line ends, also those of 8 bits) and what is
 * no UTF-8 becomes "?": names come from files.  log.h does so with all that is printed. */
void text_make_printable(char *text);

/* Prints the text (printf style, a whole line), also into log.txt, and ends the program with EXIT_RESOURCE, on the
 * spot: what libraries have left to be done at exit() crashes where one of them was interrupted. */
void end_at_once(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* A bug or a dead device: file:line and the text, by end_at_once(). */
#define die(...) die_at(__FILE__, __LINE__, __VA_ARGS__)
void die_at(const char *file, int line, const char *format, ...) __attribute__((noreturn, format(printf, 3, 4)));

/* The name of `names` (n of them) nearest to `name` by edit distance, or that it begins; NULL when none is near. */
const char *nearest_name(const char *name, const char *const *names, int n);
#endif
