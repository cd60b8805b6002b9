/* The log file, and the digest compared with the published values of FNV-1a. */
#include "test.h"
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>
#include "base/digest.h"
#include "base/log.h"
#include "base/timer.h"

static char path[] = "/tmp/poise-log-XXXXXX";

static void expect_file(const char *expected)
{
    char text[500] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    size_t n = fread(text, 1, sizeof text - 1, f);
    fclose(f);
    text[n] = 0;
    assert_string_equal(text, expected);
}

static void file_holds_what_was_printed(void **state)
{
    (void)state;
    struct error e;
    assert_true(log_open(path, false, true, &e));
    log_print("iteration %d\n", 1);
    log_progress("working");
    expect_file("iteration 1\n");                               /* already now: a kill loses no line */
    log_close();
    assert_true(log_open(path, true, true, &e));
    log_print("iteration %d\n", 2);
    log_close();
    expect_file("iteration 1\niteration 2\n");
    assert_true(log_open(path, false, true, &e));
    log_close();
    expect_file("");
}

static void long_messages_are_whole(void **state)
{
    (void)state;
    enum { LONG = 20000 };
    struct error e;
    char *text = malloc(LONG + 1);
    memset(text, 'x', LONG);
    text[LONG] = 0;
    assert_true(log_open(path, false, true, &e));
    log_file_only("%s", text);
    log_print("%s", text);
    log_close();
    struct stat found;
    assert_int_equal(stat(path, &found), 0);
    assert_int_equal(found.st_size, 2 * LONG);
    free(text);
}

/* Output of log_progress() and log_print() on a terminal with so many columns; 0: mpirun's, whose output is a file. */
static void terminal_shows(unsigned short columns, const char *expected)
{
    const struct winsize size = {.ws_row = 24, .ws_col = columns};
    const struct timespec pause = {.tv_nsec = 110000000};       /* there are ten progress lines a second at most */
    char text[200] = "";
    int ours = posix_openpt(O_RDWR | O_NOCTTY | O_NONBLOCK), before = dup(STDOUT_FILENO);
    if (ours < 0 || grantpt(ours) || unlockpt(ours)) skip();     /* a system without /dev/pts */
    int terminal = open(ptsname(ours), O_RDWR | O_NOCTTY);
    assert_true(terminal >= 0 && !ioctl(terminal, TIOCSWINSZ, &size));
    fflush(stdout);
    dup2(terminal, STDOUT_FILENO);
    nanosleep(&pause, NULL);
    log_progress("working on it");
    log_print("done\n");
    dup2(before, STDOUT_FILENO);
    assert_true(read(ours, text, sizeof text - 1) > 0);
    close(terminal), close(ours), close(before);
    assert_string_equal(text, expected);
}

static void progress_needs_a_width(void **state)
{
    (void)state;
    log_close();
    terminal_shows(8, "working\r\033[Kdone\r\n");
    terminal_shows(0, "done\r\n");
}

static void unwritable_file(void **state)
{
    (void)state;
    struct error e;
    assert_false(log_open("/nowhere/log.txt", false, true, &e));
    assert_int_equal(e.status, EXIT_RESOURCE);
    assert_non_null(strstr(e.text, "/nowhere/log.txt: could not be opened: No such file or directory"));
}

static void digest_is_fnv1a(void **state)
{
    (void)state;
    assert_true(digest_add(DIGEST_START, "", 0) == UINT64_C(0xcbf29ce484222325));
    assert_true(digest_add(DIGEST_START, "a", 1) == UINT64_C(0xaf63dc4c8601ec8c));
    assert_true(digest_add(DIGEST_START, "foobar", 6) == UINT64_C(0x85944171f73967e8));
    assert_true(digest_add(digest_add(DIGEST_START, "foo", 3), "bar", 3) == UINT64_C(0x85944171f73967e8));
}

/* The checksum of pieces is that of the whole.  Two changed bits, two exchanged words and truncation, even of zeros,
 * change it. */
static void checksum_guards(void **state)
{
    (void)state;
    enum { N = 300000 };                                /* with threads */
    uint64_t *a;
    NEW(a, N);
    for (int i = 0; i < N - 5; i++) a[i] = (uint64_t)i * i;
    const uint64_t whole = checksum_add(0, 0, a, N * sizeof *a);
    for (int cut = 1; cut < 9; cut++) {
        size_t first = (size_t)cut * 8 * 997, rest = N * sizeof *a - first;
        assert_true(checksum_add(checksum_add(0, first, a + first / 8, rest), 0, a, first) == whole);
        const size_t less = N * sizeof *a - (size_t)cut;
        assert_true(checksum_end(checksum_add(0, 0, a, less), less) != checksum_end(whole, N * sizeof *a));
    }
    for (int bit = 0; bit < 64; bit++) {
        a[7] ^= UINT64_C(1) << bit, a[8 + bit] ^= UINT64_C(1) << bit;
        assert_true(checksum_add(0, 0, a, N * sizeof *a) != whole);
        a[7] ^= UINT64_C(1) << bit, a[8 + bit] ^= UINT64_C(1) << bit;
    }
    a[10] = 121, a[11] = 100;
    assert_true(checksum_add(0, 0, a, N * sizeof *a) != whole);
    free(a);
}

/* Stages with the same name add up, and time before the beginning or after the end of them is not counted. */
static void stages_are_told(void **state)
{
    (void)state;
    double sum, mesh, files;
    const struct timespec pause = {.tv_nsec = 20000000};
    stage_done("early");
    assert_string_equal(stages_told(), "");
    stages_begin();
    nanosleep(&pause, NULL), stage_done("mesh");
    nanosleep(&pause, NULL), stage_done("files");
    nanosleep(&pause, NULL), stage_done("mesh");
    assert_int_equal(sscanf(stages_told(), "%lf s: mesh %lf, files %lf", &sum, &mesh, &files), 3);
    assert_true(mesh >= 0.04 && files >= 0.02 && fabs(mesh + files - sum) < 0.011);
    stage_done("late");
    assert_string_equal(stages_told(), "");
}

/* Text from files cannot move the cursor, and an over-long path does not hide the reason. */
static void errors_can_be_read(void **state)
{
    (void)state;
    struct error e;
    static char path_of_many[4097];
    memset(path_of_many, 'p', sizeof path_of_many - 1);
    assert_true(log_open(path, false, true, &e));
    refuse(&e, EXIT_INPUT, "%s: no such file\n\tgood: \xc3\xa4\xe2\x86\x92\xf0\x9f\x99\x82",
           "a\033[31mb\r\x7f\x9b\xc2\x9b\xff\xe2\x86");
    log_print("%s\n", e.text);
    log_file_only("%s", "\033]0;title\a\n");
    log_close();
    expect_file("a?[31mb?????\?\?\?: no such file\n\tgood: \xc3\xa4\xe2\x86\x92\xf0\x9f\x99\x82\n?]0;title?\n");
    refuse(&e, EXIT_INPUT, "the file %s: is not there", path_of_many);
    assert_int_equal(strlen(e.text), 9 + 403 + 13);
    assert_non_null(strstr(e.text, "ppp...ppp"));
    assert_string_equal(e.text + 9 + 402, ": is not there");
    refuse(&e, EXIT_INPUT, "%s", "");
    assert_string_equal(e.text, "");
}

int main(void)
{
    int file = mkstemp(path);
    if (file < 0) return 1;
    close(file);
    const struct CMUnitTest tests[] = {cmocka_unit_test(file_holds_what_was_printed),
                                       cmocka_unit_test(long_messages_are_whole), cmocka_unit_test(unwritable_file),
                                       cmocka_unit_test(progress_needs_a_width),
                                       cmocka_unit_test(errors_can_be_read), cmocka_unit_test(digest_is_fnv1a),
                                       cmocka_unit_test(checksum_guards),
                                       cmocka_unit_test(stages_are_told)};
    int failed = cmocka_run_group_tests_name("log", tests, NULL, NULL);
    unlink(path);
    return failed;
}
