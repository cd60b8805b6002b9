/* The reconstruction is exact for quadratics: in cells, at faces and at walls, on every kind of cell. */
#include "flow_fixture.h"
#include "assembly/gradient.h"
#include "assembly/reconstruction.h"
#include "gpu/device.h"

/* u_i = linear + quadratic about (0.4, 0.6, 0.3); component i differs. */
static const double origin[3] = {0.4, 0.6, 0.3};
static bool curved = true;                              /* else u is linear, and the accuracy standard */
static bool through_right;                             /* u does not change along x at the outlet x = 1 */
static bool slips_right;                               /* u_x is 0 at x = 1, the others do not change along x there */
static double second_of(int i, int j, int k)
{
    bool mixed = j != k && (j == 0 || k == 0);
    if ((through_right || (slips_right && i > 0)) && mixed) return 0;
    if (slips_right && i == 0 && !mixed) return 0;
    return !curved ? 0 : 0.7 * (1 + i) * (j == k ? 1 + j : -0.6 + 0.3 * (j + k));
}
static double linear_of(int i, int j)
{
    if (slips_right && i == 0) return j == 0 ? 1 / (origin[0] - 1) : (origin[0] - 1) * second_of(0, j, 0);
    return (through_right || slips_right) && j == 0 ? -second_of(i, 0, 0) * (1 - origin[0]) : 0.5 + 0.3 * i - 0.9 * j;
}
static double slope_of(int i, int dim, int j, const double *x)
{
    double g = linear_of(i, j);
    for (int k = 0; k < dim; k++) g += second_of(i, j, k) * (x[k] - origin[k]);
    return g;
}
static double value_of(int i, int dim, const double *x)
{
    double u = 1 - i;
    for (int j = 0; j < dim; j++) {
        u += linear_of(i, j) * (x[j] - origin[j]);
        for (int k = 0; k < dim; k++) u += 0.5 * second_of(i, j, k) * (x[j] - origin[j]) * (x[k] - origin[k]);
    }
    return u;
}

static void cell_at(const struct mesh *m, int32_t c, double *x)
{
    for (int k = 0; k < m->dim; k++) x[k] = m->cell_centre[(int64_t)k * m->n_cells + c];
}
static double part(const struct mesh *m, const double *v, int k, int32_t f) { return v[(int64_t)k * m->n_faces + f]; }

static void set_velocity(struct trial *w)
{
    const struct mesh *m = &w->m;
    const struct stencil *s = &w->f->s;
    double *u, *given;
    NEW(u, m->dim * s->pitch), NEW(given, (int64_t)m->dim * s->n_boundary);
    for (int i = 0; i < m->dim; i++) {
        for (int32_t c = 0; c < m->n_cells; c++) {
            double x[3] = {0};
            cell_at(m, c, x);
            u[i * s->pitch + c] = value_of(i, m->dim, x);
        }
        for (int32_t b = 0; b < s->n_boundary; b++) {
            double x[3] = {0};
            cell_at(m, m->face_owner[m->n_internal + b], x);
            for (int k = 0; k < m->dim; k++) x[k] += part(m, m->face_r, k, m->n_internal + b);
            given[(int64_t)i * s->n_boundary + b] = value_of(i, m->dim, x);
        }
    }
    device_upload(w->f->u, u, (size_t)m->dim * (size_t)s->pitch * sizeof *u);
    device_upload(w->f->b.velocity, given, (size_t)m->dim * (size_t)s->n_boundary * sizeof *given);
    free(u), free(given);
}

/* Coefficients have 16 bits, second derivatives 24. */
static void near(double found, double wanted, double scale, const char *what)
{
    if (!(fabs(found - wanted) <= 2e-5 * scale)) fail_msg("%s: %.9g, exact %.9g", what, found, wanted);
}

/* int u . dS and int grad u_i . dS over a face, by the rule of the middles of edges on its triangles. */
static void integrate(const struct mesh *m, int32_t f, double *flux, double stress[3])
{
    double corner[4][3], mean[3] = {0};
    int dim = m->dim, n = face_ring(m, f).n;
    const struct ring ring = face_ring(m, f);
    *flux = stress[0] = stress[1] = stress[2] = 0;
    for (int i = 0; i < n; i++) memcpy(corner[i], ring_corner(m, &ring, i), sizeof corner[i]);
    for (int i = 0; i < n; i++) for (int k = 0; k < 3; k++) mean[k] += corner[i][k] / n;
    for (int t = 0; t < (dim == 2 ? 1 : n); t++) {
        const double *v[3] = {mean, corner[t], corner[(t + 1) % n]};
        double a[3], b[3], s[3], x[3][3] = {{0}}, weight[3] = {1 / 3.0, 1 / 3.0, 1 / 3.0};
        for (int k = 0; k < 3; k++) a[k] = v[1][k] - v[0][k], b[k] = v[2][k] - v[0][k];
        for (int k = 0; k < 3; k++) s[k] = 0.5 * (a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3]);
        for (int e = 0; e < 3; e++) for (int k = 0; k < 3; k++) x[e][k] = 0.5 * (v[e][k] + v[(e + 1) % 3][k]);
        if (dim == 2) {                                 /* Simpson's rule */
            for (int k = 0; k < 3; k++) x[0][k] = corner[0][k], x[1][k] = corner[1][k], x[2][k] = mean[k];
            weight[0] = weight[1] = 1 / 6.0, weight[2] = 4 / 6.0;
            s[0] = corner[1][1] - corner[0][1], s[1] = corner[0][0] - corner[1][0], s[2] = 0;
        }
        for (int e = 0; e < 3; e++)
            for (int i = 0; i < dim; i++) {
                *flux += weight[e] * value_of(i, dim, x[e]) * s[i];
                for (int j = 0; j < dim; j++) stress[i] += weight[e] * slope_of(i, dim, j, x[e]) * s[j];
            }
    }
}

static double length(const struct mesh *m, const double *v, int32_t f)
{
    double sum = 0;
    for (int k = 0; k < m->dim; k++) sum += part(m, v, k, f) * part(m, v, k, f);
    return sqrt(sum);
}

static void check_cells(struct trial *w)
{
    const struct reconstruction *r = &w->f->reconstruction;
    const struct mesh *m = &w->m;
    int64_t n = r->s.pitch;
    int dim = m->dim;
    double *g = FROM_DEVICE(w->f->grad_u, dim * dim * n);
    float *h;
    NEW(h, dim * r->n_second * n);
    if (r->quadratic) device_download(h, r->second, (size_t)(dim * r->n_second * n) * sizeof *h);
    for (int32_t c = 0; c < m->n_cells; c++)
        for (int i = 0; i < dim; i++)
            for (int j = 0; j < dim; j++) {
                double x[3] = {0};
                cell_at(m, c, x);
                near(g[(i * dim + j) * n + c], slope_of(i, dim, j, x), 10, "gradient");
                for (int k = 0; k <= j; k++)
                    near(h[(i * r->n_second + PACKED(j, k)) * n + c], second_of(i, j, k), 100, "second derivative");
            }
    free(g), free(h);
}

static void check_faces(struct trial *w)
{
    const struct reconstruction *r = &w->f->reconstruction;
    const struct mesh *m = &w->m;
    int dim = m->dim;
    double *through = FROM_DEVICE(r->through, m->n_faces),
           *outlet = FROM_DEVICE(r->outlet, (int64_t)dim * r->s.n_boundary),
           *deferred = FROM_DEVICE(r->deferred, (int64_t)dim * m->n_internal);
    double *u = FROM_DEVICE(w->f->u, dim * r->s.pitch), *wall = FROM_DEVICE(r->wall, (int64_t)dim * r->s.n_boundary);
    double *given = FROM_DEVICE(w->f->b.velocity, (int64_t)dim * r->s.n_boundary);
    uint8_t *rule;
    NEW(rule, r->s.n_boundary);
    device_download(rule, r->b.velocity_rule, (size_t)r->s.n_boundary);
    for (int32_t f = 0; f < m->n_faces; f++) {
        double flux, stress[3], area = length(m, m->face_area, f), sd = 0, sr = 0;
        int32_t p = m->face_owner[f];
        for (int k = 0; k < dim; k++)
            sd += part(m, m->face_area, k, f) * part(m, m->face_d, k, f),
                sr += part(m, m->face_area, k, f) * part(m, m->face_r, k, f);
        double g = area * area / sd, at = sr / sd, linear = 0;
        integrate(m, f, &flux, stress);
        for (int i = 0; i < dim; i++) {
            double mine = u[i * r->s.pitch + p];
            if (f >= m->n_internal) {
                int32_t b = f - m->n_internal;
                if (r->regular) continue;           /* a boundary face that is not plane is integrated as a plane one */
                double step = given[(int64_t)i * r->s.n_boundary + b] - mine, x[3] = {0}, plane = 0;
                cell_at(m, p, x);
                for (int k = 0; k < dim; k++) x[k] += part(m, m->face_r, k, f);
                linear += mine * part(m, m->face_area, i, f);
                if (rule[b] == RULE_GRADIENT) {
                    near(mine + outlet[(int64_t)i * r->s.n_boundary + b], value_of(i, dim, x), 10, "outlet");
                    continue;
                }
                if (rule[b] == RULE_SLIP) continue;
                for (int k = 0; k < dim; k++) plane += slope_of(i, dim, k, x) * part(m, m->face_area, k, f);
                near(g * step + wall[(int64_t)i * r->s.n_boundary + b], plane, 10 * area, "wall shear");
                continue;
            }
            double theirs = u[i * r->s.pitch + m->face_neighbour[f]];
            linear += ((1 - at) * mine + at * theirs) * part(m, m->face_area, i, f);
            near(g * (theirs - mine) + deferred[(int64_t)i * m->n_internal + f] / 0.25, stress[i], 10 * area,
                 "viscous force");
        }
        /* If faces are not plane their third moments are neglected. */
        if (f < m->n_internal || rule[f - m->n_internal] == RULE_GRADIENT)
            near(linear + through[f], flux, (r->s.bend ? 150 : 10) * area, "flux");
    }
    free(through), free(outlet), free(deferred), free(u), free(wall), free(given), free(rule);
}

static void reconstruct_trial(struct trial *w)
{
    struct reconstruction_fluid fluid = {.viscosity = 0.25, .density = 0};
    set_velocity(w);
    reconstruct(&w->f->reconstruction, w->f->u, w->f->grad_u);
    reconstruct_at_faces(&w->f->reconstruction, w->f->u, w->f->grad_u, &fluid);
}

/* Green-Gauss accounts for faces that are not plane: exact for linear fields on them too. */
static void check_green_gauss(struct trial *w)
{
    const struct stencil *s = &w->f->s;
    int dim = s->dim;
    double *u, *given, *result = device_alloc((size_t)dim * (size_t)s->pitch * sizeof *result, "result");
    double *scratch = device_alloc((size_t)dim * (size_t)s->pitch * sizeof *result, "scratch");
    NEW(u, s->pitch), NEW(given, s->n_boundary);
    for (int32_t c = 0; c < w->m.n_cells; c++)
        for (int k = 0; k < dim; k++) u[c] += (1 + k) * w->m.cell_centre[(int64_t)k * w->m.n_cells + c];
    for (int32_t b = 0; b < s->n_boundary; b++) {
        given[b] = u[w->m.face_owner[w->m.n_internal + b]];
        for (int k = 0; k < dim; k++) given[b] += (1 + k) * part(&w->m, w->m.face_r, k, w->m.n_internal + b);
    }
    device_upload(w->f->p, u, (size_t)s->pitch * sizeof *u),
        device_upload(w->f->b.pressure, given, (size_t)s->n_boundary * sizeof *given);
    gradient(s, GRADIENT_GREEN_GAUSS, 1, w->f->p, w->f->b.pressure, result, scratch);
    double *g = FROM_DEVICE(result, dim * s->pitch);
    for (int k = 0; k < dim; k++)
        for (int32_t c = 0; c < w->m.n_cells; c++) near(g[k * s->pitch + c], 1 + k, 1, "Green-Gauss");
    free(u), free(given), free(g), device_free(result), device_free(scratch);
}

static const char *const walls = "fluid = { viscosity = 0.25; };\nboundary = { left = { type = \"wall\"; }; "
    "right = { type = \"%s\"; };bottom = { type = \"inlet\"; velocity = [0, 1]; }; top = { type = \"inlet\"; "
    "velocity = [0, 1]; };";

static void open_box(struct trial *w, enum grid kind, const int cells[3], double distortion, double stretch)
{
    char text[1000];
    struct box_setting box = grid_box(kind, 1, distortion);
    for (int k = 0; k < 3; k++) box.cells[k] = cells[k], box.stretch[k] = stretch;
    bool solid = grid_dim(kind) == 3;
    int length = snprintf(text, sizeof text, walls,
                          through_right ? "outlet" : slips_right ? "slip" : "wall");
    snprintf(text + length, sizeof text - (size_t)length, "%s };\nsolver = { accuracy = \"%s\"; };",
             solid ? " back = { type = \"wall\"; }; front = { type = \"wall\"; };" : "", curved ? "high" : "standard");
    trial_open(w, kind, &box, false, text);
}

static void quadratics(void **state)
{
    (void)state;
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct trial w;
        open_box(&w, (enum grid)kind, (int[]){7, 6, 5}, kind == GRID_TETRAHEDRA || kind == GRID_PYRAMIDS ? 0.1 : 0.2,
                 1);
        if (w.f->reconstruction.n_limited)
            fail_msg("%s: %d cells limited", grid_name[kind], w.f->reconstruction.n_limited);
        assert_true(!w.f->reconstruction.regular);
        reconstruct_trial(&w);
        check_cells(&w), check_faces(&w), check_green_gauss(&w);
        trial_close(&w);
    }
}

/* Cells of 1 : 30 that are also distorted. */
static void stretched_quadratics(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_PRISMS};
    for (int i = 0; i < 4; i++) {
        struct trial w;
        open_box(&w, kinds[i], (int[]){9, 9, 8}, 0.15, 10);
        assert_int_equal(w.f->reconstruction.n_limited, 0);
        reconstruct_trial(&w);
        check_cells(&w), check_faces(&w);
        trial_close(&w);
    }
}

/* Without second derivatives: on the same cells, exact where the velocity is linear. */
static void linear_fields(void **state)
{
    (void)state;
    curved = false;
    for (int kind = GRID_QUADS; kind <= GRID_MIXED_3D; kind++) {
        struct trial w;
        open_box(&w, (enum grid)kind, (int[]){7, 6, 5}, kind == GRID_TETRAHEDRA || kind == GRID_PYRAMIDS ? 0.1 : 0.2,
                 1);
        const struct reconstruction *r = &w.f->reconstruction;
        assert_true(!r->regular && !r->quadratic && !r->second && !r->list.n && !r->matrix.value);
        reconstruct_trial(&w);
        check_cells(&w), check_faces(&w);
        trial_close(&w);
    }
    curved = true;
}

/* Both again with an outlet, where only the zero normal derivative is given. */
static void outlets(void **state)
{
    through_right = true;
    quadratics(state), linear_fields(state);
    through_right = false;
}

/* In flat cells the fits contain the condition at slip walls. */
static void slip_at_flat_cells(void **state)
{
    (void)state;
    struct trial w;
    slips_right = true;
    open_box(&w, GRID_TETRAHEDRA, (int[]){2, 12, 12}, 0.05, 1);
    assert_true(w.f->b.n_steep > 100);
    assert_int_equal(w.f->reconstruction.n_limited, 0);
    reconstruct_trial(&w);
    check_cells(&w), check_faces(&w);
    trial_close(&w);
    slips_right = false;
}

/* Only walls on a regular mesh, where the shear is exact. */
static void regular_walls(void **state)
{
    (void)state;
    for (int k = 0; k < 2; k++) {
        struct trial w;
        open_box(&w, k ? GRID_HEXAHEDRA : GRID_QUADS, (int[]){5, 6, 4}, 0, 3);
        struct reconstruction *r = &w.f->reconstruction;
        assert_true(r->regular && !r->through && !r->second && !r->list.n && r->walls.n);
        reconstruct_trial(&w);
        double *wall = FROM_DEVICE(r->wall, (int64_t)w.m.dim * r->s.n_boundary),
               *u = FROM_DEVICE(w.f->u, w.m.dim * r->s.pitch);
        double *given = FROM_DEVICE(w.f->b.velocity, (int64_t)w.m.dim * r->s.n_boundary);
        for (int32_t b = 0; b < r->s.n_boundary; b++) {
            int32_t f = w.m.n_internal + b, p = w.m.face_owner[f];
            double x[3] = {0}, area = length(&w.m, w.m.face_area, f), g = area / length(&w.m, w.m.face_d, f);
            cell_at(&w.m, p, x);
            for (int i = 0; i < w.m.dim; i++) x[i] += part(&w.m, w.m.face_r, i, f);
            for (int i = 0; i < w.m.dim; i++) {
                double exact = 0, step = given[(int64_t)i * r->s.n_boundary + b] - u[i * r->s.pitch + p];
                for (int j = 0; j < w.m.dim; j++) exact += slope_of(i, w.m.dim, j, x) * part(&w.m, w.m.face_area, j, f);
                near(g * step + wall[(int64_t)i * r->s.n_boundary + b], exact, 10 * area, "wall shear");
            }
        }
        free(wall), free(u), free(given);
        trial_close(&w);
    }
}

/* Too few cells for second derivatives: they are limited and counted, and linear fields stay exact. */
static void too_few_cells(void **state)
{
    (void)state;
    struct trial w;
    struct box_setting box = grid_box(GRID_TRIANGLES, 1, 0);
    trial_open(&w, GRID_TRIANGLES, &box, false, "fluid = { viscosity = 1.0; };\n"
               "boundary = { left = { type = \"symmetry\"; };right = { type = \"symmetry\"; }; "
               "bottom = { type = \"wall\"; }; top = { type = \"symmetry\"; }; };");
    assert_int_equal(w.f->reconstruction.n_limited, 2);
    set_velocity(&w);
    reconstruct(&w.f->reconstruction, w.f->u, w.f->grad_u);
    double *g = FROM_DEVICE(w.f->grad_u, 4 * w.f->s.pitch);
    for (int i = 0; i < 4; i++)
        for (int c = 0; c < 2; c++)
            assert_true(isfinite(g[i * w.f->s.pitch + c]) && fabs(g[i * w.f->s.pitch + c]) < 100);
    free(g);
    trial_close(&w);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(quadratics), cmocka_unit_test(stretched_quadratics), cmocka_unit_test(linear_fields),
        cmocka_unit_test(outlets), cmocka_unit_test(slip_at_flat_cells), cmocka_unit_test(regular_walls),
        cmocka_unit_test(too_few_cells),
    };
    open_device();
    return finish_tests(cmocka_run_group_tests_name("reconstruction", tests, NULL, NULL));
}
