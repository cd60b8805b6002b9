/* Times of the phases of repeated work, from moments noted on the device (stopwatch.h). */
#include "gpu/stopwatch.h"
#include <string.h>
#include "gpu/device.h"

#define PLACE(k) ((k) % STOPWATCH_MOMENTS)

static void read_oldest(struct stopwatch *s)
{
    int64_t k = s->read++;
    int part = s->part[PLACE(k)];
    if (part >= 0) s->seconds[part] += device_between(s->moment[PLACE(k - 1)], s->moment[PLACE(k)]);
}

static void note(struct stopwatch *s, int part)
{
    if (s->noted - s->read == STOPWATCH_MOMENTS - 1) read_oldest(s);    /* which needs the previous one */
    void **moment = &s->moment[PLACE(s->noted)];
    *moment = device_moment(*moment);
    s->part[PLACE(s->noted++)] = part;
}

void stopwatch_start(struct stopwatch *s) { note(s, -1); }
void stopwatch_lap(struct stopwatch *s, int part) { note(s, part); }

const double *stopwatch_seconds(struct stopwatch *s)
{
    while (s->read < s->noted) read_oldest(s);
    return s->seconds;
}

void stopwatch_free(struct stopwatch *s)
{
    for (int i = 0; i < STOPWATCH_MOMENTS; i++) device_moment_free(s->moment[i]);
    memset(s, 0, sizeof *s);
}
