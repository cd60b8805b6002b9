/* run_fixture.h: whole runs in a folder of their own. */
#ifndef RUN_FIXTURE_H
#define RUN_FIXTURE_H
#include "flow_fixture.h"
#include "run/run.h"

static char folder[64];

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/poise-flow-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    char command[128];
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return system(command);
}

/* Runs a case of this text; what the log says goes to log. */
static inline enum exit_status run_case(const char *text, int threads, bool restart, char log[20000])
{
    struct case_settings c;
    struct error e;
    char whole[5000], path[128];
    snprintf(whole, sizeof whole, "%s", text);
    case_of_text(&c, whole);
    snprintf(c.output.directory, sizeof c.output.directory, "%s", folder),
    snprintf(c.source->name, sizeof c.source->name, "test");
    struct run_options o = {.device = getenv("POISE_DEVICE") ? getenv("POISE_DEVICE") : "auto", .threads = threads,
                            .restart = restart, .digest = true, .quiet = true};
    enum exit_status status = run_to_end(&c, &o, &e);
    case_free(&c);
    if (status == EXIT_INPUT || status == EXIT_RESOURCE) fail_msg("%s", e.text);
    snprintf(path, sizeof path, "%s/log.txt", folder);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    log[fread(log, 1, 19999, file)] = 0;
    fclose(file);
    return status;
}

/* The last digest of a log. */
static inline unsigned long long digest_of(const char *log)
{
    const char *at = NULL;
    for (const char *next = strstr(log, "\ndigest "); next; next = strstr(next + 1, "\ndigest ")) at = next;
    assert_non_null(at);
    return strtoull(at + 8, NULL, 16);
}
#endif
