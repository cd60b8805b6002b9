#include "solve/aggregate.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/aggregate_kernels.h"

enum { ROUNDS = 10, PASSES = 3 };

#define ALLOC(pointer, n) ((pointer) = device_alloc((size_t)(n) * sizeof *(pointer), "multigrid structure"))

static int64_t padded(int64_t n) { return (n + SLICE - 1) / SLICE * SLICE; }

/* Slices or warps: counts on the machine become offsets there; returns the total. step: what one count stands for. */
static int64_t offsets(const int32_t *count, int32_t n, int32_t *offset32, int64_t *offset64, int64_t step)
{
    int32_t *c;
    int64_t *at, total = 0;
    NEW(c, n + 1), NEW(at, n + 1);
    device_download(c, count, (size_t)n * sizeof *c);
    for (int32_t i = 0; i < n; i++) at[i] = total, total += step * c[i], c[i] = (int32_t)at[i];
    at[n] = total, c[n] = (int32_t)total;
    if (offset32) device_upload(offset32, c, ((size_t)n + 1) * sizeof *c);
    if (offset64) device_upload(offset64, at, ((size_t)n + 1) * sizeof *at);
    free(c), free(at);
    return total;
}

/* Pairs, and who joins them. */
static void match(const struct level_matrix *a, const int32_t *home, bool join, struct number_args *n)
{
    float *strongest;
    struct match_args m = {.a = *a, .home = home};
    ALLOC(m.mate, a->n_padded), ALLOC(m.joined, a->n_padded), ALLOC(m.proposal, a->n_padded), ALLOC(strongest, a->n_padded);
    m.strongest = strongest;
    match_begin(&m, a->n);
    for (m.round = 0; m.round < ROUNDS; m.round++) {
        match_propose(&m, a->n);
        match_accept(&m, a->n);
    }
    if (join) match_join(&m, a->n);
    device_free(m.proposal), device_free(strongest);
    n->mate = m.mate, n->joined = m.joined;
}

/* One pass: the rows of a become *n_coarse ones; parent of each row; home becomes that of the coarse rows. */
static int32_t *pair_up(const struct level_matrix *a, int32_t **home, bool join, int32_t *n_coarse)
{
    int32_t *offset;
    struct number_args n = {.n = a->n, .home = *home};
    match(a, *home, join, &n);
    ALLOC(n.count, a->n_slices), ALLOC(offset, a->n_slices + 1), ALLOC(n.parent, a->n_padded);
    n.offset = offset;
    number_count(&n, a->n_slices);
    *n_coarse = (int32_t)offsets(n.count, a->n_slices, offset, NULL, 1);
    ALLOC(n.coarse_home, padded(*n_coarse));
    number_first(&n, a->n_slices);
    number_second(&n, a->n);
    device_free((void *)n.mate), device_free((void *)n.joined), device_free(n.count), device_free(offset), device_free(*home);
    *home = n.coarse_home;
    return n.parent;
}

/* Children of the coarse rows, from their parents. */
static void list(const struct level_matrix *fine, struct aggregation *g)
{
    ALLOC(g->child, fine->n_padded), ALLOC(g->child_start, g->coarse_padded + 1), ALLOC(g->slice_start, fine->n_slices + 1);
    struct list_args l = {fine->n, g->n_coarse, g->parent, g->child, g->child_start, g->slice_start};
    list_children(&l, fine->n_slices);
    list_end(&l, g->coarse_padded + 1 - g->n_coarse);
    device_upload(g->slice_start + fine->n_slices, &g->n_coarse, sizeof g->n_coarse);
}

static int32_t longest_row(const struct level_matrix *a)
{
    int64_t *warp, longest = 0, n = (int64_t)a->n_slices * WARPS;
    NEW(warp, n + 1);
    device_download(warp, a->warp_start, ((size_t)n + 1) * sizeof *warp);
    for (int64_t w = 0; w < n; w++) if (warp[w + 1] - warp[w] > longest) longest = warp[w + 1] - warp[w];
    free(warp);
    return (int32_t)(longest / WARP);
}

static int32_t largest(const int32_t *on_device, int32_t n)
{
    int32_t *x, most = 0;
    NEW(x, n);
    device_download(x, on_device, (size_t)n * sizeof *x);
    for (int32_t i = 0; i < n; i++) if (x[i] > most) most = x[i];
    free(x);
    return most;
}

/* Pattern of the coarse matrix, slot of every fine entry, values. False: a row is too long. */
static bool make_coarse(const struct level_matrix *fine, struct aggregation *g, struct level_matrix *coarse)
{
    *coarse = (struct level_matrix){.n = g->n_coarse, .n_padded = g->coarse_padded, .n_slices = (int32_t)(g->coarse_padded / SLICE)};
    int32_t n_warps = coarse->n_slices * WARPS;
    struct pattern_args p = {.fine = *fine, .coarse = *coarse, .g = *g, .most = longest_row(fine)};
    ALLOC(p.found, p.most * fine->n_padded), ALLOC(p.length, coarse->n_padded), ALLOC(p.width, n_warps);
    pattern_find(&p, coarse->n);
    pattern_width(&p, n_warps);
    bool good = largest(p.width, n_warps) < PADDING;
    if (good) {
        int64_t *start;
        int32_t *col;
        ALLOC(start, n_warps + 1);
        coarse->n_stored = offsets(p.width, n_warps, NULL, start, WARP);
        ALLOC(col, coarse->n_stored), ALLOC(g->slot, fine->n_stored);
        ALLOC(coarse->val, coarse->n_stored), ALLOC(coarse->diag, coarse->n_padded);
        coarse->warp_start = start, coarse->col = col;
        p.coarse = *coarse, p.g = *g;
        pattern_fill(&p, coarse->n);
        pattern_slot(&p, fine->n);
        aggregate_values(fine, g, coarse);
    }
    device_free(p.found), device_free(p.length), device_free(p.width);
    return good;
}

static void forget_lists(struct aggregation *g)
{
    device_free(g->child), device_free(g->child_start), device_free(g->slice_start), device_free(g->slot);
    g->child = g->child_start = g->slice_start = NULL;
    g->slot = NULL;
}

bool aggregate(const struct level_matrix *fine, struct aggregation *g, struct level_matrix *coarse)
{
    struct home_args h;
    bool good = true;
    memset(g, 0, sizeof *g);
    memset(coarse, 0, sizeof *coarse);
    ALLOC(h.home, fine->n_padded);
    home_slices(&h, fine->n_padded);
    for (int pass = 0; pass < PASSES && good; pass++) {
        int32_t *parent = pair_up(pass ? coarse : fine, &h.home, pass == PASSES - 1, &g->n_coarse);
        g->coarse_padded = padded(g->n_coarse);
        if (pass) {
            struct compose_args c = {parent, g->parent};
            compose_parents(&c, fine->n_padded);
            device_free(parent);
            level_matrix_free(coarse, true);
            forget_lists(g);
        } else
            g->parent = parent;
        list(fine, g);
        good = make_coarse(fine, g, coarse);
    }
    device_free(h.home);
    if (good && 3 * (int64_t)g->n_coarse <= 2 * (int64_t)fine->n) return true;
    if (good) level_matrix_free(coarse, true);
    aggregation_free(g);
    return false;
}

void aggregate_values(const struct level_matrix *fine, const struct aggregation *g, const struct level_matrix *coarse)
{
    struct values_args v = {*fine, *coarse, *g};
    values_sum(&v, coarse->n_padded);
}

void aggregation_free(struct aggregation *g)
{
    forget_lists(g);
    device_free(g->parent);
    memset(g, 0, sizeof *g);
}

void level_matrix_free(struct level_matrix *a, bool own_pattern)
{
    if (own_pattern) device_free((void *)a->warp_start), device_free((void *)a->col);
    device_free(a->val), device_free(a->diag);
    memset(a, 0, sizeof *a);
}
