/* deadline.h: ends the program where a call of a library does not come back in time and cannot be asked meanwhile. */
#ifndef POISE_DEADLINE_H
#define POISE_DEADLINE_H

/* From here on, until deadline_pass(), the program ends after so many seconds with the text (a whole line) and status
 * EXIT_RESOURCE.  One at a time; a thread of its own waits.  Where there is no thread to be had nothing is watched. */
void deadline_set(double seconds, const char *text);
void deadline_pass(void);
#endif
