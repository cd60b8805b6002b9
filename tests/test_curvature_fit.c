/* The fit of a paraboloid to facets, function by function: its fourth-order term, equations and solutions. */
#include "mesh_fixture.h"
#include "interface/curvature_fit.h"

static const double hessian[3] = {0.9, 0.35, -0.6};

static double fourth(const double *h, double x, double y)
{
    const double point[3] = {0};
    return fit_fourth_order(h, x, y, point);
}

static void spheres_have_their_fourth_order_term(void **state)
{
    (void)state;
    const double radius = 2, round[3] = {1 / radius, 0, 1 / radius};
    for (int i = 0; i < 12; i++) {
        double x = 0.1 * i * cos(i), y = 0.1 * i * sin(i), square = x * x + y * y;
        assert_true(fabs(fourth(round, x, y) - square * square / (8 * pow(radius, 3))) < 1e-15);
    }
    const double steep[3] = {3, 0, 3};                  /* slope 3 at a distance of 1: divided by its fourth power */
    assert_true(fabs(fourth(steep, 0.6, 0.8) - 27.0 / 8 / 81) < 1e-15);
}

/* A facet of two points x + d and x - d has the moments d d^T; the term is of fourth order in d, which the mean leaves
 * out. */
static void facets_have_the_mean_of_the_term(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        double x = 0.4 * sin(1 + i), y = 0.4 * cos(2 * i), d[2] = {0.3 * sin(3 * i), 0.3 * cos(5 * i)};
        const double m[3] = {d[0] * d[0], d[0] * d[1], d[1] * d[1]};
        double mean = 0.5 * (fourth(hessian, x + d[0], y + d[1]) + fourth(hessian, x - d[0], y - d[1]));
        double is = fit_fourth_order(hessian, x, y, m) + fourth(hessian, d[0], d[1]);
        if (!(fabs(is - mean) < 1e-15)) fail_msg("facet %d: %.17g, not %.17g", i, is, mean);
    }
}

static void frames_are_orthonormal(void **state)
{
    (void)state;
    for (int i = 0; i < 20; i++) {
        double z = cos(i), r = sin(i), n[3] = {r * cos(3 * i), r * sin(3 * i), z};
        struct fit fit;
        fit_frame(&fit, n, 0.25, 3);
        assert_true(fit.scale == 4);
        for (int a = 0; a < 3; a++)
            for (int b = 0; b < 3; b++)
                assert_true(fabs(fit_dot(fit.axis[a], fit.axis[b], 3) - (a == b)) < 1e-14);
        for (int k = 0; k < 3; k++) assert_true(fit.axis[2][k] == n[k]);
    }
}

/* Facets of the paraboloid z = a . (1, x, y, x^2, xy, y^2), each of two points x + d and x - d. */
/* narrow: how much nearer to the plane y = 0 than to x = 0. */
static void add_narrow_facets(struct fit *fit, const double *a, int n, double narrow)
{
    const double up[3] = {0, 0, 1};
    fit_frame(fit, up, 0.5, 3), fit_clear(fit);
    for (int i = 0; i < n; i++) {
        const double d[3] = {0.1 * sin(7 * i), 0.1 * narrow * cos(4 * i), 0};
        double r[3] = {0.5 * sin(1 + 2 * i), 0.5 * narrow * cos(3 * i), 0}, moment[6], height = 0;
        for (int k = 0; k < 3; k++) for (int l = 0; l <= k; l++) moment[PACKED(k, l)] = d[k] * d[l];
        for (int side = -1; side < 2; side += 2) {
            const double p[3] = {r[0] + side * d[0], r[1] + side * d[1], 0};
            double x = fit->scale * fit_dot(fit->axis[0], p, 3), y = fit->scale * fit_dot(fit->axis[1], p, 3);
            height += 0.5 * (a[0] + a[1] * x + a[2] * y + a[3] * x * x + a[4] * x * y + a[5] * y * y);
        }
        r[2] = height / fit->scale;
        fit_piece(fit, 1 + 0.1 * i, r, moment, 3);
    }
}

static void add_facets(struct fit *fit, const double *a, int n) { add_narrow_facets(fit, a, n, 1); }

static void paraboloids_are_found_again(void **state)
{
    (void)state;
    const double a[6] = {0.01, 0.2, -0.1, 0.3, 0.15, -0.25}, round[6] = {0.02, -0.1, 0.2, 0.3, 0, 0.3};
    double found[6];
    struct fit fit;
    add_facets(&fit, a, 12);
    assert_true(fit_solve(fit.m, fit.b, found, 1e-9, 6));
    for (int k = 0; k < 6; k++) assert_true(fabs(found[k] - a[k]) < 1e-13);
    add_facets(&fit, a, 12);
    assert_true(fit_solve_rounded(fit.m, fit.b, found, 1e-9, 1e-11));
    for (int k = 0; k < 6; k++) assert_true(fabs(found[k] - a[k]) < 1e-13);
    add_facets(&fit, round, 5);
    assert_true(fit_solve_rounded(fit.m, fit.b, found, 1e-9, 1e-11));
    for (int k = 0; k < 6; k++) assert_true(fabs(found[k] - round[k]) < 1e-6);
    add_facets(&fit, round, 3);
    assert_false(fit_solve_rounded(fit.m, fit.b, found, 1e-9, 1e-11));          /* too few */
}

/* From a surface to a line of facets the curvature across it changes gradually from its own to that along it: it jumped
 * where a pivot fell below a limit, which depended on rounding and on the frame. */
static void paraboloids_become_round_gradually(void **state)
{
    (void)state;
    const double a[6] = {0.01, 0.2, -0.1, 0.3, 0.15, -0.25};
    double found[6], last = a[5], jump = 0;
    struct fit fit;
    for (int i = 0; i <= 60; i++) {
        add_narrow_facets(&fit, a, 12, pow(10, -0.05 * i));
        assert_true(fit_solve_rounded(fit.m, fit.b, found, 1e-9, 1e-11));
        assert_true(fabs(found[3] - a[3]) < 1e-3);
        jump = fmax(jump, fabs(found[5] - last)), last = found[5];
    }
    print_message("# from %.3g across to %.3g, by %.3g at most\n", a[5], last, jump);
    assert_true(fabs(last - a[3]) < 0.01 && jump < 0.15);
}

/* What facets determine is found to the square of the damping; what two facets leave open is zero, and moved by
 * rounding of 1e-16 by no more than 1e-16 over the damping. */
static void damping_is_of_second_order(void **state)
{
    (void)state;
    const double a[6] = {0.01, 0.2, -0.1, 0.3, 0.15, -0.25}, none[6] = {0}, tilted[6] = {0, 1e-16, 0, 0, 0, 0};
    double found[6], most = 0, moved = 0;
    struct fit fit;
    add_facets(&fit, a, 12);
    assert_true(fit_solve_damped(fit.m, fit.b, found, 1e-4, 3));
    for (int k = 0; k < 6; k++) most = fmax(most, fabs(found[k] - a[k]));
    if (!(most > 1e-14 && most < 1e-5)) fail_msg("twelve facets: off by %g", most);
    add_facets(&fit, none, 2);
    assert_true(fit_solve_damped(fit.m, fit.b, found, 1e-4, 3));
    for (int k = 0; k < 6; k++) assert_true(found[k] == 0);
    add_facets(&fit, tilted, 2);
    assert_true(fit_solve_damped(fit.m, fit.b, found, 1e-4, 3));
    for (int k = 0; k < 6; k++) moved = fmax(moved, fabs(found[k]));
    if (!(moved < 2e-12)) fail_msg("two facets: moved by %g", moved);
}

/* A normal of the paraboloid with its fourth-order term satisfies the equation of slopes. */
static void normals_give_slopes(void **state)
{
    (void)state;
    const double *h = hessian, a[6] = {0, 0, 0, 0.5 * h[0], h[1], 0.5 * h[2]}, up[3] = {0, 0, 1}, e = 1e-3;
    for (int i = 0; i < 10; i++) {
        struct fit fit;
        double r[3] = {0.4 * sin(1 + i), 0.4 * cos(2 * i), 0}, across[3] = {cos(i), sin(i), 0.1}, g[2], normal[3];
        fit_frame(&fit, up, 1, 3), fit_clear(&fit);
        double x = fit_dot(fit.axis[0], r, 3), y = fit_dot(fit.axis[1], r, 3);
        for (int k = 0; k < 2; k++) {                   /* the derivative of a quartic, exact with these four points */
            double u = k == 0 ? e : 0, v = k == 1 ? e : 0;
            double near = fourth(h, x + u, y + v) - fourth(h, x - u, y - v);
            double far = fourth(h, x + 2 * u, y + 2 * v) - fourth(h, x - 2 * u, y - 2 * v);
            g[k] = h[k] * x + h[k + 1] * y + (8 * near - far) / (12 * e);
        }
        for (int k = 0; k < 3; k++) normal[k] = fit.axis[2][k] - g[0] * fit.axis[0][k] - g[1] * fit.axis[1][k];
        memcpy(fit.h, h, sizeof fit.h);
        fit_slope(&fit, 1, r, normal, across, 3);
        for (int k = 1; k < 6; k++) {
            double rest = -fit.b[k];
            for (int j = 0; j < 6; j++) rest += fit.m[PACKED(k > j ? k : j, k > j ? j : k)] * a[j];
            if (!(fabs(rest) < 1e-12)) fail_msg("normal %d, coefficient %d: %g", i, k, rest);
        }
        assert_true(fit.m[PACKED(1, 1)] + fit.m[PACKED(2, 2)] > 0.99);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spheres_have_their_fourth_order_term), cmocka_unit_test(facets_have_the_mean_of_the_term),
        cmocka_unit_test(frames_are_orthonormal), cmocka_unit_test(paraboloids_are_found_again),
        cmocka_unit_test(paraboloids_become_round_gradually),
        cmocka_unit_test(damping_is_of_second_order), cmocka_unit_test(normals_give_slopes)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
