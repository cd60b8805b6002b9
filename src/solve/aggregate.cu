/* Kernels that match rows and build the next multigrid level (aggregate.h). */
#include "gpu/scan.h"
#include "solve/aggregate_kernels.h"
#include "solve/contrast.h"
#include "solve/pattern_row.h"

INDEX_KERNEL(aggregate_match_begin, struct match_args)
{
    float most = 0, largest = 0;
    ROW_ENTRIES(a->a, i, k) {
        int32_t c = a->a.p.col[k];
        float v = fabsf(a->a.val[k]);
        if (v > largest) largest = v;
        if (c && a->home[COLUMN(i / SLICE, c)] == a->home[i] && v > most) most = v;
    }
    a->strongest[i] = most;
    if (a->first_pass) a->largest[i] = largest;
    a->mate[i] = a->joined[i] = -1;
}

/* The rank of an edge: the same at both of its ends, and different for all edges of a row.  So in every round an edge
 * that is larger than all its neighbours is selected at both ends.  value: relative to the largest entry; i, j: rows as
 * numbered over all ranks. */
ON_DEVICE uint64_t edge_key(float value, int32_t i, int32_t j)
{
    int exponent;
    frexpf(value * 0.999f, &exponent);                  /* a power of two, with or without rounding error, is in one
                                                           class */
    return (uint64_t)((exponent + 1024) / 2) << 32 | (0xffffffffu - (uint32_t)(i ^ j));
}

/* Where a coefficient jumps, an edge leaves a region whose rows are coupled by far larger ones, and one coarse row for
 * both sides could not correct them independently.  The largest entry counts even if it leads to another slice:
 * otherwise the part of a bubble that a slice cuts off would join the fluid around it. */
ON_DEVICE int leads_over_jump(const struct match_args *a, float value, int64_t i, int32_t j)
{
    return a->effort != EFFORT_ANY && value <= (float)OVER_JUMP * fmaxf(a->largest[i], a->largest[j]);
}

/* An edge under WEAK times the strongest at both of its ends does not form a pair. */
#define WEAK 0.5f
ON_DEVICE int is_weak(const struct match_args *a, float value, int64_t i, int32_t j)
{
    return value <= WEAK * fminf(a->strongest[i], a->strongest[j]) || leads_over_jump(a, value, i, j);
}

/* Loops over the entries of one row, loading READ of them at a time: a coarse level has few, long rows, and is limited
 * by memory latency.  After the last entry columns are 0 with value 0, as in the padding. */
#define READ 8
#define READ_ENTRIES(a, r, k, cols, vals)                                                                    \
    for (int e = 0; e < READ; e++) {                                                                         \
        int64_t at = (k) + e * WARP;                                                                         \
        cols[e] = at < (a).p.warp_start[(r) / WARP + 1] ? (a).p.col[at] : 0;                                 \
        vals[e] = at < (a).p.warp_start[(r) / WARP + 1] ? (a).val[at] : 0.0f;                                \
    }
#define ROW_READS(a, r, k)                                                                                   \
    for (int64_t k = (a).p.warp_start[(r) / WARP] + (r) % WARP; k < (a).p.warp_start[(r) / WARP + 1]; k += READ * WARP)

INDEX_KERNEL(aggregate_match_propose, struct match_args)
{
    int32_t best = -1, home = a->home[i], first = (int32_t)a->a.p.first;
    uint64_t best_key = 0;
    if (a->mate[i] < 0)
        ROW_READS(a->a, i, k) {
            int32_t cols[READ], free[READ];
            float vals[READ];
            READ_ENTRIES(a->a, i, k, cols, vals)
            for (int e = 0; e < READ; e++) {
                cols[e] = COLUMN(i / SLICE, cols[e]);           /* padding means row 0, with value 0, which is weak */
                vals[e] = fabsf(vals[e]);
                free[e] = a->home[cols[e]] == home && a->mate[cols[e]] < 0 && !is_weak(a, vals[e], i, cols[e]);
            }
            for (int e = 0; e < READ; e++) {
                uint64_t key = free[e] ? edge_key(vals[e] / a->unit, first + (int32_t)i, first + cols[e]) : 0;
                if (key > best_key) best = cols[e], best_key = key;
            }
        }
    a->proposal[i] = best;
}

INDEX_KERNEL(aggregate_match_accept, struct match_args)
{
    int32_t j = a->proposal[i];
    if (j >= 0 && a->proposal[j] == i) a->mate[i] = j;
}

/* Rows along a jump, whose strongest edges cross it, find no pair.  Left unmatched they would accumulate from level to
 * level until coarsening stops, so they join the pair to which they are most strongly coupled. */
INDEX_KERNEL(aggregate_match_join, struct match_args)
{
    if (a->mate[i] >= 0) return;
    float most = 0;
    ROW_ENTRIES(a->a, i, k) {
        int32_t j = COLUMN(i / SLICE, a->a.p.col[k]);
        float v = fabsf(a->a.val[k]);
        if (!a->a.p.col[k] || a->home[j] != a->home[i] || a->mate[j] < 0 || v <= most ||
            (a->effort == EFFORT_STRONG ? is_weak(a, v, i, j) : leads_over_jump(a, v, i, j))) continue;
        most = v;
        a->joined[i] = j;
    }
}

/* An aggregate is numbered by the first row of its pair. */
INDEX_KERNEL(aggregate_number_begins, struct number_args)
{
    a->begins[i] = i < a->n && (a->mate[i] >= 0 ? i < a->mate[i] : a->joined[i] < 0);
}

INDEX_KERNEL(aggregate_number_parents, struct number_args)
{
    if (i >= a->n) {
        a->parent[i] = -1;
        return;
    }
    int64_t in_pair = a->mate[i] < 0 && a->joined[i] >= 0 ? a->joined[i] : i, mate = a->mate[in_pair];
    int64_t first = mate >= 0 && mate < in_pair ? mate : in_pair;
    a->parent[i] = a->begins[first];
    if (first != i) return;
    a->coarse_home[a->parent[i]] = a->home[i];
    a->coarse_largest[a->parent[i]] = mate < 0 ? a->largest[i] : fmaxf(a->largest[i], a->largest[mate]);
}

INDEX_KERNEL(aggregate_compose_parents, struct compose_args)
{
    a->parent[i] = a->parent[i] < 0 ? -1 : a->next[a->parent[i]];
}

/* The coarse rows of a slice are numbered consecutively, and their children fill the slice: every coarse row scans all
 * rows of the slice. */
SLICE_KERNEL(aggregate_list_children, struct list_args)
{
    SHARED(int32_t, parent, SLICE);
    SHARED(int32_t, count, SLICE);
    SHARED(int32_t, least, WARPS);
    SHARED(int32_t, most, WARPS);
    int64_t begin = b * SLICE;
    int32_t size = (int32_t)(begin + SLICE < a->n ? SLICE : a->n - begin), first = a->parent[begin], last = first;
    PHASE(w) LANES(t) parent[w * WARP + t] = a->parent[begin + (w * WARP + t < size ? w * WARP + t : 0)];
    PHASE(w) LANES(t) if (t == 0) {
        least[w] = most[w] = parent[w * WARP];
        for (int r = w * WARP; r < (w + 1) * WARP; r++) {
            least[w] = parent[r] < least[w] ? parent[r] : least[w];
            most[w] = parent[r] > most[w] ? parent[r] : most[w];
        }
    }
    for (int w = 0; w < WARPS; w++) {
        first = least[w] < first ? least[w] : first;
        last = most[w] > last ? most[w] : last;
    }
    PHASE(w) LANES(t) {
        int32_t c = first + w * WARP + t, found = 0;
        if (c <= last) for (int r = 0; r < size; r++) found += parent[r] == c;
        count[w * WARP + t] = found;
    }
    slice_scan(count);
    PHASE(w) LANES(t) {
        int32_t c = first + w * WARP + t;
        if (c <= last) {
            int32_t at = (int32_t)begin + count[w * WARP + t];
            a->child_start[c] = at;
            for (int r = 0; r < size; r++)
                if (parent[r] == c) {
                    a->place[begin + r] = (uint16_t)(at - begin);
                    a->child[at++] = (int32_t)begin + r;
                }
        }
    }
    PHASE(w) LANES(t) if (w * WARP + t >= size) a->place[begin + w * WARP + t] = (uint16_t)(w * WARP + t);
    ONCE a->slice_start[b] = first;
}

INDEX_KERNEL(aggregate_list_end, struct list_args) { a->child_start[a->n_coarse + i] = a->n; }

INDEX_KERNEL(aggregate_longest_row, struct pattern_args)
{
    a->warp_width[i] = (int32_t)((a->fine.p.warp_start[i + 1] - a->fine.p.warp_start[i]) / WARP);
}

SLICE_KERNEL(aggregate_largest_of, struct most_args)
{
    SLICE_VAR(double, v);
    (void)b;
    PHASE(w) LANES(t) IN_SLICE(v) = 0;
    PHASE(w) for (int64_t first = w * WARP; first < a->n; first += SLICE)
        LANES(t) {
            double x = first + t >= a->n ? 0 : a->whole ? a->whole[first + t] : a->real[first + t];
            IN_SLICE(v) = x > IN_SLICE(v) ? x : IN_SLICE(v);
        }
    double most = slice_max(v);
    ONCE a->most[0] = most;
}

/* The position of column c in the table of a coarse row, or the free one for it.  Four positions are read at a time;
 * those after the last hold 0. */
ON_DEVICE int32_t place_of(const int32_t *key, int32_t n, int32_t c)
{
    for (int32_t at = 0; at < n; at += 4) {
        int32_t k0 = key[at], k1 = key[at + 1], k2 = key[at + 2], k3 = key[at + 3];
        if (k0 == c + 1) return at;
        if (k1 == c + 1) return at + 1;
        if (k2 == c + 1) return at + 2;
        if (k3 == c + 1) return at + 3;
    }
    return n;
}
#define TABLE(a, i) ((int64_t)(a)->most * (a)->g.child_start[i] + 4 * (i))

INDEX_KERNEL(aggregate_pattern_find, struct pattern_args)
{
    int32_t n = 0, *key = a->key + TABLE(a, i);
    float *sum = a->sum ? a->sum + TABLE(a, i) : NULL;
    for (int32_t m = a->g.child_start[i]; m < a->g.child_start[i + 1]; m++) {
        int32_t row = a->g.child[m];
        ROW_READS(a->fine, row, k) {
            int32_t cols[READ];
            float vals[READ];
            READ_ENTRIES(a->fine, row, k, cols, vals)
            for (int e = 0; e < READ; e++) cols[e] = cols[e] ? a->g.parent[COLUMN(row / SLICE, cols[e])] : (int32_t)i;
            for (int e = 0; e < READ; e++) {
                if (cols[e] == i || cols[e] < 0) continue;
                int32_t at = place_of(key, n, cols[e]);
                if (at == n) key[n++] = cols[e] + 1;
                if (sum) sum[at] += vals[e];
            }
        }
    }
    a->columns[i] = n;
}

INDEX_KERNEL(aggregate_pattern_width, struct pattern_args)
{
    int32_t widest = 0;
    for (int64_t r = i * WARP; r < (i + 1) * WARP; r++) widest = a->width[r] > widest ? a->width[r] : widest;
    a->warp_width[i] = widest;
}

INDEX_KERNEL(aggregate_pattern_fill, struct pattern_args)
{
    int64_t to = a->coarse.p.warp_start[i / WARP] + i % WARP;
    for (int32_t at = 0; at < a->columns[i]; at++, to += WARP) {
        int32_t c = a->key[TABLE(a, i) + at] - 1;
        ((int32_t *)a->coarse.p.col)[to] = c / SLICE == i / SLICE ? -(c % SLICE) - 1 : c + 1;
        if (a->sum) a->coarse.val[to] = a->sum[TABLE(a, i) + at];
    }
}

INDEX_KERNEL(aggregate_pattern_slot, struct pattern_args)
{
    int32_t c = a->g.parent[i];
    ROW_ENTRIES(a->fine, i, k) {
        int32_t other = a->fine.p.col[k] ? a->g.parent[COLUMN(i / SLICE, a->fine.p.col[k])] : c;
        a->slot[k] = other == c ? INSIDE : (uint8_t)place_of(a->key + TABLE(a, c), a->columns[c], other);
    }
}

INDEX_KERNEL(aggregate_source_count, struct pattern_args)
{
    int32_t n = 0;
    for (int32_t m = a->g.child_start[i]; m < a->g.child_start[i + 1]; m++)
        ROW_ENTRIES(a->fine, a->g.child[m], k) n += a->slot[k] != INSIDE;
    a->width[i] = n;
}

/* Counting sort of a row's sources by column.  The keys are no longer needed: their table holds the counts, then the
 * position of the next source of each column. */
INDEX_KERNEL(aggregate_source_list, struct pattern_args)
{
    int32_t *next = a->key + TABLE(a, i), n = 0;
    int64_t to = a->g.source_start[i / WARP] + i % WARP, end = a->g.source_start[i / WARP + 1];
    for (int32_t column = 0; column < a->columns[i]; column++) next[column] = 0;
    for (int32_t m = a->g.child_start[i]; m < a->g.child_start[i + 1]; m++)
        ROW_ENTRIES(a->fine, a->g.child[m], k) if (a->slot[k] != INSIDE) next[a->slot[k]]++;
    for (int32_t column = 0; column < a->columns[i]; column++) {
        int32_t count = next[column];
        next[column] = ~n;                              /* ~: the column has no source yet */
        n += count;
    }
    for (int32_t m = a->g.child_start[i]; m < a->g.child_start[i + 1]; m++)
        ROW_ENTRIES(a->fine, a->g.child[m], k) {
            int32_t column = a->slot[k];
            if (column == INSIDE) continue;
            int32_t at = next[column], place = at < 0 ? ~at : at;
            a->g.source[to + WARP * (int64_t)place] = (uint32_t)k | (at < 0 ? SOURCE_NEXT : 0);
            next[column] = place + 1;
        }
    for (to += WARP * (int64_t)n; to < end; to += WARP) a->g.source[to] = SOURCE_NONE;
}

/* Sources are prefetched: writing a value must not wait for reading the next one. */
INDEX_KERNEL(aggregate_values_sum, struct values_args)
{
    int64_t first = a->coarse.p.warp_start[i / WARP] + i % WARP, to = first - WARP,
            end = a->g.source_start[i / WARP + 1];
    double excess = i < a->coarse.p.n ? 0 : 1, sums = 0;
    float sum = 0;
    for (int32_t m = a->g.child_start[i]; m < a->g.child_start[i + 1]; m++) excess += a->fine.excess[a->g.child[m]];
    for (int64_t k = a->g.source_start[i / WARP] + i % WARP; k < end; k += 2 * READ * WARP) {
        uint32_t s[2 * READ];
        float v[2 * READ];
        for (int e = 0; e < 2 * READ; e++) s[e] = k + e * WARP < end ? a->g.source[k + e * WARP] : SOURCE_NONE;
        for (int e = 0; e < 2 * READ; e++) v[e] = s[e] == SOURCE_NONE ? 0 : a->fine.val[s[e] & ~SOURCE_NEXT];
        for (int e = 0; e < 2 * READ; e++) {
            if (s[e] & SOURCE_NEXT) {
                if (to >= first) a->coarse.val[to] = sum;
                to += WARP;
                sums += sum;
                sum = 0;
            }
            sum += v[e];
        }
    }
    if (to >= first) a->coarse.val[to] = sum;
    a->coarse.excess[i] = (float)excess;
    a->coarse.diag[i] = (float)(excess - (sums + sum));
}

INDEX_KERNEL(aggregate_home_slices, struct home_args) { a->home[i] = a->first + (int32_t)(i / SLICE); }
