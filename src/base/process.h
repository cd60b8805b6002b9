/* process.h: start and end of the programs poise and poise-gmsh. */
#ifndef POISE_PROCESS_H
#define POISE_PROCESS_H
#include <stdbool.h>
#include "base/error.h"

/* First call in main().  Closed descriptors 0 to 2 are opened as /dev/null; otherwise a file opened later would get
 * such a number and receive printed output.  A closed pipe and the limit on file size become write errors instead of
 * fatal signals.  SIGUSR1 is ignored until a run handles it. */
void process_begin(void);
/* From here on, a library that calls exit(), as most do when memory is exhausted, ends the program with EXIT_RESOURCE.
 * HDF5's clean-up at exit is disabled, because it crashes if HDF5 was interrupted.  Call it before the first use of
 * HDF5. */
void process_guard_exit(void);
/* Bytes of address space of this process; data: its private writable bytes.  0: unknown. */
unsigned long process_bytes(bool data);
/* Lowers this process's limit (setrlimit()'s resource), unless it is lower already. */
void process_limit(int resource, unsigned long most);
/* Last call in main(), which returns its result: the given status, or EXIT_RESOURCE with a message if that was
 * EXIT_CONVERGED but standard output could not be written.  If standard output is a closed pipe, success ends by
 * SIGPIPE without a message. */
enum exit_status process_end(enum exit_status status);
#endif
