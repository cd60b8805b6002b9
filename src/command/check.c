/* poise check CASE: reports all errors in a case, or summarises it. */
#include <stdlib.h>
#include <string.h>
#include "assembly/boundary.h"
#include "base/log.h"
#include "base/memory.h"
#include "command/command.h"
#include "flow/values_check.h"
#include "gpu/device.h"
#include "interface/prescribed.h"
#include "interface/shapes.h"
#include "io/directory.h"
#include "mesh/fluid.h"
#include "run/boundary_faces.h"
#include "run/case_settings.h"
#include "run/fields_check.h"
#include "run/initial_file.h"
#include "run/monitor.h"
#include "run/report.h"

/* ---------------------------------------------------------------- with the mesh */
static bool check_shapes(const struct case_settings *c, const struct mesh *m, struct error *e)
{
    double *fraction;
    if (!c->flow.shapes.n) return true;
    NEW(fraction, m->n_cells);
    bool good = shapes_fraction(&c->flow.shapes, m, fraction, e);
    free(fraction);
    return good;
}

/* Adds to *e all conflicts of the case with its mesh: rules of boundaries (named: each has a condition), shapes,
 * probes, lines and planes outside it.  warning: of each boundary. */
static void check_on_mesh(const struct case_settings *c, const struct mesh *m, bool named,
                          char (*warning)[WARNING_LENGTH], struct error *e)
{
    struct stencil stencil;
    struct boundary boundary;
    struct error one;
    if (!error_keep(device_open("cpu", 0, &one), e, &one)) return;      /* needed to set up boundaries and sample
                                                                           points */
    if (named) {
        stencil_create(&stencil, m);
        struct given_list given = {.m = m, .s = &stencil, .steady = !flow_is_transient(&c->flow)};
        if (error_keep(flow_create_boundary(&boundary, &given, &c->flow, &one), e, &one)) {
            for (int i = 0; i < c->flow.boundary.n; i++)
                boundary_warning(&boundary, &given, &c->flow.boundary, i, warning[i]);
            boundary_free(&boundary);
        }
        values_check(&given, &c->flow, e);
        given_free(&given);
        stencil_free(&stencil);
    }
    error_keep(fields_check(c, &one), e, &one);
    error_keep(check_shapes(c, m, &one), e, &one);
    error_keep(initial_file_check(c, m->dim, &one), e, &one);
    if (c->flow.prescribed.given) error_keep(prescribed_check(&c->flow.prescribed, m->dim, &one), e, &one);
    monitors_check_places(c, m, e);
    device_close();
}

/* ---------------------------------------------------------------- a valid case */
static void print_count(int n, const char *what) { log_print("; %d %s%s", n, what, n == 1 ? "" : "s"); }

static void print_value(const char *before, const struct value_setting *v)
{
    if (v->text) log_print("%s%s", before, v->text);
    else log_print("%s%g", before, v->number);
}

static void print_boundary(const struct boundary_setting *b, const struct mesh *m)
{
    const int patch = boundary_patch(m, b->name);
    log_print("  %-11s %s: %s", "", b->name, boundary_type_words[b->type]);
    for (int k = 0; k < b->velocity_length; k++) print_value(k ? ", " : ", velocity (", &b->velocity[k]);
    if (b->velocity_length) log_print(")");
    if (b->rated) print_value(b->weighed ? ", mass flow " : ", flow rate ", &b->flow_rate);
    if (boundary_gives_pressure(b->type)) print_value(b->total ? ", total pressure " : ", pressure ", &b->pressure);
    if (patch < 0) log_print(", the surface of a solid\n");
    else if (boundary_is_joined(b->type)) log_print("\n");
    else log_print(", %d faces\n", m->patch[patch].count);
}

static void print_viscosity(double constant, const struct viscosity_setting *model)
{
    char text[300];
    viscosity_text(model, constant, text, sizeof text);
    log_print(", viscosity %s", text);
}

static void print_solver(const struct flow_setting *f)
{
    if (flow_is_transient(f))
        log_print("  %-11s %s, to t = %g in steps of %g%s\n", "solver", algorithm_words[f->solver.algorithm],
                  f->time.end, f->time.step,
                  f->time.courant + f->time.interface_courant + f->time.capillary > 0 ? " at most" : "");
    else
        log_print("  %-11s %s, residuals below %g, at most %d iterations\n", "solver",
                  algorithm_words[f->solver.algorithm], f->solver.tolerance, f->solver.max_iterations);
}

static void print_summary(const struct case_settings *c, const struct mesh *m, char (*warning)[WARNING_LENGTH])
{
    const struct flow_setting *f = &c->flow;
    struct mesh_quality q;
    double low[3], high[3];
    mesh_measure(m, &q);
    mesh_extent(m, low, high);
    log_print("%s is in order:\n", c->source->path);
    log_print("  %-11s %s: %d cells, %d-D, %d boundaries, non-orthogonality at most %.1f degrees\n", "mesh", m->source,
           m->n_cells, m->dim, m->n_patches, q.non_orthogonality_max);
    log_print("  %-11s", "");
    for (int k = 0; k < m->dim; k++) log_print("%s %c = %g .. %g", k ? "," : "", "xyz"[k], low[k], high[k]);
    log_print("\n");
    if (m->note[0]) log_print("  %-11s %s\n", "", m->note);
    if (flow_is_absent(f))
        log_print("  %-11s none: heat in %d solid%s\n", "fluid", f->solids.n, f->solids.n == 1 ? "" : "s");
    else {
        log_print("  %-11s density %g", "fluid", f->fluid.density);
        if (f->fluid.density_law.given) log_print(" (\"%s\" in its weight)", f->fluid.density_value.text);
        print_viscosity(f->fluid.viscosity, &f->fluid.viscosity_model);
        log_print("\n");
    }
    if (f->second_fluid.given) {
        log_print("  %-11s second fluid: density %g", "", f->second_fluid.density);
        if (f->second_fluid.density_law.given) log_print(" (\"%s\" in its weight)", f->second_fluid.density_value.text);
        print_viscosity(f->second_fluid.viscosity, &f->second_fluid.viscosity_model);
        log_print(", surface tension %s%g, in %d shape%s\n", f->second_fluid.tension_law.given ? "up to " : "",
                  f->second_fluid.surface_tension, f->shapes.n, f->shapes.n == 1 ? "" : "s");
    }
    log_print("  boundaries\n");
    for (int i = 0; i < f->boundary.n; i++)
        if (!flow_is_absent(f) || boundary_patch(m, f->boundary.item[i].name) >= 0)
            print_boundary(&f->boundary.item[i], m);
    if (rest_warning(f)) log_print("  %-11s %s\n", "warning", rest_warning(f));
    for (int i = 0; i < f->boundary.n; i++) if (*warning[i]) log_print("  %-11s %s\n", "warning", warning[i]);
    print_solver(f);
    log_print("  %-11s %s:", "output", c->output.directory);
    for (int i = 0; i < c->output.n_fields; i++) log_print(" %s", c->output.field[i]);
    monitors_count(c, print_count);
    log_print("\n");
}

/* ---------------------------------------------------------------- check */
/* Has every boundary of the mesh a condition?  Otherwise their combination cannot be checked. */
static bool all_named(const struct case_settings *c, const struct mesh *m)
{
    bool all = true;
    for (int i = 0; i < m->n_patches; i++) all &= boundary_setting_find(&c->flow.boundary, m->patch[i].name) != NULL;
    return all;
}

/* The same on the part of the mesh where the fluid flows. */
static void check_on_fluid(const struct case_settings *c, const struct mesh *m, bool named,
                           char (*warning)[WARNING_LENGTH], struct error *e)
{
    struct mesh fluid;
    struct error one;
    if (!m->solid) check_on_mesh(c, m, named, warning, e);
    else if (error_keep(mesh_take_fluid(&fluid, m, &one), e, &one)) {
        check_on_mesh(c, &fluid, named, warning, e);
        mesh_free(&fluid);
    }
}

/* Adds all errors found with the mesh to *e, which holds those of the file alone; prints a summary if there are
 * none. */
static void check(struct case_settings *c, const char *const *set, int n_set, struct error *e)
{
    struct mesh m;
    char (*warning)[WARNING_LENGTH];
    struct error one;
    NEW(warning, c->flow.boundary.n);
    bool read = !*e->text, meshed = read && mesh_to_check(&m, c, e);
    if (!read) case_check_names(c, e);
    if (meshed && !*e->text) {
        double speed = boundary_largest_speed(&m, &c->flow.boundary, c->flow.time.step);
        error_keep(case_follow_mesh(c, &m, speed, set, n_set, &one), e, &one);
    }
    if (meshed) check_on_fluid(c, &m, all_named(c, &m), warning, e);
    if (*c->output.directory) error_keep(directory_check(c->output.directory, &one), e, &one);
    if (meshed && !*e->text) print_summary(c, &m, warning);
    if (meshed) mesh_free(&m);
    free(warning);
}

enum exit_status command_check(int argc, char **argv)
{
    static const struct option options[] = {
        {"set", required_argument, NULL, 's'}, {"trust-geo", no_argument, NULL, 'T'},
        {"help", no_argument, NULL, 'h'}, {0}};
    struct case_settings c;
    struct error e = {0};
    const char **set;
    int n_set = 0, option;
    NEW(set, argc);
    while ((option = next_option(argc, argv, options, "check")) > 0)
        if (option == 's') set[n_set++] = optarg;
        else mesh_trust_geo(true);
    enum exit_status status = options_status(option);
    if (option == 0 && check_words(argc, argv, 1, "CASE", "check") && check_case(argv[optind], "check")) {
        case_read_kept(&c, argv[optind], set, n_set, &e);
        if (c.source) check(&c, set, n_set, &e), case_free(&c);
        status = *e.text ? report_error(&e) : EXIT_CONVERGED;
    }
    free(set);
    return status;
}
