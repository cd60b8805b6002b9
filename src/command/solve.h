/* solve.h: the parts of `poise solve`: its options (solve_options.c), the run (solve.c), one method (solve_method.c),
 * the report (solve_report.c). */
#ifndef POISE_COMMAND_SOLVE_H
#define POISE_COMMAND_SOLVE_H
#include "solve/linear_setting.h"
#include "solve/condition.h"
#include "solve/solver.h"
#include "system/linear_system.h"

struct method {
    char name[200];             /* as given by the user */
    struct linear_setting setting;
    /* Its result; seconds are medians over the repetitions. */
    bool refused;               /* the method does not support this matrix: see e */
    struct error e;
    struct linear_result result;
    char note[300];             /* copy of result.note */
    double applications;        /* seconds for the requested number of applications */
    double set_up, refresh, solve;      /* seconds; the solve includes the refresh */
    double residual;            /* |b - A x| / |b - A x_0| after the last solve, recomputed */
    bool inexact;               /* `residual` exceeds the solver's recursive residual: limited by rounding */
    size_t bytes;               /* on the device, without matrix, b and x */
    int32_t deflation_vectors;
    char choice[120];           /* choices of multigrid for the matrix, or empty */
    double *history;            /* [result.iterations + 1] relative residuals, or NULL */
    struct condition condition; /* of the preconditioned (and deflated) matrix, estimated from the iterations */
};

struct solve {
    const char *matrix, *generate, *sides, *rhs, *ordering, *device, *write, *history, *solution;
    bool random_guess, condition, digest;
    int repeat, threads;
    int block;                  /* 0: as in the system */
    int applications;           /* of the preconditioner, timed separately */
    struct method *method;
    int n_methods;
    struct linear_system system;
    struct matrix a;
    double *b, *guess;          /* host, rows as in system */
    double read_seconds, order_seconds;
};

/* Options as given. */
struct solve_texts { const char *methods, *solver, *restart, *precision, *tolerance, *max_iterations; };
/* False: a message was printed (*e is empty then), or is in *e. */
bool solve_read_options(struct solve *s, struct solve_texts *t, int argc, char **argv, struct error *e);
/* Parses an option's integer value, at least `least`, into *v. */
bool solve_read_whole(const char *option, const char *text, int least, int *v, struct error *e);
/* Parses the methods again: their suitability depends on the system, once it is known. */
bool solve_read_methods(struct solve *s, const struct solve_texts *t, struct error *e);

/* Runs the method; *x: the solution, in the file's order of rows (the caller frees it); NULL if the method was
 * rejected, if no option needs it (solution, digest), and on ranks other than 0. */
void method_run(struct method *m, const struct solve *s, double **x);
/* The exit status for the method's result; frees the method's data. */
enum exit_status method_status(const struct method *m);

/* Prints the matrix and its memory needs, before anything is allocated on the device; false: it needs too much. */
bool report_system(const struct solve *s, struct error *e);
void report_heading(const struct solve *s);
void report_method(const struct method *m, const struct solve *s);
/* CSV: iteration, then a column of relative residuals for every method. */
bool report_history(const struct solve *s, struct error *e);
#endif
