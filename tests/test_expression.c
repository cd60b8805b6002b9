/* Expressions: values, the variables that they contain, and the place and kind of every fault. */
#include <math.h>
#include "test.h"
#include "base/expression.h"

static const char *const names[] = {"x", "y", "shear_rate"};

static double value_of(const char *text, double x, double y, double rate)
{
    struct expression_fault fault;
    struct expression *e = expression_create(text, names, 3, &fault);
    if (!e) fail_msg("%s: %s", text, fault.what);
    const struct expression_input at[] = {{&x, 0}, {&y, 0}, {&rate, 0}};
    double v;
    expression_evaluate(e, at, 1, &v);
    expression_free(e);
    return v;
}

static void values(void **state)
{
    (void)state;
    assert_true(value_of("6*y*(1 - y)", 0, 0.25, 0) == 6 * 0.25 * 0.75);
    assert_true(value_of("-x^2", 3, 0, 0) == -9 && value_of("2^3^2", 0, 0, 0) == 512);
    assert_true(value_of("sin(pi*x) + log(e)", 0.5, 0, 0) == sin(M_PI * 0.5) + 1);
    assert_true(value_of("x > 1 && y < 2 ? 5 : shear_rate", 2, 1, 7) == 5);
    assert_true(value_of("x > 1 && y < 2 ? 5 : shear_rate", 1, 1, 7) == 7);
    assert_true(value_of("x == 1", 1, 0, 0) == 1 && value_of("max(x, y, 3)", 1, 4, 0) == 4);
    assert_true(isinf(value_of("1/x", 0, 0, 0)) && isnan(value_of("sqrt(x)", -1, 0, 0)));
}

static void at_many_points(void **state)
{
    (void)state;
    enum { N = 20000 };
    struct expression_fault fault;
    struct expression *e = expression_create("x*shear_rate", names, 3, &fault);
    assert_non_null(e);
    assert_true(expression_uses(e, 0) && !expression_uses(e, 1) && expression_uses(e, 2));
    static double x[2 * N], to[N];
    double rate = 3;
    for (int i = 0; i < 2 * N; i++) x[i] = number(i);
    const struct expression_input at[] = {{x, 2}, {NULL, 0}, {&rate, 0}};
    expression_evaluate(e, at, N, to);
    for (int i = 0; i < N; i++) assert_true(to[i] == x[2 * i] * 3);
    memset(to, 0, sizeof to);
    expression_share(e, 7);
    for (int k = 6; k >= 0; k--) expression_evaluate_piece(e, k, 7, at, N, to);
    for (int i = 0; i < N; i++) assert_true(to[i] == x[2 * i] * 3);
    expression_free(e);
}

static void faults(void **state)
{
    (void)state;
    static const struct { const char *text; int position; const char *what; } row[] = {
        {"6*yy", 2, "there is no variable \"yy\"; expected x, y or shear_rate, a number, pi, e or a function"},
        {"shear_rat", 0, "there is no variable \"shear_rat\" (did you mean shear_rate?); expected x, y or shear_rate, "
                         "a number, pi, e or a function"},
        {"2*t", 2, "there is no variable \"t\"; expected x, y or shear_rate, a number, pi, e or a function"},
        {"exp", 0, "the function \"exp\" needs brackets, like exp(x)"},
        {"2*", 2, "the expression ends too early"}, {"", 0, "the expression ends too early"},
        {"(x+1", 4, "a closing ) is missing"}, {"x+1)", 3, "a bracket is not expected here: \")\""},
        {"x y", 2, "an operator like * is missing before \"y\""},
        {"2x", 1, "an operator like * is missing before \"x\""},
        {"3 pi", 2, "an operator like * is missing before \"pi\""},
        {"x^2 +* 3", 5, "an operator is not expected here: \"*\""},
        {"sin(x,y)", 6, "too many arguments of \"sin\""}, {"sin()", 3, "too few arguments of \"sin\""},
        {"x = 3", 2, "a value cannot be assigned; a comparison is =="},
        {"1,5*x", 1, "a comma separates arguments; expected one value; decimals have a point"},
        {"x > 0 ? 1", 9, "after ? a : and the other value are missing"},
        {"x # y", 2, "this is no part of an expression: \"#\""},
        {"5 % 2", 2, "this is no part of an expression: \"%\""}};
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        struct expression_fault fault = {0};
        struct expression *e = expression_create(row[i].text, names, 3, &fault);
        if (e) fail_msg("%s", row[i].text);
        if (fault.position != row[i].position) fail_msg("%s: at %d, %s", row[i].text, fault.position, fault.what);
        assert_string_equal(fault.what, row[i].what);
    }
    struct expression_fault fault;
    char text[EXPRESSION_LENGTH + 1] = "";
    memset(text, '(', EXPRESSION_LENGTH);
    assert_null(expression_create(text, names, 3, &fault));
    assert_string_equal(fault.what, "the expression is too long");
    text[EXPRESSION_LENGTH - 1] = 0;
    assert_null(expression_create(text, names, 3, &fault));
}

static void marks(void **state)
{
    (void)state;
    char mark[300], text[200];
    expression_mark(mark, sizeof mark, "x + é*q", 7);
    assert_string_equal(mark, "    x + é*q\n          ^");
    memset(text, 'x', 150), strcpy(text + 150, "?");
    expression_mark(mark, sizeof mark, text, 150);
    assert_int_equal(strchr(mark, '^') - strchr(mark, '\n') - 1, 64);
    assert_int_equal(strchr(mark, '?') - mark, 64);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values), cmocka_unit_test(at_many_points),
                                       cmocka_unit_test(faults), cmocka_unit_test(marks)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
