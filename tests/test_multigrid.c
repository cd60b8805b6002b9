/* Aggregation against its definition, the cycle as an operator, conjugate gradients with it: answers, iteration counts,
 * same bits. */
#include "linear_system.h"
#include "gpu/vector.h"
#include "mesh/mesh.h"
#include "solve/aggregate.h"
#include "solve/rebuild.h"

/* ---------------------------------------------------------------- matrices */
static bool linked(int i, int j)                /* a chain with chords, row 5 isolated */
{
    int d = abs(i - j);
    return i != 5 && j != 5 && (d == 1 || d == 7 || (i % 10 == 0 && j % 10 == 0 && d == 90));
}
static double chain(int n, int i, int j)
{
    (void)n;
    if (i == j) return 6.5;
    return linked(i, j) ? -1 + 0.9 * number((int64_t)(i + j) * abs(i - j)) : 0;
}
static double diagonal(int n, int i, int j) { (void)n; return i == j ? 2 + i : 0; }
static double two_parts(int n, int i, int j) { (void)n; return i == j ? 2.01 : abs(i - j) == 2 ? -1 : 0; }
static double couples(int n, int i, int j) { (void)n; return i == j ? 1.1 : i / 2 == j / 2 ? -1 : 0; }
static double star(int n, int i, int j) { return i == j ? (i ? 1.1 : n) : i == 0 || j == 0 ? -1 : 0; }

/* The Laplacian of a box, cells along the Hilbert curve. */
struct box {
    int cells[3];
    double length, stretch, distortion;         /* 0: a length of 1, even cells */
    double (*weight)(int32_t face, double x, double y);
    bool walls;                                 /* value 0 at all boundaries; false: no flux */
};
static double random_weight(int32_t face, double x, double y) { return (void)x, (void)y, exp(6 * number(face)); }
static double drop(int32_t face, double x, double y)
{
    return (void)face, hypot(x - 0.5, y - 0.5) < 0.3 ? 1 : 1e-3;
}

static struct system box_system(const struct box *b)
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

/* ---------------------------------------------------------------- aggregation */
/* A level on the host, in CSR without padding. */
struct host { int32_t n; int64_t *start; int32_t *column; double *value, *diag; };

static void *from_device(const void *d, int64_t n, size_t size)
{
    void *v = allocate((size_t)n, size, "test");
    device_download(v, d, (size_t)n * size);
    return v;
}
#define FROM_DEVICE(d, n) from_device(d, n, sizeof *(d))

static struct host download(const struct level_matrix *a)
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

static void host_free(struct host *h) { free(h->start), free(h->column), free(h->value), free(h->diag); }

/* Parents, children, slices. */
static void check_families(const struct level_matrix *fine, const struct aggregation *g, const int32_t *parent)
{
    int32_t *child = FROM_DEVICE(g->child, fine->p.n), *seen, *start = FROM_DEVICE(g->child_start, g->coarse_padded + 1);
    int32_t *slice = FROM_DEVICE(g->slice_start, fine->p.n_slices + 1);
    NEW(seen, fine->p.n);
    assert_true(g->coarse_padded % SLICE == 0 && g->coarse_padded >= g->n_coarse);
    assert_true(g->coarse_padded < g->n_coarse + SLICE);
    for (int64_t i = 0; i < fine->p.n_padded; i++)
        assert_true(i < fine->p.n ? parent[i] >= 0 && parent[i] < g->n_coarse : parent[i] == -1);
    for (int64_t c = 0; c < g->coarse_padded; c++) {
        assert_true(c < g->n_coarse ? start[c + 1] > start[c] : start[c] == fine->p.n);
        for (int32_t k = start[c]; k < start[c + 1]; k++) {
            int32_t row = child[k], home = row / SLICE;
            assert_true(row >= 0 && row < fine->p.n && parent[row] == c && !seen[row]++);
            assert_true(home == child[start[c]] / SLICE && slice[home] <= c && c < slice[home + 1]);
        }
    }
    assert_true(start[0] == 0 && start[g->coarse_padded] == fine->p.n);
    for (int32_t i = 0; i < fine->p.n; i++) assert_true(seen[i]);         /* with the above: once */
    assert_true(slice[0] == 0 && slice[fine->p.n_slices] == g->n_coarse);
    free(child), free(seen), free(slice), free(start);
}

/* The coarse matrix against sums over all entries of the fine one. */
static void check_galerkin(const struct host *fine, const struct host *coarse, const int32_t *parent)
{
    double *m, *scale;
    int64_t n = coarse->n;
    NEW(m, n * n), NEW(scale, n);
    for (int32_t i = 0; i < fine->n; i++) {
        int64_t row = parent[i] * n;
        m[row + parent[i]] += fine->diag[i];
        scale[parent[i]] += fine->diag[i];
        for (int64_t k = fine->start[i]; k < fine->start[i + 1]; k++)
            m[row + parent[fine->column[k]]] += fine->value[k];
    }
    for (int32_t c = 0; c < n; c++) {
        double wanted = 0, sum = coarse->diag[c], tolerance = 1e-6 * scale[c];
        for (int32_t d = 0; d < n; d++) wanted += m[c * n + d];
        assert_true(fabs(m[c * n + c] - coarse->diag[c]) <= tolerance);
        m[c * n + c] = 0;
        for (int64_t k = coarse->start[c]; k < coarse->start[c + 1]; k++) {
            double *left = &m[c * n + coarse->column[k]];
            assert_true(*left != 0 && fabs(*left - coarse->value[k]) <= tolerance);
            *left = 0;                                                  /* not stored twice, and none is missing */
            sum += coarse->value[k];
        }
        for (int32_t d = 0; d < n; d++) assert_true(m[c * n + d] == 0);
        assert_true(fabs(sum - wanted) <= tolerance);
    }
    free(m), free(scale);
}

static void check_symmetric(const struct host *h)
{
    for (int32_t i = 0; i < h->n; i++)
        for (int64_t k = h->start[i]; k < h->start[i + 1]; k++) {
            int64_t back = h->start[h->column[k]], end = h->start[h->column[k] + 1];
            while (back < end && h->column[back] != i) back++;
            assert_true(back < end && fabs(h->value[back] - h->value[k]) <= 1e-6 * fabs(h->value[k]));
        }
}

static struct level_matrix single(const struct matrix *a)
{
    struct level_matrix l = {.p = a->p};
    l.val = device_alloc((size_t)a->p.n_stored * sizeof(float), "test");
    l.diag = device_alloc((size_t)a->p.n_padded * sizeof(float), "test");
    l.excess = device_alloc((size_t)a->p.n_padded * sizeof(float), "test");
    struct copy_level_args copy = {*a, l};
    multigrid_copy_level(&copy, a->p.n_slices);
    return l;
}

/* Coarsens as long as it goes; returns the ratio of the first step, 0: none. */
static double check_levels(const struct system *s)
{
    struct level_matrix fine = single(&s->a), coarse;
    struct aggregation g;
    double ratio = 0;
    int level = 0;
    size_t before = device_bytes();
    for (; aggregate(&fine, &g, &coarse); level++) {
        int32_t *parent = FROM_DEVICE(g.parent, fine.p.n_padded);
        assert_int_equal(coarse.p.n, g.n_coarse);
        assert_true(coarse.p.n_padded == g.coarse_padded && coarse.p.n_slices * (int64_t)SLICE == g.coarse_padded);
        assert_true(3 * (int64_t)coarse.p.n <= 2 * (int64_t)fine.p.n);
        aggregate_values(&fine, &g, &coarse);
        struct host a = download(&fine), b = download(&coarse);
        check_families(&fine, &g, parent);
        check_galerkin(&a, &b, parent);
        check_symmetric(&b);
        if (!level) ratio = (double)fine.p.n / coarse.p.n;
        host_free(&a), host_free(&b), free(parent);
        aggregation_free(&g);
        level_matrix_free(&fine, level > 0);
        fine = coarse;
        before = device_bytes();
    }
    assert_int_equal(device_bytes(), before);                           /* what did not coarsen left nothing behind */
    level_matrix_free(&fine, level > 0);
    return ratio;
}

static void aggregation(void **state)
{
    (void)state;
    static const struct { struct box box; double least; } boxes[] = {
        {{{64, 64}, .walls = true}, 6}, {{{73, 61}, .walls = true}, 5}, {{{16, 16, 16}, .walls = true}, 6},
        {{{17, 13, 19}, .walls = false}, 5}, {{{64, 64}, .length = 30, .walls = true}, 5},
        {{{60, 60}, .stretch = 30}, 4},
        {{{50, 50}, .distortion = 0.3}, 4}, {{{14, 14, 14}, .distortion = 0.3, .walls = true}, 4},
        {{{60, 60}, .weight = random_weight, .walls = true}, 3}, {{{15, 15, 15}, .weight = random_weight}, 3},
        {{{64, 64}, .weight = drop}, 5}};
    for (size_t i = 0; i < sizeof boxes / sizeof *boxes; i++) {
        struct system s = box_system(&boxes[i].box);
        double ratio = check_levels(&s);
        print_message("box %zu: %d rows, ratio %.2f\n", i, s.n, ratio);
        assert_true(ratio >= boxes[i].least && ratio < 12);
        system_free(&s);
    }
    static const int sizes[] = {1, 2, 31, 33, 129, 513, 5000};
    for (int i = 0; i < 7; i++) {
        struct system s = system_of(chain, sizes[i], 90);
        double ratio = check_levels(&s);
        assert_true(sizes[i] == 1 ? ratio == 0 : sizes[i] > 100 ? ratio >= 3 : true);
        system_free(&s);
    }
}

static void what_does_not_coarsen(void **state)
{
    (void)state;
    static const struct { entry *f; int n; double ratio; } odd[] = {
        {diagonal, 2000, 0}, {star, 700, 0}, {couples, 3000, 2}, {couples, 1001, 2}};
    for (size_t i = 0; i < sizeof odd / sizeof *odd; i++) {
        struct system s = system_of(odd[i].f, odd[i].n, odd[i].n);
        double ratio = check_levels(&s);
        assert_true(fabs(ratio - odd[i].ratio) < 0.01);
        system_free(&s);
    }
    struct system s = system_of(two_parts, 3000, 2), t = system_of(star, 200, 200);
    assert_true(check_levels(&s) >= 4);
    assert_true(check_levels(&t) >= 50);                                /* all join the hub */
    system_free(&s), system_free(&t);
}

/* ---------------------------------------------------------------- the cycle */
static double *cycle(struct multigrid *m, const struct system *s, const double *v)
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

static double dot(const double *x, const double *y, int n)
{
    double sum = 0;
    for (int i = 0; i < n; i++) sum += x[i] * y[i];
    return sum;
}

/* The cycle is no symmetric operator, but r.z > 0 must hold, and the same r gives the same z. */
static void cycle_is_positive(void **state)
{
    (void)state;
    static const struct box boxes[] = {
        {{18, 19}, .walls = true}, {{6, 6, 7}, .weight = random_weight, .walls = true},
        {{17, 18}, .stretch = 20, .walls = true}, {{90, 90}, .walls = true},
        {{20, 20, 20}, .distortion = 0.3, .walls = true}, {{70, 70}, .weight = drop, .walls = true}, {{50, 50}, .walls = false}};
    for (size_t i = 0; i < 9 * sizeof boxes / sizeof *boxes; i++) {
        const struct box *box = &boxes[i / 9];
        struct linear_setting set = {.cycle = i / 3 % 3, .smoother = i % 3, .sweeps = 1, .local_sweeps = 1, .richardson_sweeps = 1,
                                     .damping = 1, .inner_damping = 1, .degree = 3, .ratio = 15};
        struct system s = box_system(box);
        struct multigrid *m = multigrid_create(&s.a, &set, !box->walls);
        multigrid_refresh(m);
        for (int trial = 0; trial < 3; trial++) {
            double *u = numbers(s.n, 1000 * trial), mean = 0;
            for (int k = 0; k < s.n; k++) mean += u[k] / s.n;
            for (int k = 0; k < s.n && !box->walls; k++) u[k] -= mean;
            double *mu = cycle(m, &s, u), *again = cycle(m, &s, u);
            assert_memory_equal(mu, again, (size_t)s.n * 8);
            assert_true(dot(mu, u, s.n) > 0);
            free(u), free(mu), free(again);
        }
        multigrid_free(m);
        system_free(&s);
    }
}

/* ---------------------------------------------------------------- smoothing, and two levels, against their formulas */
enum { SWEEPS = 4 };

/* x = from + p(D^-1 A) on each slice's own system, after the others' share is taken off b (double, row by row). */
static void smooth_reference(const struct system *s, const double *b, const double *from, double *x)
{
    double *r, *next, theta = (2 + 2.0 / 6) / 2, delta = (2 - 2.0 / 6) / 2;
    NEW(r, s->n), NEW(next, s->n);
    for (int i = 0; i < s->n; i++) {
        x[i] = from[i], r[i] = b[i];
        for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
            if (s->column[k] / SLICE != i / SLICE) r[i] -= s->value[k] * from[s->column[k]];
    }
    for (int sweep = 0; sweep < SWEEPS; sweep++) {
        double omega = 1 / (theta - delta * cos(M_PI * (2 * sweep + 1) / (2 * SWEEPS)));
        for (int i = 0; i < s->n; i++) {
            double d = r[i] - s->diag[i] * x[i];
            for (int64_t k = s->start[i]; k < s->start[i + 1]; k++)
                if (s->column[k] / SLICE == i / SLICE) d -= s->value[k] * x[s->column[k]];
            next[i] = x[i] + omega * d / s->diag[i];
        }
        memcpy(x, next, (size_t)s->n * sizeof *x);
    }
    free(r), free(next);
}

static float *single_vector(const double *v, int n, int64_t n_padded)
{
    float *host, *on_device = device_alloc((size_t)n_padded * sizeof *on_device, "test");
    NEW(host, n_padded);
    for (int i = 0; i < n; i++) host[i] = (float)v[i];
    device_upload(on_device, host, (size_t)n_padded * sizeof *host);
    free(host);
    return on_device;
}

static void check_smoothed(const struct smooth_args *a, const struct kernel *k, const double *wanted)
{
    device_launch(k, a, a->a.p.n_slices);
    float *x = FROM_DEVICE(a->to, a->a.p.n_padded);
    double difference = 0, size = 0;
    for (int64_t i = 0; i < a->a.p.n_padded; i++) {
        if (i >= a->a.p.n) assert_true(x[i] == 0);
        else difference = fmax(difference, fabs(x[i] - wanted[i])), size = fmax(size, fabs(wanted[i]));
    }
    assert_true(difference <= 1e-5 * size);
    free(x);
}

/* Rows of 1 to over 32 entries: registers, and what does not fit into them. */
static double fan(int n, int i, int j)
{
    (void)n;
    int reach = abs(i - j);
    return i == j ? 45 + i % 7 : reach <= 2 + i / 40 % 20 && reach <= 2 + j / 40 % 20 ? -1 + 0.5 * number((int64_t)(i + j) * reach) : 0;
}

static void smoothing_against_formula(void **state)
{
    (void)state;
    static const struct { entry *f; int n; } row[] = {{chain, 1}, {chain, 31}, {chain, 33}, {chain, 511}, {chain, 512},
                                                      {chain, 513}, {fan, 1300}, {diagonal, 700}};
    for (size_t c = 0; c < sizeof row / sizeof *row; c++) {
        struct system s = system_of(row[c].f, row[c].n, 90);
        struct level_matrix l = single(&s.a);
        double *b = numbers(s.n, 1), *from = numbers(s.n, 7), *wanted, *few = numbers(s.n, 3);
        int32_t *parent, *on_device = device_alloc((size_t)s.a.p.n_padded * sizeof *on_device, "test");
        NEW(wanted, s.n), NEW(parent, s.a.p.n_padded);
        float *fb = single_vector(b, s.n, s.a.p.n_padded), *ff = single_vector(from, s.n, s.a.p.n_padded);
        float *fc = single_vector(few, s.n, s.a.p.n_padded), *to = single_vector(b, s.n, s.a.p.n_padded);
        struct smooth_args plain = {l, fb, ff, NULL, to}, prolonged = {l, fb, fc, on_device, to};
        smooth_reference(&s, b, from, wanted);
        check_smoothed(&plain, &multigrid_smooth_kernel, wanted);
        check_smoothed(&plain, &multigrid_smooth_few_kernel, wanted);
        for (int64_t i = 0; i < s.a.p.n_padded; i++) parent[i] = i < s.n ? (int32_t)(i * 7 % s.n / 8) : -1;
        device_upload(on_device, parent, (size_t)s.a.p.n_padded * sizeof *parent);
        for (int i = 0; i < s.n; i++) from[i] = few[parent[i]];
        smooth_reference(&s, b, from, wanted);
        check_smoothed(&prolonged, &multigrid_smooth_prolonged_kernel, wanted);
        check_smoothed(&prolonged, &multigrid_smooth_prolonged_few_kernel, wanted);
        free(b), free(from), free(wanted), free(few), free(parent);
        device_free(fb), device_free(ff), device_free(fc), device_free(to), device_free(on_device);
        level_matrix_free(&l, false);
        system_free(&s);
    }
}

/* z of two levels: sums over the aggregates, the coarse system solved, given to the rows, smoothed twice. */
static void two_levels_against_formula(void **state)
{
    (void)state;
    static const struct box boxes[] = {{{18, 19}, .walls = true}, {{6, 6, 7}, .weight = random_weight, .walls = true},
                                       {{14, 17}, .stretch = 20, .walls = true}, {{16, 12}, .walls = true, .distortion = 0.3}};
    for (int c = 0; c < 4; c++) {
        struct system s = box_system(&boxes[c]), coarse = {0};
        struct multigrid *m = multigrid_create(&s.a, &(struct linear_setting){0}, false);
        multigrid_refresh(m);
        assert_int_equal(multigrid_levels(m), 2);
        struct level_matrix fine = single(&s.a), next;
        struct aggregation g;
        assert_true(aggregate(&fine, &g, &next));
        int32_t *parent = FROM_DEVICE(g.parent, fine.p.n_padded);
        struct host h = download(&next);
        coarse.n = h.n, coarse.start = h.start, coarse.column = h.column, coarse.value = h.value, coarse.diag = h.diag;
        double *v = numbers(s.n, 5), *z = cycle(m, &s, v), *sum, *coarse_x, *x, *y;
        NEW(sum, h.n), NEW(coarse_x, h.n), NEW(x, s.n), NEW(y, s.n);
        for (int i = 0; i < s.n; i++) sum[parent[i]] += v[i];
        dense_solve(&coarse, sum, coarse_x);
        for (int i = 0; i < s.n; i++) x[i] = coarse_x[parent[i]];
        smooth_reference(&s, v, x, y);
        smooth_reference(&s, v, y, x);
        assert_true(distance(z, x, s.n) < 1e-4);
        free(v), free(z), free(sum), free(coarse_x), free(x), free(y), free(parent);
        host_free(&h);
        aggregation_free(&g);
        level_matrix_free(&fine, false), level_matrix_free(&next, true);
        multigrid_free(m);
        system_free(&s);
    }
}

/* Off-diagonals times 4 are as strong beside each other as they were; the diagonal has no say in the structure. */
static void change_values(const struct matrix *a)
{
    double *val = FROM_DEVICE(a->val, a->p.n_stored), *diag = FROM_DEVICE(a->diag, a->p.n_padded);
    for (int64_t k = 0; k < a->p.n_stored; k++) val[k] *= 4;
    for (int64_t i = 0; i < a->p.n; i++) diag[i] *= 4.2 + 0.2 * number(i);
    device_upload(a->val, val, (size_t)a->p.n_stored * 8);
    device_upload(a->diag, diag, (size_t)a->p.n_padded * 8);
    free(val), free(diag);
}

static void refresh_is_a_new_hierarchy(void **state)
{
    (void)state;
    static const struct box box = {{24, 24, 24}, .walls = true};
    struct system s = box_system(&box), t = box_system(&box);
    change_values(&t.a);
    struct multigrid *m = multigrid_create(&s.a, &(struct linear_setting){0}, false),
                     *fresh = multigrid_create(&t.a, &(struct linear_setting){0}, false);
    multigrid_refresh(m), multigrid_refresh(fresh);
    assert_int_equal(multigrid_levels(m), multigrid_levels(fresh));
    for (int i = 0; i < multigrid_levels(m); i++) assert_int_equal(multigrid_rows(m, i), multigrid_rows(fresh, i));
    assert_true(multigrid_levels(m) >= 3 && multigrid_complexity(m) > 1 && multigrid_complexity(m) < 2);
    double *u = numbers(s.n, 3), *before = cycle(m, &s, u), *wanted = cycle(fresh, &t, u);
    change_values(&s.a);
    multigrid_refresh(m);
    double *after = cycle(m, &s, u);
    assert_memory_not_equal(before, wanted, (size_t)s.n * 8);
    assert_memory_equal(after, wanted, (size_t)s.n * 8);
    free(u), free(before), free(wanted), free(after);
    multigrid_free(m), multigrid_free(fresh);
    system_free(&s), system_free(&t);
}

/* ---------------------------------------------------------------- conjugate gradients with it */
static struct linear_result solve(const struct system *s, bool singular, double tolerance, const double *b, double *x)
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

static void check_elimination(struct system s)
{
    double *b = numbers(s.n, 17), *x = numbers(s.n, 5), *exact;
    NEW(exact, s.n);
    dense_solve(&s, b, exact);
    assert_int_equal(solve(&s, false, 1e-13, b, x).status, LINEAR_CONVERGED);
    assert_true(distance(x, exact, s.n) < 1e-9);
    free(b), free(x), free(exact);
    system_free(&s);
}

static void against_elimination(void **state)
{
    (void)state;
    static const int sizes[] = {1, 31, 33, 128, 129, 513, 1000};
    static const struct box boxes[] = {{{30, 31}, .walls = true}, {{10, 9, 11}, .weight = random_weight, .walls = true},
                                       {{25, 40}, .weight = drop, .walls = true}};
    for (int i = 0; i < 7; i++) check_elimination(system_of(chain, sizes[i], 90));
    for (int i = 0; i < 3; i++) check_elimination(box_system(&boxes[i]));
    check_elimination(system_of(diagonal, 700, 1));
    check_elimination(system_of(two_parts, 900, 2));
    check_elimination(system_of(couples, 900, 2));
    check_elimination(system_of(star, 600, 600));
}

/* To 1e-8; the residual is looked at from outside. */
static int iterations(const struct box *box)
{
    struct system s = box_system(box);
    double *b = numbers(s.n, 1), *x, *y, mean = 0;
    NEW(x, s.n), NEW(y, s.n);
    struct linear_result r = solve(&s, !box->walls, 1e-8, b, x);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    product(&s, x, y);
    for (int i = 0; i < s.n; i++) mean += b[i] / s.n;
    for (int i = 0; i < s.n && !box->walls; i++) b[i] -= mean;
    assert_true(distance(y, b, s.n) < 2e-8);
    free(b), free(x), free(y);
    system_free(&s);
    return r.iterations;
}

static void iteration_counts(void **state)
{
    (void)state;
    static const struct { const char *name; struct box box; int most; } row[] = {
        {"64^2", {{64, 64}, .walls = true}, 20}, {"128^2", {{128, 128}, .walls = true}, 20},
        {"256^2", {{256, 256}, .walls = true}, 20}, {"16^3", {{16, 16, 16}, .walls = true}, 20},
        {"32^3", {{32, 32, 32}, .walls = true}, 20},
        {"cells 30:1", {{96, 96}, .length = 30, .walls = true}, 50},
        {"graded 30:1", {{96, 96}, .stretch = 30, .walls = true}, 30},
        {"all Neumann 128^2", {{128, 128}, .walls = false}, 22},
        {"all Neumann 24^3", {{24, 24, 24}, .walls = false}, 22},
        {"distorted 32^3", {{32, 32, 32}, .distortion = 0.3, .walls = true}, 25},
        {"drop 1000:1", {{96, 96}, .weight = drop}, 25}, {"random weights", {{96, 96}, .weight = random_weight}, 36}};
    enum { N = sizeof row / sizeof *row };
    int count[N];
    for (int i = 0; i < N; i++) {
        count[i] = iterations(&row[i].box);
        print_message("%s: %d iterations\n", row[i].name, count[i]);
    }
    for (int i = 0; i < N; i++) assert_in_range(count[i], 1, row[i].most);
    assert_true(count[1] <= 1.3 * count[0] && count[2] <= 1.3 * count[1] && count[4] <= 1.3 * count[3]);
}

static void same_bits(void **state)
{
    (void)state;
    static const struct box box = {{26, 26, 26}, .distortion = 0.3};
    struct system s = box_system(&box);
    double *b = numbers(s.n, 1);
    int threads = omp_get_max_threads();
    uint64_t first = 0;
    for (int t = 1; t <= 3; t++) {
        double *x = numbers(s.n, 3);
        omp_set_num_threads(t);
        assert_int_equal(solve(&s, true, 1e-8, b, x).status, LINEAR_CONVERGED);
        if (t == 1) first = hash(x, s.n);
        assert_true(hash(x, s.n) == first);
        free(x);
    }
    omp_set_num_threads(threads);
    free(b);
    system_free(&s);
}

/* The solver is made with one matrix and meets others: smaller, larger, with a jump that was not there. */
static void structure_is_reused(void **state)
{
    (void)state;
    static const struct box boxes[] = {{{48, 48}, .walls = true}, {{48, 48}, .weight = drop, .walls = true},
                                       {{48, 48}, .weight = random_weight, .walls = true}, {{48, 48}, .walls = true}};
    struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = 1e-9, .max_iterations = 200};
    struct system s = box_system(&boxes[0]);
    struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
    double *x = to_device(NULL, s.a.p.n_padded), *db = to_device(NULL, s.a.p.n_padded), *host, *y;
    int first = 0;
    NEW(host, s.n), NEW(y, s.n);
    for (int k = 0; k < 4; k++) {
        struct system now = box_system(&boxes[k]);
        double *b = numbers(s.n, 8);
        struct fill_args zero = {x, 0};
        fill(&zero, s.a.p.n_padded);
        device_copy(s.a.val, now.a.val, (size_t)s.a.p.n_stored * 8);
        device_copy(s.a.diag, now.a.diag, (size_t)s.a.p.n_padded * 8);
        device_upload(db, b, (size_t)s.n * 8);
        struct linear_result r = solver_solve(cg, &s.a, x, db);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        device_download(host, x, (size_t)s.n * 8);
        product(&now, host, y);
        assert_true(distance(y, b, s.n) < 2e-9);
        if (k == 0) first = r.iterations;
        if (k == 3) assert_int_equal(r.iterations, first);
        free(b);
        system_free(&now);
    }
    free(host), free(y);
    solver_free(cg);
    device_free(x), device_free(db);
    system_free(&s);
}

/* ---------------------------------------------------------------- when the structure is made anew */
/* 64 cells in the direction: the faces across it are the strong ones. */
static bool on_line(double x) { return fabs(64 * x - round(64 * x)) < 0.25; }
static double strong_x(int32_t face, double x, double y) { return (void)face, (void)y, on_line(x) ? 1000 : 1; }
static double strong_y(int32_t face, double x, double y) { return (void)face, (void)x, on_line(y) ? 1000 : 1; }
static const struct box along[] = {{{64, 64}, .weight = strong_x, .walls = true}, {{64, 64}, .weight = strong_y, .walls = true}};

static void take_values(const struct matrix *a, const struct matrix *from)
{
    device_copy(a->val, from->val, (size_t)a->p.n_stored * 8);
    device_copy(a->diag, from->diag, (size_t)a->p.n_padded * 8);
}

static struct linear_result solve_from_zero(const struct system *s, struct solver *cg, uint64_t *bits)
{
    double *b = numbers(s->n, 8), *db = to_device(NULL, s->a.p.n_padded), *dx = to_device(NULL, s->a.p.n_padded);
    device_upload(db, b, (size_t)s->n * 8);
    struct linear_result r = solver_solve(cg, &s->a, dx, db);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    device_download(b, dx, (size_t)s->n * 8);
    *bits = hash(b, s->n);
    free(b);
    device_free(db), device_free(dx);
    return r;
}

/* The next solves: n of about as many iterations, without a word. */
static void solve_quietly(const struct system *s, struct solver *cg, int n, int least, int most)
{
    for (uint64_t bits; n > 0; n--) {
        struct linear_result r = solve_from_zero(s, cg, &bits);
        assert_null(r.note);
        assert_in_range(r.iterations, least, most);
    }
}

static void structure_is_made_anew(void **state)
{
    (void)state;
    struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = 1e-8, .max_iterations = 500};
    struct system s = box_system(&along[0]), of[] = {box_system(&along[0]), box_system(&along[1])};
    struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
    uint64_t bits, again;
    char wanted[100];
    int good = solve_from_zero(&s, cg, &bits).iterations, slow[2], least = 2 * good + 6;
    take_values(&s.a, &of[1].a);
    for (int i = 0; i < 2; i++) slow[i] = solve_from_zero(&s, cg, &bits).iterations;
    print_message("structure for other values: %d iterations, %d then %d\n", good, slow[0], slow[1]);
    assert_true(slow[0] >= least && slow[1] >= least);
    struct linear_result r = solve_from_zero(&s, cg, &bits);
    snprintf(wanted, sizeof wanted, "multigrid's structure made anew: %d iterations, %d when it was made", slow[1], good);
    assert_string_equal(r.note, wanted);
    assert_true(r.iterations <= 1.5 * good);
    int64_t n;
    int32_t *structure = solver_structure(cg, &n);                          /* another one from there: the same bits */
    take_values(&s.a, &of[0].a);
    struct solver *other = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
    take_values(&s.a, &of[1].a);
    assert_true(solver_set_structure(other, structure, n) && solve_from_zero(&s, other, &again).iterations == r.iterations);
    assert_true(again == bits);
    take_values(&s.a, &of[0].a);
    solve_quietly(&s, cg, REBUILD_KEPT - 1, least, 500);                /* not anew so soon */
    assert_non_null(solve_from_zero(&s, cg, &bits).note);
    solve_quietly(&s, cg, REBUILD_KEPT + 3, 1, least);
    solver_free(cg), solver_free(other);
    free(structure);
    system_free(&s), system_free(&of[0]), system_free(&of[1]);
}

static int32_t *parents_of(const struct multigrid *m, int64_t *n)
{
    int32_t *parents;
    *n = multigrid_parents(m, NULL);
    NEW(parents, *n);
    assert_true(multigrid_parents(m, parents) == *n);
    return parents;
}

/* From values as a new hierarchy; from its parents with other values, back to the same bits. */
static void rebuilt_is_a_new_hierarchy(void **state)
{
    (void)state;
    struct system s = box_system(&along[0]), t = box_system(&along[1]);
    for (int smoother = 0; smoother < 3; smoother++) {
        struct linear_setting set = {.cycle = smoother % 3, .smoother = smoother, .sweeps = 1, .local_sweeps = 1,
                                     .richardson_sweeps = 1, .damping = 1, .inner_damping = 1, .degree = 3, .ratio = 15};
        struct system now = box_system(&along[0]);
        struct multigrid *fresh = multigrid_create(&t.a, &set, false);
        multigrid_refresh(fresh);
        int64_t n;
        size_t before = device_bytes();
        struct multigrid *m = multigrid_create(&now.a, &set, false);
        double *u = numbers(s.n, 3), *wanted = cycle(fresh, &t, u), *z[4];
        int32_t *parents = parents_of(fresh, &n);
        for (int k = 0; k < 4; k++) {                                   /* 0: of s; 1: of s on t; 2: anew; 3: given */
            take_values(&now.a, k == 1 || k == 2 ? &t.a : &s.a);
            if (k == 2) assert_true(multigrid_rebuild(m, NULL, 0));
            if (k == 3) assert_true(multigrid_rebuild(m, NULL, 0) && multigrid_rebuild(m, parents, n));
            take_values(&now.a, k ? &t.a : &s.a);
            multigrid_refresh(m);
            z[k] = cycle(m, &now, u);
            if (k > 1) assert_memory_equal(z[k], wanted, (size_t)s.n * 8);
            else assert_memory_not_equal(z[k], wanted, (size_t)s.n * 8);
            free(z[k]);
        }
        multigrid_free(m);
        assert_int_equal(device_bytes(), before);
        multigrid_free(fresh);
        free(u), free(wanted), free(parents);
        system_free(&now);
    }
    system_free(&s), system_free(&t);
}

static void parents_that_are_none(void **state)
{
    (void)state;
    struct system s = box_system(&along[0]);
    struct multigrid *m = multigrid_create(&s.a, &(struct linear_setting){0}, false);
    static const struct { int64_t at; int32_t by; } wrong[] = {{0, -1}, {511, INT32_MIN}, {700, INT32_MAX}, {600, 0}, {4100, 90}};
    int64_t n;
    int32_t *parents = parents_of(m, &n), levels = multigrid_levels(m);
    assert_true(levels >= 3 && n > 4096 && multigrid_rebuild(m, parents, n));
    assert_false(multigrid_rebuild(m, parents, n - 1));
    assert_false(multigrid_rebuild(m, parents, 4095));
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        int32_t right = parents[wrong[i].at];
        parents[wrong[i].at] = wrong[i].by;
        assert_false(multigrid_rebuild(m, parents, n));
        parents[wrong[i].at] = right;
    }
    for (int64_t i = 0; i < 4096; i++) parents[i] += parents[i] > 3;     /* the fifth without children */
    assert_false(multigrid_rebuild(m, parents, n));
    assert_int_equal(multigrid_levels(m), levels);
    assert_true(multigrid_rebuild(m, parents, 0) && multigrid_levels(m) == 1);
    multigrid_free(m);
    free(parents);
    system_free(&s);
}

/* The policy alone. */
static void when_it_is_due(void **state)
{
    (void)state;
    static const struct { int n, iterations[8]; bool due; } row[] = {
        {0, {0}, false}, {3, {10, 26, 26}, true}, {3, {10, 25, 26}, false}, {4, {10, 26, 25, 26}, false},
        {5, {10, 26, 11, 90, 40}, true}, {4, {0, 4, 13, 13}, false}, {4, {0, 4, 14, 14}, true}, {1, {90}, false}};
    struct system s = system_of(chain, 100, 90);
    struct multigrid *m = multigrid_create(&s.a, &(struct linear_setting){0}, false);
    char note[100];
    for (int anew = 0; anew < 2; anew++)
        for (size_t i = 0; i < sizeof row / sizeof *row; i++) {
            struct rebuild r = {.anew = anew, .age = anew ? REBUILD_KEPT - row[i].n : 0};
            for (int k = 0; k < row[i].n; k++) {
                assert_false(rebuild_if_due(&r, m, note, sizeof note));
                rebuild_watch(&r, row[i].iterations[k]);
            }
            assert_true(rebuild_if_due(&r, m, note, sizeof note) == row[i].due);
            if (row[i].due) assert_true(r.anew && !r.made && !r.slow && !r.age);
        }
    multigrid_free(m);
    system_free(&s);
}

/* Far outside of single precision's range: the same iterations, because the cycle works on the residual over its norm. */
static void any_size_of_right_hand_side(void **state)
{
    (void)state;
    static const struct box box = {{48, 48}, .walls = true};
    int count[3];
    for (int k = 0; k < 3; k++) {
        struct system s = box_system(&box);
        double *b = numbers(s.n, 1), *x;
        NEW(x, s.n);
        for (int i = 0; i < s.n; i++) b[i] *= k == 0 ? 1 : k == 1 ? 0x1p-200 : 0x1p200;
        struct linear_result r = solve(&s, false, 1e-8, b, x);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        count[k] = r.iterations;
        free(b), free(x);
        system_free(&s);
    }
    assert_true(count[1] == count[0] && count[2] == count[0]);
}

/* Values that single precision does not hold: Jacobi takes over, the answer is right, the note says so. */
static void given_up_for_jacobi(void **state)
{
    (void)state;
    static const struct box box = {{48, 48}, .walls = true};
    struct system s = box_system(&box);
    struct linear_setting set = {.preconditioner = PRECONDITIONER_MULTIGRID, .tolerance = 1e-8, .max_iterations = 500};
    double *b = numbers(s.n, 1), *x, *y, *val = FROM_DEVICE(s.a.val, s.a.p.n_stored), *diag = FROM_DEVICE(s.a.diag, s.a.p.n_padded);
    for (int64_t k = 0; k < s.a.p.n_stored; k++) val[k] *= 1e50;
    for (int i = 0; i < s.n; i++) diag[i] *= 1e50;
    device_upload(s.a.val, val, (size_t)s.a.p.n_stored * 8), device_upload(s.a.diag, diag, (size_t)s.a.p.n_padded * 8);
    double *db = to_device(NULL, s.a.p.n_padded), *dx = to_device(NULL, s.a.p.n_padded);
    NEW(x, s.n), NEW(y, s.n);
    device_upload(db, b, (size_t)s.n * 8);
    struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
    solver_keep_history(cg);
    struct linear_result r = solver_solve(cg, &s.a, dx, db);
    struct linear_history *h = solver_history(cg);              /* of both, one after the other */
    assert_true(fabs(sqrt(h[0].rr) - r.initial) <= 1e-12 * r.initial);
    assert_true(sqrt(h[r.iterations].rr) <= 1e-8 * r.initial && sqrt(h[r.iterations - 1].rr) > 1e-8 * r.initial);
    free(h);
    assert_int_equal(r.status, LINEAR_CONVERGED);
    assert_true(r.note && strstr(r.note, "Jacobi") && r.iterations > 50);
    device_download(x, dx, (size_t)s.n * 8);
    for (int i = 0; i < s.n; i++) x[i] *= 1e50;
    product(&s, x, y);                                  /* with the values before */
    assert_true(distance(y, b, s.n) < 2e-8);
    free(b), free(x), free(y), free(val), free(diag);
    solver_free(cg);
    device_free(db), device_free(dx);
    system_free(&s);
}

/* What is reported is the residual of x, not the one that the iteration carries along. */
static void true_residual_is_reported(void **state)
{
    (void)state;
    static const struct box box = {{40, 40}, .stretch = 30, .walls = true};
    struct system s = box_system(&box);
    for (int k = 0; k < 2; k++) {
        struct linear_setting set = {.preconditioner = k ? PRECONDITIONER_JACOBI : PRECONDITIONER_MULTIGRID, .tolerance = 1e-13,
                                     .max_iterations = 2000};
        double *b = numbers(s.n, 1), *x, *y, rr = 0;
        double *db = to_device(NULL, s.a.p.n_padded), *dx = to_device(NULL, s.a.p.n_padded);
        NEW(x, s.n), NEW(y, s.n);
        for (int i = 0; i < s.n; i++) x[i] = 1e3;       /* far away: rounding in r is that of the first residual */
        device_upload(db, b, (size_t)s.n * 8), device_upload(dx, x, (size_t)s.n * 8);
        struct solver *cg = solver_create(&s.a, &set, &(struct solver_setup){0}, NULL);
        struct linear_result r = solver_solve(cg, &s.a, dx, db);
        device_download(x, dx, (size_t)s.n * 8);
        product(&s, x, y);
        for (int i = 0; i < s.n; i++) rr += (b[i] - y[i]) * (b[i] - y[i]);
        assert_int_equal(r.status, LINEAR_CONVERGED);
        assert_true(r.final <= 2.01e-13 * r.initial && fabs(sqrt(rr) - r.final) <= 0.3 * r.final);
        free(b), free(x), free(y);
        solver_free(cg);
        device_free(db), device_free(dx);
    }
    system_free(&s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(any_size_of_right_hand_side), 
        cmocka_unit_test(aggregation), cmocka_unit_test(what_does_not_coarsen),
        cmocka_unit_test(cycle_is_positive), cmocka_unit_test(smoothing_against_formula),
        cmocka_unit_test(two_levels_against_formula), cmocka_unit_test(refresh_is_a_new_hierarchy),
        cmocka_unit_test(against_elimination), cmocka_unit_test(iteration_counts), cmocka_unit_test(same_bits),
        cmocka_unit_test(structure_is_reused), cmocka_unit_test(given_up_for_jacobi), cmocka_unit_test(true_residual_is_reported),
        cmocka_unit_test(structure_is_made_anew), cmocka_unit_test(rebuilt_is_a_new_hierarchy),
        cmocka_unit_test(parents_that_are_none), cmocka_unit_test(when_it_is_due)};
    return RUN_TESTS("multigrid", tests);
}
