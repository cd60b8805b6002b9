/* The sections for what a run writes and monitors: output, lines, probes, forces, surfaces, planes, averages,
 * convergence, bubbles. */
#include "run/run_setting.h"
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/section.h"

static const struct key output_keys[] = {
    {"directory", KEY_PATH, OFFSET(output_setting, directory), .standard = "NAME.out",
     .help = "for all output, relative to the working directory; NAME: of the case file, without .cfg "
             "or .json"},
    {"fields", KEY_NAMES, OFFSET(output_setting, field), OFFSET(output_setting, n_fields),
     .standard = "[\"velocity\", \"pressure\"]",
     .help = "written for ParaView, cell by cell: velocity, pressure, gradient (of the velocity), vorticity, "
             "shear-rate, viscosity (where it varies within a fluid), "
             "reduced-pressure (pressure - density gravity.x, where the height of the second fluid's excess density is "
             "measured from the mesh's lowest point); every scalar by its name; of two-phase flow fraction, "
             "density, curvature, distance (to the interface, negative inside the second fluid)"},
    {"format", KEY_WORD, OFFSET(output_setting, format), .standard = "xdmf", WORDS_OF(output_format_words),
     .help = "of the file that ParaView opens: xdmf: NAME.xdmf, for every ParaView; vtkhdf: NAME.vtkhdf, VTK's own "
             "format, for ParaView 5.12 and VTK 9.3 and later"},
    {"every", KEY_INTEGER, OFFSET(output_setting, every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between written fields; 0 = at the end only"},
    {"interval", KEY_REAL, OFFSET(output_setting, interval), .unit = "time", .range = "(0, inf)", .standard = "",
     .help = "between written fields; steps are cut so that they end at these times (not given: none)"},
    {"times", KEY_REALS, OFFSET(output_setting, time), OFFSET(output_setting, n_times), "time", "[0, inf)", "",
     .help = "at which fields are also written; steps are cut so that they end at these times"},
    {"checkpoint_every", KEY_INTEGER, OFFSET(output_setting, checkpoint_every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between checkpoints (for --restart); 0 = at the end only"},
    {"checkpoint_minutes", KEY_REAL, OFFSET(output_setting, checkpoint_minutes), .range = "[0, inf)",
     .standard = "15.0", .unit = "minutes of the wall clock", .help = "between checkpoints as well; 0 = none"},
    {"control_every", KEY_INTEGER, OFFSET(output_setting, control_every), .range = "[0, inf)", .standard = "10",
     .unit = "iterations or time steps",
     .help = "between checks for the file control in the directory, with requests to the run (poise help "
             "run); 0 = never"},
    {"report_every", KEY_INTEGER, OFFSET(output_setting, report_every), .range = "[1, inf)", .standard = "1",
     .unit = "iterations or time steps", .help = "between rows of the CSV files; the last one always has a row"},
    {0}};
static const struct key line_keys[] = {
    {"from", KEY_VECTOR, OFFSET(line_setting, from), OFFSET(line_setting, length), "length", .help = "first point"},
    {"to", KEY_VECTOR, OFFSET(line_setting, to), .unit = "length", .help = "last point"},
    {"points", KEY_INTEGER, OFFSET(line_setting, points), .range = "[2, 1000000]", .standard = "101",
     .help = "with both ends"},
    {0}};
static const struct key probe_keys[] = {
    {"at", KEY_VECTOR, OFFSET(probe_setting, at), OFFSET(probe_setting, length), "length", .help = "the point"},
    {0}};
static const struct key force_keys[] = {
    {"boundaries", KEY_NAMES, OFFSET(force_setting, boundary), OFFSET(force_setting, n_boundaries),
     .help = "names of the boundaries that the force acts on, together"},
    {"about", KEY_VECTOR, OFFSET(force_setting, about), .unit = "length", .standard = "[0.0, 0.0, 0.0]",
     .help = "reference point of the moments"},
    {"scale", KEY_REAL, OFFSET(force_setting, scale), .unit = "force", .range = "[0, inf)", .standard = "0.0",
     .help = "coefficients are force / scale, so scale = density U^2 A / 2; 0 = no coefficients"},
    {0}};
static const struct key monitor_keys[] = {
    {"of", KEY_NAME, OFFSET(monitor_setting, of), .help = "name of a probe, of a force or of a surface"},
    {"quantity", KEY_NAME, OFFSET(monitor_setting, quantity),
     .help = "a column of its file: velocity_x, pressure, a scalar's name of a probe; force_x, moment_z of a force; "
             "pressure, shear_x_max of a surface"},
    {"tolerance", KEY_REAL, OFFSET(monitor_setting, tolerance), .range = "(0, inf)", .standard = "1e-6",
     .help = "the largest relative change of the quantity ..."},
    {"over", KEY_INTEGER, OFFSET(monitor_setting, over), .range = "[1, 1000000]", .standard = "100",
     .unit = "iterations",
     .help = "... over this many; then it has settled"},
    {0}};
static const struct key nusselt_keys[] = {
    {"length", KEY_REAL, OFFSET(nusselt_setting, length), .range = "(0, inf)", .unit = "length",
     .help = "scale of Nusselt numbers, in heat.csv and the closing summary"},
    {"temperature_difference", KEY_REAL, OFFSET(nusselt_setting, temperature_difference), .range = "(0, inf)",
     .unit = "temperature", .help = "likewise"},
    {"reference", KEY_REAL, OFFSET(nusselt_setting, reference), OFFSET(nusselt_setting, reference_given),
     .range = "(0, inf)", .standard = "",
     .help = "Nusselt number of a benchmark, for comparison in the closing summary"},
    {0}};
static const struct key bubbles_keys[] = {
    {"every", KEY_INTEGER, OFFSET(bubbles_setting, every), .range = "[1, inf)", .standard = "1", .unit = "time steps",
     .help = "between rows of the file of the second fluid's connected parts"},
    {0}};

static const struct other_standard output_others[] = {
    {"fields", &with_second_fluid, "[\"velocity\", \"pressure\", \"fraction\"]"},
    {"fields", &without_fluid, "[\"temperature\"]"}, {0}};
static const struct other_standard surface_others[] = {
    {"fields", &without_fluid, "[\"temperature\", \"temperature-flux\"]"}, {0}};
static const struct other_standard plane_others[] = {{"fields", &without_fluid, "[\"temperature\"]"}, {0}};
const struct section output_section = {.path = "output", .key = output_keys, .other = output_others,
    .help = "what is written, and when"};
const struct section line_section = {.path = "lines", .key = line_keys, .size = sizeof(struct line_setting),
    .help = "velocity, pressure, fraction and scalars along straight lines"};
const struct section probe_section = {.path = "probes", .key = probe_keys, .size = sizeof(struct probe_setting),
    .help = "velocity, pressure, fraction and scalars at points"};
const struct section force_section = {.path = "forces", .key = force_keys, .size = sizeof(struct force_setting),
    .help = "force and moment on boundaries"};
const struct section monitor_section = {.path = "convergence", .key = monitor_keys,
                                        .size = sizeof(struct monitor_setting),
    .help = "steady flow: also wait until this quantity has settled, next to solver.tolerance"};
const struct section nusselt_section = {.path = "nusselt", .key = nusselt_keys, .optional = true,
    .help = "Nusselt numbers of heated walls: mean of |heat flux| length / (conductivity difference)"};
const struct section bubbles_section = {.path = "bubbles", .key = bubbles_keys, .optional = true,
                                        .with = "second_fluid",
    .help = "two-phase: volume, centre and velocity of the second fluid's connected parts"};

static const struct key surface_keys[] = {
    {"boundaries", KEY_NAMES, OFFSET(surface_setting, boundary), OFFSET(surface_setting, n_boundaries),
     .help = "names of its boundaries"},
    {"fields", KEY_NAMES, OFFSET(surface_setting, field), OFFSET(surface_setting, n_fields),
     .standard = "[\"pressure\", \"shear\", \"wall-distance\", \"flow\"]",
     .help = "of its faces: velocity, pressure, fraction and scalars; shear: viscous force along the face, over "
             "its area, of the fluid on the boundary; wall-distance: of the centre of the face's cell; flow: volume "
             "per unit of time through the face, positive outwards; NAME-flux, of a scalar that both fluids carry: its "
             "inflow per unit of area and time, by diffusion and with the flow"},
    {"every", KEY_INTEGER, OFFSET(surface_setting, every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between written faces; 0 = only when fields are written"},
    {0}};
const struct section surface_section = {.path = "surfaces", .key = surface_keys, .other = surface_others,
                                        .size = sizeof(struct surface_setting),
    .help = "pressure, shear and other quantities on boundaries: faces, and means over them"};

static const struct key plane_keys[] = {
    {"point", KEY_VECTOR, OFFSET(plane_setting, point), OFFSET(plane_setting, length), "length",
     .help = "on the plane"},
    {"normal", KEY_VECTOR, OFFSET(plane_setting, normal), OFFSET(plane_setting, normal_length),
     .help = "its direction, of any length"},
    {"fields", KEY_NAMES, OFFSET(plane_setting, field), OFFSET(plane_setting, n_fields),
     .standard = "[\"velocity\", \"pressure\"]", .help = "any of output.fields but gradient"},
    {"every", KEY_INTEGER, OFFSET(plane_setting, every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between written planes; 0 = only when fields are written"},
    {0}};
const struct section planes_section = {.path = "planes", .key = plane_keys, .other = plane_others,
                                       .size = sizeof(struct plane_setting),
    .help = "fields on planes through the mesh, as series of their own; in 2-D on straight lines"};

static const struct key averages_keys[] = {
    {"from", KEY_REAL, OFFSET(averages_setting, from), .unit = "time; steady: iterations", .range = "[0, inf)",
     .standard = "0.0", .help = "start of the averages; a step is cut so that it ends there"},
    {"fields", KEY_NAMES, OFFSET(averages_setting, field), OFFSET(averages_setting, n_fields),
     .standard = "[\"velocity\", \"pressure\"]",
     .help = "averaged in all cells, and written as NAME_mean and NAME_rms with the fields: any of output.fields but "
             "gradient"},
    {0}};
const struct section averages_section = {.path = "averages", .key = averages_keys, .other = plane_others,
                                         .optional = true,
    .help = "time averages and root mean squares: of fields, probes, lines, forces, surfaces"};

/* ---------------------------------------------------------------- against each other */
void output_setting_check(struct case_reader *r, struct output_setting *o, const struct flow_setting *c,
                          bool in_time)
{
    const config_setting_t *fields = case_setting(r, "output.fields");
    if (fields) o->fields_place = case_place_of(r, fields);
    if (in_time) return;
    flow_drop_setting(r, c, "output", "interval", flow_in_time);
    flow_drop_setting(r, c, "output", "times", flow_in_time);
}

void output_setting_add(struct case_reader *r, struct output_setting *o, const char *name)
{
    config_setting_t *fields = case_setting(r, "output.fields");
    if (!fields || !case_is_standard(fields)) return;
    config_setting_set_string_elem(fields, -1, name);
    RESIZE(o->field, o->n_fields + 1);
    snprintf(o->field[o->n_fields++], NAME_LENGTH, "%s", name);
}

void nusselt_setting_check(struct case_reader *r, struct nusselt_setting *n, const struct flow_setting *f)
{
    config_setting_t *group = case_setting(r, "nusselt");
    n->given = group != NULL;
    const struct property_setting *law = &f->fluid.conductivity_law;
    const bool given = case_setting(r, "fluid.heat_capacity") && case_setting(r, "fluid.conductivity");
    if (group && !f->heat.given && !given)              /* given, but faulty: reported there */
        case_complain(r, group, "nusselt needs a temperature: give fluid.heat_capacity and fluid.conductivity");
    if (group && law->given && !*law->field)
        case_complain(r, group, "nusselt needs one conductivity, but fluid.conductivity = \"%s\" depends on the place "
                      "or the time; remove it", law->formula.text);
}

void bubbles_setting_check(struct case_reader *r, struct bubbles_setting *b)
{
    b->given = case_setting(r, "bubbles") != NULL;
}

void boundary_names_check(struct case_reader *r, const char *section, int i, char (*name)[NAME_LENGTH], int n,
                          const struct boundary_settings *b)
{
    const char **names = case_names(b->item, sizeof *b->item, b->n);
    config_setting_t *at = case_named(r, section, i, "boundaries");
    for (int k = 0; name && k < n; k++) {
        const struct boundary_setting *of = boundary_setting_find(b, name[k]);
        if (*name[k] && !of)
            case_complain(r, at, "%s: boundary \"%s\" is not in the case%s", case_path_of(at), name[k],
                          case_did_you_mean(name[k], names, b->n));
        if (of && boundary_is_joined(of->type))
            case_complain(r, at, "%s: boundary \"%s\" is periodic, inside of the flow: expected another one",
                          case_path_of(at), name[k]);
    }
    free(names);
}

void line_setting_check(struct case_reader *r, const struct line_settings *l)
{
    for (int i = 0; i < l->n; i++) {
        const struct line_setting *line = &l->item[i];
        config_setting_t *to = case_named(r, "lines", i, "to");
        if (!to || !line->length || config_setting_length(to) == 0) continue;
        if (config_setting_length(to) != line->length)
            case_complain(r, to, "%s has %d numbers, but from has %d", case_path_of(to), config_setting_length(to),
                          line->length);
        else if (!memcmp(line->from, line->to, sizeof line->from))
            case_complain(r, to, "lines.%s: from and to are the same point; expected two points", line->name);
    }
}

void monitor_setting_check(struct case_reader *r, const struct monitor_settings *m, const char *const *names, int n)
{
    for (int i = 0; i < m->n; i++) {
        config_setting_t *of = case_named(r, "convergence", i, "of");
        if (of && *m->item[i].of && case_find_name(m->item[i].of, names, n) < 0)
            case_complain(r, of, "%s = \"%s\": there is no probe, no force and no surface of this name%s",
                          case_path_of(of), m->item[i].of, case_did_you_mean(m->item[i].of, names, n));
    }
}

void plane_setting_check(struct case_reader *r, const struct plane_settings *p)
{
    for (int i = 0; i < p->n; i++) {
        const struct plane_setting *set = &p->item[i];
        config_setting_t *normal = case_named(r, "planes", i, "normal");
        if (!normal || !set->length || !set->normal_length) continue;
        if (set->normal_length != set->length)
            case_complain(r, normal, "%s has %d numbers, but point has %d", case_path_of(normal), set->normal_length,
                          set->length);
        else if (set->normal[0] == 0 && set->normal[1] == 0 && set->normal[2] == 0)
            case_complain(r, normal, "%s is zero: expected the direction across the plane, like [0.0, 1.0%s]",
                          case_path_of(normal), set->length == 3 ? ", 0.0" : "");
    }
}

void averages_setting_check(struct case_reader *r, struct averages_setting *a, double end)
{
    config_setting_t *at = case_setting(r, "averages");
    a->given = at != NULL;
    if (!at) return;
    a->place = case_place_of(r, at);
    config_setting_t *from = case_setting(r, "averages.from");
    if (from && end > 0 && !(a->from < end))
        case_complain(r, from, "%s = %g: expected a time before the end of the run, %g", case_path_of(from), a->from,
                      end);
}
