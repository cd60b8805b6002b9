/* One iteration of the coupled algorithm: assembly, solve, pseudo-time step, Newton terms (coupled.h). */
#include "flow/coupled.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/coupled_system.h"
#include "assembly/field_table.h"
#include "assembly/gradient.h"
#include "base/memory.h"
#include "flow/followed.h"
#include "flow/scalar.h"
#include "flow/simple_parts.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* A change of the velocity by more than this fraction of it, or of the imposed velocity if that is larger, is rejected:
 * the system is solved again with inertia, which grows with every rejection until it exceeds MOST_INERTIA, and
 * decreases while changes are small.  (Without the second criterion a flow that is far too slow after the first solve,
 * as between two outlets, would be slowed down for hundreds of iterations.) */
#define LARGEST_CHANGE 0.8
#define SMALL_CHANGE 0.25
#define MOST_INERTIA 3

/* Where shear-thinning or a yield stress makes the viscosity huge, fluid moves like a solid.  Inertia in proportion to
 * its a_P would delay its start by thousands of iterations, so it is that of cells with MOST_VISCOUS times the harmonic
 * mean of the viscosity.  Anderson's acceleration also misleads there until changes are below SMALL_CHANGE_THINNING
 * (measured: docs/explanation/numerics.md). */
#define MOST_VISCOUS 0.05
#define SMALL_CHANGE_THINNING 0.01

/* Newton's terms: their initial, largest and smallest bound, relative to the momentum's diagonal.  It grows by
 * MORE_NEWTON while the linear solver needs few iterations and is halved if it needs many.  If it needs many even with
 * LEAST_NEWTON, the least inertia is doubled instead, up to MOST_RAISED times its initial value: systems that are hard
 * with so little of Newton's terms lack inertia, and the iteration then converges slowly. */
#define FIRST_NEWTON 0.1
#define MOST_NEWTON 0.4
#define LEAST_NEWTON (FIRST_NEWTON / 4)
#define MORE_NEWTON 1.3
#define MOST_RAISED 4
enum { FEW_INNER = 8, MANY_INNER = 16 };

struct coupled {
    struct matrix a;
    double *change;             /* [(dim + 1) pitch] */
    double *rhs;                /* likewise */
    struct sums sums;
    double inertia;             /* 1 / Courant number of the pseudo-time, 0: none */
    double least, raised;       /* its initial lower bound; the factor on it now */
    bool thins;                 /* the fluid is shear-thinning or has a yield stress */
    double volume;              /* of all cells */
    double most_viscous;        /* of struct coupled_args */
    double newton;              /* bound of Newton's terms if they are used */
    double with_newton;         /* 1: they are used */
    long long inner;            /* Krylov iterations so far */
    double scale;               /* s of the present system */
    double area;                /* sum of the faces' areas, counted for each of their cells */
    double imposed;             /* volume times the square of the velocity imposed by the case */
    /* with buoyancy: the quantity that the density depends on, in cells and at boundary faces; its gradient, or where
     * the density has a law that of the density there */
    const double *const *x[N_PLACES];
    double *grad_x;
    struct field_table law;     /* of the density */
    double *density[N_PLACES];
};

/* Buoyancy's implicit part: x follows a change of the velocity as far as in a pseudo-time step in which the flow
 * crosses 1 / IMPLICIT_BUOYANCY of the cells along an edge (measured: docs/explanation/numerics.md). */
#define IMPLICIT_BUOYANCY 2.4

static double cells_along_edge(const struct flow *f) { return pow((double)f->s.pattern.n_global, 1.0 / f->s.dim); }

static struct coupled_args system_args(const struct simple *w)
{
    const struct flow *f = &w->f;
    struct coupled *c = w->coupled;
    const double *g = f->c->fluid.gravity;
    const double lighter = c->law.cubic ? 1 : -f->c->fluid.density * f->c->buoyancy.expansion;
    return (struct coupled_args){.lighter = c->x[CELLS] ? lighter : 0,
                                 .gravity = {g[0], g[1], g[2]}, .diffusivity = f->acting_diffusivity,
                                 .part = IMPLICIT_BUOYANCY / cells_along_edge(f), .grad_x = c->grad_x,
                                 .s = f->s, .b = f->b, .momentum = f->momentum,
                                 .relaxation = f->c->solver.relaxation_velocity, .inertia = c->inertia,
                                 .most_viscous = c->most_viscous,
                                 .properties = f->properties, .scale = c->scale, .u = f->u, .rhs = f->rhs,
                                 .newton = c->with_newton > 0 ? c->newton : 0, .grad_u = f->grad_u,
                                 .rhie = w->rhie, .flux = f->flux, .a = c->a, .residual = c->rhs};
}

/* Assembles the matrix for D = 1 and the plain Laplacian, left by flow_create(), as momentum: multigrid takes its
 * structure from it, so that it depends only on the mesh and a restarted run has the same. */
static void assemble_laplacian(struct simple *w)
{
    struct flow *f = &w->f;
    struct fill_args one = {w->rhie, 1};
    fill(&one, f->s.n_padded);
    halo_update(f->s.pattern.halo, w->rhie, 1);
    struct coupled_args a = system_args(w);
    a.relaxation = a.scale = 1, a.inertia = a.newton = a.lighter = 0;
    coupled_matrix(&a, f->s.n_slices);
    coupled_boundary(&a, f->s.n_boundary_cells);
}

static double total_area(const struct mesh *part)
{
    const struct mesh *m = mesh_whole(part);
    double sum = 0;
    for (int32_t f = 0; f < m->n_faces; f++) {
        double square = 0;
        for (int k = 0; k < m->dim; k++) {
            double area = m->face_area[(int64_t)k * m->n_faces + f];
            square += area * area;
        }
        sum += (f < m->n_internal ? 2 : 1) * sqrt(square);
    }
    return sum;
}

static double total_volume(const struct mesh *part)
{
    const struct mesh *m = mesh_whole(part);
    double sum = 0;
    for (int32_t c = 0; c < m->n_cells; c++) sum += m->cell_volume[c];
    return sum;
}

/* Iterations without inertia converge slowly, or diverge for long at high Reynolds numbers.  With this inertia the flow
 * crosses in a pseudo-time step 6 times as many cells as a square or cube of all cells has along an edge; in 3-D
 * without Newton's terms 2 times, because more does not converge there (measured: docs/explanation/numerics.md).
 * Buoyancy needs steps of a cell, because the rest of it lags by an iteration. */
static double least_inertia(const struct flow *f)
{
    bool alone = f->s.dim == 3 && !(f->c->solver.newton > 0);
    return (flow_acting_scalar(f->c) ? 1 : alone ? 0.5 : 0.16) / cells_along_edge(f);
}

static void coupled_fields(struct simple *w)
{
    struct coupled *c = w->coupled;
    const struct { const char *name; double *number; } own[] = {
        {"inertia", &c->inertia}, {"raised", &c->raised}, {"newton", &c->newton}, {"with_newton", &c->with_newton}};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        fields_add(&w->f.fields, &(struct field){.name = own[i].name, .use = FIELD_CHECKPOINT, .components = 1,
                                                 .pitch = 1, .number = own[i].number});
}

static void find_buoyancy(struct coupled *c, struct flow *f)
{
    const char *name = flow_acting_scalar(f->c);
    if (!name) return;
    followed_find(f, name, c->x);
    c->grad_x = flow_cells(f, f->s.dim, "gradient of the buoyant quantity");
    if (!f->c->fluid.density_law.given) return;
    c->law = field_table_create(&f->c->fluid.density_law, 1, 0);
    c->density[CELLS] = flow_cells(f, 1, "density");
    c->density[BOUNDARY] = device_alloc((size_t)f->s.n_boundary * sizeof(double), "density");
}

bool coupled_create(struct simple *w, const struct mesh *m, struct error *e)
{
    struct flow *f = &w->f;
    struct coupled *c;
    NEW(c, 1);
    w->coupled = c;
    bool multigrid = f->c->solver.coupled.preconditioner == PRECONDITIONER_MULTIGRID;
    (multigrid ? matrix_create_arrow : matrix_create_blocks)(&c->a, &f->s.pattern, f->s.dim + 1);
    c->change = flow_cells(f, f->s.dim + 1, "change of velocity and pressure");
    c->rhs = flow_cells(f, f->s.dim + 1, "coupled right-hand side");
    c->sums = sums_create(2, f->s.n_slices, "coupled system");
    const double speed = f->speed;
    c->area = total_area(m);
    c->volume = total_volume(m);
    c->imposed = speed * speed * c->volume;
    c->thins = flow_is_thinning(f->c) && !flow_acting_scalar(f->c);
    c->newton = FIRST_NEWTON;
    if (f->c->solver.newton > 0) flow_use_gradient(f);
    c->raised = 1;
    c->least = least_inertia(f);
    find_buoyancy(c, f);
    assemble_laplacian(w);
    struct solver_setup setup = {.nonsymmetric = true, .values_follow = true, .singular = f->b.closed};
    f->coupled_solver = solver_create(&c->a, &f->c->solver.coupled, &setup, e);
    if (f->coupled_solver) coupled_fields(w);
    return f->coupled_solver;
}

void coupled_free(struct coupled *c)
{
    if (!c) return;
    matrix_free(&c->a);
    device_free(c->change), device_free(c->rhs), device_free(c->grad_x);
    device_free(c->density[CELLS]), device_free(c->density[BOUNDARY]), field_table_free(&c->law);
    sums_free(&c->sums);
    free(c);
}

/* The factor that makes the rows of continuity as large as those of momentum: the mean of a_P over that of |S|.  Also
 * sets most_viscous from the harmonic mean of the viscosity. */
static double row_scale(const struct simple *w)
{
    struct coupled *c = w->coupled;
    struct coupled_size_args size = {w->f.s, w->f.momentum, w->f.properties, c->sums};
    double sum[2];
    coupled_size(&size, w->f.s.n_slices);
    sums_finish(&c->sums, 0, 2);
    sums_download(&c->sums, 0, 2, sum);
    if (c->thins) c->most_viscous = MOST_VISCOUS * c->volume / sum[1];
    return 2 * w->f.c->solver.relaxation_velocity * sum[0] / c->area;
}

static void follow_buoyancy(const struct coupled *c, const struct flow *f)
{
    if (!c->x[CELLS]) return;
    const double *x[N_PLACES] = {[CELLS] = *c->x[CELLS], [BOUNDARY] = *c->x[BOUNDARY]};
    scalars_to_flow(f);
    const int64_t n[N_PLACES] = {[CELLS] = f->s.n_cells, [BOUNDARY] = f->s.n_boundary};
    for (int i = 0; i < N_PLACES && c->law.cubic; i++) {
        field_table_values(&(struct field_table_args){c->law, x[i], c->density[i]}, n[i]);
        x[i] = c->density[i];
    }
    halo_update(f->s.pattern.halo, x[CELLS], 1);
    gradient(&f->s, GRADIENT_LEAST_SQUARES, 1, x[CELLS], x[BOUNDARY], c->grad_x, NULL);
}

static void assemble(struct simple *w)
{
    struct flow *f = &w->f;
    simple_assemble_momentum(w);
    stopwatch_lap(&f->watch, PHASE_MOMENTUM_ASSEMBLY);
    simple_face_flux(w, f->u, 1);
    w->coupled->scale = row_scale(w);
    follow_buoyancy(w->coupled, f);
    struct coupled_args a = system_args(w);
    coupled_matrix(&a, f->s.n_slices);
    coupled_boundary(&a, f->s.n_boundary_cells);
    if (f->b.n_pins) coupled_pin(&a, f->b.n_pins);
    simple_assemble_pressure_matrix(w);
    stopwatch_lap(&f->watch, PHASE_PRESSURE_ASSEMBLY);
}

/* Size of the velocity's change, relative to its old value (0 if that was zero), and to the larger of that and the
 * imposed velocity. */
struct size { double own, imposed; };

static struct size size_of_change(const struct simple *w)
{
    const struct flow *f = &w->f;
    const struct coupled *c = w->coupled;
    struct coupled_norms_args norms = {.s = f->s, .u = f->u, .change = c->change, .sums = c->sums};
    double total[2];
    coupled_norms(&norms, f->s.n_slices);
    sums_finish(&c->sums, 0, 2);
    sums_download(&c->sums, 0, 2, total);
    if (!(total[0] > 0)) return (struct size){0, 0};
    return (struct size){sqrt(total[1] / total[0]), sqrt(total[1] / fmax(total[0], c->imposed))};
}

/* Solves for the change, and again with more inertia while it is too large; returns its size. */
static double solve(struct simple *w, struct simple_report *r)
{
    struct flow *f = &w->f;
    struct coupled *c = w->coupled;
    for (;;) {
        struct fill_args zero = {c->change, 0};
        fill(&zero, (f->s.dim + 1) * f->s.pitch);
        struct linear_result one = solver_solve(f->coupled_solver, &c->a, c->change, c->rhs);
        c->inner += one.iterations + drive_couple(f, &c->a, w->rhie, c->scale, c->change);
        one.iterations += r->pressure_solve.iterations;
        r->pressure_solve = one;
        struct size size = size_of_change(w);
        if (!(size.imposed > LARGEST_CHANGE) || c->inertia > MOST_INERTIA) return drive_accept(f), size.own;
        struct coupled_hold_args hold = {.s = f->s, .a = c->a, .rhie = w->rhie,
                                         .more = c->inertia < 0.05 ? 0.1 : 2 * c->inertia};
        coupled_hold(&hold, f->s.n_cells);
        c->inertia += hold.more;
        r->refused++;
    }
}

/* Uses Newton's terms once changes are small, as much of them as the linear solver can handle.  Steps of the iteration
 * with and without them must not share Anderson's history. */
static void choose_newton(struct simple *w, double size, const struct simple_report *r)
{
    struct coupled *c = w->coupled;
    const int inner = r->pressure_solve.iterations;
    const bool before = c->with_newton > 0, now = size < w->f.c->solver.newton;
    if (before && !r->refused && inner > MANY_INNER) {
        if (c->newton > LEAST_NEWTON || c->raised >= MOST_RAISED) c->newton /= 2;
        else c->raised *= 2;
    } else if (before && inner <= FEW_INNER) c->newton = fmin(MORE_NEWTON * c->newton, MOST_NEWTON);
    c->with_newton = now;
    if (w->anderson && now != before) anderson_forget(w->anderson);
}

/* Decreases the inertia to its lower bound while changes are small. */
static void relax_inertia(struct coupled *c, double size)
{
    if (size < SMALL_CHANGE) c->inertia /= 3;
    c->inertia = fmax(c->inertia, c->raised * c->least);
}

static void change(struct simple *w)
{
    struct flow *f = &w->f;
    struct coupled *c = w->coupled;
    struct coupled_change_args a = {.s = f->s, .b = f->b, .rhie = w->rhie,
                                    .unit = c->scale, .change = c->change, .u = f->u, .p = f->p,
                                    .flux = f->flux};
    halo_update(f->s.pattern.halo, c->change, f->s.dim + 1);
    coupled_change_flux(&a, f->s.n_active);
    coupled_change_boundary_flux(&a, f->s.n_boundary);
    coupled_change(&a, f->s.n_padded);
    simple_follow_pressure(w);
    simple_follow_velocity(w);
}

void coupled_iterate(struct simple *w, struct simple_report *r)
{
    stopwatch_start(&w->f.watch);
    memset(r, 0, sizeof *r);
    if (w->anderson) anderson_begin(w->anderson);
    assemble(w);
    double size = solve(w, r);
    stopwatch_lap(&w->f.watch, PHASE_PRESSURE_SOLVE);
    change(w);
    r->inertia = w->coupled->inertia;
    r->inner = w->coupled->inner;
    simple_conclude(w, r, size < (w->coupled->thins ? SMALL_CHANGE_THINNING : SMALL_CHANGE));
    choose_newton(w, size, r);
    relax_inertia(w->coupled, size);
}

void coupled_assemble(struct simple *w)
{
    stopwatch_start(&w->f.watch);
    assemble(w);
}

const struct matrix *coupled_system(const struct simple *w, const double **rhs, double *unit)
{
    *rhs = w->coupled->rhs;
    *unit = w->coupled->scale;
    return &w->coupled->a;
}
