#include "solve/aggregate_kernels.h"
#include "solve/mod_sell_row.h"

/* Entries of one row, one lane. */
#define ROW_ENTRIES(a, r, k)                                                                                 \
    for (int64_t k = (a).warp_start[(r) / WARP] + (r) % WARP; k < (a).warp_start[(r) / WARP + 1]; k += WARP)

INDEX_KERNEL(match_begin, struct match_args)
{
    float most = 0;
    ROW_ENTRIES(a->a, i, k) {
        int32_t c = a->a.col[k];
        float v = fabsf(a->a.val[k]);
        if (c && a->home[COLUMN(i / SLICE, c)] == a->home[i] && v > most) most = v;
    }
    ((float *)a->strongest)[i] = most;
    a->mate[i] = -1;
}

/* The same for both ends of an edge, different in every round (the finaliser of MurmurHash3). */
ON_DEVICE uint32_t edge_hash(int32_t i, int32_t j, int32_t round)
{
    uint32_t low = (uint32_t)(i < j ? i : j), high = (uint32_t)(i < j ? j : i);
    uint32_t h = low * 2654435761u ^ high * 2246822519u ^ (uint32_t)round * 3266489917u;
    h ^= h >> 16, h *= 2246822507u, h ^= h >> 13, h *= 3266489909u;
    return h ^ h >> 16;
}

/* Neighbours within LIKE of the strongest one are as good as it; those under WEAK of it are not worth a pair. */
#define LIKE 0.7f
#define WEAK 0.25f

INDEX_KERNEL(match_propose, struct match_args)
{
    a->proposal[i] = -1;
    if (a->mate[i] >= 0) return;
    float most = 0;
    ROW_ENTRIES(a->a, i, k) {
        int32_t j = COLUMN(i / SLICE, a->a.col[k]);
        float v = fabsf(a->a.val[k]);
        if (a->a.col[k] && a->home[j] == a->home[i] && a->mate[j] < 0 && v > most) most = v;
    }
    if (most <= WEAK * a->strongest[i]) return;
    int32_t best = -1;
    uint32_t best_hash = 0;
    ROW_ENTRIES(a->a, i, k) {
        int32_t j = COLUMN(i / SLICE, a->a.col[k]);
        if (!a->a.col[k] || a->home[j] != a->home[i] || a->mate[j] >= 0 || fabsf(a->a.val[k]) < LIKE * most) continue;
        uint32_t h = j == (i ^ 1) ? 0xffffffffu : edge_hash((int32_t)i, j, a->round) >> 1;
        if (best < 0 || h > best_hash) best = j, best_hash = h;
    }
    a->proposal[i] = best;
}

INDEX_KERNEL(match_accept, struct match_args)
{
    int32_t j = a->proposal[i];
    if (j >= 0 && a->proposal[j] == i) a->mate[i] = j;
}

ON_DEVICE int begins(const struct number_args *a, int64_t i) { return a->mate[i] < 0 || i < a->mate[i]; }

/* One lane counts through its slice: this is done once a mesh. */
SLICE_KERNEL(number_count, struct number_args)
{
    ONCE {
        int32_t count = 0;
        for (int64_t i = b * SLICE; i < (b + 1) * SLICE && i < a->n; i++) count += begins(a, i);
        a->count[b] = count;
    }
}

SLICE_KERNEL(number_first, struct number_args)
{
    ONCE {
        int32_t next = a->offset[b];
        for (int64_t i = b * SLICE; i < (b + 1) * SLICE; i++) a->parent[i] = i < a->n && begins(a, i) ? next++ : -1;
    }
}

INDEX_KERNEL(number_second, struct number_args)
{
    int32_t mate = a->mate[i];
    if (!begins(a, i)) {
        a->parent[i] = a->parent[mate];
        return;
    }
    int32_t c = a->parent[i];
    a->child[c] = (int32_t)i;
    a->child[a->coarse_padded + c] = mate;
    a->coarse_home[c] = a->home[i];
}

INDEX_KERNEL(compose_parents, struct compose_args)
{
    int32_t middle = a->first_parent[i];
    a->parent[i] = middle < 0 ? -1 : a->second_parent[middle];
}

INDEX_KERNEL(compose_children, struct compose_args)
{
    for (int32_t k = 0; k < a->children; k++) {
        int32_t middle = a->second_child[k * a->coarse_padded + i];
        for (int32_t m = 0; m < a->width; m++)
            a->child[(k * a->width + m) * a->coarse_padded + i] = middle < 0 ? -1 : a->first_child[m * a->middle_padded + middle];
    }
}

INDEX_KERNEL(pattern_find, struct pattern_args)
{
    int64_t stride = a->coarse.n_padded;
    int32_t n = 0;
    for (int32_t m = 0; m < a->children; m++) {
        int32_t row = a->child[m * stride + i];
        if (row < 0) continue;
        ROW_ENTRIES(a->fine, row, k) {
            if (!a->fine.col[k]) continue;
            int32_t c = a->parent[COLUMN(row / SLICE, a->fine.col[k])], at = 0;
            if (c == i) continue;
            while (at < n && a->found[at * stride + i] != c) at++;
            if (at == n) a->found[n++ * stride + i] = c;
        }
    }
    a->length[i] = n;
}

INDEX_KERNEL(pattern_width, struct pattern_args)
{
    int32_t widest = 0;
    for (int64_t r = i * WARP; r < (i + 1) * WARP; r++) widest = a->length[r] > widest ? a->length[r] : widest;
    a->width[i] = widest;
}

INDEX_KERNEL(pattern_fill, struct pattern_args)
{
    int32_t n = 0;
    ROW_ENTRIES(a->coarse, i, k) {
        int32_t c = n < a->length[i] ? a->found[n * a->coarse.n_padded + i] : -1;
        ((int32_t *)a->coarse.col)[k] = c < 0 ? 0 : c / SLICE == i / SLICE ? -(c % SLICE) - 1 : c + 1;
        n++;
    }
}

INDEX_KERNEL(pattern_slot, struct pattern_args)
{
    int32_t c = a->parent[i];
    ROW_ENTRIES(a->fine, i, k) {
        if (!a->fine.col[k]) continue;                  /* its value is 0: wherever it goes */
        int32_t other = a->parent[COLUMN(i / SLICE, a->fine.col[k])], at = 0;
        while (other != c && a->found[at * a->coarse.n_padded + c] != other) at++;
        a->slot[k] = (uint8_t)(other == c ? INSIDE : at);
    }
}

INDEX_KERNEL(values_sum, struct values_args)
{
    ROW_ENTRIES(a->coarse, i, k) a->coarse.val[k] = 0;
    double diagonal = i < a->coarse.n ? 0 : 1;
    int64_t first = a->coarse.warp_start[i / WARP] + i % WARP;
    for (int32_t m = 0; m < a->children; m++) {
        int32_t row = a->child[m * a->coarse.n_padded + i];
        if (row < 0) continue;
        diagonal += a->fine.diag[row];
        ROW_ENTRIES(a->fine, row, k) {
            if (a->slot[k] == INSIDE) diagonal += a->fine.val[k];
            else if (a->fine.col[k]) a->coarse.val[first + WARP * a->slot[k]] += a->fine.val[k];
        }
    }
    a->coarse.diag[i] = (float)diagonal;
}

INDEX_KERNEL(slice_bounds, struct number_args) { a->count[i] = a->parent[i * SLICE]; }

INDEX_KERNEL(fill_int32, struct fill_args_int32) { a->x[i] = a->value; }
INDEX_KERNEL(home_slices, struct home_args) { a->home[i] = (int32_t)(i / SLICE); }
