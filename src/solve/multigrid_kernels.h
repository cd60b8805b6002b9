/* multigrid_kernels.h: private to the solvers: the kernels of multigrid, and what conjugate gradients begin a cycle
 * with. */
#ifndef POISE_MULTIGRID_KERNELS_H
#define POISE_MULTIGRID_KERNELS_H
#include "gpu/sums.h"
#include "solve/aggregate.h"

struct to_single_args { const double *from; float *to; };
KERNEL(multigrid_to_single, struct to_single_args)      /* to = from */

struct copy_level_args { struct matrix from; struct level_matrix to; };
KERNEL(multigrid_copy_level, struct copy_level_args)    /* over slices: val, diag, excess; on the same pattern */
/* Over n: entries become their mean with those the other way; entries of other slices stay, because no pair of rows
 * depends on them, and those of other ranks are not here. */
KERNEL(multigrid_mean_entries, struct copy_level_args)

/* A right-hand side and its sums over the children of each coarse row. */
struct restrict_args {
    const int32_t *slice_start, *child_start;
    const uint16_t *place;      /* [n_padded] */
    float *b, *coarse_b;        /* coarse_b NULL: there is no coarser level */
    int64_t block, pitch, coarse_pitch; /* components of a row, and from one to the next */
};
/* b = r / sqrt(norm2), or r where norm2 is NULL or 0. */
struct begin_args { struct restrict_args to; const double *r, *norm2; };
KERNEL(multigrid_begin, struct begin_args)              /* over slices */
struct end_args { const float *x; const double *norm2; double *z; int64_t block, pitch; };
KERNEL(multigrid_end, struct end_args)                  /* z = x sqrt(norm2), or x if norm2 is NULL, 0; over slices */
KERNEL(multigrid_restrict, struct restrict_args)        /* over slices: coarse_b from b */

/* How often a smoothing sweeps over a slice. */
enum { SLICE_SWEEPS = 4 };
struct smooth_args {
    struct level_matrix a;
    const float *b;
    const float *from;          /* the guess; where parent is given, that of the coarse level */
    const int32_t *parent;
    float *to;
    float factor;               /* of numbers: the guess is this times what the parents have */
    /* Of blocks: */
    const float *inverse;       /* [n_padded block^2] of the diagonal's, or what incomplete LU has in their place */
    int64_t from_pitch;         /* from one component of the guess to the next */
    float omega;                /* damping; of block-Jacobi that of each row: */
    const float *damping;       /* [n_padded], or NULL */
    int32_t half;               /* of numbers: which of this rank's slices are smoothed, of enum half; the others' rows
                                 * are only brought from the guess into `to` */
    float weight;               /* of numbers: of each sweep; 0: the roots of Chebyshev's polynomial */
};
/* The halves are smoothed one after the other, the second one with what the first has: block-Gauss-Seidel of two
 * colours. */
enum half { ALL_SLICES, EVEN_SLICES, ODD_SLICES };
KERNEL(multigrid_prolong, struct smooth_args)           /* over n_padded: to = factor from[parent] */
/* Kernels for shapes of levels, with as many entries in registers as suits a GPU: levels of few slices, which have one
 * or two for each multiprocessor; of rows of up to SHORT_ROWS entries in the mean, of over LONG_ROWS; others. */
enum level_shape { LEVEL_USUAL, LEVEL_FEW, LEVEL_SHORT, LEVEL_LONG };
enum { FEW_SLICES = 264 };
#define SHORT_ROWS 4.3
#define LONG_ROWS 8
static inline enum level_shape level_shape(const struct pattern *p)
{
    double entries = (double)p->n_stored / (double)p->n_padded;
    return p->n_slices <= FEW_SLICES ? LEVEL_FEW
           : entries <= SHORT_ROWS   ? LEVEL_SHORT
           : entries > LONG_ROWS     ? LEVEL_LONG
                                     : LEVEL_USUAL;
}
/* One for each shape, and its launch over the slices of a pattern p. */
#define SHAPED_KERNEL(name, args)                                                                            \
    KERNEL(name, args)                                                                                       \
    KERNEL(name##_few, args)                                                                                 \
    KERNEL(name##_short, args)                                                                               \
    KERNEL(name##_long, args)                                                                                \
    static inline void name##_shaped(const args *a, const struct pattern *p)                                 \
    {                                                                                                        \
        const enum level_shape shape = level_shape(p);                                                       \
        (shape == LEVEL_FEW     ? name##_few                                                                 \
         : shape == LEVEL_SHORT ? name##_short                                                               \
         : shape == LEVEL_LONG  ? name##_long                                                                \
                                : name)(a, p->n_slices);                                                     \
    }
SHAPED_KERNEL(multigrid_smooth, struct smooth_args)             /* to = from + M (b - A from) */
SHAPED_KERNEL(multigrid_smooth_prolonged, struct smooth_args)   /* the same, factor from[parent] being the guess */

/* How many entries there are off the diagonal, and how many rows are stretched: their third largest entry is under a
 * tenth of the largest one. */
enum { ROWS_ENTRIES, ROWS_STRETCHED, ROWS_SUMS };
struct count_rows_args { struct level_matrix a; struct sums sums; };
KERNEL(multigrid_count_rows, struct count_rows_args)    /* over slices: ROWS_SUMS sums */

/* Two steps on a coarse level: of conjugate gradients; of matrices that are not symmetric, as blocks are, of GCR, each
 * of which makes the residual b - A x the smallest in its direction.  The sums are x.v, x.b, x.w, of GCR v.v, v.b, v.w:
 * v is the step's product, w the first one's. */
enum { K_XV, K_XB, K_XW, K_SUMS };
struct krylov_args {
    struct level_matrix a;
    struct restrict_args down;  /* of this level: its b is the right-hand side */
    float *first, *x;           /* solutions of the first and of the second step */
    float *w;                   /* product of the first step */
    int32_t second;             /* this is the second step */
    int32_t unit;               /* W-cycle: steps of length 1 */
    int32_t gcr;                /* of numbers: the steps are GCR's */
    int32_t fold;               /* every slice adds the partial sums itself */
    struct sums sums[2];        /* K_SUMS of the first and of the second step, with the same memory for partial ones */
};
KERNEL(multigrid_krylov_product, struct krylov_args)    /* over slices: w = A first, or with x; and sums */
KERNEL(multigrid_krylov_restrict, struct krylov_args)   /* over slices: b -= alpha w, restricted */
KERNEL(multigrid_krylov_combine, struct krylov_args)    /* over slices: x = the best of first and x */

/* The coarsest level: unknown u of row r is number u n + r of n block. */
struct dense_args {
    struct level_matrix a;
    int32_t singular;           /* constants, of blocks those of the last unknown, are in the null space */
    int32_t nonsymmetric;       /* of numbers: the matrix is, so what is inverted is its transpose: the inverse of a
                                 * symmetric one is stored by rows */
    double *work;               /* of blocks: [(n block)^2] */
    float *inverse;             /* [(n block)^2], column after column */
    const float *b;
    float *x;
};
KERNEL(multigrid_dense_invert, struct dense_args)       /* over 1 slice */
enum { DENSE_ROWS = 48 };

/* What the steps of a cycle need of a level. */
enum { MOST_LEVELS = 16 };
struct cycle_level {
    struct krylov_args k;       /* of every level: its matrix, the way down, its solution x */
    const float *coarse_x;      /* of the next level */
    const int32_t *parent;
    float *guess;               /* what is being smoothed */
    const float *inverse;       /* last level, as in dense_args */
    const float *diagonal;      /* these of blocks, as `inverse` and omega in smooth_args */
    int64_t coarse_pitch;       /* of the next level */
    float omega;
    const float *damping;       /* as in smooth_args */
    float factor, weight;       /* as in smooth_args */
    int32_t odd;                /* slice 0 of this rank has an odd number among the slices of all ranks */
};

/* A cycle is a list of steps.  Which of its level's vectors a step makes, or multiplies: */
enum cycle_vector { SOLUTION, FIRST_SOLUTION, GUESS };
enum cycle_what {
    STEP_RESTRICT,              /* the next level's b from b */
    STEP_PROLONG,               /* the vector = the solution of the next level, prolonged and smoothed */
    STEP_SMOOTH,                /* the vector = `from`, smoothed */
    STEP_PRODUCT, STEP_CORRECT, STEP_COMBINE,           /* multigrid_krylov_product() and so on */
    STEP_SOLVE,                 /* last level: x from b by the inverse */
    STEP_CLEAR,                 /* the vector = 0; this and the next: on the host's word alone */
    STEP_HAND_ON                /* several ranks: brings to the next level what was restricted to it */
};
struct cycle_step {
    int32_t what, level, vector, from;
    int32_t half;               /* STEP_PROLONG, STEP_SMOOTH: which of all ranks' slices, of enum half */
    int32_t slices;             /* of the level; 0: behind the last step */
};

ON_DEVICE float *step_vector(const struct cycle_level *l, int32_t vector)
{
    return vector == SOLUTION ? l->k.x : vector == GUESS ? l->guess : l->k.first;
}
ON_DEVICE struct smooth_args step_smoothing(const struct cycle_level *l, const struct cycle_step *s)
{
    struct smooth_args a = {l->k.a, l->k.down.b, step_vector(l, s->from), l->parent, step_vector(l, s->vector), 1,
                            l->diagonal, l->k.a.p.pitch, l->omega, l->damping, s->half, l->weight};
    if (s->half && l->odd) a.half = s->half == ODD_SLICES ? EVEN_SLICES : ODD_SLICES;
    if (s->what == STEP_PROLONG) a.from = l->coarse_x, a.from_pitch = l->coarse_pitch, a.factor = l->factor;
    return a;
}
ON_DEVICE struct krylov_args step_krylov(const struct cycle_level *l, const struct cycle_step *s)
{
    struct krylov_args k = l->k;
    k.second = s->vector == SOLUTION;
    return k;
}
ON_DEVICE struct dense_args step_solution(const struct cycle_level *l)
{
    struct dense_args d = {l->k.a, 0, 0, NULL, (float *)l->inverse, l->k.down.b, l->k.x};
    return d;
}

/* n steps on levels of few slices, one after the other. */
struct cycle_args {
    const struct cycle_level *level;
    const struct cycle_step *step;
    int32_t n_levels, n, block, arrow;
};
KERNEL(multigrid_steps_1, struct cycle_args)            /* a CLUSTER_KERNEL; of blocks: block_kernels.h */
#endif
