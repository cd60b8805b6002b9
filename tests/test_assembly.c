/* Every kernel of the assembly against a loop over faces, or a closed form, on small distorted boxes of every cell
 * type. */
#include "flow_fixture.h"
#include "assembly/gradient.h"
#include "assembly/transport.h"
#include "assembly/pressure.h"
#include "run/monitor_kernels.h"

static const char *const closed = "fluid = { density = 1.7; viscosity = 0.3; };\n"
    "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; "
    "top = { type = \"wall\"; };";
static const char *const open = "fluid = { density = 1.7; viscosity = 0.3; };\n"
    "boundary = { left = { type = \"inlet\"; velocity = [1, 0%s]; }; right = { type = \"outlet\"; pressure = 0.4; };\n"
    "bottom = { type = \"symmetry\"; }; top = { type = \"wall\"; };";

static void start(struct trial *w, enum grid kind, double distortion, bool with_outlet)
{
    char text[1000];
    bool solid = grid_dim(kind) == 3;
    int n = snprintf(text, sizeof text, with_outlet ? open : closed, solid ? ", 0" : "");
    snprintf(text + n, sizeof text - (size_t)n,
             "%s };\nsolver = { pressure = { preconditioner = \"jacobi\"; tolerance = 1e-14; }; };",
             solid ? " back = { type = \"wall\"; }; front = { type = \"symmetry\"; };" : "");
    struct box_setting box = grid_box(kind, solid ? 3 : 5, distortion);
    trial_open(w, kind, &box, false, text);
}

#define EVERY_GRID(w, with_outlet, body)                                                                     \
    for (int kind_ = GRID_QUADS; kind_ <= GRID_MIXED_3D; kind_++) {                                          \
        struct trial w;                                                                                       \
        start(&w, (enum grid)kind_, kind_ == GRID_TETRAHEDRA || kind_ == GRID_MIXED_3D ? 0.1 : 0.2, with_outlet); \
        body                                                                                                 \
        trial_close(&w);                                                                                      \
    }

static void close_to(double found, double wanted, double scale, const char *what)
{
    if (!(fabs(found - wanted) <= 1e-12 * scale)) fail_msg("%s: %.17g, expected %.17g", what, found, wanted);
}

static void to_device(double *to, const double *from, int64_t n) { device_upload(to, from, (size_t)n * sizeof *from); }

static double vector_at(const struct mesh *m, const double *x, int k, int f) { return x[(int64_t)k * m->n_faces + f]; }
static double centre_at(const struct mesh *m, int k, int c) { return m->cell_centre[(int64_t)k * m->n_cells + c]; }
static double face_at(const struct mesh *m, int k, int f)
{
    return centre_at(m, k, m->face_owner[f]) + vector_at(m, m->face_r, k, f);
}

static double face_dot(const struct mesh *m, const double *a, const double *b, int f)
{
    double sum = 0;
    for (int k = 0; k < m->dim; k++) sum += vector_at(m, a, k, f) * vector_at(m, b, k, f);
    return sum;
}

/* ---------------------------------------------------------------- stencil */
static void check_stencil(const struct trial *w)
{
    const struct mesh *m = &w->m;
    const struct stencil *s = &w->f->s;
    int dim = m->dim, packed = dim * (dim + 1) / 2;
    double *g = from_device(s->g, m->n_faces), *weight = from_device(s->weight, m->n_internal), *sum;
    double *lsq = from_device(s->lsq, packed * s->pitch), *volume = from_device(s->volume, s->pitch);
    NEW(sum, dim * dim * m->n_cells);
    for (int f = 0; f < m->n_faces; f++) {
        double sd = face_dot(m, m->face_area, m->face_d, f), ss = face_dot(m, m->face_area, m->face_area, f);
        double dd = face_dot(m, m->face_d, m->face_d, f);
        close_to(g[f] * sd, ss, ss, "g");
        if (f < m->n_internal) close_to((1 - weight[f]) * sd, face_dot(m, m->face_area, m->face_r, f), sd, "weight");
        for (int side = 0; side < (f < m->n_internal ? 2 : 1); side++)
            for (int i = 0; i < dim * dim; i++)
                sum[(side ? m->face_neighbour[f] : m->face_owner[f]) * dim * dim + i] +=
                    vector_at(m, m->face_d, i / dim, f) * vector_at(m, m->face_d, i % dim, f) / dd;
    }
    for (int c = 0; c < m->n_cells; c++) {
        assert_true(volume[c] == m->cell_volume[c]);
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++) {
                double one = 0;
                for (int k = 0; k < dim; k++)
                    one += lsq[PACKED(i, k) * s->pitch + c] * sum[c * dim * dim + k * dim + j];
                close_to(one, i == j, 100, "least-squares matrix");
            }
    }
    for (int64_t c = m->n_cells; c < s->n_padded; c++) assert_true(volume[c] == 1);
    free(g), free(weight), free(lsq), free(volume), free(sum);
}
static void stencil(void **state) { (void)state; EVERY_GRID(w, false, check_stencil(&w);) }

/* ---------------------------------------------------------------- gradients */
static double linear(int component, const double *x)
{
    return 2 - component + (1 + component) * x[0] + (3 - component) * x[1] - 1.5 * x[2];
}

/* Cell and boundary values of a function. */
static void set_field(const struct trial *w, int components, double (*f)(int, const double *), double *x,
                      double *boundary)
{
    const struct mesh *m = &w->m;
    const struct stencil *s = &w->f->s;
    double *cell, *face;
    NEW(cell, components * s->pitch), NEW(face, (int64_t)components * s->n_boundary);
    for (int i = 0; i < components; i++) {
        double at[3] = {0};
        for (int c = 0; c < m->n_cells; c++) {
            for (int k = 0; k < m->dim; k++) at[k] = centre_at(m, k, c);
            cell[i * s->pitch + c] = f(i, at);
        }
        for (int b = 0; b < s->n_boundary; b++) {
            for (int k = 0; k < m->dim; k++) at[k] = face_at(m, k, m->n_internal + b);
            face[(int64_t)i * s->n_boundary + b] = f(i, at);
        }
    }
    to_device(x, cell, components * s->pitch);
    to_device(boundary, face, (int64_t)components * s->n_boundary);
    free(cell), free(face);
}

static void check_linear(const struct trial *w, enum gradient how, double (*f)(int, const double *))
{
    const struct stencil *s = &w->f->s;
    int dim = s->dim;
    const double zero[3] = {0};
    double *result = device_alloc((size_t)(dim * dim) * (size_t)s->pitch * sizeof(double), "result");
    double *scratch = device_alloc((size_t)(dim * dim) * (size_t)s->pitch * sizeof(double), "scratch");
    set_field(w, dim, f, w->f->u, w->f->b.velocity);
    gradient(s, how, dim, w->f->u, w->f->b.velocity, result, scratch);
    double *found = from_device(result, dim * dim * s->pitch);
    for (int i = 0; i < dim; i++)
        for (int j = 0; j < dim; j++) {
            double one[3] = {j == 0, j == 1, j == 2};
            for (int c = 0; c < s->n_cells; c++)
                close_to(found[(i * dim + j) * s->pitch + c], f(i, one) - f(i, zero), 50,
                         how ? "Green-Gauss" : "least squares");
        }
    free(found), device_free(result), device_free(scratch);
}
static void gradients(void **state)
{
    (void)state;
    EVERY_GRID(w, false, check_linear(&w, GRADIENT_LEAST_SQUARES, linear);)
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {        /* Green-Gauss is exact where faces are plane */
        struct trial w;
        start(&w, (enum grid)kind, kind <= GRID_MIXED_2D ? 0.2 : kind == GRID_TETRAHEDRA ? 0.1 : 0, false);
        assert_int_equal(w.f->s.unskewed, kind == GRID_HEXAHEDRA);
        check_linear(&w, GRADIENT_GREEN_GAUSS, linear);
        trial_close(&w);
    }
}

static double across(int component, const double *x) { return (1 + component) * x[1] - x[2]; }
static void periodic_gradients(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_PRISMS};
    for (int i = 0; i < 4; i++) {
        struct trial w;
        bool solid = grid_dim(kinds[i]) == 3;
        struct box_setting box = grid_box(kinds[i], 4, 0.2);
        char text[1000];
        snprintf(text, sizeof text, "fluid = { viscosity = 1.0; };\nboundary = { left = { type = \"periodic\"; "
                 "with = \"right\"; };right = { type = \"periodic\"; }; bottom = { type = \"wall\"; }; "
                 "top = { type = \"wall\"; };%s };",
                 solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "");
        trial_open(&w, kinds[i], &box, true, text);
        assert_int_equal(w.m.n_joints, solid ? 16 : 4);
        check_stencil(&w);
        check_linear(&w, GRADIENT_LEAST_SQUARES, across);
        if (!solid) check_linear(&w, GRADIENT_GREEN_GAUSS, across);
        trial_close(&w);
    }
}

/* ---------------------------------------------------------------- momentum */
static void randomise(double *x, int64_t n, int64_t seed, double mean)
{
    double *host;
    NEW(host, n);
    for (int64_t i = 0; i < n; i++) host[i] = mean + number(seed + i);
    to_device(x, host, n);
    free(host);
}

/* y = A x by the product kernel, for one component. */
/* The rules live on the machine. */
static int rule_at(const uint8_t *rules, int32_t face)
{
    uint8_t rule;
    device_download(&rule, rules + face, 1);
    return rule;
}

static double *product(const struct matrix *a, const double *x)
{
    double *on_device = device_alloc(2 * (size_t)a->p.n_padded * sizeof *x, "product");
    to_device(on_device, x, a->p.n);
    matrix_product(a, on_device, on_device + a->p.n_padded);
    double *y = from_device(on_device + a->p.n_padded, a->p.n_padded);
    device_free(on_device);
    return y;
}

/* What one face gives to the equation of the cell on this side, of component i: with the scheme's face value and all of
 * the diffusion (matrix == false), or as the matrix has it: upwind, along d, boundary values zero. */
struct sides { int f, cell, other; double sign, own; };
struct host_fields { const struct trial *w; enum convection scheme;
                     double *u, *gradient, *flux, *velocity_b, *deferred, *wall, *wall_own; };

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
    if (rule == RULE_GRADIENT) return 0;
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

static void check_momentum(struct trial *w, enum convection scheme, double relaxation, bool simplec)
{
    struct flow *f = w->f;
    struct simple *work = &w->simple;
    const struct stencil *s = &f->s;
    const struct mesh *m = &w->m;
    int dim = m->dim;
    double *flux, *velocity, *x, *one;
    double *gradient_u = device_alloc((size_t)(dim * dim) * (size_t)s->pitch * sizeof(double), "gradient");
    double *source = device_alloc((size_t)dim * (size_t)s->pitch * sizeof(double), "source");
    NEW(flux, m->n_faces), NEW(x, m->n_cells), NEW(one, m->n_cells);
    for (int i = 0; i < m->n_faces; i++) {
        int rule = i < m->n_internal ? FLUX_GIVEN : rule_at(f->b.flux_rule, i - m->n_internal);
        flux[i] = rule != FLUX_NONE ? number(900 + i) : 0;
    }
    for (int c = 0; c < m->n_cells; c++) x[c] = number(77 + c), one[c] = 1;
    velocity = from_device(f->b.velocity, (int64_t)dim * s->n_boundary);
    double *p_u, *p_gradient;
    NEW(p_u, dim * s->pitch);
    for (int i = 0; i < dim; i++) for (int c = 0; c < m->n_cells; c++) p_u[i * s->pitch + c] = number(5 + i * 1000 + c);
    to_device(f->u, p_u, dim * s->pitch);
    to_device(f->flux, flux, m->n_faces);
    randomise(f->grad_p, dim * s->pitch, 31, 0);
    randomise(source, dim * s->pitch, 37, 1);
    gradient(s, GRADIENT_LEAST_SQUARES, dim, f->u, f->b.velocity, gradient_u, NULL);
    p_gradient = from_device(gradient_u, dim * dim * s->pitch);
    double *deferred = f->reconstruction.deferred, *wall = f->reconstruction.wall,
           *wall_own = from_device(f->reconstruction.wall_own, s->n_boundary);
    if (deferred) randomise(deferred, (int64_t)dim * s->n_internal, 41, 0);
    randomise(wall, (int64_t)dim * s->n_boundary, 43, 0);
    struct transport args = {.s = *s, .a = f->momentum, .components = dim,
                             .boundary = boundary_of_velocity(&f->b, wall, f->reconstruction.wall_own),
                             .diffusivity = w->c.flow.fluid.viscosity, .relaxation = relaxation, .x = f->u,
                             .gradient = gradient_u, .deferred = deferred, .flux = f->flux, .source = source,
                             .grad_p = f->grad_p, .rhs = f->rhs, .boundary_part = work->boundary_part};
    transport_assemble(&args, scheme);
    struct simple_coefficients_args k = {.s = *s, .a = f->momentum, .relaxation = relaxation, .simplec = simplec,
                                         .boundary_part = work->boundary_part, .rhie = work->rhie,
                                         .correct = work->correct};
    simple_coefficients(&k, s->n_padded);
    if (simplec) simple_boundary_coefficients(&k, s->n_boundary_cells);

    deferred = deferred ? from_device(deferred, (int64_t)dim * s->n_internal) : NULL,
    wall = from_device(wall, (int64_t)dim * s->n_boundary);
    struct host_fields h = {w, scheme, p_u, p_gradient, flux, velocity, deferred, wall, wall_own};
    double *rhs = from_device(f->rhs, dim * s->pitch), *diag = from_device(f->momentum.diag, s->pitch);
    double *rhie = from_device(work->rhie, s->pitch), *correct = from_device(work->correct, s->pitch);
    double *grad_p = from_device(f->grad_p, dim * s->pitch), *force = from_device(source, dim * s->pitch);
    double *ax = product(&f->momentum, x), *wanted = face_loop(&h, x, 0, true), *row_sum = product(&f->momentum, one);
    for (int c = 0; c < m->n_cells; c++) {
        double a_p = diag[c] * relaxation, sum_n = a_p, boundary = 0;
        close_to(ax[c] - (diag[c] - a_p) * x[c], wanted[c], 50, "matrix");
        close_to(rhie[c] * a_p, m->cell_volume[c], 10, "V / a_P");
        for (int b = 0; b < s->n_boundary; b++)
            if (m->face_owner[m->n_internal + b] == c) {                /* what the boundary adds to the diagonal */
                double *unit;
                NEW(unit, m->n_cells);
                unit[c] = 1;
                boundary += boundary_part(&h, m->n_internal + b, unit, 0, true);
                free(unit);
            }
        sum_n -= boundary;
        close_to(correct[c] * (simplec ? diag[c] - sum_n : diag[c]), m->cell_volume[c], 50, "velocity correction");
        close_to(row_sum[c], diag[c] - a_p + boundary, 50, "row sum");
        assert_true(diag[c] > 0);
    }
    for (int i = 0; i < dim; i++) {
        const double *u = p_u + i * s->pitch;
        double *au = product(&f->momentum, u), *residual = face_loop(&h, u, i, false);
        for (int c = 0; c < m->n_cells; c++) {
            double body = (force[i * s->pitch + c] - grad_p[i * s->pitch + c]) * m->cell_volume[c];
            close_to(au[c] - rhs[i * s->pitch + c], residual[c] - body, 100, "equation");
        }
        free(au), free(residual);
    }
    free(flux), free(x), free(one), free(velocity), free(p_u), free(p_gradient), free(rhs), free(diag), free(rhie),
        free(correct);
    free(grad_p), free(force), free(ax), free(wanted), free(row_sum), free(deferred), free(wall), free(wall_own);
    device_free(gradient_u), device_free(source);
}

static void momentum_schemes(void **state)
{
    (void)state;
    EVERY_GRID(w, true,
               for (int scheme = CONVECTION_UPWIND; scheme <= CONVECTION_VAN_LEER; scheme++)
                   check_momentum(&w, (enum convection)scheme, 0.7, scheme % 2);)
}

/* Orthogonal boxes take shorter ways through the kernels. */
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

/* ---------------------------------------------------------------- pressure */
static double uniform(int component, const double *x) { (void)x; return 1 + 0.5 * component; }
static double plane(int component, const double *x) { (void)component; return 0.3 + 2 * x[0] - x[1] + 0.5 * x[2]; }

/* Uniform velocity and linear pressure: the flux is rho u . S, relaxed or not; and the coefficients. */
static void check_flux(struct trial *w, double relaxation)
{
    struct flow *f = w->f;
    struct simple *work = &w->simple;
    const struct mesh *m = &w->m;
    const struct stencil *s = &f->s;
    int dim = m->dim;
    double *gradient_p = device_alloc((size_t)dim * (size_t)s->pitch * sizeof(double), "gradient"), *exact,
            *more = NULL;
    set_field(w, dim, uniform, f->u, f->b.velocity);
    set_field(w, 1, plane, f->p, f->b.pressure);
    gradient(s, GRADIENT_LEAST_SQUARES, 1, f->p, f->b.pressure, gradient_p, NULL);
    randomise(work->rhie, s->pitch, 3, 1), randomise(work->correct, s->pitch, 9, 1);
    NEW(exact, m->n_faces);
    for (int i = 0; i < m->n_faces; i++) {
        int rule = i < m->n_internal ? FLUX_GIVEN : rule_at(f->b.flux_rule, i - m->n_internal);
        for (int k = 0; k < dim && rule != FLUX_NONE; k++)
            exact[i] += w->c.flow.fluid.density * uniform(k, NULL) * vector_at(m, m->face_area, k, i);
    }
    to_device(f->flux, exact, m->n_faces);
    if (f->reconstruction.through) {
        randomise(f->reconstruction.through, m->n_internal, 51, 0);
        more = from_device(f->reconstruction.through, m->n_internal);
        for (int i = 0; i < m->n_internal; i++) exact[i] += w->c.flow.fluid.density * relaxation * more[i];
    }
    device_copy(work->u_old, f->u, (size_t)dim * (size_t)s->pitch * sizeof(double));
    struct blend_args blend = {.relaxation = relaxation, .u = f->u, .u_old = work->u_old};
    blend_velocity(&blend, dim * s->pitch);
    struct face_flux_args args = {.s = *s, .b = f->b, .density = w->c.flow.fluid.density, .relaxation = relaxation,
                                  .v = work->u_old, .reconstructed = f->reconstruction.through, .p = f->p,
                                  .grad_p = gradient_p, .rhie = work->rhie, .correct = work->correct, .flux = f->flux,
                                  .coefficient = work->coefficient};
    face_flux(&args, s->n_internal);
    boundary_flux(&args, s->n_boundary);
    double *flux = from_device(f->flux, m->n_faces), *c = from_device(work->coefficient, m->n_faces),
           *correct = from_device(work->correct, s->pitch);
    for (int i = 0; i < m->n_faces; i++) {
        double at = face_dot(m, m->face_area, m->face_r, i) / face_dot(m, m->face_area, m->face_d, i), d_f = 0;
        double g = face_dot(m, m->face_area, m->face_area, i) / face_dot(m, m->face_area, m->face_d, i);
        if (i < m->n_internal) d_f = (1 - at) * correct[m->face_owner[i]] + at * correct[m->face_neighbour[i]];
        else if (rule_at(f->b.flux_rule, i - m->n_internal) == FLUX_FREE) d_f = correct[m->face_owner[i]];
        close_to(flux[i], exact[i], 50, "flux");
        close_to(c[i], w->c.flow.fluid.density * g * d_f, 50, "coefficient");
    }
    free(exact), free(more), free(flux), free(c), free(correct), device_free(gradient_p);
}
static void fluxes(void **state) { (void)state; EVERY_GRID(w, true, check_flux(&w, 1); check_flux(&w, 0.7);) }

/* Cholesky in place; false: not positive definite. */
static bool cholesky(double *a, int n)
{
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < j; k++) a[j * n + j] -= a[j * n + k] * a[j * n + k];
        if (!(a[j * n + j] > 0)) return false;
        a[j * n + j] = sqrt(a[j * n + j]);
        for (int i = j + 1; i < n; i++) {
            for (int k = 0; k < j; k++) a[i * n + j] -= a[i * n + k] * a[j * n + k];
            a[i * n + j] /= a[j * n + j];
        }
    }
    return true;
}

/* The matrix with an outlet: symmetric, positive definite.  Without: the constant is its null space, the rest positive.
 * Then a correction by a tight solve: what is left of the divergence. */
static void check_pressure(struct trial *w)
{
    struct flow *f = w->f;
    struct simple *work = &w->simple;
    const struct stencil *s = &f->s;
    int n = w->m.n_cells;
    double *a, *unit, *c, *flux;
    NEW(a, n * n), NEW(unit, n), NEW(c, s->n_faces), NEW(flux, s->n_faces);
    for (int i = 0; i < s->n_faces; i++) {
        int rule = i < s->n_internal ? FLUX_FREE : rule_at(f->b.flux_rule, i - s->n_internal);
        c[i] = rule == FLUX_FREE ? 0.6 + number(i) : 0;
        flux[i] = rule == FLUX_FREE ? number(70 + i) : 0;
    }
    to_device(work->coefficient, c, s->n_faces), to_device(f->flux, flux, s->n_faces);
    struct pressure_args args = {.s = *s, .a = f->pressure, .coefficient = work->coefficient, .flux = f->flux,
                                 .rhs = f->rhs};
    pressure_matrix(&args, s->n_slices);
    pressure_boundary(&args, s->n_boundary_cells);
    double *rhs = from_device(f->rhs, s->pitch), *net;
    NEW(net, n);
    for (int i = 0; i < s->n_faces; i++) {
        net[w->m.face_owner[i]] -= flux[i];
        if (i < s->n_internal) net[w->m.face_neighbour[i]] += flux[i];
    }
    for (int i = 0; i < n; i++) close_to(rhs[i], net[i], 10, "net flux");
    for (int j = 0; j < n; j++) {
        unit[j] = 1;
        double *column = product(&f->pressure, unit);
        for (int i = 0; i < n; i++) a[i * n + j] = column[i];
        unit[j] = 0;
        free(column);
    }
    for (int i = 0; i < n; i++) {
        double sum = 0;
        for (int j = 0; j < n; j++) sum += a[i * n + j], assert_true(a[i * n + j] == a[j * n + i]);
        if (f->b.closed) close_to(sum, 0, 10, "row sum");
    }
    if (f->b.closed) for (int i = 0; i < n * n; i++) a[i] += 1.0 / n;
    assert_true(cholesky(a, n));

    struct correct_args correction = {.s = *s, .coefficient = work->coefficient, .change = work->change,
                                      .flux = f->flux};
    struct linear_result solved = solver_solve(f->pressure_solver, &f->pressure, work->change, f->rhs);
    assert_int_equal(solved.status, LINEAR_CONVERGED);
    correct_flux(&correction, s->n_internal);
    correct_boundary_flux(&correction, s->n_boundary);
    pressure_rhs(&args, s->n_slices);
    pressure_boundary_rhs(&args, s->n_boundary_cells);
    double gross;
    assert_true(continuity_error(&f->pressure_residual, s, f->flux, f->rhs, &gross) <= 1e-10);
    free(a), free(unit), free(c), free(flux), free(rhs), free(net);
}
static void pressure_with_outlet(void **state) { (void)state; EVERY_GRID(w, true, check_pressure(&w);) }
static void pressure_without_outlet(void **state)
{
    (void)state;
    EVERY_GRID(w, false, assert_true(w.f->b.closed); check_pressure(&w);)
}

/* p += alpha p', u -= D' (grad p_new - grad p_old) / alpha; the corrector's flux; the flux at the start. */
static void corrections(void **state)
{
    (void)state;
    struct trial w;
    start(&w, GRID_MIXED_2D, 0.2, true);
    struct flow *f = w.f;
    struct simple *work = &w.simple;
    const struct stencil *s = &f->s;
    const struct mesh *m = &w.m;
    int dim = m->dim;
    double *cross = device_alloc((size_t)s->n_internal * sizeof *cross, "cross");
    randomise(work->change, s->pitch, 1, 0), randomise(f->p, s->pitch, 2, 0), randomise(work->correct, s->pitch, 3, 1);
    randomise(f->u, dim * s->pitch, 4, 0), randomise(f->grad_p, dim * s->pitch, 5, 0),
        randomise(work->grad_next, dim * s->pitch, 6, 0);
    randomise(work->coefficient, s->n_faces, 7, 1), randomise(f->flux, s->n_faces, 8, 0),
        randomise(cross, s->n_internal, 9, 0);
    double *change = from_device(work->change, s->pitch), *p = from_device(f->p, s->pitch),
           *u = from_device(f->u, dim * s->pitch);
    double *before = from_device(f->grad_p, dim * s->pitch), *after = from_device(work->grad_next, dim * s->pitch);
    double *flux = from_device(f->flux, s->n_faces), *c = from_device(work->coefficient, s->n_faces),
           *part = from_device(cross, s->n_internal);
    double *d = from_device(work->correct, s->pitch),
           *velocity = from_device(f->b.velocity, (int64_t)dim * s->n_boundary);
    struct correct_args args = {.s = *s, .coefficient = work->coefficient, .change = work->change, .relaxation = 0.3,
                                .p = f->p, .flux = f->flux, .grad_old = f->grad_p, .grad_new = work->grad_next,
                                .correct = work->correct, .u = f->u};
    correct_pressure(&args, s->n_padded);
    correct_velocity(&args, s->n_padded);
    struct cross_flux_args across_d = {.s = *s, .coefficient = work->coefficient, .grad_change = work->grad_next,
                                       .cross = cross, .flux = f->flux};
    cross_flux(&across_d, s->n_internal);
    double *p_new = from_device(f->p, s->pitch), *u_new = from_device(f->u, dim * s->pitch),
           *flux_new = from_device(f->flux, s->n_faces);
    for (int i = 0; i < m->n_cells; i++) {
        close_to(p_new[i], p[i] + 0.3 * change[i], 1, "pressure");
        for (int k = 0; k < dim; k++) {
            int64_t at = k * s->pitch + i;
            close_to(u_new[at], u[at] - d[i] * (after[at] - before[at]) / 0.3, 10, "velocity");
        }
    }
    struct start_flux_args from = {.s = *s, .density = 2, .u = f->u, .boundary_velocity = f->b.velocity,
                                   .flux_rule = f->b.flux_rule, .flux = work->coefficient};
    start_flux(&from, s->n_faces);
    double *begun = from_device(work->coefficient, s->n_faces);
    for (int i = 0; i < m->n_faces; i++) {
        double sd = face_dot(m, m->face_area, m->face_d, i), g = face_dot(m, m->face_area, m->face_area, i) / sd;
        double at = face_dot(m, m->face_area, m->face_r, i) / sd, slope = 0, through = 0;
        int o = m->face_owner[i], rule = i < m->n_internal ? FLUX_GIVEN : rule_at(f->b.flux_rule, i - m->n_internal);
        for (int k = 0; k < dim; k++) {
            double area = vector_at(m, m->face_area, k, i);
            int64_t mine = k * s->pitch + o, theirs = i < m->n_internal ? k * s->pitch + m->face_neighbour[i] : mine;
            slope += ((1 - at) * after[mine] + at * after[theirs]) * (area - g * vector_at(m, m->face_d, k, i));
            through += area * (i < m->n_internal ? (1 - at) * u_new[mine] + at * u_new[theirs]
                                                 : velocity[(int64_t)k * s->n_boundary + i - m->n_internal]);
        }
        if (i < m->n_internal) close_to(flux_new[i], flux[i] + part[i] - c[i] / g * slope, 10, "flux across d");
        close_to(begun[i], rule == FLUX_NONE ? 0 : 2 * through, 10, "flux at the start");
    }
    free(change), free(p), free(u), free(before), free(after), free(flux), free(c), free(part), free(d), free(velocity);
    free(p_new), free(u_new), free(flux_new), free(begun), device_free(cross);
    trial_close(&w);
}

/* Values at boundary faces that follow the cells. */
static void check_boundary(struct trial *w)
{
    struct flow *f = w->f;
    const struct stencil *s = &f->s;
    const struct mesh *m = &w->m;
    int dim = m->dim;
    double *before = from_device(f->b.velocity, (int64_t)dim * s->n_boundary);
    randomise(f->u, dim * s->pitch, 4, 0), randomise(f->p, s->pitch, 5, 0), randomise(f->grad_p, dim * s->pitch, 6, 0);
    double *slopes = pattern_alloc(&s->pattern, dim * dim, sizeof *slopes, "velocity gradient");
    randomise(slopes, dim * dim * s->pitch, 7, 0);
    struct boundary_args args = {.s = *s, .b = f->b, .u = f->u, .p = f->p, .grad_p = f->grad_p, .grad_u = slopes};
    boundary_velocity(&args, s->n_boundary);
    boundary_pressure(&args, s->n_boundary);
    double *u = from_device(f->u, dim * s->pitch), *p = from_device(f->p, s->pitch),
           *grad_p = from_device(f->grad_p, dim * s->pitch), *grad_u = from_device(slopes, dim * dim * s->pitch);
    double *velocity = from_device(f->b.velocity, (int64_t)dim * s->n_boundary),
           *pressure = from_device(f->b.pressure, s->n_boundary);
    for (int b = 0; b < s->n_boundary; b++) {
        int face = m->n_internal + b, c = m->face_owner[face], rule = rule_at(f->b.velocity_rule, b);
        double expected = p[c], through = 0, area2 = face_dot(m, m->face_area, m->face_area, face), inside = 0;
        double up = face_dot(m, m->face_r, m->face_area, face) / area2, beside[3];
        for (int k = 0; k < dim; k++) {
            expected += grad_p[k * s->pitch + c] * vector_at(m, m->face_r, k, face);
            through += velocity[(int64_t)k * s->n_boundary + b] * vector_at(m, m->face_area, k, face);
            beside[k] = u[k * s->pitch + c];                    /* carried along the face to its centre */
            for (int j = 0; j < dim; j++)
                beside[k] += grad_u[(k * dim + j) * s->pitch + c] *
                             (vector_at(m, m->face_r, j, face) - up * vector_at(m, m->face_area, j, face));
            inside += beside[k] * vector_at(m, m->face_area, k, face);
        }
        close_to(pressure[b], rule_at(f->b.pressure_rule, b) == RULE_VALUE ? 0.4 : expected, 1,
                 "pressure at the boundary");
        if (rule == RULE_SLIP) close_to(through, 0, 1, "velocity through symmetry");
        for (int k = 0; k < dim; k++) {
            double now = velocity[(int64_t)k * s->n_boundary + b], cell = u[k * s->pitch + c];
            if (rule == RULE_GRADIENT) assert_true(now == cell);
            else if (rule == RULE_SLIP) close_to(now, beside[k] - inside * vector_at(m, m->face_area, k, face) / area2,
                                                 1, "velocity along symmetry");
            else assert_true(now == before[(int64_t)k * s->n_boundary + b]);
        }
    }
    device_free(slopes);
    free(before), free(u), free(p), free(grad_p), free(grad_u), free(velocity), free(pressure);
}
static void boundary_values(void **state) { (void)state; EVERY_GRID(w, true, check_boundary(&w);) }

/* ---------------------------------------------------------------- residuals */
static void residuals(void **state)
{
    (void)state;
    struct trial w;
    start(&w, GRID_TRIANGLES, 0.2, true);
    struct flow *f = w.f;
    struct simple *work = &w.simple;
    const struct stencil *s = &f->s;
    int n = w.m.n_cells;
    randomise(work->coefficient, s->n_faces, 1, 1), randomise(f->flux, s->n_faces, 2, 0);
    struct pressure_args args = {.s = *s, .a = f->pressure, .coefficient = work->coefficient, .flux = f->flux,
                                 .rhs = f->rhs};
    pressure_matrix(&args, s->n_slices);
    pressure_boundary(&args, s->n_boundary_cells);
    double *x, *b, *diagonal = from_device(f->pressure.diag, s->pitch), found[2], alone, floored, gross, scale = 0,
                               rest[2] = {0}, beside = 0;
    NEW(x, 2 * s->pitch), NEW(b, 2 * s->pitch);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            x[k * s->pitch + i] = 3 + number(5 * i + k) * (k ? 1e-3 : 1), b[k * s->pitch + i] = number(7 * i + k);
    to_device(f->u, x, 2 * s->pitch), to_device(work->u_old, b, 2 * s->pitch);
    residual_normalised(&f->velocity_residual, &f->momentum, f->u, work->u_old, false, 0, found);
    residual_normalised(&f->pressure_residual, &f->pressure, f->u, work->u_old, true, 0, &alone);
    residual_normalised(&f->pressure_residual, &f->pressure, f->u, work->u_old, true, 1e12, &floored);
    for (int k = 0; k < 2; k++) {
        double mean = 0, *constant, own = 0;
        NEW(constant, n);
        for (int i = 0; i < n; i++) mean += x[k * s->pitch + i] / n;
        for (int i = 0; i < n; i++) constant[i] = mean;
        double *ax = product(&f->pressure, x + k * s->pitch), *am = product(&f->pressure, constant);
        for (int i = 0; i < n; i++) {
            double bi = b[k * s->pitch + i];
            rest[k] += fabs(bi - ax[i]);
            own += fabs(ax[i] - am[i]) + fabs(bi - am[i]) + 1e-3 * fabs(diagonal[i] * x[k * s->pitch + i]);
            if (k == 0) beside += fabs(ax[i] - am[i]) + fabs(bi + ax[i] - am[i]);
        }
        scale = fmax(scale, own);
        free(constant), free(ax), free(am);
    }
    double size = 0, fastest = 0, flow = 0, missing = 0;
    for (int k = 0; k < 2; k++) close_to(found[k], rest[k] / scale, 10, "residual");
    for (int i = 0; i < n; i++) size += fabs(b[i]), fastest = fmax(fastest, hypot(x[i], x[s->pitch + i]));
    close_to(alone, size / beside, 10, "residual of a correction");
    close_to(floored, size / 1e9, 10, "residual of a uniform field");
    close_to(flow_fastest(f), fastest, 10, "largest velocity");
    double *flux = from_device(f->flux, s->n_faces), *net = from_device(f->rhs, s->pitch);
    for (int i = 0; i < s->n_internal; i++) flow += fabs(flux[i]);
    for (int i = 0; i < n; i++) missing += fabs(net[i]);
    close_to(continuity_error(&f->pressure_residual, s, f->flux, f->rhs, &gross), missing / flow, 10, "continuity");
    close_to(gross, flow, 10, "gross flux");
    free(diagonal), free(x), free(b), free(flux), free(net);
    trial_close(&w);
}

/* ---------------------------------------------------------------- forces */
static double shear(int component, const double *x) { return component ? 0 : 2 * x[1] + 1; }

/* Linear pressure and u = (2 y + 1, 0, 0): pressure force p S, viscous force - mu (grad u + grad u^T) . S, face by
 * face. */
static void check_forces(struct trial *w)
{
    struct flow *f = w->f;
    const struct mesh *m = &w->m;
    const struct stencil *s = &f->s;
    int dim = m->dim, n = s->n_boundary, *list;
    NEW(list, n);
    for (int i = 0; i < n; i++) list[i] = i;
    int32_t *faces = device_alloc((size_t)n * sizeof *faces, "faces");
    double *gradient_u = device_alloc((size_t)(dim * dim) * (size_t)s->pitch * sizeof(double), "gradient");
    double *force = device_alloc(2 * (size_t)dim * (size_t)n * sizeof *force, "force"), total[3] = {0};
    device_upload(faces, list, (size_t)n * sizeof *list);
    set_field(w, dim, shear, f->u, f->b.velocity);
    set_field(w, 1, plane, f->p, f->b.pressure);
    reconstruct(&f->reconstruction, f->u, gradient_u);
    struct force_args args = {.s = *s, .b = f->b, .fluids = {.viscosity = {0.3}}, .face = faces, .u = f->u,
                              .grad_u = gradient_u, .wall = f->reconstruction.wall, .n = n, .force = force};
    wall_forces(&args, n);
    double *found = from_device(force, 2 * (int64_t)dim * n);
    for (int i = 0; i < n; i++) {
        double at[3] = {0};
        int face = m->n_internal + i;
        for (int k = 0; k < dim; k++) at[k] = face_at(m, k, face);
        for (int k = 0; k < dim; k++) {
            double viscous = k > 1 ? 0 : -0.3 * 2 * vector_at(m, m->face_area, 1 - k, face);
            close_to(found[(int64_t)k * n + i], plane(0, at) * vector_at(m, m->face_area, k, face), 10,
                     "pressure force");
            close_to(found[(int64_t)(dim + k) * n + i], viscous, 50, "viscous force");
            total[k] += found[(int64_t)k * n + i];
        }
    }
    for (int k = 0; k < dim; k++) {                             /* all round: the volume's integral of grad p */
        double one[3] = {k == 0, k == 1, k == 2};
        const double zero[3] = {0};
        close_to(total[k], plane(0, one) - plane(0, zero), 10, "force on the box");
    }
    free(list), free(found), device_free(faces), device_free(gradient_u), device_free(force);
}
static void forces(void **state) { (void)state; EVERY_GRID(w, false, check_forces(&w);) }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stencil), cmocka_unit_test(gradients), cmocka_unit_test(periodic_gradients),
        cmocka_unit_test(momentum_schemes), cmocka_unit_test(momentum_on_regular_boxes), cmocka_unit_test(fluxes),
        cmocka_unit_test(pressure_with_outlet), cmocka_unit_test(pressure_without_outlet),
        cmocka_unit_test(corrections), cmocka_unit_test(boundary_values), cmocka_unit_test(residuals),
        cmocka_unit_test(forces)};
    return RUN_TESTS("assembly", tests);
}
