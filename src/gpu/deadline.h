/* deadline.h: ends the program if a library call does not return in time and cannot be polled. */
#ifndef POISE_DEADLINE_H
#define POISE_DEADLINE_H

/* From now until deadline_pass(), a watchdog thread ends the program after so many seconds with the text (a whole line)
 * and status EXIT_RESOURCE.  One deadline at a time.  If no thread can be started, there is no deadline. */
void deadline_set(double seconds, const char *text);
void deadline_pass(void);
#endif
