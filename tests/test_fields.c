/* The list of fields: a registered field is in every file, names come only from the list, reading fields changes
 * none. */
#include <unistd.h>
#include "run_fixture.h"
#include "unsteady_fixture.h"
#include "gpu/vector.h"
#include "io/output.h"
#include "run/fields_check.h"
#include "run/monitor.h"
#include "run/write.h"

#define WALLS "boundary = { top = { type = \"wall\"; velocity = [1.0, 0.0]; }; " \
              "left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; };\n"
#define OPEN "boundary = { left = { type = \"inlet\"; velocity = [0.5, 0.0]; }; right = { type = \"outlet\"; };" \
             " bottom = { type = \"wall\"; }; top = { type = \"symmetry\"; }; };\n"
static const char one_fluid[] = "fluid = { viscosity = 0.02; gravity = [0.1, -1.0]; };\n" OPEN
    "solver = { algorithm = \"piso\"; }; time = { end = 0.2; step = 0.02; };\n";
static const char two_fluids[] = "fluid = { density = 10.0; viscosity = 0.1; gravity = [0.0, -1.0]; };\n"
    "second_fluid = { density = 1.0; viscosity = 0.01; surface_tension = 0.1; };\n"
    "shapes = { bubble = { type = \"sphere\"; centre = [0.5, 0.4]; radius = 0.2; }; };\n" OPEN
    "solver = { algorithm = \"piso\"; }; time = { end = 0.1; step = 0.01; scheme = \"bdf2\"; };\n";

/* ---------------------------------------------------------------- names */
static void refused_with(const char *text, const char *message)
{
    struct case_settings c;
    struct error e = {0};
    case_of_text(&c, text);
    assert_false(fields_check(&c, &e));
    assert_int_equal(e.status, EXIT_INPUT);
    const char *at = strchr(e.text, ':');               /* after the file's name */
    if (!at || strcmp(at, message)) fail_msg("\"%s\", expected \"%s\"", at ? at : e.text, message);
    case_free(&c);
}

static void names_come_from_the_list(void **state)
{
    (void)state;
    refused_with("mesh = { box = { cells = [4, 4]; }; }; fluid = { viscosity = 1; };\n" WALLS
                 "output = { fields = [\"presure\"]; };\n",
                 ":3: output.fields: there is no field \"presure\" in this case: expected some of velocity, pressure, "
                 "gradient, vorticity, shear-rate or reduced-pressure (did you mean \"pressure\"?)");
    char text[2000];
    snprintf(text, sizeof text,
             "mesh = { box = { cells = [4, 4]; }; };\n%soutput = { fields = [\"velocity\", \"fraction\"]; };\n",
             one_fluid);
    refused_with(text, ":5: output.fields: \"fraction\" needs two-phase flow, but there is no second_fluid = { ... }");
    snprintf(text, sizeof text, "mesh = { box = { cells = [4, 4]; }; };\n%soutput = { fields = [\"flux\"]; };\n",
             two_fluids);
    refused_with(text, ":7: output.fields: there is no field \"flux\" in this case: expected some of velocity, "
                 "pressure, gradient, vorticity, shear-rate, reduced-pressure, density, fraction, distance or "
                 "curvature");
}

/* A scalar with the name of a field would duplicate that array's name in files and checkpoints. */
static void no_scalar_has_the_name_of_a_field(void **state)
{
    (void)state;
    static const char adaptive[] = "fluid = { viscosity = 0.02; };\n" OPEN "solver = { algorithm = \"piso\"; };\n"
        "time = { end = 0.2; step = 0.02; tolerance = 0.01; scheme = \"crank-nicolson\"; };\n";
    static const char simplec[] = "fluid = { viscosity = 0.02; };\n" WALLS "solver = { acceleration = 4; };\n";
    static const char coupled[] = "fluid = { viscosity = 0.02; };\n" WALLS "solver = { algorithm = \"coupled\"; };\n";
    const char *const kind[] = {one_fluid, two_fluids, adaptive, simplec, coupled};
    char path[] = "/tmp/poise-names-XXXXXX.cfg";
    close(mkstemps(path, 4));
    for (size_t i = 0; i < sizeof kind / sizeof *kind; i++) {
        struct case_settings c;
        char text[3000];
        snprintf(text, sizeof text, "mesh = { box = { cells = [4, 4]; }; };\n%s", kind[i]);
        case_of_text(&c, text);
        struct fields all = fields_of(&c.flow, 2);
        for (int k = 0; k < all.n; k++) {
            struct case_settings other;
            struct error e = {0};
            FILE *file = fopen(path, "w");
            if (strchr(all.field[k].name, '.')) { fclose(file); continue; }         /* not a name in any case */
            fprintf(file, "mesh = { box = { cells = [4, 4]; }; };\nfluid = { viscosity = 0.02; };\n" WALLS
                    "scalars = { %s = { diffusivity = 1.0; }; };\n", all.field[k].name);
            fclose(file);
            if (case_read(&other, path, NULL, 0, &e)) fail_msg("a scalar may be called \"%s\"", all.field[k].name);
            if (!strstr(e.text, "another field or column has this name")) fail_msg("%s: %s", all.field[k].name, e.text);
        }
        fields_free(&all);
        case_free(&c);
    }
    unlink(path);
}

static void help_knows_all_names(void **state)
{
    (void)state;
    struct unsteady w;
    struct box_setting box = grid_box(GRID_QUADS, 8, 0);
    char *text = NULL;
    size_t length;
    FILE *out = open_memstream(&text, &length);
    assert_non_null(out);
    assert_true(case_help(out, NULL, NULL));
    fclose(out);
    open_unsteady(&w, GRID_QUADS, &box, 0, two_fluids);
    for (int i = 0; i < w.t.f.fields.n; i++) {
        const struct field *f = &w.t.f.fields.field[i];
        if ((f->use & FIELD_OUTPUT) && !strstr(text, f->name)) fail_msg("\"%s\" is not in the help", f->name);
    }
    free(text);
    close_unsteady(&w);
}

/* Overwrites the stack of returned functions. */
static __attribute__((noinline)) void use_stack(void)
{
    char room[100000];
    memset(room, 1, sizeof room);
    __asm__ volatile("" : : "r"(room) : "memory");
}

/* A list made before the fields exist: its pointers are valid, and their targets NULL. */
static void a_list_without_fields(void **state)
{
    (void)state;
    char text[2000];
    for (int transient = 0; transient < 2; transient++) {
        struct case_settings c;
        snprintf(text, sizeof text, "mesh = { box = { cells = [4, 4]; }; };\n%s",
                 transient ? two_fluids : "fluid = { viscosity = 1; };\n" WALLS);
        case_of_text(&c, text);
        struct fields all = fields_of(&c.flow, 2);
        use_stack();
        for (int i = 0; i < all.n; i++) {
            const struct field *f = &all.field[i];
            if (f->value ? *f->value != NULL : f->number && *f->number != 0)
                fail_msg("there is something at field %s", f->name);
        }
        fields_free(&all);
        case_free(&c);
    }
}

/* ---------------------------------------------------------------- a new field */
/* Does the file contain this line, or one that begins with it? */
static bool has_line(const char *name, const char *line)
{
    char path[200], text[500];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    bool found = false;
    while (!found && fgets(text, sizeof text, f)) found = !strncmp(text, line, strlen(line)) || strstr(text, line);
    fclose(f);
    return found;
}

/* Effects of registering it once: files, columns, digest, checkpoint and restart. */
static void a_field_is_registered_once(void **state)
{
    (void)state;
    struct trial w;
    struct error e;
    struct box_setting box = grid_box(GRID_QUADS, 8, 0);
    char path[128];
    char *settings;
    double clock = 0, ended = 3, first = 7, *dye;
    int64_t step;
    trial_open(&w, GRID_QUADS, &box, false, "fluid = { viscosity = 1; };\n" WALLS
               "output = { fields = [\"velocity\", \"dye\"]; }; probes = { p = { at = [0.5, 0.5]; }; };\n"
               "lines = { l = { from = [0.1, 0.1]; to = [0.9, 0.1]; points = 3; }; };\n");
    uint64_t without = fields_digest(w.f, &w.m);
    dye = flow_cells(w.f, 1, "dye");
    unsigned every_use = FIELD_OUTPUT | FIELD_CHECKPOINT | FIELD_SAMPLE | FIELD_DIGEST | FIELD_RESIDUAL;
    fields_add(&w.f->fields, &(struct field){.name = "dye", .use = every_use,
               .components = 1, .pitch = w.f->s.pitch, .value = &dye});
    fill(&(struct fill_args){dye, first}, w.f->s.n_cells);
    uint64_t with = fields_digest(w.f, &w.m);
    assert_true(with != without);
    snprintf(w.c.output.directory, PATH_LENGTH, "%s", folder);
    struct monitors *monitors = monitors_create(&w.c, &w.m, w.f, false, 0, &e);
    struct output *output = output_open(folder, "test", OUTPUT_XDMF, &w.m, false, 0, &e);
    assert_true(monitors && output && monitors_record(monitors, 1, 0, true, &e) && monitors_write(monitors, 1, 0, &e));
    assert_true(write_fields(output, &w.c.output, w.f, &w.m, 1, 0, &e));
    assert_true(has_line("probes/p.csv", "iteration,velocity_x,velocity_y,pressure,dye\n"));
    assert_true(has_line("probes/p.csv", ",7\n"));
    assert_true(has_line("lines/l.csv", "x,y,velocity_x,velocity_y,pressure,dye\n") && has_line("lines/l.csv", ",7\n"));
    assert_true(has_line("test.xdmf", "<Attribute Name=\"dye\" AttributeType=\"Scalar\""));
    struct simple_report r = {.residual = {0.1, 0.2, 0.3, 0.4}};
    assert_true(worst_residual(w.f, &r) == 0.4);
    snprintf(path, sizeof path, "%s/checkpoint.h5", folder);
    assert_true(write_checkpoint(path, w.f, &w.m, 1, &clock, &ended, "a = 1\n", &e));
    fill(&(struct fill_args){dye, 0}, w.f->s.n_cells);
    ended = 0;
    assert_true(read_checkpoint(path, w.f, &w.m, &step, &clock, &e));
    assert_true(peek_checkpoint(path, &w.m, w.c.flow.solver.algorithm, &step, &ended, &settings, &e) && step == 1);
    assert_string_equal(settings, "a = 1\n");
    assert_true(ended == 3);
    free(settings);
    assert_true(fields_digest(w.f, &w.m) == with);
    output_close(output), monitors_free(monitors), device_free(dye);
    trial_close(&w);
}

/* ---------------------------------------------------------------- looking */
/* All requests of monitors and output. */
static void look(struct fields *all, const struct mesh *m)
{
    for (int i = 0; i < all->n; i++) {
        const struct field *f = &all->field[i];
        double *to;
        NEW(to, f->components * f->pitch);
        if ((f->use & FIELD_OUTPUT) && f->show) f->show(f->owner, m, to);
        free(to);
    }
    fields_look(all);
}

static void compare_states(const struct fields *a, const struct fields *b)
{
    assert_int_equal(a->n, b->n);
    for (int i = 0; i < a->n; i++) {
        const struct field *x = &a->field[i], *y = &b->field[i];
        if (!(x->use & FIELD_CHECKPOINT) || !x->value) continue;
        int64_t n = x->components * x->pitch;
        double *u = FROM_DEVICE(*x->value, n), *v = FROM_DEVICE(*y->value, n);
        if (memcmp(u, v, (size_t)n * sizeof *u)) fail_msg("%s is another one where somebody looked", x->name);
        free(u), free(v);
    }
}

static void looking_changes_nothing_in_time(void **state)
{
    (void)state;
    static const char *const text[] = {one_fluid, two_fluids};
    struct box_setting box = grid_box(GRID_TRIANGLES, 10, 0.2);
    for (int k = 0; k < 2; k++) {
        struct unsteady a, b;
        struct transient_report r;
        open_unsteady(&a, GRID_TRIANGLES, &box, 0, text[k]), open_unsteady(&b, GRID_TRIANGLES, &box, 0, text[k]);
        for (int step = 0; step < 4; step++) {
            struct flow *f = &a.t.f;
            look(&f->fields, &a.m);
            double *once = FROM_DEVICE(f->b.pressure, f->s.n_boundary);
            look(&f->fields, &a.m);
            double *twice = FROM_DEVICE(f->b.pressure, f->s.n_boundary);
            assert_memory_equal(once, twice, (size_t)f->s.n_boundary * sizeof *once);
            free(once), free(twice);
            transient_advance(&a.t, a.c.flow.time.step, &r), transient_advance(&b.t, b.c.flow.time.step, &r);
            compare_states(&a.t.f.fields, &b.t.f.fields);
        }
        close_unsteady(&a), close_unsteady(&b);
    }
}

static void looking_changes_nothing_steady(void **state)
{
    (void)state;
    struct box_setting box = grid_box(GRID_QUADS, 12, 0);
    struct trial a, b;
    struct simple_report r;
    static const char *const text[] = {
        "fluid = { viscosity = 0.02; };\n" WALLS
        "solver = { convection = \"upwind\"; gradient = \"green-gauss\"; };\n",
        "fluid = { viscosity = 0.02; gravity = [0.0, -1.0]; };\n" WALLS "solver = { algorithm = \"simplec\"; };\n"
        "scalars = { heat = { diffusivity = 0.02; values = { left = 1; right = 0; }; }; };\n"
        "buoyancy = { scalar = \"heat\"; expansion = 1.0; };\n"};
    for (int k = 0; k < 2; k++) {
        trial_open(&a, GRID_QUADS, &box, false, text[k]), trial_open(&b, GRID_QUADS, &box, false, text[k]);
        for (int i = 0; i < 5; i++) {
            look(&a.f->fields, &a.m);
            assert_int_equal(a.f->uses_gradient, k);    /* or every iteration from now on would make one */
            simple_iterate(&a.simple, &r), simple_iterate(&b.simple, &r);
            compare_states(&a.f->fields, &b.f->fields);
        }
        trial_close(&a), trial_close(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_come_from_the_list), cmocka_unit_test(help_knows_all_names),
        cmocka_unit_test(no_scalar_has_the_name_of_a_field),
        cmocka_unit_test(a_list_without_fields),
        cmocka_unit_test_setup_teardown(a_field_is_registered_once, make_folder, remove_folder),
        cmocka_unit_test(looking_changes_nothing_in_time), cmocka_unit_test(looking_changes_nothing_steady)};
    return RUN_TESTS("fields", tests);
}
