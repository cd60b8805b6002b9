/* marangoni_setting.h: the check of a surface tension that depends on the temperature. */
#ifndef POISE_MARANGONI_SETTING_H
#define POISE_MARANGONI_SETTING_H
#include "flow/flow_setting.h"

/* Sets the temperature at which the surface tension is second_fluid.surface_tension. */
void marangoni_setting_check(struct case_reader *r, struct flow_setting *c);
#endif
