/* multigrid_levels.h: private to multigrid and its cycles: the hierarchy. */
#ifndef POISE_MULTIGRID_LEVELS_H
#define POISE_MULTIGRID_LEVELS_H
#include "solve/block_ilu.h"
#include "solve/multigrid.h"
#include "solve/smoother.h"

/* K_LEVELS: so many levels below the finest are solved by two steps.  Of matrices of numbers the first TWICE_SMOOTHED
 * levels are smoothed twice: below them one smoothing does as well as two (measured: as many iterations). */
enum { MOST_LEVELS = 16, K_LEVELS = 2, TWICE_SMOOTHED = 2 };

/* Vectors are [block pitch], in single precision. */
struct level {
    struct level_matrix a;              /* the finest one's values are the given matrix's where that is of arrow blocks */
    struct aggregation to_coarse;       /* not on the last level */
    float *b, *x, *t;           /* right-hand side, solution, the guess that is being smoothed */
    float *first, *w;           /* K-cycle: solution of the first step, and its product; else NULL */
    struct sums sums[2];        /* K_SUMS each, of the first and of the second step; the partial ones are all levels' */
    struct level_smoother *smoother;    /* NULL: block-Jacobi */
    float *u;                   /* between two smoothings by it */
    float *inverse;             /* blocks: [n_padded block^2] of the diagonal's, or of the D of incomplete LU */
    struct slice_triangles triangles;   /* blocks, incomplete LU */
};

struct multigrid {
    struct matrix a;                    /* whose values are taken */
    int n_levels;
    struct level level[MOST_LEVELS];
    int bottom;                         /* from this level on one launch does the cycle; n_levels: on none */
    struct linear_setting setting;
    bool singular, dense;
    double *partial, *work;             /* partial: scratch for the levels' sums */
    float *inverse;                     /* of the last level */
    uint16_t *own_place;                /* [n_padded] of the last level, where nothing is restricted: the row */
};

/* Is level i solved by two steps? */
static inline bool multigrid_is_k(const struct multigrid *m, int i)
{
    return i > 0 && i <= K_LEVELS && i < m->bottom && i < m->n_levels - 1 && m->setting.cycle != CYCLE_V;
}
/* What the last level's inverse is made of. */
struct dense_args multigrid_last_level(const struct multigrid *m);

/* block_multigrid.c: the same for matrices of blocks: how strong entries are, into the finest level, whose matrix is
 * one of numbers then; memory for the blocks of all levels; their values; z = M r. */
void block_strengths(const struct multigrid *m);
void block_levels_allocate(struct multigrid *m);
void block_levels_refresh(const struct multigrid *m);
void block_levels_apply(const struct multigrid *m, const double *r, const double *norm2, double *z);
#endif
