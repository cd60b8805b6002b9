/* viscosity_range_setting.h: the check of a viscosity that depends on a transported field: the range of the field in
 * which it is sampled, in which it must be positive. */
#ifndef POISE_VISCOSITY_RANGE_SETTING_H
#define POISE_VISCOSITY_RANGE_SETTING_H
struct case_reader;
struct flow_setting;

/* After heat_setting_check().  The range is viscosity_range, or from the lowest to the highest number given for the
 * field, initially and at boundaries, and as much again on both sides. */
void viscosity_range_check(struct case_reader *r, struct flow_setting *c);
#endif
