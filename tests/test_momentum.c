/* The matrix of momentum compared with a loop over faces, on small distorted boxes of every cell type. */
#include "assembly_fixture.h"

/* Contribution of one face to the equation of the cell on this side, component i: with the scheme's face value and all
 * of the diffusion (matrix == false), or as in the matrix: upwind, along d, boundary values zero. */
struct sides { int f, cell, other; double sign, own; };
struct host_fields { const struct trial *w; enum convection scheme;
                     double *u, *gradient, *flux, *velocity_b, *deferred, *wall, *wall_own, *outlet, *entering; };

static double cell_gradient_along(const struct host_fields *h, int i, int c, const double *arm)
{
    int dim = h->w->m.dim;
    double sum = 0;
    for (int k = 0; k < dim && k < 3; k++) sum += h->gradient[(i * dim + k) * h->w->f->s.pitch + c] * arm[k];
    return sum;
}

static double convected(const struct host_fields *h, const struct sides *p, const double *u, int i, double flux)
{
    const struct mesh *m = &h->w->m;
    int up = flux >= 0 ? p->cell : p->other, down = flux >= 0 ? p->other : p->cell;
    double arm[3], along[3], skew[3], d2 = face_dot(m, m->face_area, m->face_d, p->f);
    double at = face_dot(m, m->face_area, m->face_r, p->f) / d2;       /* where d meets the face, 0 at the owner .. 1 */
    bool owner_up = (m->face_owner[p->f] == up);
    for (int k = 0; k < m->dim; k++) {
        double d = vector_at(m, m->face_d, k, p->f), r = vector_at(m, m->face_r, k, p->f);
        arm[k] = owner_up ? r : r - d, along[k] = owner_up ? d : -d, skew[k] = r - at * d;
    }
    double step = u[down] - u[up], part = owner_up ? at : 1 - at;
    if (h->scheme == CONVECTION_LINEAR_UPWIND) return u[up] + cell_gradient_along(h, i, up, arm);
    if (h->scheme == CONVECTION_CENTRAL)
        return u[up] + part * step + (1 - part) * cell_gradient_along(h, i, up, skew) +
               part * cell_gradient_along(h, i, down, skew);
    if (h->scheme == CONVECTION_VAN_LEER) {
        double ratio = 2 * cell_gradient_along(h, i, up, along) / step - 1;
        return u[up] + part * (ratio + fabs(ratio)) / (1 + fabs(ratio)) * step;
    }
    return u[up];
}

static double internal_part(const struct host_fields *h, const struct sides *p, const double *u, int i, bool matrix)
{
    const struct mesh *m = &h->w->m;
    double mu = h->w->c.flow.fluid.viscosity, flux = p->sign * h->flux[p->f],
           area2 = face_dot(m, m->face_area, m->face_area, p->f);
    double g = area2 / face_dot(m, m->face_area, m->face_d, p->f);
    double diffusive = g * (u[p->other] - u[p->cell]),
           deferred = h->deferred ? p->sign * h->deferred[(int64_t)i * m->n_internal + p->f] : 0;
    if (matrix) return flux * ((flux >= 0 ? u[p->cell] : u[p->other]) - u[p->cell]) - mu * diffusive;
    return flux * (convected(h, p, u, i, flux) - u[p->cell]) - mu * diffusive - deferred;
}

static double boundary_part(const struct host_fields *h, int f, const double *u, int i, bool matrix)
{
    const struct mesh *m = &h->w->m;
    const struct stencil *s = &h->w->f->s;
    int b = f - m->n_internal, cell = m->face_owner[f], rule = rule_at(h->w->f->b.velocity_rule, b);
    double mu = h->w->c.flow.fluid.viscosity, flux = h->flux[f], area2 = face_dot(m, m->face_area, m->face_area, f),
           normal = 0, most = 0;
    double g = area2 / face_dot(m, m->face_area, m->face_d, f),
           value = matrix ? 0 : h->velocity_b[(int64_t)i * s->n_boundary + b];
    if (rule == RULE_GRADIENT && flux < 0)
        return flux * ((matrix ? 0 : h->entering[(int64_t)i * s->n_boundary + b]) - u[cell]);
    if (rule == RULE_GRADIENT)
        return matrix || !h->outlet ? 0 : flux * h->outlet[(int64_t)i * s->n_boundary + b];
    if (rule == RULE_SLIP) {
        for (int k = 0; k < m->dim; k++) {
            normal += h->u[k * s->pitch + cell] * vector_at(m, m->face_area, k, f);
            most = fmax(most, pow(vector_at(m, m->face_area, k, f), 2));
        }
        return mu * g * (matrix ? most * u[cell] : normal * vector_at(m, m->face_area, i, f)) / area2;
    }
    if (matrix) return (flux < 0 ? flux : 0) * -u[cell] + mu * (g + h->wall_own[b]) * u[cell];
    return flux * (value - u[cell]) - mu * (g * (value - u[cell]) + h->wall[(int64_t)i * s->n_boundary + b]);
}

/* The left side of the equation of component i, from a loop over the faces. */
static double *face_loop(const struct host_fields *h, const double *u, int i, bool matrix)
{
    const struct mesh *m = &h->w->m;
    double *sum;
    NEW(sum, m->n_cells);
    for (int f = 0; f < m->n_faces; f++) {
        int o = m->face_owner[f];
        if (f >= m->n_internal) {
            sum[o] += boundary_part(h, f, u, i, matrix);
            continue;
        }
        double at = face_dot(m, m->face_area, m->face_r, f) / face_dot(m, m->face_area, m->face_d, f);
        int n = m->face_neighbour[f];
        sum[o] += internal_part(h, &(struct sides){f, o, n, 1, 1 - at}, u, i, matrix);
        sum[n] += internal_part(h, &(struct sides){f, n, o, -1, at}, u, i, matrix);
    }
    return sum;
}

static const double density = 1.7;              /* times which the flux is that of mass, as the host has it */

/* Random velocity, flux, pressure gradient, force, wall shear and other inputs of the assembly, on the device and on
 * the host. */
static struct host_fields random_fields(const struct trial *w, enum convection scheme, double *source,
                                        double *gradient_u)
{
    const struct flow *f = w->f;
    const struct stencil *s = &f->s;
    const struct mesh *m = &w->m;
    const int64_t dim = m->dim, inside = dim * s->n_internal, boundary = dim * s->n_boundary;
    double *deferred = f->reconstruction.deferred, *wall = f->reconstruction.wall;
    struct host_fields h = {.w = w, .scheme = scheme};
    NEW(h.flux, m->n_faces), NEW(h.u, dim * s->pitch);
    for (int i = 0; i < m->n_faces; i++) {
        int rule = i < m->n_internal ? FLUX_GIVEN : rule_at(f->b.flux_rule, i - m->n_internal);
        h.flux[i] = rule != FLUX_NONE ? number(900 + i) : 0;
    }
    for (int i = 0; i < dim; i++) for (int c = 0; c < m->n_cells; c++) h.u[i * s->pitch + c] = number(5 + i * 1000 + c);
    to_device(f->u, h.u, dim * s->pitch);
    to_device(f->flux, h.flux, m->n_faces);
    for (int i = 0; i < m->n_faces; i++) h.flux[i] *= density;
    randomise(f->grad_p, dim * s->pitch, 31, 0);
    randomise(source, dim * s->pitch, 37, 1);
    gradient(s, GRADIENT_LEAST_SQUARES, m->dim, f->u, f->b.velocity, gradient_u, NULL);
    if (deferred) randomise(deferred, inside, 41, 0), randomise(f->reconstruction.outlet, boundary, 47, 0);
    randomise(wall, boundary, 43, 0), randomise(f->b.entering, boundary, 53, 0);
    h.entering = FROM_DEVICE(f->b.entering, boundary);
    h.gradient = FROM_DEVICE(gradient_u, dim * dim * s->pitch);
    h.velocity_b = FROM_DEVICE(f->b.velocity, boundary);
    h.deferred = deferred ? FROM_DEVICE(deferred, inside) : NULL;
    h.outlet = deferred ? FROM_DEVICE(f->reconstruction.outlet, boundary) : NULL;
    h.wall = FROM_DEVICE(wall, boundary), h.wall_own = FROM_DEVICE(f->reconstruction.wall_own, s->n_boundary);
    return h;
}

static void host_fields_free(struct host_fields *h)
{
    free(h->flux), free(h->u), free(h->gradient), free(h->velocity_b), free(h->deferred), free(h->wall),
        free(h->wall_own), free(h->outlet), free(h->entering);
}

static void assemble(struct trial *w, enum convection scheme, double relaxation, bool simplec, const double *source,
                     const double *gradient_u)
{
    struct flow *f = w->f;
    struct simple *work = &w->simple;
    const struct reconstruction *r = &f->reconstruction;
    struct transport args = {.s = f->s, .a = f->momentum, .components = w->m.dim,
                             .boundary = boundary_of_velocity(&f->b, r, true),
                             .diffusivity = w->c.flow.fluid.viscosity, .relaxation = relaxation, .x = f->u,
                             .gradient = gradient_u, .deferred = r->deferred, .density = density, .flux = f->flux,
                             .source = source, .grad_p = f->grad_p, .rhs = f->rhs,
                             .boundary_part = work->boundary_part};
    transport_assemble(&args, scheme);
    struct simple_coefficients_args k = {.s = f->s, .a = f->momentum, .relaxation = relaxation, .simplec = simplec,
                                         .boundary_part = work->boundary_part, .rhie = work->rhie,
                                         .correct = work->correct};
    simple_coefficients(&k, f->s.n_padded);
    if (simplec) simple_boundary_coefficients(&k, f->s.n_boundary_cells);
}

/* Contribution of the boundary to the diagonal of a cell. */
static double boundary_of_cell(const struct host_fields *h, int c)
{
    const struct mesh *m = &h->w->m;
    double sum = 0, *unit;
    NEW(unit, m->n_cells);
    unit[c] = 1;
    for (int f = m->n_internal; f < m->n_faces; f++)
        if (m->face_owner[f] == c) sum += boundary_part(h, f, unit, 0, true);
    free(unit);
    return sum;
}

static void check_matrix(const struct host_fields *h, double relaxation, bool simplec)
{
    const struct flow *f = h->w->f;
    const struct simple *work = &h->w->simple;
    const struct mesh *m = &h->w->m;
    double *x, *one;
    NEW(x, m->n_cells), NEW(one, m->n_cells);
    for (int c = 0; c < m->n_cells; c++) x[c] = number(77 + c), one[c] = 1;
    double *diag = FROM_DEVICE(f->momentum.diag, f->s.pitch), *rhie = FROM_DEVICE(work->rhie, f->s.pitch);
    double *correct = FROM_DEVICE(work->correct, f->s.pitch), *ax = product(&f->momentum, x);
    double *wanted = face_loop(h, x, 0, true), *row_sum = product(&f->momentum, one);
    for (int c = 0; c < m->n_cells; c++) {
        double a_p = diag[c] * relaxation, boundary = boundary_of_cell(h, c);
        close_to(ax[c] - (diag[c] - a_p) * x[c], wanted[c], 50, "matrix");
        close_to(rhie[c] * a_p, m->cell_volume[c], 10, "V / a_P");
        close_to(correct[c] * (simplec ? diag[c] - (a_p - boundary) : diag[c]), m->cell_volume[c], 50,
                 "velocity correction");
        close_to(row_sum[c], diag[c] - a_p + boundary, 50, "row sum");
        assert_true(diag[c] > 0);
    }
    free(x), free(one), free(diag), free(rhie), free(correct), free(ax), free(wanted), free(row_sum);
}

static void check_equations(const struct host_fields *h, const double *source)
{
    const struct flow *f = h->w->f;
    const struct mesh *m = &h->w->m;
    const int64_t pitch = f->s.pitch, all = m->dim * pitch;
    double *rhs = FROM_DEVICE(f->rhs, all), *grad_p = FROM_DEVICE(f->grad_p, all), *force = FROM_DEVICE(source, all);
    for (int i = 0; i < m->dim; i++) {
        const double *u = h->u + i * pitch;
        double *au = product(&f->momentum, u), *residual = face_loop(h, u, i, false);
        for (int c = 0; c < m->n_cells; c++) {
            double body = (force[i * pitch + c] - grad_p[i * pitch + c]) * m->cell_volume[c];
            close_to(au[c] - rhs[i * pitch + c], residual[c] - body, 100, "equation");
        }
        free(au), free(residual);
    }
    free(rhs), free(grad_p), free(force);
}

static void check_momentum(struct trial *w, enum convection scheme, double relaxation, bool simplec)
{
    const size_t dim = (size_t)w->m.dim, pitch = (size_t)w->f->s.pitch;
    double *gradient_u = device_alloc(dim * dim * pitch * sizeof(double), "gradient");
    double *source = device_alloc(dim * pitch * sizeof(double), "source");
    struct host_fields h = random_fields(w, scheme, source, gradient_u);
    assemble(w, scheme, relaxation, simplec, source, gradient_u);
    check_matrix(&h, relaxation, simplec);
    check_equations(&h, source);
    host_fields_free(&h);
    device_free(gradient_u), device_free(source);
}

static void momentum_schemes(void **state)
{
    (void)state;
    EVERY_GRID(w, true,
               for (int scheme = CONVECTION_UPWIND; scheme <= CONVECTION_VAN_LEER; scheme++)
                   check_momentum(&w, (enum convection)scheme, 0.7, scheme % 2);)
}

/* Orthogonal boxes use shorter code paths in the kernels. */
static void momentum_on_regular_boxes(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_HEXAHEDRA};
    for (int i = 0; i < 2; i++)
        for (int scheme = CONVECTION_UPWIND; scheme <= CONVECTION_VAN_LEER; scheme++) {
            struct trial w;
            start(&w, kinds[i], 0, true);
            assert_true(w.f->s.orthogonal && w.f->s.unskewed);
            check_momentum(&w, (enum convection)scheme, 0.9, true);
            trial_close(&w);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(momentum_schemes), cmocka_unit_test(momentum_on_regular_boxes)};
    return RUN_TESTS("momentum", tests);
}
