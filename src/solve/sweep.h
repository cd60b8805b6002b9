/* sweep.h: the engine of the methods that are nothing but passes over the matrix: Jacobi-Richardson, two-stage
 * Gauss-Seidel, Chebyshev.  Private to them and to smoother.c.
 *
 * With A = L + D + U, each of them makes x out of D^-1 b by steps of one form, row by row
 *
 *     out = own x + right D^-1 b + y y + y2 y2 - product D^-1 P x,      P one of L + U, L, U, 0
 *
 * (`own`, `right` and `product` are numbers, y and y2 vectors each with a number of its own in front).  So a method
 * is a list of steps, and every step is one launch that reads P once.  D^-1 b itself is never stored: a step that
 * takes it as x computes it on the way, at its neighbours too.
 *
 * Domain "slice": slices take the place that processes have in Thomas et al. (hybrid Gauss-Seidel).  A list runs on
 * every slice's own rows, in one launch with its vectors in shared memory; it solves for a correction of x, from the
 * residual in which the other slices have their values from before the launch.  The matrix is read from memory once
 * for n_k sweeps.
 *
 * Domain "rank": a list runs on the rows of each of several ranks as if there were no others.  Columns of other ranks
 * are there, but every vector is zero in them, and so is D^-1: nothing is sent.
 *
 * Weights are in the machine's memory, so that a recorded graph stays right when new values change them.  Columns
 * may be in any order in a row, but where they ascend, L can be read without U: for every warp it is known where its
 * last lower and its first upper entry are. */
#ifndef POISE_SWEEP_H
#define POISE_SWEEP_H
#include <stdbool.h>
#include "solve/linear_setting.h"
#include "gpu/sums.h"
#include "solve/aggregate.h"
#include "solve/preconditioner.h"

enum sweep_part { SWEEP_ALL, SWEEP_LOWER, SWEEP_UPPER, SWEEP_NONE };
/* What a step reads and writes: D^-1 b; the guess and the result of the whole list; vectors of the engine's own. */
enum { SWEEP_SCALED, SWEEP_GUESS, SWEEP_RESULT, SWEEP_OWN, SWEEP_BUFFERS = SWEEP_OWN + 4, SWEEP_ABSENT = -1 };

struct sweep_weights { double own, right, y, y2, product; };
struct sweep_step {
    enum sweep_part part;
    int x, y, y2, out;
    bool right;                 /* there is a term right D^-1 b */
    struct sweep_weights weight;
};
struct sweep_list {
    int n;
    struct sweep_step *step;
    struct sweep_step *step_there;      /* [n] the steps on the machine, with these weights in place of their own: */
    struct sweep_weights *weight;
};

/* A vector that stands in a buffer without its factor: it means scale times what is there. */
struct scaled_vector { int buffer; double scale; };
/* To write a list: begin a step with out = - product D^-1 P x, add terms to it, add it to the list with the buffer
 * that it writes; and find a buffer of the engine's own that is none of these three. */
struct sweep_step sweep_begin(enum sweep_part part, struct scaled_vector x, double product);
void sweep_term(struct sweep_step *s, struct scaled_vector v, double factor);
void sweep_add(struct sweep_list *l, struct sweep_step s, int out);
int sweep_free_buffer(int a, int b, int c);

/* Sweeps forwards and backwards in turn, forwards first, or one of both alone. */
enum sweep_half { SWEEP_SYMMETRIC, SWEEP_FORWARD, SWEEP_BACKWARD };
/* The steps of a method, from zero or from a guess (which must not be the result). */
void jacobi_richardson_steps(struct sweep_list *l, int n, double omega, bool guess);
void two_stage_steps(struct sweep_list *l, const struct linear_setting *s, enum sweep_half half, bool guess);
void chebyshev_steps(struct sweep_list *l, int degree, bool guess);     /* without weights */
/* src/solve/study, from zero. */
void neumann_steps(struct sweep_list *l, int terms);
void incomplete_poisson_steps(struct sweep_list *l);           /* scaled */

/* A matrix in one of the precisions, and room for lists to run in. */
struct sweeps {
    struct pattern p;
    const void *val, *diag;     /* double; single where the matrix is */
    bool single;                /* val, the inverse, all vectors: float */
    bool single_diag;
    bool slices, alone;         /* domain: slices; the rank's rows, of several ranks */
    void *zeros;                /* [pitch - n_padded], of a rank alone */
    int outer;                  /* where slices are the domain: how many times the list runs */
    void *inverse;              /* [pitch] D^-1 */
    int64_t *lower_end, *upper_begin;           /* [WARPS n_slices] */
    void *buffer[SWEEP_BUFFERS];
    struct sums sums;           /* one, for a maximum over the rows */
};
/* The steps of set->preconditioner, and the domain they run in; before sweeps_create(). */
void sweep_steps(struct sweeps *s, struct sweep_list *l, const struct linear_setting *set, enum sweep_half half,
                 bool guess);
/* Pattern, val, diag and precisions are set; makes the rest, room for the given lists, and their weights. */
void sweeps_create(struct sweeps *s, struct sweep_list *const *lists, int n_lists);
/* D^-1 for new values; launches only. */
void sweeps_refresh(const struct sweeps *s);
/* b, guess (may be NULL), result: [pitch] in the precision of s.  z, if not NULL: sqrt(*norm2) times the result goes
 * there in double precision, and result is scratch.  Launches only. */
void sweeps_run(const struct sweeps *s, const struct sweep_list *l, const void *b, const void *guess, void *result,
                double *z, const double *norm2);
void sweeps_free(struct sweeps *s);
void sweep_list_free(struct sweep_list *l);

/* The weights of Chebyshev's steps, which depend on the matrix: after sweeps_refresh(); launches only. */
void chebyshev_weights(const struct sweeps *s, const struct sweep_list *l, const struct linear_setting *setting,
                       bool guess);

/* A kernel, private to chebyshev.c and sweep.cu. */
struct chebyshev_args {
    struct sweep_weights *weight;
    int32_t degree, guess;      /* the steps begin from a guess */
    const double *largest;      /* bound of the eigenvalues of D^-1 A */
    double ratio;
};
KERNEL(chebyshev_weigh, struct chebyshev_args)          /* over 1 */
#endif
