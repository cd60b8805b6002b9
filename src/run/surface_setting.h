/* surface_setting.h: results on boundaries and on planes that a case asks for. */
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

struct plane_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    double point[3], normal[3];
    int length, normal_length;  /* how many numbers the vectors have */
    char (*field)[NAME_LENGTH]; /* names of fields */
    int n_fields;
    int every;                  /* as of surfaces */
};
struct plane_settings { struct plane_setting *item; int n; };

extern const struct section surface_section, planes_section;
struct case_reader;
struct findings;
void plane_setting_check(struct case_reader *r, const struct plane_settings *p);
void plane_setting_check_mesh(const struct plane_settings *p, struct findings *f);
void surface_setting_check(struct case_reader *r, const struct surface_settings *s, const struct boundary_settings *b);
#endif
