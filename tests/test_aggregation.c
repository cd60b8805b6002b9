/* Aggregation checked against its definition: families of rows, the coarse matrix, when coarsening stops. */
#include "multigrid_fixture.h"

/* Parents, children, slices. */
static void check_families(const struct level_matrix *fine, const struct aggregation *g, const int32_t *parent)
{
    int32_t *child = FROM_DEVICE(g->child, fine->p.n), *seen,
            *start = FROM_DEVICE(g->child_start, g->coarse_padded + 1);
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
    for (int32_t i = 0; i < fine->p.n; i++) assert_true(seen[i]);         /* with the above: exactly once */
    assert_true(slice[0] == 0 && slice[fine->p.n_slices] == g->n_coarse);
    free(child), free(seen), free(slice), free(start);
}

/* The coarse matrix compared with sums over all entries of the fine one. */
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

/* Coarsens as far as possible; returns the ratio of the first step, 0: none. */
static double check_levels(const struct system *s)
{
    struct level_matrix fine = single(&s->a), coarse;
    struct aggregation g;
    double ratio = 0;
    int level = 0;
    size_t before = device_bytes();
    for (; aggregate(&fine, PAIRINGS, &g, &coarse); level++) {
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
    assert_int_equal(device_bytes(), before);                           /* failed coarsening leaves nothing allocated */
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

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(aggregation), cmocka_unit_test(what_does_not_coarsen)};
    return RUN_TESTS("aggregation", tests);
}
