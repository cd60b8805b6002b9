/* Settings against each other (check_settings) and against the mesh (case_check_boundaries). */
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include "base/case_parts.h"
#include "base/memory.h"

#define at setting_at
config_setting_t *setting_at(struct reader *r, const char *format, ...)
{
    char path[PATH_LENGTH];
    va_list list;
    va_start(list, format);
    vsnprintf(path, sizeof path, format, list);
    va_end(list);
    return config_lookup(&r->config, path);
}

/* By its place: a search for each of thousands of names would take seconds. */
config_setting_t *named_at(struct reader *r, const char *section, int i, const char *key)
{
    config_setting_t *group = at(r, "%s", section), *named = group ? config_setting_get_elem(group, (unsigned)i) : NULL;
    return !key || !named ? named : config_setting_is_group(named) ? config_setting_get_member(named, key) : NULL;
}

static bool ends_with(const char *text, const char *end)
{
    size_t n = strlen(text), m = strlen(end);
    return n > m && !strcmp(text + n - m, end);
}

/* ---------------------------------------------------------------- mesh */
static void check_box(struct reader *r)
{
    static const char *const names[] = {"from", "to", "stretch"};
    struct box_setting *box = &r->c->mesh.box;
    box->given = true;
    for (int k = 0; k < 3; k++) {
        config_setting_t *s = at(r, "mesh.box.%s", names[k]);
        if (!s || !box->dim) continue;
        if (s->hook == standard_mark && box->dim == 2) config_setting_remove_elem(s, 2);
        if (config_setting_length(s) != box->dim)
            complain(r, s, "%s has %d numbers, but cells has %d: expected %d", path_of(s), config_setting_length(s),
                     box->dim, box->dim);
    }
    for (int k = 0; k < box->dim; k++)
        if (!(box->to[k] > box->from[k])) {
            complain(r, at(r, "mesh.box"),
                     "mesh.box: to must be greater than from in each direction; found %g and %g in direction %c",
                     box->to[k], box->from[k], "xyz"[k]);
            break;
        }
    if (box->dim && box_faces(box) > INT32_MAX)
        complain(r, at(r, "mesh.box.cells"), "mesh.box.cells: too many: Poise counts the faces of all cells with 32 "
                 "bits, which is enough for %d cells in %d-D", INT32_MAX / (2 * box->dim), box->dim);
}

static void check_mesh(struct reader *r)
{
    struct mesh_setting *mesh = &r->c->mesh;
    config_setting_t *group = at(r, "mesh"), *file = at(r, "mesh.file"), *box = at(r, "mesh.box"),
                     *parameters = at(r, "mesh.parameters");
    if (!group || !config_setting_is_group(group)) return;
    mesh->line = source_line(file ? file : group);
    if (box && config_setting_is_group(box)) check_box(r);
    if (file && box) complain(r, box, "mesh.box and mesh.file are both given; remove one");
    if (!file && !box)
        complain(r, group,
                 "the mesh is missing: expected mesh = { file = \"name.geo\"; } (or .msh, .h5) "
                 "or mesh = { box = { cells = [64, 64]; }; }");
    if (box && parameters)
        complain(r, parameters, "mesh.parameters are for a .geo file and do not apply to a box; remove them");
    if (!*mesh->file) return;
    if (!ends_with(mesh->file, ".geo") && !ends_with(mesh->file, ".msh") && !ends_with(mesh->file, ".h5"))
        complain(r, file,
                 "mesh.file = \"%s\": expected a name that ends in .geo, .msh (Gmsh) or .h5 (poise mesh convert)",
                 mesh->file);
    else if (parameters && !ends_with(mesh->file, ".geo"))
        complain(r, parameters, "mesh.parameters are for a .geo file and do not apply to %s; remove them", mesh->file);
    const char *slash = strrchr(r->c->path, '/');
    if (!slash || mesh->file[0] == '/') return;
    char joined[2 * PATH_LENGTH];
    int n = snprintf(joined, sizeof joined, "%.*s/%s", (int)(slash - r->c->path), r->c->path, mesh->file);
    if (n >= PATH_LENGTH)
        complain(r, file, "mesh.file: the path %s is longer than %d letters", joined, PATH_LENGTH - 1);
    else memcpy(mesh->file, joined, (size_t)n + 1);
}

/* ---------------------------------------------------------------- boundaries, forces, lines, monitors */
/* Array of the names of a named section's elements; the caller frees it. */
static const char **names_of(const void *first, size_t size, int n)
{
    const char **names;
    NEW(names, n);
    for (int i = 0; i < n; i++) names[i] = (const char *)first + (size_t)i * size;
    return names;
}

static int find(const char *name, const char *const *names, int n)
{
    for (int i = 0; i < n; i++) if (!strcmp(name, names[i])) return i;
    return -1;
}

static void check_partner(struct reader *r, int i, const char *const *names)
{
    const struct case_settings *c = r->c;
    const struct boundary_setting *b = &c->boundary[i];
    config_setting_t *with = named_at(r, "boundary", i, "with");
    if (!with || !*b->with) return;
    int partner = find(b->with, names, c->n_boundaries);
    const struct boundary_setting *p = partner < 0 ? NULL : &c->boundary[partner];
    if (!p) complain(r, with, "%s = \"%s\": there is no boundary of this name in the case%s", path_of(with), b->with,
                     did_you_mean(b->with, names, c->n_boundaries));
    else if (p == b) complain(r, with, "%s = \"%s\": a boundary cannot be its own partner", path_of(with), b->with);
    else if (!boundary_is_joined(p->type))
        complain(r, with, "%s = \"%s\": that boundary has type \"%s\"; both partners must be \"%s\"",
                 path_of(with), b->with, boundary_types[p->type], boundary_types[b->type]);
    else if (*p->with && strcmp(p->with, b->name))
        complain(r, with, "%s = \"%s\": but boundary.%s.with = \"%s\"; partners must name each other", path_of(with),
                 b->with, p->name, p->with);
}

static void check_boundaries(struct reader *r, const char *const *names)
{
    const struct case_settings *c = r->c;
    if (!c->n_boundaries)
        complain(r, at(r, "boundary"),
                 "the boundary conditions are missing: expected boundary = { NAME = { type = \"wall\"; }; ... } "
                 "with every named boundary of the mesh");
    for (int i = 0; i < c->n_boundaries; i++) {
        const struct boundary_setting *b = &c->boundary[i];
        const char *word = boundary_types[b->type];
        if (boundary_kinds[b->type].needs_velocity && !named_at(r, "boundary", i, "velocity"))
            complain(r, named_at(r, "boundary", i, NULL), "boundary.%s.velocity is missing: %s %s needs it, "
                     "2 or 3 numbers in brackets, like [1.0, 0.0] [length/time]", b->name,
                     strchr("aeiou", *word) ? "an" : "a", word);
        check_partner(r, i, names);
    }
}

static void check_forces(struct reader *r, const char *const *names)
{
    const struct case_settings *c = r->c;
    for (int i = 0; i < c->n_forces; i++)
        for (int k = 0; c->force[i].boundary && k < c->force[i].n_boundaries; k++) {
            const char *name = c->force[i].boundary[k];
            if (!*name || find(name, names, c->n_boundaries) >= 0) continue;
            config_setting_t *s = named_at(r, "forces", i, "boundaries");
            complain(r, s, "%s: boundary \"%s\" is not in the case%s", path_of(s), name,
                     did_you_mean(name, names, c->n_boundaries));
        }
}

static void check_lines(struct reader *r)
{
    for (int i = 0; i < r->c->n_lines; i++) {
        const struct line_setting *line = &r->c->line[i];
        config_setting_t *to = named_at(r, "lines", i, "to");
        if (!to || !line->length || config_setting_length(to) == 0) continue;
        if (config_setting_length(to) != line->length)
            complain(r, to, "%s has %d numbers, but from has %d", path_of(to), config_setting_length(to), line->length);
        else if (!memcmp(line->from, line->to, sizeof line->from))
            complain(r, to, "lines.%s: from and to are the same point; expected two points", line->name);
    }
}

static void check_monitors(struct reader *r)
{
    const struct case_settings *c = r->c;
    const char **probes = names_of(c->probe, sizeof *c->probe, c->n_probes);
    const char **forces = names_of(c->force, sizeof *c->force, c->n_forces);
    for (int i = 0; i < c->n_monitors; i++) {
        const struct monitor_setting *m = &c->monitor[i];
        config_setting_t *of = named_at(r, "convergence", i, "of"),
                         *quantity = named_at(r, "convergence", i, "quantity");
        if (!of || !*m->of) continue;
        bool probe = find(m->of, probes, c->n_probes) >= 0, force = find(m->of, forces, c->n_forces) >= 0;
        bool of_probe = !strncmp(m->quantity, "velocity", 8) || !strcmp(m->quantity, "pressure");
        if (!probe && !force) {
            const char *near = did_you_mean(m->of, probes, c->n_probes);
            if (!*near) near = did_you_mean(m->of, forces, c->n_forces);
            complain(r, of, "%s = \"%s\": there is no probe and no force of this name%s", path_of(of), m->of, near);
        } else if (quantity && *m->quantity && !(of_probe ? probe : force))
            complain(r, quantity, "%s = \"%s\": \"%s\" is a %s and has %s", path_of(quantity), m->quantity, m->of,
                     probe ? "probe" : "force",
                     probe ? "velocity_x, velocity_y, velocity_z, pressure"
                           : "force_x .. force_z, moment_x .. moment_z");
    }
    free(probes), free(forces);
}

/* ---------------------------------------------------------------- linear solvers */
void drop(struct reader *r, config_setting_t *group, const char *name, const char *why)
{
    config_setting_t *s = config_setting_get_member(group, name);
    if (s && s->hook == standard_mark) config_setting_remove(group, name);
    else if (s) complain(r, s, "%s does not apply to %s", path_of(s), why);
}

/* Settings of a smoother that multigrid does not use. */
static void check_smoother(struct reader *r, config_setting_t *group, const struct linear_setting *p)
{
    static const struct { const char *name; enum smoother of; } keys[] = {
        {"sweeps", SMOOTHER_TWO_STAGE_GS}, {"local_sweeps", SMOOTHER_TWO_STAGE_GS}, {"richardson_sweeps", SMOOTHER_TWO_STAGE_GS},
        {"damping", SMOOTHER_TWO_STAGE_GS}, {"inner_damping", SMOOTHER_TWO_STAGE_GS},
        {"degree", SMOOTHER_CHEBYSHEV}, {"ratio", SMOOTHER_CHEBYSHEV}};
    char why[200];
    snprintf(why, sizeof why, "smoother \"%s\"; remove it", find_key("solver.pressure.smoother")->words[p->smoother]);
    if (p->smoother == SMOOTHER_BLOCK_JACOBI) drop(r, group, "domain", why);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (p->smoother != keys[i].of) drop(r, group, keys[i].name, why);
}

void check_linear_solver(struct reader *r, config_setting_t *group, const struct linear_setting *p)
{
    char why[200];
    if (!group || !config_setting_is_group(group)) return;
    if (p->preconditioner == PRECONDITIONER_MULTIGRID) check_smoother(r, group, p);
    if (p->parts <= 1) drop(r, group, "overlap", "one part; remove it, or set parts");
    snprintf(why, sizeof why, "method \"%s\"; remove it, or set method = \"gmres\"",
             find_key("solver.pressure.method")->words[p->method]);
    if (p->method != METHOD_GMRES && p->method != METHOD_FGMRES) drop(r, group, "restart", why);
    if (p->method != METHOD_GMRES) drop(r, group, "side", why);
    if (p->direction == DIRECTION_FORWARD && p->method == METHOD_CG)
        complain(r, config_setting_get_member(group, "direction"), "sweeps forwards only are not symmetric, as conjugate "
                 "gradients need; expected direction = \"symmetric\", or method = \"stationary\" or \"bicgstab\"");
    if (p->preconditioner == PRECONDITIONER_ASYNC_BLOCK_JACOBI && p->method == METHOD_CG)
        complain(r, config_setting_get_member(group, "preconditioner"), "async-block-jacobi is never twice the same, which "
                 "conjugate gradients need; expected block-jacobi, or method = \"stationary\" or \"bicgstab\"");
    if (p->preconditioner >= PRECONDITIONER_BLOCK_JACOBI || p->smoothing_before > 0 || p->smoothing_every > 0) return;
    snprintf(why, sizeof why, "preconditioner \"%s\" without smoothing; remove it, or set preconditioner = \"block-jacobi\", "
             "or smoothing_before or smoothing_every", find_key("solver.pressure.preconditioner")->words[p->preconditioner]);
    drop(r, group, "inner", why);
    drop(r, group, "inner_sweeps", why);
}

void check_settings(struct reader *r)
{
    const char **names = names_of(r->c->boundary, sizeof *r->c->boundary, r->c->n_boundaries);
    check_mesh(r);
    check_boundaries(r, names);
    check_forces(r, names);
    check_lines(r);
    check_monitors(r);
    check_linear_solver(r, at(r, "solver.pressure"), &r->c->pressure);
    check_transient(r);
    free(names);
}

/* ---------------------------------------------------------------- against the mesh */
const char *case_place(const struct case_settings *c, int line)
{
    static char buffer[2][PATH_LENGTH + 20];
    static int which;
    char *place = buffer[which ^= 1];
    const char *file = c->path;
    if (line > 0) line = place_in_file(c, line, &file);
    snprintf(place, sizeof buffer[0], line > 0 ? "%s:%d" : "%s (--set)", file, line);
    return place;
}

struct findings { const struct case_settings *c; struct error *e; size_t length; int n; };

/* line: as case_place() has it, -1: the file as a whole. */
__attribute__((format(printf, 3, 4)))
static void find_fault(struct findings *f, int line, const char *format, ...)
{
    char text[1500];
    va_list list;
    va_start(list, format);
    vsnprintf(text, sizeof text, format, list);
    va_end(list);
    if (!f->n++) refuse(f->e, EXIT_INPUT, "%s", "");
    if (f->n > MOST_ERRORS || f->length + strlen(text) + PATH_LENGTH + 22 > sizeof f->e->text) return;
    f->length += (size_t)snprintf(f->e->text + f->length, sizeof f->e->text - f->length, "%s%s: %s",
                                  f->length ? "\n" : "", line < 0 ? f->c->path : case_place(f->c, line), text);
}

/* n numbers were given for a vector; 0: none. */
static void check_length(struct findings *f, int line, int n, const char *section, const char *name, const char *key,
                         const char *mesh_name, int dim)
{
    if (!n || n == dim) return;
    find_fault(f, line, "%s%s%s%s%s has %d numbers, but %s is %d-D: expected %d", section, *name ? "." : "", name,
               *key ? "." : "", key, n, mesh_name, dim, dim);
}

static void check_patches(struct findings *f, const char *mesh_name, const char *const *names, int n)
{
    const struct case_settings *c = f->c;
    const char **given = names_of(c->boundary, sizeof *c->boundary, c->n_boundaries);
    char list[800] = "";
    for (int i = 0, at_end = 0; i < n && at_end < (int)sizeof list - NAME_LENGTH - 10; i++)
        at_end += sprintf(list + at_end, "%s%s", i ? ", " : "", names[i]);
    for (int i = 0; i < c->n_boundaries; i++)
        if (find(given[i], names, n) < 0)
            find_fault(f, c->boundary[i].line, "boundary \"%s\" is not in %s; it has: %s%s", given[i], mesh_name,
                       n ? list : "none", did_you_mean(given[i], names, n));
    for (int i = 0; i < n; i++) {
        if (find(names[i], given, c->n_boundaries) >= 0) continue;
        find_fault(f, -1, "boundary \"%s\" of %s has no condition; add to boundary = { ... }:\n"
                   "    %s = { type = \"wall\"; };", names[i], mesh_name, names[i]);
    }
    free(given);
}

static void check_planar(struct findings *f, const char *mesh_name)
{
    const struct case_settings *c = f->c;
    for (int i = 0; i < c->n_boundaries; i++)
        if (c->boundary[i].profile == PROFILE_PARABOLOID)
            find_fault(f, c->boundary[i].line,
                       "boundary.%s.profile = \"paraboloid\", but %s is 2-D: expected \"uniform\" or \"parabolic\"",
                       c->boundary[i].name, mesh_name);
    for (int i = 0; i < c->n_monitors; i++) {
        const struct monitor_setting *m = &c->monitor[i];
        bool moment = !strncmp(m->quantity, "moment", 6), along_z = ends_with(m->quantity, "_z");
        if (strcmp(m->quantity, "pressure") && moment != along_z)
            find_fault(f, m->line, "convergence.%s.quantity = \"%s\" is zero in 2-D (%s): expected another component",
                       m->name, m->quantity, mesh_name);
    }
}


bool case_check_boundaries(const struct case_settings *c, const char *mesh_name, int dim, const char *const *names,
                           int n, struct error *e)
{
    static const char *const shape_place[] = {"centre", "from", "point"};
    struct findings f = {.c = c, .e = e};
    check_patches(&f, mesh_name, names, n);
    for (int i = 0; i < c->n_boundaries; i++)
        check_length(&f, c->boundary[i].line, c->boundary[i].velocity_length, "boundary", c->boundary[i].name,
                     "velocity", mesh_name, dim);
    check_length(&f, -1, c->initial_velocity_length, "initial.velocity", "", "", mesh_name, dim);
    check_length(&f, -1, c->gravity_length, "fluid.gravity", "", "", mesh_name, dim);
    for (int i = 0; i < c->n_shapes; i++)
        check_length(&f, c->shape[i].line, c->shape[i].length, "shapes", c->shape[i].name, shape_place[c->shape[i].type],
                     mesh_name, dim);
    for (int i = 0; i < c->n_lines; i++)
        check_length(&f, c->line[i].line, c->line[i].length, "lines", c->line[i].name, "from", mesh_name, dim);
    for (int i = 0; i < c->n_probes; i++)
        check_length(&f, c->probe[i].line, c->probe[i].length, "probes", c->probe[i].name, "at", mesh_name, dim);
    if (dim == 2) check_planar(&f, mesh_name);
    return f.n == 0;
}
