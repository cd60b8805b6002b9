/* linear_section.h: for rooms that take the settings of linear solvers into a section of theirs. */
#ifndef POISE_LINEAR_SECTION_H
#define POISE_LINEAR_SECTION_H
#include "case/section.h"
#include "solve/linear_setting.h"

/* All keys, with the defaults of the pressure; those that suit matrices that are not symmetric, with the velocity's. */
extern const struct key linear_keys[], linear_velocity_keys[];
extern const char *const linear_gone[][2];      /* of the first: section.gone */
/* Settings of one solver against each other.  group: where they stand; NULL: nowhere. */
void linear_setting_check(struct case_reader *r, config_setting_t *group, const struct linear_setting *s);
#endif
