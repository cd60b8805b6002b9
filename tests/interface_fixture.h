/* interface_fixture.h: meshes with an interface in them, for tests of src/interface. */
#ifndef INTERFACE_FIXTURE_H
#define INTERFACE_FIXTURE_H
#include "flow_fixture.h"
#include "interface/cut.h"
#include "interface/forces.h"
#include "interface/interface.h"

static const enum grid every_grid[] = {GRID_QUADS, GRID_TRIANGLES, GRID_MIXED_2D, GRID_HEXAHEDRA, GRID_TETRAHEDRA,
                                       GRID_PRISMS, GRID_PYRAMIDS, GRID_MIXED_3D};
enum { N_GRIDS = sizeof every_grid / sizeof *every_grid };

struct two_fluids {
    struct mesh m;
    struct stencil s;
    struct geometry host;       /* copies of the arrays that cut_cell_load() reads */
    struct interface i;
    double *fraction;           /* [n_cells] at the start */
    double *force;              /* [n_faces] from make_forces(), on the device */
};

/* The part of a triangle, of a tetrahedron where the linear function of these values at its corners is <= 0. */
static inline double triangle_fraction(double a, double b, double c)
{
    double slope;
    return triangle_part(a, b, c, &slope);
}
static inline double tetrahedron_fraction(double a, double b, double c, double d)
{
    double slope;
    return tetrahedron_part(a, b, c, d, &slope);
}

/* A shape as a function: negative inside the second fluid. */
typedef double (*shape_function)(const double x[3], const void *data);

/* v: its values at the corners; of a halved simplex only the one in the middle of the edge is new. */
static double part_of_simplex(double x[4][3], const double v[4], int dim, shape_function f, const void *data,
                              int levels)
{
    int inside = 0, a = 0, b = 1;                               /* halved across its longest edge */
    double longest = 0, middle[3], sum = 0;
    for (int k = 0; k <= dim; k++) inside += v[k] <= 0;
    for (int k = 1; k <= dim; k++)
        for (int l = 0; l < k; l++) {
            double square = (x[k][0] - x[l][0]) * (x[k][0] - x[l][0]) + (x[k][1] - x[l][1]) * (x[k][1] - x[l][1]) +
                            (x[k][2] - x[l][2]) * (x[k][2] - x[l][2]);
            if (square > longest) longest = square, a = l, b = k;
        }
    if ((inside == 0 || inside == dim + 1) && fabs(v[0]) > sqrt(longest)) return inside > 0;
    if (!levels) return dim == 2 ? triangle_fraction(v[0], v[1], v[2]) : tetrahedron_fraction(v[0], v[1], v[2], v[3]);
    for (int i = 0; i < 3; i++) middle[i] = 0.5 * (x[a][i] + x[b][i]);
    const double value = f(middle, data);
    for (int side = 0; side < 2; side++) {
        double half[4][3], of_half[4];
        memcpy(half, x, sizeof half), memcpy(of_half, v, sizeof of_half);
        memcpy(half[side ? a : b], middle, sizeof middle);
        of_half[side ? a : b] = value;
        sum += 0.5 * part_of_simplex(half, of_half, dim, f, data, levels - 1);
    }
    return sum;
}

/* The fraction of cell c inside the shape. */
static inline double part_of_cell(const struct two_fluids *t, int32_t c, shape_function f, const void *data, int levels)
{
    struct cut_cell k;
    double sum = 0;
    cut_cell_load(&t->host, c, &k);
    for (int s = 0; s < k.n_simplices; s++) {
        double x[4][3] = {{0}}, v[4] = {0};
        for (int i = 0; i <= k.dim; i++) {
            for (int j = 0; j < k.dim; j++)
                x[i][j] = k.x[k.node[s][i]][j] + t->m.cell_centre[(int64_t)j * t->m.n_cells + c];
            v[i] = f(x[i], data);
        }
        sum += k.size[s] * part_of_simplex(x, v, k.dim, f, data, levels);
    }
    return fmin(1, fmax(0, sum / k.volume));
}

/* On a complete mesh. */
static inline void two_fluids_start(struct two_fluids *t, shape_function f, const void *data, int levels)
{
    struct error e;
    struct geometry g, *h = &t->host;
    stencil_create(&t->s, &t->m);
    if (!geometry_create(&g, &t->m, &t->s, &e)) fail_msg("%s", e.text);
    int64_t n = t->s.pitch;
    *h = g;
#define HOST(array, count) do { void *to = allocate((size_t)(count), sizeof *g.array, #array); \
        device_download(to, g.array, (size_t)(count) * sizeof *g.array); h->array = to; } while (0)
    if (t->m.dim == 3) {
        HOST(form, n);
        HOST(form_face, g.form_length);
    }
    HOST(cell_vertex, g.most_vertices * n);
    HOST(vertex, t->m.dim * g.n_vertices);
    HOST(centre, t->m.dim * n);
    HOST(near_start, t->m.n_cells + 1);
    HOST(near, h->near_start[t->m.n_cells]);
    HOST(near_shift, h->near_start[t->m.n_cells]);
#undef HOST
    geometry_free(&g);
    NEW(t->fraction, t->m.n_cells);
    t->force = device_alloc((size_t)t->s.n_faces * sizeof(double), "forces");
    for (int32_t c = 0; c < t->m.n_cells; c++) t->fraction[c] = part_of_cell(t, c, f, data, levels);
    if (!interface_create_with(&t->i, NULL, &t->m, &t->s, NULL, t->fraction, &e)) fail_msg("%s", e.text);
}

static inline void two_fluids_open(struct two_fluids *t, enum grid kind, const struct box_setting *box,
                                   shape_function f, const void *data, int levels)
{
    struct error e;
    grid_mesh(&t->m, kind, box);
    if (!mesh_complete(&t->m, ORDERING_HILBERT, NULL, 0, &e)) fail_msg("%s", e.text);
    two_fluids_start(t, f, data, levels);
}

static inline void two_fluids_close(struct two_fluids *t)
{
    const void *arrays[] = {t->host.form, t->host.form_face, t->host.cell_vertex, t->host.vertex, t->host.centre,
                            t->host.near_start, t->host.near, t->host.near_shift, t->fraction};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) free((void *)arrays[k]);
    interface_free(&t->i);
    device_free(t->force);
    stencil_free(&t->s);
    mesh_free(&t->m);
}

/* Creates the forces, once, with those of the curvature. */
static inline void make_forces(struct two_fluids *t) { interface_forces(&t->i, t->force); }

/* Gives the interface this case's fluids and boundaries from now on. */
static inline void take_case(struct two_fluids *t, const struct flow_setting *c)
{
    forces_free(&t->i);
    t->i.in = flow_interface_inputs(c);
    forces_create(&t->i, &t->m);
}

static inline double *on_device(const double *x, int64_t n)
{
    double *to = device_alloc((size_t)n * sizeof *to, "test");
    device_upload(to, x, (size_t)n * sizeof *to);
    return to;
}

/* The velocity (y, z, x), in 2-D (y, x), relative to the middle, and its fluxes. */
static inline void sheared(const struct two_fluids *t, double **u, double **grad, double **flux)
{
    const struct mesh *m = &t->m;
    const int dim = m->dim;
    double *uh, *gh, *fh;
    NEW(uh, dim * t->s.pitch), NEW(gh, dim * dim * t->s.pitch), NEW(fh, m->n_faces);
    for (int k = 0; k < dim; k++) {
        const int of = (k + 1) % dim;
        for (int32_t c = 0; c < m->n_cells; c++) {
            uh[k * t->s.pitch + c] = m->cell_centre[(int64_t)of * m->n_cells + c] - 0.5;
            gh[(k * dim + of) * t->s.pitch + c] = 1;
        }
        for (int32_t f = 0; f < m->n_faces; f++)
            fh[f] += m->face_area[(int64_t)k * m->n_faces + f] *
                     (m->cell_centre[(int64_t)of * m->n_cells + m->face_owner[f]] - 0.5 +
                      m->face_r[(int64_t)of * m->n_faces + f]);
    }
    *u = on_device(uh, dim * t->s.pitch), *grad = on_device(gh, dim * dim * t->s.pitch);
    *flux = on_device(fh, m->n_faces);
    free(uh), free(gh), free(fh);
}

/* Shapes: data = centre and radius; data = point and unit normal. */
static inline double ball(const double x[3], const void *data)
{
    const double *c = data;
    return sqrt((x[0] - c[0]) * (x[0] - c[0]) + (x[1] - c[1]) * (x[1] - c[1]) + (x[2] - c[2]) * (x[2] - c[2])) - c[3];
}
static inline double half_space(const double x[3], const void *data)
{
    const double *c = data;
    return (x[0] - c[0]) * c[3] + (x[1] - c[1]) * c[4] + (x[2] - c[2]) * c[5];
}
#endif
