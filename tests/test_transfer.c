/* Fields and fractions of one mesh at the cells of another: the same bits on the same mesh, linear fields and plane
 * interfaces exactly, curved ones with their volume, on every kind of cell. */
#include <math.h>
#include "test.h"
#include "base/random.h"
#include "interface/fraction_transfer.h"
#include "interface/shapes.h"
#include "mesh/transfer.h"
#include "sample_meshes.h"

static struct error e;

static void open_box(struct mesh *m, int dim, int n, double from, double to, double distortion, enum ordering ordering)
{
    const struct box_setting box = {.given = true, .dim = dim, .cells = {n, n, n}, .from = {from, from, from},
                                    .to = {to, to, to}, .stretch = {1, 1, 1}, .distortion = distortion};
    mesh_box(m, &box);
    if (!mesh_complete(m, ordering, NULL, 0, &e)) fail_msg("%s", e.text);
}

static void open_sample(struct mesh *m, enum sample kind)
{
    sample_mesh(m, kind);
    if (!mesh_complete(m, ORDERING_NONE, NULL, 0, &e)) fail_msg("%s", e.text);
}

static double centre(const struct mesh *m, int k, int32_t c) { return m->cell_centre[(int64_t)k * m->n_all + c]; }

static double linear(const struct mesh *m, int32_t c, int k)
{
    double x = 2 + k;
    for (int j = 0; j < m->dim; j++) x += (j - 1.3 * k + 0.5) * centre(m, j, c);
    return x;
}

static void same_mesh(void **state)
{
    (void)state;
    for (int dim = 2; dim <= 3; dim++) {
        struct mesh a, b;
        struct transfer t;
        double *value;
        open_box(&a, dim, 9, 0, 1, 0.2, ORDERING_NONE), open_box(&b, dim, 9, 0, 1, 0.2, ORDERING_HILBERT);
        transfer_create(&t, &a, &b);
        assert_true(t.same && !t.n_outside);
        NEW(value, 3 * a.n_cells);
        for (int32_t i = 0; i < 3 * a.n_cells; i++) value[i] = fabs(random_number((uint64_t)i));
        double *to = transfer_field(&t, value, 3, true), *fraction = fraction_transfer(&t, value);
        for (int32_t c = 0; c < b.n_cells; c++) {
            assert_memory_equal(to + 3 * c, value + 3 * b.cell_original[c], 3 * sizeof *to);
            assert_true(fraction[c] == value[b.cell_original[c]]);
        }
        transfer_free(&t), mesh_free(&a), mesh_free(&b), free(value), free(to), free(fraction);
        open_box(&a, dim, 9, 0, 1, 0.2, ORDERING_NONE), open_box(&b, dim, 9, 0, 1 + 1e-15, 0.2, ORDERING_NONE);
        transfer_create(&t, &a, &b);
        assert_false(t.same);
        transfer_free(&t), mesh_free(&a), mesh_free(&b);
    }
}

static void check_linear(const struct mesh *from, const struct mesh *to)
{
    struct transfer t;
    double *value, low[3] = {INFINITY, INFINITY, INFINITY}, high[3] = {-INFINITY, -INFINITY, -INFINITY};
    transfer_create(&t, from, to);
    assert_true(!t.same && t.n_outside == 0);
    NEW(value, 3 * from->n_cells);
    for (int32_t c = 0; c < from->n_cells; c++)
        for (int k = 0; k < 3; k++) {
            value[3 * c + k] = linear(from, c, k);
            low[k] = fmin(low[k], value[3 * c + k]), high[k] = fmax(high[k], value[3 * c + k]);
        }
    double *exact = transfer_field(&t, value, 3, false), *bounded = transfer_field(&t, value, 3, true);
    for (int32_t c = 0; c < to->n_cells; c++)
        for (int k = 0; k < to->dim; k++) {
            const double x = linear(to, c, k), y = bounded[3 * c + k];
            assert_true(fabs(exact[3 * c + k] - x) < 1e-6);     /* 1e-9 of the trace is added to the least squares */
            assert_true(y >= low[k] && y <= high[k]);
            assert_true(y == exact[3 * c + k] || fabs(x - 0.5 * (low[k] + high[k])) > 0.2 * (high[k] - low[k]) ||
                        from->n_cells < 500);
        }
    if (to->dim == 2) for (int32_t c = 0; c < to->n_cells; c++) assert_true(exact[3 * c + 2] == 0);
    transfer_free(&t), free(value), free(exact), free(bounded);
}

static void linear_field(void **state)
{
    (void)state;
    struct mesh box[2], sample;
    open_box(&box[0], 2, 13, 0.1, 2.9, 0.2, ORDERING_HILBERT), open_box(&box[1], 3, 7, 0.1, 1.9, 0.2, ORDERING_NONE);
    for (enum sample k = 0; k < N_SAMPLES; k++) {
        open_sample(&sample, k);
        check_linear(&sample, &box[sample.dim - 2]);
        mesh_free(&sample);
    }
    struct mesh fine;
    open_box(&fine, 2, 29, 0.1, 2.9, 0.2, ORDERING_NONE);
    check_linear(&fine, &box[0]);
    mesh_free(&box[0]), mesh_free(&box[1]), mesh_free(&fine);
}

static void outside(void **state)
{
    (void)state;
    struct mesh a, b;
    struct transfer t;
    open_box(&a, 2, 10, 0, 1, 0, ORDERING_NONE), open_box(&b, 2, 20, 0, 2, 0, ORDERING_HILBERT);
    transfer_create(&t, &a, &b);
    assert_int_equal(t.n_outside, 20 * 20 - 11 * 11);           /* centres up to 0.05 beyond are within a cell's size */
    double *value;
    NEW(value, a.n_cells);
    for (int32_t c = 0; c < a.n_cells; c++) value[c] = centre(&a, 0, c);
    double *to = transfer_field(&t, value, 1, true);
    for (int32_t c = 0; c < b.n_cells; c++) {
        assert_true((t.outside[c] != 0) == (centre(&b, 0, c) > 1.1 || centre(&b, 1, c) > 1.1));
        if (centre(&b, 0, c) > 1) assert_true(fabs(to[c] - 0.95) < 1e-15);
    }
    transfer_free(&t), mesh_free(&a), mesh_free(&b), free(value), free(to);
}

/* ---------------------------------------------------------------- the second fluid */
static double *fractions(const struct mesh *m, const struct shape_setting *shape)
{
    struct shape_setting copy = *shape;
    const struct shape_settings all = {&copy, 1};
    double *x;
    copy.length = m->dim;
    if (m->dim == 2) copy.centre[2] = copy.point[2] = copy.normal[2] = 0;
    NEW(x, m->n_cells);
    if (!shapes_fraction(&all, m, x, &e)) fail_msg("%s", e.text);
    return x;
}

/* The largest error of a fraction; *volume: the relative error of the volume. */
static double transfer_error(const struct mesh *from, const struct mesh *to, const struct shape_setting *shape,
                             double *volume)
{
    struct transfer t;
    double *before = fractions(from, shape), *exact = fractions(to, shape), worst = 0, sum[2] = {0};
    transfer_create(&t, from, to);
    double *found = fraction_transfer(&t, before);
    for (int32_t c = 0; c < from->n_cells; c++) sum[0] += before[c] * from->cell_volume[c];
    for (int32_t c = 0; c < to->n_cells; c++) {
        assert_true(found[c] >= 0 && found[c] <= 1);
        worst = fmax(worst, fabs(found[c] - exact[c]));
        sum[1] += found[c] * to->cell_volume[c];
    }
    *volume = sum[1] / sum[0] - 1;
    transfer_free(&t), free(before), free(exact), free(found);
    return worst;
}

static void plane_interface(void **state)
{
    (void)state;
    struct mesh box[2], sample;
    double volume;
    open_box(&box[0], 2, 13, 0.1, 2.9, 0.2, ORDERING_HILBERT), open_box(&box[1], 3, 7, 0.1, 1.9, 0.2, ORDERING_NONE);
    const struct shape_setting shape = {.type = SHAPE_HALF_SPACE, .point = {1.4, 1.3, 0.9}, .normal = {0.3, -0.8, 0.2},
                                        .copies = {1, 1, 1}};
    for (enum sample k = 0; k < N_SAMPLES; k++) {
        open_sample(&sample, k);
        const double there = transfer_error(&sample, &box[sample.dim - 2], &shape, &volume);
        print_message("# plane, %s: %.1e\n", sample_name[k], there);
        assert_true(there < 1e-4);
        if (sample.dim == 2) assert_true(transfer_error(&box[0], &sample, &shape, &volume) < 1e-8);
        mesh_free(&sample);
    }
    mesh_free(&box[0]), mesh_free(&box[1]);
}

static void drop(void **state)
{
    (void)state;
    const struct shape_setting shape = {.type = SHAPE_SPHERE, .centre = {0.52, 0.47, 0.49}, .radius = 0.3,
                                        .copies = {1, 1, 1}, .spacing = {1, 1, 1}};
    static const int sides[2][3] = {{16, 32, 64}, {16, 24}};
    for (int dim = 2; dim <= 3; dim++) {
        for (int k = 0; k < 5 - dim; k++) {
            const int n = sides[dim - 2][k];
            struct mesh a, b;
            double finer, coarser;
            open_box(&a, dim, n, 0, 1, 0.15, ORDERING_NONE), open_box(&b, dim, n + n / 3, 0, 1, 0.2, ORDERING_HILBERT);
            const double there = transfer_error(&a, &b, &shape, &finer);
            const double back = transfer_error(&b, &a, &shape, &coarser);
            print_message("# drop, %d-D, %d cells a side: fraction %.2e, back %.2e\n", dim, n, there, back);
            assert_true(fabs(finer) < 1e-12 && fabs(coarser) < 1e-12 && there < 0.03 && back < 0.03);
            mesh_free(&a), mesh_free(&b);
        }
    }
}

/* On a mesh of another space planes are not shifted: the volume has an error of second order. */
static void drop_in_a_larger_mesh(void **state)
{
    (void)state;
    const struct shape_setting shape = {.type = SHAPE_SPHERE, .centre = {0.52, 0.47}, .radius = 0.3,
                                        .copies = {1, 1, 1}, .spacing = {1, 1, 1}};
    double before = 1;
    for (int n = 16; n <= 64; n *= 2) {
        struct mesh a, b;
        double volume;
        open_box(&a, 2, n, 0, 1, 0.15, ORDERING_NONE), open_box(&b, 2, n + n / 3, 0, 1.3, 0.2, ORDERING_HILBERT);
        transfer_error(&a, &b, &shape, &volume);
        print_message("# drop, %d cells a side, on a larger mesh: volume %.2e\n", n, volume);
        assert_true(fabs(volume) < 6.0 / (n * n) && fabs(volume) < 0.4 * before);
        before = fabs(volume);
        mesh_free(&a), mesh_free(&b);
    }
}

/* An interface along mesh lines is in no cell. */
static void along_faces(void **state)
{
    (void)state;
    struct mesh a, b;
    double volume;
    open_box(&a, 2, 10, 0, 1, 0, ORDERING_NONE), open_box(&b, 2, 13, 0, 1, 0, ORDERING_HILBERT);
    const struct shape_setting shape = {.type = SHAPE_HALF_SPACE, .point = {0, 0.4}, .normal = {0, 1},
                                        .copies = {1, 1, 1}};
    assert_true(transfer_error(&a, &b, &shape, &volume) < 1e-12 && fabs(volume) < 1e-12);
    mesh_free(&a), mesh_free(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(same_mesh), cmocka_unit_test(linear_field),
                                       cmocka_unit_test(outside), cmocka_unit_test(plane_interface),
                                       cmocka_unit_test(drop), cmocka_unit_test(drop_in_a_larger_mesh),
                                       cmocka_unit_test(along_faces)};
    return cmocka_run_group_tests_name("transfer", tests, NULL, NULL);
}
