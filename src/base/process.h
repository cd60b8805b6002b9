/* process.h: how a program of Poise's begins and ends. */
#ifndef POISE_PROCESS_H
#define POISE_PROCESS_H
#include "base/error.h"

/* First of all in main().  Descriptors 0 to 2 that are closed become /dev/null, so that no file is opened under them and
 * has what is printed mixed into it.  A pipe that nobody reads and a limit on the size of files come back as errors of
 * writing, with their message, instead of signals that end the program in silence; SIGUSR1 does nothing where no run is
 * there to heed it. */
void process_begin(void);
/* From here on a library that calls exit() itself, as most do where memory ends, ends the program with EXIT_RESOURCE;
 * HDF5 does not take itself down at exit, which crashes where it was interrupted.  Before the first use of HDF5. */
void process_guard_exit(void);
/* The last thing in main(), which returns what it returns: the status, but EXIT_RESOURCE where that was EXIT_CONVERGED
 * and the standard output could not be written, with a message. */
enum exit_status process_end(enum exit_status status);
#endif
