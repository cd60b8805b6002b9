/* Orders cells along a Hilbert curve or by METIS (cells.h). */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/mesh.h"

/* ---------------------------------------------------------------- Hilbert */
/* Position on the Hilbert curve of a point of a grid with 2^bits points a side.  Skilling (2004): the coordinates
 * become the transposed key, whose bits are then interleaved. */
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

/* Radix sort by key, lowest 11 bits first (stable); digits that are equal in all keys are skipped. */
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

/* The spacing h of a uniform grid of n points with this extent: the product of extent / h + 1 over the directions is n.
 * By bisection. */
static double spacing(const double *extent, int dim, int32_t n)
{
    double low = 0, high = 0;
    for (int k = 0; k < dim; k++) high = extent[k] > high ? extent[k] : high;
    for (int step = 0; step < 60; step++) {
        double h = 0.5 * (low + high), count = 1;
        for (int k = 0; k < dim; k++) count *= extent[k] / h + 1;
        *(count > n ? &low : &high) = h;
    }
    return high;
}

/* The curve is placed so that the points of a uniform grid lie in the middle of its own squares (cubes): then 4, 16 ..
 * (8, 64 ..) consecutive cells are a block of the grid.  Measured with 96^3 cells: 0.88 of a matrix's entries, instead
 * of 0.85, are local to their slice of 512 rows; for cubes cut into six tetrahedra 0.87 instead of 0.82. */
void order_hilbert(int32_t *order, const double *centre, int dim, int32_t n, int together)
{
    double low[3], extent[3], most = 0;
    int bits = dim == 2 ? 31 : 21;
    struct keyed *x;
    if (n == 0) return;
    for (int k = 0; k < dim; k++) {
        const double *c = centre + (int64_t)k * n;
        double high = low[k] = c[0];
        for (int32_t i = 1; i < n; i++) low[k] = c[i] < low[k] ? c[i] : low[k], high = c[i] > high ? c[i] : high;
        extent[k] = high - low[k];
        if (extent[k] > most) most = extent[k];
    }
    double margin = 0.5 * spacing(extent, dim, n), h = 2 * margin * pow(together, 1.0 / dim);
    double side = 1;                                    /* of the square that the curve fills, in h */
    while (most > 0 && side < most / h + 1) side *= 2;
    double scale = most > 0 ? (double)(1u << bits) / (side * h) : 0;        /* the same in all directions */
    NEW(x, n);
    #pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < n; i++) {
        uint32_t at[3] = {0};
        for (int k = 0; k < dim; k++) at[k] = (uint32_t)((centre[(int64_t)k * n + i] - low[k] + margin) * scale);
        x[i].key = hilbert_key(at, dim, bits);
        x[i].cell = i;
    }
    radix_sort(x, n, dim * bits);
    for (int32_t i = 0; i < n; i++) order[i] = x[i].cell;
    free(x);
}

/* ---------------------------------------------------------------- METIS */
bool order_metis(int32_t *order, const int64_t *start, const int32_t *adjacent, int32_t n, int part_rows,
                 struct error *e)
{
    int32_t parts = (int32_t)(((int64_t)n + part_rows - 1) / part_rows), *part, *first;
    NEW(part, n), NEW(first, parts + 1);
    bool good = order_parts(part, parts, start, adjacent, n, "ordering \"metis\"", "use \"hilbert\"", e);
    for (int32_t c = 0; c < n; c++) first[part[c] + 1]++;
    for (int32_t p = 0; p < parts; p++) first[p + 1] += first[p];
    for (int32_t c = 0; c < n; c++) order[first[part[c]]++] = c;
    free(part), free(first);
    return good;
}
