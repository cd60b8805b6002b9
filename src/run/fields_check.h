/* fields_check.h: which fields a case will have, and whether all fields that it names exist; needs no mesh. */
#ifndef POISE_FIELDS_CHECK_H
#define POISE_FIELDS_CHECK_H
#include "assembly/field.h"
#include "run/case_settings.h"

/* The list, to be freed by the caller; no field has an array. */
struct fields fields_of(const struct flow_setting *c, int dim);
/* Checks that the fields named by output.fields, planes, surfaces and averages exist and fit.  False with a message. */
bool fields_check(const struct case_settings *c, struct error *e);
/* Whether the field of this name can be written.  rows: also one of several datasets.  False with a message: the text,
 * printf style, and the valid names. */
bool field_check(const struct fields *all, const char *name, bool rows, struct error *e, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
#endif
