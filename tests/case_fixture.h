/* case_fixture.h: case files in a folder of their own. */
#ifndef CASE_FIXTURE_H
#define CASE_FIXTURE_H
#include "test.h"
#include <unistd.h>
#include "run/case_settings.h"

static inline void write_file(const char *path, const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* The cavity with line number `line` (1 to 6; lines 5 and 6 are empty) replaced. */
static inline void write_case(int line, const char *text)
{
    const char *lines[] = {"mesh = { file = \"cavity.geo\"; };", "fluid = { viscosity = 0.001; };",
                           "boundary = { lid = { type = \"wall\"; velocity = [1, 0.5]; };",
                           "             walls = { type = \"wall\"; }; };", "", ""};
    char all[4000] = "";
    if (line) lines[line - 1] = text;
    for (int i = 0; i < 6; i++) strcat(strcat(all, lines[i]), "\n");
    write_file("c.cfg", all);
}

static inline void read_good(struct case_settings *c, const char *path, const char *const *set, int n_set)
{
    struct error e;
    if (!case_read(c, path, set, n_set, &e)) fail_msg("%s", e.text);
}

static inline void expect_error(const char *path, const char *const *set, int n_set, const char *expected)
{
    struct case_settings c;
    struct error e = {.text = ""};
    assert_false(case_read(&c, path, set, n_set, &e));
    assert_string_equal(e.text, expected);
    assert_int_equal(e.status, EXIT_INPUT);
    case_free(&c);
}

static inline void refused(int line, const char *text, const char *expected)
{
    write_case(line, text);
    expect_error("c.cfg", NULL, 0, expected);
}

static inline void set_refused(const char *set, const char *expected)
{
    write_case(0, NULL);
    expect_error("c.cfg", &set, 1, expected);
}

/* For line 5: a transient flow, of one fluid and of two. */
static const char transient[] = "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 0.1; };";
static const char two_phase[] = "solver = { algorithm = \"piso\"; }; time = { end = 1; step = 0.1; }; "
    "second_fluid = { density = 2; viscosity = 3; };\n"
    "shapes = { b = { type = \"sphere\"; centre = [0, 0]; radius = 1; }; };";

static char case_folder[] = "/tmp/poise-case-XXXXXX";

static inline int enter_folder(void **state)
{
    (void)state;
    return mkdtemp(case_folder) && !chdir(case_folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    (void)state;
    char command[100];
    snprintf(command, sizeof command, "rm -rf %s", case_folder);
    return system(command);
}
#endif
