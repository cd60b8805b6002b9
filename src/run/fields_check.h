/* fields_check.h: which fields a case will have, and whether it names others; before there is a mesh. */
#ifndef POISE_FIELDS_CHECK_H
#define POISE_FIELDS_CHECK_H
#include "assembly/field.h"
#include "run/case_settings.h"

/* The list, which the caller frees; no field has an array. */
struct fields fields_of(const struct flow_setting *c, int dim);
/* Has the case the fields that output.fields, planes, surfaces and averages name, and are they not too many?  False
 * with a message. */
bool fields_check(const struct case_settings *c, struct error *e);
/* Can the field of this name be written?  rows: one of several datasets too.  False with a message: the text, printf
 * style, and the names that there are. */
bool field_check(const struct fields *all, const char *name, bool rows, struct error *e, const char *format, ...)
    __attribute__((format(printf, 5, 6)));
#endif
