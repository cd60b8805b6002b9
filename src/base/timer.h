/* timer.h: a monotonic clock in seconds. It does not wait for the device (device_seconds() does). */
#ifndef POISE_TIMER_H
#define POISE_TIMER_H
double wall_seconds(void);

/* The stages of a run's start and of its end, for the log. stage_done(): the time since the last call of either
 * function was this stage's; stages of one name add up, and between stages_told() and stages_begin() nothing counts.
 * One thread alone. */
void stages_begin(void);
void stage_done(const char *name);
/* "3.05 s: mesh 0.84, files 1.90", or "" where nothing was begun; until the next call. */
const char *stages_told(void);
#endif
