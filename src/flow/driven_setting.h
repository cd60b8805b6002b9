/* driven_setting.h: the settings of a flow that is driven in a periodic direction. */
#ifndef POISE_DRIVEN_SETTING_H
#define POISE_DRIVEN_SETTING_H
#include <stdbool.h>
#include "case/case.h"

struct driven_setting {
    bool given;
    struct case_place place;    /* of the direction */
    double direction[3];        /* of any length but 0 */
    int direction_length;
    struct value_setting flow_rate;             /* volume per time through a section; 2-D: of unit depth; of time */
    int flow_rate_given;
    struct value_setting pressure_gradient;     /* decrease of the mean pressure per length; of time */
    int pressure_gradient_given;
};

extern const struct section driven_section;
struct case_reader;
struct findings;
void driven_setting_check(struct case_reader *r, struct driven_setting *d);
void driven_setting_check_mesh(const struct driven_setting *d, struct findings *f);
#endif
