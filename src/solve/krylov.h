/* krylov.h: what a solver knows of a Krylov method, and the table of them.  A method's file has its create function,
 * which allocates everything.  Private to src/solve. */
#ifndef POISE_KRYLOV_H
#define POISE_KRYLOV_H
#include "gpu/sums.h"
#include "solve/deflation.h"
#include "solve/matrix.h"
#include "solve/preconditioner.h"
#include "solve/solver.h"

/* First member of a method's own struct. */
struct krylov {
    /* Solves for this matrix; preconditioner and deflation have been refreshed for its values.  The result's note is
     * the solver's affair. */
    struct linear_result (*solve)(struct krylov *k, const struct matrix *a, double *x, double *b);
    /* Forgets recorded launches, because something that they use has been made anew. */
    void (*forget)(struct krylov *k);
    void (*free)(struct krylov *k);             /* all but what is handed to it below */
    struct linear_setting setting;
    struct solver_setup setup;
    struct preconditioner *preconditioner;      /* the solver's, as is */
    struct deflation *deflation;                /* or NULL */
    struct sums sums;           /* scratch between iterations: one number at least; the method's to free */
    struct linear_history *history;     /* on the machine, [max_iterations + 1], or NULL */
    bool takes_zero, from_zero; /* solve() can begin from zero, whatever x is, for less; it is to do so */
    int turn;                   /* how many solves in a row were for the same matrix, before this one */
    int iterations;             /* of the last solve */
    double limit;               /* norm of the residual that the last solve was to reach */
    void (*tell)(void *context, int iterations, double residual);       /* or NULL */
    void *context;
};

struct krylov_kind {
    struct krylov *(*create)(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                             struct preconditioner *p, struct deflation *d);
    bool nonsymmetric;          /* takes matrices that are not symmetric, */
    bool any_preconditioner;    /* and preconditioners that are no fixed symmetric operator; */
    bool needs_fixed;           /* but only such as are one and the same operator for every r, symmetric or not */
    bool deflates, sweeps;      /* takes deflation; smoothing_before and smoothing_every */
    int components;             /* at most */
    bool blocks;                /* takes matrices of blocks */
};
extern const struct krylov_kind krylov_kinds[N_LINEAR_METHODS];

/* x -= the mean of its n rows, on the machine. */
void krylov_remove_mean(const struct krylov *k, const struct pattern *p, double *x);
/* The same where partial sums 0 of k->sums are those of x. */
void krylov_remove_sum(const struct krylov *k, const struct pattern *p, double *x);
/* r.r of r = b - A x, of one component; A of numbers. */
double krylov_residual(const struct krylov *k, const struct matrix *a, const double *x, const double *b);
/* The method of a solver: for tests of its kernels. */
struct krylov *solver_krylov(struct solver *s);

/* Kernels, private to krylov.c and krylov.cu. */
/* x -= sum 0 / n_global in n rows; over slices.  fold: it is added up here. */
struct krylov_shift_args { double *x; struct sums sums; double n_global; int32_t n, fold; };
KERNEL(krylov_shift, struct krylov_shift_args)
struct krylov_residual_args { struct matrix a; const double *x, *b; struct sums sums; };
KERNEL(krylov_square_residual, struct krylov_residual_args)     /* sum 0: (b - A x)^2; over slices */
#endif
