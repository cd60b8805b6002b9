/* solve.h: the parts of `poise solve`: what was asked for (solve_options.c), the run (solve.c), what a method did
 * (solve_method.c), how it is told (solve_report.c). */
#ifndef POISE_COMMAND_SOLVE_H
#define POISE_COMMAND_SOLVE_H
#include "solve/linear_setting.h"
#include "solve/condition.h"
#include "solve/solver.h"
#include "system/linear_system.h"

struct method {
    char name[200];             /* as the user wrote it */
    struct linear_setting setting;
    /* What it did; seconds are medians over the repetitions. */
    bool refused;               /* the method cannot be had for this matrix: e says why */
    struct error e;
    struct linear_result result;
    char note[300];             /* result.note, kept */
    double applications;        /* seconds that so many as were asked for took */
    double set_up, refresh, solve;      /* seconds; the refresh is a part of the solve */
    double residual;            /* |b - A x| / |b - A x_0| after the last solve, computed anew */
    bool inexact;               /* `residual` is above the one that the solver carried: rounding allows no more */
    size_t bytes;               /* on the machine, without matrix, b and x */
    int32_t deflation_vectors;
    char choice[120];           /* what multigrid chose from the matrix, or empty */
    double *history;            /* [result.iterations + 1] relative residuals, or NULL */
    struct condition condition; /* of the preconditioned (and deflated) matrix, as the iterations have seen it */
};

struct solve {
    const char *matrix, *generate, *sides, *rhs, *ordering, *device, *write, *history, *solution;
    bool random_guess, condition, digest;
    int repeat, threads;
    int block;                  /* 0: as the system has it */
    int applications;           /* of the preconditioner, to be timed by themselves */
    struct method *method;
    int n_methods;
    struct linear_system system;
    struct matrix a;
    double *b, *guess;          /* host, rows as in system */
    double read_seconds, order_seconds;
};

/* Options as they were written. */
struct solve_texts { const char *methods, *solver, *restart, *precision, *tolerance, *max_iterations; };
/* False: a message was printed (*e is empty then), or is in *e. */
bool solve_read_options(struct solve *s, struct solve_texts *t, int argc, char **argv, struct error *e);
/* *v = the whole number, at least `least`, that an option has. */
bool solve_read_whole(const char *option, const char *text, int least, int *v, struct error *e);
/* The methods, anew from their texts: what suits them depends on the system, once that is there. */
bool solve_read_methods(struct solve *s, const struct solve_texts *t, struct error *e);

/* Runs the method; *x: the solution, rows as in the file (the caller frees it); NULL when it was refused, when nobody
 * asked for it (solution, digest), and on ranks other than 0. */
void method_run(struct method *m, const struct solve *s, double **x);
/* The exit status that the method's result means; frees what the method has. */
enum exit_status method_status(const struct method *m);

/* What the matrix is and what it will take, before anything is allocated on the machine; false: that is too much. */
bool report_system(const struct solve *s, struct error *e);
void report_heading(const struct solve *s);
void report_method(const struct method *m, const struct solve *s);
/* CSV: iteration, then a column of relative residuals for every method. */
bool report_history(const struct solve *s, struct error *e);
#endif
