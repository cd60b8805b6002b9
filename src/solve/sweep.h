/* sweep.h: the engine of the methods that consist only of passes over the matrix: Jacobi-Richardson, two-stage
 * Gauss-Seidel, Chebyshev.  Private to them and to smoother.c.
 *
 * With A = L + D + U, each of them computes x from D^-1 b by steps of one form, row by row
 *
 *     out = own x + right D^-1 b + y y + y2 y2 - product D^-1 P x,      P one of L + U, L, U, 0
 *
 * (`own`, `right` and `product` are numbers, y and y2 vectors, each multiplied by its own number).  So a method is a
 * list of steps, and every step is one launch that reads P once.  D^-1 b itself is never stored: a step that reads it
 * as x computes it on the fly, at its neighbours too.
 *
 * Domain "slice": slices replace the processes of Thomas et al. (hybrid Gauss-Seidel).  A list runs on every slice's
 * own rows, in one launch with its vectors in shared memory; it solves for a correction of x, from the residual with
 * the other slices' values from before the launch.  The matrix is read from memory once for n_k sweeps.
 *
 * Domain "rank": a list runs on the rows of each of several ranks as if there were no others.  Ghost columns are
 * present, but every vector and D^-1 are zero there, and nothing is sent.
 *
 * Weights are in device memory, so that a recorded graph stays valid when new values change them.  Columns may be in
 * any order in a row, but where they ascend, L can be read without U: the positions of the last lower and the first
 * upper entry of every warp are stored. */
#ifndef POISE_SWEEP_H
#define POISE_SWEEP_H
#include <stdbool.h>
#include "solve/linear_setting.h"
#include "gpu/sums.h"
#include "solve/aggregate.h"
#include "solve/preconditioner.h"

enum sweep_part { SWEEP_ALL, SWEEP_LOWER, SWEEP_UPPER, SWEEP_NONE };
/* The vectors that a step reads and writes: D^-1 b; the guess and the result of the whole list; the engine's own
 * vectors. */
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
    struct sweep_step *step_there;      /* [n] the steps on the device, with these weights instead of their own: */
    struct sweep_weights *weight;
};

/* A vector stored in a buffer without its factor: its value is scale times the buffer. */
struct scaled_vector { int buffer; double scale; };
/* To build a list: begin a step with out = - product D^-1 P x, add terms to it, add it to the list with the buffer that
 * it writes; and get a buffer of the engine's own that is none of these three. */
struct sweep_step sweep_begin(enum sweep_part part, struct scaled_vector x, double product);
void sweep_term(struct sweep_step *s, struct scaled_vector v, double factor);
void sweep_add(struct sweep_list *l, struct sweep_step s, int out);
int sweep_free_buffer(int a, int b, int c);

/* Sweeps alternately forwards and backwards, forwards first, or only one of both. */
enum sweep_half { SWEEP_SYMMETRIC, SWEEP_FORWARD, SWEEP_BACKWARD };
/* The steps of a method, from zero or from a guess (which must not be the result). */
void jacobi_richardson_steps(struct sweep_list *l, int n, double omega, bool guess);
void two_stage_steps(struct sweep_list *l, const struct linear_setting *s, enum sweep_half half, bool guess);
void chebyshev_steps(struct sweep_list *l, int degree, bool guess);     /* without weights */
/* src/solve/study, from zero. */
void neumann_steps(struct sweep_list *l, int terms);
void incomplete_poisson_steps(struct sweep_list *l);           /* scaled */

/* A matrix in one of the precisions, and memory for the lists to run in. */
struct sweeps {
    struct pattern p;
    const void *val, *diag;     /* double; single if the matrix is */
    bool single;                /* val, the inverse, all vectors: float */
    bool single_diag;
    bool slices, alone;         /* domain: slices; only the rank's rows, of several ranks */
    void *zeros;                /* [pitch - n_padded], if `alone` */
    int outer;                  /* if the domain is slices: how many times the list runs */
    void *inverse;              /* [pitch] D^-1 */
    int64_t *lower_end, *upper_begin;           /* [WARPS n_slices] */
    void *buffer[SWEEP_BUFFERS];
    struct sums sums;           /* one, for a maximum over the rows */
};
/* The steps of set->preconditioner, and their domain; before sweeps_create(). */
void sweep_steps(struct sweeps *s, struct sweep_list *l, const struct linear_setting *set, enum sweep_half half,
                 bool guess);
/* Pattern, val, diag and precisions are set by the caller; creates the rest, memory for the given lists, and their
 * weights. */
void sweeps_create(struct sweeps *s, struct sweep_list *const *lists, int n_lists);
/* D^-1 for new values; only launches kernels. */
void sweeps_refresh(const struct sweeps *s);
/* b, guess (may be NULL), result: [pitch] in the precision of s.  z, if not NULL: sqrt(*norm2) times the result goes
 * there in double precision, and result is scratch.  Only launches kernels. */
void sweeps_run(const struct sweeps *s, const struct sweep_list *l, const void *b, const void *guess, void *result,
                double *z, const double *norm2);
void sweeps_free(struct sweeps *s);
void sweep_list_free(struct sweep_list *l);

/* The weights of Chebyshev's steps, which depend on the matrix; after sweeps_refresh(); only launches kernels. */
void chebyshev_weights(const struct sweeps *s, const struct sweep_list *l, const struct linear_setting *setting,
                       bool guess);

/* A kernel, private to chebyshev.c and sweep.cu. */
struct chebyshev_args {
    struct sweep_weights *weight;
    int32_t degree, guess;      /* the steps start from a guess */
    const double *largest;      /* bound of the eigenvalues of D^-1 A */
    double ratio;
};
KERNEL(chebyshev_weigh, struct chebyshev_args)          /* over 1 */
#endif
