/* krylov.h: the interface between a solver and its Krylov method, and the table of methods.  A method's file has its
 * create function, which allocates everything.  Private to src/solve. */
#ifndef POISE_KRYLOV_H
#define POISE_KRYLOV_H
#include "gpu/sums.h"
#include "solve/deflation.h"
#include "solve/matrix.h"
#include "solve/preconditioner.h"
#include "solve/solver.h"

/* First member of a method's own struct. */
struct krylov {
    /* Solves for this matrix; preconditioner and deflation have been refreshed for its values.  The caller sets the
     * result's note. */
    struct linear_result (*solve)(struct krylov *k, const struct matrix *a, double *x, double *b);
    /* Discards recorded launches, because something that they use has been reallocated. */
    void (*forget)(struct krylov *k);
    void (*free)(struct krylov *k);             /* everything except the objects passed in below */
    struct linear_setting setting;
    struct solver_setup setup;
    struct preconditioner *preconditioner;      /* owned by the solver */
    struct deflation *deflation;                /* or NULL */
    struct sums sums;           /* scratch between iterations: at least one number; freed by the method */
    struct linear_history *history;     /* on the device, [max_iterations + 1], or NULL */
    bool takes_zero, from_zero; /* solve() can start from zero at lower cost, ignoring x; it shall do so */
    int turn;                   /* number of preceding consecutive solves for the same matrix */
    int iterations;             /* of the last solve */
    double limit;               /* norm of the residual that was the last solve's target */
    void (*tell)(void *context, int iterations, double residual);       /* progress report, or NULL */
    void *context;
};

struct krylov_kind {
    struct krylov *(*create)(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                             struct preconditioner *p, struct deflation *d);
    bool nonsymmetric;          /* accepts nonsymmetric matrices */
    bool any_preconditioner;    /* accepts preconditioners that are not a fixed symmetric operator */
    bool needs_fixed;           /* but only those that are the same operator for every r, symmetric or not */
    bool deflates, sweeps;      /* supports deflation; smoothing_before and smoothing_every */
    int components;             /* at most */
    bool blocks;                /* accepts block matrices */
};
extern const struct krylov_kind krylov_kinds[N_LINEAR_METHODS];

/* Subtracts from x the mean of its n rows, on the device. */
void krylov_remove_mean(const struct krylov *k, const struct pattern *p, double *x);
/* The same if partial sums 0 of k->sums are those of x. */
void krylov_remove_sum(const struct krylov *k, const struct pattern *p, double *x);
/* r.r of r = b - A x, for one component and a scalar matrix. */
double krylov_residual(const struct krylov *k, const struct matrix *a, const double *x, const double *b);
/* The method of a solver, for tests of its kernels. */
struct krylov *solver_krylov(struct solver *s);

/* Kernels, private to krylov.c and krylov.cu. */
/* x -= sum 0 / n_global in n rows; over slices.  fold: the sum is added in this kernel. */
struct krylov_shift_args { double *x; struct sums sums; double n_global; int32_t n, fold; };
KERNEL(krylov_shift, struct krylov_shift_args)
struct krylov_residual_args { struct matrix a; const double *x, *b; struct sums sums; };
KERNEL(krylov_square_residual, struct krylov_residual_args)     /* sum 0: (b - A x)^2; over slices */
#endif
