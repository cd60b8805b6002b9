/* The one table of keys: everything that a case file may say. */
#include "base/case_parts.h"
#include <string.h>

#define WORDS(...) (const char *const[]){__VA_ARGS__, NULL}
#define OFFSET(s, member) offsetof(struct s, member)
#define KEYS(k) (k), (int)(sizeof(k) / sizeof *(k))
#define BIT(type) (1u << (type))

const char *const algorithms[] = {"simple", "simplec", "piso", "pimple", "advection", NULL};
const char *const shape_types[] = {"sphere", "box", "half-space", NULL};
static const char *const initial_fields[] = {"uniform", "taylor-green", NULL};
#define STEADY (BIT(ALGORITHM_SIMPLE) | BIT(ALGORITHM_SIMPLEC))
#define MARCHING (BIT(ALGORITHM_PISO) | BIT(ALGORITHM_PIMPLE))

static const struct key mesh_keys[] = {
    {"file", KEY_PATH, OFFSET(mesh_setting, file), .standard = "",
     .help = ".geo, .msh or .h5, relative to the case file's folder; required, or else mesh.box"},
    {"parameters", KEY_PARAMETERS, OFFSET(mesh_setting, parameter), OFFSET(mesh_setting, n_parameters), .standard = "",
     .help = "values for what the .geo file names in DefineConstant[...]"},
    {"ordering", KEY_WORD, OFFSET(mesh_setting, ordering), .standard = "hilbert",
     .words = WORDS("hilbert", "cuthill-mckee", "metis", "none"), .help = "numbering of the cells inside the program, for speed; files keep the mesh file's own"},
};
static const struct key box_keys[] = {
    {"cells", KEY_INTEGERS, OFFSET(box_setting, cells), OFFSET(box_setting, dim), .range = "[1, inf)",
     .help = "cells in each direction: 2 numbers make a 2-D box, 3 a 3-D one"},
    {"from", KEY_VECTOR, OFFSET(box_setting, from), .unit = "length", .standard = "[0.0, 0.0, 0.0]",
     .help = "lowest corner"},
    {"to", KEY_VECTOR, OFFSET(box_setting, to), .unit = "length", .standard = "[1.0, 1.0, 1.0]",
     .help = "highest corner"},
    {"stretch", KEY_VECTOR, OFFSET(box_setting, stretch), .range = "[1, inf)", .standard = "[1.0, 1.0, 1.0]",
     .help = "largest over smallest cell width, cells finer towards both ends; 1 = uniform"},
    {"distortion", KEY_REAL, OFFSET(box_setting, distortion), .range = "[0, 0.5)", .standard = "0.0",
     .help = "random shift of the inner vertices, in cell widths"},
};
static const struct key fluid_keys[] = {
    {"density", KEY_REAL, OFFSET(case_settings, density), .unit = "mass/length^3", .range = "(0, inf)",
     .standard = "1.0", .help = "density"},
    {"viscosity", KEY_REAL, OFFSET(case_settings, viscosity), .unit = "mass/(length time)", .range = "(0, inf)",
     .help = "dynamic viscosity"},
    {"gravity", KEY_VECTOR, OFFSET(case_settings, gravity), OFFSET(case_settings, gravity_length), "length/time^2",
     .standard = "", .help = "acceleration, with piso and pimple (not given: none)"},
};
static const struct key second_fluid_keys[] = {
    {"density", KEY_REAL, OFFSET(second_fluid_setting, density), .unit = "mass/length^3", .range = "(0, inf)",
     .help = "density"},
    {"viscosity", KEY_REAL, OFFSET(second_fluid_setting, viscosity), .unit = "mass/(length time)", .range = "(0, inf)",
     .help = "dynamic viscosity"},
    {"surface_tension", KEY_REAL, OFFSET(second_fluid_setting, surface_tension), .unit = "mass/time^2",
     .range = "[0, inf)", .standard = "0.0", .help = "between the two fluids"},
};
static const struct key interface_keys[] = {
    {"advection", KEY_WORD, OFFSET(interface_setting, advection), .standard = "geometric",
     .words = WORDS("geometric", "algebraic"),
     .help = "planes in the cells that are moved with the flow, or limited fluxes of the fraction"},
    {"curvature", KEY_WORD, OFFSET(interface_setting, curvature), .standard = "paraboloid",
     .words = WORDS("paraboloid", "level-set"),
     .help = "a paraboloid through the interface in the cells around, or second derivatives of the distance to it"},
    {"given_curvature", KEY_REAL, OFFSET(interface_setting, given_curvature), .unit = "1/length", .standard = "",
     .help = "in place of the computed one, positive for a round body of the second fluid: for tests of balance"},
};
static const struct key shape_keys[] = {
    {"type", KEY_WORD, OFFSET(shape_setting, type), .words = shape_types, .help = "a sphere is a circle in 2-D"},
    {"centre", KEY_VECTOR, OFFSET(shape_setting, centre), OFFSET(shape_setting, length), "length",
     .kinds = BIT(SHAPE_SPHERE), .help = "of the sphere"},
    {"radius", KEY_REAL, OFFSET(shape_setting, radius), .unit = "length", .range = "(0, inf)",
     .kinds = BIT(SHAPE_SPHERE), .help = "of the sphere"},
    {"from", KEY_VECTOR, OFFSET(shape_setting, from), OFFSET(shape_setting, length), "length", .kinds = BIT(SHAPE_BOX),
     .help = "lowest corner"},
    {"to", KEY_VECTOR, OFFSET(shape_setting, to), .unit = "length", .kinds = BIT(SHAPE_BOX), .help = "highest corner"},
    {"point", KEY_VECTOR, OFFSET(shape_setting, point), OFFSET(shape_setting, length), "length",
     .kinds = BIT(SHAPE_HALF_SPACE), .help = "of its plane"},
    {"normal", KEY_VECTOR, OFFSET(shape_setting, normal), .kinds = BIT(SHAPE_HALF_SPACE),
     .help = "of its plane, out of the second fluid; of any length"},
    {"remove", KEY_INTEGER, OFFSET(shape_setting, remove), .range = "[0, 1]", .standard = "0",
     .help = "1: taken away from the union of the shapes that have 0"},
    {"copies", KEY_INTEGERS, OFFSET(shape_setting, copies), .range = "[1, inf)", .standard = "",
     .help = "a lattice of so many in each direction, itself the lowest (not given: itself alone)"},
    {"spacing", KEY_VECTOR, OFFSET(shape_setting, spacing), .unit = "length", .range = "[0, inf)", .standard = "",
     .help = "between copies; required with them"},
};
static const struct key time_keys[] = {
    {"end", KEY_REAL, OFFSET(time_setting, end), .unit = "time", .range = "(0, inf)",
     .help = "the run goes from time 0 to this one"},
    {"step", KEY_REAL, OFFSET(time_setting, step), .unit = "time", .range = "(0, inf)",
     .help = "the step; with one of the limits below the largest step, and the first one's"},
    {"scheme", KEY_WORD, OFFSET(time_setting, scheme), .standard = "crank-nicolson", .standard_two_phase = "bdf2",
     .words = WORDS("euler", "bdf2", "crank-nicolson"), .help = "first order, and two of second order, the last of which damps nothing: not for fluids of very different density"},
    {"courant", KEY_REAL, OFFSET(time_setting, courant), .range = "(0, inf)", .standard = "",
     .help = "limit of the step: the largest Courant number of the flow"},
    {"interface_courant", KEY_REAL, OFFSET(time_setting, interface_courant), .range = "(0, inf)", .standard = "",
     .help = "limit of the step: the largest Courant number in cells that the interface cuts"},
    {"capillary", KEY_REAL, OFFSET(time_setting, capillary), .range = "(0, inf)", .standard = "",
     .help = "limit of the step, as a multiple of sqrt((density + density_2) h^3 / (4 pi surface_tension)), h the smallest "
             "cell's size: above about 1 capillary waves grow"},
    {"max_steps", KEY_INTEGER, OFFSET(time_setting, max_steps), .range = "[1, inf)", .standard = "",
     .help = "the run ends unfinished (exit status 2) after so many (not given: no limit)"},
};
static const struct key prescribed_keys[] = {
    {"field", KEY_WORD, OFFSET(prescribed_setting, field), .words = WORDS("vortex", "rotation", "shear", "deformation"),
     .help = "the velocity that moves the interface with algorithm advection"},
    {"period", KEY_REAL, OFFSET(prescribed_setting, period), .unit = "time", .range = "(0, inf)", .standard = "",
     .help = "the velocity is multiplied by cos(pi t / period), which brings all back at t = period (not given: it stands); "
             "rotation: of one turn, required"},
};
static const struct key bubbles_keys[] = {
    {"every", KEY_INTEGER, OFFSET(bubbles_setting, every), .range = "[1, inf)", .standard = "1", .unit = "time steps",
     .help = "between rows of the file of the second fluid's connected parts"},
};
static const struct key initial_keys[] = {
    {"field", KEY_WORD, OFFSET(case_settings, initial_field), .standard = "uniform", .words = initial_fields,
     .help = "of the velocity at the start; taylor-green: (-cos x sin y, sin x cos y)"},
    {"velocity", KEY_VECTOR, OFFSET(case_settings, initial_velocity), OFFSET(case_settings, initial_velocity_length),
     "length/time", .standard = "", .kinds = BIT(INITIAL_UNIFORM), .help = "everywhere at the start (not given: zero)"},
    {"pressure", KEY_REAL, OFFSET(case_settings, initial_pressure), .unit = "mass/(length time^2)", .standard = "0.0",
     .help = "everywhere at the start"},
};
static const struct key solver_keys[] = {
    {"algorithm", KEY_WORD, OFFSET(case_settings, algorithm), .standard = "simplec",
     .words = algorithms, .help = "simple, simplec: steady flow; piso, pimple: in time, with time = { ... }; advection: of the "
     "interface alone, with prescribed = { ... }"},
    {"tolerance", KEY_REAL, OFFSET(case_settings, tolerance), .range = "(0, inf)", .standard = "1e-6", .kinds = STEADY,
     .help = "the run has converged when the normalised residuals of velocity and pressure are below this"},
    {"max_iterations", KEY_INTEGER, OFFSET(case_settings, max_iterations), .range = "[1, inf)", .standard = "5000", .kinds = STEADY,
     .help = "the run ends unconverged (exit status 2) after so many"},
    {"relaxation_velocity", KEY_REAL, OFFSET(case_settings, relaxation_velocity), .range = "(0, 1]", .standard = "0.9",
     .kinds = STEADY, .standard_simple = "0.7", .help = "under-relaxation of the momentum equations"},
    {"relaxation_pressure", KEY_REAL, OFFSET(case_settings, relaxation_pressure), .range = "(0, 1]", .standard = "1.0",
     .kinds = STEADY, .standard_simple = "0.3", .help = "under-relaxation of the pressure"},
    {"non_orthogonal_correctors", KEY_INTEGER, OFFSET(case_settings, non_orthogonal_correctors), .range = "[0, 20]",
     .standard = "0", .kinds = STEADY | MARCHING, .help = "further pressure solves in an iteration or a correction; 1 or 3 for meshes of over 50 degrees (poise mesh info), but not 2: errors change sign from one to the next"},
    {"correctors", KEY_INTEGER, OFFSET(case_settings, correctors), .range = "[1, 20]", .standard = "2", .kinds = MARCHING,
     .help = "pressure corrections for one solve of the momentum equations"},
    {"outer_correctors", KEY_INTEGER, OFFSET(case_settings, outer_correctors), .range = "[1, 100]", .standard = "2",
     .kinds = BIT(ALGORITHM_PIMPLE), .help = "how often a time step is made anew, with what it gave as its guess (piso: once)"},
    {"convection", KEY_WORD, OFFSET(case_settings, convection), .standard = "linear-upwind", .standard_two_phase = "van-leer",
     .kinds = STEADY | MARCHING,
     .words = (const char *const[]){CONVECTION_WORDS}, .help = "scheme of the convected velocity; upwind: first order, robust; the others: second order"},
    {"gradient", KEY_WORD, OFFSET(case_settings, gradient), .standard = "least-squares",
     .words = WORDS("least-squares", "green-gauss"),
     .help = "scheme of the velocity's cell gradients (the pressure's are Green-Gauss)"},
    {"accuracy", KEY_WORD, OFFSET(case_settings, accuracy), .standard = "high", .kinds = STEADY | MARCHING,
     .words = WORDS("high", "standard"), .help = "on meshes that are skewed or not orthogonal; high: velocity, pressure and shear at walls of second order; "
     "standard: there only the velocity, for up to a third less time and memory"},
};
static const char *const preconditioners[] = {
    "none", "jacobi", "ruiz", "block-jacobi", "multigrid", "jacobi-richardson", "gauss-seidel", "multicolour-gs",
    "two-stage-gs", "chebyshev", "ic0", "block-ic", "incomplete-poisson", "neumann",
    "async-block-jacobi", "ilu", "block-isai", NULL};
#define KIND(p) BIT(PRECONDITIONER_##p)
/* Those which block-Jacobi sweeps can come before and between; multigrid brings its own smoothing. */
#define FUSED (KIND(NONE) | KIND(JACOBI) | KIND(RUIZ) | KIND(BLOCK_JACOBI))
#define GAUSS_SEIDELS (KIND(GAUSS_SEIDEL) | KIND(MULTICOLOUR_GS) | KIND(TWO_STAGE_GS))
#define SWEPT (GAUSS_SEIDELS | KIND(JACOBI_RICHARDSON))
#define TWO_STAGE (KIND(TWO_STAGE_GS) | KIND(MULTIGRID))        /* multigrid: as its smoother */
#define ILU_FACTORS (KIND(ILU) | KIND(BLOCK_ISAI))
#define POLYNOMIAL (KIND(CHEBYSHEV) | KIND(MULTIGRID))
static const struct key pressure_keys[] = {
    {"preconditioner", KEY_WORD, OFFSET(linear_setting, preconditioner), .standard = "multigrid",
     .words = preconditioners, .help = "of the conjugate gradients for the pressure; docs/solvers.md says which is for what"},
    {"method", KEY_WORD, OFFSET(linear_setting, method), .standard = "cg", .words = WORDS("cg", "stationary", "bicgstab", "gmres", "fgmres"),
     .help = "conjugate gradients; the preconditioner alone, again and again, as a smoother; BiCGStab, which takes any preconditioner; GMRES; flexible GMRES, which takes any"},
    {"restart", KEY_INTEGER, OFFSET(linear_setting, restart), .range = "[1, 1000]", .standard = "30",
     .help = "gmres, fgmres: iterations after which they begin anew; each keeps a vector, fgmres two"},
    {"side", KEY_WORD, OFFSET(linear_setting, side), .standard = "right", .words = WORDS("right", "left"),
     .help = "gmres: of the preconditioner; left: tolerance and absolute are those of the preconditioned residual"},
    {"inner", KEY_WORD, OFFSET(linear_setting, inner), .standard = "jacobi", .kinds = FUSED | KIND(ASYNC_BLOCK_JACOBI),
     .words = WORDS("jacobi", "gauss-seidel", "cg"),
     .help = "method inside a block (512 rows) of block-Jacobi, be it the preconditioner or the smoothing of another one"},
    {"inner_sweeps", KEY_INTEGER, OFFSET(linear_setting, inner_sweeps), .range = "[1, 100]", .standard = "4",
     .kinds = FUSED | KIND(ASYNC_BLOCK_JACOBI), .help = "sweeps of it"},
    {"smoothing_before", KEY_INTEGER, OFFSET(linear_setting, smoothing_before), .range = "[0, 1000]", .standard = "0",
     .kinds = FUSED, .help = "block-Jacobi sweeps on the solution before the conjugate gradients start"},
    {"smoothing_every", KEY_INTEGER, OFFSET(linear_setting, smoothing_every), .range = "[0, inf)", .standard = "0",
     .kinds = FUSED, .help = "one block-Jacobi sweep on the solution after every so many iterations, which then begin anew; 0 = never"},
    {"precision", KEY_WORD, OFFSET(linear_setting, precision), .standard = "double",
     .kinds = KIND(JACOBI_RICHARDSON) | KIND(MULTICOLOUR_GS) | KIND(TWO_STAGE_GS) | KIND(CHEBYSHEV),
     .words = WORDS("double", "single"), .help = "of the preconditioner; the iteration around it is in double precision"},
    {"sweeps", KEY_INTEGER, OFFSET(linear_setting, sweeps), .range = "[1, 100]", .standard = "1",
     .kinds = SWEPT | KIND(MULTIGRID), .help = "outer sweeps (n_t)"},
    {"direction", KEY_WORD, OFFSET(linear_setting, direction), .standard = "symmetric", .kinds = GAUSS_SEIDELS,
     .words = WORDS("symmetric", "forward"), .help = "forwards and backwards, or forwards only"},
    {"form", KEY_WORD, OFFSET(linear_setting, form), .standard = "non-compact", .kinds = KIND(TWO_STAGE_GS),
     .words = WORDS("compact", "non-compact"), .help = "of a sweep: with the triangles of the matrix, or with its residual"},
    {"domain", KEY_WORD, OFFSET(linear_setting, domain), .standard = "matrix",
     .kinds = TWO_STAGE | POLYNOMIAL | KIND(JACOBI_RICHARDSON), .words = WORDS("matrix", "slice"),
     .help = "what sweeps work on: all rows, or each slice of 512 by itself, with the others as they were"},
    {"local_sweeps", KEY_INTEGER, OFFSET(linear_setting, local_sweeps), .range = "[1, 100]", .standard = "1",
     .kinds = TWO_STAGE | KIND(JACOBI_RICHARDSON), .help = "sweeps in a domain for an outer sweep (n_k)"},
    {"richardson_sweeps", KEY_INTEGER, OFFSET(linear_setting, richardson_sweeps), .range = "[0, 100]", .standard = "1",
     .kinds = TWO_STAGE, .help = "inner Jacobi-Richardson sweeps in place of a triangular solve (n_j)"},
    {"damping", KEY_REAL, OFFSET(linear_setting, damping), .range = "(0, 2)", .standard = "1.0",
     .kinds = SWEPT | KIND(MULTIGRID), .help = "of outer sweeps (omega)"},
    {"inner_damping", KEY_REAL, OFFSET(linear_setting, inner_damping), .range = "(0, 2)", .standard = "1.0",
     .kinds = TWO_STAGE, .help = "of inner sweeps (gamma)"},
    {"degree", KEY_INTEGER, OFFSET(linear_setting, degree), .range = "[1, 100]", .standard = "3",
     .kinds = POLYNOMIAL, .help = "of the Chebyshev polynomial, which takes one product with the matrix less"},
    {"ratio", KEY_REAL, OFFSET(linear_setting, ratio), .range = "(1, inf)", .standard = "30.0", .kinds = POLYNOMIAL,
     .help = "of the largest eigenvalue to the smallest that the Chebyshev polynomial is made for"},
    {"triangular", KEY_WORD, OFFSET(linear_setting, triangular), .standard = "levels", .kinds = KIND(IC0),
     .words = WORDS("levels", "fixed-point", "isai", "host"),
     .help = "how the factor is made and its triangles are solved: level by level; by sweeps; by sweeps and by sparse "
             "approximate inverses; one row after the other on the host"},
    {"isai_power", KEY_INTEGER, OFFSET(linear_setting, isai_power), .range = "[1, 6]", .standard = "2", .kinds = KIND(IC0),
     .help = "with isai: the inverses have the pattern of this power of the triangles"},
    {"triangular_sweeps", KEY_INTEGER, OFFSET(linear_setting, triangular_sweeps), .range = "[1, 100]",
     .standard = "5", .kinds = KIND(IC0), .help = "with fixed-point: sweeps for a triangle"},
    {"factor_sweeps", KEY_INTEGER, OFFSET(linear_setting, factor_sweeps), .range = "[1, 100]", .standard = "5",
     .kinds = KIND(IC0), .help = "with fixed-point and isai: sweeps for the factor"},
    {"factor_ordering", KEY_WORD, OFFSET(linear_setting, factor_ordering), .standard = "cuthill-mckee",
     .kinds = KIND(IC0) | KIND(BLOCK_IC) | ILU_FACTORS, .words = WORDS("cuthill-mckee", "multicolour", "matrix"),
     .help = "in which rows are eliminated: breadth first; by colours, which makes fewest levels but takes more iterations; as the matrix has them, which along a Hilbert curve is one long chain"},
    {"level", KEY_INTEGER, OFFSET(linear_setting, level), .range = "[0, 20]", .standard = "0", .kinds = KIND(ILU),
     .help = "of fill: entries that come up k times removed from the matrix's own are kept (ILU(k))"},
    {"power", KEY_INTEGER, OFFSET(linear_setting, power), .range = "[1, 6]", .standard = "1", .kinds = KIND(BLOCK_ISAI),
     .help = "the inverses of the triangles have the pattern of this power of theirs"},
    {"parts", KEY_INTEGER, OFFSET(linear_setting, parts), .range = "[1, 65536]", .standard = "1", .kinds = ILU_FACTORS,
     .help = "subdomains, METIS parts of the graph, factored by themselves (restricted additive Schwarz)"},
    {"overlap", KEY_INTEGER, OFFSET(linear_setting, overlap), .range = "[0, 10]", .standard = "1", .kinds = ILU_FACTORS,
     .help = "with parts: layers of neighbours that each has around it"},
    {"block_rows", KEY_INTEGER, OFFSET(linear_setting, block_rows), .range = "[1, inf)", .standard = "128",
     .kinds = KIND(BLOCK_IC), .help = "rows of a block (g)"},
    {"scaling", KEY_WORD, OFFSET(linear_setting, scaling), .standard = "diagonal",
     .kinds = KIND(INCOMPLETE_POISSON), .words = WORDS("diagonal", "none"), .help = "of the matrix, to a diagonal of ones"},
    {"terms", KEY_INTEGER, OFFSET(linear_setting, terms), .range = "[1, 10]", .standard = "2", .kinds = KIND(NEUMANN),
     .help = "of the truncated Neumann series, beside the identity"},
    {"deflation", KEY_WORD, OFFSET(linear_setting, deflation), .standard = "none",
     .words = WORDS("none", "stripes", "blocks", "metis", "level-set", "level-set-blocks"),
     .help = "subdomains whose constants are taken out of the iteration: runs of consecutive rows (layers, where a grid is "
             "numbered line by line), runs of slices of 512 rows, METIS parts, bubbles and the regions between, these cut "
             "into blocks"},
    {"deflation_vectors", KEY_INTEGER, OFFSET(linear_setting, deflation_vectors), .range = "[1, 4096]", .standard = "64",
     .help = "how many subdomains; level-set and level-set-blocks: at most"},
    {"deflation_solver", KEY_WORD, OFFSET(linear_setting, deflation_solver), .standard = "inverse",
     .words = WORDS("inverse", "cholesky"), .help = "for the small system of the subdomains"},
    {"smoother", KEY_WORD, OFFSET(linear_setting, smoother), .standard = "block-jacobi", .kinds = KIND(MULTIGRID),
     .words = WORDS("block-jacobi", "two-stage-gs", "chebyshev"),
     .help = "on every level; the last two with the keys that they have as preconditioners"},
    {"cycle", KEY_WORD, OFFSET(linear_setting, cycle), .standard = "k", .kinds = KIND(MULTIGRID),
     .words = WORDS("k", "w", "v"),
     .help = "how a level is corrected by the next one: two steps of conjugate gradients, two plain steps, one"},
    {"tolerance", KEY_REAL, OFFSET(linear_setting, tolerance), .range = "(0, 1)", .standard = "0.1",
     .standard_transient = "1e-4", .help = "a solve ends when the residual is below this part of the first one (transient: of the first in the step)"},
    {"absolute", KEY_REAL, OFFSET(linear_setting, absolute), .range = "[0, inf)", .standard = "0.0",
     .help = "or below this, 2-norm"},
    {"max_iterations", KEY_INTEGER, OFFSET(linear_setting, max_iterations), .range = "[1, inf)", .standard = "1000",
     .help = "or after so many iterations"},
};
static const struct key velocity_keys[] = {
    {"tolerance", KEY_REAL, OFFSET(linear_setting, tolerance), .range = "(0, 1)", .standard = "0.1",
     .standard_transient = "1e-4", .help = "a solve ends when every component's residual is below this part of the first one"},
    {"absolute", KEY_REAL, OFFSET(linear_setting, absolute), .range = "[0, inf)", .standard = "0.0",
     .help = "or below this, 2-norm"},
    {"max_iterations", KEY_INTEGER, OFFSET(linear_setting, max_iterations), .range = "[1, inf)", .standard = "50",
     .help = "or after so many iterations"},
};
static const struct key output_keys[] = {
    {"directory", KEY_PATH, OFFSET(case_settings, directory), .standard = "NAME.out",
     .help = "for all that the run writes, relative to where poise is started; NAME: of the case file, without .cfg"},
    {"fields", KEY_NAMES, OFFSET(case_settings, field), OFFSET(case_settings, n_fields),
     .standard = "[\"velocity\", \"pressure\"]", .standard_two_phase = "[\"velocity\", \"pressure\", \"fraction\"]",
     .help = "written for ParaView, cell by cell: velocity, pressure, gradient (of the velocity), vorticity, reduced-pressure (pressure - "
             "density gravity.x); of two-phase flow fraction, density, curvature, distance (to the interface, negative inside the second "
             "fluid)"},
    {"every", KEY_INTEGER, OFFSET(case_settings, output_every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between written fields; 0 = at the end only"},
    {"interval", KEY_REAL, OFFSET(case_settings, output_interval), .unit = "time", .range = "(0, inf)", .standard = "",
     .help = "between written fields; steps are cut so that they end at these times (not given: none)"},
    {"checkpoint_every", KEY_INTEGER, OFFSET(case_settings, checkpoint_every), .range = "[0, inf)", .standard = "0",
     .unit = "iterations or time steps", .help = "between checkpoints (for --restart); 0 = at the end only"},
    {"report_every", KEY_INTEGER, OFFSET(case_settings, report_every), .range = "[1, inf)", .standard = "1",
     .unit = "iterations or time steps", .help = "between lines of the table and of the CSV files"},
};
static const struct key line_keys[] = {
    {"from", KEY_VECTOR, OFFSET(line_setting, from), OFFSET(line_setting, length), "length", .help = "first point"},
    {"to", KEY_VECTOR, OFFSET(line_setting, to), .unit = "length", .help = "last point"},
    {"points", KEY_INTEGER, OFFSET(line_setting, points), .range = "[2, 1000000]", .standard = "101",
     .help = "with both ends"},
};
static const struct key probe_keys[] = {
    {"at", KEY_VECTOR, OFFSET(probe_setting, at), OFFSET(probe_setting, length), "length", .help = "the point"},
};
static const struct key force_keys[] = {
    {"boundaries", KEY_NAMES, OFFSET(force_setting, boundary), OFFSET(force_setting, n_boundaries),
     .help = "names of the boundaries that the force acts on, together"},
    {"about", KEY_VECTOR, OFFSET(force_setting, about), .unit = "length", .standard = "[0.0, 0.0, 0.0]",
     .help = "point that moments are about"},
    {"scale", KEY_REAL, OFFSET(force_setting, scale), .unit = "force", .range = "[0, inf)", .standard = "0.0",
     .help = "coefficients are force / scale, so scale = density U^2 A / 2; 0 = no coefficients"},
};
static const struct key monitor_keys[] = {
    {"of", KEY_NAME, OFFSET(monitor_setting, of), .help = "name of a probe or of a force"},
    {"quantity", KEY_WORD, OFFSET(monitor_setting, quantity), .is_text = true,
     .words = WORDS("force_x", "force_y", "force_z", "moment_x", "moment_y", "moment_z", "velocity_x", "velocity_y",
                    "velocity_z", "pressure"), .help = "force and moment of a force; velocity and pressure of a probe"},
    {"tolerance", KEY_REAL, OFFSET(monitor_setting, tolerance), .range = "(0, inf)", .standard = "1e-6",
     .help = "the largest relative change of the quantity ..."},
    {"over", KEY_INTEGER, OFFSET(monitor_setting, over), .range = "[1, 1000000]", .standard = "100", .unit = "iterations",
     .help = "... over the last so many; then it stands still"},
};

#define NAMED(list, number, s)                                                                                         \
    offsetof(struct case_settings, list), offsetof(struct case_settings, number), sizeof(struct s)
const struct section sections[] = {
    {"mesh", KEYS(mesh_keys), OFFSET(case_settings, mesh), .help = "the mesh: a file or a box"},
    {"mesh.box", KEYS(box_keys), OFFSET(case_settings, mesh.box), .optional = true,
     .help = "built-in mesh of quadrilaterals or hexahedra; boundaries left right bottom top (back front)"},
    {"fluid", KEYS(fluid_keys), .help = "the fluid"},
    {"second_fluid", KEYS(second_fluid_keys), OFFSET(case_settings, second_fluid), .optional = true,
     .help = "fluid 2, in which the fraction is 1: makes the case two-phase"},
    {"interface", KEYS(interface_keys), OFFSET(case_settings, interface), .with = "second_fluid",
     .help = "two-phase: how the interface is moved and measured"},
    {"shapes", KEYS(shape_keys), NAMED(shape, n_shapes, shape_setting), .with = "second_fluid", .kinds = shape_types,
     .help = "two-phase: where the second fluid is at the start"},
    {"boundary", boundary_keys, N_BOUNDARY_KEYS, NAMED(boundary, n_boundaries, boundary_setting), .kinds = boundary_types,
     .help = "one group for every named boundary of the mesh"},
    {"initial", KEYS(initial_keys), .kinds = initial_fields, .help = "where the run starts"},
    {"time", KEYS(time_keys), OFFSET(case_settings, time), .optional = true,
     .help = "with piso, pimple and advection: end, step and its limits"},
    {"prescribed", KEYS(prescribed_keys), OFFSET(case_settings, prescribed), .optional = true,
     .help = "with advection: the velocity"},
    {"solver", KEYS(solver_keys), .kinds = algorithms, .help = "algorithm and schemes"},
    {"solver.pressure", KEYS(pressure_keys), OFFSET(case_settings, pressure), .kinds = preconditioners,
     .help = "linear solver of the pressure"},
    {"solver.velocity", KEYS(velocity_keys), OFFSET(case_settings, velocity), .help = "linear solver of the velocity"},
    {"output", KEYS(output_keys), .help = "what is written, and when"},
    {"lines", KEYS(line_keys), NAMED(line, n_lines, line_setting),
     .help = "velocity and pressure along straight lines"},
    {"probes", KEYS(probe_keys), NAMED(probe, n_probes, probe_setting), .help = "velocity and pressure at points"},
    {"forces", KEYS(force_keys), NAMED(force, n_forces, force_setting), .help = "force and moment on boundaries"},
    {"convergence", KEYS(monitor_keys), NAMED(monitor, n_monitors, monitor_setting),
     .help = "steady flow: also wait until this quantity stands still, next to solver.tolerance"},
    {"bubbles", KEYS(bubbles_keys), OFFSET(case_settings, bubbles), .optional = true, .with = "second_fluid",
     .help = "two-phase: volume, centre and velocity of the second fluid's connected parts"},
};
const int n_sections = sizeof sections / sizeof *sections;

int count_words(const char *const *words)
{
    int n = 0;
    while (words && words[n]) n++;
    return n;
}

const struct key *find_key(const char *path)
{
    for (int i = 0; i < n_sections; i++) {
        const struct section *s = &sections[i];
        size_t n = strlen(s->path);
        if (strncmp(path, s->path, n) || path[n] != '.') continue;
        const char *name = path + n + 1;
        if (s->size) name = strchr(name, '.') ? strchr(name, '.') + 1 : "";
        for (int k = 0; k < s->n_keys; k++)
            if (!strcmp(name, s->key[k].name)) return &s->key[k];
    }
    return NULL;
}
