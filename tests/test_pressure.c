/* Flux, pressure matrix, corrections and boundary values compared with closed forms and loops over faces, on small
 * distorted boxes of every cell type. */
#include "assembly_fixture.h"
#include "gpu/vector.h"

static double uniform(int component, const double *x) { (void)x; return 1 + 0.5 * component; }

/* Uniform velocity and linear pressure: the flux is u . S, relaxed or not; and the coefficients. */
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
            exact[i] += uniform(k, NULL) * vector_at(m, m->face_area, k, i);
    }
    to_device(f->flux, exact, m->n_faces);
    if (f->reconstruction.through) {
        randomise(f->reconstruction.through, m->n_faces, 51, 0);
        more = FROM_DEVICE(f->reconstruction.through, m->n_faces);
        for (int i = 0; i < m->n_faces; i++)
            if (i < m->n_internal || rule_at(f->b.flux_rule, i - m->n_internal) == FLUX_FREE)
                exact[i] += relaxation * more[i];
    }
    device_copy(work->u_old, f->u, (size_t)dim * (size_t)s->pitch * sizeof(double));
    struct combine_args blend = {work->u_old, 1, f->u, relaxation - 1, work->u_old};
    combine(&blend, dim * s->pitch);
    struct face_flux_args args = {.s = *s, .b = f->b, .relaxation = relaxation,
                                  .v = work->u_old, .reconstructed = f->reconstruction.through, .p = f->p,
                                  .grad_p = gradient_p, .rhie = work->rhie, .correct = work->correct, .flux = f->flux,
                                  .coefficient = work->coefficient};
    face_flux(&args, s->n_internal);
    boundary_flux(&args, s->n_boundary);
    double *flux = FROM_DEVICE(f->flux, m->n_faces), *c = FROM_DEVICE(work->coefficient, m->n_faces),
           *correct = FROM_DEVICE(work->correct, s->pitch);
    for (int i = 0; i < m->n_faces; i++) {
        double at = face_dot(m, m->face_area, m->face_r, i) / face_dot(m, m->face_area, m->face_d, i), d_f = 0;
        double g = face_dot(m, m->face_area, m->face_area, i) / face_dot(m, m->face_area, m->face_d, i);
        if (i < m->n_internal) d_f = (1 - at) * correct[m->face_owner[i]] + at * correct[m->face_neighbour[i]];
        else if (rule_at(f->b.flux_rule, i - m->n_internal) == FLUX_FREE) d_f = correct[m->face_owner[i]];
        close_to(flux[i], exact[i], 50, "flux");
        close_to(c[i], g * d_f, 50, "coefficient");
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
 * Then a correction by a tight solve: the remaining divergence. */
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
                                 .scale = 1, .rhs = f->rhs};
    pressure_matrix(&args, s->n_slices);
    pressure_boundary(&args, s->n_boundary_cells);
    double *rhs = FROM_DEVICE(f->rhs, s->pitch), *net;
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
    assert_true(continuity_error(&f->residual, s, f->flux, f->rhs, &gross) <= 1e-10);
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
    double *change = FROM_DEVICE(work->change, s->pitch), *p = FROM_DEVICE(f->p, s->pitch),
           *u = FROM_DEVICE(f->u, dim * s->pitch);
    double *before = FROM_DEVICE(f->grad_p, dim * s->pitch), *after = FROM_DEVICE(work->grad_next, dim * s->pitch);
    double *flux = FROM_DEVICE(f->flux, s->n_faces), *c = FROM_DEVICE(work->coefficient, s->n_faces),
           *part = FROM_DEVICE(cross, s->n_internal);
    double *d = FROM_DEVICE(work->correct, s->pitch),
           *velocity = FROM_DEVICE(f->b.velocity, (int64_t)dim * s->n_boundary);
    struct correct_args args = {.s = *s, .coefficient = work->coefficient, .change = work->change, .relaxation = 0.3,
                                .flux = f->flux, .grad_old = f->grad_p, .grad_new = work->grad_next,
                                .correct = work->correct, .u = f->u};
    combine(&(struct combine_args){f->p, 1, f->p, 0.3, work->change}, s->n_padded);
    correct_velocity(&args, s->n_padded);
    struct cross_flux_args across_d = {.s = *s, .coefficient = work->coefficient, .grad_change = work->grad_next,
                                       .cross = cross, .flux = f->flux};
    cross_flux(&across_d, s->n_internal);
    double *p_new = FROM_DEVICE(f->p, s->pitch), *u_new = FROM_DEVICE(f->u, dim * s->pitch),
           *flux_new = FROM_DEVICE(f->flux, s->n_faces);
    for (int i = 0; i < m->n_cells; i++) {
        close_to(p_new[i], p[i] + 0.3 * change[i], 1, "pressure");
        for (int k = 0; k < dim; k++) {
            int64_t at = k * s->pitch + i;
            close_to(u_new[at], u[at] - d[i] * (after[at] - before[at]) / 0.3, 10, "velocity");
        }
    }
    struct start_flux_args from = {.s = *s, .u = f->u, .boundary_velocity = f->b.velocity,
                                   .flux_rule = f->b.flux_rule, .flux = work->coefficient};
    start_flux(&from, s->n_faces);
    double *begun = FROM_DEVICE(work->coefficient, s->n_faces);
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
        close_to(begun[i], rule == FLUX_NONE ? 0 : through, 10, "flux at the start");
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
    double *before = FROM_DEVICE(f->b.velocity, (int64_t)dim * s->n_boundary);
    randomise(f->u, dim * s->pitch, 4, 0), randomise(f->p, s->pitch, 5, 0), randomise(f->grad_p, dim * s->pitch, 6, 0);
    double *slopes = pattern_alloc(&s->pattern, dim * dim, sizeof *slopes, "velocity gradient");
    randomise(slopes, dim * dim * s->pitch, 7, 0);
    struct boundary_args args = {.s = *s, .b = f->b, .u = f->u, .p = f->p, .grad_p = f->grad_p, .grad_u = slopes};
    boundary_velocity(&args, s->n_boundary);
    boundary_pressure(&args, s->n_boundary);
    double *u = FROM_DEVICE(f->u, dim * s->pitch), *p = FROM_DEVICE(f->p, s->pitch),
           *grad_p = FROM_DEVICE(f->grad_p, dim * s->pitch), *grad_u = FROM_DEVICE(slopes, dim * dim * s->pitch);
    double *velocity = FROM_DEVICE(f->b.velocity, (int64_t)dim * s->n_boundary),
           *pressure = FROM_DEVICE(f->b.pressure, s->n_boundary);
    for (int b = 0; b < s->n_boundary; b++) {
        int face = m->n_internal + b, c = m->face_owner[face], rule = rule_at(f->b.velocity_rule, b);
        double expected = p[c], through = 0, area2 = face_dot(m, m->face_area, m->face_area, face), inside = 0;
        double up = face_dot(m, m->face_r, m->face_area, face) / area2, beside[3];
        for (int k = 0; k < dim; k++) {
            expected += grad_p[k * s->pitch + c] * vector_at(m, m->face_r, k, face);
            through += velocity[(int64_t)k * s->n_boundary + b] * vector_at(m, m->face_area, k, face);
            beside[k] = u[k * s->pitch + c];                    /* extrapolated along the face to its centre */
            for (int j = 0; j < dim; j++)
                beside[k] += grad_u[(k * dim + j) * s->pitch + c] *
                             (vector_at(m, m->face_r, j, face) - up * vector_at(m, m->face_area, j, face));
            inside += beside[k] * vector_at(m, m->face_area, k, face);
        }
        close_to(pressure[b], rule_at(f->b.pressure_rule, b) == RULE_VALUE ? 0.4 : expected, 1,
                 "pressure at the boundary");
        if (rule == RULE_SLIP) close_to(through, 0, 1, "velocity through symmetry");
        for (int k = 0; k < dim; k++) {
            double now = velocity[(int64_t)k * s->n_boundary + b];
            if (rule == RULE_GRADIENT) close_to(now, beside[k], 1, "velocity at the outlet");
            else if (rule == RULE_SLIP) close_to(now, beside[k] - inside * vector_at(m, m->face_area, k, face) / area2,
                                                 1, "velocity along symmetry");
            else assert_true(now == before[(int64_t)k * s->n_boundary + b]);
        }
    }
    device_free(slopes);
    free(before), free(u), free(p), free(grad_p), free(grad_u), free(velocity), free(pressure);
}
static void boundary_values(void **state) { (void)state; EVERY_GRID(w, true, check_boundary(&w);) }

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fluxes), cmocka_unit_test(pressure_with_outlet), cmocka_unit_test(pressure_without_outlet),
        cmocka_unit_test(corrections), cmocka_unit_test(boundary_values)};
    return RUN_TESTS("pressure", tests);
}
