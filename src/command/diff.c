/* poise diff A.out B.out: compares the fields of two runs. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "command/command.h"
#include "io/series.h"
#include "mesh/mesh.h"
#include "mesh/transfer.h"

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
    struct transfer transfer;   /* of B's fields to A's cells; those outside B are not compared */
};

/* ---------------------------------------------------------------- the meshes */
static bool open_run(struct comparison *c, int which, struct error *e)
{
    char path[PATH_LENGTH];
    if (strlen(c->directory[which]) > PATH_LENGTH - 32)
        return refuse(e, EXIT_INPUT, "%s: the path is too long", c->directory[which]);
    if (!series_step(&c->written[which], c->directory[which], c->step[which], e)) return false;
    snprintf(path, sizeof path, "%s/mesh.h5", c->directory[which]);
    return mesh_open(&c->mesh[which], path, ORDERING_NONE, e);
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
        if (c->transfer.n_outside && c->transfer.outside[i]) continue;
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
        double *b = transfer_field(&c->transfer, value[B], f[B]->components, false);
        measure(c, value[A], b, f[A]->components, &d);
        double size = d.size[c->norm], relative = d.of[c->norm] > 0 && size > 0 ? d.of[c->norm] / size : d.of[c->norm];
        print_difference(c, name, &d, relative);
        *within = *within && relative <= c->tolerance;
        free(b);
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
    transfer_create(&c->transfer, b, a);
    if (c->transfer.n_outside == a->n_cells)
        return refuse(e, EXIT_INPUT, "%s and %s do not overlap", c->directory[A], c->directory[B]);
    for (int i = A; i <= B; i++) {
        const struct written_step *w = &c->written[i];
        const bool steady = w->time == (double)w->step;
        log_print("%s: %d cells, after %" PRId64 " %ss", c->directory[i], c->mesh[i].n_cells, w->step,
                  steady ? "iteration" : "step");
        if (steady) log_print("\n");
        else log_print(", t = %g\n", w->time);
    }
    if (c->transfer.same) log_print("the meshes are the same\n");
    else log_print("the meshes differ: the second run's fields are interpolated to the first one's cells\n");
    if (c->transfer.n_outside)
        log_print("%d cells of the first lie outside the second and are not compared\n", c->transfer.n_outside);
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
    mesh_free(&c.mesh[A]), mesh_free(&c.mesh[B]), transfer_free(&c.transfer);
    if (!good) return report_error(&e);
    if (!within) log_print("beyond --tolerance %g, relative, in the norm %s\n", c.tolerance, norm_words[c.norm]);
    return within ? EXIT_CONVERGED : EXIT_INPUT;
}
