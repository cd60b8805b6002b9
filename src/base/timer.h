/* timer.h: a monotonic clock in seconds.  It does not wait for the device (device_seconds() does). */
#ifndef POISE_TIMER_H
#define POISE_TIMER_H
double wall_seconds(void);

/* Stages of a run's start and end, for the log.  stage_done(): the time since the last call of either function belongs
 * to this stage; stages with the same name add up, and time between stages_told() and stages_begin() is not counted.
 * For one thread. */
void stages_begin(void);
void stage_done(const char *name);
/* "3.05 s: mesh 0.84, files 1.90", or "" if nothing was measured; valid until the next call. */
const char *stages_told(void);
#endif
