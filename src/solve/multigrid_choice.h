/* multigrid_choice.h: private to multigrid: how the cycle goes.  What the keys leave open is chosen from the
 * matrix that multigrid is made for, never from the machine, and kept when the structure is made anew.  A run makes its
 * solver for the Laplacian of its mesh, after a restart too, so it goes on alike.  docs/solvers.md has the iterations
 * of the combinations. */
#ifndef POISE_MULTIGRID_CHOICE_H
#define POISE_MULTIGRID_CHOICE_H
#include <stdbool.h>
#include "solve/linear_setting.h"
#include "solve/multigrid_kernels.h"

struct cycle_choice {
    int k_levels;               /* so many levels below the finest are solved by two steps */
    int sweeps;                 /* of a smoothing, in a slice: FEW_SWEEPS or MOST_SWEEPS */
    bool second_once;           /* the level below the finest is smoothed once, in two halves, not twice all at once */
    double factor;              /* of what comes from the next level (over-correction) */
    double weight;              /* of each sweep; 0: the roots of Chebyshev's polynomial */
    int first_pairings, pairings;       /* of the finest level, and of those below */
};

/* Before the levels are made: the pairings. */
struct cycle_choice choose_pairings(const struct linear_setting *s);
/* All of it for a matrix of blocks, which decides nothing. */
struct cycle_choice choose_for_blocks(const struct linear_setting *s);
/* Then the rest: from the matrix, the finest level and the next one, NULL where there is none. */
void choose_steps(struct cycle_choice *c, const struct matrix *a, const struct level_matrix *fine,
                  const struct level_matrix *next, const struct linear_setting *s);
#endif
