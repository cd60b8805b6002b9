/* Generates linear systems of convection and coupled flow on grids (flow_systems.h). */
#include "system/flow_systems.h"
#include <math.h>
#include <stdlib.h>
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

/* Columns of row i after the diagonal, ascending: on a grid, lower neighbours in reverse order of the directions. */
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

/* Coordinates of point i in the unit square or cube. */
static void place_of(int dim, const int32_t points[3], int32_t i, double x[3])
{
    for (int d = 0; d < dim; d++, i /= points[d - 1]) x[d] = (i % points[d] + 1.0) / (points[d] + 1.0);
}

/* Velocity at point i, times cell width over diffusivity. */
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
            double with = side[k] % 2 ? -velocity[side[k] / 2] : velocity[side[k] / 2];         /* inflow from that
                                                                                                   side */
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

/* Interior row i; its entry k + 1 is the neighbour of side[k]. */
static void inside(struct linear_system *s, int64_t first, int count, const int *side, double h)
{
    for (int c = U; c <= W; c++) *number(s, first, c, c) = 4;
    for (int k = 0; k < count; k++) {
        for (int c = U; c <= W; c++) *number(s, first + k + 1, c, c) = -1;
        if (side[k] == NORTH || side[k] == SOUTH) *number(s, first + k + 1, U, W) = side[k] == NORTH ? -h / 2 : h / 2;
        else *number(s, first + k + 1, V, W) = side[k] == EAST ? h / 2 : -h / 2;
    }
}

/* A boundary row, with the interior in direction `inner`. */
static void boundary(struct linear_system *s, int64_t first, int count, const int *side, int inner, double h)
{
    int of = inner == EAST || inner == WEST ? V : U;
    double out = inner == EAST || inner == SOUTH ? 1 / h : -1 / h;      /* coefficient of the boundary's own velocity */
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

/* Grid lines at[0] .. at[n] from 0 to 1, with widths growing geometrically from both walls to the middle, the widest
 * `ratio` times the narrowest. */
static double *lines(int32_t n, double ratio)
{
    double *at;
    NEW(at, n + (int64_t)1);
    for (int32_t i = 0; i < n; i++) {
        double from_wall = i < n - 1 - i ? i : n - 1 - i, middle = n > 2 ? (n - 1) / 2 : 1;
        at[i + 1] = at[i] + pow(ratio, from_wall / middle);
    }
    for (int32_t i = 1; i <= n; i++) at[i] /= at[n];
    return at;
}

struct grid { int32_t n; double viscosity; double *at; };

static double width(const struct grid *g, int32_t i, int a)
{
    int32_t place = a ? i / g->n : i % g->n;
    return g->at[place + 1] - g->at[place];
}

/* Stream function of the vortex at the grid's vertex (i, j). */
static double stream(const struct grid *g, int32_t i, int32_t j)
{
    double x = sin(M_PI * g->at[i]), y = sin(M_PI * g->at[j]);
    return -x * x * y * y / M_PI;
}

/* Flux out of cell i through a side. */
static double flux(const struct grid *g, int32_t i, int side)
{
    int32_t x = i % g->n, y = i / g->n;
    if (axis(side) == 0) return sign(side) * (stream(g, x + (side == EAST), y + 1) - stream(g, x + (side == EAST), y));
    return sign(side) * (stream(g, x, y + (side == NORTH)) - stream(g, x + 1, y + (side == NORTH)));
}

/* The cell beyond a side; -1: a wall. */
static int32_t behind(const struct grid *g, int32_t i, int side)
{
    int32_t place = axis(side) ? i / g->n : i % g->n;
    return place == (sign(side) > 0 ? g->n - 1 : 0) ? -1 : i + sign(side) * (axis(side) ? g->n : 1);
}

/* Area of a side divided by the distance between the centres, or to the wall. */
static double conductance(const struct grid *g, int32_t i, int side)
{
    int32_t j = behind(g, i, side);
    int a = axis(side);
    return width(g, i, !a) / (j < 0 ? width(g, i, a) / 2 : (width(g, i, a) + width(g, j, a)) / 2);
}

static double diagonal(const struct grid *g, int32_t i)
{
    double sum = 0;
    for (int side = WEST; side <= NORTH; side++)
        sum += g->viscosity * conductance(g, i, side) + fmax(-flux(g, i, side), 0);
    return sum;
}

/* Volume over a_P. */
static double mobility(const struct grid *g, int32_t i) { return width(g, i, 0) * width(g, i, 1) / diagonal(g, i); }

/* Row i, with the diagonal entry first. */
static void coupled_row(struct linear_system *s, int64_t first, int32_t i, int count, const int *side,
                        const struct grid *g)
{
    *number(s, first, U, U) = *number(s, first, V, V) = diagonal(g, i);
    for (int k = 0; k < count; k++) {
        int64_t there = first + k + 1;
        int32_t j = s->column[there];
        int a = axis(side[k]);
        double own = width(g, i, a), other = width(g, j, a), area = sign(side[k]) * width(g, i, !a);
        double weight = other / (own + other), d = conductance(g, i, side[k]);
        *number(s, there, U, U) = *number(s, there, V, V) = -g->viscosity * d - fmax(-flux(g, i, side[k]), 0);
        *number(s, there, a, P) = *number(s, there, P, a) = area * (1 - weight);
        *number(s, first, a, P) += area * weight, *number(s, first, P, a) += area * weight;
        d *= weight * mobility(g, i) + (1 - weight) * mobility(g, j);
        *number(s, there, P, P) = -d;
        *number(s, first, P, P) += d;
    }
    for (int at = WEST; at <= NORTH; at++)
        if (behind(g, i, at) < 0) *number(s, first, axis(at), P) += sign(at) * width(g, i, !axis(at));
}

void cavity_coupled(struct linear_system *s, int32_t n, double reynolds, double ratio)
{
    const int32_t cells[3] = {n, n, 1};
    const struct grid g = {n, 1 / reynolds, lines(n, ratio)};
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
        coupled_row(s, at, i, count, side, &g);
        s->start[i + 1] = at += count + 1;
        for (int a = 0; a < 2; a++) s->centre[a * s->n + i] = g.at[a ? i / n : i % n] + width(&g, i, a) / 2;
        if (behind(&g, i, NORTH) < 0) s->rhs[3 * (int64_t)i + U] = g.viscosity * conductance(&g, i, NORTH);
    }
    free(g.at);
}
