/* expression.h: expressions of named variables, such as "6*y*(1-y)*sin(pi*t/8)", by the library muParser.
 *
 * Known besides the variables: the constants pi and e, + - * / ^, comparisons, && || and ?:, and functions
 * (expression_functions).  log is the natural logarithm.  Evaluation is on the host; every point has a value of its
 * own, so that bits depend neither on threads nor on ranks. */
#ifndef POISE_EXPRESSION_H
#define POISE_EXPRESSION_H
#include <stdbool.h>
#include <stdint.h>

enum { MOST_VARIABLES = 16, EXPRESSION_LENGTH = 2000 };
struct expression;
extern const char expression_functions[];       /* their names, for help and messages */

/* What is wrong with a text, and where: the position of a letter in it. */
struct expression_fault { int position; char what[400]; };

/* NULL with a fault: syntax, or a name that is neither a function nor among the n variables. */
struct expression *expression_create(const char *text, const char *const *names, int n, struct expression_fault *fault);
void expression_free(struct expression *x);
/* Can a variable have this name?  Not that of a function or a constant, nor one with other letters than a-z, 0-9, _. */
bool expression_knows_as_name(const char *name);
/* Does it contain the k-th variable? */
bool expression_uses(const struct expression *x, int k);

/* The k-th variable at point i: value[i * step]; step 0: the same everywhere. */
struct expression_input { const double *value; int step; };
/* to[i] = the value at point i of n, which may be infinite or not a number.  at: [number of variables]; those that the
 * expression does not contain may be anything. */
void expression_evaluate(struct expression *x, const struct expression_input *at, int64_t n, double *to);

/* The same at one of several pieces of the points, which may be evaluated by different threads at the same time, once
 * expression_share() has been called for so many pieces. */
void expression_share(struct expression *x, int pieces);
void expression_evaluate_piece(struct expression *x, int piece, int pieces, const struct expression_input *at,
                               int64_t n, double *to);

/* Two lines for messages: the text, and a mark under the position; each begins with four blanks. */
void expression_mark(char *to, int size, const char *text, int position);
#endif
