/* linear_section.h: for folders that include the settings of linear solvers in a section of their own. */
#ifndef POISE_LINEAR_SECTION_H
#define POISE_LINEAR_SECTION_H
#include "case/section.h"
#include "solve/linear_setting.h"

/* All keys, with the defaults for the pressure; the keys for nonsymmetric matrices, with the defaults for the
 * velocity. */
extern const struct key linear_keys[], linear_velocity_keys[];
extern const char *const linear_gone[][2];      /* for linear_keys: section.gone */
/* Checks that the settings of one solver are compatible.  group: the case file's group with them; NULL: none. */
void linear_setting_check(struct case_reader *r, config_setting_t *group, const struct linear_setting *s);
#endif
