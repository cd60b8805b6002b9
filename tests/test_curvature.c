/* Curvature and normals from paraboloids fitted to the interface, compared with circles, ellipses, balls and
 * ellipsoids. */
#include "interface_shapes.h"
#include "interface/curvature.h"
#include "interface/reconstruct.h"

struct measured { double curvature, largest_curvature, normal, fitted_normal; };

struct fitted { struct two_fluids t; struct curvature k; struct pieces p; double *curvature, *normal; };

static void open_fit(struct fitted *f, enum grid kind, const struct box_setting *box, shape_function shape,
                     const void *data)
{
    two_fluids_open(&f->t, kind, box, shape, data, 0);
    f->t.i.iterations = 3;
    struct interface *i = &f->t.i;
    size_t n = (size_t)f->t.s.pitch * sizeof(double);
    curvature_create(&f->k, &i->g, NULL, &f->t.m);
    f->curvature = device_alloc(n, "curvature"), f->normal = device_alloc(3 * n, "normals");
}

static void look_at(struct fitted *f)
{
    struct interface *i = &f->t.i;
    f->p = (struct pieces){i->g, i->n_cut, i->cell, i->fraction, i->normal, i->offset, i->area, i->centroid, i->moment};
}

/* Planes with the fitted normals. */
static void improve_normals(struct fitted *f)
{
    struct interface *i = &f->t.i;
    struct reconstruct_args a = {i->g, i->fraction, i->normal, i->offset, i->area, i->centroid, i->moment, i->distance,
                                 i->mark, i->band_mark, i->place, i->place, i->cell, i->band, i->far, i->normal,
                                 i->shape};
    curvature_normals(&f->k, &f->p, f->normal);
    device_copy(i->normal, f->normal, (size_t)(f->t.m.dim * f->t.s.pitch) * sizeof(double));
    place_plane(&a, i->n_cut);
}

static void close_fit(struct fitted *f)
{
    device_free(f->curvature), device_free(f->normal);
    curvature_free(&f->k);
    two_fluids_close(&f->t);
}

/* Relative errors of the curvature and errors of normals, averaged over the interface's area; the maximum over segments
 * that are not debris. */
static struct measured measure(struct fitted *f, const struct ellipsoid *e)
{
    const struct two_fluids *t = &f->t;
    int64_t n = t->s.pitch;
    int dim = t->m.dim;
    struct measured r = {0};
    double all = 0, side = t->s.spacing, whole = dim == 2 ? side : side * side;
    curvature_compute(&f->k, &f->p, f->curvature);
    curvature_normals(&f->k, &f->p, f->normal);
    double *curvature = FROM_DEVICE(f->curvature, n), *fitted = FROM_DEVICE(f->normal, dim * n),
           *normal = FROM_DEVICE(t->i.normal, dim * n);
    double *area = FROM_DEVICE(t->i.area, n), *centroid = FROM_DEVICE(t->i.centroid, dim * n);
    for (int32_t c = 0; c < t->m.n_cells; c++) {
        double x[3] = {0}, exact[3], off = 0, fitted_off = 0;
        if (!(area[c] > 0)) continue;
        for (int k = 0; k < dim; k++) x[k] = t->m.cell_centre[(int64_t)k * t->m.n_cells + c] + centroid[k * n + c];
        double error = fabs(curvature[c] / ellipsoid_curvature(e, dim, x, exact) - 1);
        for (int k = 0; k < dim; k++) {
            off += (normal[k * n + c] - exact[k]) * (normal[k * n + c] - exact[k]);
            fitted_off += (fitted[k * n + c] - exact[k]) * (fitted[k * n + c] - exact[k]);
        }
        r.curvature += area[c] * error, r.normal += area[c] * sqrt(off), r.fitted_normal += area[c] * sqrt(fitted_off),
            all += area[c];
        if (area[c] > 0.05 * whole) r.largest_curvature = fmax(r.largest_curvature, error);
    }
    r.curvature /= all, r.normal /= all, r.fitted_normal /= all;
    free(curvature), free(fitted), free(normal), free(area), free(centroid);
    return r;
}

/* Averages over some positions of the shape on the mesh. */
static struct measured at_resolution(enum grid kind, int cells, double distortion, double stretch, int improved)
{
    struct box_setting box = grid_box(kind, cells, distortion);
    double nothing[4] = {9, 9, 9, 0.1};
    struct fitted f;
    struct measured mean = {0};
    int places = grid_dim(kind) == 2 ? 4 : 1;
    open_fit(&f, kind, &box, ball, nothing);
    for (int place = 0; place < places; place++) {
        struct ellipsoid e = {{0.5, 0.5, 0.5}, {0.25 * stretch, 0.25 / stretch, 0.25}};
        for (int k = 0; k < f.t.m.dim; k++) e.centre[k] += number(7 * place + k) / cells;
        if (f.t.m.dim == 2) e.axis[2] = 0;
        set_ellipsoid(&f.t, &e);
        look_at(&f);
        for (int k = 0; k < improved; k++) improve_normals(&f);
        struct measured one = measure(&f, &e);
        mean.curvature += one.curvature / places, mean.normal += one.normal / places,
            mean.fitted_normal += one.fitted_normal / places;
        mean.largest_curvature = fmax(mean.largest_curvature, one.largest_curvature);
    }
    close_fit(&f);
    return mean;
}

/* 16 and 32 cells per diameter in 2-D, 5 and 10 in 3-D.  Bounds on the finer one: 1.5 times the measured errors, with
 * normals of the distance and with fitted ones.  On circles the fourth-order term is subtracted, so that hardly any
 * error is left. */
struct wanted { enum grid kind; double distortion, stretch, curvature, largest, normal, order; };
static const struct wanted wanted[] = {
    {GRID_QUADS, 0, 1, 3.2e-4, 3.5e-3, 2.5e-5, 0.7},
    {GRID_QUADS, 0.2, 1.2, 3.4e-3, 2.1e-2, 1.4e-3, 1.5},
    {GRID_TRIANGLES, 0, 1, 4.5e-4, 5.2e-3, 5e-5, 0.2},
    {GRID_TRIANGLES, 0.2, 1.2, 2.9e-3, 1.3e-2, 1.1e-3, 1.5},
    {GRID_HEXAHEDRA, 0, 1, 4e-3, 8.3e-3, 1.2e-3, 2},
    {GRID_HEXAHEDRA, 0.1, 1.1, 1e-2, 3.8e-2, 1e-2, 2},
    {GRID_TETRAHEDRA, 0, 1, 2.3e-3, 1.8e-2, 1.5e-3, 2},
    {GRID_TETRAHEDRA, 0.1, 1.1, 7.5e-3, 3.9e-2, 7e-3, 2},
    {GRID_MIXED_3D, 0, 1, 2.1e-3, 1.7e-2, 2e-3, 2},
};

static void curvature_and_normals_converge(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof wanted / sizeof *wanted; k++) {
        const struct wanted *w = &wanted[k];
        int cells = grid_dim(w->kind) == 2 ? 32 : 10;
        for (int improved = 0; improved < 2; improved++) {
            struct measured coarse = at_resolution(w->kind, cells, w->distortion, w->stretch, improved);
            struct measured fine = at_resolution(w->kind, 2 * cells, w->distortion, w->stretch, improved);
            double order = log2(coarse.curvature / fine.curvature);
            print_message("%s, distorted by %g, ellipse %g: curvature %.1e | %.1e, order %.1f, normals %.1e, fitted "
                          "%.1e\n", grid_name[w->kind], w->distortion, w->stretch, fine.curvature,
                          fine.largest_curvature, order, fine.normal, fine.fitted_normal);
            if (fine.curvature > w->curvature || fine.largest_curvature > w->largest ||
                fine.fitted_normal > w->normal || order < w->order)
                fail_msg("%s, distorted by %g, ellipse %g: curvature %.2e (largest %.2e), order %.2f, normals %.1e",
                         grid_name[w->kind], w->distortion, w->stretch, fine.curvature, fine.largest_curvature, order,
                         fine.fitted_normal);
        }
    }
}

/* Planes of any slope: with fitted normals twice, starting from those of the distance, only rounding is left. */
static void a_plane_has_no_curvature(void **state)
{
    (void)state;
    static const enum grid kinds[] = {GRID_QUADS, GRID_TRIANGLES, GRID_HEXAHEDRA, GRID_TETRAHEDRA, GRID_MIXED_3D};
    for (int k = 0; k < 5; k++) {
        struct box_setting box = grid_box(kinds[k], 8, 0.2);
        double data[6] = {0.51, 0.47, 0.52, 0.6, 0.8, 0}, largest = 0;
        struct fitted f;
        if (grid_dim(kinds[k]) == 3) data[3] = 2.0 / 7, data[4] = -3.0 / 7, data[5] = 6.0 / 7;
        open_fit(&f, kinds[k], &box, half_space, data);
        interface_reconstruct(&f.t.i);
        look_at(&f);
        for (int n = 0; n < 3; n++) improve_normals(&f);
        curvature_compute(&f.k, &f.p, f.curvature);
        double *curvature = FROM_DEVICE(f.curvature, f.t.s.pitch);
        for (int32_t c = 0; c < f.t.m.n_cells; c++) largest = fmax(largest, fabs(curvature[c]));
        if (largest * f.t.s.spacing > 1e-10) fail_msg("%s: %g", grid_name[kinds[k]], largest);
        free(curvature);
        close_fit(&f);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(curvature_and_normals_converge),
                                       cmocka_unit_test(a_plane_has_no_curvature)};
    return RUN_TESTS("curvature", tests);
}
