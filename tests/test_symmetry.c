/* Natural convection between a hot and a cold wall: it is point-symmetric on such cells, and independent of the
 * numbering of the cells. */
#include "unsteady_fixture.h"

static const char *const algorithms[] = {"simple", "simplec", "coupled", "piso", "pimple"};
static const char *const gradients[] = {"green-gauss", "least-squares"};
enum { N_ALGORITHMS_HERE = 5, FIRST_IN_TIME = 3 };

struct field_of_cells { int dim; int32_t n; double *centre, *u; };

static void note_cells(struct field_of_cells *a, const struct mesh *m, const struct flow *f)
{
    a->dim = m->dim, a->n = m->n_cells;
    NEW(a->centre, m->dim * m->n_cells), NEW(a->u, m->dim * m->n_cells);
    double *u = FROM_DEVICE(f->u, m->dim * f->s.pitch);
    for (int k = 0; k < m->dim; k++)
        for (int32_t c = 0; c < m->n_cells; c++)
            a->centre[c * m->dim + k] = m->cell_centre[(int64_t)k * m->n_cells + c],
            a->u[c * m->dim + k] = u[k * f->s.pitch + c];
    free(u);
}

static void free_cells(struct field_of_cells *a) { free(a->centre), free(a->u); }

static void case_of(char *text, size_t size, int k, int dim, const char *gradient)
{
    bool in_time = k >= FIRST_IN_TIME;
    snprintf(text, size, "fluid = { density = 1.0; viscosity = 0.01; heat_capacity = 1.0; conductivity = 0.01; "
             "expansion = 1.0; gravity = [0.0, -1.0%s]; };\nboundary = { left = { type = \"wall\"; temperature = 0.5; "
             "};\nright = { type = \"wall\"; temperature = -0.5; }; bottom = { type = \"wall\"; }; top = { type = "
             "\"wall\"; };%s };\nsolver = { algorithm = \"%s\"; gradient = \"%s\"; %s };\n%s", dim == 3 ? ", 0.0" : "",
             dim == 3 ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", algorithms[k],
             gradient, in_time ? "velocity = { tolerance = 1e-11; }; pressure = { tolerance = 1e-11; };" :
             "tolerance = 1e-9; max_iterations = 500;", in_time ? "time = { end = 1.0; step = 0.1; };\n" : "");
}

/* joined: 3-D, and back and front are periodic. */
static struct field_of_cells convection(enum grid kind, const struct box_setting *box, enum ordering ordering,
                                        bool joined, int k, const char *gradient)
{
    struct field_of_cells cells;
    struct error e;
    char text[2000];
    case_of(text, sizeof text, k, box->dim, gradient);
    if (k < FIRST_IN_TIME) {
        struct trial w = {0};
        grid_mesh(&w.m, kind, box);
        if (!mesh_complete(&w.m, ordering, (int[]){4, 5}, joined, &e)) fail_msg("%s", e.text);
        trial_start(&w, text);
        if (trial_converge(&w) < 0) fail_msg("%s, %s does not converge", grid_name[kind], algorithms[k]);
        note_cells(&cells, &w.m, w.f);
        trial_close(&w);
        return cells;
    }
    struct unsteady w = {0};
    grid_mesh(&w.m, kind, box);
    if (!mesh_complete(&w.m, ordering, (int[]){4, 5}, joined, &e)) fail_msg("%s", e.text);
    start_unsteady(&w, text);
    advance_to_end(&w);
    note_cells(&cells, &w.m, &w.t.f);
    close_unsteady(&w);
    return cells;
}

/* The largest velocity of a minus `sign` times that of b, over the largest, at the same centre; turned: at that on the
 * other side of (1/2, 1/2, 1/2). */
static double difference(const struct field_of_cells *a, const struct field_of_cells *b, double sign, bool turned)
{
    double most = 0, size = 0;
    for (int32_t c = 0; c < a->n; c++) {
        double nearest = INFINITY;
        int32_t at = 0;
        for (int32_t o = 0; o < b->n; o++) {
            double square = 0;
            for (int k = 0; k < a->dim; k++) {
                double x = b->centre[o * a->dim + k], way = (turned ? 1 - x : x) - a->centre[c * a->dim + k];
                square += way * way;
            }
            if (square < nearest) nearest = square, at = o;
        }
        assert_true(nearest < 1e-20);
        for (int k = 0; k < a->dim; k++) {
            most = fmax(most, fabs(a->u[c * a->dim + k] - sign * b->u[at * a->dim + k]));
            size = fmax(size, fabs(a->u[c * a->dim + k]));
        }
    }
    return most / size;
}

static void check(const char *what, int k, const char *gradient, double asymmetry, double change)
{
    print_message("# %s, %s, %s: asymmetry %.1e, by the numbering %.1e\n", what, algorithms[k], gradient, asymmetry,
                  change);
    if (!(asymmetry < 1e-7 && change < 1e-7))
        fail_msg("%s, %s, %s: asymmetry %g, by the numbering %g", what, algorithms[k], gradient, asymmetry, change);
}

static void convection_is_symmetric(void **state)
{
    (void)state;
    static const struct { enum grid kind; int n; double stretch; bool joined; } box_of[] = {
        {GRID_QUADS, 8, 1, false}, {GRID_QUADS, 8, 10, false}, {GRID_TRIANGLES, 6, 1, false},
        {GRID_HEXAHEDRA, 4, 1, false}, {GRID_HEXAHEDRA, 4, 1, true}, {GRID_TETRAHEDRA, 2, 1, false}};
    for (size_t i = 0; i < sizeof box_of / sizeof *box_of; i++)
        for (int k = 0; k < N_ALGORITHMS_HERE; k++) {
            if (i > 0 && (i + (size_t)k) % 2) continue;
            const char *gradient = gradients[k / 2 % 2];
            struct box_setting box = grid_box(box_of[i].kind, box_of[i].n, 0);
            for (int j = 0; j < 2; j++) box.stretch[j] = box_of[i].stretch;
            if (box_of[i].joined) box.cells[2] = 2;
            struct field_of_cells a = convection(box_of[i].kind, &box, ORDERING_NONE, box_of[i].joined, k, gradient);
            struct field_of_cells b = convection(box_of[i].kind, &box, ORDERING_HILBERT, box_of[i].joined, k, gradient);
            check(grid_name[box_of[i].kind], k, gradient, difference(&a, &a, -1, true), difference(&a, &b, 1, false));
            free_cells(&a), free_cells(&b);
        }
}

/* joined: with 2 or 4 cells across, two images of a cell are equally near. */
static void numbers_change_nothing_on_irregular_cells(void **state)
{
    (void)state;
    static const struct { enum grid kind; int n; bool joined; } box_of[] = {
        {GRID_MIXED_2D, 8, false}, {GRID_MIXED_3D, 3, false}, {GRID_HEXAHEDRA, 4, true}};
    for (int i = 0; i < 3; i++)
        for (int k = i % 2; k < N_ALGORITHMS_HERE; k += 2) {
            const enum grid kind = box_of[i].kind;
            struct box_setting box = grid_box(kind, box_of[i].n, 0.2);
            const char *gradient = gradients[k / 2 % 2];
            struct field_of_cells a = convection(kind, &box, ORDERING_NONE, box_of[i].joined, k, gradient);
            struct field_of_cells b = convection(kind, &box, ORDERING_CUTHILL_MCKEE, box_of[i].joined, k, gradient);
            check(grid_name[kind], k, gradient, 0, difference(&a, &b, 1, false));
            free_cells(&a), free_cells(&b);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(convection_is_symmetric),
                                       cmocka_unit_test(numbers_change_nothing_on_irregular_cells)};
    return RUN_TESTS("symmetry", tests);
}
