/* surface_setting.h: results on boundaries that a case asks for. */
#ifndef POISE_SURFACE_SETTING_H
#define POISE_SURFACE_SETTING_H
#include "assembly/boundary_setting.h"
#include "case/case.h"

struct surface_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    char (*boundary)[NAME_LENGTH];
    int n_boundaries;
    char (*field)[NAME_LENGTH]; /* names: of fields, and of what surfaces have of their own (surface.c) */
    int n_fields;
    int every;                  /* iterations or steps between written faces; 0: when fields are written, only */
};
struct surface_settings { struct surface_setting *item; int n; };

extern const struct section surface_section;
struct case_reader;
void surface_setting_check(struct case_reader *r, const struct surface_settings *s, const struct boundary_settings *b);
#endif
