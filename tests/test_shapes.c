/* Volume fractions of spheres, boxes and half-spaces: compared with known volumes, on every kind of cell. */
#include <math.h>
#include <time.h>
#include "flow_fixture.h"
#include "interface/shapes.h"

static const double PI = 3.14159265358979323846;

static void open_distorted(struct mesh *m, enum grid kind, int n, double distortion)
{
    struct box_setting box = grid_box(kind, n, distortion);
    struct error e;
    grid_mesh(m, kind, &box);
    if (!mesh_complete(m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
}

static void open_grid(struct mesh *m, enum grid kind, int n) { open_distorted(m, kind, n, 0.3); }

static const struct case_source source = {.path = "test.cfg"};

static struct shape_setting sphere(int dim, double x, double y, double z, double radius)
{
    return (struct shape_setting){.name = "ball", .place = {&source, 7}, .type = SHAPE_SPHERE,
                                  .centre = {x, y, dim == 3 ? z : 0}, .radius = radius, .length = dim,
                                  .copies = {1, 1, 1}};
}

static struct shape_setting box(int dim, const double *from, const double *to)
{
    struct shape_setting s = {.name = "box", .place = {&source, 8}, .type = SHAPE_BOX, .length = dim,
                              .copies = {1, 1, 1}};
    for (int k = 0; k < dim; k++) s.from[k] = from[k], s.to[k] = to[k];
    return s;
}

static struct shape_setting level(const char *function)
{
    return (struct shape_setting){.name = "wave", .place = {&source, 9}, .type = SHAPE_LEVEL, .copies = {1, 1, 1},
                                  .function = {.text = function, .variable = value_variables, .n_variables = 3}};
}

static double volume_of(const struct mesh *m, struct shape_setting *shape, int n)
{
    struct shape_settings c = {shape, n};
    struct error e;
    double *fraction, sum = 0;
    NEW(fraction, m->n_cells);
    if (!shapes_fraction(&c, m, fraction, &e)) fail_msg("%s", e.text);
    for (int i = 0; i < m->n_cells; i++) {
        assert_true(fraction[i] >= 0 && fraction[i] <= 1);
        sum += fraction[i] * m->cell_volume[i];
    }
    free(fraction);
    return sum;
}

static void assert_near(double found, double expected, double room, const char *what, enum grid kind)
{
    if (!(fabs(found - expected) <= room))
        fail_msg("%s on %s: %.15g, expected %.15g within %g", what, grid_name[kind], found, expected, room);
}

static double ball(int dim, double r) { return dim == 2 ? PI * r * r : 4 * PI / 3 * r * r * r; }

static void every_cell(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct mesh m;
        int dim = grid_dim(kind);
        open_grid(&m, kind, dim == 2 ? 12 : 6);
        struct shape_setting one = sphere(dim, 0.47, 0.52, 0.55, 0.31);
        assert_near(volume_of(&m, &one, 1), ball(dim, 0.31), 1e-12, "sphere", kind);
        one = sphere(dim, 0.52, 0.47, 0.53, 0.02);
        assert_near(volume_of(&m, &one, 1), ball(dim, 0.02), 1e-12, "sphere in a cell", kind);
        one = box(dim, (double[]){0.21, 0.33, 0.17}, (double[]){0.71, 0.83, 0.67});
        assert_near(volume_of(&m, &one, 1), dim == 2 ? 0.25 : 0.125, 1e-13, "box", kind);
        one = (struct shape_setting){.name = "h", .type = SHAPE_HALF_SPACE, .point = {0.5, 0.5, dim == 3 ? 0.5 : 0},
                                     .normal = {3, 1}, .length = dim, .copies = {1, 1, 1}};
        assert_near(volume_of(&m, &one, 1), 0.5, 1e-13, "half-space", kind);
        mesh_free(&m);
    }
}

/* Union, removal, and lattices; for intersecting spheres the lens is known. */
static void several(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_TETRAHEDRA; kind++) {
        struct mesh m;
        int dim = grid_dim(kind);
        open_grid(&m, kind, dim == 2 ? 12 : 5);
        double r = 0.2, d = 0.25, lens = dim == 2 ? 2 * r * r * acos(d / (2 * r)) - d / 2 * sqrt(4 * r * r - d * d)
                                                 : PI * (2 * r - d) * (2 * r - d) * (d * d + 4 * d * r) / (12 * d);
        struct shape_setting two[2] = {sphere(dim, 0.4, 0.5, 0.5, r), sphere(dim, 0.4 + d, 0.5, 0.5, r)};
        assert_near(volume_of(&m, two, 2), 2 * ball(dim, r) - lens, 1e-12, "two that cross", kind);
        two[1].remove = 1;
        assert_near(volume_of(&m, two, 2), ball(dim, r) - lens, 1e-12, "one out of the other", kind);
        two[1] = sphere(dim, 0.4, 0.5, 0.5, 0.19), two[1].remove = 1;
        assert_near(volume_of(&m, two, 2), ball(dim, r) - ball(dim, 0.19), 1e-12, "shell", kind);
        two[1] = two[0];
        assert_near(volume_of(&m, two, 2), ball(dim, r), 1e-12, "twice the same", kind);
        two[1] = box(dim, (double[]){0.4, 0, 0}, (double[]){1, 1, 1}), two[1].remove = 1;
        assert_near(volume_of(&m, two, 2), ball(dim, r) / 2, 1e-12, "half a ball", kind);
        two[1].remove = 0;
        assert_near(volume_of(&m, two, 2), ball(dim, r) / 2 + 0.6, 1e-12, "half a ball on a box", kind);
        two[0] = sphere(dim, 0.2, 0.3, 0.2, 0.04);
        for (int k = 0; k < dim; k++) two[0].copies[k] = 3 - k, two[0].spacing[k] = 0.25;
        assert_near(volume_of(&m, two, 1), 6 * ball(dim, 0.04), 1e-12, "lattice", kind);
        mesh_free(&m);
    }
}

/* Spheres that almost coincide intersect nearly everywhere; the rest of tetrahedra cut by their plane may be so thin
 * that 1e-10 of the volume is lost. */
static void nearly_the_same(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_TETRAHEDRA; kind++) {
        struct mesh m;
        int dim = grid_dim(kind);
        open_grid(&m, kind, dim == 2 ? 12 : 5);
        for (double d = 1e-16; d < 1e-2; d *= 10) {
            double r = 0.3, half = d / 2, lens = dim == 2 ? 2 * r * r * acos(half / r) - half * sqrt(4 * r * r - d * d)
                                                          : PI * (2 * r - d) * (2 * r - d) * (4 * r + d) / 12;
            struct shape_setting three[3] = {sphere(dim, 0.5, 0.5, 0.5, r), sphere(dim, 0.5 + d, 0.5, 0.5, r),
                                             sphere(dim, 0.5 + half, 0.5, 0.5, 0.1)};
            three[2].remove = 1;
            assert_near(volume_of(&m, three, 2), 2 * ball(dim, r) - lens, 1e-10, "two", kind);
            assert_near(volume_of(&m, three, 3), 2 * ball(dim, r) - lens - ball(dim, 0.1), 1e-10, "two and a hole",
                        kind);
            three[1].remove = 1;
            if (ball(dim, r) - lens > 1e-9)
                assert_near(volume_of(&m, three, 2), ball(dim, r) - lens, 1e-9, "a sickle", kind);
        }
        mesh_free(&m);
    }
}

/* If the rounding of coordinates is larger than 1e-12 of a cell. */
static void far_from_the_origin(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    double far = 1e7;
    struct box_setting cells = {.given = true, .dim = 2, .cells = {16, 16}, .from = {far, far},
                                .to = {far + 1, far + 1}, .stretch = {1, 1, 1}, .distortion = 0.3};
    mesh_box(&m, &cells);
    assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
    struct shape_setting both[2] = {sphere(2, far + 0.4, far + 0.5, 0, 0.2), sphere(2, far + 0.5, far + 0.51, 0, 0.2)};
    double d = hypot(0.1, 0.01), lens = 2 * 0.04 * acos(d / 0.4) - d / 2 * sqrt(0.16 - d * d);
    assert_near(volume_of(&m, both, 2), 2 * ball(2, 0.2) - lens, 1e-7, "spheres far away", GRID_QUADS);
    for (int i = 0; i < 2; i++)
        both[i] = (struct shape_setting){.name = "h", .type = SHAPE_HALF_SPACE, .point = {far + 0.5, far + 0.5},
                                         .length = 2, .normal = {i ? 0.7 : 0.3, i ? -0.7 : 0.7}, .copies = {1, 1, 1}};
    assert_true(volume_of(&m, both, 2) < 1);
    mesh_free(&m);
}

/* Surfaces on faces of the mesh leave no debris. */
static void on_faces(void **state)
{
    (void)state;
    struct mesh m;
    struct error e;
    struct box_setting cells = grid_box(GRID_QUADS, 10, 0);
    grid_mesh(&m, GRID_QUADS, &cells);
    assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
    struct shape_setting one = box(2, (double[]){0.1, 0.3}, (double[]){0.7, 0.6});
    struct shape_settings c = {&one, 1};
    double fraction[100];
    assert_true(shapes_fraction(&c, &m, fraction, &e));
    for (int i = 0; i < 100; i++) assert_true(fraction[i] == 0 || fraction[i] == 1);
    mesh_free(&m);
}

/* A plane is exact; a ball's error is of second order; other shapes cut a level, and levels each other. */
static void levels(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        const int dim = grid_dim(kind);
        struct mesh m;
        double error[2], r = 0.3;
        char text[200];
        for (int k = 0; k < 2; k++) {
            struct shape_setting shape[2] = {level("0.2*x + 0.5*y + 0.1*z - 0.33"), sphere(dim, 0.4, 0.5, 0.45, r)};
            open_distorted(&m, kind, 4 << k, 0.2);
            struct shape_setting plane = {.name = "plane", .place = {&source, 7}, .type = SHAPE_HALF_SPACE,
                                          .point = {0, 0.66, 0}, .normal = {0.2, 0.5, dim == 3 ? 0.1 : 0},
                                          .length = dim, .copies = {1, 1, 1}};
            double half = volume_of(&m, &plane, 1);
            assert_near(volume_of(&m, shape, 1), half, 1e-13, "a plane", kind);
            struct shape_setting with[2] = {plane, shape[1]};
            assert_near(volume_of(&m, shape, 2), volume_of(&m, with, 2), 1e-13, "a plane and a ball", kind);
            shape[1].remove = with[1].remove = 1;
            assert_near(volume_of(&m, shape, 2), volume_of(&m, with, 2), 1e-13, "a plane without a ball", kind);
            snprintf(text, sizeof text, "(x-0.4)^2 + (y-0.5)^2%s - %g", dim == 3 ? " + (z-0.45)^2" : "", r * r);
            struct shape_setting two[2] = {level(text), level("x - 0.4")};
            error[k] = fabs(volume_of(&m, two, 1) - ball(dim, r));
            two[1].remove = 1;
            assert_near(volume_of(&m, two, 2), ball(dim, r) / 2, 2 * error[k] + 1e-12, "half a ball", kind);
            mesh_free(&m);
        }
        printf("# a ball by its function on %s: errors %.2e, %.2e\n", grid_name[kind], error[0], error[1]);
        assert_true(error[0] < 1e-3 && error[1] < 0.3 * error[0]);
    }
}

/* Cells whose simplices have two longest edges: which one is bisected does not depend on the corners' order. */
static void levels_are_symmetric(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct box_setting b = {.dim = dim, .cells = {4, 4, 2}, .to = {1, 7, 1}, .stretch = {1, 1, 1}};
        struct shape_setting wave = level("y - 3.5 - 0.7*cos(6.28318530717958648*x)");
        struct shape_settings c = {&wave, 1};
        struct mesh m;
        struct error e;
        double fraction[32], whole = 0;
        mesh_box(&m, &b);
        if (!mesh_complete(&m, ORDERING_NONE, NULL, 0, &e)) fail_msg("%s", e.text);
        assert_true(shapes_fraction(&c, &m, fraction, &e));
        for (int i = 0; i < m.n_cells; i++) {
            int mirrored = i - i % 4 + 3 - i % 4;
            if (!(fabs(fraction[i] - fraction[mirrored]) < 1e-13))
                fail_msg("%d-D, cell %d: %.15g, its image %.15g", dim, i, fraction[i], fraction[mirrored]);
            whole += fraction[i] * m.cell_volume[i];
        }
        assert_near(whole, 3.5, 1e-3, "a wave", dim == 2 ? GRID_QUADS : GRID_HEXAHEDRA);
        mesh_free(&m);
    }
}

/* Films and balls that are small beside a cell: the surface crosses edges twice, or none. */
static void small_levels(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        const int dim = grid_dim(kind);
        struct mesh m;
        char text[200];
        open_distorted(&m, kind, 5, 0.1);
        const double width = 0.02, r = 0.04;                /* in cells of 0.2; the film ends at walls */
        snprintf(text, sizeof text, "abs(y - 0.46 - 0.1*x) - %g", width / 2);
        struct shape_setting film = level(text);
        assert_near(volume_of(&m, &film, 1), width, 5e-3 * width, "a film", kind);
        snprintf(text, sizeof text, "sqrt((x-0.53)^2 + (y-0.54)^2%s) - %g", dim == 3 ? " + (z-0.57)^2" : "", r);
        struct shape_setting drop = level(text);
        assert_near(volume_of(&m, &drop, 1), ball(dim, r), 0.025 * ball(dim, r), "a small drop", kind);
        struct shape_setting step = level("x < 0.43 ? -1 : 1");
        assert_near(volume_of(&m, &step, 1), 0.43, 0.02, "a jump", kind);
        mesh_free(&m);
    }
}

static void refused(const struct mesh *m, struct shape_setting s, const char *part)
{
    struct shape_settings c = {&s, 1};
    struct error e;
    double fraction[1000];
    assert_false(shapes_fraction(&c, m, fraction, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    if (!strstr(e.text, part) || !strstr(e.text, "test.cfg:")) fail_msg("found \"%s\", expected \"%s\"", e.text, part);
}

static void bad_shapes(void **state)
{
    (void)state;
    struct mesh square;
    open_grid(&square, GRID_QUADS, 3);
    refused(&square, level("log(x - 0.5)"), "test.cfg:9: shapes.wave.function is not a finite number in the cell "
            "around (");
    refused(&square, level("x + 1"), "test.cfg:9: shapes.wave.function is negative nowhere in the mesh");
    refused(&square, level("abs(y - 0.4 - 0.1*x) - 5e-4"), "test.cfg:9: shapes.wave.function is, or may be, negative "
            "in parts that are too small to find their volume");
    mesh_free(&square);
    struct mesh m;
    open_grid(&m, GRID_QUADS, 5);
    struct shape_setting s = sphere(2, 0.5, 0.5, 0, 0.1);
    s.radius = 0, refused(&m, s, "expected a length > 0");
    refused(&m, sphere(2, 1.5, 0.5, 0, 0.4), "shapes.ball (centre (1.5, 0.5)) lies outside the mesh");
    refused(&m, sphere(3, 0.5, 0.5, 0.5, 0.1), "its vectors have 3 numbers, but the mesh is 2-D");
    refused(&m, box(2, (double[]){0.5, 0.5}, (double[]){0.7, 0.5}), "to must be greater than from");
    s = (struct shape_setting){.name = "h", .place = {&source, 3}, .type = SHAPE_HALF_SPACE, .point = {0.5, 0.5},
                               .length = 2, .copies = {1, 1, 1}};
    refused(&m, s, "normal is zero");
    s = sphere(2, 0.5, 0.5, 0, 0.1), s.copies[0] = 3;
    refused(&m, s, "expected a spacing > 0");
    s.spacing[0] = 0.4;
    refused(&m, s, "copy 3 1 1 of shapes.ball");
    s.copies[0] = 4194304, s.copies[1] = 2097152, s.spacing[1] = 0.4;
    refused(&m, s, "shapes.ball: 8.79609e+12 copies are too many; expected at most 100000000, of all shapes together");
    s.copies[0] = INT32_MAX, s.copies[1] = INT32_MAX;
    refused(&m, s, "copies are too many");
    s = sphere(2, 0.5, 0.5, 0, 0.1), s.remove = 1;
    refused(&m, s, "the shapes leave nothing of the second fluid");
    s = (struct shape_setting){.name = "h", .place = {&source, 3}, .type = SHAPE_HALF_SPACE, .point = {0.5, 0.5},
                               .normal = {1, 0}, .length = 2, .copies = {2, 1, 1}, .spacing = {0.1}};
    refused(&m, s, "copies does not apply to type \"half-space\"");
    mesh_free(&m);
}

static double seconds_of(const struct mesh *m, int n)
{
    struct shape_setting *s;
    NEW(s, n);
    uint32_t random = 1;
    for (int i = 0; i < n; i++) {
        double x[2];
        for (int k = 0; k < 2; k++) random = 1664525 * random + 1013904223, x[k] = 0.5 + 0.002 * random / UINT32_MAX;
        s[i] = sphere(2, x[0], x[1], 0, 0.3);
    }
    clock_t before = clock();
    assert_near(volume_of(m, s, n), ball(2, 0.301), 0.004, "overlapping balls", GRID_QUADS);
    free(s);
    return (double)(clock() - before) / CLOCKS_PER_SEC;
}

/* Many overlapping balls take time in proportion to their number, not to its square. */
static void many_that_overlap(void **state)
{
    (void)state;
    struct mesh m;
    open_grid(&m, GRID_QUADS, 16);
    double few = seconds_of(&m, 4000), many = seconds_of(&m, 32000);
    if (many > 14 * few) fail_msg("4000 balls take %g s, 32000 %g s", few, many);
    mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(every_cell), cmocka_unit_test(several),
                                       cmocka_unit_test(nearly_the_same), cmocka_unit_test(far_from_the_origin),
                                       cmocka_unit_test(on_faces), cmocka_unit_test(many_that_overlap),
                                       cmocka_unit_test(levels), cmocka_unit_test(small_levels),
                                       cmocka_unit_test(levels_are_symmetric),
                                       cmocka_unit_test(bad_shapes)};
    return RUN_TESTS("shapes", tests);
}
