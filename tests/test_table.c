/* Tables: what is wrong in a file and where; interpolation along lines, on planes, in space and in time. */
#include <math.h>
#include <unistd.h>
#include "test.h"
#include "assembly/table_map.h"

static char path[] = "/tmp/poise-test-XXXXXX.csv";         /* made by main() */

static bool read_over(struct table *t, const char *text, const char *const *field, int n_fields, struct error *e)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return table_read(t, path, field, n_fields, e);
}

static bool read_text(struct table *t, const char *text, struct error *e) { return read_over(t, text, NULL, 0, e); }

static void faults(void **state)
{
    (void)state;
    static const struct { const char *text, *message; } row[] = {
        {"", ": the table is empty: expected the names of the columns, then rows of numbers"},
        {"# nothing\n\n", ": the table is empty: expected the names of the columns, then rows of numbers"},
        {"x,y,u\n", ": the table is empty: expected the names of the columns, then rows of numbers"},
        {"0,1,2\n3,4,5\n", ":1: column 1 is \"0\": expected the names of the columns in the first line, like "
                           "x,y,velocity_x"},
        {"x,,u\n", ":1: column 2 is \"\": expected the names of the columns in the first line, like x,y,velocity_x"},
        {"x,u,u\n0,1,2\n", ":1: two columns are named \"u\""},
        {"x,u\n\n# more\n0,1\n1\n", ":5: 1 number, but the first line names 2 columns"},
        {"x,u\n0,1,2\n", ":2: 3 numbers, but the first line names 2 columns"},
        {"x,u\n0,1\n1,abc\n", ":3: u = \"abc\": expected a number"}, {"x,u\n0,\n", ":2: u = \"\": expected a number"},
        {"x,u\n0,nan\n", ":2: u = \"nan\": expected a number"},
        {"x,u\n0,1e999\n", ":2: u = \"1e999\": expected a number"},
        {"x,u\n0,1\n1,2\n0,3\n", ":4: the same point as in line 2; a value in time needs a column t"},
        {"x,t,u\n0,0,1\n0,0,2\n", ":3: the same point and time as in line 2"},
        {"x,t,u\n0,0,1\n1,0,2\n0,1,1\n", ": at t = 1 points are missing; expected the same points at every time"},
        {"x,t,u\n0,0,1\n1,0,2\n0,1,1\n2,1,3\n", ":5: at t = 1 the points are not those of t = 0; expected the same "
                                                "points at every time"},
        {"x,t,u\n0,0,1\n0,1,1\n1,1,3\n", ":4: at t = 1 the points are not those of t = 0; expected the same points at "
                                         "every time"}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct table t;
        struct error e = {0};
        char expected[300];
        snprintf(expected, sizeof expected, "%s%s", path, row[i].message);
        assert_false(read_text(&t, row[i].text, &e));
        assert_string_equal(e.text, expected);
    }
}

/* Separators, blanks, quotes, line ends, the order of rows. */
static void forms(void **state)
{
    (void)state;
    struct table t;
    struct error e;
    if (!read_text(&t, "# from the wind tunnel\r\n\"x\" ; t;u\r\n1;1;4\r\n0;1;3\r\n\r\n1; 0 ;2\r\n0;0;1", &e))
        fail_msg("%s", e.text);
    assert_true(t.n_columns == 3 && t.n_rows == 4 && t.n_times == 2 && t.n_points == 2);
    assert_true(t.space[0] == 0 && t.space[1] < 0 && t.space[2] < 0 && t.time == 1);
    for (int k = 0; k < 4; k++) assert_true(table_value(&t, table_column(&t, "u"), t.order[k]) == k + 1);
    assert_true(table_column(&t, "v") < 0);
    table_free(&t);
}

static double linear(const double *x, double t) { return 1 + 2 * x[0] - 3 * x[1] + 0.5 * x[2] + 4 * t; }

/* n^axes points on a line, in a plane, in space, none of them along the axes of coordinates; two times. */
static void make_table(struct table *t, int axes, int n)
{
    static const double along[3][3] = {{0.6, 0.8, 0}, {-0.8, 0.6, 0.2}, {0.1, 0.1, 1}};
    char *text = NULL;
    size_t size;
    FILE *f = open_memstream(&text, &size);
    struct error e;
    fputs("x,y,z,t,u\n", f);
    for (int time = 0; time < 2; time++)
        for (int i = 0; i < n; i++)
            for (int j = 0; j < (axes > 1 ? n : 1); j++)
                for (int k = 0; k < (axes > 2 ? n : 1); k++) {
                    double s[3] = {i + 0.2 * number(i + 10 * j + 100 * k), j + 0.3 * number(k + i), k}, x[3];
                    for (int c = 0; c < 3; c++) {
                        x[c] = 5;
                        for (int a = 0; a < axes; a++) x[c] += along[a][c] * s[a] / (n - 1);
                    }
                    fprintf(f, "%.17g,%.17g,%.17g,%d,%.17g\n", x[0], x[1], x[2], time, linear(x, time));
                }
    fclose(f);
    if (!read_text(t, text, &e)) fail_msg("%s", e.text);
    free(text);
}

/* Linear functions are exact at any point among those of the table; so is time. */
static void linear_functions(void **state)
{
    (void)state;
    for (int axes = 1; axes <= 3; axes++) {
        enum { N = 200 };
        struct table t;
        struct table_map map;
        double x[3 * N], u[N];
        make_table(&t, axes, 7);
        for (int i = 0; i < N; i++) {                           /* between two of the points */
            int32_t a = (int32_t)((number(2 * i) + 0.5) * (t.n_points - 1)), b = (a + 1) % t.n_points;
            for (int c = 0; c < 3; c++)
                x[c * N + i] = 0.7 * table_value(&t, c, t.order[a]) + 0.3 * table_value(&t, c, t.order[b]);
        }
        assert_true(table_map_create(&map, &t, 3, N, x) < 0);
        assert_true(table_map_values(&map, 4, 0.25, u));
        for (int i = 0; i < N; i++) {
            const double at[3] = {x[i], x[N + i], x[2 * N + i]};
            if (!(fabs(u[i] - linear(at, 0.25)) < 1e-10)) fail_msg("%d axes: %g, %g", axes, u[i], linear(at, 0.25));
        }
        assert_false(table_map_values(&map, 4, 1.01, u) || table_map_values(&map, 4, -0.01, u));
        table_map_free(&map), table_free(&t);
    }
}

/* The table's own points have its values; points a little outside those of the nearest, farther ones none. */
static void at_the_edge(void **state)
{
    (void)state;
    struct table t;
    struct table_map map;
    struct error e;
    double u[3];
    assert_true(read_text(&t, "y,u\n0.1,1\n0.5,4\n0.9,2\n", &e));
    const double x[2 * 3] = {7, 8, 9, 0.05, 0.5, 0.95}, far[2 * 3] = {0, 0, 0, 0.5, 1.1, 0.5};  /* any x */
    assert_true(table_map_create(&map, &t, 2, 3, x) < 0 && table_map_values(&map, 1, 99, u));
    assert_true(u[0] == 1 && u[1] == 4 && u[2] == 2);
    table_map_free(&map);
    assert_true(table_map_create(&map, &t, 2, 3, far) == 1);
    table_map_free(&map), table_free(&t);
    assert_true(read_text(&t, "t,u\n0,1\n2,5\n", &e));                          /* uniform */
    assert_true(table_map_create(&map, &t, 2, 3, x) < 0 && table_map_values(&map, 1, 0.5, u));
    assert_true(u[0] == 2 && u[2] == 2);
    table_map_free(&map), table_free(&t);
    make_table(&t, 2, 5);
    double own[3 * 2], value[2];
    for (int c = 0; c < 3; c++) own[2 * c] = table_value(&t, c, t.order[12]), own[2 * c + 1] = own[2 * c];
    assert_true(table_map_create(&map, &t, 3, 2, own) < 0 && table_map_values(&map, 4, 0, value));
    assert_true(fabs(value[0] - table_value(&t, 4, t.order[12])) < 1e-11 && value[0] == value[1]);
    own[5] += 0.5;                                                              /* off the plane */
    table_map_free(&map);
    assert_true(table_map_create(&map, &t, 3, 2, own) == 1);
    table_map_free(&map), table_free(&t);
}

/* Over a field: linear between rows, which may be in any order, and beyond the ends as there. */
static void along_a_field(void **state)
{
    (void)state;
    static const char *const field[] = {"x", "temperature", "dye"};
    static const struct { const char *text, *message; } fault[] = {
        {"temperature,k\n1,2\n3,4\n1,5\n", ":4: the same temperature as in line 2"},
        {"temperature,y,k\n1,2,3\n", ":1: columns y and temperature: expected a table over one field, or over x, y, z "
                                     "and t; remove one of them"},
        {"k,dye,temperature\n1,2,3\n", ":1: columns temperature and dye: expected a table over one field, or over x, "
                                       "y, z and t; remove one of them"}};
    struct table t;
    struct error e;
    double range[2], k[7];
    const double x[7] = {-5, 0, 1, 2, 2.5, 4, 9}, expected[7] = {3, 3, 2, 1, 4, 13, 13};
    for (size_t i = 0; i < sizeof fault / sizeof *fault; i++) {
        assert_false(read_over(&t, fault[i].text, field, 3, &e));
        assert_string_equal(e.text + strlen(path), fault[i].message);
    }
    if (!read_over(&t, "k,temperature,rest\n13,4,0\n3,0,0\n1,2,0\n", field, 2, &e)) fail_msg("%s", e.text);
    assert_true(t.field == 1 && table_is_coordinate(&t, 1) && !table_is_coordinate(&t, 0));
    table_range(&t, range);
    assert_true(range[0] == 0 && range[1] == 4);
    table_along_field(&t, 0, x, 7, k);
    assert_memory_equal(k, expected, sizeof k);
    table_free(&t);
    assert_true(read_text(&t, "temperature,x\n1,2\n1,3\n", &e) && t.field < 0);         /* no fields: a column */
    table_free(&t);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(faults), cmocka_unit_test(forms),
                                       cmocka_unit_test(linear_functions), cmocka_unit_test(at_the_edge),
                                       cmocka_unit_test(along_a_field)};
    close(mkstemps(path, 4));
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
