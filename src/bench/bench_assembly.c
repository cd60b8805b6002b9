/* poise bench assembly: the work of a SIMPLE iteration apart from linear solves, in units of one matrix-vector product.
 *
 * Bytes: every array that a kernel reads or writes is counted once, however often neighbours are read again; face
 * arrays over all faces; the short kernels over boundary cells are included except for the boundary values.
 * n: cells with padding, e: entries with padding, f: faces, b: boundary faces; all values except codes are doubles. */
#include <stdio.h>
#include "assembly/gradient.h"
#include "assembly/transport.h"
#include "assembly/pressure.h"
#include "bench/bench.h"
#include "flow/simple.h"

enum { STEPS = 3 };                     /* initial iterations, so that the fields are not zero */

static void product(void *context)
{
    struct simple *w = context;
    struct flow *f = &w->f;
    matrix_product(&f->pressure, f->p, f->rhs);
}

static void velocity_gradient(void *context)
{
    struct simple *w = context;
    flow_velocity_gradient(&w->f);
}

static void pressure_gradient(void *context)
{
    struct simple *w = context;
    struct flow *f = &w->f;
    gradient(&f->s, GRADIENT_GREEN_GAUSS, 1, f->p, f->b.pressure, w->grad_next, f->scratch);
}

static void momentum(struct simple *w, enum convection scheme)
{
    struct flow *f = &w->f;
    const struct flow_setting *c = f->c;
    const struct reconstruction *r = &f->reconstruction;
    struct transport t = {.s = f->s, .a = f->momentum, .components = f->s.dim,
                          .boundary = boundary_of_velocity(&f->b, r, true),
                          .diffusivity = c->fluid.viscosity, .relaxation = c->solver.relaxation_velocity, .x = f->u,
                          .gradient = f->grad_u, .deferred = r->deferred, .density = f->properties.density[0],
                          .flux = f->flux, .source = f->source, .grad_p = f->grad_p, .rhs = f->rhs,
                          .boundary_part = w->boundary_part};
    transport_assemble(&t, scheme);
    struct simple_coefficients_args k = {.s = f->s, .a = f->momentum, .relaxation = c->solver.relaxation_velocity,
                                         .simplec = c->solver.algorithm == ALGORITHM_SIMPLEC,
                                         .boundary_part = w->boundary_part, .rhie = w->rhie, .correct = w->correct};
    simple_coefficients(&k, f->s.n_padded);
    if (k.simplec) simple_boundary_coefficients(&k, f->s.n_boundary_cells);
}
static void momentum_first_order(void *context) { momentum(context, CONVECTION_UPWIND); }
static void momentum_second_order(void *context) { momentum(context, CONVECTION_LINEAR_UPWIND); }

static void flux(void *context)
{
    struct simple *w = context;
    struct flow *f = &w->f;
    struct face_flux_args args = {.s = f->s, .b = f->b,
                                  .relaxation = f->c->solver.relaxation_velocity, .v = w->u_old,
                                  .reconstructed = f->reconstruction.through, .p = f->p, .grad_p = f->grad_p,
                                  .rhie = w->rhie, .correct = w->correct, .flux = f->flux,
                                  .coefficient = w->coefficient};
    face_flux(&args, f->s.n_internal);
    boundary_flux(&args, f->s.n_boundary);
}

static void pressure(void *context)
{
    struct simple *w = context;
    flow_assemble_pressure(&w->f, w->coefficient);
}

static void velocity_residual(void *context)
{
    struct simple *w = context;
    struct flow *f = &w->f;
    double normalised[3];
    residual_normalised(&f->residual, OF_VELOCITY, &f->momentum, f->u, f->rhs, false, 0, normalised);
}

static void pressure_residual(void *context)
{
    struct simple *w = context;
    struct flow *f = &w->f;
    double normalised;
    residual_normalised(&f->residual, OF_CELLS, &f->pressure, f->p, f->rhs, true, w->gross_flux, &normalised);
}

static void continuity(void *context)
{
    struct simple *w = context;
    struct flow *f = &w->f;
    flow_net_flux(f, f->rhs);
    continuity_error(&f->residual, &f->s, f->flux, f->rhs, &w->gross_flux);
}

/* face and column codes 8 e; d; x, its boundary values; the packed matrices; the gradient. */
static int64_t least_squares_bytes(const struct stencil *s, int64_t components)
{
    int64_t dim = s->dim;
    return 8 * (s->pattern.n_stored + dim * s->n_faces + components * (s->n_padded + s->n_boundary)
                + dim * (dim + 1) / 2 * s->n_padded + components * dim * s->n_padded);
}

/* face and column codes 8 e; S, weight; x, its boundary values; volume; the gradient.  On skewed meshes also the
 * least-squares pass, and then its gradient, r and d. */
static int64_t green_gauss_bytes(const struct stencil *s, int64_t components)
{
    int64_t dim = s->dim, n = s->n_padded;
    int64_t bytes = 8 * (s->pattern.n_stored + (dim + 1) * s->n_faces + components * (n + s->n_boundary) + n
                         + components * dim * n);
    if (s->unskewed) return bytes;
    return bytes + least_squares_bytes(s, components) + 8 * (components * dim * n + 2 * dim * s->n_faces);
}

static int64_t gradient_bytes(const struct stencil *s, enum gradient how, int64_t components)
{
    return how == GRADIENT_LEAST_SQUARES ? least_squares_bytes(s, components) : green_gauss_bytes(s, components);
}

/* face and column codes 8 e, entries 8 e; flux, g; u, grad p read, right-hand side written; volume read, diagonal
 * written, both read again, rhie and correct (coefficients of the flux and of the corrections) written; boundary
 * velocity.  Second order: weight, d, grad u.  Irregular meshes: weight, d, S, r, grad u. */
static int64_t momentum_bytes(const struct stencil *s, bool second_order)
{
    int64_t dim = s->dim, regular = s->orthogonal && s->unskewed;
    int64_t per_face = 2 + (regular ? second_order ? 1 + dim : 0 : 1 + 3 * dim);
    int64_t per_cell = 3 * dim + 6 + (second_order || !regular ? dim * dim : 0);
    return 8 * (2 * s->pattern.n_stored + per_face * s->n_faces + per_cell * s->n_padded + dim * s->n_boundary);
}

/* owner and neighbour 8 f; weight, S, d, g; flux both ways, coefficient written; v, grad p; p, rhie, correct.
 * Skewed: grad u, r. */
static int64_t flux_bytes(const struct stencil *s)
{
    int64_t dim = s->dim, skewed = !s->unskewed;
    return 8 * ((6 + (2 + skewed) * dim) * s->n_faces + (2 * dim + 3 + skewed * dim * dim) * s->n_padded);
}

/* face codes 4 e, entries 8 e; coefficient, flux; diagonal and right-hand side written. */
static int64_t pressure_bytes(const struct stencil *s)
{
    return 12 * s->pattern.n_stored + 8 * (2 * (int64_t)s->n_faces + 2 * s->n_padded);
}

/* x for its mean; then column codes 4 e, entries 8 e; diagonal, x, right-hand side. */
static int64_t residual_bytes(const struct stencil *s, int64_t components)
{
    return 12 * s->pattern.n_stored + 8 * (1 + 3 * components) * s->n_padded;
}

/* Twice: face codes 4 e, flux, the net flux (written, then read). */
static int64_t continuity_bytes(const struct stencil *s)
{
    return 2 * (4 * s->pattern.n_stored + 8 * (s->n_faces + s->n_padded));
}

static void measure(const struct bench *b, struct simple *w)
{
    const struct flow *f = &w->f;
    const struct stencil *s = &f->s;
    const struct { const char *name; void (*work)(void *); int64_t bytes; double most; } row[] = {
        {"product with the matrix", product, matrix_bytes(&f->pressure), 0},
        {"gradient of velocity", velocity_gradient, gradient_bytes(s, f->c->solver.gradient, s->dim), 0},
        {"gradient of pressure", pressure_gradient, green_gauss_bytes(s, 1), 0},
        {"momentum, upwind", momentum_first_order, momentum_bytes(s, false), 6},
        {"momentum, linear-upwind", momentum_second_order, momentum_bytes(s, true), 6},
        {"residual norms, velocity", velocity_residual, residual_bytes(s, s->dim), 0},
        {"face flux (Rhie-Chow)", flux, flux_bytes(s), 0},
        {"pressure matrix, right-hand side", pressure, pressure_bytes(s), 3},
        {"residual norm, pressure", pressure_residual, residual_bytes(s, 1), 0},
        {"continuity error", continuity, continuity_bytes(s), 0}};
    double unit = 0;
    bench_heading("caches cold");
    for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
        char note[64] = "";
        double seconds = bench_seconds(b, true, row[i].work, w);
        if (i == 0) unit = seconds;
        else if (row[i].most > 0)
            snprintf(note, sizeof note, "%5.2f products (at most %g: %s)", seconds / unit, row[i].most,
                     seconds <= row[i].most * unit ? "yes" : "no");
        else snprintf(note, sizeof note, "%5.2f products", seconds / unit);
        bench_line(b, row[i].name, seconds, row[i].bytes, note);
    }
}

bool bench_assembly(struct bench *b, struct error *e)
{
    struct case_settings c;
    struct simple f;
    struct simple_report r;
    if (!bench_cavity(&c, &b->mesh, e)) return false;
    bool good = simple_create(&f, &c.flow, &b->mesh, e);
    if (good) {
        for (int i = 0; i < STEPS; i++) simple_iterate(&f, &r);
        measure(b, &f);
        simple_free(&f);
    }
    case_free(&c);
    return good;
}
