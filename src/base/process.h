/* process.h: how the programs poise and poise-gmsh begin and end. */
#ifndef POISE_PROCESS_H
#define POISE_PROCESS_H
#include <stdbool.h>
#include "base/error.h"

/* First of all in main().  Descriptors 0 to 2 that are closed become /dev/null; else a file that is opened would take
 * their number and get what is printed mixed into it.  A pipe that nobody reads and a limit on the size of files become
 * errors of writing instead of signals that end the program on the spot.  SIGUSR1 does nothing
 * until a run listens to it. */
void process_begin(void);
/* From here on a library that calls exit() itself, as most do where memory ends, ends the program with EXIT_RESOURCE.
 * HDF5's own clean-up at exit is switched off, because it crashes where HDF5 was interrupted.  To be called before the
 * first use of HDF5. */
void process_guard_exit(void);
/* Bytes of address space that this process has now; data: those of its own that can be written.  0: not known. */
unsigned long process_bytes(bool data);
/* Lowers this process's own limit (setrlimit()'s resource), unless a lower one is set. */
void process_limit(int resource, unsigned long most);
/* The last thing in main(), which returns what this returns: the given status, or EXIT_RESOURCE and a message where
 * that was EXIT_CONVERGED but the standard output could not be written.  Where it is a pipe that is no longer read,
 * success ends by SIGPIPE, and without a message. */
enum exit_status process_end(enum exit_status status);
#endif
