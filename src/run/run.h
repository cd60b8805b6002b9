/* run.h: a whole run: device, mesh, iterations to convergence, files, log. */
#ifndef POISE_RUN_H
#define POISE_RUN_H
#include <stdbool.h>
#include "run/case_settings.h"
#include "base/error.h"

/* Systems that can be written, and their command-line options. */
enum system_kind { SYSTEM_PRESSURE, SYSTEM_MOMENTUM, SYSTEM_COUPLED, N_SYSTEMS };
extern const char *const system_option[N_SYSTEMS];

struct run_options {            /* settings from the command line in addition to the case */
    const char *device;         /* "auto", "cpu" or "cuda" */
    int threads;                /* CPU threads, 0 = all */
    bool restart;               /* continue from the checkpoint in the output directory */
    bool digest;                /* print a hash of the final fields */
    const char *system_file[N_SYSTEMS]; /* file for the next iteration's system (system_file.h), or NULL */
    const char *const *set;     /* [n_set] key=value, with which the case was read */
    int n_set;
    double deadline;            /* wall_seconds() by which the run must have ended; 0: none */
    bool quiet;                 /* nothing on the terminal but errors; log.txt is written all the same */
};

/* The case is read again when its mesh is known (case_follow_mesh()).  Returns the program's exit status.  EXIT_INPUT
 * and EXIT_RESOURCE: *e has the reason, which main prints; otherwise the log has it (converged, not converged, diverged
 * and where). */
enum exit_status run_to_end(struct case_settings *c, const struct run_options *o, struct error *e);
#endif
