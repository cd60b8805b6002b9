/* poise diff A.out B.out: compares the fields of two runs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/dense.h"
#include "base/log.h"
#include "base/memory.h"
#include "command/command.h"
#include "io/series.h"
#include "mesh/mesh.h"
#include "mesh/nearest.h"

enum { A, B };                  /* the two runs */
enum norm { NORM_L1, NORM_L2, NORM_MAX, N_NORMS };
static const char *const norm_words[N_NORMS] = {"l1", "l2", "max"};

struct comparison {
    const char *directory[2];
    int64_t step[2];            /* -1: the last one */
    const char *fields;         /* comma-separated names, or NULL: all fields common to both */
    double tolerance;
    enum norm norm;             /* compared with the tolerance */
    struct mesh mesh[2];        /* cells as in the file */
    struct written_step written[2];
    bool same;                  /* the meshes are identical: compare cell by cell */
    int32_t *from;              /* [cells of A] the cell of B that its centre is compared with, -1: outside B */
    int32_t outside;
};

/* ---------------------------------------------------------------- the meshes */
static bool same_meshes(const struct mesh *a, const struct mesh *b)
{
    return a->dim == b->dim && a->n_cells == b->n_cells && a->n_vertices == b->n_vertices &&
           !memcmp(a->vertex, b->vertex, 3 * sizeof *a->vertex * (size_t)a->n_vertices) &&
           !memcmp(a->cell_start, b->cell_start, sizeof *a->cell_start * ((size_t)a->n_cells + 1)) &&
           !memcmp(a->cell_vertex, b->cell_vertex, sizeof *a->cell_vertex * (size_t)a->cell_start[a->n_cells]) &&
           !memcmp(a->cell_face_start, b->cell_face_start, sizeof *a->cell_face_start * ((size_t)a->n_cells + 1));
}

static bool open_run(struct comparison *c, int which, struct error *e)
{
    char path[PATH_LENGTH];
    if (strlen(c->directory[which]) > PATH_LENGTH - 32)
        return refuse(e, EXIT_INPUT, "%s: the path is too long", c->directory[which]);
    if (!series_step(&c->written[which], c->directory[which], c->step[which], e)) return false;
    snprintf(path, sizeof path, "%s/mesh.h5", c->directory[which]);
    return mesh_open(&c->mesh[which], path, ORDERING_NONE, e);
}

/* Distance from a cell's centre to its farthest vertex. */
static double reach(const struct mesh *m, int32_t cell)
{
    double most = 0;
    for (int64_t v = m->cell_start[cell]; v < m->cell_start[cell + 1]; v++) {
        double square = 0;
        for (int k = 0; k < m->dim; k++) {
            double d = m->vertex[3 * (int64_t)m->cell_vertex[v] + k] - m->cell_centre[(int64_t)k * m->n_cells + cell];
            square += d * d;
        }
        most = fmax(most, square);
    }
    return sqrt(most);
}

/* Maps every centre of A to the cell of B with the nearest centre.  A centre of A inside a cell of B is no farther from
 * the nearest centre than that cell's radius; so one at more than twice the radius of the cell found is outside. */
static bool find_cells(struct comparison *c, struct error *e)
{
    const struct mesh *a = &c->mesh[A], *b = &c->mesh[B];
    struct nearest tree;
    nearest_create(&tree, b->cell_centre, b->dim, b->n_cells);
    NEW(c->from, a->n_cells);
    for (int32_t i = 0; i < a->n_cells; i++) {
        double x[3], distance;
        for (int k = 0; k < a->dim; k++) x[k] = a->cell_centre[(int64_t)k * a->n_cells + i];
        int32_t found = nearest_find(&tree, x, &distance);
        c->from[i] = found >= 0 && distance <= 2 * reach(b, found) ? found : -1;
        c->outside += c->from[i] < 0;
    }
    nearest_free(&tree);
    return c->outside < a->n_cells || refuse(e, EXIT_INPUT, "%s and %s do not overlap", c->directory[A],
                                             c->directory[B]);
}

/* ---------------------------------------------------------------- B's values at A's centres */
/* Solves the symmetric system M x = r of dim rows; a little is added to the diagonal, so that the slope is zero along a
 * direction without neighbours. */
static void solve_small(double m[3][3], const double r[3], int dim, double x[3])
{
    const double trace = m[0][0] + m[1][1] + m[2][2];
    double inverse[3][3];
    for (int k = 0; k < 3; k++) m[k][k] += k < dim ? 1e-9 * trace + 1e-99 : trace + 1e-99;
    const double determinant = cofactors(m, inverse);
    for (int k = 0; k < dim; k++) x[k] = dot(inverse[k], r) / determinant;
}

/* Adds cell o to the least squares of cell c, weighted by the number of common vertices. */
static void add_neighbour(const struct mesh *m, int32_t c, int32_t o, double step, double matrix[3][3], double rhs[3])
{
    double d[3], square = 0;
    for (int k = 0; k < m->dim; k++) {
        d[k] = m->cell_centre[(int64_t)k * m->n_cells + o] - m->cell_centre[(int64_t)k * m->n_cells + c];
        square += d[k] * d[k];
    }
    for (int i = 0; i < m->dim; i++) {
        rhs[i] += d[i] * step / square;
        for (int k = 0; k < m->dim; k++) matrix[i][k] += d[i] * d[k] / square;
    }
}

/* Gradients of one component of a field, by least squares over the cells that share a vertex: [dim n_cells], freed by
 * the caller. */
static double *gradients(const struct mesh *m, const double *value, int components, int component)
{
    int64_t *start;
    int32_t *cell;
    double *gradient;
    NEW(gradient, (int64_t)m->dim * m->n_cells);
    mesh_cells_of_vertices(m, m->n_cells, &start, &cell);
    for (int32_t c = 0; c < m->n_cells; c++) {
        double matrix[3][3] = {0}, rhs[3] = {0}, g[3];
        for (int64_t i = m->cell_start[c]; i < m->cell_start[c + 1]; i++)
            for (int64_t j = start[m->cell_vertex[i]]; j < start[m->cell_vertex[i] + 1]; j++) {
                int32_t o = cell[j];
                double step = value[(int64_t)o * components + component] - value[(int64_t)c * components + component];
                if (o != c) add_neighbour(m, c, o, step, matrix, rhs);
            }
        solve_small(matrix, rhs, m->dim, g);
        for (int k = 0; k < m->dim; k++) gradient[(int64_t)k * m->n_cells + c] = g[k];
    }
    free(start), free(cell);
    return gradient;
}

/* B's field at A's centres, linear in every cell of B, in the layout of A's field; freed by the caller. */
static double *interpolate(const struct comparison *c, const double *value, int components)
{
    const struct mesh *a = &c->mesh[A], *b = &c->mesh[B];
    double *to;
    NEW(to, (int64_t)components * a->n_cells);
    for (int j = 0; j < (components == 1 ? 1 : a->dim); j++) {
        double *gradient = gradients(b, value, components, j);
        for (int32_t i = 0; i < a->n_cells; i++) {
            int32_t p = c->from[i];
            if (p < 0) continue;
            double x = value[(int64_t)p * components + j];
            for (int k = 0; k < a->dim; k++)
                x += gradient[(int64_t)k * b->n_cells + p] *
                     (a->cell_centre[(int64_t)k * a->n_cells + i] - b->cell_centre[(int64_t)k * b->n_cells + p]);
            to[(int64_t)i * components + j] = x;
        }
        free(gradient);
    }
    return to;
}

/* ---------------------------------------------------------------- norms */
struct difference { double of[N_NORMS], size[N_NORMS]; int32_t worst; };     /* of A - B, and of A */

/* Vectors are compared by their length; NaN counts as an infinite difference. */
static void measure(const struct comparison *c, const double *a, const double *b, int components, struct difference *d)
{
    const struct mesh *m = &c->mesh[A];
    double volume = 0;
    *d = (struct difference){.worst = -1};
    for (int32_t i = 0; i < m->n_cells; i++) {
        double apart = 0, size = 0, v = m->cell_volume[i];
        if (c->from && c->from[i] < 0) continue;
        for (int k = 0; k < components; k++) {
            double x = a[(int64_t)i * components + k], y = b[(int64_t)i * components + k];
            apart += (x - y) * (x - y), size += x * x;
        }
        apart = isfinite(apart) ? sqrt(apart) : INFINITY, size = sqrt(size);
        volume += v;
        d->of[NORM_L1] += v * apart, d->size[NORM_L1] += v * size;
        d->of[NORM_L2] += v * apart * apart, d->size[NORM_L2] += v * size * size;
        if (apart > d->of[NORM_MAX]) d->of[NORM_MAX] = apart, d->worst = i;
        d->size[NORM_MAX] = fmax(d->size[NORM_MAX], size);
    }
    d->of[NORM_L1] /= volume, d->size[NORM_L1] /= volume;
    d->of[NORM_L2] = sqrt(d->of[NORM_L2] / volume), d->size[NORM_L2] = sqrt(d->size[NORM_L2] / volume);
}

static void print_difference(const struct comparison *c, const char *name, const struct difference *d, double relative)
{
    const struct mesh *m = &c->mesh[A];
    log_print("  %-20s %12.5g %12.5g %12.5g %12.5g", name, d->of[NORM_L1], d->of[NORM_L2], d->of[NORM_MAX], relative);
    for (int k = 0; k < m->dim && d->worst >= 0; k++)
        log_print("%s%.5g", k ? ", " : "   at (", m->cell_centre[(int64_t)k * m->n_cells + d->worst]);
    log_print(d->worst >= 0 ? ")\n" : "\n");
}

/* ---------------------------------------------------------------- fields */
static const struct written_field *find_field(const struct written_step *s, const char *name)
{
    for (int i = 0; i < s->n_fields; i++) if (!strcmp(s->field[i].name, name)) return &s->field[i];
    return NULL;
}

/* *within: set to false if the field exceeds the tolerance. */
static bool compare_field(const struct comparison *c, const char *name, bool *within, struct error *e)
{
    const struct written_field *f[2];
    double *value[2] = {NULL, NULL};
    bool good = true;
    for (int i = A; i <= B && good; i++) {
        f[i] = find_field(&c->written[i], name);
        if (f[i]) value[i] = series_field(&c->written[i], f[i], c->mesh[i].n_cells, e);
        else refuse(e, EXIT_INPUT, "%s: has no field \"%s\"; poise diff A.out B.out lists the common ones",
                    c->written[i].path, name);
        good = value[i] != NULL;
    }
    if (good && f[A]->components != f[B]->components)
        good = refuse(e, EXIT_INPUT, "\"%s\" is a vector in one run and a scalar in the other", name);
    if (good) {
        struct difference d;
        double *b = c->same ? value[B] : interpolate(c, value[B], f[B]->components);
        measure(c, value[A], b, f[A]->components, &d);
        double size = d.size[c->norm], relative = d.of[c->norm] > 0 && size > 0 ? d.of[c->norm] / size : d.of[c->norm];
        print_difference(c, name, &d, relative);
        *within = *within && relative <= c->tolerance;
        if (b != value[B]) free(b);
    }
    free(value[A]), free(value[B]);
    return good;
}

static bool compare_fields(const struct comparison *c, bool *within, struct error *e)
{
    const struct written_step *a = &c->written[A], *b = &c->written[B];
    char *names = c->fields ? strdup(c->fields) : NULL, *save = NULL;
    bool good = true;
    int compared = 0;
    for (char *n = names ? strtok_r(names, ",", &save) : NULL; n && good; n = strtok_r(NULL, ",", &save), compared++)
        good = compare_field(c, n, within, e);
    free(names);
    if (good && c->fields && !compared)
        return refuse(e, EXIT_INPUT, "poise diff: --fields \"%s\": expected comma-separated names", c->fields);
    for (int i = 0; i < a->n_fields && good && !c->fields; i++)
        if (find_field(b, a->field[i].name)) good = compare_field(c, a->field[i].name, within, e), compared++;
    for (int i = 0; i < a->n_fields && !c->fields; i++)
        if (!find_field(b, a->field[i].name)) log_print("  %-20s in %s only\n", a->field[i].name, c->directory[A]);
    for (int i = 0; i < b->n_fields && !c->fields; i++)
        if (!find_field(a, b->field[i].name)) log_print("  %-20s in %s only\n", b->field[i].name, c->directory[B]);
    return good && (compared || refuse(e, EXIT_INPUT, "%s and %s have no field in common", a->path, b->path));
}

/* ---------------------------------------------------------------- the command */
static bool compare(struct comparison *c, bool *within, struct error *e)
{
    if (!open_run(c, A, e) || !open_run(c, B, e)) return false;
    const struct mesh *a = &c->mesh[A], *b = &c->mesh[B];
    if (a->dim != b->dim)
        return refuse(e, EXIT_INPUT, "%s is %d-D, %s %d-D", c->directory[A], a->dim, c->directory[B], b->dim);
    c->same = same_meshes(a, b);
    if (!c->same && !find_cells(c, e)) return false;
    for (int i = A; i <= B; i++) {
        const struct written_step *w = &c->written[i];
        const bool steady = w->time == (double)w->step;
        log_print("%s: %d cells, after %" PRId64 " %ss", c->directory[i], c->mesh[i].n_cells, w->step,
                  steady ? "iteration" : "step");
        if (steady) log_print("\n");
        else log_print(", t = %g\n", w->time);
    }
    if (c->same) log_print("the meshes are the same\n");
    else log_print("the meshes differ: the second run's fields are interpolated to the first one's cells\n");
    if (c->outside) log_print("%d cells of the first lie outside the second and are not compared\n", c->outside);
    log_print("  %-20s %12s %12s %12s %12s\n", "difference", "L1", "L2", "max",
              (const char *const[]){"L1, relative", "L2, relative", "max, rel."}[c->norm]);
    return compare_fields(c, within, e);
}

static bool read_steps(struct comparison *c, const char *text, struct error *e)
{
    int used = 0, n = sscanf(text, "%" SCNd64 "%n,%" SCNd64 "%n", &c->step[A], &used, &c->step[B], &used);
    if (n == 1) c->step[B] = c->step[A];
    return (n >= 1 && !text[used] && c->step[A] >= 0 && c->step[B] >= 0) ||
           refuse(e, EXIT_INPUT, "poise diff: --step %s: expected a step that was written, or two: 100,200", text);
}

static bool read_tolerance(struct comparison *c, const char *text, struct error *e)
{
    char *end;
    c->tolerance = strtod(text, &end);
    return (end > text && !*end && c->tolerance >= 0) ||
           refuse(e, EXIT_INPUT, "poise diff: --tolerance %s: expected a number >= 0", text);
}

static bool read_norm(struct comparison *c, const char *text, struct error *e)
{
    for (c->norm = 0; c->norm < N_NORMS; c->norm++) if (!strcmp(text, norm_words[c->norm])) return true;
    return refuse(e, EXIT_INPUT, "poise diff: --norm %s: expected l1, l2 or max", text);
}

enum exit_status command_diff(int argc, char **argv)
{
    static const struct option options[] = {
        {"fields", required_argument, NULL, 'f'}, {"tolerance", required_argument, NULL, 't'},
        {"norm", required_argument, NULL, 'n'}, {"step", required_argument, NULL, 's'},
        {"help", no_argument, NULL, 'h'}, {0}};
    struct comparison c = {.step = {-1, -1}, .norm = NORM_MAX};
    struct error e;
    bool good = true, within = true;
    int option;
    while (good && (option = next_option(argc, argv, options, "diff")) > 0) {
        if (option == 'f') c.fields = optarg;
        else if (option == 't') good = read_tolerance(&c, optarg, &e);
        else if (option == 'n') good = read_norm(&c, optarg, &e);
        else good = read_steps(&c, optarg, &e);
    }
    if (!good) return report_error(&e);
    if (option || !check_words(argc, argv, 2, "A.out B.out", "diff")) return options_status(option);
    c.directory[A] = argv[optind], c.directory[B] = argv[optind + 1];
    good = compare(&c, &within, &e);
    mesh_free(&c.mesh[A]), mesh_free(&c.mesh[B]), free(c.from);
    if (!good) return report_error(&e);
    if (!within) log_print("beyond --tolerance %g, relative, in the norm %s\n", c.tolerance, norm_words[c.norm]);
    return within ? EXIT_CONVERGED : EXIT_INPUT;
}
