/* The monotonic clock (timer.h). */
#include "base/timer.h"
#include <stdio.h>
#include <string.h>
#include <time.h>

double wall_seconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

enum { MOST_STAGES = 16 };
static struct {
    double begun, last;         /* begun: 0: not measuring */
    int n;
    struct { const char *name; double seconds; } stage[MOST_STAGES];
} stages;

void stages_begin(void)
{
    stages.begun = stages.last = wall_seconds();
    stages.n = 0;
}

void stage_done(const char *name)
{
    const double now = wall_seconds();
    int i = 0;
    if (stages.begun <= 0) return;
    while (i < stages.n && strcmp(stages.stage[i].name, name)) i++;
    if (i == MOST_STAGES) i--;
    else if (i == stages.n) stages.n++, stages.stage[i].name = name, stages.stage[i].seconds = 0;
    stages.stage[i].seconds += now - stages.last;
    stages.last = now;
}

const char *stages_told(void)
{
    static char text[40 * (MOST_STAGES + 1)];
    if (stages.begun <= 0) return "";
    int n = snprintf(text, sizeof text, "%.2f s", stages.last - stages.begun);
    for (int i = 0; i < stages.n; i++)
        n += snprintf(text + n, sizeof text - (size_t)n, "%s %.30s %.2f", i ? "," : ":", stages.stage[i].name,
                      stages.stage[i].seconds);
    stages.begun = 0;
    return text;
}
