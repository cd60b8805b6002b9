#include "system/flow_systems.h"
#include <math.h>
#include "base/memory.h"

enum { MOST_NEIGHBOURS = 6 };
static const double PECLET = 0.25, LAYER = 0.02;

/* Neighbours of a point among points[0] x points[1] x points[2]; side[k]: 2 d below along d, 2 d + 1 above. */
static int neighbours(int dim, const int32_t points[3], int32_t i, int32_t *column, int *side)
{
    int n = 0;
    int32_t step = 1, rest = i;
    for (int d = 0; d < dim; d++) {
        int32_t place = rest % points[d];
        if (place > 0) side[n] = 2 * d, column[n++] = i - step;
        if (place < points[d] - 1) side[n] = 2 * d + 1, column[n++] = i + step;
        rest /= points[d], step *= points[d];
    }
    return n;
}

static void allocate_rows(struct linear_system *s, int dim, int32_t n, int block)
{
    int64_t entries = (int64_t)n * (2 * dim + 1);
    *s = (struct linear_system){.n = n, .block = block, .nonsymmetric = true, .ordering = ORDERING_NONE};
    NEW(s->start, n + (int64_t)1), NEW(s->column, entries), NEW(s->value, entries * block * block);
}

/* Columns of row i behind the diagonal, ascending: of a grid, those below in reverse order of the directions. */
static int arrange(int n, int32_t *column, int *side)
{
    for (int k = 1; k < n; k++)
        for (int j = k; j > 0 && column[j - 1] > column[j]; j--) {
            int32_t c = column[j];
            int other = side[j];
            column[j] = column[j - 1], side[j] = side[j - 1];
            column[j - 1] = c, side[j - 1] = other;
        }
    return n;
}

/* Where point i is in the unit square or cube. */
static void place_of(int dim, const int32_t points[3], int32_t i, double x[3])
{
    for (int d = 0; d < dim; d++, i /= points[d - 1]) x[d] = (i % points[d] + 1.0) / (points[d] + 1.0);
}

/* A wind at point i, times the width of a cell over the diffusivity. */
typedef void velocity_at(int dim, const int32_t points[3], int32_t i, double velocity[3]);
static void whirl_at(int dim, const int32_t points[3], int32_t i, double velocity[3])
{
    double x[3] = {0};
    place_of(dim, points, i, x);
    velocity[0] = PECLET * (1 - 2 * x[1]);
    velocity[1] = PECLET * (2 * x[0] - 1);
    velocity[2] = PECLET * (x[0] - x[1]);
}

static void layers_at(int dim, const int32_t points[3], int32_t i, double velocity[3])
{
    (void)dim, (void)points, (void)i;
    velocity[0] = velocity[1] = 0, velocity[2] = LAYER;
}

static void transported(struct linear_system *s, int dim, const int32_t points[3], velocity_at *at_point)
{
    int32_t n = points[0] * points[1] * (dim == 3 ? points[2] : 1), column[MOST_NEIGHBOURS];
    int side[MOST_NEIGHBOURS];
    int64_t at = 0;
    allocate_rows(s, dim, n, 1);
    for (int32_t i = 0; i < n; i++) {
        double velocity[3], diagonal = 2 * dim;
        at_point(dim, points, i, velocity);
        for (int d = 0; d < dim; d++) diagonal += fabs(velocity[d]);
        s->column[at] = i, s->value[at++] = diagonal;
        int count = arrange(neighbours(dim, points, i, column, side), column, side);
        for (int k = 0; k < count; k++, at++) {
            double with = side[k] % 2 ? -velocity[side[k] / 2] : velocity[side[k] / 2];         /* blowing from there */
            s->column[at] = column[k];
            s->value[at] = -1 - fmax(with, 0);
        }
        s->start[i + 1] = at;
    }
}

void wind(struct linear_system *s, int dim, const int32_t points[3]) { transported(s, dim, points, whirl_at); }

void stratified(struct linear_system *s, const int32_t points[3])
{
    transported(s, 3, points, layers_at);
    NEW(s->rhs, s->n);
    for (int32_t i = 0; i < s->n; i++) {
        const double pi = 3.14159265358979323846;
        double x[3];
        place_of(3, points, i, x);
        s->rhs[i] = sin(pi * x[0]) * sin(pi * x[1]) * sin(pi * x[2]);
    }
}

/* ---------------------------------------------------------------- the cavity */
enum { U, V, W, SQUARE = 9 };
enum { WEST, EAST, SOUTH, NORTH };
static double *number(struct linear_system *s, int64_t entry, int i, int j)
{
    return &s->value[entry * SQUARE + 3 * i + j];
}

/* Row i inside; entry k + 1 of it is the neighbour of side[k]. */
static void inside(struct linear_system *s, int64_t first, int count, const int *side, double h)
{
    for (int c = U; c <= W; c++) *number(s, first, c, c) = 4;
    for (int k = 0; k < count; k++) {
        for (int c = U; c <= W; c++) *number(s, first + k + 1, c, c) = -1;
        if (side[k] == NORTH || side[k] == SOUTH) *number(s, first + k + 1, U, W) = side[k] == NORTH ? -h / 2 : h / 2;
        else *number(s, first + k + 1, V, W) = side[k] == EAST ? h / 2 : -h / 2;
    }
}

/* On a boundary, seen from which the inside is at `inner`. */
static void boundary(struct linear_system *s, int64_t first, int count, const int *side, int inner, double h)
{
    int of = inner == EAST || inner == WEST ? V : U;
    double out = inner == EAST || inner == SOUTH ? 1 / h : -1 / h;      /* of the boundary's own velocity */
    for (int c = U; c <= W; c++) *number(s, first, c, c) = 1;
    *number(s, first, W, of) = out;
    for (int k = 0; k < count; k++)
        if (side[k] == inner) *number(s, first + k + 1, W, of) = -out;
}

void cavity_vorticity(struct linear_system *s, int32_t n)
{
    const int32_t points[3] = {n, n, 1};
    int32_t column[MOST_NEIGHBOURS];
    int side[MOST_NEIGHBOURS];
    int64_t at = 0;
    double h = 1.0 / (n - 1);
    allocate_rows(s, 2, n * n, 3);
    NEW(s->rhs, (int64_t)3 * s->n);
    for (int32_t i = 0; i < s->n; i++) {
        int32_t x = i % n, y = i / n;
        int count = arrange(neighbours(2, points, i, column, side), column, side);
        s->column[at] = i;
        for (int k = 0; k < count; k++) s->column[at + k + 1] = column[k];
        if (x == 0) boundary(s, at, count, side, EAST, h);
        else if (x == n - 1) boundary(s, at, count, side, WEST, h);
        else if (y == 0) boundary(s, at, count, side, NORTH, h);
        else if (y == n - 1) boundary(s, at, count, side, SOUTH, h), s->rhs[3 * (int64_t)i] = 1;
        else inside(s, at, count, side, h);
        s->start[i + 1] = at += count + 1;
    }
}

/* ---------------------------------------------------------------- velocity and pressure together */
enum { P = 2 };
static int axis(int side) { return side / 2; }
static int sign(int side) { return side % 2 ? 1 : -1; }

/* Of the vortex, at the grid's vertex (i, j). */
static double stream(int32_t n, int32_t i, int32_t j)
{
    double x = sin(M_PI * i / n), y = sin(M_PI * j / n);
    return -x * x * y * y / M_PI;
}

/* Out of cell (i, j) through a side. */
static double flux(int32_t n, int32_t i, int32_t j, int side)
{
    if (axis(side) == 0) {
        int32_t at = i + (side == EAST);
        return sign(side) * (stream(n, at, j + 1) - stream(n, at, j));
    }
    int32_t at = j + (side == NORTH);
    return sign(side) * (stream(n, i, at) - stream(n, i + 1, at));
}

/* The momentum's coefficient of the neighbour on that side, of a wall there. */
static double coefficient(int32_t n, int32_t i, int side, double viscosity)
{
    int32_t x = i % n, y = i / n, place = axis(side) ? y : x;
    if (place == (sign(side) > 0 ? n - 1 : 0)) return 2 * viscosity;
    return viscosity + fmax(-flux(n, x, y, side), 0);
}

static double diagonal(int32_t n, int32_t i, double viscosity)
{
    double sum = 0;
    for (int side = WEST; side <= NORTH; side++) sum += coefficient(n, i, side, viscosity);
    return sum;
}

/* Row i, whose first entry is the diagonal's. */
static void coupled_row(struct linear_system *s, int64_t first, int32_t i, int count, const int *side, int32_t n,
                        double viscosity)
{
    double h = 1.0 / n, own = diagonal(n, i, viscosity);
    bool wall[4] = {true, true, true, true};
    *number(s, first, U, U) = *number(s, first, V, V) = own;
    for (int k = 0; k < count; k++) {
        int64_t there = first + k + 1;
        int a = axis(side[k]);
        double half = sign(side[k]) * h / 2, d = h * h * (1 / own + 1 / diagonal(n, s->column[there], viscosity)) / 2;
        *number(s, there, U, U) = *number(s, there, V, V) = -coefficient(n, i, side[k], viscosity);
        *number(s, there, a, P) = *number(s, there, P, a) = half;
        *number(s, there, P, P) = -d;
        *number(s, first, a, P) += half, *number(s, first, P, a) += half;
        *number(s, first, P, P) += d;
        wall[side[k]] = false;
    }
    for (int at = WEST; at <= NORTH; at++) if (wall[at]) *number(s, first, axis(at), P) += sign(at) * h;
}

void cavity_coupled(struct linear_system *s, int32_t n, double reynolds)
{
    const int32_t cells[3] = {n, n, 1};
    int32_t column[MOST_NEIGHBOURS];
    int side[MOST_NEIGHBOURS];
    int64_t at = 0;
    allocate_rows(s, 2, n * n, 3);
    s->singular = true, s->ordering = ORDERING_HILBERT, s->dim = 2;
    NEW(s->rhs, (int64_t)3 * s->n), NEW(s->centre, (int64_t)2 * s->n);
    for (int32_t i = 0; i < s->n; i++) {
        int count = arrange(neighbours(2, cells, i, column, side), column, side);
        s->column[at] = i;
        for (int k = 0; k < count; k++) s->column[at + k + 1] = column[k];
        coupled_row(s, at, i, count, side, n, 1 / reynolds);
        s->start[i + 1] = at += count + 1;
        s->centre[i] = (i % n + 0.5) / n, s->centre[s->n + i] = (i / n + 0.5) / n;
        if (i / n == n - 1) s->rhs[3 * (int64_t)i + U] = 2 / reynolds;
    }
}
