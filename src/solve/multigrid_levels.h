/* multigrid_levels.h: private to multigrid and its cycles: the hierarchy. */
#ifndef POISE_MULTIGRID_LEVELS_H
#define POISE_MULTIGRID_LEVELS_H
#include "solve/block_kernels.h"
#include "solve/multigrid.h"
#include "solve/regroup.h"
#include "solve/smoother.h"

/* Parameters of the cycle.  Those that no key sets are chosen from the matrix that multigrid is created for, never from
 * the hardware, and kept when the structure is rebuilt.  A run creates its solver for the Laplacian of its mesh, also
 * after a restart, so restarts are identical.  docs/explanation/solvers.md lists iteration counts of the
 * combinations. */
struct cycle_choice {
    int k_levels;               /* number of levels below the finest that are solved by two steps */
    bool second_once;           /* the level below the finest is smoothed by one red-black sweep instead of two
                                   block-Jacobi sweeps */
    double factor;              /* over-correction: multiplies the next level's solution */
    double weight;              /* of each sweep; 0: the roots of Chebyshev's polynomial */
    int first_pairings, pairings;       /* of the finest level, and of the lower ones */
};
/* Before the levels are created: the pairings; for block matrices all of it, because nothing depends on the matrix. */
struct cycle_choice choose_pairings(const struct linear_setting *s, bool blocks);
/* Then, for scalar matrices, the rest: from the matrix, the finest level and the next one, NULL if there is none. */
void choose_steps(struct cycle_choice *c, const struct matrix *a, const struct level_matrix *fine,
                  const struct level_matrix *next, const struct linear_setting *s);

/* Vectors are [block pitch], in single precision. */
struct level {
    struct level_matrix a;              /* the finest level uses the given matrix's own values if it has arrow blocks */
    struct aggregation to_coarse;       /* not on the last level */
    struct regroup *regroup;    /* several ranks: moves the next level's rows to their owners, or NULL */
    float *b, *x, *t;           /* right-hand side, solution, vector being smoothed */
    float *first, *w;           /* K-cycle: solution of the first step and its product; else NULL */
    struct sums sums[2];        /* K_SUMS each, of the first and of the second step, sharing the partial sums */
    struct level_smoother *smoother;    /* NULL: block-Jacobi */
    float *u;                   /* between two applications of the smoother */
    float *inverse;             /* block matrices: [n_padded block^2] inverse of the diagonal's blocks, or of incomplete
                                   LU's D */
    float *damping;                     /* block matrices, block-Jacobi: [n_padded] */
    struct slice_triangles triangles;   /* block matrices, incomplete LU */
};

struct multigrid {
    struct matrix a;                    /* the matrix whose values are used */
    int n_levels;
    struct level level[MOST_LEVELS];
    int bottom;                         /* from this level on one launch does the cycle; n_levels: none */
    struct cycle_step *step;            /* of a cycle, [n_steps], followed by one of no slices */
    int n_steps;
    struct cycle_level *levels_there;   /* [n_levels] on the device */
    struct cycle_step *steps_there;     /* `step` on the device */
    struct linear_setting setting;
    struct cycle_choice choice;
    bool dense;
    bool may_strengthen;        /* the smoother is "auto" and still block-Jacobi */
    double *work;                       /* block matrices: scratch for inverting the last level */
    float *inverse;                     /* of the last level */
    uint16_t *own_place;                /* [n_padded] of the last level, which has no restriction: the row itself */
};

/* Number of smoothings on level i. */
int multigrid_smoothings(const struct multigrid *m, int i);
/* Is level i solved by two steps? */
static inline bool multigrid_is_k(const struct multigrid *m, int i)
{
    return i > 0 && i <= m->choice.k_levels && i < m->n_levels - 1;
}
/* Does this rank have only a part of the level?  Levels below one that every rank has in full are stored in full,
 * too. */
static inline bool multigrid_is_shared(const struct level *l) { return l->a.p.halo; }
/* Destination of level i's restriction: the next level's b, or the buffer from which it is sent there; and the matrix
 * into which sums are added. */
static inline float *multigrid_coarse_b(const struct multigrid *m, int i)
{
    return m->level[i].regroup ? regroup_room(m->level[i].regroup) : m->level[i + 1].b;
}
static inline const struct level_matrix *multigrid_coarse_matrix(const struct multigrid *m, int i)
{
    return m->level[i].regroup ? regroup_made(m->level[i].regroup) : &m->level[i + 1].a;
}
/* Sends the restricted right-hand side to the next level. */
static inline void multigrid_hand_on(const struct multigrid *m, int i)
{
    const struct level *l = &m->level[i];
    if (l->regroup) regroup_vector(l->regroup, &l[1].a, l[1].b);
}
/* Input of the last level's inversion. */
struct dense_args multigrid_last_level(const struct multigrid *m);
/* multigrid_cycle.c: lists the steps of a cycle, once all levels are allocated. */
void multigrid_list_steps(struct multigrid *m);
void multigrid_forget_steps(struct multigrid *m);

/* block_multigrid.c: the same for block matrices: strengths of entries, stored in the finest level, whose matrix is
 * scalar at that point; memory for the blocks of all levels; their values; the damping of the smoother; one smoothing
 * of one level. */
void block_strengths(const struct multigrid *m);
void block_levels_allocate(struct multigrid *m);
void block_levels_refresh(const struct multigrid *m);
float block_damping(const struct multigrid *m);
void block_level_smooth(const struct multigrid *m, const struct level *l, const struct smooth_args *a, bool prolonged);
#endif
