/* system_fixture.h: for tests of linear systems: a folder for files, entries, rejections. */
#ifndef SYSTEM_FIXTURE_H
#define SYSTEM_FIXTURE_H
#include <math.h>
#include <unistd.h>
#include "test.h"
#include "system/linear_system.h"

static char folder[40];

static inline int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/poise-system-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static inline int remove_folder(void **state)
{
    char command[100];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

/* RUN_TESTS() with this folder. */
#define RUN_TESTS_IN_FOLDER(name, tests)                                                                               \
    (open_device(), finish_tests(cmocka_run_group_tests_name(name, tests, make_folder, remove_folder)))

/* The path of a file in the folder; the last two results stay valid. */
static inline const char *at(const char *name)
{
    static char path[2][200];
    static int which;
    snprintf(path[which ^= 1], sizeof path[0], "%s/%s", folder, name);
    return path[which];
}

static inline const char *file(const char *name, const char *text)
{
    FILE *f = fopen(at(name), "w");
    fputs(text, f);
    fclose(f);
    return at(name);
}

static inline double entry(const struct linear_system *s, int32_t i, int32_t j)
{
    for (int64_t k = s->start[i]; k < s->start[i + 1]; k++) if (s->column[k] == j) return s->value[k];
    return 0;
}

/* The diagonal first, then ascending columns. */
static inline void assert_in_order(const struct linear_system *s)
{
    for (int32_t i = 0; i < s->n; i++) {
        assert_int_equal(s->column[s->start[i]], i);
        for (int64_t k = s->start[i] + 2; k < s->start[i + 1]; k++) assert_true(s->column[k - 1] < s->column[k]);
    }
}

/* The call is rejected as invalid input, with a message that contains this text. */
#define EXPECT(call, ...)                                                                                              \
    do {                                                                                                               \
        char expected[500];                                                                                            \
        assert_false(call);                                                                                            \
        assert_int_equal(e.status, EXIT_INPUT);                                                                        \
        snprintf(expected, sizeof expected, __VA_ARGS__);                                                              \
        if (!strstr(e.text, expected)) fail_msg("expected \"%s\", found \"%s\"", expected, e.text);                    \
    } while (0)
#endif
