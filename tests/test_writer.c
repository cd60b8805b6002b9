/* Background writing of files: their order, failures, memory in use. */
#include "test.h"
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/writer.h"

static char folder[] = "/tmp/poise-writer-XXXXXX", path[200];
static int alive, most, prepared;

struct text { char *data; bool slow; };

static const char *at(const char *name) { return snprintf(path, sizeof path, "%s/%s", folder, name), path; }

static void prepare(void *context)
{
    struct text *t = context;
    const struct timespec pause = {.tv_nsec = 50000000};
    if (t->slow) nanosleep(&pause, NULL);
    t->data[0] = (char)('a' + prepared++);
}

static void release(void *context)
{
    struct text *t = context;
    alive--;
    free(t->data), free(t);
}

static bool give(const char *name, size_t bytes, bool slow, struct error *e)
{
    struct text *t;
    NEW(t, 1);
    NEW(t->data, bytes);
    t->slow = slow;
    if (++alive > most) most = alive;
    return writer_give(&(struct written){at(name), t->data, bytes, prepare, release, t}, e);
}

static int first_letter(const char *name)
{
    FILE *f = fopen(at(name), "rb");
    if (!f) return 0;
    int c = fgetc(f);
    fclose(f);
    return c;
}

static void written_at_once(void **state)
{
    (void)state;
    struct error e;
    prepared = 0;
    assert_true(give("one", 10, false, &e) && first_letter("one") == 'a' && !alive);
    assert_false(give("none/one", 10, false, &e));
    assert_non_null(strstr(e.text, "none/one: could not be written: No such file or directory"));
    assert_true(!alive && writer_good(&e) && writer_wait(&e));
}

/* The caller continues before the first file is prepared; in the end all are on disk and nothing is left in memory. */
static void written_in_order(void **state)
{
    (void)state;
    struct error e;
    prepared = most = 0;
    unlink(at("one"));
    writer_start();
    assert_true(give("one", 10, true, &e) && give("two", 10, false, &e) && give("one", 10, false, &e));
    assert_true(first_letter("one") == 0 && writer_good(&e));
    assert_true(writer_wait(&e) && first_letter("one") == 'c' && first_letter("two") == 'b' && !alive);
    assert_true(writer_longest() >= 0.05);
    writer_stop();
}

/* No third large file is accepted while two are in memory. */
static void few_are_in_memory(void **state)
{
    (void)state;
    struct error e;
    most = 0;
    writer_start();
    for (int i = 0; i < 6; i++) assert_true(give("large", 2 << 20, true, &e));
    writer_stop();
    assert_true(most == 2 && !alive);
}

/* After a failure nothing more is written, and every call returns the reason. */
static void failures_are_told(void **state)
{
    (void)state;
    struct error e;
    unlink(at("after"));
    writer_start();
    assert_true(give("none/one", 10, true, &e) && give("after", 10, false, &e));
    assert_false(writer_wait(&e));
    assert_int_equal(e.status, EXIT_RESOURCE);
    assert_non_null(strstr(e.text, "none/one: could not be written: No such file or directory"));
    assert_false(give("after", 10, false, &e) || writer_good(&e));
    writer_stop();
    assert_true(!alive && first_letter("after") == 0);
    writer_start();
    assert_true(give("after", 10, false, &e) && writer_wait(&e) && first_letter("after"));
    writer_stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(written_at_once), cmocka_unit_test(written_in_order),
                                       cmocka_unit_test(few_are_in_memory), cmocka_unit_test(failures_are_told)};
    if (!mkdtemp(folder)) return 1;
    int failed = RUN_TESTS("writer", tests);
    const char *const made[] = {"one", "two", "large", "after"};
    for (int i = 0; i < 4; i++) unlink(at(made[i]));
    return rmdir(folder) || failed;
}
