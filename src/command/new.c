/* poise new NAME [MESH]: writes an initial case file. */
#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include "base/file.h"
#include "base/log.h"
#include "base/memory.h"
#include "command/mesh_options.h"
#include "mesh/geo.h"
#include "mesh/mesh.h"
#include "run/boundary_faces.h"

/* Marks every value that only the user can know. */
#define LOOK "# LOOK: "

struct draft {
    FILE *out;
    const struct mesh *m;
    const char *mesh;           /* as in the case; a box: "box:64,64" */
    const struct mesh_setting *set;     /* how it is read */
    bool transient;
    double low[3], high[3], length;     /* corners of the mesh's bounding box, and its smallest extent */
    const char **type;          /* [n_patches] the value of boundary.NAME.type */
    const char **why;           /* [n_patches] what to check */
};

/* ---------------------------------------------------------------- boundary types from names */
static const struct { const char *part, *type; } guesses[] = {
    {"noslip", "wall"},     {"no-slip", "wall"}, {"no_slip", "wall"}, {"inlet", "inlet"}, {"inflow", "inlet"},
    {"outlet", "outlet"},   {"outflow", "outlet"}, {"symm", "symmetry"}, {"slip", "slip"}};

static const char *type_of_name(const char *name)
{
    if (!strcasecmp(name, "in")) return "inlet";
    if (!strcasecmp(name, "out")) return "outlet";
    for (size_t i = 0; i < sizeof guesses / sizeof *guesses; i++)
        if (strcasestr(name, guesses[i].part)) return guesses[i].type;
    return "wall";
}

static bool has_type(const struct draft *d, const char *type)
{
    for (int i = 0; i < d->m->n_patches; i++) if (!strcmp(d->type[i], type)) return true;
    return false;
}

/* ---------------------------------------------------------------- the mesh */
static bool is_box(const char *mesh) { return !strncmp(mesh, "box:", 4) || !strncmp(mesh, "distorted:", 10); }

static void measure(struct draft *d)
{
    const struct mesh *m = d->m;
    d->length = INFINITY;
    for (int k = 0; k < m->dim; k++) {
        d->low[k] = INFINITY, d->high[k] = -INFINITY;
        for (int32_t v = 0; v < m->n_vertices; v++) {
            d->low[k] = fmin(d->low[k], m->vertex[3 * (int64_t)v + k]);
            d->high[k] = fmax(d->high[k], m->vertex[3 * (int64_t)v + k]);
        }
        d->length = fmin(d->length, d->high[k] - d->low[k]);
    }
}

/* Unit vector into the mesh, averaged over the patch; zero if that cancels out. */
static void inward(const struct mesh *m, const struct patch *p, double n[3])
{
    double size = 0;
    n[0] = n[1] = n[2] = 0;
    for (int32_t f = p->first; f < p->first + p->count; f++)
        for (int k = 0; k < m->dim; k++) n[k] -= m->face_area[(int64_t)k * m->n_faces + f];
    for (int k = 0; k < 3; k++) size += n[k] * n[k];
    for (int k = 0; k < 3; k++) {
        n[k] = size > 0 ? round(1e3 * n[k] / sqrt(size)) / 1e3 : 0;
        if (n[k] == 0) n[k] = 0;                        /* no -0 */
    }
}

/* ---------------------------------------------------------------- guesses from shapes */
/* The middle of the patch's faces, and its flatness: 1 for a plane, 0 for a closed surface. */
static double middle_of(const struct mesh *m, const struct patch *p, double middle[3])
{
    double sum[3] = {0}, all = 0, net = 0;
    middle[0] = middle[1] = middle[2] = 0;
    for (int32_t f = p->first; f < p->first + p->count; f++) {
        const double area = mesh_face_size(m, f);
        all += area;
        for (int k = 0; k < m->dim; k++)
            sum[k] += face_vector(m->face_area, m, k, f), middle[k] += area * face_centre(m, k, f);
    }
    for (int k = 0; k < 3; k++) middle[k] /= all, net += sum[k] * sum[k];
    return sqrt(net) / all;
}

/* The most likely outlet for the fluid from this inlet: a flat boundary that faces it or is far away and whose name is
 * not that of a wall; -1: none. */
static int outlet_of(const struct draft *d, int inlet)
{
    const struct mesh *m = d->m;
    double in[3], from[3], best = 0, size = 0;
    int found = -1;
    inward(m, &m->patch[inlet], in), middle_of(m, &m->patch[inlet], from);
    for (int k = 0; k < m->dim; k++) size += (d->high[k] - d->low[k]) * (d->high[k] - d->low[k]);
    for (int i = 0; i < m->n_patches; i++) {
        double n[3], at[3], faces = 0, distance = 0;
        const char *name = m->patch[i].name;
        if (strcmp(d->type[i], "wall") || strcasestr(name, "wall") || strcasestr(name, "slip")) continue;
        if (middle_of(m, &m->patch[i], at) < 0.9) continue;
        inward(m, &m->patch[i], n);
        for (int k = 0; k < m->dim; k++) faces -= n[k] * in[k], distance += (at[k] - from[k]) * (at[k] - from[k]);
        double score = 1 + faces + sqrt(distance / size);
        if (score > best) best = score, found = i;
    }
    return found;
}

/* Number of sides of the mesh's bounding box that a patch touches: fewer for a body in the flow than for an enclosing
 * wall. */
static int sides_touched(const struct draft *d, const struct patch *p)
{
    const struct mesh *m = d->m;
    bool touched[6] = {false};
    for (int32_t k = 0; k < m->n_marked; k++)
        for (int64_t i = m->marked_start[k]; i < m->marked_start[k + 1] && m->marked_patch[k] == p - m->patch; i++) {
            int32_t v = m->marked_vertex[i];
            for (int j = 0; j < m->dim; j++) {
                double x = m->vertex[3 * (int64_t)v + j], room = 1e-6 * (d->high[j] - d->low[j]);
                touched[2 * j] |= x <= d->low[j] + room, touched[2 * j + 1] |= x >= d->high[j] - room;
            }
        }
    int n = 0;
    for (int i = 0; i < 2 * m->dim; i++) n += touched[i];
    return n;
}

/* The patch whose force is of interest. */
static int body_of(const struct draft *d)
{
    int found = -1, least = 0;
    for (int i = 0; i < d->m->n_patches; i++) {
        if (strcmp(d->type[i], "wall")) continue;
        int sides = sides_touched(d, &d->m->patch[i]);
        if (found < 0 || sides < least) found = i, least = sides;
    }
    return found < 0 ? 0 : found;
}

/* Fluid that enters must be able to leave: without an outlet the most likely boundary becomes one. */
static void guess_types(struct draft *d)
{
    int inlet = -1;
    for (int i = 0; i < d->m->n_patches; i++) {
        const struct patch *p = &d->m->patch[i];
        d->type[i] = *p->partner ? "periodic" : type_of_name(p->name);
        d->why[i] = *p->partner ? "joined to its partner, as given in the mesh" : "guessed from its name";
        if (!strcmp(d->type[i], "wall")) d->why[i] = "a wall at rest, unless you say otherwise";
        if (!strcmp(d->type[i], "inlet") && inlet < 0) inlet = i;
    }
    if (has_type(d, "outlet") || inlet < 0) return;
    int outlet = outlet_of(d, inlet);
    if (outlet >= 0) d->type[outlet] = "outlet", d->why[outlet] = "no boundary is named an outlet; this may be one";
    else d->why[inlet] = "no boundary is named an outlet, and none resembles one, but one is needed";
}

/* "[1.0, 0.0]" */
static void put_vector(FILE *out, const double *x, int dim)
{
    for (int k = 0; k < dim; k++) {
        char text[32];
        snprintf(text, sizeof text, "%.6g", x[k]);
        fprintf(out, "%s%s%s", k ? ", " : "[", text, strpbrk(text, ".en") ? "" : ".0");
    }
    fputc(']', out);
}

/* ---------------------------------------------------------------- text of the case */
/* In quotes. */
static void put_text(FILE *out, const char *text)
{
    fputc('"', out);
    for (const char *p = text; *p; p++) fprintf(out, strchr("\"\\", *p) ? "\\%c" : "%c", *p);
    fputc('"', out);
}

static void put_numbers(FILE *out, const char *key, const double *x, int n)
{
    for (int k = 0; k < n; k++) {
        if (k == 0) fprintf(out, " %s = %s", key, n > 1 ? "[" : "");
        fprintf(out, "%s%.15g", k ? ", " : "", x[k]);
        if (k == n - 1) fprintf(out, "%s;", n > 1 ? "]" : "");
    }
}

static void put_transform(FILE *out, const struct transform_setting *t)
{
    put_numbers(out, "scale", t->scale, t->n_scale);
    put_numbers(out, "rotate", t->rotate, t->n_rotate);
    put_numbers(out, "translate", t->translate, t->n_translate);
}

static void put_mesh(const struct draft *d)
{
    fprintf(d->out, "# %d cells, %d-D, ", d->m->n_cells, d->m->dim);
    put_vector(d->out, d->low, d->m->dim), fputs(" to ", d->out), put_vector(d->out, d->high, d->m->dim);
    fputc('\n', d->out);
    if (is_box(d->mesh)) {
        fprintf(d->out, "mesh = { box = { cells = [%s]; to = [1.0, 1.0%s]; %s};",
                strchr(d->mesh, ':') + 1, d->m->dim == 3 ? ", 1.0" : "", *d->mesh == 'd' ? "distortion = 0.3; " : "");
        put_transform(d->out, &d->set->transform);
        fprintf(d->out, " };    %scells, from and to\n", LOOK);
        return;
    }
    struct geo g;
    struct error e;
    bool geo = file_ends_in(d->m->source, ".geo") && geo_scan(&g, d->m->source, &e) && g.n_names;
    fprintf(d->out, "mesh = { file = "), put_text(d->out, d->mesh), fputc(';', d->out);
    for (int i = 0; i < d->set->n_parameters; i++)
        fprintf(d->out, "%s%s = %.10g;%s", i ? " " : " parameters = { ", d->set->parameter[i].name,
                d->set->parameter[i].value, i + 1 == d->set->n_parameters ? " };" : "");
    if (d->set->curved == CURVED_STRAIGHT) fprintf(d->out, " curved = \"straight\";");
    if (*d->set->markers) fprintf(d->out, " markers = "), put_text(d->out, d->set->markers), fputc(';', d->out);
    put_transform(d->out, &d->set->transform);
    fprintf(d->out, " };\n");
    if (geo) fprintf(d->out, "# Besides file: parameters = { %s = ..; };  its DefineConstant has:", g.name[0]);
    for (int i = 0; geo && i < g.n_names; i++) fprintf(d->out, "%s %s", i ? "," : "", g.name[i]);
    if (geo) fputc('\n', d->out);
    if (file_ends_in(d->m->source, ".geo")) geo_free(&g);
}

static void put_boundary(const struct draft *d, int i, int width)
{
    const struct mesh *m = d->m;
    const struct patch *p = &m->patch[i];
    fprintf(d->out, "    %-*s = { type = \"%s\"; ", width, p->name, d->type[i]);
    if (!strcmp(d->type[i], "inlet")) {
        double n[3];
        inward(m, p, n);
        fprintf(d->out, "velocity = "), put_vector(d->out, n, m->dim), fprintf(d->out, "; ");
    }
    if (!strcmp(d->type[i], "outlet")) fprintf(d->out, "pressure = 0.0; ");
    if (*p->partner) fprintf(d->out, "with = \"%s\"; ", p->partner);
    fprintf(d->out, "};    %s%s\n", LOOK, d->why[i]);
}

static void put_boundaries(const struct draft *d)
{
    int width = 0;
    for (int i = 0; i < d->m->n_patches; i++) width = (int)fmax(width, (double)strlen(d->m->patch[i].name));
    fprintf(d->out, "\n# type: wall, inlet, outlet, symmetry, slip, periodic (poise help case boundary).  A\n"
            "# moving wall has a velocity; an inlet's is the maximum of its profile: profile = \"parabolic\".\n"
            "boundary = {\n");
    for (int i = 0; i < d->m->n_patches; i++) put_boundary(d, i, width);
    fprintf(d->out, "};\n");
}

/* Width of a cell of mean volume. */
static double cell_width(const struct mesh *m)
{
    double volume = 0;
    for (int32_t c = 0; c < m->n_cells; c++) volume += m->cell_volume[c];
    return pow(volume / m->n_cells, 1.0 / m->dim);
}

static void put_solver(const struct draft *d)
{
    if (d->transient) {
        fprintf(d->out, "\nsolver = { algorithm = \"piso\"; };\n"
                "# The step is shortened where it would exceed the Courant number.\n"
                "time = { end = %.3g; step = %.3g; courant = 0.5; };    %sfor a velocity of 1\n",
                10 * d->length, 0.5 * cell_width(d->m), LOOK);
        fprintf(d->out, "output = { fields = [\"velocity\", \"pressure\"]; interval = %.3g; };    %show often\n",
                d->length, LOOK);
    } else {
        fprintf(d->out, "\n# Steady; in time: poise new --transient.\n"
                "solver = { algorithm = \"simplec\"; tolerance = 1e-6; max_iterations = 5000; };\n"
                "output = { fields = [\"velocity\", \"pressure\"]; every = 500; };\n");
    }
}

/* Optional sections, as comments. */
static void put_more(const struct draft *d)
{
    double from[3], to[3], at[3];
    for (int k = 0; k < 3; k++) {
        double a = d->low[k], b = d->high[k];
        at[k] = 0.5 * (a + b);
        from[k] = k == 1 ? a : at[k], to[k] = k == 1 ? b : at[k];
    }
    fprintf(d->out, "\n# Optional (poise help case lines, probes, forces):\n# lines = { across = { from = ");
    put_vector(d->out, from, d->m->dim), fputs("; to = ", d->out), put_vector(d->out, to, d->m->dim);
    fprintf(d->out, "; points = 101; }; };\n# probes = { middle = { at = "), put_vector(d->out, at, d->m->dim);
    const char *body = d->m->patch[body_of(d)].name;
    fprintf(d->out, "; }; };\n# forces = { on = { boundaries = [\"%s\"]; }; };\n", body);
    fprintf(d->out, "# Heat: add to fluid  heat_capacity = 1.0; conductivity = %.3g;  a temperature to every inlet\n",
            d->length / 100);
    fprintf(d->out, "# and to warm or cold walls:  %s = { ...; temperature = 1.0; };  or heat_flux, transfer.\n"
            "# With buoyancy also  expansion = 0.1; gravity = [0.0, -1.0%s];\n", body, d->m->dim == 3 ? ", 0.0" : "");
}

static void put_case(const struct draft *d, const char *name)
{
    fprintf(d->out, "# Made by: poise new %s %s\n# Check the guesses in lines with LOOK.  Then: "
            "poise check %s.cfg; poise run %s.cfg\n# Every key: poise help case.  Units are yours, used "
            "consistently.\n\n", name, d->mesh, name, name);
    put_mesh(d);
    fprintf(d->out, "\n# viscosity is dynamic; this gives a Reynolds number of 100 for a velocity of 1 and a length of "
            "%.3g.\nfluid = { density = 1.0; viscosity = %.3g; };    %sdensity and viscosity\n", d->length,
            d->length / 100, LOOK);
    put_boundaries(d);
    put_solver(d);
    put_more(d);
}

/* ---------------------------------------------------------------- the file */
static bool name_is_possible(const char *what, const char *name, struct error *e)
{
    bool ok = isalpha((unsigned char)*name) || *name == '*';
    for (const char *p = name; *p; p++) ok = ok && (isalnum((unsigned char)*p) || strchr("_-*", *p));
    return ok || refuse(e, EXIT_INPUT, "poise new: a case file cannot name the mesh's %s \"%s\": names start "
                        "with a letter, followed by letters, digits, _ and -", what, name);
}

/* The path of the mesh relative to the folder of `file`. */
static bool path_from_case(char path[PATH_LENGTH], const char *file, const char *mesh, struct error *e)
{
    char *whole = strchr(file, '/') && *mesh != '/' && !is_box(mesh) ? realpath(mesh, NULL) : strdup(mesh);
    bool fits = whole && strlen(whole) < PATH_LENGTH;
    if (fits) strcpy(path, whole);
    free(whole);
    return fits || refuse(e, EXIT_INPUT, "%s: the path of the mesh is too long", mesh);
}

static bool write_new(const char *path, const char *text, size_t bytes, struct error *e)
{
    int file = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (file < 0 && errno == EEXIST)
        return refuse(e, EXIT_INPUT, "%s exists already; poise new does not overwrite files: choose another name",
                      path);
    if (file < 0) return file_refuse(e, path, "could not be created");
    bool good = file_write_all(file, text, bytes);
    good = !close(file) && good;
    if (!good) file_refuse(e, path, "could not be written"), unlink(path);
    return good;
}

static bool make_case(const char *name, const char *mesh, struct mesh_setting *set, bool transient, struct error *e)
{
    char file[PATH_LENGTH + 8], path[PATH_LENGTH], *text = NULL;
    size_t bytes = 0;
    struct mesh m;
    struct draft d = {.m = &m, .mesh = path, .set = set, .transient = transient};
    snprintf(file, sizeof file, "%s.cfg", name);
    if (!access(file, F_OK)) return write_new(file, "", 0, e);          /* fails early, before meshing */
    if (!mesh_options_of(set, mesh, e) || !mesh_open_as(&m, set, ORDERING_NONE, e)) return false;
    bool good = path_from_case(path, file, mesh, e);
    for (int i = 0; good && i < set->n_parameters; i++) good = name_is_possible("parameter", set->parameter[i].name, e);
    for (int i = 0; good && i < m.n_patches; i++) good = name_is_possible("boundary", m.patch[i].name, e);
    if (good && !m.n_patches) good = refuse(e, EXIT_INPUT, "%s has no named boundaries", mesh);
    if (good) {
        NEW(d.type, m.n_patches), NEW(d.why, m.n_patches);
        if (!(d.out = open_memstream(&text, &bytes))) die("open_memstream: %s", strerror(errno));
        measure(&d), guess_types(&d), put_case(&d, name);
        fclose(d.out), free(d.type), free(d.why);
        good = write_new(file, text, bytes, e);
    }
    int marks = 0;
    for (const char *p = good ? strstr(text, LOOK) : NULL; p; p = strstr(p + 1, LOOK)) marks++;
    if (good) log_print("%s written; check the %d lines marked LOOK; then: poise check %s\n", file, marks, file);
    free(text), mesh_free(&m);
    return good;
}

/* NAME from the command line, without .cfg. */
static bool take_name(char name[PATH_LENGTH], const char *text, struct error *e)
{
    if (strlen(text) >= PATH_LENGTH)
        return refuse(e, EXIT_INPUT, "poise new: NAME is longer than %d letters", PATH_LENGTH - 1);
    strcpy(name, text);
    if (file_ends_in(name, ".cfg")) name[strlen(name) - 4] = 0;
    const char *slash = strrchr(name, '/');
    return *(slash ? slash + 1 : name) ||
           refuse(e, EXIT_INPUT, "poise new: NAME \"%s\" names a folder or is empty; expected a file name", text);
}

enum exit_status command_new(int argc, char **argv)
{
    static const struct option options[] = {
        {"transient", no_argument, NULL, 't'}, MESH_OPTIONS, {"help", no_argument, NULL, 'h'}, {0}};
    struct mesh_setting set = {.curved = CURVED_REFUSE};
    struct error e;
    bool transient = false;
    int option;
    NEW(set.parameter, argc);
    while ((option = next_option(argc, argv, options, "new")) > 0) {
        if (option == 't') transient = true;
        else if (!mesh_option(&set, option)) break;
    }
    const int words = argc - optind > 1 ? 2 : 1;
    if (option || !check_words(argc, argv, words, "NAME [MESH]", "new"))
        return free(set.parameter), options_status(option);
    char name[PATH_LENGTH];
    bool good = take_name(name, argv[optind], &e) &&
                make_case(name, words > 1 ? argv[optind + 1] : "box:32,32", &set, transient, &e);
    free(set.parameter);
    return good ? EXIT_CONVERGED : report_error(&e);
}
