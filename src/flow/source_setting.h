/* source_setting.h: heat, force and resistance in regions of the mesh, sources.NAME. */
#ifndef POISE_SOURCE_SETTING_H
#define POISE_SOURCE_SETTING_H
#include <stdbool.h>
#include "case/case.h"

struct source_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    char region[NAME_LENGTH];   /* of the mesh; "": all cells without a source of the same kind in a region */
    struct value_setting heat;                /* per volume and time */
    int heat_given;
    struct value_setting force[3];      /* per volume */
    int force_length;           /* numbers given */
    struct value_setting resistance;    /* times the velocity: force per volume against it */
    int resistance_given;
};
struct source_settings { struct source_setting *item; int n; };

extern const struct section source_section;
struct case_reader;
struct findings;
void source_setting_check(struct case_reader *r, const struct source_settings *all);
void source_setting_check_mesh(const struct source_settings *all, struct findings *f);
/* The n-th source that `has` holds for, those of all cells first; NULL: there are fewer. */
const struct source_setting *source_setting_next(const struct source_settings *all, int n,
                                                 bool (*has)(const struct source_setting *));
#endif
