/* CPU threads that share work: every index once, for any number of threads and indices; also after pauses long enough
 * for threads to sleep. */
#include <unistd.h>
#include "test.h"
#include "gpu/team.h"

enum { MOST = 5000 };
struct job { int32_t *seen; int64_t n, least; int *bad; };

static void count(const void *args, int64_t first, int64_t last, int64_t n)
{
    const struct job *j = args;
    if (n != j->n || first < 0 || last > n || (n >= j->least && last - first < j->least)) *j->bad = 1;
    for (int64_t i = first; i < last; i++) j->seen[i]++;
}

static void every_index_once(void **state)
{
    (void)state;
    static const int threads[] = {1, 2, 3, 7, 2};
    static const int64_t grains[] = {1, 3, 100}, lengths[] = {1, 2, 3, 13, 63, 64, 65, 999, MOST};
    static int32_t seen[MOST];
    for (int t = 0; t < 5; t++) {
        int started, bad = 0, rounds = 0;
        assert_int_equal(team_start(threads[t], &started), 0);
        assert_int_equal(started, threads[t]);
        for (int round = 0; round < 300; round++)
            for (int g = 0; g < 3; g++) {
                int64_t n = lengths[(round + g) % 9];
                struct job j = {seen, n, grains[g], &bad};
                memset(seen, 0, sizeof seen);
                if (round % 100 == 99) usleep(20000);
                team_run(count, &j, n, grains[g]);
                for (int64_t i = 0; i < MOST; i++) if (seen[i] != (i < n)) fail_msg("index %d", (int)i);
                rounds++;
            }
        assert_int_equal(bad, 0);
        assert_int_equal(rounds, 900);
        team_stop();
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_index_once)};
    return cmocka_run_group_tests_name("team", tests, NULL, NULL);
}
