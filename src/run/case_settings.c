/* All sections of a case: their list, their checks against each other, defaults that depend on the mesh. */
#include "run/case_settings.h"
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/reader.h"
#include "flow/marangoni_setting.h"
#include "flow/property_range_setting.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"

#define AT(member) offsetof(struct case_settings, member)
/* In the order of `poise help case`; settings that defaults depend on must come before them. */
static const struct placed_section sections[] = {
    {&mesh_section, AT(mesh)},
    {&box_section, AT(mesh.box)},
    {&fluid_section, AT(flow.fluid)},
    {&viscosity_section, AT(flow.fluid.viscosity_model)},
    {&solid_section, AT(flow.solids)},
    {&second_fluid_section, AT(flow.second_fluid)},
    {&second_viscosity_section, AT(flow.second_fluid.viscosity_model)},
    {&interface_section, AT(flow.interface)},
    {&shape_section, AT(flow.shapes)},
    {&boundary_section, AT(flow.boundary)},
    {&initial_section, AT(flow.initial)},
    {&time_section, AT(flow.time)},
    {&scalar_section, AT(flow.scalars)},
    {&buoyancy_section, AT(flow.buoyancy)},
    {&driven_section, AT(flow.driven)},
    {&source_section, AT(flow.sources)},
    {&prescribed_section, AT(flow.prescribed)},
    {&solver_section, AT(flow.solver)},
    {&pressure_section, AT(flow.solver.pressure)},
    {&velocity_section, AT(flow.solver.velocity)},
    {&coupled_section, AT(flow.solver.coupled)},
    {&output_section, AT(output)},
    {&line_section, AT(lines)},
    {&probe_section, AT(probes)},
    {&force_section, AT(forces)},
    {&surface_section, AT(surfaces)},
    {&planes_section, AT(planes)},
    {&averages_section, AT(averages)},
    {&monitor_section, AT(convergence)},
    {&nusselt_section, AT(nusselt)},
    {&bubbles_section, AT(bubbles)},
};

static void check_convergence(struct case_reader *r, const struct case_settings *c)
{
    const char **names;
    int n = 0;
    NEW(names, c->probes.n + c->forces.n + c->surfaces.n);
    for (int i = 0; i < c->probes.n; i++) names[n++] = c->probes.item[i].name;
    for (int i = 0; i < c->forces.n; i++) names[n++] = c->forces.item[i].name;
    for (int i = 0; i < c->surfaces.n; i++) names[n++] = c->surfaces.item[i].name;
    monitor_setting_check(r, &c->convergence, names, n);
    free(names);
}

/* Folder by folder: a check sees the errors noted by earlier ones. */
static void check(struct case_reader *r, void *settings)
{
    struct case_settings *c = settings;
    struct flow_setting *f = &c->flow;
    const bool in_time = flow_is_transient(f);
    mesh_setting_check(r, &c->mesh);
    struct fluid_setting *first = &f->fluid;
    struct second_fluid_setting *second = &f->second_fluid;
    second->surface_tension = property_of_key(r, &second->tension_law, &second->surface_tension_value, "temperature");
    density_setting_check(r, first, second, &f->scalars);
    first->viscosity = viscosity_setting_check(r, &first->viscosity_model, &first->viscosity_value, "fluid");
    second->viscosity = viscosity_setting_check(r, &second->viscosity_model, &second->viscosity_value, "second_fluid");
    boundary_setting_check(r, &f->boundary);
    solid_setting_check(r, &f->solids, &f->boundary, heat_is_given(f));
    if (f->solids.n && f->second_fluid.given)
        case_complain(r, case_setting(r, "solids"), "solids do not work with two fluids; remove them, or second_fluid");
    prescribed_setting_check(r, &f->prescribed);
    second_fluid_setting_check(r, &f->second_fluid, &f->shapes, &f->boundary);
    flow_setting_check(r, f);
    const bool two_fluids = f->second_fluid.given;
    scalar_setting_check(r, &f->scalars, &f->boundary, !in_time, two_fluids);
    buoyancy_setting_check(r, &f->buoyancy, first, second, &f->scalars);
    driven_setting_check(r, &f->driven);
    source_setting_check(r, &f->sources);
    heat_setting_check(r, f);
    property_range_check(r, f);
    marangoni_setting_check(r, f);
    output_setting_check(r, &c->output, f, in_time);
    const int added = flow_is_absent(f) ? 0 : f->scalars.n;
    for (int i = 0; i < added; i++) output_setting_add(r, &c->output, f->scalars.item[i].name);
    line_setting_check(r, &c->lines);
    for (int i = 0; i < c->forces.n; i++)
        boundary_names_check(r, "forces", i, c->forces.item[i].boundary, c->forces.item[i].n_boundaries, &f->boundary);
    for (int i = 0; i < c->surfaces.n; i++)
        boundary_names_check(r, "surfaces", i, c->surfaces.item[i].boundary, c->surfaces.item[i].n_boundaries,
                             &f->boundary);
    plane_setting_check(r, &c->planes);
    averages_setting_check(r, &c->averages, in_time ? f->time.end : f->solver.max_iterations);
    check_convergence(r, c);
    if (in_time) flow_drop_setting(r, f, "", "convergence", "");
    nusselt_setting_check(r, &c->nusselt, f);
    bubbles_setting_check(r, &c->bubbles);
}

/* Unsupported features: keys of a section, then names anywhere by a part of them. */
static const char *missing_ability(const char *section, const char *name, bool *certain)
{
    static const char rotating[] = "this key; a wall rotates by rotation = { about = [0.0, 0.0]; speed = 10.0; }";
    static const char advection[] = "interface advection other than with planes in the cells (\"algebraic\" was "
                                    "removed in 1.0); remove the key";
    static const char curvature[] = "curvature other than by paraboloids (\"level-set\" was removed in 1.0); remove "
                                    "the key";
    static const struct { const char *section, *name, *what; } of_section[] = {
        {"boundary", "omega", rotating}, {"boundary", "angular_velocity", rotating},
        {"interface", "advection", advection},
        {"interface", "curvature", curvature}};
    for (size_t i = 0; i < sizeof of_section / sizeof *of_section; i++)
        if (!strcmp(section, of_section[i].section) && !strcmp(name, of_section[i].name))
            return *certain = true, of_section[i].what;
    static const struct { const char *what, *part[9]; } wish[] = {
        {"turbulence models", {"turbul", "k-eps", "k_eps", "kepsilon", "omega", "rans", "smagorinsky"}},
        {"compressible flow", {"compressible", "mach"}},
        {"phase change", {"evapor", "boil", "condens", "cavitat", "phase_change"}},
        {"chemistry", {"combust", "reaction", "chemistry"}},
        {"particles", {"particle"}},
        {"porous media", {"porous", "porosity"}},
        {"rotating frames", {"rotating", "mrf"}},
        {"moving meshes", {"moving_mesh", "dynamic_mesh"}},
        {"meshes refined during the run", {"adaptive", "refine"}},
        {"three fluids", {"third_fluid"}}};
    for (size_t i = 0; i < sizeof wish / sizeof *wish; i++)
        for (int k = 0; wish[i].part[k]; k++) if (strcasestr(name, wish[i].part[k])) return wish[i].what;
    return NULL;
}

static const char *const example =
    "A case file holds  name = value;  and groups  name = { ... };  # starts a comment (libconfig's syntax).\n"
    "Integers are valid numbers.  Units are the user's own, used consistently.  NAME is a name of your choice.\n"
    "A minimal case:\n\n"
    "    mesh     = { file = \"cavity.geo\"; };\n"
    "    fluid    = { viscosity = 0.001; };\n"
    "    boundary = { lid   = { type = \"wall\"; velocity = [1.0, 0.0]; };\n"
    "                 walls = { type = \"wall\"; }; };\n\n"
    "Transient flow:\n\n"
    "    solver   = { algorithm = \"piso\"; };\n"
    "    time     = { end = 3.0; step = 0.01; courant = 0.5; };\n\n"
    "and with two fluids:\n\n"
    "    second_fluid = { density = 100.0; viscosity = 1.0; surface_tension = 24.5; };\n"
    "    shapes   = { bubble = { type = \"sphere\"; centre = [0.5, 0.5]; radius = 0.25; }; };\n\n"
    "Groups are nested in a file: fluid = { viscosity = 0.001; };  keys with dots are for the command line.\n"
    "A line  @include \"part.cfg\"  includes another file, relative to the case's folder.\n"
    "A file that begins with { is JSON, with the same structure:  { \"fluid\": { \"viscosity\": 0.001 }, .. }\n"
    "Every key can be set on the command line too:  --set fluid.viscosity=0.0025\n";

static const struct case_table table = {.section = sections, .n_sections = sizeof sections / sizeof *sections,
    .size = sizeof(struct case_settings), .check = check, .missing = missing_ability, .example = example};

static bool read_case(struct case_settings *c, const char *path, const char *const *set, int n_set,
                      const struct mesh_facts *mesh, bool kept, struct error *e)
{
    struct case_source *source;
    bool good = settings_read(&table, c, &source, path, set, n_set, mesh, kept, e);
    c->source = source;
    return good;
}

bool case_read(struct case_settings *c, const char *path, const char *const *set, int n_set, struct error *e)
{
    return read_case(c, path, set, n_set, NULL, false, e);
}

bool case_read_kept(struct case_settings *c, const char *path, const char *const *set, int n_set, struct error *e)
{
    return read_case(c, path, set, n_set, NULL, true, e);
}

/* Whether the pressure of a steady iteration needs a corrector.  In triangles and tetrahedra, whose faces have all
 * directions, the error of a solve mostly cancels; in quadrilaterals, hexahedra and prisms sheared in one direction it
 * adds up.  Measured: docs/explanation/numerics.md, "Pressure correction". */
static bool is_sheared(const struct mesh *m, const struct mesh_quality *all)
{
    struct mesh_quality q;
    uint8_t *other;
    bool sheared = all->non_orthogonality_max > 45, some = false;
    NEW(other, m->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) some |= other[c] = !mesh_cell_is_simplex(m, c);
    if (some && !sheared) {
        mesh_measure_near(m, other, &q);
        sheared = q.non_orthogonality_max > (q.non_orthogonality_mean > 8 ? 20 : 30);
    }
    free(other);
    return sheared && all->non_orthogonality_max < 85;
}

/* From this viscous number on multigrid is faster for the velocity (docs/explanation/solvers.md, "Which solver"). */
static const double VISCOUS = 100;

static double mean_size(const struct mesh *m)
{
    double all = 0;
    for (int32_t c = 0; c < m->n_cells; c++) all += m->cell_volume[c];
    return mesh_edge(all / m->n_cells, m->dim);
}

static void add_note(struct mesh *m, const char *format, ...)
{
    size_t n = strlen(m->note);
    va_list values;
    if (n) n += (size_t)snprintf(m->note + n, sizeof m->note - n, "; ");
    va_start(values, format);
    if (n < sizeof m->note) vsnprintf(m->note + n, sizeof m->note - n, format, values);
    va_end(values);
}

bool case_follow_mesh(struct case_settings *c, struct mesh *m, double speed, const char *const *set, int n_set,
                      struct error *e)
{
    struct mesh_quality q = {0};
    struct case_settings with;
    const bool here = !ranks_own();
    if (here && !m->orthogonal) mesh_measure(m, &q);
    const int32_t slivers = here && !m->unskewed ? mesh_slivers(m, NULL) : 0;
    const double most = fmax(flow_imposed_speed(&c->flow), speed);
    const double number = here ? flow_viscous_number(&c->flow, mean_size(m), most) : 0;
    double found[] = {1000 * (int64_t)slivers > m->n_cells, q.non_orthogonality_max > 20 && is_sheared(m, &q),
                      q.non_orthogonality_max > 70 && q.non_orthogonality_max < 85, number >= VISCOUS};
    ranks_agree(true, NULL);                            /* the others wait for rank 0 */
    largest_over_ranks(found, 4);
    const struct mesh_facts facts = {.slivers = found[0] > 0, .sheared = found[1] > 0, .steep = found[2] > 0,
                                     .viscous = found[3] > 0};
    if (!facts.slivers && !facts.sheared && !facts.viscous) return true;
    if (!read_case(&with, c->source->path, set, n_set, &facts, false, e)) return false;
    const struct solver_setting *before = &c->flow.solver, *now = &with.flow.solver;
    if (now->algorithm != before->algorithm)
        add_note(m, "%d cells are slivers: solver.algorithm = \"%s\", as the case gives none", slivers,
                 algorithm_words[now->algorithm]);
    if (now->non_orthogonal_correctors != before->non_orthogonal_correctors)
        add_note(m, "%.0f degrees from orthogonal: solver.non_orthogonal_correctors = %d, as the case gives none",
                 q.non_orthogonality_max, now->non_orthogonal_correctors);
    if (now->velocity.preconditioner != before->velocity.preconditioner)
        add_note(m, "viscosity step / size^2 is %.3g: solver.velocity.preconditioner = \"%s\", as the case gives none",
                 number, preconditioner_words[now->velocity.preconditioner]);
    case_free(c);
    *c = with;
    return true;
}

void case_free(struct case_settings *c) { settings_free(&table, c, c->source); }

bool case_help(FILE *out, const char *of, struct error *e) { return settings_help(&table, out, of, e); }
