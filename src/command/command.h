/* command.h: the commands of the program poise.  Each gets its own name and arguments as argv and returns the program's
 * exit status, after printing any error to stderr. */
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

/* ---- shared by the commands */
/* The next option's `val`, or 0 after the last one.  For an unknown option or one without its value it prints a message
 * and returns OPTION_BAD; for --help ('h' in `options`) it prints the help of `topic` and returns OPTION_HELP. */
enum { OPTION_BAD = -1, OPTION_HELP = -2 };
int next_option(int argc, char **argv, const struct option *options, const char *topic);
/* The exit status of a command that stops after next_option() has returned `option`. */
enum exit_status options_status(int option);
/* Checks that there are exactly `count` arguments other than options (names: what they are, "CASE"); false with a
 * message. */
bool check_words(int argc, char **argv, int count, const char *names, const char *topic);
/* Could this be a case, and not a mesh?  False with a message. */
bool check_case(const char *path, const char *topic);
/* For poise mesh info: prints the division of a complete mesh into so many parts, by both methods. */
struct mesh;
bool mesh_tell_parts(const struct mesh *m, int n_parts, struct error *e);
/* Parses an integer from `least` to `most`; false: invalid. */
bool read_whole(const char *text, int least, int most, int *value);
/* Prints e->text to stderr and returns its status. */
enum exit_status report_error(const struct error *e);
#endif
