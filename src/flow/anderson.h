/* anderson.h: Anderson acceleration (Anderson 1965; Walker & Ni 2011) of an outer iteration x -> G(x) that is repeated
 * until x no longer changes: SIMPLE, SIMPLEC, a coupled solve; also of a steady scalar, here the "velocity".
 *
 * After iteration k the fields, which are then G(x_k), become
 *   x_(k+1) = G(x_k) - sum_j gamma_j (G(x_(j+1)) - G(x_j)),      j: the last `depth` steps from iteration to iteration,
 * with the gamma that minimise  f_k - sum_j gamma_j (f_(j+1) - f_j),  where f is the velocity's change u(G(x)) - u(x),
 * in the norm  sum over cells of V |f|^2.  The result is a sum of the G(x_j) whose weights add up to one: linear
 * properties of all G(x_j) are preserved, so fluxes remain as divergence-free as those of the iterations.
 *
 * The norms and products are sums by fixed trees (gpu/sums.h), with one small download per iteration; the system of at
 * most ANDERSON_MOST unknowns is solved on the host: normal equations, every step scaled to length 1, from the newest
 * step on; older steps that are linear combinations of newer ones are skipped.
 *
 * Safeguards: The first iterations are not accelerated.  If the sum of the weights' magnitudes exceeds 5 times the
 * first |f| over this one (at least 5), gamma is reduced.  If f grows far beyond its minimum over the present history,
 * or has not decreased for 100 iterations, the history is dropped and restarted; if that happens repeatedly without a
 * new minimum of f, the acceleration ends for good. */
#ifndef POISE_ANDERSON_H
#define POISE_ANDERSON_H
#include <stdbool.h>
#include <stdint.h>
#include "assembly/field.h"

enum { ANDERSON_MOST = 20, ANDERSON_ARRAYS = 5 };

/* A field that is mixed, on the device. */
struct anderson_array {
    const char *name;           /* in the checkpoint, after the setup's name and "_" */
    double **value;             /* the owner's pointer to its array, [components pitch] */
    int components;
    int64_t pitch;
    enum mesh_item of;          /* the mesh items that it has values for */
    bool with_solids;           /* as in struct field */
};

struct anderson_setup {
    const char *name;           /* of the stored state, in the checkpoint */
    int depth;                  /* 1 .. ANDERSON_MOST */
    bool endless;               /* never ends, however often the history is dropped without success */
    struct anderson_array array[ANDERSON_ARRAYS];       /* the first, the velocity, is used for f; pitch: of cells */
    int n_arrays;
    double noise;               /* fraction of a step that is noise, e.g. the tolerance of a linear solve: a step that
                                   adds less than that to newer ones is not used */
    const double *volume;       /* [pitch] of cells on the device */
    int32_t n_slices;           /* of cells */
};

enum anderson_action { ANDERSON_PLAIN,          /* the fields are G(x): at the start */
                       ANDERSON_MIXED, ANDERSON_DROPPED,        /* G(x), and the history is restarted */
                       ANDERSON_ENDED,          /* G(x), from now on: reported once */
                       ANDERSON_OFF };          /* ended earlier */

struct anderson;
/* Allocates all memory: for all arrays, and for the velocity once more, one copy and `depth` in single precision, and
 * another copy of the velocity. */
struct anderson *anderson_create(const struct anderson_setup *s);
/* Adds the state needed for a restart to the list, which refers to `a` from then on. */
void anderson_fields(struct anderson *a, struct fields *all);
/* Before an iteration: stores the velocity. */
void anderson_begin(struct anderson *a);
/* After it: mixes the fields in place.  Derived values (values at boundaries, gradients) must be recomputed if the
 * result is ANDERSON_MIXED.  Waits for the device. */
enum anderson_action anderson_end(struct anderson *a);
/* After anderson_end(): the largest of the velocity's last three steps from iteration to iteration, as a part of the
 * velocity; 0 where they were not accelerated.
 * Where accelerated iterations converge these are of the size of the error, of which residuals may be a thousandth. */
double anderson_last_step(struct anderson *a);
/* Drops the history, if the iteration changes from now on. */
void anderson_forget(struct anderson *a);
/* Begins anew, accelerated from the second iteration on. */
void anderson_restart(struct anderson *a);
void anderson_free(struct anderson *a);         /* NULL: nothing */
#endif
