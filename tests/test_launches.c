/* Gathered launches: what reaches the device, and when, recorded by a fake device. */
#include "test.h"
#include "gpu/launches.h"

/* Record of the device: kernels by their argument, graphs as "(..)", "G" and its number when one is launched. */
static char told[400];
static int n_graphs, n_forgotten;
static void tell(const char *text) { strncat(told, text, sizeof told - strlen(told) - 1); }
static void expect(const char *text)
{
    assert_string_equal(told, text);
    told[0] = 0;
}

struct arguments { char letter; double number; };
static void launch(const struct kernel *k, const void *args, int64_t n)
{
    char text[40];
    const struct arguments *a = args;
    assert_true((uintptr_t)args % 16 == 0 && k->args == sizeof *a);
    snprintf(text, sizeof text, "%c%d ", a->letter, (int)n);
    tell(text);
}
static void copy(void *to, const void *from, size_t bytes) { tell("="), memcpy(to, from, bytes); }
static void *record(void (*body)(void *), void *context)
{
    int *graph;
    NEW(graph, 1);
    *graph = ++n_graphs;
    tell("("), body(context), tell(") ");
    return graph;
}
static void replay(void *graph)
{
    char text[40];
    snprintf(text, sizeof text, "G%d ", *(int *)graph);
    tell(text);
}
static void forget(void *graph) { n_forgotten++, free(graph); }

static const struct device_backend machine = {.launch = launch, .copy = copy, .record = record, .replay = replay,
                                              .forget = forget};
static const struct kernel kernel = {.name = "kernel", .args = sizeof(struct arguments)};

/* Launches identified by letters, each over one index more than the previous one. */
static void add(struct launches *l, const char *letters)
{
    for (int i = 0; letters[i]; i++) {
        struct arguments a;
        memset(&a, 0, sizeof a);
        a.letter = letters[i];
        launches_add(l, &kernel, &a, i + 1);
    }
}

static void what_comes_again_is_a_graph(void **state)
{
    (void)state;
    struct launches *l = launches_create(&machine);
    add(l, "abcd");
    expect("");
    launches_go(l), expect("a1 b2 c3 d4 ");
    launches_go(l), expect("");
    add(l, "abcd"), launches_go(l), expect("(a1 b2 c3 d4 ) G1 ");
    add(l, "abce"), launches_go(l), expect("a1 b2 c3 e4 ");
    add(l, "abcd"), launches_go(l), expect("G1 ");
    add(l, "abce"), launches_go(l), expect("(a1 b2 c3 e4 ) G2 ");
    add(l, "abcd"), launches_go(l), expect("G1 ");
    for (int i = 0; i < 3; i++) {                                                       /* too few */
        add(l, "ab"), assert_true(launches_few(l));
        launches_go(l), expect("a1 b2 ");
    }
    add(l, "abc"), assert_false(launches_few(l));
    launches_go(l), expect("a1 b2 c3 ");
    launches_free(l);
    assert_int_equal(n_forgotten, 2);
    n_graphs = n_forgotten = 0;
}

static void copies_have_their_place(void **state)
{
    (void)state;
    struct launches *l = launches_create(&machine);
    int from = 7, to = 0;
    for (int i = 0; i < 3; i++) {
        add(l, "ab"), launches_add_copy(l, &to, &from, sizeof to), add(l, "c"), launches_go(l);
        expect(i == 0 ? "a1 b2 =c1 " : i == 1 ? "(a1 b2 =c1 ) G1 " : "G1 ");
    }
    assert_int_equal(to, 7);
    launches_free(l);
    n_graphs = n_forgotten = 0;
}

/* Sequences that do not repeat do not evict any that does. */
static void what_comes_once_is_let_go(void **state)
{
    (void)state;
    struct launches *l = launches_create(&machine);
    for (int i = 0; i < 1000; i++) {
        struct arguments a;
        memset(&a, 0, sizeof a);
        a.letter = 'x', a.number = i;
        for (int k = 0; k < 5; k++) launches_add(l, &kernel, &a, 1);
        launches_go(l), expect("x1 x1 x1 x1 x1 ");
        add(l, "abcd"), launches_go(l), expect(i == 0 ? "a1 b2 c3 d4 " : i == 1 ? "(a1 b2 c3 d4 ) G1 " : "G1 ");
    }
    launches_free(l);
    assert_int_equal(n_forgotten, 1);
    n_graphs = n_forgotten = 0;
}

/* Many at once are launched without a wait. */
static void none_waits_for_ever(void **state)
{
    (void)state;
    struct launches *l = launches_create(&machine);
    add(l, "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    assert_true(strlen(told) > 0);
    launches_go(l);
    told[0] = 0;
    launches_free(l);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_again_is_a_graph), cmocka_unit_test(copies_have_their_place),
        cmocka_unit_test(what_comes_once_is_let_go), cmocka_unit_test(none_waits_for_ever)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
