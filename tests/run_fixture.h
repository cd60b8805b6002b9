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

/* Runs a case with this text; the log is copied to log. */
static inline enum exit_status run_case(const char *text, int threads, bool restart, char log[20000])
{
    struct case_settings c;
    struct error e;
    char path[128];
    snprintf(path, sizeof path, "%s.cfg", folder);      /* a run may read it again, knowing the mesh */
    FILE *file = fopen(path, "w");
    assert_true(file && fputs(text, file) >= 0 && fclose(file) == 0);
    if (!case_read(&c, path, NULL, 0, &e)) fail_msg("%s", e.text);
    snprintf(c.output.directory, sizeof c.output.directory, "%s", folder),
    snprintf(c.source->name, sizeof c.source->name, "test");
    struct run_options o = {.device = getenv("POISE_DEVICE") ? getenv("POISE_DEVICE") : "auto", .threads = threads,
                            .restart = restart, .digest = true, .quiet = true};
    enum exit_status status = run_to_end(&c, &o, &e);
    unlink(path), case_free(&c);
    if (status == EXIT_INPUT || status == EXIT_RESOURCE) fail_msg("%s", e.text);
    snprintf(path, sizeof path, "%s/log.txt", folder);
    file = fopen(path, "r");
    assert_non_null(file);
    log[fread(log, 1, 19999, file)] = 0;
    fclose(file);
    return status;
}

/* Reads a CSV file of the folder: its names to header, its numbers to table, row after row, at most so many rows.
 * Returns the number of rows. */
static inline int read_csv(const char *name, char header[2000], double *table, int most)
{
    char path[200], line[8000];
    int rows = 0;
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    if (!f) fail_msg("%s is not there", path);
    assert_non_null(fgets(header, 2000, f));
    header[strcspn(header, "\n")] = 0;
    for (; rows < most && fgets(line, sizeof line, f); rows++)
        for (char *at = line, *end; *at; at = end + strspn(end, ",\n")) {
            *table++ = strtod(at, &end);
            if (end == at) fail_msg("%s: \"%s\" is no number", path, at);
        }
    fclose(f);
    return rows;
}

static inline int csv_columns(const char *header)
{
    int n = 1;
    for (; *header; header++) n += *header == ',';
    return n;
}

/* Index of the column with this name. */
static inline int csv_column(const char *header, const char *name)
{
    int k = 0;
    size_t n = strlen(name);
    for (const char *at = header; at; at = strchr(at, ','), at = at ? at + 1 : NULL, k++)
        if (!strncmp(at, name, n) && strchr(",", at[n])) return k;
    fail_msg("no column %s in %s", name, header);
    return -1;
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
