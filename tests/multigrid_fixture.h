/* multigrid_fixture.h: for tests of multigrid: various matrices, a level on the host, one cycle, one solve. */
#ifndef POISE_MULTIGRID_FIXTURE_H
#define POISE_MULTIGRID_FIXTURE_H
#include "linear_system.h"
#include "mesh/mesh.h"
#include "solve/aggregate.h"
#include "solve/multigrid.h"

static inline bool linked(int i, int j)                /* a chain with chords, row 5 isolated */
{
    int d = abs(i - j);
    return i != 5 && j != 5 && (d == 1 || d == 7 || (i % 10 == 0 && j % 10 == 0 && d == 90));
}

static inline double chain(int n, int i, int j)
{
    (void)n;
    if (i == j) return 6.5;
    return linked(i, j) ? -1 + 0.9 * number((int64_t)(i + j) * abs(i - j)) : 0;
}

static inline double diagonal(int n, int i, int j) { (void)n; return i == j ? 2 + i : 0; }
static inline double two_parts(int n, int i, int j) { (void)n; return i == j ? 2.01 : abs(i - j) == 2 ? -1 : 0; }
static inline double couples(int n, int i, int j) { (void)n; return i == j ? 1.1 : i / 2 == j / 2 ? -1 : 0; }
static inline double star(int n, int i, int j) { return i == j ? (i ? 1.1 : n) : i == 0 || j == 0 ? -1 : 0; }

/* The Laplacian of a box, cells along the Hilbert curve. */
struct box {
    int cells[3];
    double length, stretch, distortion;         /* 0: a length of 1, even cells */
    double (*weight)(int32_t face, double x, double y);
    bool walls;                                 /* value 0 at all boundaries; false: no flux */
};
static inline double random_weight(int32_t face, double x, double y) { return (void)x, (void)y, exp(6 * number(face)); }

static inline double drop(int32_t face, double x, double y)
{
    return (void)face, hypot(x - 0.5, y - 0.5) < 0.3 ? 1 : 1e-3;
}

static inline struct system box_system(const struct box *b)
{
    struct box_setting set = {.given = true, .dim = b->cells[2] ? 3 : 2, .to = {b->length > 0 ? b->length : 1, 1, 1},
                              .stretch = {1, b->stretch > 0 ? b->stretch : 1, 1}, .distortion = b->distortion};
    struct mesh m = {0};
    struct error e;
    struct system s = {0};
    int64_t *place;
    int32_t *face;
    double *k;
    memcpy(set.cells, b->cells, sizeof set.cells);
    mesh_box(&m, &set);
    assert_true(mesh_complete(&m, ORDERING_HILBERT, NULL, 0, &e));
    mesh_adjacency(&m, &s.start, &s.column, &face);
    s.n = m.n_cells;
    NEW(s.value, s.start[s.n]), NEW(s.diag, s.n), NEW(place, s.start[s.n]), NEW(k, m.n_faces);
    for (int32_t f = 0; f < (b->walls ? m.n_faces : m.n_internal); f++) {
        double ss = 0, sd = 0, x[2];
        for (int i = 0; i < m.dim; i++) {
            double area = m.face_area[(int64_t)i * m.n_faces + f];
            ss += area * area, sd += area * m.face_d[(int64_t)i * m.n_faces + f];
            if (i < 2)
                x[i] = m.cell_centre[(int64_t)i * m.n_cells + m.face_owner[f]] + m.face_r[(int64_t)i * m.n_faces + f];
        }
        k[f] = ss / sd * (b->weight ? b->weight(f, x[0], x[1]) : 1);
        s.diag[m.face_owner[f]] += k[f];
        if (f < m.n_internal) s.diag[m.face_neighbour[f]] += k[f];
    }
    for (int64_t e2 = 0; e2 < s.start[s.n]; e2++) s.value[e2] = -k[abs(face[e2]) - 1];
    matrix_create_alone(&s.a, s.n, s.start, s.column, place);
    system_upload(&s, place);
    free(face), free(place), free(k);
    mesh_free(&m);
    return s;
}

/* A level on the host, in CSR without padding. */
struct host { int32_t n; int64_t *start; int32_t *column; double *value, *diag; };

static inline struct host download(const struct level_matrix *a)
{
    struct host h = {.n = a->p.n};
    int64_t *warp = FROM_DEVICE(a->p.warp_start, a->p.n_slices * WARPS + 1), n = 0;
    int32_t *col = FROM_DEVICE(a->p.col, a->p.n_stored);
    float *val = FROM_DEVICE(a->val, a->p.n_stored), *diag = FROM_DEVICE(a->diag, a->p.n_padded);
    assert_int_equal(warp[a->p.n_slices * WARPS], a->p.n_stored);
    NEW(h.start, a->p.n + 1), NEW(h.column, a->p.n_stored), NEW(h.value, a->p.n_stored), NEW(h.diag, a->p.n);
    for (int64_t r = 0; r < a->p.n_padded; r++) {
        bool end = false;
        if (r >= a->p.n) assert_true(diag[r] == 1);
        for (int64_t k = warp[r / WARP] + r % WARP; k < warp[r / WARP + 1]; k += WARP) {
            int32_t c = col[k], j = c < 0 ? (int32_t)(r / SLICE * SLICE) - c - 1 : c - 1;
            if (!c) {
                assert_true(val[k] == 0);
                end = true;
                continue;
            }
            assert_true(!end && r < a->p.n && j >= 0 && j < a->p.n && j != r);
            assert_true((c < 0) == (j / SLICE == r / SLICE));
            h.column[n] = j, h.value[n++] = val[k];
        }
        if (r < a->p.n) h.start[r + 1] = n, h.diag[r] = diag[r];
    }
    free(warp), free(col), free(val), free(diag);
    return h;
}

static inline void host_free(struct host *h) { free(h->start), free(h->column), free(h->value), free(h->diag); }

static inline struct level_matrix single(const struct matrix *a)
{
    struct level_matrix l = {.p = a->p};
    l.val = device_alloc((size_t)a->p.n_stored * sizeof(float), "test");
    l.diag = device_alloc((size_t)a->p.n_padded * sizeof(float), "test");
    l.excess = device_alloc((size_t)a->p.n_padded * sizeof(float), "test");
    struct copy_level_args copy = {*a, l};
    multigrid_copy_level(&copy, a->p.n_slices);
    return l;
}

static inline double *cycle(struct multigrid *m, const struct system *s, const double *v)
{
    double *r = to_device(NULL, s->a.p.n_padded), *z;
    device_upload(r, v, (size_t)s->n * 8);
    struct begin_args begin = {multigrid_entrance(m), r, NULL};
    multigrid_begin(&begin, s->a.p.n_slices);
    multigrid_cycle(m);
    float *single_z = FROM_DEVICE(multigrid_result(m), s->a.p.n_padded);
    NEW(z, s->n);
    for (int64_t i = 0; i < s->a.p.n_padded; i++) {
        if (i < s->n) z[i] = single_z[i];
        else assert_true(single_z[i] == 0);
    }
    free(single_z);
    device_free(r);
    return z;
}

static inline struct linear_result solve(const struct system *s, bool singular, double tolerance, const double *b,
                                         double *x)
{
    struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = tolerance,
                                 .max_iterations = 300};
    double *db = to_device(NULL, s->a.p.n_padded), *dx = to_device(NULL, s->a.p.n_padded);
    device_upload(db, b, (size_t)s->n * 8);
    device_upload(dx, x, (size_t)s->n * 8);
    struct solver *cg = solver_create(&s->a, &set, &(struct solver_setup){.singular = singular}, NULL);
    struct linear_result r = solver_solve(cg, &s->a, dx, db);
    device_download(x, dx, (size_t)s->n * 8);
    solver_free(cg);
    device_free(db), device_free(dx);
    return r;
}

static inline void take_values(const struct matrix *a, const struct matrix *from)
{
    device_copy(a->val, from->val, (size_t)a->p.n_stored * 8);
    device_copy(a->diag, from->diag, (size_t)a->p.n_padded * 8);
}
#endif
