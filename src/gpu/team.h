/* team.h: the CPU threads that share a kernel's work.  The indices are divided into pieces; every thread first does its
 * own pieces and then steals those of others.  So no thread waits for one that has been preempted, unless it was
 * preempted in the middle of a piece, and waiting threads soon yield their cores.  Results do not depend on which
 * thread does which piece. */
#ifndef POISE_TEAM_H
#define POISE_TEAM_H
#include <stdint.h>

enum { MOST_THREADS = 4096 };           /* also because libgomp keeps tables of its threads on the stack */

/* Starts n threads, including the calling one; if OpenMP binds its threads to cores, each is bound like OpenMP's thread
 * of the same number.  On failure returns an errno, with *started threads that could be started; none of them is
 * left. */
int team_start(int n, int *started);
void team_stop(void);
/* Calls body(args, first, last, n) for parts of 0 .. n - 1 and returns when all calls have returned; `grain`: the least
 * number of indices worth a call.  From one thread only, never from inside a body. */
typedef void team_body(const void *args, int64_t first, int64_t last, int64_t n);
void team_run(team_body *body, const void *args, int64_t n, int64_t grain);
#endif
