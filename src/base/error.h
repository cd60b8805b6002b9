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
    char text[16384];                   /* one or more lines, no newline at the end, no "error:" in front */
};

/* Fills *e (printf style) and returns false, so that a function can `return refuse(e, EXIT_INPUT, ...)`.  A word of
 * over 1100 letters, a path that is too long, is shortened so that the reason is seen. */
bool refuse(struct error *e, enum exit_status status, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* *to = *from, without the room behind the text. */
void error_copy(struct error *to, const struct error *from);

/* For checks that go on after the first fault: unless `good`, appends the text of *one to *all (which begins as {0}).
 * Returns good. */
bool error_keep(bool good, struct error *all, const struct error *one);

/* Puts "?" in place of what a terminal would take as a command (control characters, those of 8 bits too, but not tabs
 * and line ends) and of what is no UTF-8, because names come from files.  log.h does so with all that is printed. */
void text_make_printable(char *text);

/* Prints the text (printf style, a whole line), also into log.txt, and ends the program with EXIT_RESOURCE at once,
 * without exit(): what libraries have registered there crashes where one of them was interrupted. */
void end_at_once(const char *format, ...) __attribute__((noreturn, format(printf, 1, 2)));
/* What it does last: takes other processes of the same computation with it (gpu/ranks.h). */
void end_at_once_also(void (*stop)(void));
/* A bug or a dead device: file:line and the text, by end_at_once(). */
#define die(...) die_at(__FILE__, __LINE__, __VA_ARGS__)
void die_at(const char *file, int line, const char *format, ...) __attribute__((noreturn, format(printf, 3, 4)));

/* The one of n `names` that is nearest to `name` by edit distance or that begins with it; NULL when none is near. */
const char *nearest_name(const char *name, const char *const *names, int n);
/* refuse() with EXIT_INPUT: the text, then what was expected: some of the names, and the one that is nearest. */
bool refuse_name(struct error *e, const char *text, const char *name, const char *const *names, int n);
#endif
