/* Builds the structure of a multigrid level, kernel by kernel (aggregate.h). */
#include "solve/aggregate.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/scan.h"
#include "gpu/sums.h"
#include "solve/aggregate_kernels.h"

enum { ROUNDS = 6 };

#define ALLOC(pointer, n) ((pointer) = device_alloc((size_t)(n) * sizeof *(pointer), "multigrid structure"))

static int64_t padded(int64_t n) { return (n + SLICE - 1) / SLICE * SLICE; }

/* What the rows pass on from pass to pass, as in struct match_args; largest NULL: the first pass. */
struct passed { int32_t *home; float *largest, unit; };

/* The largest of n nonnegative numbers, in either `whole` or `real`. */
static double largest(const int32_t *whole, const float *real, int64_t n)
{
    double most, *on_device;
    ALLOC(on_device, 1);
    aggregate_largest_of(&(struct most_args){whole, real, on_device, n}, 1);
    device_download(&most, on_device, sizeof most);
    device_free(on_device);
    return most;
}

/* The largest entry of a matrix distributed over the ranks, from those of this rank's rows. */
static float largest_entry(const float *of_rows, int64_t n)
{
    double of_all = largest(NULL, of_rows, n);
    largest_over_ranks(&of_all, 1);
    return (float)of_all;
}

/* Finds pairs of rows, and for unmatched rows the pair that they join. */
static void match(const struct level_matrix *a, struct passed *p, enum effort effort, bool join,
                  struct number_args *n)
{
    struct match_args m = {.a = *a, .home = p->home, .effort = effort, .first_pass = !p->largest};
    halo_update_whole(a->p.halo, p->home);              /* rows whose home is on another rank are not partners */
    if (!p->largest) ALLOC(p->largest, a->p.n_padded);
    m.largest = p->largest;
    ALLOC(m.mate, a->p.n_padded), ALLOC(m.joined, a->p.n_padded);
    ALLOC(m.proposal, a->p.n_padded), ALLOC(m.strongest, a->p.n_padded);
    aggregate_match_begin(&m, a->p.n);
    if (m.first_pass) p->unit = largest_entry(m.largest, a->p.n);
    m.unit = p->unit;
    for (int round = 0; round < ROUNDS; round++) {
        aggregate_match_propose(&m, a->p.n);
        aggregate_match_accept(&m, a->p.n);
    }
    if (join) aggregate_match_join(&m, a->p.n);
    device_free(m.proposal), device_free(m.strongest);
    n->mate = m.mate, n->joined = m.joined;
}

/* One pass of matching: aggregates the rows of a to *n_coarse coarse ones.  Returns the coarse row (parent) of each
 * row; `passed` becomes that of the coarse rows. */
static int32_t *pair_up(const struct level_matrix *a, struct passed *p, enum effort effort, bool join,
                        int32_t *n_coarse)
{
    struct number_args n = {.n = a->p.n, .home = p->home};
    match(a, p, effort, join, &n);
    n.largest = p->largest;
    ALLOC(n.begins, a->p.n_padded + 1), ALLOC(n.parent, a->p.pitch);
    aggregate_number_begins(&n, a->p.n_padded);
    *n_coarse = (int32_t)scan(&(struct scan_args){n.begins, n.begins, NULL, a->p.n_padded, 1});
    const int64_t pitch = pattern_of_rows(*n_coarse).pitch;
    ALLOC(n.coarse_home, pitch), ALLOC(n.coarse_largest, pitch);
    aggregate_number_parents(&n, a->p.n_padded);
    device_free((void *)n.mate), device_free((void *)n.joined), device_free(n.begins);
    device_free(p->home), device_free(p->largest);
    p->home = n.coarse_home, p->largest = n.coarse_largest;
    return n.parent;
}

/* ---------------------------------------------------------------- several ranks */
/* The parents of rows of other ranks: fetched where they are needed, else -1, that is entries in their columns are
 * ignored. first: number of this rank's first coarse row in the order of all ranks. */
static void find_parents_of_others(const struct level_matrix *fine, struct aggregation *g, int64_t first, bool wanted)
{
    int64_t n = fine->p.pitch, outside = n - fine->p.n_padded;
    int32_t *parent;
    NEW(parent, n);
    if (wanted) {
        device_download(parent, g->parent, (size_t)fine->p.n * sizeof *parent);
        for (int32_t i = 0; i < fine->p.n; i++) parent[i] += (int32_t)first;
    }
    for (int64_t i = fine->p.n; i < n; i++) parent[i] = -1;
    if (wanted) {
        halo_update_host(fine->p.halo, parent, sizeof *parent);
        int32_t *of_others = parent + fine->p.n_padded;
        NEW(g->other, outside);
        memcpy(g->other, of_others, (size_t)outside * sizeof *g->other);
        g->n_other = (int32_t)each_once(g->other, outside);
        for (int64_t i = 0; i < outside; i++)
            if (of_others[i] >= 0)
                of_others[i] = (int32_t)(g->coarse_padded + find_number(g->other, g->n_other, of_others[i]));
    }
    device_upload(g->parent + fine->p.n_padded, parent + fine->p.n_padded, (size_t)outside * sizeof *parent);
    free(parent);
}

/* The counts of the coarse rows, and the data about parents that only other ranks have. */
static struct pattern coarse_rows(const struct level_matrix *fine, struct aggregation *g, bool last)
{
    struct pattern p = pattern_of_rows(g->n_coarse);
    if (!fine->p.halo) return p;
    int64_t *first = ranks_first(g->n_coarse);
    p.first = first[ranks_own()], p.n_global = first[ranks_count()];
    find_parents_of_others(fine, g, p.first, last);
    p.pitch += g->n_other;
    free(first);
    return p;
}

/* ---------------------------------------------------------------- the coarse matrix */
/* Lists the children of each coarse row, from the parents of the fine ones. */
static void list(const struct level_matrix *fine, struct aggregation *g)
{
    ALLOC(g->child, fine->p.n_padded), ALLOC(g->place, fine->p.n_padded);
    ALLOC(g->child_start, g->coarse_padded + 1), ALLOC(g->slice_start, fine->p.n_slices + 1);
    struct list_args l = {fine->p.n, g->n_coarse, g->parent, g->child, g->child_start, g->slice_start, g->place};
    aggregate_list_children(&l, fine->p.n_slices);
    aggregate_list_end(&l, g->coarse_padded + 1 - g->n_coarse);
    device_upload(g->slice_start + fine->p.n_slices, &g->n_coarse, sizeof g->n_coarse);
}

/* Computes the warps' offsets in storage from the widest row of every warp of coarse rows; returns the last offset. */
static int64_t warp_offsets(const struct pattern_args *p, int64_t *start)
{
    int64_t n_warps = p->g.coarse_padded / WARP;
    aggregate_pattern_width(p, n_warps);
    return scan(&(struct scan_args){p->warp_width, NULL, start, n_warps, WARP});
}

/* Lists the fine entries whose sum is each coarse value. */
static void list_sources(struct pattern_args *p, struct aggregation *g)
{
    ALLOC(p->slot, p->fine.p.n_stored), ALLOC(g->source_start, g->coarse_padded / WARP + 1);
    aggregate_pattern_slot(p, p->fine.p.n);
    aggregate_source_count(p, g->coarse_padded);
    int64_t n = warp_offsets(p, g->source_start);
    ALLOC(g->source, n);
    p->g = *g;
    aggregate_source_list(p, g->coarse_padded);
    device_free(p->slot);
}

/* Creates the pattern and the values of the coarse matrix from the parents; after the last pass also the lists of fine
 * entries from which the values will be summed.  False: a row is too long. */
static bool make_coarse(const struct level_matrix *fine, struct aggregation *g, bool last, struct level_matrix *coarse)
{
    g->coarse_padded = padded(g->n_coarse);
    list(fine, g);
    int64_t *start, n_warps = g->coarse_padded / WARP;
    int32_t *col;
    *coarse = (struct level_matrix){.p = coarse_rows(fine, g, last), .block = 1};
    ALLOC(start, n_warps + 1);
    struct pattern_args p = {.fine = *fine, .coarse = *coarse, .g = *g};
    ALLOC(p.columns, coarse->p.n_padded), ALLOC(p.width, coarse->p.n_padded);
    ALLOC(p.warp_width, (fine->p.n_padded > coarse->p.n_padded ? fine->p.n_padded : coarse->p.n_padded) / WARP);
    aggregate_longest_row(&p, fine->p.n_padded / WARP);
    p.most = (int32_t)largest(p.warp_width, NULL, fine->p.n_padded / WARP);
    int64_t table = p.most * fine->p.n_padded + 4 * coarse->p.n_padded;
    ALLOC(p.key, table);
    if (!last) ALLOC(p.sum, table);
    aggregate_pattern_find(&p, coarse->p.n_padded);
    device_copy(p.width, p.columns, (size_t)coarse->p.n_padded * sizeof *p.width);
    coarse->p.n_stored = warp_offsets(&p, start);
    coarse->p.warp_start = start;
    bool good = largest(p.warp_width, NULL, n_warps) < MOST_COLUMNS && fine->p.n_stored < SOURCE_NONE;
    if (fine->p.halo) good = ranks_agree(good, NULL);
    if (good) {
        ALLOC(col, coarse->p.n_stored), ALLOC(coarse->val, coarse->p.n_stored);
        coarse->p.col = col;
        p.coarse = *coarse;
        aggregate_pattern_fill(&p, coarse->p.n);
        if (last) {
            ALLOC(coarse->diag, coarse->p.n_padded), ALLOC(coarse->excess, coarse->p.n_padded);
            list_sources(&p, g);
            aggregate_values(fine, g, coarse);
        }
    } else
        level_matrix_free(coarse, true);
    device_free(p.key), device_free(p.sum);
    device_free(p.columns), device_free(p.width), device_free(p.warp_width);
    return good;
}

static void forget_lists(struct aggregation *g)
{
    device_free(g->child), device_free(g->child_start), device_free(g->slice_start), device_free(g->place);
    g->place = NULL;
    g->child = g->child_start = g->slice_start = NULL;
}

/* aggregate() with this effort, reducing the number of rows by a factor of at least `least`. */
static bool aggregate_by(const struct level_matrix *fine, int pairings, enum effort effort, double least,
                         struct aggregation *g, struct level_matrix *coarse)
{
    struct home_args h = {.first = (int32_t)(fine->p.first / SLICE)};
    bool good = true;
    memset(g, 0, sizeof *g);
    memset(coarse, 0, sizeof *coarse);
    ALLOC(h.home, fine->p.pitch);
    aggregate_home_slices(&h, fine->p.n_padded);
    struct passed p = {.home = h.home};
    for (int pass = 0; pass < pairings && good; pass++) {
        int32_t *parent = pair_up(pass ? coarse : fine, &p, effort, pass == pairings - 1, &g->n_coarse);
        if (pass) {
            struct compose_args c = {parent, g->parent};
            aggregate_compose_parents(&c, fine->p.n_padded);
            device_free(parent);
            level_matrix_free(coarse, true);
            forget_lists(g);
        } else
            g->parent = parent;
        good = make_coarse(fine, g, pass == pairings - 1, coarse);
    }
    device_free(p.home), device_free(p.largest);
    if (good && least * (double)coarse->p.n_global <= (double)fine->p.n_global) return true;
    if (good) level_matrix_free(coarse, true);
    aggregation_free(g);
    return false;
}

/* More effort gives worse aggregates, so it is used only for levels that keep more than twice the rows they should. */
bool aggregate(const struct level_matrix *fine, int pairings, struct aggregation *g, struct level_matrix *coarse)
{
    const double fewest = 1.5, half = (double)(1 << pairings) / 2 > fewest ? (double)(1 << pairings) / 2 : fewest;
    return aggregate_by(fine, pairings, EFFORT_STRONG, half, g, coarse) ||
           aggregate_by(fine, pairings, EFFORT_WEAK, fewest, g, coarse) ||
           aggregate_by(fine, pairings, EFFORT_ANY, fewest, g, coarse);
}

bool aggregate_given(const struct level_matrix *fine, const int32_t *parent, int32_t n_coarse, struct aggregation *g,
                     struct level_matrix *coarse)
{
    int32_t *all;
    NEW(all, fine->p.n_padded);
    for (int64_t i = 0; i < fine->p.n_padded; i++) all[i] = i < fine->p.n ? parent[i] : -1;
    *g = (struct aggregation){.n_coarse = n_coarse};
    ALLOC(g->parent, fine->p.pitch);
    device_upload(g->parent, all, (size_t)fine->p.n_padded * sizeof *all);
    free(all);
    if (make_coarse(fine, g, true, coarse)) return true;
    aggregation_free(g);
    return false;
}

int32_t aggregate_rows(const int32_t *parent, int32_t n)
{
    int32_t first = 0;
    for (int32_t begin = 0; begin < n; begin += SLICE) {
        int32_t size = n - begin < SLICE ? n - begin : SLICE, n_found = 0, most = 0;
        bool found[SLICE] = {false};
        for (int32_t i = begin; i < begin + size; i++) {
            if (parent[i] < first || parent[i] - first >= size) return 0;
            int32_t c = parent[i] - first;
            n_found += !found[c];
            found[c] = true;
            most = c > most ? c : most;
        }
        if (n_found != most + 1) return 0;
        first += n_found;
    }
    return first;
}

void aggregate_values(const struct level_matrix *fine, const struct aggregation *g, const struct level_matrix *coarse)
{
    struct values_args v = {*fine, *coarse, *g};
    aggregate_values_sum(&v, coarse->p.n_padded);
}

void aggregation_free(struct aggregation *g)
{
    forget_lists(g);
    device_free(g->parent), device_free(g->source_start), device_free(g->source);
    free(g->other);
    memset(g, 0, sizeof *g);
}

static float *numbers(int64_t n) { return device_alloc((size_t)n * sizeof(float), "multigrid entries"); }

void level_matrix_allocate(struct level_matrix *a, int block, bool arrow)
{
    const int square = block * block;
    level_matrix_free_values(a);
    a->block = block, a->arrow = arrow;
    a->val = numbers(a->p.n_stored * (arrow ? block + 1 : square));
    a->diag = numbers(a->p.n_padded * square), a->excess = numbers(a->p.n_padded * square);
}

void level_matrix_free_values(struct level_matrix *a)
{
    device_free(a->val), device_free(a->diag), device_free(a->excess);
    a->val = a->diag = a->excess = NULL;
}

void level_matrix_free(struct level_matrix *a, bool own_pattern)
{
    if (own_pattern) pattern_free(&a->p);
    level_matrix_free_values(a);
    memset(a, 0, sizeof *a);
}
