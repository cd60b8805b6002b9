/* linear_setting.h: choice of a linear solver and its settings; docs/explanation/solvers.md explains the methods. */
#ifndef POISE_LINEAR_SETTING_H
#define POISE_LINEAR_SETTING_H
#include <stdbool.h>
#include "base/error.h"

enum linear_method { METHOD_CG, METHOD_STATIONARY, METHOD_BICGSTAB, METHOD_GMRES, METHOD_FGMRES, N_LINEAR_METHODS };
enum preconditioner_kind { PRECONDITIONER_NONE, PRECONDITIONER_JACOBI, PRECONDITIONER_RUIZ, PRECONDITIONER_BLOCK_JACOBI,
                           PRECONDITIONER_MULTIGRID, PRECONDITIONER_JACOBI_RICHARDSON, PRECONDITIONER_GAUSS_SEIDEL,
                           PRECONDITIONER_MULTICOLOUR_GS, PRECONDITIONER_TWO_STAGE_GS, PRECONDITIONER_CHEBYSHEV,
                           PRECONDITIONER_IC0, PRECONDITIONER_BLOCK_IC, PRECONDITIONER_INCOMPLETE_POISSON,
                           PRECONDITIONER_NEUMANN, PRECONDITIONER_ASYNC_BLOCK_JACOBI, PRECONDITIONER_ILU,
                           PRECONDITIONER_BLOCK_ISAI,
                      PRECONDITIONER_NESTED_SCHWARZ, N_PRECONDITIONERS };
enum preconditioning_side { SIDE_RIGHT, SIDE_LEFT };
enum inner_method { INNER_JACOBI, INNER_GAUSS_SEIDEL, INNER_CG };
enum precision { PRECISION_DOUBLE, PRECISION_SINGLE, N_PRECISIONS };
enum direction { DIRECTION_SYMMETRIC, DIRECTION_FORWARD };
enum two_stage_form { FORM_COMPACT, FORM_NON_COMPACT };
enum factor_ordering { FACTOR_CUTHILL_MCKEE, FACTOR_MULTICOLOUR, FACTOR_MATRIX };
enum sweep_domain { DOMAIN_MATRIX, DOMAIN_SLICE, DOMAIN_RANK };
enum triangular { TRIANGULAR_LEVELS, TRIANGULAR_FIXED_POINT, TRIANGULAR_ISAI, TRIANGULAR_HOST };
enum scaling { SCALING_DIAGONAL, SCALING_NONE };
enum deflation_kind { DEFLATION_NONE, DEFLATION_STRIPES, DEFLATION_BLOCKS, DEFLATION_METIS, DEFLATION_LEVEL_SET,
                      DEFLATION_LEVEL_SET_BLOCKS, DEFLATION_JUMPS };
enum deflation_solver { DEFLATION_INVERSE, DEFLATION_CHOLESKY };
enum smoother { SMOOTHER_BLOCK_JACOBI, SMOOTHER_TWO_STAGE_GS, SMOOTHER_CHEBYSHEV, SMOOTHER_ILU, SMOOTHER_ISAI,
                SMOOTHER_AUTO, N_SMOOTHER_KINDS };
enum cycle { CYCLE_K, CYCLE_W, CYCLE_V };
extern const char *const linear_method_words[N_LINEAR_METHODS], *const preconditioner_words[N_PRECONDITIONERS],
                  *const precision_words[N_PRECISIONS], *const smoother_words[N_SMOOTHER_KINDS];

struct linear_setting {
    enum preconditioner_kind preconditioner;
    enum linear_method method;  /* stationary: x += M (b - A x), as in a smoother */
    int restart;                /* GMRES: iterations of a cycle, each of which stores a vector (flexible: two) */
    enum preconditioning_side side;     /* GMRES; left: its residual is M (b - A x) */
    enum precision precision;   /* of the preconditioner */
    int sweeps;                 /* Gauss-Seidel methods, Jacobi-Richardson: outer sweeps (n_t) */
    enum direction direction;   /* Gauss-Seidel methods */
    enum two_stage_form form;
    int local_sweeps;           /* two-stage, Jacobi-Richardson: n_k */
    enum sweep_domain domain;   /* the domains that n_k sweeps treat separately */
    int richardson_sweeps;      /* two-stage: n_j, Jacobi-Richardson sweeps instead of a triangular solve */
    double damping;             /* omega, of outer sweeps */
    double inner_damping;       /* gamma, of Jacobi-Richardson sweeps */
    int degree;                 /* Chebyshev */
    double ratio;               /* Chebyshev: ratio of the largest eigenvalue of D^-1 A to the smallest that is
                                   damped */
    int block_rows;             /* Block-IC: g */
    int level;                  /* ILU(k): k */
    int power;                  /* block-ISAI: the inverses have the pattern of this power of the triangles */
    int parts, overlap;         /* ILU, block-ISAI: number of separately factored subdomains; layers of rows around
                                   each */
    int inner_overlap;          /* nested Schwarz: around each part; `overlap` is around each rank's rows */
    enum factor_ordering factor_ordering;       /* IC(0), Block-IC, ILU, block-ISAI: order of elimination */
    enum triangular triangular; /* IC(0): how its triangles are solved */
    int triangular_sweeps;      /* number of fixed-point sweeps for a solve */
    int factor_sweeps;          /* and for the factor (isai too) */
    int isai_power;             /* isai: the inverses have the pattern of this power of the triangles */
    enum scaling scaling;       /* incomplete Poisson */
    int terms;                  /* Neumann: terms of the series, in addition to the identity */
    enum deflation_kind deflation;
    int deflation_vectors;
    enum deflation_solver deflation_solver;
    enum smoother smoother;     /* multigrid */
    enum cycle cycle;
    int pairings;               /* multigrid: pairing passes per coarser level; 0: 3, block matrices 2 (and 1 on the
                                 * finest level) */
    int k_levels;               /* multigrid: number of levels solved by two steps; 0: chosen, block matrices 3 */
    int smoothings;             /* multigrid on block matrices: on every level; 0: 2 */
    double smoothing_damping;   /* omega of each smoothing; 0: 0.7 */
    enum inner_method inner;    /* block-Jacobi (also as a smoother): method inside a block of SLICE rows */
    int inner_sweeps;           /* and its number of sweeps */
    int smoothing_before;       /* block-Jacobi sweeps on the solution before CG starts; not with multigrid */
    int smoothing_every;        /* one block-Jacobi sweep (CG restarts) after this many CG iterations; 0 = never */
    double tolerance;           /* relative to the initial residual, 2-norm */
    double absolute;            /* or absolute, 2-norm of the residual */
    int max_iterations;
    /* Not keys: properties of the matrix for solver_create(): it may be nonsymmetric; constants are in its null
     * space. */
    bool nonsymmetric, singular;
};

/* A linear solver from the command line: NAME[:key=value]..., the name and the keys those of solver.pressure, or a
 * shorthand: jr, gs, sgs, gs2, sgs2, neumann1, neumann2; deflated-NAME: with deflation of the kind `deflation`.
 * standard: n settings "key=value" that replace the table's defaults where they apply and the text does not set the
 * key.  False with a message. */
bool linear_setting_read(struct linear_setting *s, const char *text, const char *deflation, const char *const *standard,
                         int n, struct error *e);
#endif
