/* Linear solvers from the command line: names, short names, keys, defaults, errors. */
#include "test.h"
#include "solve/linear_setting.h"

static struct linear_setting s;
static struct error e;

static void read_setting(const char *text)
{
    static const char *const standard[] = {"tolerance=1e-8", "max_iterations=77", "precision=single"};
    if (!linear_setting_read(&s, text, "metis", standard, 3, &e)) fail_msg("%s: %s", text, e.text);
}

static void names(void **state)
{
    (void)state;
    read_setting("two-stage-gs:sweeps=3:damping=0.9:form=non-compact");
    assert_true(s.preconditioner == PRECONDITIONER_TWO_STAGE_GS && s.sweeps == 3 && s.damping == 0.9);
    assert_true(s.form == FORM_NON_COMPACT && s.direction == DIRECTION_SYMMETRIC && s.deflation == DEFLATION_NONE);
    assert_true(s.tolerance == 1e-8 && s.max_iterations == 77 && s.precision == PRECISION_SINGLE);
    read_setting("jacobi");
    assert_true(s.preconditioner == PRECONDITIONER_JACOBI && s.precision == PRECISION_DOUBLE && s.tolerance == 1e-8);
    read_setting("multigrid:tolerance=0.05:cycle=v:method=stationary");
    assert_true(s.tolerance == 0.05 && s.max_iterations == 77 && s.cycle == CYCLE_V && s.method == METHOD_STATIONARY);
    read_setting("multigrid:pairings=2:smoothings=3:smoothing_damping=0.5");
    assert_true(s.pairings == 2 && s.smoothings == 3 && s.smoothing_damping == 0.5 && s.cycle == CYCLE_K);
    read_setting("multigrid:k_levels=1:cycle=w");
    assert_true(s.k_levels == 1 && s.cycle == CYCLE_W);
    read_setting("ilu:level=2:parts=16:overlap=2:method=gmres:side=left:restart=20");
    assert_true(s.preconditioner == PRECONDITIONER_ILU && s.level == 2 && s.parts == 16 && s.overlap == 2);
    assert_true(s.method == METHOD_GMRES && s.side == SIDE_LEFT && s.restart == 20);
    read_setting("block-isai:power=3:method=fgmres");
    assert_true(s.preconditioner == PRECONDITIONER_BLOCK_ISAI && s.power == 3 && s.parts == 1 && s.restart == 30);
    read_setting("nested-schwarz:inner=16:overlap=2:inner_overlap=3:level=1:method=gmres:side=left");
    assert_true(s.preconditioner == PRECONDITIONER_NESTED_SCHWARZ && s.parts == 16 && s.overlap == 2 && s.level == 1);
    assert_int_equal(s.inner_overlap, 3);
    read_setting("sgs2:precision=double");
    assert_true(s.precision == PRECISION_DOUBLE);
}

static void shorthands(void **state)
{
    (void)state;
    read_setting("jr:sweeps=2");
    assert_true(s.preconditioner == PRECONDITIONER_JACOBI_RICHARDSON && s.sweeps == 2);
    read_setting("gs:method=stationary");
    assert_true(s.preconditioner == PRECONDITIONER_GAUSS_SEIDEL && s.direction == DIRECTION_FORWARD);
    read_setting("sgs");
    assert_true(s.preconditioner == PRECONDITIONER_GAUSS_SEIDEL && s.direction == DIRECTION_SYMMETRIC);
    read_setting("gs2:method=stationary");
    assert_true(s.preconditioner == PRECONDITIONER_TWO_STAGE_GS && s.direction == DIRECTION_FORWARD);
    read_setting("sgs2");
    assert_true(s.preconditioner == PRECONDITIONER_TWO_STAGE_GS && s.direction == DIRECTION_SYMMETRIC);
    read_setting("neumann1");
    assert_true(s.preconditioner == PRECONDITIONER_NEUMANN && s.terms == 1);
    read_setting("neumann2");
    assert_true(s.preconditioner == PRECONDITIONER_NEUMANN && s.terms == 2);
    read_setting("neumann2:terms=3");
    assert_int_equal(s.terms, 3);
    read_setting("deflated-neumann1:deflation_vectors=9");
    assert_true(s.deflation == DEFLATION_METIS && s.deflation_vectors == 9 && s.terms == 1);
    read_setting("deflated-jacobi:deflation=stripes");
    assert_true(s.deflation == DEFLATION_STRIPES && s.preconditioner == PRECONDITIONER_JACOBI);
}

static void errors(void **state)
{
    (void)state;
    static const struct { const char *text, *expected; } cases[] = {
        {"jacob", "--preconditioner jacob: preconditioner = \"jacob\": expected none, jacobi, "},
        {"jacob", "block-isai or nested-schwarz; for studies: ruiz, gauss-seidel, multicolour-gs, ic0, block-ic, "
         "incomplete-poisson, neumann or async-block-jacobi (did you mean \"jacobi\"?)"},
        {"", "--preconditioner : preconditioner = \"\": expected none, jacobi, "},
        {"jacobi:sweeps=2",
         "--preconditioner jacobi:sweeps=2: sweeps does not apply to preconditioner \"jacobi\"; remove it"},
        {"sgs2:sweep=2", "--preconditioner sgs2:sweep=2: unknown key \"sweep\" (did you mean \"sweeps\"?)"},
        {"sgs2:sweeps", "--preconditioner sgs2:sweeps: found \"sweeps\"; expected NAME[:key=value]..."},
        {"sgs2:=3", "--preconditioner sgs2:=3: found \"=3\"; expected NAME[:key=value]..."},
        {"sgs2:sweeps=two", "--preconditioner sgs2:sweeps=two: sweeps = \"two\": expected a whole number in [1, 100]"},
        {"sgs2:sweeps=0", "sweeps = 0: expected a whole number in [1, 100]"},
        {"sgs2:form=compct", "form = \"compct\": expected compact or non-compact (did you mean \"compact\"?)"},
        {"jacobi:restart=20", "restart does not apply to method \"cg\"; remove it, or set method = \"gmres\""},
        {"jacobi:method=fgmres:side=left", "side does not apply to method \"fgmres\""},
        {"ilu:overlap=2", "overlap does not apply to one part; remove it, or set parts"},
        {"nested-schwarz:inner_overlap=2", "inner_overlap does not apply to one part; remove it, or set parts"},
        {"multigrid:slice_sweeps=8", "slice_sweeps is no longer a key; remove it: a smoothing sweeps 4 times"},
        {"multigrid:smoother=chebyshev:second_smoothings=1",
         "second_smoothings is no longer a key; remove it: multigrid chooses it from the matrix"},
        {"jacobi:inner=cg", "inner does not apply to preconditioner \"jacobi\" without smoothing"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_false(linear_setting_read(&s, cases[i].text, "metis", NULL, 0, &e));
        assert_int_equal(e.status, EXIT_INPUT);
        if (!strstr(e.text, cases[i].expected)) fail_msg("expected \"%s\", found \"%s\"", cases[i].expected, e.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(names), cmocka_unit_test(shorthands), cmocka_unit_test(errors)};
    return RUN_TESTS("linear_setting", tests);
}
