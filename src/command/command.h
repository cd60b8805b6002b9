/* command.h: the commands of the program poise.  Each takes its own name and arguments as argv and returns the
 * program's exit status; what went wrong has been printed to stderr by then. */
#ifndef POISE_COMMAND_H
#define POISE_COMMAND_H
#include <getopt.h>
#include "base/error.h"

enum exit_status command_run(int argc, char **argv);
enum exit_status command_check(int argc, char **argv);
enum exit_status command_new(int argc, char **argv);
enum exit_status command_diff(int argc, char **argv);
enum exit_status command_mesh(int argc, char **argv);
enum exit_status command_solve(int argc, char **argv);
enum exit_status command_help(int argc, char **argv);
enum exit_status command_version(int argc, char **argv);
int bench_main(int argc, char **argv);                           /* poise bench: src/bench/bench.c */

/* ---- for the commands themselves */
/* The next option's `val`, or 0 behind the last.  An unknown option or one without its value is explained, and
 * OPTION_BAD comes back; --help ('h' in `options`) prints the help of `topic`, and OPTION_HELP comes back. */
enum { OPTION_BAD = -1, OPTION_HELP = -2 };
int next_option(int argc, char **argv, const struct option *options, const char *topic);
/* With what a command ends that goes no further after next_option() has said `option`. */
enum exit_status options_status(int option);
/* Checks that there are exactly `count` words that are no options (names: what they are, "CASE"); false with a
 * message. */
bool check_words(int argc, char **argv, int count, const char *names, const char *topic);
/* Is this not a mesh, but what may be a case?  False with a message. */
bool check_case(const char *path, const char *topic);
/* Of poise mesh info: tells what so many parts of a complete mesh would be, by both ways. */
struct mesh;
bool mesh_tell_parts(const struct mesh *m, int n_parts, struct error *e);
/* " (did you mean NAME?)", with `front` before the name, or "" where none of n names is near; valid until the next
 * call. */
const char *did_you_mean(const char *word, const char *front, const char *const *names, int n);
/* Reads a whole number from `least` to `most`; false: the text is none. */
bool read_whole(const char *text, int least, int most, int *value);
/* Prints e->text to stderr and returns its status. */
enum exit_status report_error(const struct error *e);
#endif
