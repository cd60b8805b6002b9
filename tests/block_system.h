/* block_system.h: small matrices of blocks for tests, on host and device, with structurally nonsymmetric patterns. */
#ifndef POISE_BLOCK_SYSTEM_H
#define POISE_BLOCK_SYSTEM_H
#include "linear_system.h"
#include "system/generate.h"

/* The same matrix twice: in blocks on the device, and entry by entry, unknown k of row r at r block + k, on the
 * host. */
struct block_system {
    struct matrix a;
    int n, block;
    int64_t *start;             /* CSR of blocks, without the diagonal; */
    int32_t *column;
    double *value, *diag;       /* [block^2] each, row by row */
    struct system dense;        /* without a matrix on the device */
};

static inline int64_t block_place(int64_t at, int block, int i, int j)
{
    return (at - at % WARP) * block * block + (i * block + j) * WARP + at % WARP;
}

/* Uploads the values from the host. */
static inline void block_upload(struct block_system *s, const int64_t *place)
{
    int square = s->block * s->block;
    double *val, *diag;
    NEW(val, s->a.p.n_stored * square), NEW(diag, s->a.p.n_padded * square);
    device_download(diag, s->a.diag, (size_t)(s->a.p.n_padded * square) * 8);
    for (int r = 0; r < s->n; r++)
        for (int k = 0; k < square; k++) {
            diag[block_place(r, s->block, k / s->block, k % s->block)] = s->diag[(int64_t)r * square + k];
            for (int64_t e = s->start[r]; e < s->start[r + 1]; e++)
                val[block_place(place[e], s->block, k / s->block, k % s->block)] = s->value[e * square + k];
        }
    device_upload(s->a.val, val, (size_t)(s->a.p.n_stored * square) * 8);
    device_upload(s->a.diag, diag, (size_t)(s->a.p.n_padded * square) * 8);
    free(val), free(diag);
}

/* The same as arrow blocks, if the host's values are: off the diagonal. */
static inline void block_upload_arrow(struct block_system *s, const int64_t *place)
{
    int b = s->block, square = b * b;
    float *val, *diag, *excess;
    NEW(val, s->a.p.n_stored * (b + 1)), NEW(diag, s->a.p.n_padded * square), NEW(excess, s->a.p.n_padded * square);
    for (int64_t r = 0; r < s->a.p.n_padded; r++)
        for (int k = 0; k < square; k++) {
            double own = r < s->n ? s->diag[r * square + k] : k / b == k % b, sum = own;
            for (int64_t e = r < s->n ? s->start[r] : 0; r < s->n && e < s->start[r + 1]; e++) {
                int number = ARROW_NUMBER(k, b);
                sum += s->value[e * square + k];
                if (number >= 0) val[matrix_at(place[e], number, b + 1)] = (float)s->value[e * square + k];
                else assert_true(s->value[e * square + k] == 0);
            }
            diag[matrix_at(r, k, square)] = (float)own, excess[matrix_at(r, k, square)] = (float)sum;
        }
    device_upload(s->a.arrow.val, val, (size_t)(s->a.p.n_stored * (b + 1)) * sizeof *val);
    device_upload(s->a.arrow.diag, diag, (size_t)(s->a.p.n_padded * square) * sizeof *diag);
    device_upload(s->a.arrow.excess, excess, (size_t)(s->a.p.n_padded * square) * sizeof *excess);
    free(val), free(diag), free(excess);
}

/* The part of a block that an arrow block stores. */
static inline void block_make_arrow(double *value, int b)
{
    for (int i = 0; i < b - 1; i++) {
        for (int j = 0; j < b - 1; j++) value[i * b + j] = i == j ? value[0] : 0;
        value[(b - 1) * b + i] = value[i * b + b - 1];
    }
}

static inline void block_expand(struct block_system *s)
{
    int b = s->block, n = s->n * b;
    int64_t entries = (s->start[s->n] + s->n) * b * b;
    struct system *d = &s->dense;
    *d = (struct system){.n = n};
    NEW(d->start, n + 1), NEW(d->column, entries), NEW(d->value, entries), NEW(d->diag, n);
    for (int r = 0; r < s->n; r++)
        for (int i = 0; i < b; i++) {
            int64_t at = d->start[r * b + i];
            for (int j = 0; j < b; j++) {
                double v = s->diag[((int64_t)r * b + i) * b + j];
                if (i == j) d->diag[r * b + i] = v;
                else d->column[at] = r * b + j, d->value[at++] = v;
            }
            for (int64_t e = s->start[r]; e < s->start[r + 1]; e++)
                for (int j = 0; j < b; j++)
                    d->column[at] = s->column[e] * b + j, d->value[at++] = s->value[(e * b + i) * b + j];
            d->start[r * b + i + 1] = at;
        }
}

/* BLOCKS_JOINED: like velocity and pressure: the last unknowns are coupled to those of the next rows by negative
 * numbers, and all of the diagonal is positive.  BLOCKS_ARROW: the same, as a matrix of arrow blocks;
 * BLOCKS_ARROW_WHOLE: the same numbers in whole blocks. */
enum block_kind { BLOCKS_ANY, BLOCKS_JOINED, BLOCKS_ARROW, BLOCKS_ARROW_WHOLE };
/* Row r has the columns r - 1, r + 1, r - near, r + 2 near, some of them left out so that the pattern is not symmetric;
 * every 13th row is isolated.  The diagonal blocks dominate the rest by `weight`. */
static inline struct block_system block_system_of(int n, int block, int near, double weight, enum block_kind kind)
{
    struct block_system s = {.n = n, .block = block};
    int64_t *place, room = (int64_t)n * 4;
    int square = block * block;
    bool joined = kind != BLOCKS_ANY;
    NEW(s.start, n + 1), NEW(s.column, room), NEW(place, room), NEW(s.value, room * square),
        NEW(s.diag, (int64_t)n * square);
    for (int r = 0; r < n; r++) {
        const int columns[4] = {r - near, r - 1, r + 1, r + 2 * near};
        s.start[r + 1] = s.start[r];
        for (int k = 0; k < 4; k++) {
            int c = columns[k];
            if (c < 0 || c >= n || r % 13 == 5 || (r + k) % 7 == 3) continue;
            for (int i = 0; i < square; i++)
                s.value[s.start[r + 1] * square + i] = number(31 * r + 7 * k + 101 * i) - 0.3;
            if (joined) s.value[s.start[r + 1] * square + square - 1] = -0.6 - (k == 1 || k == 2);
            if (kind >= BLOCKS_ARROW) block_make_arrow(s.value + s.start[r + 1] * square, block);
            s.column[s.start[r + 1]++] = c;
        }
        for (int i = 0; i < square; i++)
            s.diag[(int64_t)r * square + i] = number(17 * r + i) +
                                              (i / block == i % block ? weight * (r % 3 == 1 && !joined ? -1 : 1) : 0);
    }
    struct pattern p;
    pattern_create(&p, n, s.start, s.column, place);
    (kind == BLOCKS_ARROW ? matrix_create_arrow : matrix_create_blocks)(&s.a, &p, block);
    (kind == BLOCKS_ARROW ? block_upload_arrow : block_upload)(&s, place);
    block_expand(&s);
    free(place);
    return s;
}

static inline struct block_system block_system(int n, int block, int near, double weight)
{
    return block_system_of(n, block, near, weight, BLOCKS_ANY);
}

static inline void block_system_free(struct block_system *s)
{
    matrix_free_alone(&s->a);
    free(s->start), free(s->column), free(s->value), free(s->diag);
    free(s->dense.start), free(s->dense.column), free(s->dense.value), free(s->dense.diag);
}

/* Vectors: host [n block] with the unknowns of a row together, device [block pitch]. */
static inline double *block_vector(const struct block_system *s, const double *v)
{
    double *on_device = pattern_alloc(&s->a.p, s->block, sizeof *v, "test"), *component;
    NEW(component, s->n);
    for (int k = 0; v && k < s->block; k++) {
        for (int r = 0; r < s->n; r++) component[r] = v[r * s->block + k];
        device_upload(on_device + k * s->a.p.pitch, component, (size_t)s->n * sizeof *v);
    }
    free(component);
    return on_device;
}

static inline double *block_download(const struct block_system *s, const double *on_device)
{
    double *component, *v;
    NEW(component, s->n), NEW(v, s->n * s->block);
    for (int k = 0; k < s->block; k++) {
        device_download(component, on_device + k * s->a.p.pitch, (size_t)s->n * sizeof *v);
        for (int r = 0; r < s->n; r++) v[r * s->block + k] = component[r];
    }
    free(component);
    return v;
}

/* The equations of velocity and pressure in a cavity, from generate(); a: on the device. */
static inline struct linear_system block_cavity(const char *text, struct matrix *a)
{
    struct linear_system s;
    struct error e = {0};
    if (!generate(&s, text, NULL, &e)) fail_msg("%s", e.text);
    assert_true(s.singular && s.block == 3 && linear_system_order(&s, s.ordering, &e));
    linear_system_upload(&s, a);
    return s;
}
#endif
