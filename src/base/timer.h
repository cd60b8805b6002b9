/* timer.h: a monotonic clock in seconds. It does not wait for the device (device_seconds() does). */
#ifndef POISE_TIMER_H
#define POISE_TIMER_H
double wall_seconds(void);
#endif
