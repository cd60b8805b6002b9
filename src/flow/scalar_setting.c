/* Reads the settings of scalars and checks them (scalar_setting.h). */
#include "flow/scalar_setting.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "case/section.h"

#define SCHEME_WORD(name, kernel, word, gradient) [CONVECTION_##name] = word,
const char *const scalar_scheme_words[N_SCALAR_SCHEMES] = {
    CONVECTION_SCHEMES(SCHEME_WORD)
    [SCALAR_LIMITED] = "limited", [SCALAR_BOUNDED] = "bounded"};

static const struct key scalar_keys[] = {
    {"diffusivity", KEY_VALUE, OFFSET(scalar_setting, diffusivity_value), .unit = "length^2/time",
     .range = "[0, inf)", .words = heat_variables, .n_words = N_HEAT_VARIABLES, .more_words = "scalars",
     .help = "of the scalar: a number, in steady flow greater than 0, or an expression of the scalar's name, of "
             "temperature, or of x, y, z and t"},
    {"initial", KEY_VALUE, OFFSET(scalar_setting, initial), .standard = "0.0", WORDS("x", "y", "z"),
     .help = "everywhere (in its fluid) at the start"},
    {"initials", KEY_NAMED_VALUES, OFFSET(scalar_setting, zone_initial), OFFSET(scalar_setting, n_zone_initials),
     .standard = "", WORDS("x", "y", "z"),
     .help = "ZONE = number: initial value in that zone, a region of the mesh (`poise mesh info`)"},
    {"fluid", KEY_WORD, OFFSET(scalar_setting, fluid), .standard = "both",
     WORDS([SCALAR_IN_BOTH] = "both", [SCALAR_IN_FIRST] = "first", [SCALAR_IN_SECOND] = "second"),
     .help = "two-phase: transported by both fluids, or dissolved in one fluid, which it does not leave; output is "
             "then the amount per unit of the cell's volume"},
    {"convection", KEY_WORD, OFFSET(scalar_setting, convection), .standard = "limited",
     WORDS_OF(scalar_scheme_words),
     .help = "scheme; limited and upwind: new extremes never arise; upwind is of first order, limited, which is "
             "linear-upwind with a limiter, of second; bounded: linear-upwind, but between the extremes of the given "
             "values (in time: and of those at the start); the others, of second order, may overshoot.  Sources and "
             "fluxes that are nowhere negative lead beyond the highest only, those nowhere positive beyond the "
             "lowest only; of both signs: no bounds"},
    {"values", KEY_NAMED_VALUES, OFFSET(scalar_setting, value), OFFSET(scalar_setting, n_values), .standard = "",
     .help = "NAME = number: the value at that boundary (or boundary.NAME.scalars); required at inlets; at an outlet: "
             "of the backflow; elsewhere, if not given: zero gradient"},
    {"fluxes", KEY_NAMED_VALUES, OFFSET(scalar_setting, flux), OFFSET(scalar_setting, n_fluxes),
     .unit = "scalar length/time", .standard = "",
     .help = "NAME = number: the inflow per unit of area and time through that closed boundary"},
    {"coefficients", KEY_NAMED_VALUES, OFFSET(scalar_setting, coefficient), OFFSET(scalar_setting, n_coefficients),
     .unit = "length/time", .standard = "",
     .help = "NAME = number: the inflow through that closed boundary is coefficient (value - scalar there)"},
    {"sources", KEY_NAMED_VALUES, OFFSET(scalar_setting, source), OFFSET(scalar_setting, n_sources),
     .unit = "scalar/time", .standard = "",
     .help = "ZONE = number: produced in that zone of the mesh per unit of volume and time"},
    {"range", KEY_NUMBERS, OFFSET(scalar_setting, range), OFFSET(scalar_setting, n_range), "scalar", .standard = "",
     .expected = FIELD_RANGE_EXPECTED, .help = "of the scalar, " FIELD_RANGE_HELP},
    {0}};
const struct section scalar_section = {.path = "scalars", .key = scalar_keys, .size = sizeof(struct scalar_setting),
    .help = "scalars (dyes, temperatures), by name in output.fields; buoyancy lets one act on the flow"};

double scalar_unit(const struct scalar_setting *s) { return s->capacity > 0 ? s->capacity : 1; }

const struct value_setting *scalar_setting_find(const struct named_value *list, int n, const char *boundary)
{
    for (int i = 0; i < n; i++) if (!strcmp(list[i].name, boundary)) return &list[i].value;
    return NULL;
}

/* Names used elsewhere: fields and columns, quantities on surfaces (run/surface.c), entries of a checkpoint
 * (flow/coupled.c, run/checkpoint.c). */
static bool is_taken(const char *name)
{
    static const char *const taken[] = {
        "velocity", "pressure", "gradient", "vorticity", "viscosity", "shear-rate",
        "reduced-pressure", "density", "fraction", "curvature",
        "distance", "volume_flux", "time", "last_step", "old_velocity", "old_flux", "acceleration", "normal", "ledger",
        "pressure_gradient", "boundary_velocity", "boundary_pressure", "gross_flux", "multigrid", "iteration", "step",
        "continuity", "x", "y", "z", "area", "shear", "wall-distance", "flow", "inertia", "newton", "history", "clock",
        "settings", "old_fraction", "older_velocity", "older_flux", "older_step", "pressure_step", "outlet_head",
        "outlet_shut", "bend", "region", "step_control", "standstill", "ended",
        "fastest"};
    for (size_t i = 0; i < sizeof taken / sizeof *taken; i++) if (!strcmp(name, taken[i])) return true;
    return !strncmp(name, "acceleration_", 13) || !strncmp(name, "velocity_", 9) ||
           !strncmp(name, "gradient_", 9) || !strncmp(name, "inner_", 6) || !strncmp(name, "normal_", 7);
}

/* Checks that every name is a boundary; closed: one without flow. */
static void check_names(struct case_reader *r, const struct boundary_settings *b, int i, const char *key,
                        const struct named_value *list, int n, bool closed)
{
    config_setting_t *at = case_named(r, "scalars", i, key);
    const char **names = case_names(b->item, sizeof *b->item, b->n);
    for (int k = 0; at && k < n; k++) {
        const struct boundary_setting *found = boundary_setting_find(b, list[k].name);
        if (!found)
            case_complain(r, at, "%s: boundary \"%s\" is not in the case%s", case_path_of(at), list[k].name,
                          case_did_you_mean(list[k].name, names, b->n));
        else if (boundary_is_joined(found->type) || (closed && boundary_passes_flux(found->type)))
            case_complain(r, at, "%s does not apply to boundary \"%s\", of type \"%s\"; remove it", case_path_of(at),
                          found->name, boundary_type_words[found->type]);
    }
    free(names);
}

static void check_boundaries(struct case_reader *r, const struct scalar_setting *s, int i,
                             const struct boundary_settings *b)
{
    check_names(r, b, i, "values", s->value, s->n_values, false);
    check_names(r, b, i, "fluxes", s->flux, s->n_fluxes, true);
    check_names(r, b, i, "coefficients", s->coefficient, s->n_coefficients, true);
    for (int k = 0; k < b->n; k++) {
        const char *name = b->item[k].name, *word = boundary_type_words[b->item[k].type];
        bool value = scalar_setting_find(s->value, s->n_values, name);
        bool flux = scalar_setting_find(s->flux, s->n_fluxes, name);
        const struct value_setting *coefficient = scalar_setting_find(s->coefficient, s->n_coefficients, name);
        if (boundary_kinds[b->item[k].type].needs_scalar && !value &&
            !case_complained(r, case_named(r, "boundary", k, "table")))
            case_complain(r, case_named(r, "scalars", i, NULL),
                          "scalars.%s.values has none for \"%s\": %s %s needs it, like values = { %s = 1.0; }, or "
                          "boundary.%s.scalars = { %s = 1.0; }", s->name, name, strchr("aeiou", *word) ? "an" : "a",
                          word, name, name, s->name);
        if (flux && (value || coefficient))
            case_complain(r, case_named(r, "scalars", i, "fluxes"),
                          "scalars.%s: at \"%s\" a flux is given and a value; remove one", s->name, name);
        if (coefficient && (!value || (!coefficient->text && coefficient->number < 0)))
            case_complain(r, case_named(r, "scalars", i, "coefficients"),
                          "scalars.%s.coefficients: at \"%s\" expected a number >= 0, and in values what it exchanges "
                          "with", s->name, name);
    }
}

/* Notes the locations of the groups with names of zones, which are checked when the mesh is known. */
static void note_places(struct case_reader *r, struct scalar_setting *s, int i)
{
    const config_setting_t *initials = case_named(r, "scalars", i, "initials");
    const config_setting_t *sources = case_named(r, "scalars", i, "sources");
    if (initials) s->initials_place = case_place_of(r, initials);
    if (sources) s->sources_place = case_place_of(r, sources);
}

/* Adds the k-th boundary's values to those of the scalars. */
static void take_values(struct case_reader *r, const struct scalar_settings *all, const struct boundary_setting *b,
                        int k)
{
    const char **names = case_names(all->item, sizeof *all->item, all->n);
    for (int i = 0; i < b->n_scalars; i++) {
        const char *name = b->scalar[i].name;
        const config_setting_t *at = config_setting_get_member(case_named(r, "boundary", k, "scalars"), name), *other;
        int found = case_find_name(name, names, all->n);
        struct scalar_setting *s = &all->item[found < 0 ? 0 : found];
        if (found < 0)
            case_complain(r, at, "%s: scalar \"%s\" is not in the case%s", case_path_of(at), name,
                          case_did_you_mean(name, names, all->n));
        else if (scalar_setting_find(s->value, s->n_values, b->name)) {
            other = config_setting_get_member(case_named(r, "scalars", found, "values"), b->name);
            case_complain(r, at, "%s is given a second time, by %s in %s; remove one of them", case_path_of(at),
                          case_path_of(other), case_place_text(case_place_of(r, other)));
        } else {
            RESIZE(s->value, s->n_values + 1);
            s->value[s->n_values] = b->scalar[i];
            memcpy(s->value[s->n_values++].name, b->name, NAME_LENGTH);
        }
    }
    free(names);
}

/* The field of an expression has to be solved for before the scalar, or to be the scalar. */
static void check_diffusivity(struct case_reader *r, struct scalar_setting *s)
{
    const struct value_setting *value = &s->diffusivity_value;
    static const char expected[] = "the scalar alone, of temperature alone, or of x, y, z and t";
    s->diffusivity = property_of_key(r, &s->law, value, expected);
    if (!s->law.given) return;
    if (*s->law.field && strcmp(s->law.field, s->name) && strcmp(s->law.field, "temperature"))
        case_complain(r, case_setting(r, value->path), "%s = \"%s\": expected an expression of %s", value->path,
                      value->text, expected);
    if (s->fluid == SCALAR_IN_FIRST || s->fluid == SCALAR_IN_SECOND)
        case_complain(r, case_setting(r, value->path), "%s = \"%s\": in one of two fluids expected a number",
                      value->path, value->text), s->law.given = false;
}

static bool has_faulty_table(struct case_reader *r, int n_boundaries)
{
    bool found = false;
    for (int k = 0; k < n_boundaries; k++) found |= case_complained(r, case_named(r, "boundary", k, "table"));
    return found;
}

void scalar_setting_check(struct case_reader *r, const struct scalar_settings *all, const struct boundary_settings *b,
                          bool steady, bool two)
{
    for (int k = 0; k < b->n; k++) take_values(r, all, &b->item[k], k);
    for (int i = 0; i < all->n; i++) {
        struct scalar_setting *s = &all->item[i];
        config_setting_t *group = case_named(r, "scalars", i, NULL);
        check_diffusivity(r, s);
        check_boundaries(r, s, i, b);
        note_places(r, s, i);
        if (is_taken(s->name))
            case_complain(r, group, "scalars.%s: another field or column has this name; expected another one", s->name);
        if (steady && !(s->diffusivity > 0) && case_named(r, "scalars", i, "diffusivity"))
            case_complain(r, case_named(r, "scalars", i, "diffusivity"),
                          "scalars.%s.diffusivity = %g: expected a number > 0 in steady flow", s->name, s->diffusivity);
        if (steady && !s->n_values && !has_faulty_table(r, b->n))
            case_complain(r, group, "scalars.%s: nothing gives its value, which steady flow leaves open; expected a "
                          "number in values", s->name);
        if (s->fluid == SCALAR_IN_BOTH) continue;
        if (!two) case_drop(r, group, "fluid", "a case without second_fluid = { ... }; remove it");
        if (s->convection != CONVECTION_UPWIND && s->convection != SCALAR_LIMITED)
            case_complain(r, case_named(r, "scalars", i, "convection"),
                          "scalars.%s.convection: in one of two fluids expected upwind or limited", s->name);
        case_drop(r, group, "fluxes", "a scalar in one of two fluids; remove it");
        case_drop(r, group, "coefficients", "a scalar in one of two fluids; remove it");
        case_drop(r, group, "sources", "a scalar in one of two fluids; remove it");
    }
}

/* ---------------------------------------------------------------- against the mesh */
void scalar_setting_check_mesh(const struct scalar_settings *all, struct findings *f)
{
    for (const struct scalar_setting *s = all->item; s < all->item + all->n; s++) {
        if (s->capacity > 0) continue;                  /* see source_setting_check_mesh() */
        char initials[NAME_LENGTH + 30], sources[NAME_LENGTH + 30];
        snprintf(initials, sizeof initials, "scalars.%s.initials: zone", s->name);
        snprintf(sources, sizeof sources, "scalars.%s.sources: zone", s->name);
        for (int i = 0; i < s->n_zone_initials; i++)
            find_name(f, s->initials_place, initials, s->zone_initial[i].name, f->zone, f->n_zones);
        for (int i = 0; i < s->n_sources; i++)
            find_name(f, s->sources_place, sources, s->source[i].name, f->zone, f->n_zones);
    }
}
