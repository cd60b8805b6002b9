/* Colours the rows of a matrix on the host and stores the matrix in the order of colours (multicolour.h). */
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/study/multicolour.h"
#include "solve/rows.h"

/* Off-diagonal entry k of row i in CSR with the diagonal first. */
#define OFF_DIAGONALS(c, i, k) for (int64_t k = (c)->start[i] + 1; k < (c)->start[(i) + 1]; k++)
struct coloured {
    int32_t n;
    int64_t *start;
    int32_t *column;
    double *value;
    int32_t *colour, *place;    /* [n] of each row: its colour, its position in the new order */
};

/* A neighbour of a row is a column of it, or a row that has it as a column; returns the number of colours. */
static int choose(const struct coloured *c)
{
    int32_t *neighbour;
    int64_t *start;
    rows_graph(c->n, c->start, c->column, &start, &neighbour);
    int n_colours = rows_colours(c->n, start, neighbour, c->colour);
    free(start), free(neighbour);
    return n_colours;
}

/* Sorts rows by colour, each colour padded to whole slices: place, and row (host). */
static int32_t *arrange(struct colour_pattern *p, const struct coloured *c)
{
    int64_t *next;
    int32_t *row;
    NEW(p->first_slice, p->n_colours + 1), NEW(next, p->n_colours + 1);
    for (int32_t i = 0; i < c->n; i++) next[c->colour[i]]++;
    for (int k = 0; k < p->n_colours; k++) {
        p->first_slice[k + 1] = p->first_slice[k] + (int32_t)((next[k] + SLICE - 1) / SLICE);
        next[k] = (int64_t)p->first_slice[k] * SLICE;
    }
    p->n_rows = (int64_t)p->first_slice[p->n_colours] * SLICE;
    NEW(row, p->n_rows);
    for (int64_t i = 0; i < p->n_rows; i++) row[i] = -1;
    for (int32_t i = 0; i < c->n; i++) row[c->place[i] = (int32_t)next[c->colour[i]]++] = i;
    free(next);
    return row;
}

/* Finds where the two parts of each warp's entries begin.  A part is as wide as its widest row. */
static void measure(struct colour_pattern *p, const struct coloured *c, const int32_t *row, int64_t *start,
                    int64_t *middle)
{
    for (int64_t w = 0; w < p->n_rows / WARP; w++) {
        int64_t widest[2] = {0, 0};
        for (int64_t at = w * WARP; at < (w + 1) * WARP; at++) {
            int64_t count[2] = {0, 0};
            if (row[at] < 0) continue;
            OFF_DIAGONALS(c, row[at], k) count[c->colour[c->column[k]] > c->colour[row[at]]]++;
            for (int part = 0; part < 2; part++) if (count[part] > widest[part]) widest[part] = count[part];
        }
        middle[w] = start[w] + WARP * widest[0];
        start[w + 1] = middle[w] + WARP * widest[1];
    }
    p->n_stored = start[p->n_rows / WARP];
}

static bool fill_in(const struct colour_pattern *p, const struct coloured *c, const int32_t *row, const int64_t *start,
                    const int64_t *middle, int32_t *col, uint16_t *slot)
{
    for (int64_t k = 0; k < p->n_stored; k++) slot[k] = NO_SLOT;
    for (int64_t at = 0; at < p->n_rows; at++) {
        if (row[at] < 0) continue;
        int64_t begin = c->start[row[at]] + 1, next[2] = {start[at / WARP] + at % WARP, middle[at / WARP] + at % WARP};
        if (c->start[row[at] + 1] - begin >= NO_SLOT) return false;
        OFF_DIAGONALS(c, row[at], k) {
            int64_t *to = &next[c->colour[c->column[k]] > c->colour[row[at]]];
            col[*to] = c->place[c->column[k]];
            slot[*to] = (uint16_t)(k - begin);
            *to += WARP;
        }
    }
    return true;
}

static void *to_device(const void *from, int64_t n, size_t size)
{
    return device_copy_of(from, (size_t)n * size, "colours of the matrix");
}

bool colour_pattern(struct colour_pattern *p, const struct matrix *a)
{
    struct coloured c = {.n = a->p.n};
    matrix_download(a, &c.start, &c.column, &c.value);
    NEW(c.colour, c.n), NEW(c.place, c.n);
    *p = (struct colour_pattern){.n_colours = choose(&c)};
    int32_t *row = arrange(p, &c), *col;
    int64_t *start, *middle, n_warps = p->n_rows / WARP;
    uint16_t *slot;
    NEW(start, n_warps + 1), NEW(middle, n_warps);
    measure(p, &c, row, start, middle);
    NEW(col, p->n_stored), NEW(slot, p->n_stored);
    bool fits = fill_in(p, &c, row, start, middle, col, slot);
    p->row = to_device(row, p->n_rows, sizeof *row);
    p->warp_start = to_device(start, n_warps + 1, sizeof *start);
    p->middle = to_device(middle, n_warps, sizeof *middle);
    p->col = to_device(col, p->n_stored, sizeof *col);
    p->slot = to_device(slot, p->n_stored, sizeof *slot);
    free(row), free(start), free(middle), free(col), free(slot);
    free(c.start), free(c.column), free(c.value), free(c.colour), free(c.place);
    if (!fits) colour_pattern_free(p);
    return fits;
}

void colour_pattern_free(struct colour_pattern *p)
{
    device_free(p->row), device_free(p->warp_start), device_free(p->middle), device_free(p->col), device_free(p->slot);
    free(p->first_slice);
}
