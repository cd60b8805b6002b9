/* run.h: a whole run: machine, mesh, iterations to convergence, files, log. */
#ifndef POISE_RUN_H
#define POISE_RUN_H
#include <stdbool.h>
#include "run/case_settings.h"
#include "base/error.h"

/* Systems that can be written, and the options of the command line for that. */
enum system_kind { SYSTEM_PRESSURE, SYSTEM_MOMENTUM, SYSTEM_COUPLED, N_SYSTEMS };
extern const char *const system_option[N_SYSTEMS];

struct run_options {            /* what the command line adds to the case */
    const char *device;         /* "auto", "cpu" or "cuda" */
    int threads;                /* CPU threads, 0 = all */
    bool restart;               /* go on from the checkpoint in the output directory */
    bool digest;                /* print a hash of the final fields */
    const char *system_file[N_SYSTEMS]; /* where the next iteration's system goes (system_file.h), or NULL */
    const char *const *set;     /* [n_set] key=value, with which the case was read */
    int n_set;
    double deadline;            /* wall_seconds() by which the run must have ended; 0: none */
    bool quiet;                 /* nothing on the terminal but errors; log.txt is written all the same */
};

/* The case is read anew once its mesh is there (case_follow_mesh()).  Returns the program's exit status.  EXIT_INPUT
 * and EXIT_RESOURCE: *e says why, main prints it; in the other cases the log has said all (converged, not converged,
 * diverged and where). */
enum exit_status run_to_end(struct case_settings *c, const struct run_options *o, struct error *e);
#endif
