/* Whether the flow of a steady run still starts (starting.h). */
#include "run/starting.h"
#include <math.h>

#define GROWN 1.01              /* a velocity that has become larger by this factor is still starting */
#define TO_AND_FRO 1.3          /* it oscillates if its path is longer than its swing by this factor */

bool starting_add(struct starting *s, double speed)
{
    if (!(s->samples > 0)) *s = (struct starting){.began = speed, .least = speed, .most = speed, .record = s->record};
    else s->path += fabs(speed - s->last);
    s->least = fmin(s->least, speed), s->most = fmax(s->most, speed), s->last = speed;
    if (s->samples++ < STARTING_SAMPLES) return false;
    const double before = fmax(s->began, s->record);
    const bool oscillates = s->path > TO_AND_FRO * (s->most - s->least);
    const bool starts = !oscillates && before > 0 && speed > GROWN * before;
    *s = (struct starting){.record = fmax(s->record, speed), .over = !starts};
    return starts;
}
