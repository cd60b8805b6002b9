/* starting.h: whether the flow of a steady run still starts, by its largest speed; private to src/run.  Numbers alone,
 * for checkpoints: a restarted run decides as one that was never stopped. */
#ifndef POISE_STARTING_H
#define POISE_STARTING_H
#include <stdbool.h>

enum { STARTING_SAMPLES = 20 }; /* intervals of a window; one sample more than that */

struct starting {               /* doubles only: a field of checkpoints */
    double samples;             /* of the present window, 0: there is none */
    double began, least, most, last;    /* speeds in it */
    double path;                /* sum of the changes between its samples */
    double record;              /* the largest speed at the end of earlier windows */
    double over;                /* 1: a window has ended in which the flow did not start */
};
/* Adds a sample.  Returns true if it ends a window in which the flow starts: the speed, without oscillating, has grown
 * by more than 1 %, beyond that of all earlier windows. */
bool starting_add(struct starting *s, double speed);
#endif
