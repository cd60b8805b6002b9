/* poise run CASE, poise check CASE */
#include "run/run.h"
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/boundary.h"
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "command/command.h"
#include "run/sample.h"
#include "run/write.h"
#include "gpu/device.h"
#include "interface/prescribed.h"
#include "interface/shapes.h"
#include "io/directory.h"
#include "mesh/mesh.h"

static bool read_count(const char *text, const char *option, int *value)
{
    char *end;
    errno = 0;
    long v = strtol(text, &end, 10);
    *value = (int)v;
    if (end != text && !*end && !errno && v >= 0 && v <= INT_MAX) return true;
    log_error("poise run: %s %s: expected a whole number >= 0 (0 = all)\n", option, text);
    return false;
}

static bool read_pressure_file(const char *text, const char **name)
{
    *name = text;
    if (file_ends_in(text, ".h5")) return true;
    log_error("poise run: --write-pressure %s: expected a name that ends in .h5\n", text);
    return false;
}

enum exit_status command_run(int argc, char **argv)
{
    static const struct option options[] = {{"device", required_argument, NULL, 'd'},
                                            {"threads", required_argument, NULL, 't'},
                                            {"set", required_argument, NULL, 's'},
                                            {"restart", no_argument, NULL, 'r'},
                                            {"digest", no_argument, NULL, 'g'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"write-pressure", required_argument, NULL, 'p'},
                                            {"quiet", no_argument, NULL, 'q'},
                                            {"trust-geo", no_argument, NULL, 'T'},
                                            {"help", no_argument, NULL, 'h'},
                                            {0}};
    struct run_options o = {.device = "auto"};
    struct error e;
    char output[PATH_LENGTH + 32];
    const char **set;
    int n_set = 0, option;
    NEW(set, argc);
    bool good = true;
    while (good && (option = next_option(argc, argv, options, "run")) > 0) {
        if (option == 'd') o.device = optarg;
        else if (option == 't') good = read_count(optarg, "--threads", &o.threads);
        else if (option == 's') set[n_set++] = optarg;
        else if (option == 'r') o.restart = true;
        else if (option == 'g') o.digest = true;
        else if (option == 'o') snprintf(output, sizeof output, "output.directory=%s", optarg), set[n_set++] = output;
        else if (option == 'p') good = read_pressure_file(optarg, &o.pressure_file);
        else if (option == 'q') o.quiet = true;
        else if (option == 'T') mesh_trust_geo(true);
    }
    enum exit_status status = options_status(option);
    struct case_settings c;
    if (good && option == 0 && check_words(argc, argv, 1, "CASE", "run")) {
        if (!case_read(&c, argv[optind], set, n_set, &e)) status = report_error(&e);
        else {
            o.set = set, o.n_set = n_set;
            status = run_to_end(&c, &o, &e);
            if (status == EXIT_INPUT || status == EXIT_RESOURCE) report_error(&e);
            case_free(&c);
        }
    }
    free(set);
    return status;
}

/* ---------------------------------------------------------------- check */
static bool check_shapes(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    double *fraction;
    if (!c->flow.shapes.n) return true;
    NEW(fraction, m->n_cells);
    bool good = shapes_fraction(&c->flow.shapes, m, fraction, e);
    free(fraction);
    return good;
}

static bool check_points(const struct mesh *m, const double *points, int n, const char *place, const char *section,
                         const char *name, struct error *e)
{
    struct sample s;
    bool good = sample_create(&s, m, points, n, place, section, name, e);
    if (good) sample_free(&s);
    return good;
}

/* Checks what the case says of places: boundary conditions fit the mesh; shapes, probes and lines lie inside it.  All
 * that does not is told at once. */
static bool check_on_mesh(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    struct stencil stencil;
    struct boundary boundary;
    struct error one;
    if (!device_open("cpu", 0, e)) return false;
    *e = (struct error){0};
    stencil_create(&stencil, m);
    bool good = error_keep(flow_create_boundary(&boundary, &c->flow, &stencil, m, &one), e, &one);
    if (good) boundary_free(&boundary);
    stencil_free(&stencil);
    good &= error_keep(write_check(c, &one), e, &one);
    good &= error_keep(check_shapes(c, m, &one), e, &one);
    if (c->flow.prescribed.given) good &= error_keep(prescribed_check(&c->flow.prescribed, m->dim, &one), e, &one);
    for (int i = 0; i < c->probes.n; i++) {
        const struct probe_setting *p = &c->probes.item[i];
        good &= error_keep(check_points(m, p->at, 1, case_place_text(p->place), "probes", p->name, &one), e, &one);
    }
    for (int i = 0; i < c->lines.n; i++) {
        const struct line_setting *line = &c->lines.item[i];
        double ends[6];
        memcpy(ends, line->from, sizeof line->from), memcpy(ends + 3, line->to, sizeof line->to);
        good &= error_keep(check_points(m, ends, 2, case_place_text(line->place), "lines", line->name, &one), e, &one);
    }
    device_close();
    return good;
}

static void print_boundary(const struct boundary_setting *b, const struct mesh *m)
{
    int faces = 0;
    for (int i = 0; i < m->n_patches; i++) if (!strcmp(m->patch[i].name, b->name)) faces = m->patch[i].count;
    log_print("  %-11s %s: %s", "", b->name, boundary_type_words[b->type]);
    for (int k = 0; k < b->velocity_length; k++) log_print("%s%g", k ? ", " : ", velocity (", b->velocity[k]);
    if (b->velocity_length) log_print(")");
    if (boundary_gives_pressure(b->type)) log_print(", pressure %g", b->pressure);
    if (boundary_is_joined(b->type)) log_print("\n");
    else log_print(", %d faces\n", faces);
}

static void print_summary(const struct case_settings *c, const struct mesh *m)
{
    const struct flow_setting *f = &c->flow;
    struct mesh_quality q;
    mesh_measure(m, &q);
    log_print("%s is in order:\n", c->source->path);
    log_print("  %-11s %s: %d cells, %d-D, %d boundaries, non-orthogonality at most %.1f degrees\n", "mesh", m->source,
           m->n_cells, m->dim, m->n_patches, q.non_orthogonality_max);
    if (m->note[0]) log_print("  %-11s %s\n", "", m->note);
    log_print("  %-11s density %g, viscosity %g\n", "fluid", f->fluid.density, f->fluid.viscosity);
    if (f->second_fluid.given)
        log_print("  %-11s second fluid: density %g, viscosity %g, surface tension %g, in %d shapes\n", "",
                  f->second_fluid.density, f->second_fluid.viscosity, f->second_fluid.surface_tension, f->shapes.n);
    log_print("  boundaries\n");
    for (int i = 0; i < f->boundary.n; i++) print_boundary(&f->boundary.item[i], m);
    for (int i = 0; i < f->boundary.n; i++) {
        char warning[WARNING_LENGTH];
        if (boundary_warning(m, &f->boundary, i, warning)) log_print("  %-11s %s\n", "warning", warning);
    }
    if (flow_is_transient(f))
        log_print("  %-11s %s, to t = %g in steps of %g%s\n", "solver", algorithm_words[f->solver.algorithm],
                  f->time.end, f->time.step,
                  f->time.courant + f->time.interface_courant + f->time.capillary > 0 ? " at most" : "");
    else
        log_print("  %-11s %s, residuals below %g, at most %d iterations\n", "solver",
                  algorithm_words[f->solver.algorithm], f->solver.tolerance, f->solver.max_iterations);
    log_print("  %-11s %s:", "output", c->output.directory);
    for (int i = 0; i < c->output.n_fields; i++) log_print(" %s", c->output.field[i]);
    log_print("; %d lines, %d probes, %d forces\n", c->lines.n, c->probes.n, c->forces.n);
}

enum exit_status command_check(int argc, char **argv)
{
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'}, {"trust-geo", no_argument, NULL, 'T'},
        {"help", no_argument, NULL, 'h'}, {0}};
    struct case_settings c;
    struct mesh m;
    struct error e;
    const char **set;
    int n_set = 0, option;
    NEW(set, argc);
    while ((option = next_option(argc, argv, options, "check")) > 0)
        if (option == 's') set[n_set++] = optarg;
        else mesh_trust_geo(true);
    enum exit_status status = options_status(option);
    if (option == 0 && check_words(argc, argv, 1, "CASE", "check")) {
        if (!case_read(&c, argv[optind], set, n_set, &e)) status = report_error(&e);
        else {
            bool meshed = directory_check(c.output.directory, &e) && mesh_of_case(&m, &c, false, &e);
            bool good = meshed && case_follow_mesh(&c, &m, set, n_set, &e) && check_on_mesh(&c, &m, &e);
            if (good) print_summary(&c, &m);
            status = good ? EXIT_CONVERGED : report_error(&e);
            if (meshed) mesh_free(&m);
            case_free(&c);
        }
    }
    free(set);
    return status;
}
