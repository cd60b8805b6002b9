/* property_range_setting.h: the check of properties that depend on a transported field: the range of the field in which
 * they are sampled, and in which they must be allowed. */
#ifndef POISE_PROPERTY_RANGE_SETTING_H
#define POISE_PROPERTY_RANGE_SETTING_H
struct case_reader;
struct flow_setting;

/* After heat_setting_check().  The range is fluid.property_range or scalars.NAME.range, or from the lowest to the
 * highest number given for the field, initially and at boundaries, and as much again on both sides; that of a table by
 * default its own, which must contain these numbers. */
void property_range_check(struct case_reader *r, struct flow_setting *c);
#endif
