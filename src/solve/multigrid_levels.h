/* multigrid_levels.h: private to multigrid and its cycles: the hierarchy. */
#ifndef POISE_MULTIGRID_LEVELS_H
#define POISE_MULTIGRID_LEVELS_H
#include "solve/block_kernels.h"
#include "solve/multigrid.h"
#include "solve/regroup.h"
#include "solve/smoother.h"

/* How the cycle goes.  What the keys leave open is chosen from the matrix that multigrid is made for, never from the
 * machine, and kept when the structure is made anew.  A run makes its solver for the Laplacian of its mesh, after a
 * restart too, so it goes on alike.  docs/explanation/solvers.md has the iterations of the combinations. */
struct cycle_choice {
    int k_levels;               /* so many levels below the finest are solved by two steps */
    bool second_once;           /* the level below the finest is smoothed once, in two halves, not twice all at once */
    double factor;              /* of what comes from the next level (over-correction) */
    double weight;              /* of each sweep; 0: the roots of Chebyshev's polynomial */
    int first_pairings, pairings;       /* of the finest level, and of those below */
};
/* Before the levels are made: the pairings; of blocks, where the matrix decides nothing, all of it. */
struct cycle_choice choose_pairings(const struct linear_setting *s, bool blocks);
/* Then, of numbers, the rest: from the matrix, the finest level and the next one, NULL where there is none. */
void choose_steps(struct cycle_choice *c, const struct matrix *a, const struct level_matrix *fine,
                  const struct level_matrix *next, const struct linear_setting *s);

/* Vectors are [block pitch], in single precision. */
struct level {
    struct level_matrix a;              /* values of the finest: the given matrix's own where that is of arrow blocks */
    struct aggregation to_coarse;       /* not on the last level */
    struct regroup *regroup;    /* several ranks: the way of the next level's rows to those that have them, or NULL */
    float *b, *x, *t;           /* right-hand side, solution, the guess that is being smoothed */
    float *first, *w;           /* K-cycle: solution of the first step, and its product; else NULL */
    struct sums sums[2];        /* K_SUMS each, of the first and of the second step, with the same partial ones */
    struct level_smoother *smoother;    /* NULL: block-Jacobi */
    float *u;                   /* between two smoothings by it */
    float *inverse;             /* blocks: [n_padded block^2] of the diagonal's, or of the D of incomplete LU */
    float *damping;                     /* blocks, block-Jacobi: [n_padded] */
    struct slice_triangles triangles;   /* blocks, incomplete LU */
};

struct multigrid {
    struct matrix a;                    /* whose values are taken */
    int n_levels;
    struct level level[MOST_LEVELS];
    int bottom;                         /* from this level on one launch does the cycle; n_levels: on none */
    struct cycle_step *step;            /* of a cycle, [n_steps], and one of no slices */
    int n_steps;
    struct cycle_level *levels_there;   /* [n_levels] on the machine */
    struct cycle_step *steps_there;     /* `step` on the machine */
    struct linear_setting setting;
    struct cycle_choice choice;
    bool dense;
    bool may_strengthen;        /* the smoother is "auto", and block-Jacobi so far */
    double *work;                       /* of blocks: to invert the last level */
    float *inverse;                     /* of the last level */
    uint16_t *own_place;                /* [n_padded] of the last level, where nothing is restricted: the row */
};

/* How often level i is smoothed. */
int multigrid_smoothings(const struct multigrid *m, int i);
/* Is level i solved by two steps? */
static inline bool multigrid_is_k(const struct multigrid *m, int i)
{
    return i > 0 && i <= m->choice.k_levels && i < m->n_levels - 1;
}
/* Does this rank have a part of the level only?  The levels below one that is whole are so too. */
static inline bool multigrid_is_shared(const struct level *l) { return l->a.p.halo; }
/* Where level i is restricted to: the next one's b, or the way there; and the matrix that is summed up there. */
static inline float *multigrid_coarse_b(const struct multigrid *m, int i)
{
    return m->level[i].regroup ? regroup_room(m->level[i].regroup) : m->level[i + 1].b;
}
static inline const struct level_matrix *multigrid_coarse_matrix(const struct multigrid *m, int i)
{
    return m->level[i].regroup ? regroup_made(m->level[i].regroup) : &m->level[i + 1].a;
}
/* Brings to the next level what has been restricted to it. */
static inline void multigrid_hand_on(const struct multigrid *m, int i)
{
    const struct level *l = &m->level[i];
    if (l->regroup) regroup_vector(l->regroup, &l[1].a, l[1].b);
}
/* What the last level's inverse is made of. */
struct dense_args multigrid_last_level(const struct multigrid *m);
/* multigrid_cycle.c: once all levels have their memory: the steps of a cycle. */
void multigrid_list_steps(struct multigrid *m);
void multigrid_forget_steps(struct multigrid *m);

/* block_multigrid.c: the same for matrices of blocks: how strong entries are, into the finest level, whose matrix is
 * one of numbers then; memory for the blocks of all levels; their values; how much of a smoothing's correction
 * is taken; a smoothing of one level. */
void block_strengths(const struct multigrid *m);
void block_levels_allocate(struct multigrid *m);
void block_levels_refresh(const struct multigrid *m);
float block_damping(const struct multigrid *m);
void block_level_smooth(const struct multigrid *m, const struct level *l, const struct smooth_args *a, bool prolonged);
#endif
