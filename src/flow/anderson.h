/* anderson.h: Anderson acceleration (Anderson 1965; Walker & Ni 2011) of an outer iteration x -> G(x) that is repeated
 * until x stands: SIMPLE, SIMPLEC, a coupled solve; likewise of a steady scalar, which is the velocity in what
 * follows.
 *
 * After iteration k the fields, which are G(x_k) then, become
 *   x_(k+1) = G(x_k) - sum_j gamma_j (G(x_(j+1)) - G(x_j)),      j: the last `depth` steps from iteration to iteration,
 * with those gamma that make  f_k - sum_j gamma_j (f_(j+1) - f_j)  least, f being the velocity's change u(G(x)) - u(x)
 * in the norm  sum over cells of V |f|^2.  As a sum of the G(x_j) its weights add up to one: what is linear and true of
 * every G(x_j) stays true, so fluxes stay free of divergence as far as those of each iteration were.
 *
 * The norms and products are sums by fixed trees (gpu/sums.h), one small download an iteration; the system of at most
 * ANDERSON_MOST unknowns is solved on the host: normal equations, every step scaled to length 1, from the newest step
 * on; an older one that newer ones make up already is left out.
 *
 * Safeguards.  The first iterations are left alone.  Where the magnitudes of the weights sum up to more than 5 times
 * the first |f| over this one (at least 5), gamma is made smaller.  Where f grows far beyond the least that the present
 * history has seen, or has not become less for 100 iterations, the history is dropped and begun anew; where that
 * happens again and again without a new least f, the acceleration ends for good. */
#ifndef POISE_ANDERSON_H
#define POISE_ANDERSON_H
#include <stdbool.h>
#include <stdint.h>
#include "assembly/field.h"

enum { ANDERSON_MOST = 20, ANDERSON_ARRAYS = 4 };

/* A field that is mixed, on the machine. */
struct anderson_array {
    const char *name;           /* in the checkpoint, after the setup's and "_" */
    double **value;             /* where the owner has its array, [components pitch] */
    int components;
    int64_t pitch;
    enum mesh_item of;          /* what it has a number for */
};

struct anderson_setup {
    const char *name;           /* of what is kept, in the checkpoint */
    int depth;                  /* 1 .. ANDERSON_MOST */
    bool endless;               /* it never ends, however often the history is dropped in vain */
    struct anderson_array array[ANDERSON_ARRAYS];       /* the first is measured: the velocity; pitch: of cells */
    int n_arrays;
    double noise;               /* part of a step that is noise, as of a linear solve to this tolerance: a step that
                                   adds less than that to newer ones is not used */
    const double *volume;       /* [pitch] of cells on the machine */
    int32_t n_slices;           /* of cells */
};

enum anderson_action { ANDERSON_PLAIN,          /* the fields are G(x): at the start */
                       ANDERSON_MIXED, ANDERSON_DROPPED,        /* G(x), and the history begins anew */
                       ANDERSON_ENDED,          /* G(x), now and from now on: told once */
                       ANDERSON_OFF };          /* as it was ended before */

struct anderson;
/* Allocates all that it will need: of all arrays, and of the velocity once more, one copy and `depth` in single
 * precision, and one more of the velocity. */
struct anderson *anderson_create(const struct anderson_setup *s);
/* Adds what a restart needs to the list, which refers to `a` from then on. */
void anderson_fields(struct anderson *a, struct fields *all);
/* Before an iteration: keeps the velocity. */
void anderson_begin(struct anderson *a);
/* After it: mixes the fields in place.  What is made of them (values at boundaries, gradients) must be made anew where
 * the answer is ANDERSON_MIXED.  Waits. */
enum anderson_action anderson_end(struct anderson *a);
/* Drops the history, where the iteration is another one from now on. */
void anderson_forget(struct anderson *a);
void anderson_free(struct anderson *a);         /* NULL: nothing */
#endif
