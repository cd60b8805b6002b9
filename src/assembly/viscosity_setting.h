/* viscosity_setting.h: a fluid whose viscosity depends on the shear rate sqrt(2 S:S), S = (grad u + grad u^T) / 2. */
#ifndef POISE_VISCOSITY_SETTING_H
#define POISE_VISCOSITY_SETTING_H
#include <stdbool.h>
#include "case/case.h"

enum viscosity_law { VISCOSITY_POWER_LAW, VISCOSITY_CARREAU, VISCOSITY_CROSS, VISCOSITY_BINGHAM,
                     VISCOSITY_HERSCHEL_BULKLEY };

struct viscosity_setting {
    bool given;                 /* otherwise the viscosity is constant */
    enum viscosity_law law;
    double consistency, exponent;
    double zero, infinite;      /* viscosity at low and at high shear rates */
    double time, transition;
    double plastic_viscosity, yield_stress, regularisation;
    double lowest, highest;     /* limits of the viscosity; infinity: none */
    int highest_given;
};

extern const struct section viscosity_section, second_viscosity_section;
struct case_reader;
/* Sets `given`, checks the section at `path`, and rejects a constant viscosity beside it.  group: the fluid's. */
void viscosity_setting_check(struct case_reader *r, struct viscosity_setting *v, const char *group, const char *path);
/* The law at a shear rate > 0, without the limits; and within them. */
double viscosity_by_law(const struct viscosity_setting *v, double shear_rate);
double viscosity_at_rate(const struct viscosity_setting *v, double shear_rate);
#endif
