/* Connected parts of the second fluid: volumes, centres, areas, constant numbers, across periodic boundaries. */
#include <math.h>
#include "flow_fixture.h"
#include "base/log.h"
#include "run/bubbles.h"
#include "interface/collect.h"
#include "interface/contour.h"
#include "interface/interface.h"
#include "interface/parts.h"
#include "interface/shapes.h"

static const double PI = 3.14159265358979323846;

static struct shape_setting disc(double x, double y, double radius)
{
    return (struct shape_setting){.name = "disc", .type = SHAPE_SPHERE, .centre = {x, y}, .radius = radius, .length = 2,
                                  .copies = {1, 1, 1}};
}

/* Left and right are periodic. */
static void open_mesh(struct mesh *m, enum grid kind, int n)
{
    struct box_setting box = grid_box(kind, n, 0);
    struct error e;
    grid_mesh(m, kind, &box);
    if (!mesh_complete(m, ORDERING_HILBERT, (int[]){0, 1}, 1, &e)) fail_msg("%s", e.text);
}

struct fluid { double *fraction, *area, *u; };
static void open_state(struct fluid *s, const struct mesh *m)
{
    NEW(s->fraction, m->n_cells), NEW(s->area, m->n_cells), NEW(s->u, 3 * m->n_cells);
}
static void close_state(struct fluid *s) { free(s->fraction), free(s->area), free(s->u); }

/* Discs, each with its periodic images to the left and right if the mesh contains part of them; u = (1 + x, 2). */
static void put_discs(struct fluid *s, const struct mesh *m, const struct shape_setting *of, int n)
{
    struct shape_setting shape[32];
    struct error e;
    int k = 0;
    for (int i = 0; i < n; i++)
        for (int side = -1; side <= 1; side++) {
            shape[k] = of[i], shape[k].centre[0] += side;
            if (shape[k].centre[0] > 1e-6 - of[i].radius && shape[k].centre[0] < 1 - 1e-6 + of[i].radius) k++;
        }
    if (!shapes_fraction(&(struct shape_settings){shape, k}, m, s->fraction, &e)) fail_msg("%s", e.text);
    for (int i = 0; i < m->n_cells; i++) {
        s->area[i] = s->fraction[i] > 0 && s->fraction[i] < 1 ? 0.01 : 0;
        s->u[i] = 1, s->u[m->n_cells + i] = 2 + m->cell_centre[m->n_cells + i];
    }
}

static struct parts_input everywhere(const struct mesh *m, const struct fluid *s)
{
    const struct cell_list all = {m->n_cells, NULL};
    return (struct parts_input){all, all, s->fraction, s->area, s->u, m->n_cells, true};
}

static void find(struct parts *p, const struct fluid *s)
{
    struct parts_input in = everywhere(p->m, s);
    parts_find(p, &in);
}

/* Two discs, one of them cut by the periodic boundary. */
static void two_discs(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_2D; kind++) {
        struct mesh m;
        struct parts p;
        struct fluid s;
        open_mesh(&m, kind, 40);
        open_state(&s, &m);
        put_discs(&s, &m, (struct shape_setting[]){disc(0.5, 0.3, 0.15), disc(0.97, 0.7, 0.2)}, 2);
        parts_create(&p, &m);
        find(&p, &s);
        assert_int_equal(p.n, 2);
        assert_int_equal(p.n_periods, 1);
        assert_true(fabs(p.scattered) < 1e-15);
        for (int i = 0; i < 2; i++) {
            double r = i ? 0.2 : 0.15, x = i ? 0.97 : 0.5, y = i ? 0.7 : 0.3, turns = round(p.part[i].centre[0] - x);
            assert_true(fabs(p.part[i].volume - PI * r * r) < 1e-12);
            assert_true(fabs(p.part[i].centre[0] - turns - x) < 2e-3 && fabs(p.part[i].centre[1] - y) < 2e-3);
            assert_true(fabs(p.part[i].velocity[0] - 1) < 1e-12);
            assert_true(fabs(p.part[i].velocity[1] - 2 - p.part[i].centre[1]) < 1e-12);
            assert_true(p.part[i].area > 0);
        }
        parts_free(&p), close_state(&s), mesh_free(&m);
    }
}

/* Along grid lines there are no interface segments: the faces are the interface.  Too thin for a part: scattered. */
static void faces_and_scattered(void **state)
{
    (void)state;
    struct mesh m;
    struct parts p;
    struct fluid s;
    open_mesh(&m, GRID_QUADS, 10);
    open_state(&s, &m);
    parts_create(&p, &m);
    for (int c = 0; c < m.n_cells; c++) {
        double x = m.cell_centre[c], y = m.cell_centre[m.n_cells + c];
        bool bar = (x < 0.2 || x > 0.8) && y > 0.3 && y < 0.7, dust = fabs(x - 0.55) < 0.01 && fabs(y - 0.55) < 0.01;
        s.fraction[c] = bar ? 1 : dust ? 0.3 : 0;
    }
    find(&p, &s), find(&p, &s);                         /* nothing of the first time is counted again */
    assert_int_equal(p.n, 1);
    assert_true(fabs(p.part[0].volume - 0.16) < 1e-14 && fabs(p.part[0].area - 1.6) < 1e-13);
    assert_true(fabs(p.part[0].roundness - sqrt(PI) / 2) < 1e-12);
    assert_true(fabs(fabs(p.part[0].centre[0] - 0.5) - 0.5) < 1e-13);
    assert_true(fabs(p.scattered - 0.003) < 1e-15);
    assert_true(fabs(part_roundness(3, 4 * PI / 3, 4 * PI) - 1) < 1e-14 &&
                fabs(part_roundness(2, PI, 2 * PI) - 1) < 1e-14);
    parts_free(&p), close_state(&s), mesh_free(&m);
}

static char *text_of(const char *directory, const char *name)
{
    char path[300], *text;
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    NEW(text, 1 << 16);
    text[fread(text, 1, (1 << 16) - 1, file)] = 0;
    fclose(file);
    return text;
}

enum { STEPS = 30, MEETS = 24 };
/* Step k of: disc 1 moves through the periodic boundary with speed 1; discs 2 and 3 are at rest, until they merge at
 * MEETS. */
static void scene(struct fluid *s, const struct mesh *m, int k)
{
    double x = fmod(0.3 + 0.05 * k, 1);
    struct shape_setting of[3] = {disc(x, 0.25, 0.1), disc(0.35, 0.75, 0.1), disc(0.65, 0.75, 0.12)};
    if (k >= MEETS) of[1] = disc(0.5, 0.75, 0.17);
    put_discs(s, m, of, k >= MEETS ? 2 : 3);
    for (int c = 0; c < m->n_cells; c++) {
        bool low = m->cell_centre[m->n_cells + c] < 0.5;
        s->u[c] = low ? 1 : 0, s->u[m->n_cells + c] = 0;
    }
}

static void record(struct bubbles *b, struct fluid *s, const struct mesh *m, int first, int last)
{
    struct error e;
    for (int k = first; k <= last; k++) {
        scene(s, m, k);
        struct interface_summary sum = {.volume = 0.1, .highest = 1};
        struct parts_input in = everywhere(m, s);
        if (!bubbles_report_parts(b, &in, &sum, k, 0.05 * k, &e)) fail_msg("%s", e.text);
    }
}

/* Numbers persist across the periodic boundary, through a restart, and until two parts merge; then the log reports
 * it. */
static void numbers(void **state)
{
    (void)state;
    char directory[] = "/tmp/poise-bubbles-XXXXXX", log_path[300];
    struct mesh m;
    struct fluid s;
    struct error e;
    int n;
    assert_non_null(mkdtemp(directory));
    snprintf(log_path, sizeof log_path, "%s/log.txt", directory);
    struct case_settings c = {.flow.fluid = {.gravity = {0, -2}, .gravity_length = 2},
                              .bubbles = {.given = true, .every = 1}};
    open_mesh(&m, GRID_QUADS, 40);
    open_state(&s, &m);
    assert_true(log_open(log_path, false, true, &e));
    struct bubbles *b = bubbles_create(&c, &m, directory, false, 0, &e);
    assert_non_null(b);
    record(b, &s, &m, 0, STEPS);
    const struct part *part = bubbles_parts(b, &n);
    assert_int_equal(n, 2);
    assert_int_equal(part[0].number, 1);
    assert_true(fabs(part[0].centre[0] - 0.3 - 0.05 * STEPS) < 3e-3);           /* it did not jump back at the periodic
                                                                                   boundary */
    bubbles_free(b);
    char *whole = text_of(directory, "bubbles.csv"), *all = text_of(directory, "interface.csv"),
         *log = text_of(directory, "log.txt");
    b = bubbles_create(&c, &m, directory, true, 12, &e);                        /* killed and restarted at step 12 */
    assert_non_null(b);
    record(b, &s, &m, 13, STEPS);
    bubbles_free(b);
    log_close();
    char *again = text_of(directory, "bubbles.csv"), *all_again = text_of(directory, "interface.csv");
    assert_string_equal(whole, again);
    assert_string_equal(all, all_again);
    if (!strstr(log, "step 24: bubble 2 has merged with bubble 3\n") &&
        !strstr(log, "step 24: bubble 3 has merged with bubble 2\n"))
        fail_msg("log: %s", log);
    assert_null(strstr(log, "broken off"));
    assert_non_null(strstr(all, "iteration,time,volume,volume_error,lowest,highest,area,x,y,velocity_x,velocity_y,"
                                "rise_velocity,circularity,bubbles,scattered\n"));
    free(whole), free(all), free(log), free(again), free(all_again);
    static const char *const name[] = {"bubbles.csv", "interface.csv", "log.txt"};
    for (int k = 0; k < 3; k++) {
        snprintf(log_path, sizeof log_path, "%s/%s", directory, name[k]);
        assert_int_equal(unlink(log_path), 0);
    }
    assert_int_equal(rmdir(directory), 0);
    close_state(&s), mesh_free(&m);
}

/* The zero surface of a sphere's distance, on every kind of cell: second order. */
static void surfaces(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        double error[2];
        for (int fine = 0; fine < 2; fine++) {
            int dim = grid_dim(kind);
            struct box_setting box = grid_box(kind, (dim == 2 ? 15 : 8) << fine, 0.2);
            struct mesh m;
            struct contour k;
            struct error e;
            double *value, *area, sum = 0;
            grid_mesh(&m, kind, &box);
            if (!mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
            NEW(value, m.n_cells), NEW(area, m.n_cells);
            for (int c = 0; c < m.n_cells; c++) {
                double square = 0;
                for (int i = 0; i < dim; i++) square += pow(m.cell_centre[(int64_t)i * m.n_cells + c] - 0.5, 2);
                value[c] = fmax(-4.0 / box.cells[0], fmin(4.0 / box.cells[0], sqrt(square) - 0.3));
            }
            contour_create(&k, &m);
            contour_area(&k, value, 4.0 / box.cells[0], &(struct cell_list){m.n_cells, NULL}, area);
            for (int c = 0; c < m.n_cells; c++) sum += area[c];
            error[fine] = fabs(sum / (dim == 2 ? 0.6 * PI : 0.36 * PI) - 1);
            contour_free(&k), mesh_free(&m);
            free(value), free(area);
        }
        printf("# %s: area of a sphere off by %.2e, %.2e\n", grid_name[kind], error[0], error[1]);
        assert_true(error[1] < 5e-3 && (error[1] < 0.35 * error[0] || error[1] < 2e-3));
    }
}

/* The surface of a plane reaches the boundary. */
static void planes_between_walls(void **state)
{
    (void)state;
    for (enum grid kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct box_setting box = grid_box(kind, 8, 0);
        struct mesh m;
        struct contour k;
        double *value, *area, sum = 0;
        struct error e;
        grid_mesh(&m, kind, &box);
        if (!mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
        NEW(value, m.n_cells), NEW(area, m.n_cells);
        for (int c = 0; c < m.n_cells; c++)
            value[c] = 0.6 * (m.cell_centre[c] - 0.5) + 0.8 * (m.cell_centre[m.n_cells + c] - 0.52);
        contour_create(&k, &m);
        contour_area(&k, value, 10, &(struct cell_list){m.n_cells, NULL}, area);
        for (int c = 0; c < m.n_cells; c++) sum += area[c];
        if (!(fabs(sum - 1.25) < 1e-12)) fail_msg("%s: area %.15g", grid_name[kind], sum);
        contour_free(&k), mesh_free(&m);
        free(value), free(area);
    }
}

/* From the device: the perimeter of a disc whose sides touch grid lines, and a disc's circularity is 1. */
static void from_the_machine(void **state)
{
    (void)state;
    char directory[] = "/tmp/poise-bubbles-XXXXXX", path[300];
    struct mesh m;
    struct stencil s;
    struct interface i;
    struct error e;
    int n;
    assert_non_null(mkdtemp(directory));
    struct shape_setting shape = disc(0.5, 0.5, 0.25);
    struct case_settings c = {.flow.shapes = {&shape, 1}};
    const struct interface_inputs in = flow_interface_inputs(&c.flow);
    open_mesh(&m, GRID_TRIANGLES, 40);
    stencil_create(&s, &m);
    if (!interface_create(&i, &in, &c.flow.shapes, &m, &s, NULL, &e)) fail_msg("%s", e.text);
    double *u = device_alloc((size_t)(2 * s.pitch) * sizeof *u, "test");
    struct bubbles *b = bubbles_create(&c, &m, directory, false, 0, &e);
    assert_non_null(b);
    assert_true(bubbles_report(b, &i, u, 0, 0, &e));
    const struct part *part = bubbles_parts(b, &n);
    assert_int_equal(n, 1);
    assert_true(fabs(part->area / (0.5 * PI) - 1) < 2e-3 && fabs(part->roundness - 1) < 2e-3);
    bubbles_free(b);
    snprintf(path, sizeof path, "%s/interface.csv", directory);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(directory), 0);              /* no bubbles.csv: the case does not request it */
    device_free(u);
    interface_free(&i), stencil_free(&s), mesh_free(&m);
}

/* Collected cells give bitwise the same parts as whole fields; also in a second row, from another location. */
static void lists_suffice(void **state)
{
    (void)state;
    struct mesh m;
    struct stencil s;
    struct interface i;
    struct parts p;
    struct contour k;
    struct collected now = {0};
    struct fluid whole;
    struct error e;
    double *distance, *area[2];
    open_mesh(&m, GRID_MIXED_2D, 40);
    open_state(&whole, &m);
    NEW(distance, m.n_cells), NEW(area[1], m.n_cells), area[0] = whole.area;
    stencil_create(&s, &m), parts_create(&p, &m), contour_create(&k, &m);
    put_discs(&whole, &m, (struct shape_setting[]){disc(0.97, 0.3, 0.2), disc(0.4, 0.8, 0.1)}, 2);
    if (!interface_create_with(&i, NULL, &m, &s, NULL, whole.fraction, &e)) fail_msg("%s", e.text);
    double *u = device_alloc((size_t)(2 * s.pitch) * sizeof *u, "test");
    for (int j = 0; j < 2; j++) device_upload(u + j * s.pitch, whole.u + j * m.n_cells, (size_t)m.n_cells * sizeof *u);
    for (int row = 0; row < 3; row++) {
        struct part first[2];
        if (row == 1) put_discs(&whole, &m, (struct shape_setting[]){disc(0.5, 0.4, 0.1), disc(0.7, 0.8, 0.15)}, 2);
        for (int c = 0; row == 2 && c < m.n_cells; c++) whole.fraction[c] = 1 - whole.fraction[c];
        device_upload(i.fraction, whole.fraction, (size_t)m.n_cells * sizeof *u);
        interface_reconstruct(&i);
        device_download(distance, i.distance, (size_t)m.n_cells * sizeof *u);
        contour_area(&k, distance, i.far, &(struct cell_list){m.n_cells, NULL}, area[0]);
        struct parts_input in = everywhere(&m, &whole);
        in.pieces = false;
        parts_find(&p, &in);
        assert_int_equal(p.n, row < 2 ? 2 : 1);
        memcpy(first, p.part, (size_t)p.n * sizeof *first);
        double scattered = p.scattered;
        interface_collect(&i, u, &now);
        assert_memory_equal(now.distance, distance, (size_t)m.n_cells * sizeof *u);
        assert_memory_equal(now.fraction, whole.fraction, (size_t)m.n_cells * sizeof *u);
        assert_true(now.filled.n < m.n_cells && now.band.n < m.n_cells / 2);
        contour_area(&k, now.distance, i.far, &now.band, area[1]);
        in = (struct parts_input){now.filled, now.band, now.fraction, area[1], now.u, m.n_cells, false};
        parts_find(&p, &in);
        assert_memory_equal(first, p.part, (size_t)p.n * sizeof *first);
        assert_true(p.scattered == scattered);
    }
    collected_free(&now), parts_free(&p), contour_free(&k);
    device_free(u);
    close_state(&whole), free(distance), free(area[1]);
    interface_free(&i), stencil_free(&s), mesh_free(&m);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(two_discs), cmocka_unit_test(faces_and_scattered),
                                       cmocka_unit_test(numbers), cmocka_unit_test(surfaces),
                                       cmocka_unit_test(planes_between_walls),
                                       cmocka_unit_test(from_the_machine), cmocka_unit_test(lists_suffice)};
    return RUN_TESTS("bubbles", tests);
}
