/* viscosity_setting.h: a fluid whose viscosity depends on the shear rate sqrt(2 S:S), S = (grad u + grad u^T) / 2. */
#ifndef POISE_VISCOSITY_SETTING_H
#define POISE_VISCOSITY_SETTING_H
#include <stdbool.h>
#include <stdint.h>
#include "assembly/property_setting.h"

enum viscosity_law { VISCOSITY_POWER_LAW, VISCOSITY_CARREAU, VISCOSITY_CROSS, VISCOSITY_BINGHAM,
                     VISCOSITY_HERSCHEL_BULKLEY,
                     /* by the key viscosity, no words of `type`: */
                     VISCOSITY_EXPRESSION, VISCOSITY_OF_PLACE, VISCOSITY_OF_FIELD };

struct viscosity_setting {
    bool given;                 /* otherwise the viscosity is constant */
    enum viscosity_law law;
    double consistency, exponent;
    double zero, infinite;      /* viscosity at low and at high shear rates */
    double time, transition;
    double plastic_viscosity, yield_stress, regularisation;
    double lowest, highest;     /* limits of the viscosity; infinity: none */
    int highest_given;
    struct property_setting property;   /* of the key viscosity: VISCOSITY_EXPRESSION, _OF_PLACE and _OF_FIELD */
};

extern const struct section viscosity_section, second_viscosity_section;
struct case_reader;
enum { N_VISCOSITY_VARIABLES = N_VALUE_VARIABLES + 2 };
extern const char *const viscosity_variables[N_VISCOSITY_VARIABLES];    /* x, y, z, t, shear_rate, temperature */
/* Of a key; the names of scalars are variables too. */
#define VISCOSITY_VALUE .words = viscosity_variables, .n_words = N_VISCOSITY_VARIABLES, .more_words = "scalars"

/* Checks the viscosity of the fluid whose group this is: `value`, by its key viscosity, or the section v.  Returns the
 * number, or 0 and sets `given` if it is not constant. */
double viscosity_setting_check(struct case_reader *r, struct viscosity_setting *v, const struct value_setting *value,
                               const char *group);
/* to[i] = the law at n shear rates > 0, without the limits; of VISCOSITY_OF_PLACE 1, which stands for an unknown
 * number. */
void viscosity_by_law(const struct viscosity_setting *v, const double *x, int64_t n, double *to);
/* For reports: the constant, or the name or the expression of the law. */
void viscosity_text(const struct viscosity_setting *v, double constant, char *text, size_t size);
/* The viscosity at a shear rate > 0; of VISCOSITY_OF_FIELD that in the middle of the range. */
double viscosity_at_rate(const struct viscosity_setting *v, double shear_rate);
#endif
