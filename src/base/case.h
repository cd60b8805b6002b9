/* case.h: a case file (libconfig syntax), read, checked and completed with defaults.
 *
 * One table (case_table.c) holds every key with its type, unit, default, valid words and one line of help: reading, the
 * check for unknown keys, `poise help case` and the list in the log all come from it.
 * Every error names file:line, the key, what was found, what was expected and the nearest valid name. */
#ifndef POISE_CASE_H
#define POISE_CASE_H
#include <stdbool.h>
#include <stdio.h>
#include "base/boundary_kinds.h"
#include "base/convection.h"
#include "base/error.h"

enum { NAME_LENGTH = 64, PATH_LENGTH = 1024 };

enum inlet_profile { PROFILE_UNIFORM, PROFILE_PARABOLIC, PROFILE_PARABOLOID };
/* Steady: SIMPLE, SIMPLEC; the others march in time: see case_is_transient().  Advection: of the interface alone, in a
 * prescribed velocity. */
enum algorithm { ALGORITHM_SIMPLE, ALGORITHM_SIMPLEC, ALGORITHM_PISO, ALGORITHM_PIMPLE, ALGORITHM_ADVECTION };
extern const char *const algorithms[];
enum time_scheme { TIME_EULER, TIME_BDF2, TIME_CRANK_NICOLSON };
enum initial_field { INITIAL_UNIFORM, INITIAL_TAYLOR_GREEN };
enum interface_advection { ADVECTION_GEOMETRIC, ADVECTION_ALGEBRAIC };
enum curvature_method { CURVATURE_PARABOLOID, CURVATURE_LEVEL_SET };
enum shape_type { SHAPE_SPHERE, SHAPE_BOX, SHAPE_HALF_SPACE };
extern const char *const shape_types[];
enum prescribed_field { PRESCRIBED_VORTEX, PRESCRIBED_ROTATION, PRESCRIBED_SHEAR, PRESCRIBED_DEFORMATION };
enum accuracy { ACCURACY_HIGH, ACCURACY_STANDARD };
enum gradient { GRADIENT_LEAST_SQUARES, GRADIENT_GREEN_GAUSS };
enum ordering { ORDERING_HILBERT, ORDERING_CUTHILL_MCKEE, ORDERING_METIS, ORDERING_NONE };
enum linear_method { METHOD_CG, METHOD_STATIONARY, METHOD_BICGSTAB, METHOD_GMRES, METHOD_FGMRES, N_LINEAR_METHODS };
enum preconditioner_kind { PRECONDITIONER_NONE, PRECONDITIONER_JACOBI, PRECONDITIONER_RUIZ, PRECONDITIONER_BLOCK_JACOBI,
                      PRECONDITIONER_MULTIGRID, PRECONDITIONER_JACOBI_RICHARDSON, PRECONDITIONER_GAUSS_SEIDEL,
                      PRECONDITIONER_MULTICOLOUR_GS, PRECONDITIONER_TWO_STAGE_GS, PRECONDITIONER_CHEBYSHEV,
                      PRECONDITIONER_IC0, PRECONDITIONER_BLOCK_IC, PRECONDITIONER_INCOMPLETE_POISSON,
                      PRECONDITIONER_NEUMANN, PRECONDITIONER_ASYNC_BLOCK_JACOBI,
                      PRECONDITIONER_ILU, PRECONDITIONER_BLOCK_ISAI, N_PRECONDITIONERS };
enum preconditioning_side { SIDE_RIGHT, SIDE_LEFT };
enum inner_method { INNER_JACOBI, INNER_GAUSS_SEIDEL, INNER_CG };
enum precision { PRECISION_DOUBLE, PRECISION_SINGLE };
enum direction { DIRECTION_SYMMETRIC, DIRECTION_FORWARD };
enum two_stage_form { FORM_COMPACT, FORM_NON_COMPACT };
enum factor_ordering { FACTOR_CUTHILL_MCKEE, FACTOR_MULTICOLOUR, FACTOR_MATRIX };
enum sweep_domain { DOMAIN_MATRIX, DOMAIN_SLICE };
enum triangular { TRIANGULAR_LEVELS, TRIANGULAR_FIXED_POINT, TRIANGULAR_ISAI, TRIANGULAR_HOST };
enum scaling { SCALING_DIAGONAL, SCALING_NONE };
enum deflation_kind { DEFLATION_NONE, DEFLATION_STRIPES, DEFLATION_BLOCKS, DEFLATION_METIS, DEFLATION_LEVEL_SET,
                      DEFLATION_LEVEL_SET_BLOCKS };
enum deflation_solver { DEFLATION_INVERSE, DEFLATION_CHOLESKY };
enum smoother { SMOOTHER_BLOCK_JACOBI, SMOOTHER_TWO_STAGE_GS, SMOOTHER_CHEBYSHEV };
enum cycle { CYCLE_K, CYCLE_W, CYCLE_V };

struct parameter { char name[NAME_LENGTH]; double value; };          /* of a .geo file: DefineConstant / -setnumber */

struct box_setting {            /* mesh = { box = { ... }; } : boundaries left right bottom top (back front) */
    bool given;
    int dim;                    /* 2 or 3: length of cells */
    int cells[3];
    double from[3], to[3];
    double stretch[3];          /* largest over smallest cell width, graded towards both ends; 1 = uniform */
    double distortion;          /* random shift of inner vertices, in local cell widths, 0 <= d < 0.5 */
};

/* The faces of all its cells, those inside counted from both sides, and those of its boundaries once more: Poise counts
 * them with 32 bits, so a box has at most INT32_MAX. */
static inline double box_faces(const struct box_setting *b)
{
    double x = b->cells[0], y = b->cells[1], z = b->cells[2];
    return b->dim == 2 ? 4 * x * y + 2 * (x + y) : 6 * x * y * z + 2 * (x * y + y * z + z * x);
}

struct mesh_setting {
    char file[PATH_LENGTH];     /* .geo, .msh or .h5, made relative to the working directory; "" when box is given */
    int line;                   /* in the case file, for messages; 0 (here and below): from --set */
    struct parameter *parameter;
    int n_parameters;
    struct box_setting box;
    enum ordering ordering;
};

struct boundary_setting {
    char name[NAME_LENGTH];
    int line;
    enum boundary_type type;
    double velocity[3];         /* of the wall; inlet: the profile's largest value */
    int velocity_length;        /* numbers given: 0 (none), 2 or 3; must equal the mesh's dimension */
    enum inlet_profile profile;
    double pressure;            /* outlet */
    char with[NAME_LENGTH];     /* periodic: the partner, "" = as the mesh says */
    double fraction;            /* inlet, outlet: of the second fluid in what flows in */
    double contact_angle;       /* wall, slip: degrees, measured inside the second fluid */
};

struct time_setting {           /* given: the algorithm marches in time */
    bool given;
    double end;                 /* the run starts at 0 */
    double step;                /* fixed, or the largest one where a limit is set */
    enum time_scheme scheme;
    double courant, interface_courant;  /* largest Courant number anywhere, in cells of the interface; 0: no limit */
    double capillary;           /* limit as a multiple of sqrt((rho1 + rho2) h^3 / (4 pi sigma)); 0: no limit */
    int max_steps;              /* the run ends unfinished after so many; 0: no limit */
};

/* Fluid 2: the bubble, the drop, the water behind the dam; what the shapes describe.  given: the case is two-phase. */
struct second_fluid_setting { bool given; double density, viscosity, surface_tension; };
struct interface_setting {
    enum interface_advection advection;
    enum curvature_method curvature;
    double given_curvature;     /* in place of the one computed, where curvature_given: for tests of balance */
    bool curvature_given;
};
struct shape_setting {          /* shapes.NAME: where the second fluid is at the start: in the union of all */
    char name[NAME_LENGTH];
    int line;
    enum shape_type type;
    double centre[3], radius;   /* sphere; in 2-D a circle */
    double from[3], to[3];      /* box */
    double point[3], normal[3]; /* half-space: normal out of the second fluid, of any length */
    int length;                 /* numbers of each of its vectors: 2 or 3 */
    int remove;                 /* 1: taken away from the union of the others */
    int copies[3];              /* a lattice of copies in the directions up from the shape itself; 1 1 1: itself alone */
    double spacing[3];          /* between them */
};
struct prescribed_setting {     /* algorithm advection: the velocity */
    bool given;
    enum prescribed_field field;
    double period;              /* the velocity times cos(pi t / period); 0: it stands */
};
struct bubbles_setting { bool given; int every; };      /* connected parts of the second fluid: steps between rows */

struct linear_setting {         /* solver.pressure, solver.velocity, poise solve; docs/solvers.md explains the methods */
    enum preconditioner_kind preconditioner;
    enum linear_method method;  /* stationary: x += M (b - A x), what a smoother does */
    int restart;                /* GMRES: iterations of a cycle, each of which keeps a vector (flexible: two) */
    enum preconditioning_side side;     /* GMRES: left: its residual is M (b - A x) */
    enum precision precision;   /* of the preconditioner */
    int sweeps;                 /* Gauss-Seidel methods, Jacobi-Richardson: outer sweeps (n_t) */
    enum direction direction;   /* Gauss-Seidel methods */
    enum two_stage_form form;
    int local_sweeps;           /* two-stage, Jacobi-Richardson: n_k */
    enum sweep_domain domain;   /* what n_k sweeps work on by themselves */
    int richardson_sweeps;      /* two-stage: n_j, Jacobi-Richardson sweeps in place of a triangular solve */
    double damping;             /* omega, of outer sweeps */
    double inner_damping;       /* gamma, of Jacobi-Richardson sweeps */
    int degree;                 /* Chebyshev */
    double ratio;               /* Chebyshev: of the largest eigenvalue of D^-1 A to the smallest that is damped */
    int block_rows;             /* Block-IC: g */
    int level;                  /* ILU(k): k */
    int power;                  /* block-ISAI: the inverses are as sparse as this power of the triangles */
    int parts, overlap;         /* ILU, block-ISAI: subdomains factored by themselves; layers of rows around each */
    enum factor_ordering factor_ordering;       /* IC(0), Block-IC, ILU, block-ISAI: order in which rows are eliminated */
    enum triangular triangular; /* IC(0): how its triangles are solved */
    int triangular_sweeps;      /* by fixed-point sweeps: how many for a solve */
    int factor_sweeps;          /* and how many for the factor (isai too) */
    int isai_power;             /* isai: the inverses are as sparse as this power of the triangles */
    enum scaling scaling;       /* incomplete Poisson */
    int terms;                  /* Neumann: of the series, beside the identity */
    enum deflation_kind deflation;
    int deflation_vectors;
    enum deflation_solver deflation_solver;
    enum smoother smoother;     /* multigrid */
    enum cycle cycle;
    enum inner_method inner;    /* block-Jacobi (also where it is the smoothing): method inside a block of SLICE rows */
    int inner_sweeps;           /* and how many sweeps of it */
    int smoothing_before;       /* block-Jacobi sweeps on the solution before CG starts; not with multigrid */
    int smoothing_every;        /* one block-Jacobi sweep (CG restarts) after every so many CG iterations; 0 = never */
    double tolerance;           /* relative to the initial residual, 2-norm */
    double absolute;            /* or absolute, 2-norm of the residual */
    int max_iterations;
};

struct line_setting { char name[NAME_LENGTH]; int line; double from[3], to[3]; int length, points; };
struct probe_setting { char name[NAME_LENGTH]; int line; double at[3]; int length; };
struct force_setting {          /* forces.NAME */
    char name[NAME_LENGTH];
    int line;
    char (*boundary)[NAME_LENGTH];
    int n_boundaries;
    double about[3];            /* point that moments are about */
    double scale;               /* coefficients = force / scale; 0 = none printed (scale = rho U^2 A / 2) */
};
struct monitor_setting {        /* convergence.NAME: also wait until this quantity stands still */
    char name[NAME_LENGTH];
    int line;
    char of[NAME_LENGTH];       /* a probe or a force */
    char quantity[NAME_LENGTH]; /* force_x .. force_z, moment_x .., velocity_x .., pressure */
    double tolerance;           /* largest relative change ... */
    int over;                   /* ... over so many iterations */
};

/* Part of the text that the case file and the files included in it make: its lines from `from` on are those of the file
 * from `line` on.  Lines that settings have (here and in the structs above) are those of the whole text. */
struct case_part { char *file; int from, line; };

struct case_settings {
    char path[PATH_LENGTH];     /* the case file as given */
    char name[NAME_LENGTH];     /* its file name without .cfg */
    struct case_part *part;     /* ascending */
    int n_parts;
    struct mesh_setting mesh;
    double density, viscosity;  /* mass / volume; dynamic viscosity */
    double gravity[3];          /* acceleration */
    int gravity_length;         /* 0: none given */
    struct second_fluid_setting second_fluid;
    struct interface_setting interface;
    struct boundary_setting *boundary;
    int n_boundaries;
    enum initial_field initial_field;
    double initial_velocity[3], initial_pressure;
    int initial_velocity_length;

    enum algorithm algorithm;
    enum convection convection;
    enum gradient gradient;
    enum accuracy accuracy;     /* of the velocity between the cells' centres, where the mesh is skewed or not orthogonal */
    double tolerance;           /* of the normalised residuals */
    int max_iterations;
    double relaxation_velocity, relaxation_pressure;
    int non_orthogonal_correctors;
    int correctors;             /* piso, pimple: pressure corrections in a time step (or in an outer corrector) */
    int outer_correctors;       /* piso: 1 */
    struct time_setting time;
    struct prescribed_setting prescribed;
    struct linear_setting pressure, velocity;

    char directory[PATH_LENGTH];                /* output; default NAME.out beside where the program runs */
    char (*field)[NAME_LENGTH];                 /* names of fields to write: whose, is not known here */
    int n_fields;
    int fields_line;            /* of output.fields */
    int output_every;           /* iterations or steps between written fields; 0 = at the end only */
    double output_interval;     /* time between written fields, which steps are cut to hit; 0 = none */
    int checkpoint_every;       /* likewise for the checkpoint */
    int report_every;           /* iterations between lines of the table and of the CSV files */

    struct line_setting *line;       int n_lines;
    struct probe_setting *probe;     int n_probes;
    struct force_setting *force;     int n_forces;
    struct monitor_setting *monitor; int n_monitors;
    struct shape_setting *shape;     int n_shapes;
    struct bubbles_setting bubbles;

    char *listing;              /* what case_print() prints */
};

/* Reads the file and the command line's key=value settings (each as if it stood in the file; "--set" in messages; the
 * value of a text key needs no quotes).  False with a message that may hold several errors, in the order of the file's
 * lines (all that were found, at most 20; further lines of one error are indented); *c is empty then. */
bool case_read(struct case_settings *c, const char *path, const char *const *set, int n_set, struct error *e);
void case_free(struct case_settings *c);
static inline bool case_is_advection(const struct case_settings *c) { return c->algorithm == ALGORITHM_ADVECTION; }
static inline bool case_is_transient(const struct case_settings *c) { return c->algorithm >= ALGORITHM_PISO; }
/* Where a setting stands, for messages: "cavity.cfg:5", or "cavity.cfg (--set)" for line 0.  Valid until the call after
 * the next. */
const char *case_place(const struct case_settings *c, int line);
/* Once the mesh is known: every mesh boundary has a condition and every named boundary exists, vector lengths equal
 * dim, periodic partners are boundaries too.  mesh_name: for the message, "cavity.msh". */
bool case_check_boundaries(const struct case_settings *c, const char *mesh_name, int dim, const char *const *names,
                           int n, struct error *e);
/* Every key with the value in force, "# default" beside those that the file does not give: the log's first page.
 * It is a case file itself: beside the given one it gives the same settings. */
void case_print(const struct case_settings *c, FILE *out);
/* A linear solver from the command line: NAME[:key=value]..., the name and the keys those of solver.pressure, or a
 * shorthand: jr, gs, sgs, gs2, sgs2, neumann1, neumann2; deflated-NAME: with deflation of the kind `deflation`.
 * standard: n settings "key=value" that stand in where the text does not say otherwise and where they apply; then the
 * table's defaults.  False with a message. */
bool linear_setting_read(struct linear_setting *s, const char *text, const char *deflation, const char *const *standard,
                         int n, struct error *e);
/* `poise help case`: every key with type, unit, default, valid words. */
void case_help(FILE *out);
#endif
