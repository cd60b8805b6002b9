/* shape_setting.h: shapes.NAME: the initial region of the second fluid, the union of all shapes. */
#ifndef POISE_SHAPE_SETTING_H
#define POISE_SHAPE_SETTING_H
#include "case/case.h"

enum shape_type { SHAPE_SPHERE, SHAPE_BOX, SHAPE_HALF_SPACE, SHAPE_LEVEL, N_SHAPE_TYPES };
extern const char *const shape_type_words[N_SHAPE_TYPES];

struct shape_setting {
    char name[NAME_LENGTH];
    struct case_place place;
    enum shape_type type;
    double centre[3], radius;   /* sphere; in 2-D a circle */
    double from[3], to[3];      /* box */
    double point[3], normal[3]; /* half-space: normal out of the second fluid, of any length */
    struct value_setting function;      /* level: negative in the second fluid */
    int length;                 /* length of each of its vectors: 2 or 3; level: 0 */
    int remove;                 /* 1: subtracted from the union of the others */
    int copies[3];              /* number of copies in each positive direction, including itself; 1 1 1: a single
                                   shape */
    double spacing[3];          /* between copies */
};
struct shape_settings { struct shape_setting *item; int n; };

extern const struct section shape_section;
struct case_reader;
struct findings;
void shape_setting_check(struct case_reader *r, const struct shape_settings *s);   /* Sets copies to at least 1. */
void shape_setting_check_mesh(const struct shape_settings *s, struct findings *f);
#endif
