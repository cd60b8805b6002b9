/* Options and arguments of the command line, for every command. */
#include "command/command.h"
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "mesh/format.h"

enum exit_status report_error(const struct error *e)
{
    log_error("%s\n", e->text);
    return e->status;
}

bool read_whole(const char *text, int least, int most, int *value)
{
    char *end;
    errno = 0;
    long n = strtol(text, &end, 10);
    *value = (int)n;
    return end != text && !*end && !errno && n >= least && n <= most;
}

int next_option(int argc, char **argv, const struct option *options, const char *topic)
{
    const char *names[40];
    int n = 0;
    opterr = 0;
    int found = getopt_long(argc, argv, ":h", options, NULL);
    if (found == -1) return 0;
    if (found == 'h') return command_help(2, (char *[]){"help", (char *)topic, NULL}), OPTION_HELP;
    if (found != '?' && found != ':') return found;
    const char *word = argv[optind - 1];
    for (const struct option *o = options; o->name; o++) names[n++] = o->name;
    size_t length = strcspn(word, "=");
    char name[64];
    snprintf(name, sizeof name, "%.*s", (int)(length - strspn(word, "-")), word + strspn(word, "-"));
    if (found == ':') log_error("poise %s: %s needs a value; see: poise help %s\n", topic, word, topic);
    else log_error("poise %s: unknown option %.*s%s; see: poise help %s\n", topic, (int)length, word,
                   did_you_mean(name, "--", names, n), topic);
    return OPTION_BAD;
}

enum exit_status options_status(int option) { return option == OPTION_HELP ? EXIT_CONVERGED : EXIT_INPUT; }

bool check_words(int argc, char **argv, int count, const char *names, const char *topic)
{
    int given = argc - optind;
    if (given == count) return true;
    if (given < count) log_error("poise %s: too few arguments; expected: poise %s %s", topic, topic, names);
    else
        log_error("poise %s: \"%s\" is one argument too many; expected: poise %s %s", topic, argv[optind + count],
                topic, names);
    log_error("; see: poise help %s\n", topic);
    return false;
}

bool check_case(const char *path, const char *topic)
{
    if (!is_mesh_file(path)) return true;
    log_error("poise %s: %s is a mesh; expected a case file; to write one for it: poise new NAME %s\n", topic,
              path, path);
    return false;
}
