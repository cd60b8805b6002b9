/* multigrid_kernels.h: private to the solvers: the kernels of multigrid, and the one with which conjugate gradients
 * begin a cycle. */
#ifndef POISE_MULTIGRID_KERNELS_H
#define POISE_MULTIGRID_KERNELS_H
#include "gpu/sums.h"
#include "solve/aggregate.h"

struct to_single_args { const double *from; float *to; };
KERNEL(multigrid_to_single, struct to_single_args)      /* to = from */

struct copy_level_args { struct matrix from; struct level_matrix to; };
KERNEL(multigrid_copy_level, struct copy_level_args)    /* over slices: val, diag, row sums; on the same pattern */
/* Over n: replaces entries by the mean of a_ij and a_ji; entries to other slices are unchanged, because no pair of rows
 * depends on them, and those of other ranks are not available. */
KERNEL(multigrid_mean_entries, struct copy_level_args)

/* A right-hand side and its sums over the children of each coarse row. */
struct restrict_args {
    const int32_t *slice_start, *child_start;
    const uint16_t *place;      /* [n_padded] */
    float *b, *coarse_b;        /* coarse_b NULL: no coarser level */
    int64_t block, pitch, coarse_pitch; /* components per row, and their pitches */
};
/* b = r / sqrt(norm2), or r where norm2 is NULL or 0. */
struct begin_args { struct restrict_args to; const double *r, *norm2; };
KERNEL(multigrid_begin, struct begin_args)              /* over slices */
struct end_args { const float *x; const double *norm2; double *z; int64_t block, pitch; };
KERNEL(multigrid_end, struct end_args)                  /* z = x sqrt(norm2), or x if norm2 is NULL, 0; over slices */
KERNEL(multigrid_restrict, struct restrict_args)        /* over slices: coarse_b from b */

/* Number of sweeps over a slice in one smoothing. */
enum { SLICE_SWEEPS = 4 };
struct smooth_args {
    struct level_matrix a;
    const float *b;
    const float *from;          /* the guess; if parent is given, on the coarse level */
    const int32_t *parent;
    float *to;
    float factor;               /* scalar matrices: multiplies the parents' guess */
    /* Block matrices: */
    const float *inverse;       /* [n_padded block^2] inverses of the diagonal's blocks, or of incomplete LU's D */
    int64_t from_pitch;         /* between components of the guess */
    float omega;                /* damping; for block-Jacobi the upper limit of: */
    const float *damping;       /* [n_padded], or NULL */
    int32_t half;               /* scalar matrices: which of this rank's slices are smoothed (enum half); rows of the
                                 * others are only copied from the guess to `to` */
    float weight;               /* scalar matrices: of each sweep; 0: the roots of Chebyshev's polynomial */
};
/* The halves are smoothed one after the other, the second one with the first one's results: two-colour
 * block-Gauss-Seidel. */
enum half { ALL_SLICES, EVEN_SLICES, ODD_SLICES };
KERNEL(multigrid_prolong, struct smooth_args)           /* over n_padded: to = factor from[parent] */
/* Kernel variants for shapes of levels, which keep as many entries in registers as is best on a GPU: levels of few
 * slices, with one or two for each multiprocessor; rows of up to SHORT_ROWS entries on average, of more than LONG_ROWS;
 * others. */
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
/* One kernel for each shape, and its launch over the slices of a pattern p. */
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
SHAPED_KERNEL(multigrid_smooth_prolonged, struct smooth_args)   /* the same with the guess factor from[parent] */

/* Number of off-diagonal entries, and number of stretched rows: rows whose third largest entry is under a tenth of the
 * largest. */
enum { ROWS_ENTRIES, ROWS_STRETCHED, ROWS_SUMS };
struct count_rows_args { struct level_matrix a; struct sums sums; };
KERNEL(multigrid_count_rows, struct count_rows_args)    /* over slices: ROWS_SUMS sums */

/* Two steps on a coarse level: of conjugate gradients, or for nonsymmetric (and all block) matrices of GCR, each of
 * which minimises the residual b - A x along its direction.  The sums are x.v, x.b, x.w, for GCR v.v, v.b, v.w: v is
 * this step's product A x, w the first step's. */
enum { K_XV, K_XB, K_XW, K_SUMS };
struct krylov_args {
    struct level_matrix a;
    struct restrict_args down;  /* of this level; b is the right-hand side */
    float *first, *x;           /* solutions of the first and of the second step */
    float *w;                   /* product of the first step */
    int32_t second;             /* this is the second step */
    int32_t unit;               /* W-cycle: step length 1 */
    int32_t gcr;                /* scalar matrices: the steps are GCR's */
    int32_t fold;               /* every slice adds the partial sums itself */
    struct sums sums[2];        /* K_SUMS of the first and of the second step, sharing the memory for partial sums */
};
KERNEL(multigrid_krylov_product, struct krylov_args)    /* over slices: w = A first, or with x; and sums */
KERNEL(multigrid_krylov_restrict, struct krylov_args)   /* over slices: b -= alpha w, restricted */
KERNEL(multigrid_krylov_combine, struct krylov_args)    /* over slices: x = the optimal combination of first and x */

/* The coarsest level: unknown u of row r is number u n + r out of n block. */
struct dense_args {
    struct level_matrix a;
    int32_t singular;           /* constants (block matrices: of the last unknown) are in the null space */
    int32_t nonsymmetric;       /* scalar matrices: the matrix is nonsymmetric, so its transpose is inverted, because
                                 * inverses of symmetric ones are stored by rows */
    double *work;               /* block matrices: [(n block)^2] */
    float *inverse;             /* [(n block)^2], column after column */
    const float *b;
    float *x;
};
KERNEL(multigrid_dense_invert, struct dense_args)       /* over 1 slice */
enum { DENSE_ROWS = 48 };

/* The data of a level that the steps of a cycle use. */
enum { MOST_LEVELS = 16 };
struct cycle_level {
    struct krylov_args k;       /* for every level: its matrix, restriction, and solution x */
    const float *coarse_x;      /* of the next level */
    const int32_t *parent;
    float *guess;               /* the vector being smoothed */
    const float *inverse;       /* last level, as in dense_args */
    const float *diagonal;      /* this and the next: block matrices, as `inverse` and omega in smooth_args */
    int64_t coarse_pitch;       /* of the next level */
    float omega;
    const float *damping;       /* as in smooth_args */
    float factor, weight;       /* as in smooth_args */
    int32_t odd;                /* slice 0 of this rank has an odd number among the slices of all ranks */
};

/* A cycle is a list of steps.  Which vector of its level a step computes or multiplies: */
enum cycle_vector { SOLUTION, FIRST_SOLUTION, GUESS };
enum cycle_what {
    STEP_RESTRICT,              /* the next level's b from b */
    STEP_PROLONG,               /* the vector = the solution of the next level, prolonged and smoothed */
    STEP_SMOOTH,                /* the vector = `from`, smoothed */
    STEP_PRODUCT, STEP_CORRECT, STEP_COMBINE,           /* multigrid_krylov_product() and so on */
    STEP_SOLVE,                 /* last level: x from b by the inverse */
    STEP_CLEAR,                 /* the vector = 0; this and the next: only in cycles launched by the host */
    STEP_HAND_ON                /* several ranks: sends the restricted right-hand side to the next level */
};
struct cycle_step {
    int32_t what, level, vector, from;
    int32_t half;               /* STEP_PROLONG, STEP_SMOOTH: which slices among those of all ranks, of enum half */
    int32_t slices;             /* of the level; 0: end of the list */
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

/* n steps on levels of few slices, in sequence. */
struct cycle_args {
    const struct cycle_level *level;
    const struct cycle_step *step;
    int32_t n_levels, n, block, arrow;
};
KERNEL(multigrid_steps_1, struct cycle_args)            /* a CLUSTER_KERNEL; for block matrices: block_kernels.h */
#endif
