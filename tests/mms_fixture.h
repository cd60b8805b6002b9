/* mms_fixture.h: the manufactured solutions of test_mms.c and test_orders.c.
 *
 * closed: u = curl(psi a), psi = prod sin^2(pi x_k) / pi: zero on all walls.  open: psi = y + 0.3 (1-x)^3 sin(2 y),
 * inlets on three sides, an outlet at x = 1, where u = (1, 0).  slip, in 2-D: psi = prod sin(pi x_k) / pi: no velocity
 * through the walls and no shear on them.  p = sin(2 x + y - z).  The force per volume
 * rho u.grad u - mu lap u + grad p at the cells' centres goes into the momentum equation. */
#ifndef MMS_FIXTURE_H
#define MMS_FIXTURE_H
#include "flow_fixture.h"

enum mms_sides { MMS_CLOSED, MMS_OPEN, MMS_SLIP };
struct mms { enum mms_sides sides; int dim; double viscosity; };
struct exact { double u[3], grad_u[3][3], p, force[3]; };      /* grad_u[i][j]: du_i / dx_j */
/* mean: in a closed domain, the difference between the pressure and the exact one. */
struct errors { double velocity, pressure, mean; int cells; };

static const double mms_density = 1.3;
static inline struct mms mms_of(enum mms_sides sides, int dim)
{
    return (struct mms){sides, dim, sides == MMS_SLIP ? 0.1 : dim == 3 ? 0.02 : 0.01};
}

/* psi and its derivatives up to the third, as powers: value[i][j][k] = d^(i+j+k) psi / dx^i dy^j dz^k. */
static inline void mms_stream(enum mms_sides sides, int dim, const double *x, double value[4][4][4])
{
    bool open = sides == MMS_OPEN;
    double one[3][4];
    for (int k = 0; k < 3; k++) {
        double s = sin(2 * M_PI * x[k]), c = cos(2 * M_PI * x[k]), pi = M_PI;
        double wave[4] = {(1 - c) / 2, pi * s, 2 * pi * pi * c, -4 * pi * pi * pi * s}, flat[4] = {1, 0, 0, 0};
        double sine[4] = {sin(pi * x[k]), pi * cos(pi * x[k]), -pi * pi * sin(pi * x[k]),
                          -pi * pi * pi * cos(pi * x[k])};
        memcpy(one[k], k >= dim ? flat : sides == MMS_SLIP ? sine : wave, sizeof flat);
    }
    if (open) {
        double a = 1 - x[0], s = sin(2 * x[1]), c = cos(2 * x[1]);
        memcpy(one[0], (double[]){0.3 * pow(a, 3), -0.9 * a * a, 1.8 * a, -1.8}, sizeof one[0]);
        memcpy(one[1], (double[]){s, 2 * c, -4 * s, -8 * c}, sizeof one[1]);
    }
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < 4; j++)
            for (int k = 0; k < 4; k++) value[i][j][k] = one[0][i] * one[1][j] * one[2][k] / (open ? 1 : M_PI);
    if (open) value[0][0][0] += x[1], value[0][1][0] += 1;
}

/* d^n u_c / dx^n with orders n[]: u = grad psi x a. */
static inline double mms_velocity(double psi[4][4][4], int dim, int c, const int n[3])
{
    const double a[3] = {dim == 3 ? 0.6 : 0, dim == 3 ? -0.8 : 0, 1};
    int i = (c + 1) % 3, j = (c + 2) % 3, ni[3] = {n[0], n[1], n[2]}, nj[3] = {n[0], n[1], n[2]};
    ni[i]++, nj[j]++;
    return psi[ni[0]][ni[1]][ni[2]] * a[j] - psi[nj[0]][nj[1]][nj[2]] * a[i];
}

static inline void mms_exact(const struct mms *s, const double *x, struct exact *e)
{
    int dim = s->dim;
    double psi[4][4][4], phase = 2 * x[0] + x[1] - (dim == 3 ? x[2] : 0);
    const double wave[3] = {2, 1, -1};
    memset(e, 0, sizeof *e);
    mms_stream(s->sides, dim, x, psi);
    e->p = sin(phase);
    for (int c = 0; c < dim; c++) e->u[c] = mms_velocity(psi, dim, c, (int[3]){0, 0, 0});
    for (int c = 0; c < dim; c++) {
        e->force[c] = wave[c] * cos(phase);
        for (int k = 0; k < dim; k++) {
            int once[3] = {0}, twice[3] = {0};
            once[k] = 1, twice[k] = 2;
            e->grad_u[c][k] = mms_velocity(psi, dim, c, once);
            e->force[c] += mms_density * e->u[k] * e->grad_u[c][k] - s->viscosity * mms_velocity(psi, dim, c, twice);
        }
    }
}

static inline void mms_cell(const struct mesh *m, int32_t c, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = k < m->dim ? m->cell_centre[(int64_t)k * m->n_cells + c] : 0;
}

static inline void mms_boundary_face(const struct mesh *m, int32_t b, double x[3])
{
    int32_t face = m->n_internal + b;
    mms_cell(m, m->face_owner[face], x);
    for (int k = 0; k < m->dim; k++) x[k] += m->face_r[(int64_t)k * m->n_faces + face];
}

static inline void mms_set_source(const struct mms *s, struct flow *f, const struct mesh *m)
{
    double *source;
    size_t size = (size_t)m->dim * (size_t)f->s.pitch * sizeof *source;
    NEW(source, m->dim * f->s.pitch);
    for (int32_t c = 0; c < m->n_cells; c++) {
        struct exact e;
        double x[3];
        mms_cell(m, c, x);
        mms_exact(s, x, &e);
        for (int k = 0; k < m->dim; k++) source[k * f->s.pitch + c] = e.force[k];
    }
    f->source = device_alloc(size, "source");
    device_upload(f->source, source, size);
    free(source);
}

static inline void mms_set_boundary(const struct mms *s, struct flow *f, const struct mesh *m)
{
    int64_t n = f->s.n_boundary;
    double *velocity = FROM_DEVICE(f->b.velocity, m->dim * n), *pressure = FROM_DEVICE(f->b.pressure, n);
    for (int32_t b = 0; b < n; b++) {
        struct exact e;
        double x[3];
        mms_boundary_face(m, b, x);
        mms_exact(s, x, &e);
        for (int k = 0; k < m->dim; k++) velocity[k * n + b] = e.u[k];
        if (x[0] == 1) pressure[b] = e.p;
    }
    device_upload(f->b.velocity, velocity, (size_t)(m->dim * n) * sizeof *velocity);
    device_upload(f->b.pressure, pressure, (size_t)n * sizeof *pressure);
    free(velocity), free(pressure);
}

/* Force into the cells, exact values onto inlets and outlets. */
static inline void mms_impose(const struct mms *s, struct flow *f, const struct mesh *m)
{
    mms_set_source(s, f, m);
    if (s->sides == MMS_OPEN) mms_set_boundary(s, f, m);
}

static inline struct errors mms_measure(const struct mms *s, const struct flow *f, const struct mesh *m)
{
    int64_t stride = f->s.pitch;
    double *u = FROM_DEVICE(f->u, m->dim * stride), *p = FROM_DEVICE(f->p, stride);
    double volume = 0, first = 0, second = 0, square = 0;
    for (int32_t c = 0; c < m->n_cells; c++) {
        struct exact e;
        double x[3], v = m->cell_volume[c];
        mms_cell(m, c, x);
        mms_exact(s, x, &e);
        for (int k = 0; k < m->dim; k++) square += v * (u[k * stride + c] - e.u[k]) * (u[k * stride + c] - e.u[k]);
        volume += v, first += v * (p[c] - e.p), second += v * (p[c] - e.p) * (p[c] - e.p);
    }
    free(u), free(p);
    double mean = s->sides == MMS_OPEN ? 0 : first / volume;    /* closed: pressure is determined up to a constant */
    return (struct errors){sqrt(square / volume), sqrt(second / volume - mean * mean), mean, m->n_cells};
}
#endif
