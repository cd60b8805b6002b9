/* Values of a case at faces and in cells: numbers, expressions and tables, in time, and what is wrong with them. */
#include "unsteady_fixture.h"
#include "assembly/given.h"
#include "gpu/device.h"

static char path[] = "/tmp/poise-test-XXXXXX.csv";         /* made by main() */
static const char rest[] = "right = { type = \"outlet\"; }; bottom = { type = \"wall\"; }; "
    "top = { type = \"wall\"; }; };\n"
    "fluid = { viscosity = 0.1; };\nsolver = { algorithm = \"piso\"; pressure = { tolerance = 1e-8; }; };\n"
    "time = { end = 1.0; step = 0.025; };\n";

static void open_channel(struct unsteady *w, enum grid kind, int n, const char *left, const char *more)
{
    struct box_setting box = grid_box(kind, n, 0);
    char text[4000];
    snprintf(text, sizeof text, "boundary = { left = { type = \"inlet\"; %s };%s %s%s", left,
             grid_dim(kind) == 3 ? " back = { type = \"symmetry\"; }; front = { type = \"symmetry\"; };" : "", rest,
             more);
    open_unsteady(w, kind, &box, 0, text);
}

/* The flux of a parabola is exact on every kind of face, and follows the time. */
static void fluxes(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct unsteady w;
        struct error e;
        open_channel(&w, kind, 3, grid_dim(kind) == 2 ? "velocity = [\"6*y*(1-y)*(1 + t)\", 0];"
                                                      : "velocity = [\"6*y*(1-y)*(1 + t)\", 0, 0];", "");
        for (double t = 0; t < 2; t += 0.5) {
            double sum = 0, at_faces = 0;
            if (!given_update(&w.t.f.given, t, &e)) fail_msg("%s", e.text);
            double *u = FROM_DEVICE(w.t.f.b.velocity, w.t.f.s.n_boundary);
            for (const struct given *g = w.t.f.given.item; g < w.t.f.given.item + w.t.f.given.n; g++) {
                if (g->array != w.t.f.b.velocity || strcmp(g->patch->name, "left")) continue;
                for (int32_t i = 0; i < g->patch->count; i++) {
                    double area = -face_vector(w.m.face_area, &w.m, 0, g->patch->first + i);
                    sum += g->value[i] * area, at_faces += u[g->patch->first - w.m.n_internal + i] * area;
                }
            }
            assert_true(fabs(sum - (1 + t)) < 1e-13 && sum == at_faces);
            free(u);
        }
        close_unsteady(&w);
    }
}

/* Values evaluated ahead are those of an update without, at that time and at others, with the same error. */
static void values_ahead(void **state)
{
    (void)state;
    struct unsteady w;
    struct error e;
    open_channel(&w, GRID_QUADS, 40, "velocity = [\"6*y*(1-y)*(1 + t)\", \"sqrt(1 - t)*y\"]; ", "");
    struct given_list *list = &w.t.f.given;
    const struct given *g = list->item;
    while (g->array != w.t.f.b.velocity || !given_is_in_time(g)) g++;
    const size_t size = 2 * (size_t)g->patch->count * sizeof(double);
    for (int i = 0; i < 4; i++) {
        double t = 0.1 * i, at = i == 2 ? 0.7 : t, *ahead;
        given_prepare(list, at);
        assert_true(given_update(list, t, &e));
        NEW(ahead, 2 * g->patch->count);
        memcpy(ahead, g->value, size);
        const double low = g->low[1], high = g->high[0];
        assert_true(given_update(list, t, &e));
        assert_memory_equal(ahead, g->value, size);
        assert_true(low == g->low[1] && high == g->high[0] && high > 1);
        free(ahead);
    }
    given_prepare(list, 1.5);
    assert_false(given_update(list, 1.5, &e));
    assert_non_null(strstr(e.text, "not a number"));
    assert_true(given_update(list, 0.5, &e));
    given_prepare(list, 0.6);
    close_unsteady(&w);
}

/* The case is refused, or its first steps are; returns the message. */
static const char *refusal(const char *left, const char *more, double *time)
{
    static struct error e;
    struct unsteady w = {0};
    struct transient_report r = {0};
    struct box_setting box = grid_box(GRID_QUADS, 4, 0);
    char text[4000];
    snprintf(text, sizeof text, "mesh = { box = { cells = [1, 1]; }; };\nboundary = { left = { %s }; %s%s", left,
             rest, more);
    case_of_text(&w.c, text);
    grid_mesh(&w.m, GRID_QUADS, &box);
    if (!mesh_complete(&w.m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    *time = -1;
    bool created = transient_create(&w.t, &w.c.flow, &w.m, &e);
    for (int i = 0; created && i < 40 && !r.fault; i++) transient_advance(&w.t, 0.025, &r);
    if (created && !r.fault) fail_msg("%s %s: not refused", left, more);
    if (created) *time = w.t.time, error_copy(&e, r.fault), transient_free(&w.t);
    mesh_free(&w.m), case_free(&w.c);
    return strchr(e.text, ':') + 1;
}

static void expect(const char *left, const char *more, double ends, const char *message)
{
    double time;
    const char *found = refusal(left, more, &time);
    if (!strstr(found, message)) fail_msg("\"%s\", expected \"%s\"", found, message);
    if (!(fabs(time - ends) < 1e-12)) fail_msg("%s: at %g", message, time);
}

static void wrong_values(void **state)
{
    (void)state;
    expect("type = \"inlet\"; velocity = [\"sqrt(y - 0.5)\", \"0\"];", "", -1,
           "2: boundary.left.velocity is not a number in the face around (0, 0.125) of boundary \"left\":\n"
           "    sqrt(y - 0.5)");
    expect("type = \"inlet\"; velocity = [\"1/(0.3 - t)\", \"0\"];", "", 0.275,
           "2: boundary.left.velocity is infinite in the face around (0, 0.125) of boundary \"left\" at t = 0.3:\n"
           "    1/(0.3 - t)");
    expect("type = \"wall\"; velocity = [\"t > 0.26 ? 1 : 0\", \"y\"];", "", 0.25,
           "2: the velocity of wall \"left\" points through the wall (at 0, 0.125, 0; t = 0.275)");
    expect("type = \"inlet\"; velocity = [1, 0];", "initial = { pressure = \"1/(x - 0.125)\"; };", -1,
           "6: initial.pressure is infinite in the cell around (0.125, 0.125):\n    1/(x - 0.125)");
    expect("type = \"inlet\"; velocity = [1, 0];", "scalars = { c = { diffusivity = 1; values = { left = "
           "\"log(y - 0.2)\"; }; }; };", -1, "6: scalars.c.values.left is not a number in the face around (0, 0.125) "
           "of boundary \"left\":\n");
    expect("type = \"inlet\"; velocity = [\"6*y*(y - 1)\", 0];", "", -1,
           "2: the velocity of inlet \"left\" points out");
    FILE *f = fopen(path, "w");
    fputs("y,t,velocity_x\n0,0,1\n0.5,0,1\n0,0.1,1\n0.5,0.1,1\n", f), fclose(f);
    char inlet[100], message[300];
    snprintf(inlet, sizeof inlet, "type = \"inlet\"; table = \"%s\";", path);
    snprintf(message, sizeof message, "2: boundary.left.velocity is not covered by the points of its table in the face "
             "around (0, 0.625) of boundary \"left\":\n    table:%s:velocity_x", path);
    expect(inlet, "", -1, message);
    f = fopen(path, "w");
    fputs("t,velocity_x\n0,1\n0.1,1\n", f), fclose(f);
    snprintf(message, sizeof message, "2: boundary.left.velocity: t = 0.125 is outside the times of %s, 0 to 0.1; add "
             "rows to it, or change time.end", path);
    expect(inlet, "", 0.1, message);
}

/* Extremes that a scalar's scheme keeps follow the time. */
static void extremes(void **state)
{
    (void)state;
    struct unsteady w;
    struct error e;
    double low, high;
    open_channel(&w, GRID_QUADS, 4, "velocity = [1, 0];", "scalars = { c = { diffusivity = 1; values = { "
                 "left = \"2 + t*y\"; top = 1; }; }; };");
    struct given_list *list = w.t.f.given.next;         /* of the scalars */
    const struct given *last = &list->item[list->n - 1];
    while (strcmp(last->patch ? last->patch->name : "", "left")) last--;
    given_extremes(list, last->array, &low, &high);
    assert_true(low == 1 && high == 2);
    assert_true(given_update(&w.t.f.given, 4, &e));
    given_extremes(list, last->array, &low, &high);
    assert_true(low == 1 && fabs(high - (2 + 4 * 0.875)) < 1e-14);
    close_unsteady(&w);
}

/* The longest vector given at a boundary, on its last face or its first. */
static void longest_vectors(void **state)
{
    (void)state;
    static const struct { const char *velocity; double longest; } row[] = {
        {"velocity = [\"3*y\", \"y\"];", 0.875}, {"velocity = [\"3 - 3*y\", \"1 - y\"];", 0.875}};
    for (int i = 0; i < 2; i++) {
        struct unsteady w;
        open_channel(&w, GRID_QUADS, 4, row[i].velocity, "");
        const struct given_list *list = &w.t.f.given;
        double found = 0;
        for (int k = 0; k < list->n; k++)
            if (list->item[k].components == 2) found = fmax(found, list->item[k].largest);
        if (!(fabs(found - row[i].longest * sqrt(10)) < 1e-14)) fail_msg("%s: %.17g", row[i].velocity, found);
        close_unsteady(&w);
    }
}

/* ---------------------------------------------------------------- Womersley */
/* Flow between plates at y = 0 and 1 driven by the pressure gradient -cos(w t), density 1:
 *     u = Re(exp(i w t) (1 - cosh((1+i) k s) / cosh((1+i) k / 2)) / (i w)),  k^2 = w / (2 nu),  s = y - 1/2 */
static const double W = 2 * M_PI, NU = 0.1;
static double womersley(double y, double t)
{
    double k = sqrt(W / (2 * NU)), s = k * (y - 0.5), h = k / 2;
    double a = cosh(s) * cos(s), b = sinh(s) * sin(s), c = cosh(h) * cos(h), d = sinh(h) * sin(h), n = c * c + d * d;
    return ((1 - (a * c + b * d) / n) * sin(W * t) - (b * c - a * d) / n * cos(W * t)) / W;
}

static void womersley_text(char *to, size_t size, bool start)
{
    double k = sqrt(W / (2 * NU)), h = k / 2, c = cosh(h) * cos(h), d = sinh(h) * sin(h), n = c * c + d * d;
    char a[200], b[200];
    snprintf(a, sizeof a, "cosh(%.17g*(y-0.5))*cos(%.17g*(y-0.5))", k, k);
    snprintf(b, sizeof b, "sinh(%.17g*(y-0.5))*sin(%.17g*(y-0.5))", k, k);
    const char *sine = start ? "0" : "sin(2*pi*t)", *cosine = start ? "1" : "cos(2*pi*t)";
    snprintf(to, size, "((1 - (%s*%.17g + %s*%.17g))*%s - (%s*%.17g - %s*%.17g)*%s)/(2*pi)", a, c / n, b, d / n, sine,
             b, c / n, a, d / n, cosine);
}

static void write_womersley(int n, int steps)
{
    FILE *f = fopen(path, "w");
    fputs("y,t,velocity_x\n", f);
    for (int j = 0; j <= steps; j++)
        for (int i = 0; i <= n; i++) {
            double y = (double)i / n, t = (double)j / steps;
            fprintf(f, "%.17g,%.17g,%.17g\n", y, t, womersley(y, t));
        }
    fclose(f);
}

/* The largest error at the end; u: the velocities, freed by the caller. */
static double run_womersley(int n, const char *inlet, double **u)
{
    struct unsteady w;
    char start[1500], more[2000];
    womersley_text(start, sizeof start, true);
    snprintf(more, sizeof more, "initial = { velocity = [\"%s\", \"0\"]; };", start);
    open_channel(&w, GRID_QUADS, n, inlet, more);
    advance_to_end(&w);
    *u = FROM_DEVICE(w.t.f.u, w.t.f.s.pitch);
    double most = 0;
    for (int32_t c = 0; c < w.m.n_cells; c++)
        most = fmax(most, fabs((*u)[c] - womersley(w.m.cell_centre[w.m.n_all + c], w.t.time)));
    close_unsteady(&w);
    return most;
}

/* By an expression and by a table that is fine enough: the difference is the table's, and falls with its square. */
static void womersley_flow(void **state)
{
    (void)state;
    char text[1500], inlet[1600];
    double *by_text, *by_table, difference[2] = {0};
    womersley_text(text, sizeof text, false);
    snprintf(inlet, sizeof inlet, "velocity = [\"%s\", \"0\"];", text);
    double error = run_womersley(16, inlet, &by_text);
    for (int k = 0; k < 2; k++) {
        write_womersley(40 << k, 40 << k);
        snprintf(inlet, sizeof inlet, "table = \"%s\";", path);
        run_womersley(16, inlet, &by_table);
        for (int c = 0; c < 16 * 16; c++) difference[k] = fmax(difference[k], fabs(by_table[c] - by_text[c]));
        free(by_table);
    }
    free(by_text);
    printf("# Womersley: error %.2e; table less expression %.2e, %.2e with half the steps\n", error, difference[0],
           difference[1]);
    assert_true(error < 0.002 && difference[0] < 0.002 && difference[1] < 0.3 * difference[0]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(fluxes), cmocka_unit_test(values_ahead),
                                       cmocka_unit_test(wrong_values),
                                       cmocka_unit_test(extremes), cmocka_unit_test(longest_vectors),
                                       cmocka_unit_test(womersley_flow)};
    close(mkstemps(path, 4));
    int failed = RUN_TESTS("given", tests);
    unlink(path);
    return failed;
}
