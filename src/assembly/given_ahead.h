/* given_ahead.h: private to given.c: values of the next step, which a thread evaluates while the device computes. */
#ifndef POISE_GIVEN_AHEAD_H
#define POISE_GIVEN_AHEAD_H
#include "assembly/given.h"

/* Starts the thread; the list's values may be used, but not evaluated, before given_ahead_wait(). */
void given_ahead_start(struct given_list *list, double t);
/* Waits until the thread has ended. */
void given_ahead_wait(struct given_list *list);
/* Moves the values of entry i at the list's time to the entry.  False: they have not been evaluated, or not without an
 * error, which evaluating them again will tell. */
bool given_ahead_take(struct given_list *list, int i);
void given_ahead_free(struct given_list *list);
#endif
