/* average_setting.h: averages in time that a case asks for. */
#ifndef POISE_AVERAGE_SETTING_H
#define POISE_AVERAGE_SETTING_H
#include <stdbool.h>
#include "case/case.h"

struct averages_setting {
    bool given;
    struct case_place place;
    double from;                /* time, or iteration of a steady run, from which on */
    char (*field)[NAME_LENGTH]; /* names of fields that are averaged in all cells */
    int n_fields;
};

extern const struct section averages_section;
struct case_reader;
/* end: of the run, in the same unit. */
void averages_setting_check(struct case_reader *r, struct averages_setting *a, double end);
#endif
