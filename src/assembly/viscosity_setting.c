/* Keys of viscosity laws, their check, and their formulas (viscosity_setting.h). */
#include "assembly/viscosity_setting.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/expression.h"
#include "base/memory.h"
#include "case/section.h"

#define POWER (BIT(VISCOSITY_POWER_LAW) | BIT(VISCOSITY_HERSCHEL_BULKLEY))
#define PLATEAUS (BIT(VISCOSITY_CARREAU) | BIT(VISCOSITY_CROSS))
#define YIELDING (BIT(VISCOSITY_BINGHAM) | BIT(VISCOSITY_HERSCHEL_BULKLEY))

static const char *const law_words[] = {
    [VISCOSITY_POWER_LAW] = "power-law", [VISCOSITY_CARREAU] = "carreau", [VISCOSITY_CROSS] = "cross",
    [VISCOSITY_BINGHAM] = "bingham", [VISCOSITY_HERSCHEL_BULKLEY] = "herschel-bulkley"};
static const struct key viscosity_keys[] = {
    {"type", KEY_WORD, OFFSET(viscosity_setting, law),
     WORDS_OF(law_words),
     .help = "with shear rate s.  power-law: consistency s^(exponent - 1); carreau: infinite + (zero - infinite) "
             "(1 + (time s)^transition)^((exponent - 1) / transition); cross: infinite + (zero - infinite) / "
             "(1 + (time s)^exponent); bingham: plastic_viscosity + yield_stress (1 - exp(-regularisation s)) / s; "
             "herschel-bulkley: the power law plus the same"},
    {"consistency", KEY_REAL, OFFSET(viscosity_setting, consistency), .unit = "mass/(length time^(2 - exponent))",
     .range = "(0, inf)", .kinds = POWER, .help = "viscosity at shear rate 1"},
    {"exponent", KEY_REAL, OFFSET(viscosity_setting, exponent), .range = "(0, 4]", .kinds = POWER | PLATEAUS,
     .help = "below 1 shear-thinning, above 1 shear-thickening; cross: decay of the viscosity, mostly between 0.5 "
             "and 1"},
    {"zero", KEY_REAL, OFFSET(viscosity_setting, zero), .unit = "mass/(length time)", .range = "(0, inf)",
     .kinds = PLATEAUS, .help = "viscosity at low shear rates"},
    {"infinite", KEY_REAL, OFFSET(viscosity_setting, infinite), .unit = "mass/(length time)", .range = "[0, inf)",
     .standard = "0.0", .kinds = PLATEAUS, .help = "viscosity at high shear rates"},
    {"time", KEY_REAL, OFFSET(viscosity_setting, time), .unit = "time", .range = "(0, inf)", .kinds = PLATEAUS,
     .help = "1 / the shear rate where the viscosity leaves `zero`"},
    {"transition", KEY_REAL, OFFSET(viscosity_setting, transition), .range = "(0, 10]", .standard = "2.0",
     .kinds = BIT(VISCOSITY_CARREAU), .help = "sharpness of that change: Yasuda's a; 2: Carreau"},
    {"plastic_viscosity", KEY_REAL, OFFSET(viscosity_setting, plastic_viscosity), .unit = "mass/(length time)",
     .range = "(0, inf)", .kinds = BIT(VISCOSITY_BINGHAM), .help = "viscosity at high shear rates"},
    {"yield_stress", KEY_REAL, OFFSET(viscosity_setting, yield_stress), .unit = "mass/(length time^2)",
     .range = "[0, inf)", .kinds = YIELDING, .help = "stress below which the fluid hardly deforms"},
    {"regularisation", KEY_REAL, OFFSET(viscosity_setting, regularisation), .unit = "time", .range = "(0, inf)",
     .kinds = YIELDING, .help = "Papanastasiou's m: unyielded fluid has the viscosity yield_stress times this; 100 to "
                                "1000 over the flow's shear rate"},
    {"lowest", KEY_REAL, OFFSET(viscosity_setting, lowest), .unit = "mass/(length time)", .range = "[0, inf)",
     .standard = "0.0", .kinds = POWER, .help = "lower limit of the viscosity"},
    {"highest", KEY_REAL, OFFSET(viscosity_setting, highest), OFFSET(viscosity_setting, highest_given),
     "mass/(length time)", "(0, inf)", "", .kinds = POWER,
     .help = "upper limit of the viscosity (not given: none)"},
    {0}};

const struct section viscosity_section = {.path = "fluid.viscosity_model", .key = viscosity_keys, .optional = true,
    .help = "viscosity that depends on the shear rate, instead of fluid.viscosity"};
const struct section second_viscosity_section = {.path = "second_fluid.viscosity_model", .key = viscosity_keys,
    .optional = true, .help = "the same of the second fluid, instead of second_fluid.viscosity"};

const char *const viscosity_variables[] = {"x", "y", "z", "t", "shear_rate", "temperature"};
enum { SHEAR_RATE = N_VALUE_VARIABLES };

static void check_model(struct case_reader *r, struct viscosity_setting *v, const config_setting_t *model,
                        const char *group)
{
    if (!v->highest_given) v->highest = INFINITY;
    case_drop(r, case_group(r, group), "viscosity", "a fluid with viscosity_model = { ... }; remove one of them");
    if (v->lowest >= v->highest)
        case_complain(r, model, "%s: lowest = %g is not below highest = %g", case_path_of(model), v->lowest,
                      v->highest);
}

/* A viscosity has to be positive at all shear rates, of which the flow decides. */
static void check_formula(struct case_reader *r, const struct property_setting *p)
{
    enum { N = 1601 };
    double rate[N];
    for (int i = 0; i < N; i++) rate[i] = exp2((i - N / 2) / 20.0);
    property_is_allowed(r, p, rate, N, "at all shear rates from 1e-12 to 1e12");
}

/* Sets the law by what the expression depends on: the shear rate, one field, or place and time. */
static void find_law(struct case_reader *r, struct viscosity_setting *v, const struct value_setting *value)
{
    struct property_setting *p = &v->property;
    property_find(r, p, value, "shear_rate alone, of one field alone (temperature or a scalar), or of x, y, z and t");
    v->law = !*p->field                                               ? VISCOSITY_OF_PLACE
             : !strcmp(p->field, viscosity_variables[SHEAR_RATE])     ? VISCOSITY_EXPRESSION
                                                                      : VISCOSITY_OF_FIELD;
    if (v->law == VISCOSITY_EXPRESSION && value->table)
        case_complain(r, case_setting(r, value->path), "%s = \"%s\": a table has an end, shear rates have not: "
                      "expected an expression of shear_rate, or viscosity_model", value->path, value->text);
    else if (v->law == VISCOSITY_EXPRESSION) check_formula(r, p);
}

double viscosity_setting_check(struct case_reader *r, struct viscosity_setting *v, const struct value_setting *value,
                               const char *group)
{
    char model_path[NAME_LENGTH], path[NAME_LENGTH];
    snprintf(model_path, sizeof model_path, "%s.viscosity_model", group);
    snprintf(path, sizeof path, "%s.viscosity", group);
    const config_setting_t *model = case_setting(r, model_path), *at = case_setting(r, path);
    v->given = model != NULL;
    if (v->given) check_model(r, v, model, group);
    if (v->given || !at || !value->text) return value->number;
    v->given = true, v->highest = INFINITY;
    find_law(r, v, value);
    return 0;
}

static double named_law(const struct viscosity_setting *v, double rate)
{
    const double power = v->consistency * pow(rate, v->exponent - 1);
    const double yield = v->yield_stress * -expm1(-v->regularisation * rate) / rate;
    const double range = v->zero - v->infinite, scaled = v->time * rate;
    switch (v->law) {
    case VISCOSITY_POWER_LAW: return power;
    case VISCOSITY_CARREAU:
        return v->infinite + range * pow(1 + pow(scaled, v->transition), (v->exponent - 1) / v->transition);
    case VISCOSITY_CROSS: return v->infinite + range / (1 + pow(scaled, v->exponent));
    case VISCOSITY_BINGHAM: return v->plastic_viscosity + yield;
    case VISCOSITY_HERSCHEL_BULKLEY: return power + yield;
    case VISCOSITY_EXPRESSION: case VISCOSITY_OF_PLACE: case VISCOSITY_OF_FIELD: break;
    }
    return 1;
}

void viscosity_by_law(const struct viscosity_setting *v, const double *x, int64_t n, double *to)
{
    if (v->law == VISCOSITY_EXPRESSION) property_sample(&v->property, x, n, to);
    else for (int64_t i = 0; i < n; i++) to[i] = named_law(v, x[i]);
}

void viscosity_text(const struct viscosity_setting *v, double constant, char *text, size_t size)
{
    if (!v->given) snprintf(text, size, "%g", constant);
    else if (v->law >= VISCOSITY_EXPRESSION) snprintf(text, size, "\"%s\"", v->property.formula.text);
    else snprintf(text, size, "by the law %s", law_words[v->law]);
}

double viscosity_at_rate(const struct viscosity_setting *v, double rate)
{
    double law = v->property.middle;
    if (v->law != VISCOSITY_OF_FIELD) viscosity_by_law(v, &rate, 1, &law);
    return fmin(fmax(law, v->lowest), v->highest);
}
