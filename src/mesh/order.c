#include <metis.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/mesh.h"

/* ---------------------------------------------------------------- Hilbert */
/* Place of a point of the grid of 2^bits points a side on the Hilbert curve. Skilling (2004): the coordinates become
 * the transposed key, whose bits are then interleaved. */
static uint64_t hilbert_key(uint32_t x[3], int dim, int bits)
{
    uint32_t t = 0;
    for (uint32_t q = 1u << (bits - 1); q > 1; q >>= 1)
        for (int k = 0; k < dim; k++) {
            uint32_t swap = (x[k] & q) ? 0 : (x[0] ^ x[k]) & (q - 1), flip = (x[k] & q) ? q - 1 : 0;
            x[0] ^= flip ^ swap;
            x[k] ^= swap;
        }
    for (int k = 1; k < dim; k++) x[k] ^= x[k - 1];
    for (uint32_t q = 1u << (bits - 1); q > 1; q >>= 1) if (x[dim - 1] & q) t ^= q - 1;
    uint64_t key = 0;
    for (int b = bits - 1; b >= 0; b--)
        for (int k = 0; k < dim; k++) key = key << 1 | ((x[k] ^ t) >> b & 1);
    return key;
}

struct keyed { uint64_t key; int32_t cell; };

/* Least digit first, 11 bits a time, stable; digits that are equal everywhere are passed over. */
static void radix_sort(struct keyed *x, int32_t n, int key_bits)
{
    enum { DIGIT = 11, DIGITS = 1 << DIGIT };
    struct keyed *y;
    int32_t *count;
    NEW(y, n), NEW(count, DIGITS);
    struct keyed *from = x, *to = y;
    for (int shift = 0; shift < key_bits; shift += DIGIT) {
        memset(count, 0, DIGITS * sizeof *count);
        for (int32_t i = 0; i < n; i++) count[from[i].key >> shift & (DIGITS - 1)]++;
        if (count[from[0].key >> shift & (DIGITS - 1)] == n) continue;
        for (int32_t d = 0, sum = 0; d < DIGITS; d++) { int32_t here = count[d]; count[d] = sum, sum += here; }
        for (int32_t i = 0; i < n; i++) to[count[from[i].key >> shift & (DIGITS - 1)]++] = from[i];
        struct keyed *t = from;
        from = to, to = t;
    }
    if (from != x) memcpy(x, from, (size_t)n * sizeof *x);
    free(y), free(count);
}

void order_hilbert(int32_t *order, const double *centre, int dim, int32_t n)
{
    double low[3], extent = 0;
    int bits = dim == 2 ? 31 : 21;
    struct keyed *x;
    if (n == 0) return;
    for (int k = 0; k < dim; k++) {
        const double *c = centre + (int64_t)k * n;
        double high = low[k] = c[0];
        for (int32_t i = 1; i < n; i++) low[k] = c[i] < low[k] ? c[i] : low[k], high = c[i] > high ? c[i] : high;
        if (high - low[k] > extent) extent = high - low[k];
    }
    double scale = extent > 0 ? (double)((1u << bits) - 1) / extent : 0;    /* one scale: squares stay square */
    NEW(x, n);
    #pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < n; i++) {
        uint32_t at[3] = {0};
        for (int k = 0; k < dim; k++) at[k] = (uint32_t)((centre[(int64_t)k * n + i] - low[k]) * scale);
        x[i].key = hilbert_key(at, dim, bits);
        x[i].cell = i;
    }
    radix_sort(x, n, dim * bits);
    for (int32_t i = 0; i < n; i++) order[i] = x[i].cell;
    free(x);
}

/* ---------------------------------------------------------------- Cuthill-McKee */
/* Breadth first from `from` over cells whose mark is not `mark`; neighbours of a cell come by ascending number of
 * neighbours.  Fills order[0 ..], returns how many; *depth: levels. */
static int32_t breadth_first(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t from, int32_t *seen,
                             int32_t mark, int32_t *depth)
{
    int32_t n = 1, level_end = 1;
    order[0] = from, seen[from] = mark, *depth = 0;
    for (int32_t i = 0; i < n; i++) {
        if (i == level_end) level_end = n, ++*depth;
        int32_t first = n;
        for (int64_t k = start[order[i]]; k < start[order[i] + 1]; k++) {
            int32_t c = adjacent[k], j = n;
            if (seen[c] == mark) continue;
            seen[c] = mark;
            int64_t degree = start[c + 1] - start[c];
            for (; j > first && start[order[j - 1] + 1] - start[order[j - 1]] > degree; j--) order[j] = order[j - 1];
            order[j] = c;
            n++;
        }
    }
    return n;
}

void order_cuthill_mckee(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t n)
{
    int32_t *seen, mark = 0, done = 0;
    NEW(seen, n);                                       /* mark of the last search that came by */
    for (int32_t c = 0; c < n; c++) {
        if (seen[c]) continue;                          /* its part of the mesh is ordered already */
        int32_t from = c, depth, deepest = -1, found;
        for (;;) {                                      /* George & Liu (1979): walk to an end of the part */
            found = breadth_first(order + done, start, adjacent, from, seen, ++mark, &depth);
            if (depth <= deepest) break;
            deepest = depth, from = order[done + found - 1];
        }
        done += found;
    }
    free(seen);
}

/* ---------------------------------------------------------------- METIS */
bool order_metis(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t n, int part_rows,
                 struct error *e)
{
    if (start[n] > INT32_MAX)
        return refuse(e, EXIT_RESOURCE, "ordering \"metis\": %lld neighbours are more than METIS counts with 32 bits; "
                      "use \"hilbert\"", (long long)start[n]);
    idx_t vertices = n, constraints = 1, parts = (n + part_rows - 1) / part_rows, cut, *row, *column, *part, *first;
    idx_t options[METIS_NOPTIONS];
    NEW(row, n + 1), NEW(column, start[n]), NEW(part, n), NEW(first, parts + 1);
    for (int32_t c = 0; c <= n; c++) row[c] = (idx_t)start[c];
    for (int64_t k = 0; k < start[n]; k++) column[k] = adjacent[k];
    METIS_SetDefaultOptions(options);
    options[METIS_OPTION_SEED] = 1;
    int status = METIS_OK;
    if (parts > 1)
        status = METIS_PartGraphKway(&vertices, &constraints, row, column, NULL, NULL, NULL, &parts, NULL, NULL,
                                     options, &cut, part);
    for (int32_t c = 0; c < n; c++) first[part[c] + 1]++;
    for (idx_t p = 0; p < parts; p++) first[p + 1] += first[p];
    for (int32_t c = 0; c < n; c++) order[first[part[c]]++] = c;
    free(row), free(column), free(part), free(first);
    if (status == METIS_OK) return true;
    return refuse(e, EXIT_RESOURCE, "ordering \"metis\": METIS gave up on %d cells (%s); use \"hilbert\"", n,
                  status == METIS_ERROR_MEMORY ? "out of memory" : "internal error");
}
