/* Chooses the parameters of multigrid that the settings leave open (multigrid_levels.h). */
#include "solve/contrast.h"
#include "solve/multigrid_levels.h"

/* A row is stretched if its third largest entry is under a tenth of the largest one: its cell is coupled to its
 * neighbours in only one direction.  In 3-D, with more than this fraction of such rows, much over-correction costs
 * iterations. */
static const double MANY_STRETCHED = 0.05;
/* Which graphs are those of cells in 3-D: rows with more off-diagonal entries on average than these, on the finest
 * level or on the next one.  In 2-D a row has less than 6 neighbours on average on every level (Euler's formula), and
 * on the next level 4.4 to 5.5 for uniform, stretched and distorted squares and for triangles; in 3-D 5.9 and more. */
static const double IN_SPACE = 5, NEXT_IN_SPACE = 5.7;
/* With jumps (matrix_contrast(); 2 to 4 in graded meshes) one level by two steps takes up to twice the iterations of
 * two levels; in 2-D too, increasingly with the size of the matrix, so that with more rows than these two are
 * faster. */
static const double JUMPS = 10;
static const int64_t FEW_ROWS = 100000;
static const double FACTOR_STRETCHED = 1.25, FACTOR = 1.5, FACTOR_OF_TWO = 1.4;
/* For nonsymmetric matrices.  Where convection dominates, the eigenvalues of D^-1 A fill the disc of radius 1 around 1,
 * on which Chebyshev's sweeps diverge; sweeps with a constant weight below 1 converge for every M-matrix. Much
 * over-correction is wrong for convected components. */
static const double FACTOR_NONSYMMETRIC = 1.25, WEIGHT_NONSYMMETRIC = 0.9;

/* For block matrices.  With only levels of pairs the iterations grow least with the mesh, but such a hierarchy is long:
 * pairs on the finest level and aggregates of four below take about as many iterations, and no more time than larger
 * aggregates (docs/benchmarks.md, "The coupled algorithm on a GPU"). */
enum { FIRST_BLOCK_PAIRINGS = 1, BLOCK_PAIRINGS = 2, BLOCK_K_LEVELS = 3 };

/* The counts of multigrid_count_rows() divided by the number of rows. */
static void count_rows(const struct level_matrix *a, double *a_row)
{
    struct sums sums = (a->p.halo ? sums_create : sums_create_own)(ROWS_SUMS, a->p.n_slices, "multigrid structure");
    struct count_rows_args c = {*a, sums};
    multigrid_count_rows(&c, a->p.n_slices);
    sums_finish(&sums, 0, ROWS_SUMS);
    sums_download(&sums, 0, ROWS_SUMS, a_row);
    sums_free(&sums);
    for (int k = 0; k < ROWS_SUMS; k++) a_row[k] /= (double)a->p.n_global;
}

struct cycle_choice choose_pairings(const struct linear_setting *s, bool blocks)
{
    const int pairings = s->pairings ? s->pairings : blocks ? BLOCK_PAIRINGS : PAIRINGS;
    const int k_levels = s->cycle == CYCLE_V ? 0 : s->k_levels ? s->k_levels : BLOCK_K_LEVELS;
    return (struct cycle_choice){.k_levels = blocks ? k_levels : 0, .pairings = pairings,
                                 .first_pairings = blocks ? FIRST_BLOCK_PAIRINGS : pairings};
}

void choose_steps(struct cycle_choice *c, const struct matrix *a, const struct level_matrix *fine,
                  const struct level_matrix *next, const struct linear_setting *s)
{
    double here[ROWS_SUMS], below[ROWS_SUMS] = {0};
    count_rows(fine, here);
    if (next) count_rows(next, below);
    bool space = here[ROWS_ENTRIES] > IN_SPACE || below[ROWS_ENTRIES] > NEXT_IN_SPACE;
    bool one = (space || a->p.n_global <= FEW_ROWS) && matrix_contrast(a) <= JUMPS;
    c->k_levels = s->cycle == CYCLE_V ? 0 : s->k_levels ? s->k_levels : one ? 1 : K_LEVELS;
    bool stretched = space && here[ROWS_STRETCHED] > MANY_STRETCHED;
    c->second_once = space && !stretched && s->smoother == SMOOTHER_BLOCK_JACOBI;
    c->factor = stretched ? FACTOR_STRETCHED : c->k_levels > 1 ? FACTOR_OF_TWO : FACTOR;
    if (s->nonsymmetric) c->factor = FACTOR_NONSYMMETRIC, c->weight = WEIGHT_NONSYMMETRIC;
}
