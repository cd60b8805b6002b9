#include "solve/aggregate.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/aggregate_kernels.h"

enum { ROUNDS = 5, PASSES = 3 };

#define ALLOC(pointer, n) ((pointer) = device_alloc((size_t)(n) * sizeof *(pointer), "multigrid structure"))

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

/* mate of every row. */
static int32_t *match(const struct level_matrix *a, const int32_t *home)
{
    float *strongest;
    struct match_args m = {.a = *a, .home = home};
    ALLOC(m.mate, a->n_padded), ALLOC(m.proposal, a->n_padded), ALLOC(strongest, a->n_padded);
    m.strongest = strongest;
    match_begin(&m, a->n);
    for (m.round = 0; m.round < ROUNDS; m.round++) {
        match_propose(&m, a->n);
        match_accept(&m, a->n);
    }
    device_free(m.proposal), device_free(strongest);
    return m.mate;
}

/* One pass of pairs: parent, 2 children, homes of the coarse rows. */
static void pair_up(const struct level_matrix *a, const int32_t *home, struct aggregation *g, int32_t **coarse_home)
{
    int32_t *mate = match(a, home), *offset, *count;
    ALLOC(count, a->n_slices), ALLOC(offset, a->n_slices + 1), ALLOC(g->parent, a->n_padded);
    struct number_args n = {.n = a->n, .mate = mate, .offset = offset, .home = home, .count = count, .parent = g->parent};
    number_count(&n, a->n_slices);
    g->n_coarse = (int32_t)offsets(count, a->n_slices, offset, NULL, 1);
    g->coarse_padded = ((int64_t)g->n_coarse + SLICE - 1) / SLICE * SLICE;
    ALLOC(g->child, 2 * g->coarse_padded), ALLOC(*coarse_home, g->coarse_padded);
    n.child = g->child, n.coarse_home = *coarse_home, n.coarse_padded = g->coarse_padded;
    struct fill_args_int32 none = {g->child, -1};
    fill_int32(&none, 2 * g->coarse_padded);
    number_first(&n, a->n_slices);
    number_second(&n, a->n);
    device_free(mate), device_free(count), device_free(offset);
}

/* Pattern of the coarse matrix and the slot of every fine entry. children: slots in g->child. False: a row is too long. */
static bool make_pattern(const struct level_matrix *fine, struct aggregation *g, int children, struct level_matrix *coarse)
{
    memset(coarse, 0, sizeof *coarse);
    coarse->n = g->n_coarse;
    coarse->n_padded = g->coarse_padded;
    coarse->n_slices = (int32_t)(g->coarse_padded / SLICE);
    int32_t n_warps = coarse->n_slices * WARPS, longest = 0, *width;
    int64_t *warp;
    NEW(warp, fine->n_slices * WARPS + 1);
    device_download(warp, fine->warp_start, ((size_t)fine->n_slices * WARPS + 1) * sizeof *warp);
    for (int32_t w = 0; w < fine->n_slices * WARPS; w++)
        if (warp[w + 1] - warp[w] > longest * (int64_t)WARP) longest = (int32_t)((warp[w + 1] - warp[w]) / WARP);
    free(warp);
    struct pattern_args p = {.fine = *fine, .parent = g->parent, .child = g->child, .children = children, .most = children * longest};
    ALLOC(p.found, p.most * coarse->n_padded), ALLOC(p.length, coarse->n_padded), ALLOC(p.width, n_warps);
    p.coarse = *coarse;
    pattern_find(&p, coarse->n);
    pattern_width(&p, n_warps);
    NEW(width, n_warps);
    device_download(width, p.width, (size_t)n_warps * sizeof *width);
    int32_t widest = 0;
    for (int32_t w = 0; w < n_warps; w++) if (width[w] > widest) widest = width[w];
    free(width);
    if (widest < INSIDE) {
        int64_t *start;
        int32_t *col;
        ALLOC(start, n_warps + 1);
        coarse->n_stored = offsets(p.width, n_warps, NULL, start, WARP);
        ALLOC(col, coarse->n_stored), ALLOC(g->slot, fine->n_stored);
        ALLOC(coarse->val, coarse->n_stored), ALLOC(coarse->diag, coarse->n_padded);
        coarse->warp_start = start, coarse->col = col;
        p.coarse = *coarse, p.slot = g->slot;
        pattern_fill(&p, coarse->n);
        pattern_slot(&p, fine->n);
    }
    device_free(p.found), device_free(p.length), device_free(p.width);
    return widest < INSIDE;
}

static void sum_values(const struct level_matrix *fine, const struct aggregation *g, int children, const struct level_matrix *coarse)
{
    struct values_args v = {*fine, *coarse, g->child, children, g->slot};
    values_sum(&v, coarse->n_padded);
}

/* first followed by second, into first. width: children of a row in first. */
static void compose(struct aggregation *first, int width, const struct aggregation *second, int64_t fine_padded)
{
    struct compose_args c = {.coarse_padded = second->coarse_padded, .middle_padded = first->coarse_padded, .children = 2,
                             .width = width, .first_parent = first->parent, .second_parent = second->parent,
                             .first_child = first->child, .second_child = second->child, .parent = first->parent};
    ALLOC(c.child, 2 * width * second->coarse_padded);
    compose_parents(&c, fine_padded);
    compose_children(&c, second->coarse_padded);
    device_free(first->child);
    first->child = c.child;
    first->n_coarse = second->n_coarse;
    first->coarse_padded = second->coarse_padded;
}

bool aggregate(const struct level_matrix *fine, struct aggregation *g, struct level_matrix *coarse)
{
    struct level_matrix middle = *fine;
    int32_t *home, *next_home = NULL;
    bool good = true;
    memset(g, 0, sizeof *g);
    memset(coarse, 0, sizeof *coarse);
    ALLOC(home, fine->n_padded);
    struct home_args h = {home};
    home_slices(&h, fine->n_padded);
    for (int pass = 0, width = 2; pass < PASSES && good; pass++, width *= 2) {
        struct aggregation pair = {0};
        struct level_matrix next;
        pair_up(&middle, home, &pair, &next_home);
        good = pass == PASSES - 1 || make_pattern(&middle, &pair, 2, &next);
        if (good && pass < PASSES - 1) sum_values(&middle, &pair, 2, &next);
        if (pass > 0) level_matrix_free(&middle, true);
        if (good && pass < PASSES - 1) middle = next;
        device_free(home);
        home = next_home;
        if (pass == 0) *g = pair, device_free(g->slot), g->slot = NULL;
        else {
            compose(g, width / 2, &pair, fine->n_padded);
            aggregation_free(&pair);
        }
    }
    device_free(home);
    good = good && 3 * (int64_t)g->n_coarse <= 2 * (int64_t)fine->n && make_pattern(fine, g, AGGREGATE, coarse);
    if (!good) return aggregation_free(g), false;
    ALLOC(g->slice_start, fine->n_slices + 1);
    struct number_args n = {.n = fine->n, .parent = g->parent, .count = g->slice_start};
    slice_bounds(&n, fine->n_slices);
    device_upload(g->slice_start + fine->n_slices, &g->n_coarse, sizeof g->n_coarse);
    return true;
}

void aggregate_values(const struct level_matrix *fine, const struct aggregation *g, const struct level_matrix *coarse)
{
    sum_values(fine, g, AGGREGATE, coarse);
}

void aggregation_free(struct aggregation *g)
{
    device_free(g->parent), device_free(g->child), device_free(g->slice_start), device_free(g->slot);
    memset(g, 0, sizeof *g);
}

void level_matrix_free(struct level_matrix *a, bool own_pattern)
{
    if (own_pattern) device_free((void *)a->warp_start), device_free((void *)a->col);
    device_free(a->val), device_free(a->diag);
    memset(a, 0, sizeof *a);
}
