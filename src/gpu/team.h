/* team.h: the CPU threads that share a kernel's work.  The indices are divided into pieces, of which every thread has
 * some, first its own ones and then what is left of the others'.  So nobody waits for a thread that another program has
 * put off its core, unless it was put off in the middle of a piece; and what waits gives its core away soon.  Which
 * thread does a piece makes no difference to what is computed. */
#ifndef POISE_TEAM_H
#define POISE_TEAM_H
#include <stdint.h>

enum { MOST_THREADS = 4096 };           /* also because libgomp keeps tables of its threads on the stack */

/* Starts n threads, this one being one of them; where OpenMP binds its threads to cores, each to those of OpenMP's of
 * its number.  Else why not, as in errno, with *started threads that could be had; none of them is left. */
int team_start(int n, int *started);
void team_stop(void);
/* Calls body(args, first, last, n) for parts of 0 .. n - 1, of which `grain` indices are the least that is worth a
 * call, and returns when all have returned.  From one thread only, never from inside of a body. */
typedef void team_body(const void *args, int64_t first, int64_t last, int64_t n);
void team_run(team_body *body, const void *args, int64_t n, int64_t grain);
#endif
