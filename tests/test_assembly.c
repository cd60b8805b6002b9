/* Kernels of the assembly compared with loops over faces, or closed forms, on small distorted boxes of every cell type:
 * stencil, gradients, residuals, forces.  Momentum and pressure have tests of their own. */
#include "assembly_fixture.h"
#include "run/monitor_kernels.h"

/* ---------------------------------------------------------------- stencil */
static void check_stencil(const struct trial *w)
{
    const struct mesh *m = &w->m;
    const struct stencil *s = &w->f->s;
    int dim = m->dim, packed = dim * (dim + 1) / 2;
    double *g = FROM_DEVICE(s->g, m->n_faces), *weight = FROM_DEVICE(s->weight, m->n_internal), *sum;
    double *lsq = FROM_DEVICE(s->lsq, packed * s->pitch), *volume = FROM_DEVICE(s->volume, s->pitch);
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

static void check_linear(const struct trial *w, enum gradient how, double (*f)(int, const double *))
{
    const struct stencil *s = &w->f->s;
    int dim = s->dim;
    const double zero[3] = {0};
    double *result = device_alloc((size_t)(dim * dim) * (size_t)s->pitch * sizeof(double), "result");
    double *scratch = device_alloc((size_t)(dim * dim) * (size_t)s->pitch * sizeof(double), "scratch");
    set_field(w, dim, f, w->f->u, w->f->b.velocity);
    gradient(s, how, dim, w->f->u, w->f->b.velocity, result, scratch);
    double *found = FROM_DEVICE(result, dim * dim * s->pitch);
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
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {        /* Green-Gauss is exact if faces are plane */
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
                                 .scale = 1, .rhs = f->rhs};
    pressure_matrix(&args, s->n_slices);
    pressure_boundary(&args, s->n_boundary_cells);
    double *x, *b, *diagonal = FROM_DEVICE(f->pressure.diag, s->pitch), found[2], alone, floored, gross, scale = 0,
                               rest[2] = {0}, beside = 0;
    NEW(x, 2 * s->pitch), NEW(b, 2 * s->pitch);
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < n; i++)
            x[k * s->pitch + i] = 3 + number(5 * i + k) * (k ? 1e-3 : 1), b[k * s->pitch + i] = number(7 * i + k);
    to_device(f->u, x, 2 * s->pitch), to_device(work->u_old, b, 2 * s->pitch);
    residual_normalised(&f->residual, OF_VELOCITY, &f->momentum, f->u, work->u_old, false, 0, found);
    residual_normalised(&f->residual, OF_CELLS, &f->pressure, f->u, work->u_old, true, 0, &alone);
    residual_normalised(&f->residual, OF_CELLS, &f->pressure, f->u, work->u_old, true, 1e12, &floored);
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
    double *flux = FROM_DEVICE(f->flux, s->n_faces), *net = FROM_DEVICE(f->rhs, s->pitch);
    for (int i = 0; i < s->n_internal; i++) flow += fabs(flux[i]);
    for (int i = 0; i < n; i++) missing += fabs(net[i]);
    close_to(continuity_error(&f->residual, s, f->flux, f->rhs, &gross), missing / flow, 10, "continuity");
    close_to(gross, flow, 10, "gross flux");
    free(diagonal), free(x), free(b), free(flux), free(net);
    trial_close(&w);
}

/* ---------------------------------------------------------------- forces */
static double shear(int component, const double *x) { return component ? 0 : 2 * x[1] + 1; }

/* Linear pressure and u = (2 y + 1, 0, 0): pressure force p S, viscous force - mu (grad u + grad u^T) . S, face by
 * face; at walls with the part of grad u along n alone. */
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
    struct force_args args = {.s = *s, .b = f->b, .fluids = {.properties.viscosity = {0.3}}, .face = faces, .u = f->u,
                              .grad_u = gradient_u, .wall = f->reconstruction.wall, .n = n, .force = force};
    wall_forces(&args, n);
    double *found = FROM_DEVICE(force, 2 * (int64_t)dim * n);
    uint8_t *flux_rule = FROM_DEVICE(f->b.flux_rule, n);
    for (int i = 0; i < n; i++) {
        double at[3] = {0}, S[3] = {0};
        int face = m->n_internal + i;
        for (int k = 0; k < dim; k++) at[k] = face_at(m, k, face), S[k] = vector_at(m, m->face_area, k, face);
        for (int k = 0; k < dim; k++) {
            double viscous = k > 1 ? 0 : -0.3 * 2 * S[1 - k];
            if (flux_rule[i] == FLUX_NONE)
                viscous = -0.3 * 2 * S[1] * ((k == 0) + S[0] * S[k] / (S[0] * S[0] + S[1] * S[1] + S[2] * S[2]));
            close_to(found[(int64_t)k * n + i], plane(0, at) * vector_at(m, m->face_area, k, face), 10,
                     "pressure force");
            close_to(found[(int64_t)(dim + k) * n + i], viscous, 50, "viscous force");
            total[k] += found[(int64_t)k * n + i];
        }
    }
    for (int k = 0; k < dim; k++) {                             /* all around: the volume integral of grad p */
        double one[3] = {k == 0, k == 1, k == 2};
        const double zero[3] = {0};
        close_to(total[k], plane(0, one) - plane(0, zero), 10, "force on the box");
    }
    free(list), free(found), free(flux_rule), device_free(faces), device_free(gradient_u), device_free(force);
}
static void forces(void **state) { (void)state; EVERY_GRID(w, false, check_forces(&w);) }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(stencil), cmocka_unit_test(gradients), cmocka_unit_test(periodic_gradients),
        cmocka_unit_test(residuals), cmocka_unit_test(forces)};
    return RUN_TESTS("assembly", tests);
}
