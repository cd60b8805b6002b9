/* poise run CASE: options of the command, start of the run. */
#include "run/run.h"
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "base/timer.h"
#include "command/command.h"
#include "gpu/device.h"
#include "mesh/mesh.h"

static bool read_count(const char *text, const char *option, int *value)
{
    if (read_whole(text, 0, INT_MAX, value)) return true;
    log_error("poise run: %s %s: expected a whole number >= 0 (0 = all)\n", option, text);
    return false;
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }

/* Time in Slurm's format: [[days-]hours:]minutes:seconds.  *deadline: when it ends, on the monotonic clock. */
static bool read_time_limit(const char *text, double *deadline)
{
    unsigned days = 0, hours = 0, minutes = 0, seconds = 0;
    int end = 0;
    bool good = *text;
    for (const char *c = text; *c && good; c++)
        good = is_digit(*c) || ((*c == ':' || *c == '-') && c > text && is_digit(c[-1]) && is_digit(c[1]));
    good = good && ((sscanf(text, "%5u-%2u:%2u:%2u%n", &days, &hours, &minutes, &seconds, &end) == 4 && !text[end]) ||
                    (days = 0, sscanf(text, "%5u:%2u:%2u%n", &hours, &minutes, &seconds, &end) == 3 && !text[end]) ||
                    (hours = 0, sscanf(text, "%5u:%2u%n", &minutes, &seconds, &end) == 2 && !text[end]));
    double length = seconds + 60 * (minutes + 60 * (hours + 24.0 * days));
    *deadline = wall_seconds() + length;
    if (good && length > 0) return true;
    log_error("poise run: --time-limit %s: expected [[days-]hours:]minutes:seconds, like 11:50:00 or 1-12:00:00\n",
              text);
    return false;
}

static bool read_system_file(const char *text, enum system_kind kind, struct run_options *o)
{
    o->system_file[kind] = text;
    if (file_ends_in(text, ".h5")) return true;
    log_error("poise run: %s %s: expected a name that ends in .h5\n", system_option[kind], text);
    return false;
}

static bool read_output(const char *text, char *set, size_t size)
{
    snprintf(set, size, "output.directory=%s", text);
    if (*text) return true;
    log_error("poise run: --output \"\": expected a directory\n");
    return false;
}

enum exit_status command_run(int argc, char **argv)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"set", required_argument, NULL, 's'},
                                            {"restart", no_argument, NULL, 'r'},
                                            {"time-limit", required_argument, NULL, 'l'},
                                            {"digest", no_argument, NULL, 'g'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"write-pressure", required_argument, NULL, 'p'},
                                            {"write-momentum", required_argument, NULL, 'm'},
                                            {"write-coupled", required_argument, NULL, 'c'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"trust-geo", no_argument, NULL, 'T'},
                                            {"share-gpu", no_argument, NULL, 'S'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    struct run_options o = {.device = "auto"};
    struct error e;
    char output[PATH_LENGTH + 32];
    const char **set;
    int n_set = 0, option;
    NEW(set, argc);
    bool good = true;
    while (good && (option = next_option(argc, argv, options, "run")) > 0) {
        if (option == 'd') o.device = optarg;
        else if (option == 't') good = read_count(optarg, "--threads", &o.threads);
        else if (option == 's') set[n_set++] = optarg;
        else if (option == 'r') o.restart = true;
        else if (option == 'l') good = read_time_limit(optarg, &o.deadline);
        else if (option == 'g') o.digest = true;
        else if (option == 'o') good = read_output(optarg, output, sizeof output), set[n_set++] = output;
        else if (option == 'p') good = read_system_file(optarg, SYSTEM_PRESSURE, &o);
        else if (option == 'm') good = read_system_file(optarg, SYSTEM_MOMENTUM, &o);
        else if (option == 'c') good = read_system_file(optarg, SYSTEM_COUPLED, &o);
        else if (option == 'q') o.quiet = true;
        else if (option == 'T') mesh_trust_geo(true);
        else if (option == 'S') device_share_gpu();
    }
    enum exit_status status = options_status(option);
    struct case_settings c;
    if (good && option == 0 && check_words(argc, argv, 1, "CASE", "run") && check_case(argv[optind], "run")) {
        if (!case_read(&c, argv[optind], set, n_set, &e)) status = report_error(&e);
        else {
            o.set = set, o.n_set = n_set;
            status = run_to_end(&c, &o, &e);
            if (status == EXIT_INPUT || status == EXIT_RESOURCE) report_error(&e);
            case_free(&c);
        }
    }
    free(set);
    return status;
}
