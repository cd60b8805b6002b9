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
    a->mate[i] = a->joined[i] = -1;
}

/* The same for both ends of an edge, different in every round (the finaliser of MurmurHash3). */
ON_DEVICE uint32_t edge_hash(int32_t i, int32_t j, int32_t round)
{
    uint32_t low = (uint32_t)(i < j ? i : j), high = (uint32_t)(i < j ? j : i);
    uint32_t h = low * 2654435761u ^ high * 2246822519u ^ (uint32_t)round * 3266489917u;
    h ^= h >> 16, h *= 2246822507u, h ^= h >> 13, h *= 3266489909u;
    return h ^ h >> 16;
}

/* What both ends of an edge see alike: first its strength, in steps of a factor of two, then whether its ends stand side
 * by side in the ordering, then the hash.  The largest free edge of a neighbourhood is taken in every round. */
ON_DEVICE uint64_t edge_key(float value, int32_t i, int32_t j, int32_t round)
{
    int exponent;
    frexpf(value * 0.999f, &exponent);                  /* a power of two is not torn apart by rounding */
    uint32_t hash = j == (i ^ 1) ? 0xffffffffu : edge_hash(i, j, round) >> 1;
    return (uint64_t)(exponent + 1024) << 32 | hash;
}

/* An edge under WEAK of the strongest at both of its ends is not worth a pair. */
#define WEAK 0.25f
ON_DEVICE int is_weak(const struct match_args *a, float value, int64_t i, int32_t j)
{
    return value <= WEAK * fminf(a->strongest[i], a->strongest[j]);
}

INDEX_KERNEL(match_propose, struct match_args)
{
    a->proposal[i] = -1;
    if (a->mate[i] >= 0) return;
    int32_t best = -1;
    uint64_t best_key = 0;
    ROW_ENTRIES(a->a, i, k) {
        int32_t j = COLUMN(i / SLICE, a->a.col[k]);
        float v = fabsf(a->a.val[k]);
        if (!a->a.col[k] || a->home[j] != a->home[i] || a->mate[j] >= 0 || is_weak(a, v, i, j)) continue;
        uint64_t key = edge_key(v, (int32_t)i, j, a->round);
        if (best < 0 || key > best_key) best = j, best_key = key;
    }
    a->proposal[i] = best;
}

INDEX_KERNEL(match_accept, struct match_args)
{
    int32_t j = a->proposal[i];
    if (j >= 0 && a->proposal[j] == i) a->mate[i] = j;
}

INDEX_KERNEL(match_join, struct match_args)
{
    if (a->mate[i] >= 0) return;
    float most = 0;
    ROW_ENTRIES(a->a, i, k) {
        int32_t j = COLUMN(i / SLICE, a->a.col[k]);
        float v = fabsf(a->a.val[k]);
        if (!a->a.col[k] || a->home[j] != a->home[i] || a->mate[j] < 0 || v <= most || is_weak(a, v, i, j)) continue;
        most = v;
        a->joined[i] = j;
    }
}

/* An aggregate is numbered by the first row of its pair. */
ON_DEVICE int begins(const struct number_args *a, int64_t i)
{
    return a->mate[i] >= 0 ? i < a->mate[i] : a->joined[i] < 0;
}

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
    if (begins(a, i)) {
        a->coarse_home[a->parent[i]] = a->home[i];
        return;
    }
    int64_t in_pair = a->mate[i] < 0 ? a->joined[i] : i;
    a->parent[i] = a->parent[in_pair < a->mate[in_pair] ? in_pair : a->mate[in_pair]];
}

INDEX_KERNEL(compose_parents, struct compose_args)
{
    a->parent[i] = a->parent[i] < 0 ? -1 : a->next[a->parent[i]];
}

/* The coarse rows of a slice are numbered one after the other, and their children fill the slice. */
SLICE_KERNEL(list_children, struct list_args)
{
    ONCE {
        int64_t begin = b * SLICE, end = begin + SLICE < a->n ? begin + SLICE : a->n;
        int32_t first = a->parent[begin], last = first, at = (int32_t)begin;
        for (int64_t r = begin; r < end; r++) {
            first = a->parent[r] < first ? a->parent[r] : first;
            last = a->parent[r] > last ? a->parent[r] : last;
        }
        for (int32_t c = first; c <= last; c++) a->child_start[c] = 0;
        for (int64_t r = begin; r < end; r++) a->child_start[a->parent[r]]++;
        for (int32_t c = first; c <= last; c++) {
            int32_t count = a->child_start[c];
            a->child_start[c] = at;
            at += count;
        }
        for (int64_t r = begin; r < end; r++) a->child[a->child_start[a->parent[r]]++] = (int32_t)r;
        for (int32_t c = last; c >= first; c--) a->child_start[c] = c > first ? a->child_start[c - 1] : (int32_t)begin;
        a->slice_start[b] = first;
    }
}

INDEX_KERNEL(list_end, struct list_args) { a->child_start[a->n_coarse + i] = a->n; }

INDEX_KERNEL(pattern_find, struct pattern_args)
{
    int32_t n = 0, *found = a->found + (int64_t)a->most * a->g.child_start[i];
    for (int32_t m = a->g.child_start[i]; m < a->g.child_start[i + 1]; m++) {
        int32_t row = a->g.child[m];
        ROW_ENTRIES(a->fine, row, k) {
            if (!a->fine.col[k]) continue;
            int32_t c = a->g.parent[COLUMN(row / SLICE, a->fine.col[k])], at = 0;
            if (c == i) continue;
            while (at < n && found[at] != c) at++;
            if (at == n) found[n++] = c;
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
    const int32_t *found = a->found + (int64_t)a->most * a->g.child_start[i];
    int32_t n = 0;
    ROW_ENTRIES(a->coarse, i, k) {
        int32_t c = n < a->length[i] ? found[n] : -1;
        ((int32_t *)a->coarse.col)[k] = c < 0 ? 0 : c / SLICE == i / SLICE ? -(c % SLICE) - 1 : c + 1;
        n++;
    }
}

INDEX_KERNEL(pattern_slot, struct pattern_args)
{
    int32_t c = a->g.parent[i];
    const int32_t *found = a->found + (int64_t)a->most * a->g.child_start[c];
    ROW_ENTRIES(a->fine, i, k) {
        a->g.slot[k] = PADDING;
        if (!a->fine.col[k]) continue;
        int32_t other = a->g.parent[COLUMN(i / SLICE, a->fine.col[k])], at = 0;
        while (other != c && found[at] != other) at++;
        a->g.slot[k] = (uint8_t)(other == c ? INSIDE : at);
    }
}

/* Column by column over all children: their rows lie side by side. */
INDEX_KERNEL(values_sum, struct values_args)
{
    ROW_ENTRIES(a->coarse, i, k) a->coarse.val[k] = 0;
    double diagonal = i < a->coarse.n ? 0 : 1;
    int64_t first = a->coarse.warp_start[i / WARP] + i % WARP;
    for (int32_t column = 0, left = 1; left; column++) {
        left = 0;
        for (int32_t m = a->g.child_start[i]; m < a->g.child_start[i + 1]; m++) {
            int32_t row = a->g.child[m];
            if (column == 0) diagonal += a->fine.diag[row];
            int64_t k = a->fine.warp_start[row / WARP] + row % WARP + WARP * (int64_t)column;
            if (k >= a->fine.warp_start[row / WARP + 1]) continue;
            left = 1;
            int32_t slot = a->g.slot[k];
            if (slot == INSIDE) diagonal += a->fine.val[k];
            else if (slot != PADDING) a->coarse.val[first + WARP * slot] += a->fine.val[k];
        }
    }
    a->coarse.diag[i] = (float)diagonal;
}

INDEX_KERNEL(home_slices, struct home_args) { a->home[i] = (int32_t)(i / SLICE); }
