/* heat_setting.h: the temperature of the flow.  Its keys are those of the fluid, boundary.NAME, initial and sources.
 * The check turns them into the last one of the scalars, "temperature", in units of the heat capacity per volume:
 *     dT/dt + u . grad T = div (conductivity / (rho c) grad T) + heat / (rho c)
 * and, with an expansion, the settings of buoyancy. */
#ifndef POISE_HEAT_SETTING_H
#define POISE_HEAT_SETTING_H
#include <stdbool.h>

struct heat_setting {
    bool given;                 /* the last scalar is the temperature */
    double capacity;            /* rho c: heat per volume and temperature */
    double conductivity;        /* of the fluid; at the reference, if it depends on the temperature */
    double reference;           /* temperature from which the heat carried through boundaries is counted */
};

struct case_reader;
struct flow_setting;
/* Whether the case asks for a temperature: before heat_setting_check(). */
bool heat_is_given(const struct flow_setting *c);
/* Adds the temperature to the scalars and sets buoyancy; after the checks of both. */
void heat_setting_check(struct case_reader *r, struct flow_setting *c);
#endif
