/* Surface tension flattens waves on a plane, down to the shortest ones on the mesh. */
#include "interface_shapes.h"

static const struct flow_setting with_tension = {.fluid.density = 1, .second_fluid = {true, 1000, 1, 0.3}};

/* A level surface at `level` in cubes of side h, with a wave of the shortest kind, alternately `height` higher and
 * lower along x, and along z if `along` includes it. */
struct wave { double level, height, h; int along[2]; };

static double column_height(const struct wave *w, const double *x)
{
    double sign = 1;
    for (int k = 0; k < 2; k++)
        if (w->along[k] && (int64_t)floor(x[2 * k] / w->h) % 2) sign = -sign;
    return sign * w->height;
}

static void set_wave(struct two_fluids *t, const struct wave *w)
{
    for (int32_t c = 0; c < t->m.n_cells; c++) {
        double x[3] = {0};
        for (int k = 0; k < t->m.dim; k++) x[k] = t->m.cell_centre[(int64_t)k * t->m.n_cells + c];
        t->fraction[c] = fmin(1, fmax(0, (w->level + column_height(w, x) - x[1]) / w->h + 0.5));
    }
    device_upload(t->i.fraction, t->fraction, (size_t)t->m.n_cells * sizeof(double));
    interface_reconstruct(&t->i);
    interface_curvature(&t->i);
}

/* The curvature is positive where the second fluid, below, is higher, and not much more than that of the wave in finite
 * differences.  With other weights of the fit it is negative: then the force amplifies the wave. */
static void look_at_wave(const struct two_fluids *t, const struct wave *w)
{
    double *curvature = FROM_DEVICE(t->i.curvature, t->s.pitch), *area = FROM_DEVICE(t->i.area, t->s.pitch);
    int found = 0;
    for (int32_t c = 0; c < t->m.n_cells; c++) {
        double x[3] = {0.5, 0, 0.5};
        for (int k = 0; k < t->m.dim; k++) x[k] = t->m.cell_centre[(int64_t)k * t->m.n_cells + c];
        if (!(area[c] > 0) || fabs(x[0] - 0.5) > 2 * w->h || fabs(x[2] - 0.5) > 2 * w->h) continue;
        double answer = curvature[c] * w->h * w->h / column_height(w, x), most = 4.0 * (w->along[0] + w->along[1]);
        if (!(answer > -1e-3 && answer < most))
            fail_msg("%d-D, waves along %d %d, level %g: %g of the height, expected 0 to %g", t->m.dim, w->along[0],
                     w->along[1], w->level / w->h, answer, most);
        found++;
    }
    assert_true(found > 0);
    free(curvature), free(area);
}

static void short_waves_are_flattened(void **state)
{
    (void)state;
    enum { CELLS = 12 };
    const double h = 1.0 / CELLS;
    static const int along[][2] = {{1, 0}, {0, 1}, {1, 1}};
    for (int kind = 0; kind < 4; kind++)
        for (int place = 0; place < 5; place++) {
            int dim = kind == 3 ? 2 : 3, of = kind % 3;
            struct box_setting box = grid_box(dim == 2 ? GRID_QUADS : GRID_HEXAHEDRA, CELLS, 0);
            struct wave w = {(5.15 + 0.175 * place) * h, 1e-3 * h, h, {along[of][0], along[of][1]}};
            double nothing[4] = {9, 9, 9, 0.1};
            struct two_fluids t;
            two_fluids_open(&t, dim == 2 ? GRID_QUADS : GRID_HEXAHEDRA, &box, ball, nothing, 0);
            take_case(&t, &with_tension);
            set_wave(&t, &w);
            look_at_wave(&t, &w);
            two_fluids_close(&t);
        }
}

/* ---------------------------------------------------------------- tilted planes
 * A wave of height HEIGHT on a plane through the middle, of normal n, along the direction s in it. */
struct tilted_wave { double point[3], n[3], s[3], number, phase, height; };

static double along(const struct tilted_wave *w, const double *x, const double *direction)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (x[k] - w->point[k]) * direction[k];
    return sum;
}

static double wave_shape(const double x[3], const void *data)
{
    const struct tilted_wave *w = data;
    return along(w, x, w->n) - w->height * cos(w->number * along(w, x, w->s) + w->phase);
}

/* The curvature of the wave divided by number^2 times its height, exactly 1: the component in phase with the wave, and
 * the component a quarter of a wave out of phase. */
struct answer { double in_phase, shifted; };

static struct answer answer_to(struct two_fluids *t, const struct tilted_wave *w)
{
    int dim = t->m.dim;
    double sum[3] = {0};
    for (int32_t c = 0; c < t->m.n_cells; c++) t->fraction[c] = part_of_cell(t, c, wave_shape, w, dim == 2 ? 9 : 6);
    device_upload(t->i.fraction, t->fraction, (size_t)t->m.n_cells * sizeof(double));
    for (int k = 0; k < 4; k++) interface_reconstruct(&t->i);
    interface_curvature(&t->i);
    int64_t n = t->s.pitch;
    double *curvature = FROM_DEVICE(t->i.curvature, n), *area = FROM_DEVICE(t->i.area, n),
           *centroid = FROM_DEVICE(t->i.centroid, dim * n);
    for (int32_t c = 0; c < t->m.n_cells; c++) {
        double x[3] = {w->point[0], w->point[1], w->point[2]};
        bool inside = area[c] > 0;
        for (int k = 0; k < dim; k++) {
            x[k] = t->m.cell_centre[(int64_t)k * t->m.n_cells + c] + centroid[k * n + c];
            inside &= fabs(x[k] - 0.5) < 0.3;
        }
        if (!inside) continue;
        double angle = w->number * along(w, x, w->s) + w->phase, unit = w->number * w->number * w->height;
        sum[0] += area[c] * curvature[c] / unit * cos(angle), sum[1] += area[c] * curvature[c] / unit * sin(angle);
        sum[2] += area[c] * cos(angle) * cos(angle);
    }
    free(curvature), free(area), free(centroid);
    return (struct answer){sum[0] / sum[2], sum[1] / sum[2]};
}

/* Normals of planes; in 2-D the first two components are used. */
static const double normals[][3] = {{0, 1, 0}, {-0.25, 1, 0.1}, {-0.5, 1, 0.3}, {-1, 1, 0}, {-1, 1, 1}};
/* Lengths over the mean cell size: from the shortest on the mesh. */
static const double lengths[] = {2, 2.5, 4};

static void unit(double *v)
{
    double length = sqrt(v[0] * v[0] + v[1] * v[1] + v[2] * v[2]);
    for (int k = 0; k < 3; k++) v[k] /= length;
}

/* Direction number k of waves on the plane: one, in 3-D a second one across it and one between the two. */
static void take_direction(struct tilted_wave *w, const double *normal, int dim, int k)
{
    double a[3] = {normal[1], -normal[0], 0}, b[3];
    memcpy(w->n, normal, sizeof w->n);
    if (dim == 2) w->n[2] = 0;
    unit(w->n), unit(a);
    for (int i = 0; i < 3; i++) b[i] = w->n[(i + 1) % 3] * a[(i + 2) % 3] - w->n[(i + 2) % 3] * a[(i + 1) % 3];
    for (int i = 0; i < 3; i++) w->s[i] = k == 0 ? a[i] : k == 1 ? b[i] : a[i] + b[i];
    unit(w->s);
}

/* The exact answer is 1.  Fits flatten short waves less, but all of them: a wave with a negative answer would grow.  A
 * wave of two cells along grid lines looks the same in another phase. */
static void check_answer(struct two_fluids *t, enum grid kind, int cells, int plane, int direction, double length)
{
    enum { PHASES = 3 };
    int dim = t->m.dim;
    struct answer mean = {0, 0};
    for (int phase = 0; phase < PHASES; phase++) {
        double off = (0.13 + 0.31 * phase) / cells;
        struct tilted_wave w = {{0.5 + off, 0.5 - off / 3, dim == 2 ? 0 : 0.5 + off / 2}, {0}, {0},
                                2 * M_PI * cells / length, 1.1 * phase, 1e-3 / cells};
        take_direction(&w, normals[plane], dim, direction);
        struct answer one = answer_to(t, &w);
        mean.in_phase += one.in_phase / PHASES, mean.shifted += one.shifted / PHASES;
    }
    double least = length == 2 ? 0.03 : length == 4 ? 0.45 : 0.1;
    if (!(mean.in_phase > least && mean.in_phase < 1) || (length > 2 && !(fabs(mean.shifted) < 0.1)))
        fail_msg("%s, plane %d, direction %d, waves of %g cells: %.3f in phase, expected %g to 1; %.3f shifted",
                 grid_name[kind], plane, direction, length, mean.in_phase, least, mean.shifted);
}

static void tilted_waves_are_flattened(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_TETRAHEDRA};
    for (int g = 0; g < 4; g++) {
        int dim = grid_dim(kinds[g]), cells = dim == 2 ? 30 : 12;
        struct box_setting box = grid_box(kinds[g], cells, 0);
        double nothing[4] = {9, 9, 9, 0.1};
        struct two_fluids t;
        two_fluids_open(&t, kinds[g], &box, ball, nothing, 0);
        take_case(&t, &with_tension);
        for (int p = 0; p < 5 - (dim == 2); p++)
            for (int d = 0; d < (dim == 2 ? 1 : 3); d++)
                for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
                    check_answer(&t, kinds[g], cells, p, d, lengths[l]);
        two_fluids_close(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(short_waves_are_flattened),
                                       cmocka_unit_test(tilted_waves_are_flattened)};
    return RUN_TESTS("flat_waves", tests);
}
