/* The keys of a linear solver, their words, defaults and checks (linear_setting.h). */
#include "solve/linear_section.h"
#include <stdio.h>

const char *const preconditioner_words[N_PRECONDITIONERS] = {
    [PRECONDITIONER_NONE] = "none", [PRECONDITIONER_JACOBI] = "jacobi", [PRECONDITIONER_RUIZ] = "ruiz",
    [PRECONDITIONER_BLOCK_JACOBI] = "block-jacobi", [PRECONDITIONER_MULTIGRID] = "multigrid",
    [PRECONDITIONER_JACOBI_RICHARDSON] = "jacobi-richardson", [PRECONDITIONER_GAUSS_SEIDEL] = "gauss-seidel",
    [PRECONDITIONER_MULTICOLOUR_GS] = "multicolour-gs", [PRECONDITIONER_TWO_STAGE_GS] = "two-stage-gs",
    [PRECONDITIONER_CHEBYSHEV] = "chebyshev", [PRECONDITIONER_IC0] = "ic0", [PRECONDITIONER_BLOCK_IC] = "block-ic",
    [PRECONDITIONER_INCOMPLETE_POISSON] = "incomplete-poisson", [PRECONDITIONER_NEUMANN] = "neumann",
    [PRECONDITIONER_ASYNC_BLOCK_JACOBI] = "async-block-jacobi", [PRECONDITIONER_ILU] = "ilu",
    [PRECONDITIONER_BLOCK_ISAI] = "block-isai",
    [PRECONDITIONER_NESTED_SCHWARZ] = "nested-schwarz"};
const char *const linear_method_words[N_LINEAR_METHODS] = {
    [METHOD_CG] = "cg", [METHOD_STATIONARY] = "stationary", [METHOD_BICGSTAB] = "bicgstab", [METHOD_GMRES] = "gmres",
    [METHOD_FGMRES] = "fgmres"};
const char *const precision_words[N_PRECISIONS] = {[PRECISION_DOUBLE] = "double", [PRECISION_SINGLE] = "single"};
const char *const smoother_words[N_SMOOTHER_KINDS] = {
    [SMOOTHER_BLOCK_JACOBI] = "block-jacobi", [SMOOTHER_TWO_STAGE_GS] = "two-stage-gs",
    [SMOOTHER_CHEBYSHEV] = "chebyshev", [SMOOTHER_ILU] = "ilu",
    [SMOOTHER_ISAI] = "block-isai", [SMOOTHER_AUTO] = "auto"};

#define KIND(p) BIT(PRECONDITIONER_##p)
/* Preconditioners that support block-Jacobi sweeps before and between; multigrid has its own smoothing. */
#define FUSED (KIND(NONE) | KIND(JACOBI) | KIND(RUIZ) | KIND(BLOCK_JACOBI))
#define GAUSS_SEIDELS (KIND(GAUSS_SEIDEL) | KIND(MULTICOLOUR_GS) | KIND(TWO_STAGE_GS))
#define SWEPT (GAUSS_SEIDELS | KIND(JACOBI_RICHARDSON))
#define TWO_STAGE (KIND(TWO_STAGE_GS) | KIND(MULTIGRID))        /* multigrid: as its smoother */
#define ILU_FACTORS (KIND(ILU) | KIND(BLOCK_ISAI) | KIND(NESTED_SCHWARZ))
#define POLYNOMIAL (KIND(CHEBYSHEV) | KIND(MULTIGRID))
/* Those in src/solve/study, which no case needs; their keys apply only to them. */
#define STUDIES (KIND(RUIZ) | KIND(GAUSS_SEIDEL) | KIND(MULTICOLOUR_GS) | KIND(IC0) | KIND(BLOCK_IC) | \
                 KIND(INCOMPLETE_POISSON) | KIND(NEUMANN) | KIND(ASYNC_BLOCK_JACOBI))
/* Keys of both solver.pressure and solver.velocity. */
#define METHOD_KEYS                                                                                          \
    {"restart", KEY_INTEGER, OFFSET(linear_setting, restart), .range = "[1, 1000]", .standard = "30",        \
     .help = "gmres, fgmres: iterations after which they restart; each stores a vector, fgmres two"},        \
    {"side", KEY_WORD, OFFSET(linear_setting, side), .standard = "right",                                    \
     WORDS([SIDE_RIGHT] = "right", [SIDE_LEFT] = "left"),                                                    \
     .help = "gmres: side of the preconditioner; left: tolerance and absolute apply to the preconditioned residual"}
#define BLOCK_KEYS(of)                                                                                         \
    {"inner", KEY_WORD, OFFSET(linear_setting, inner), .standard = "jacobi", .kinds = of,                      \
     WORDS([INNER_JACOBI] = "jacobi", [INNER_GAUSS_SEIDEL] = "gauss-seidel", [INNER_CG] = "cg"),               \
     .help = "method inside a block (512 rows) of block-Jacobi, as the preconditioner or as the smoothing of " \
             "another one"},                                                                                   \
    {"inner_sweeps", KEY_INTEGER, OFFSET(linear_setting, inner_sweeps), .range = "[1, 100]",                   \
     .standard = "4", .kinds = of, .help = "number of its sweeps"}
#define SWEEP_KEYS                                                                                           \
    {"precision", KEY_WORD, OFFSET(linear_setting, precision), .standard = "double",                         \
     .kinds = KIND(JACOBI_RICHARDSON) | KIND(MULTICOLOUR_GS) | KIND(TWO_STAGE_GS) | KIND(CHEBYSHEV),         \
     WORDS_OF(precision_words),                                                                              \
     .help = "precision of the preconditioner; the outer iteration is in double precision"},                 \
    {"sweeps", KEY_INTEGER, OFFSET(linear_setting, sweeps), .range = "[1, 100]", .standard = "1",            \
     .kinds = SWEPT | KIND(MULTIGRID), .help = "outer sweeps (n_t)"},                                        \
    {"direction", KEY_WORD, OFFSET(linear_setting, direction), .standard = "symmetric",                      \
     .kinds = GAUSS_SEIDELS,                                                                                 \
     WORDS([DIRECTION_SYMMETRIC] = "symmetric", [DIRECTION_FORWARD] = "forward"),                            \
     .help = "forwards and backwards, or forwards only"},                                                    \
    {"form", KEY_WORD, OFFSET(linear_setting, form), .standard = "non-compact",                              \
     .kinds = KIND(TWO_STAGE_GS),                                                                            \
     WORDS([FORM_COMPACT] = "compact", [FORM_NON_COMPACT] = "non-compact"),                                  \
     .help = "form of a sweep: with the triangles of the matrix, or with its residual"},                     \
    {"domain", KEY_WORD, OFFSET(linear_setting, domain), .standard = "matrix",                               \
     .kinds = TWO_STAGE | POLYNOMIAL | KIND(JACOBI_RICHARDSON),                                              \
     WORDS([DOMAIN_MATRIX] = "matrix", [DOMAIN_SLICE] = "slice", [DOMAIN_RANK] = "rank"),                    \
     .help = "domain of a sweep: all rows, or each slice of 512 rows separately, with old values of the "    \
             "others, or each rank's rows, as if there were no others"},                                     \
    {"local_sweeps", KEY_INTEGER, OFFSET(linear_setting, local_sweeps), .range = "[1, 100]",                 \
     .standard = "1", .kinds = TWO_STAGE | KIND(JACOBI_RICHARDSON),                                          \
     .help = "sweeps in a domain per outer sweep (n_k)"},                                                    \
    {"richardson_sweeps", KEY_INTEGER, OFFSET(linear_setting, richardson_sweeps), .range = "[0, 100]",       \
     .standard = "1", .kinds = TWO_STAGE,                                                                    \
     .help = "inner Jacobi-Richardson sweeps instead of a triangular solve (n_j)"},                         \
    {"damping", KEY_REAL, OFFSET(linear_setting, damping), .range = "(0, 2)", .standard = "1.0",             \
     .kinds = SWEPT | KIND(MULTIGRID), .help = "damping of outer sweeps (omega)"},                           \
    {"inner_damping", KEY_REAL, OFFSET(linear_setting, inner_damping), .range = "(0, 2)",                    \
     .standard = "1.0", .kinds = TWO_STAGE, .help = "damping of inner sweeps (gamma)"}
#define FACTOR_KEYS(ordered)                                                                                 \
    {"factor_ordering", KEY_WORD, OFFSET(linear_setting, factor_ordering), .standard = "cuthill-mckee",      \
     .kinds = ordered, WORDS([FACTOR_CUTHILL_MCKEE] = "cuthill-mckee",                                       \
                             [FACTOR_MULTICOLOUR] = "multicolour", [FACTOR_MATRIX] = "matrix"),              \
     .help = "order in which rows are eliminated: breadth first; by colours, which gives the fewest levels " \
             "but takes more iterations; as in the matrix, which along a Hilbert curve is one long chain"},  \
    {"level", KEY_INTEGER, OFFSET(linear_setting, level), .range = "[0, 20]", .standard = "0",               \
     .kinds = KIND(ILU) | KIND(NESTED_SCHWARZ),                                                              \
     .help = "level of fill-in up to which entries are kept: k of ILU(k)"},                                  \
    {"power", KEY_INTEGER, OFFSET(linear_setting, power), .range = "[1, 6]", .standard = "1",                \
     .kinds = KIND(BLOCK_ISAI),                                                                              \
     .help = "the inverses of the triangles have the pattern of this power of the triangles"},               \
    {"parts", KEY_INTEGER, OFFSET(linear_setting, parts), .range = "[1, 65536]", .standard = "1",            \
     .kinds = ILU_FACTORS,                                                                                   \
     .help = "subdomains, METIS parts of the graph, factored separately (restricted additive Schwarz)"},     \
    {"overlap", KEY_INTEGER, OFFSET(linear_setting, overlap), .range = "[0, 10]", .standard = "1",           \
     .kinds = ILU_FACTORS,                                                                                   \
     .help = "with parts: layers of neighbours around each; nested-schwarz: layers of other ranks' rows "    \
             "around a rank's"},                                                                             \
    {"inner_overlap", KEY_INTEGER, OFFSET(linear_setting, inner_overlap), .range = "[0, 10]",                \
     .standard = "1", .kinds = KIND(NESTED_SCHWARZ), .help = "with parts: layers of neighbours around each"}
#define ABSOLUTE_KEY                                                                                         \
    {"absolute", KEY_REAL, OFFSET(linear_setting, absolute), .range = "[0, inf)", .standard = "0.0",         \
     .help = "or below this, 2-norm"}

const struct key linear_keys[] = {
    {"preconditioner", KEY_WORD, OFFSET(linear_setting, preconditioner), .standard = "multigrid",
     WORDS_OF(preconditioner_words), .studies = STUDIES,
     .help = "preconditioner of the method; docs/explanation/solvers.md says which to use for what"},
    {"method", KEY_WORD, OFFSET(linear_setting, method), .standard = "cg", WORDS_OF(linear_method_words),
     .help = "conjugate gradients; the preconditioner alone, repeatedly, as a smoother; BiCGStab, which accepts any "
             "preconditioner; GMRES; flexible GMRES, which accepts any"},
    METHOD_KEYS,
    BLOCK_KEYS(FUSED | KIND(ASYNC_BLOCK_JACOBI)),
    {"smoothing_before", KEY_INTEGER, OFFSET(linear_setting, smoothing_before), .range = "[0, 1000]", .standard = "0",
     .kinds = FUSED, .help = "block-Jacobi sweeps on the solution before the conjugate gradients start"},
    {"smoothing_every", KEY_INTEGER, OFFSET(linear_setting, smoothing_every), .range = "[0, inf)", .standard = "0",
     .kinds = FUSED,
     .help = "iterations from one block-Jacobi sweep on the solution to the next, which restarts them; 0 = never"},
    SWEEP_KEYS,
    {"degree", KEY_INTEGER, OFFSET(linear_setting, degree), .range = "[1, 100]", .standard = "3",
     .kinds = POLYNOMIAL, .help = "degree of the Chebyshev polynomial, which takes one matrix product less"},
    {"ratio", KEY_REAL, OFFSET(linear_setting, ratio), .range = "(1, inf)", .standard = "30.0", .kinds = POLYNOMIAL,
     .help = "ratio of the largest eigenvalue to the smallest that the Chebyshev polynomial damps"},
    {"triangular", KEY_WORD, OFFSET(linear_setting, triangular), .standard = "levels", .kinds = KIND(IC0),
     WORDS([TRIANGULAR_LEVELS] = "levels", [TRIANGULAR_FIXED_POINT] = "fixed-point", [TRIANGULAR_ISAI] = "isai",
           [TRIANGULAR_HOST] = "host"),
     .help = "how the factor is computed and its triangles are solved: level by level; by sweeps; by sweeps and by "
             "sparse approximate inverses; row after row on the host"},
    {"isai_power", KEY_INTEGER, OFFSET(linear_setting, isai_power), .range = "[1, 6]", .standard = "2",
     .kinds = KIND(IC0),
     .help = "with isai: the inverses have the pattern of this power of the triangles"},
    {"triangular_sweeps", KEY_INTEGER, OFFSET(linear_setting, triangular_sweeps), .range = "[1, 100]",
     .standard = "5", .kinds = KIND(IC0), .help = "with fixed-point: sweeps per triangle"},
    {"factor_sweeps", KEY_INTEGER, OFFSET(linear_setting, factor_sweeps), .range = "[1, 100]", .standard = "5",
     .kinds = KIND(IC0), .help = "with fixed-point and isai: sweeps for the factor"},
    FACTOR_KEYS(KIND(IC0) | KIND(BLOCK_IC) | ILU_FACTORS | KIND(MULTIGRID)),
    {"block_rows", KEY_INTEGER, OFFSET(linear_setting, block_rows), .range = "[1, inf)", .standard = "128",
     .kinds = KIND(BLOCK_IC), .help = "rows of a block (g)"},
    {"scaling", KEY_WORD, OFFSET(linear_setting, scaling), .standard = "diagonal",
     .kinds = KIND(INCOMPLETE_POISSON), WORDS([SCALING_DIAGONAL] = "diagonal", [SCALING_NONE] = "none"),
     .help = "scaling of the matrix, to unit diagonal"},
    {"terms", KEY_INTEGER, OFFSET(linear_setting, terms), .range = "[1, 10]", .standard = "2", .kinds = KIND(NEUMANN),
     .help = "terms of the truncated Neumann series, in addition to the identity"},
    {"deflation", KEY_WORD, OFFSET(linear_setting, deflation), .standard = "none",
     WORDS([DEFLATION_NONE] = "none", [DEFLATION_STRIPES] = "stripes",
           [DEFLATION_BLOCKS] = "blocks", [DEFLATION_METIS] = "metis", [DEFLATION_LEVEL_SET] = "level-set",
           [DEFLATION_LEVEL_SET_BLOCKS] = "level-set-blocks", [DEFLATION_JUMPS] = "jumps"),
     .help = "subdomains whose constants are removed from the iteration: runs of consecutive rows (layers, if a grid "
             "is numbered line by line), runs of slices of 512 rows, METIS parts, bubbles and the regions between, "
             "these cut into blocks, regions between which the matrix's coefficients jump"},
    {"deflation_vectors", KEY_INTEGER, OFFSET(linear_setting, deflation_vectors), .range = "[1, 4096]",
     .standard = "64",
     .help = "number of subdomains; level-set, level-set-blocks and jumps: maximum number"},
    {"deflation_solver", KEY_WORD, OFFSET(linear_setting, deflation_solver), .standard = "inverse",
     WORDS([DEFLATION_INVERSE] = "inverse", [DEFLATION_CHOLESKY] = "cholesky"),
     .help = "solver for the small system of the subdomains"},
    {"smoother", KEY_WORD, OFFSET(linear_setting, smoother), .standard = "block-jacobi", .kinds = KIND(MULTIGRID),
     WORDS_OF(smoother_words),
     .help = "smoother on every level; two-stage-gs and chebyshev have the same keys as preconditioners; block "
             "matrices: block-jacobi with the diagonal's blocks, ilu in slices of 512 rows, or auto: block-jacobi, and "
             "ilu with 4 smoothings after two consecutive solves of more than 20 iterations"},
    {"cycle", KEY_WORD, OFFSET(linear_setting, cycle), .standard = "k", .kinds = KIND(MULTIGRID),
     WORDS([CYCLE_K] = "k", [CYCLE_W] = "w", [CYCLE_V] = "v"),
     .help = "how a level is corrected by the next one: two steps of conjugate gradients (block matrices: of GCR), two "
             "plain steps, one"},
    {"pairings", KEY_INTEGER, OFFSET(linear_setting, pairings), .range = "[0, 5]", .standard = "0",
     .kinds = KIND(MULTIGRID),
     .help = "how often rows are matched in pairs for the next level: 3 gives aggregates of 8; 0: 3, block matrices 2; "
             "always once on the finest level of block matrices"},
    {"k_levels", KEY_INTEGER, OFFSET(linear_setting, k_levels), .range = "[0, 15]", .standard = "0",
     .kinds = KIND(MULTIGRID),
     .help = "levels below the finest that cycles k and w solve by two steps; 0: chosen from the matrix, block "
             "matrices 3"},
    {"smoothings", KEY_INTEGER, OFFSET(linear_setting, smoothings), .range = "[0, 20]", .standard = "0",
     .kinds = KIND(MULTIGRID), .help = "block matrices: smoothings on every level; 0: 2"},
    {"smoothing_damping", KEY_REAL, OFFSET(linear_setting, smoothing_damping), .range = "[0, 2)", .standard = "0.0",
     .kinds = KIND(MULTIGRID),
     .help = "block matrices: damping of each smoothing, upper limit with block-jacobi; 0: 0.7, ilu 0.8, block-isai "
             "0.6"},
    {"tolerance", KEY_REAL, OFFSET(linear_setting, tolerance), .range = "(0, 1)", .standard = "0.1",
     .help = "a solve ends when the residual is below this fraction of the initial one (transient: of the first in the "
             "step)"},
    ABSOLUTE_KEY,
    {"max_iterations", KEY_INTEGER, OFFSET(linear_setting, max_iterations), .range = "[1, inf)", .standard = "1000",
     .help = "or after this many iterations"},
    {0}};
const struct key linear_velocity_keys[] = {
    {"preconditioner", KEY_WORD, OFFSET(linear_setting, preconditioner), .standard = "jacobi",
     WORDS_OF(preconditioner_words), .studies = STUDIES,
     .help = "one for nonsymmetric matrices: jacobi, none, block-jacobi, multigrid, jacobi-richardson, two-stage-gs, "
             "ilu, block-isai; for studies gauss-seidel, multicolour-gs, async-block-jacobi"},
    {"method", KEY_WORD, OFFSET(linear_setting, method), .standard = "bicgstab", WORDS_OF(linear_method_words),
     .help = "bicgstab: all components in one pass over the matrix; gmres, fgmres: one after the other"},
    METHOD_KEYS,
    BLOCK_KEYS(KIND(BLOCK_JACOBI) | KIND(ASYNC_BLOCK_JACOBI)),
    SWEEP_KEYS,
    FACTOR_KEYS(ILU_FACTORS),
    {"tolerance", KEY_REAL, OFFSET(linear_setting, tolerance), .range = "(0, 1)", .standard = "0.1",
     .help = "a solve ends when every component's residual is below this fraction of the initial one"},
    ABSOLUTE_KEY,
    {"max_iterations", KEY_INTEGER, OFFSET(linear_setting, max_iterations), .range = "[1, inf)", .standard = "50",
     .help = "or after this many iterations"},
    {0}};

#define CHOSEN "remove it: multigrid chooses it from the matrix"
const char *const linear_gone[][2] = {
    {"first_pairings", "remove it: pairings applies to all levels, except the finest one of block matrices"},
    {"slice_sweeps", "remove it: a smoothing sweeps 4 times over a slice"},
    {"second_smoothings", CHOSEN}, {"over_correction", CHOSEN}, {NULL, NULL}};

/* Checks for settings of a smoother that multigrid does not use. */
static void check_smoother(struct case_reader *r, config_setting_t *group, const struct linear_setting *p)
{
    static const struct { const char *name; enum smoother of; } keys[] = {
        {"sweeps", SMOOTHER_TWO_STAGE_GS}, {"local_sweeps", SMOOTHER_TWO_STAGE_GS},
        {"richardson_sweeps", SMOOTHER_TWO_STAGE_GS},
        {"damping", SMOOTHER_TWO_STAGE_GS}, {"inner_damping", SMOOTHER_TWO_STAGE_GS},
        {"degree", SMOOTHER_CHEBYSHEV}, {"ratio", SMOOTHER_CHEBYSHEV}};
    char why[200];
    snprintf(why, sizeof why, "smoother \"%s\"; remove it", smoother_words[p->smoother]);
    bool factors = p->smoother == SMOOTHER_ILU || p->smoother == SMOOTHER_ISAI;
    if (p->smoother == SMOOTHER_BLOCK_JACOBI || factors) case_drop(r, group, "domain", why);
    else if (p->domain == DOMAIN_RANK) case_drop(r, group, "domain", "multigrid; expected matrix or slice");
    if (!factors) case_drop(r, group, "factor_ordering", why);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (p->smoother != keys[i].of) case_drop(r, group, keys[i].name, why);
}

static bool has_blocks(const struct linear_setting *p)
{
    bool diagonal = p->preconditioner == PRECONDITIONER_NONE || p->preconditioner == PRECONDITIONER_JACOBI ||
                    p->preconditioner == PRECONDITIONER_RUIZ;
    return !diagonal || p->smoothing_before > 0 || p->smoothing_every > 0;
}

void linear_setting_check(struct case_reader *r, config_setting_t *group, const struct linear_setting *p)
{
    char why[200];
    if (!group) return;
    if (p->preconditioner == PRECONDITIONER_MULTIGRID) check_smoother(r, group, p);
    else if (p->domain == DOMAIN_RANK && p->sweeps > 1)
        case_drop(r, group, "sweeps", "domain \"rank\"; remove it, or set local_sweeps");
    const char *around = p->preconditioner == PRECONDITIONER_NESTED_SCHWARZ ? "inner_overlap" : "overlap";
    if (p->parts <= 1) case_drop(r, group, around, "one part; remove it, or set parts");
    snprintf(why, sizeof why, "method \"%s\"; remove it, or set method = \"gmres\"", linear_method_words[p->method]);
    if (p->method != METHOD_GMRES && p->method != METHOD_FGMRES) case_drop(r, group, "restart", why);
    if (p->method != METHOD_GMRES) case_drop(r, group, "side", why);
    if (p->direction == DIRECTION_FORWARD && p->method == METHOD_CG)
        case_complain(r, config_setting_get_member(group, "direction"), "forward sweeps alone are not symmetric, but "
                      "conjugate gradients need a symmetric preconditioner; expected direction = \"symmetric\", or "
                      "method = \"stationary\" or \"bicgstab\"");
    if (p->preconditioner == PRECONDITIONER_ASYNC_BLOCK_JACOBI && p->method == METHOD_CG)
        case_complain(r, config_setting_get_member(group, "preconditioner"), "async-block-jacobi varies from one "
                      "application to the next, but conjugate gradients need a fixed preconditioner; expected "
                      "block-jacobi, or method = \"stationary\" or \"bicgstab\"");
    if (has_blocks(p)) return;
    snprintf(why, sizeof why, "preconditioner \"%s\" without smoothing; remove it, or set preconditioner = "
             "\"block-jacobi\", or smoothing_before or smoothing_every", preconditioner_words[p->preconditioner]);
    case_drop(r, group, "inner", why);
    case_drop(r, group, "inner_sweeps", why);
}
