/* assembly_fixture.h: flows in small distorted boxes of every cell type, with values set and compared by tests. */
#ifndef ASSEMBLY_FIXTURE_H
#define ASSEMBLY_FIXTURE_H
#include "flow_fixture.h"
#include "assembly/gradient.h"
#include "assembly/pressure.h"
#include "assembly/transport.h"

/* A steady flow in such a box. */
static inline void start(struct trial *w, enum grid kind, double distortion, bool with_outlet)
{
    static const char *const closed = "fluid = { density = 1.7; viscosity = 0.3; };\n"
        "boundary = { left = { type = \"wall\"; }; right = { type = \"wall\"; }; bottom = { type = \"wall\"; }; "
        "top = { type = \"wall\"; };";
    static const char *const open = "fluid = { density = 1.7; viscosity = 0.3; };\n"
        "boundary = { left = { type = \"inlet\"; velocity = [1, 0%s]; }; "
        "right = { type = \"outlet\"; pressure = 0.4; }; bottom = { type = \"symmetry\"; }; "
        "top = { type = \"wall\"; };";
    char text[1000];
    bool solid = grid_dim(kind) == 3;
    int n = snprintf(text, sizeof text, with_outlet ? open : closed, solid ? ", 0" : "");
    snprintf(text + n, sizeof text - (size_t)n,
             "%s };\nsolver = { pressure = { preconditioner = \"jacobi\"; tolerance = 1e-14; }; };",
             solid ? " back = { type = \"wall\"; }; front = { type = \"symmetry\"; };" : "");
    struct box_setting box = grid_box(kind, solid ? 3 : 5, distortion);
    trial_open(w, kind, &box, false, text);
}

#define EVERY_GRID(w, with_outlet, body)                                                                          \
    for (int kind_ = GRID_QUADS; kind_ <= GRID_MIXED_3D; kind_++) {                                               \
        struct trial w;                                                                                           \
        start(&w, (enum grid)kind_, kind_ == GRID_TETRAHEDRA || kind_ == GRID_MIXED_3D ? 0.1 : 0.2, with_outlet); \
        body                                                                                                      \
        trial_close(&w);                                                                                          \
    }

static inline void close_to(double found, double wanted, double scale, const char *what)
{
    if (!(fabs(found - wanted) <= 1e-12 * scale)) fail_msg("%s: %.17g, expected %.17g", what, found, wanted);
}

static inline void to_device(double *to, const double *from, int64_t n)
{
    device_upload(to, from, (size_t)n * sizeof *from);
}

static inline double vector_at(const struct mesh *m, const double *x, int k, int f)
{
    return x[(int64_t)k * m->n_faces + f];
}

static inline double centre_at(const struct mesh *m, int k, int c)
{
    return m->cell_centre[(int64_t)k * m->n_cells + c];
}

static inline double face_at(const struct mesh *m, int k, int f)
{
    return centre_at(m, k, m->face_owner[f]) + vector_at(m, m->face_r, k, f);
}

static inline double face_dot(const struct mesh *m, const double *a, const double *b, int f)
{
    double sum = 0;
    for (int k = 0; k < m->dim; k++) sum += vector_at(m, a, k, f) * vector_at(m, b, k, f);
    return sum;
}

/* Cell and boundary values of a function. */
static inline void set_field(const struct trial *w, int components, double (*f)(int, const double *), double *x,
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

static inline void randomise(double *x, int64_t n, int64_t seed, double mean)
{
    double *host;
    NEW(host, n);
    for (int64_t i = 0; i < n; i++) host[i] = mean + number(seed + i);
    to_device(x, host, n);
    free(host);
}

/* Rules are stored on the device. */
static inline int rule_at(const uint8_t *rules, int32_t face)
{
    uint8_t rule;
    device_download(&rule, rules + face, 1);
    return rule;
}

/* y = A x by the product kernel, for one component. */
static inline double *product(const struct matrix *a, const double *x)
{
    double *on_device = device_alloc(2 * (size_t)a->p.n_padded * sizeof *x, "product");
    to_device(on_device, x, a->p.n);
    matrix_product(a, on_device, on_device + a->p.n_padded);
    double *y = FROM_DEVICE(on_device + a->p.n_padded, a->p.n_padded);
    device_free(on_device);
    return y;
}

static inline double plane(int component, const double *x)
{
    (void)component;
    return 0.3 + 2 * x[0] - x[1] + 0.5 * x[2];
}
#endif
