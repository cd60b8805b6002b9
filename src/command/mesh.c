/* poise mesh convert IN OUT, poise mesh info FILE|CASE */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "command/command.h"
#include "command/mesh_options.h"
#include "gpu/kernel.h"
#include "mesh/mesh.h"
#include "run/case_settings.h"

/* ---------------------------------------------------------------- convert */
static enum exit_status convert(int argc, char **argv)
{
    static const struct option options[] = {MESH_OPTIONS, {"help", no_argument, NULL, 'h'}, {0}};
    struct mesh_setting s = {.curved = CURVED_REFUSE};
    struct error e;
    int option;
    NEW(s.parameter, argc);
    while ((option = next_option(argc, argv, options, "mesh")) > 0 && mesh_option(&s, option)) continue;
    enum exit_status status = options_status(option);
    if (option == 0 && check_words(argc, argv, 2, "convert IN OUT", "mesh")) {
        const char *in = argv[optind], *out = argv[optind + 1];
        const struct output_name output = {"convert: OUT", out};
        bool good = mesh_options_of(&s, in, &e) && outputs_check(&output, 1, &in, 1, &e) && mesh_convert(&s, out, &e);
        status = good ? EXIT_CONVERGED : report_error(&e);
        if (good) log_print("%s written\n", out);
    }
    free(s.parameter);
    return status;
}

/* ---------------------------------------------------------------- info */
static void print_shape(const char *plural, int32_t count) { log_print("    %-18s %10d\n", plural, count); }

static void print_cells(const struct mesh *m)
{
    log_print("%s: %d-D\n", m->source, m->dim);
    if (m->note[0]) log_print("  %s\n", m->note);
    log_print("  %-20s %10d\n  %-20s %10d\n", "vertices", m->n_vertices, "cells", m->n_cells);
    mesh_count_shapes(m, print_shape);
    log_print("  %-20s %10d\n  %-20s %10d\n", "faces inside", m->n_internal, "faces on boundaries",
           m->n_faces - m->n_internal);
}

static void print_groups(const struct mesh *m)
{
    int32_t *count;
    log_print("boundaries             %10s\n", "faces");
    for (int i = 0; i < m->n_patches; i++) {
        log_print("  %-20s %10d", m->patch[i].name, m->patch[i].count);
        log_print(m->patch[i].partner[0] ? "  periodic with %s\n" : "\n", m->patch[i].partner);
    }
    NEW(count, m->n_regions);
    for (int32_t c = 0; c < m->n_cells; c++) count[m->cell_region[c]]++;
    log_print("regions                %10s\n", "cells");
    for (int i = 0; i < m->n_regions; i++) log_print("  %-20s %10d\n", m->region[i], count[i]);
    free(count);
}

static void print_quality(const struct mesh *m)
{
    struct mesh_quality q;
    double low[3], high[3];
    mesh_measure(m, &q);
    mesh_extent(m, low, high);
    log_print("bounding box\n");
    for (int k = 0; k < m->dim; k++) log_print("  %-20c %14g .. %g\n", "xyz"[k], low[k], high[k]);
    log_print("quality\n");
    log_print("  %-20s %14g, smallest cell %g, largest %g\n", m->dim == 2 ? "area" : "volume", q.volume_total,
           q.volume_min, q.volume_max);
    log_print("  %-20s %14.2f degrees at most (cell %d), %.2f on average\n", "non-orthogonality",
              q.non_orthogonality_max, q.worst_non_orthogonal, q.non_orthogonality_mean);
    log_print("  %-20s %14.4f at most (cell %d)\n", "skewness", q.skewness_max, q.worst_skewed);
    log_print("  %-20s %14.2f at most (cell %d)\n", "aspect ratio", q.aspect_max, q.worst_aspect);
    int32_t slivers = mesh_slivers(m, NULL);
    if (slivers)
        log_print("  %-20s %14d cells so flat that their skewness corrections are limited\n", "slivers", slivers);
    int32_t steep = mesh_steep(m, NULL);
    if (steep)
        log_print("  %-20s %14d boundary cells with a face more than 70 degrees from orthogonal\n", "steep", steep);
}

/* Effect of a cell ordering on matrices in mod.SELL: the number of entries local to their slice of SLICE rows, and the
 * padding to the widest row of a warp. */
static void print_order(const char *name, const int32_t *order, const int64_t *start, const int32_t *column, int32_t n)
{
    int32_t *place;
    int64_t local = 0, stored = 0;
    NEW(place, n);
    for (int32_t k = 0; k < n; k++) place[order[k]] = k;
    for (int32_t k = 0; k < n; k += WARP) {
        int64_t widest = 0;
        for (int32_t r = k; r < n && r < k + WARP; r++) {
            int64_t width = start[order[r] + 1] - start[order[r]];
            if (width > widest) widest = width;
            for (int64_t j = start[order[r]]; j < start[order[r] + 1]; j++)
                local += place[column[j]] / SLICE == r / SLICE;
        }
        stored += WARP * widest;
    }
    double entries = (double)start[n];
    log_print("  %-20s %13.1f %% %13.1f %%\n", name, entries > 0 ? 100 * (double)local / entries : 100,
           stored ? 100 * (1 - entries / (double)stored) : 0);
    free(place);
}

static bool print_orders(const struct mesh *m, struct error *e)
{
    int64_t *start;
    int32_t *column, *order;
    mesh_adjacency(m, &start, &column, NULL);
    NEW(order, m->n_cells);
    log_print("matrix in mod.SELL     %14s %15s\n", "local entries", "padding");
    for (int32_t c = 0; c < m->n_cells; c++) order[c] = c;
    print_order("as in the file", order, start, column, m->n_cells);
    order_hilbert(order, m->cell_centre, m->dim, m->n_cells, mesh_cells_together(m));
    print_order("hilbert", order, start, column, m->n_cells);
    order_cuthill_mckee(order, start, column, m->n_cells);
    print_order("cuthill-mckee", order, start, column, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) order[c] = c;
    bool good = order_metis(order, start, column, m->n_cells, SLICE, e);
    if (good) print_order("metis", order, start, column, m->n_cells);
    free(start), free(column), free(order);
    return good;
}

/* The mesh of a case, or of a mesh file, with cells numbered as in the file. */
static bool open_mesh(struct mesh *m, struct mesh_setting *s, const char *path, struct error *e)
{
    static const char *const as_in_file = "mesh.ordering=none";
    struct case_settings c;
    if (case_name_length(path) == strlen(path))
        return mesh_options_of(s, path, e) && mesh_open_as(m, s, ORDERING_NONE, e);
    if (s->n_parameters || *s->markers || s->curved == CURVED_STRAIGHT || transform_given(&s->transform))
        return refuse(e, EXIT_INPUT, "%s: a case specifies how its mesh is read; expected no --set, --straight, "
                      "--markers, --scale, --rotate or --translate", path);
    if (!case_read(&c, path, &as_in_file, 1, e)) return false;
    bool good = mesh_of_case(m, &c, false, e);
    case_free(&c);
    return good;
}

static bool read_parts(const char *text, int *parts)
{
    enum { MOST_PARTS = 4096 };
    if (read_whole(text, 1, MOST_PARTS, parts) && strspn(text, "0123456789") == strlen(text)) return true;
    log_error("poise mesh info: --parts %s: expected a whole number from 1 to %d\n", text, MOST_PARTS);
    return false;
}

static enum exit_status info(int argc, char **argv)
{
    static const struct option options[] = {
        {"parts", required_argument, NULL, 'p'}, MESH_OPTIONS, {"help", no_argument, NULL, 'h'}, {0}};
    struct mesh_setting s = {.curved = CURVED_REFUSE};
    struct mesh m;
    struct error e;
    int option, parts = 0;
    NEW(s.parameter, argc);
    while ((option = next_option(argc, argv, options, "mesh")) > 0)
        if (option == 'p' ? !read_parts(optarg, &parts) : !mesh_option(&s, option)) break;
    bool good = option == 0 && check_words(argc, argv, 1, "info FILE", "mesh");
    if (!good) return free(s.parameter), options_status(option);
    good = open_mesh(&m, &s, argv[optind], &e);
    free(s.parameter);
    if (!good) return report_error(&e);
    print_cells(&m);
    print_groups(&m);
    print_quality(&m);
    good = print_orders(&m, &e) && (!parts || mesh_tell_parts(&m, parts, &e));
    mesh_free(&m);
    return good ? EXIT_CONVERGED : report_error(&e);
}

enum exit_status command_mesh(int argc, char **argv)
{
    static const char *const names[] = {"convert", "info"};
    if (argc > 1 && !strcmp(argv[1], "convert")) return convert(argc - 1, argv + 1);
    if (argc > 1 && !strcmp(argv[1], "info")) return info(argc - 1, argv + 1);
    if (argc > 1 && (!strcmp(argv[1], "--help") || !strcmp(argv[1], "-h")))
        return command_help(2, (char *[]){"help", "mesh", NULL});
    if (argc < 2) log_error("poise mesh: expected convert or info; see: poise help mesh\n");
    else
        log_error("poise mesh: \"%s\" is not known; expected convert or info%s; see: poise help mesh\n", argv[1],
                  did_you_mean(argv[1], "", names, 2));
    return EXIT_INPUT;
}
