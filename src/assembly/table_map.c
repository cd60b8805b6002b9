/* Interpolates tables in space and time (table_map.h). */
#include "assembly/table_map.h"
#include <math.h>
#include <stdlib.h>
#include "base/dense.h"
#include "base/memory.h"
#include "mesh/nearest.h"

static const double OUTSIDE = 0.1, FLAT = 1e-6;         /* of the extent: allowed distance; extent that is none */
enum { ON_PLANE = 8, IN_SPACE = 14 };                   /* neighbours */

/* The table's points in coordinates of their own: along as many axes as they extend. */
struct frame {
    const struct table *t;
    int rank;                   /* axes: 0 to 3 */
    double origin[3], axis[3][3], extent;
    double *q;                  /* [max(rank, 2) n_points] */
};

static void point_of(const struct table *t, int32_t i, double x[3])
{
    for (int k = 0; k < 3; k++) x[k] = t->space[k] < 0 ? 0 : table_value(t, t->space[k], t->order[i]);
}

/* *off: the distance from the space of the axes. */
static void to_frame(const struct frame *f, const double *x, double q[3], double *off)
{
    double d[3], rest = 0;
    for (int k = 0; k < 3; k++) d[k] = x[k] - f->origin[k], q[k] = 0;
    for (int k = 0; k < f->rank; k++) {
        q[k] = dot(d, f->axis[k]);
        for (int j = 0; j < 3; j++) d[j] -= q[k] * f->axis[k][j];
    }
    for (int k = 0; k < 3; k++) rest += d[k] * d[k];
    *off = sqrt(rest);
}

/* Each axis points to the point that is farthest from the space of those before. */
static void make_frame(struct frame *f, const struct table *t)
{
    double x[3], q[3], off;
    *f = (struct frame){.t = t};
    point_of(t, 0, f->origin);
    while (f->rank < 3) {
        double most = 0, best[3] = {0};
        for (int32_t i = 0; i < t->n_points; i++) {
            point_of(t, i, x), to_frame(f, x, q, &off);
            if (off > most) {
                most = off;
                for (int k = 0; k < 3; k++) best[k] = x[k] - f->origin[k];
                for (int k = 0; k < f->rank; k++)
                    for (int j = 0; j < 3; j++) best[j] -= q[k] * f->axis[k][j];
            }
        }
        if (f->rank == 0) f->extent = most;
        if (!(most > FLAT * f->extent)) break;
        for (int k = 0; k < 3; k++) f->axis[f->rank][k] = best[k] / most;
        f->rank++;
    }
    NEW(f->q, (f->rank > 2 ? 3 : 2) * (int64_t)t->n_points);
    for (int32_t i = 0; i < t->n_points; i++) {
        point_of(t, i, x), to_frame(f, x, q, &off);
        for (int k = 0; k < f->rank; k++) f->q[(int64_t)k * t->n_points + i] = q[k];
    }
}

/* ---------------------------------------------------------------- on a line */
struct station { double s; int32_t point; };
static int by_station(const void *x, const void *y)
{
    const struct station *a = x, *b = y;
    return a->s < b->s ? -1 : a->s > b->s ? 1 : a->point - b->point;
}

/* Two neighbours.  False: too far outside. */
static bool map_on_line(const struct station *line, int32_t n, double extent, double s, int32_t *point, double *weight)
{
    int32_t low = 0, high = n - 1;
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (line[middle].s <= s) low = middle; else high = middle;
    }
    double part = (s - line[low].s) / (line[high].s - line[low].s);
    double beyond = fmax(line[low].s - s, s - line[high].s);
    part = fmin(1, fmax(0, part));
    point[0] = line[low].point, point[1] = line[high].point, weight[0] = 1 - part, weight[1] = part;
    return beyond <= OUTSIDE * extent;
}

/* ---------------------------------------------------------------- on a plane, in space */
/* The `each` points nearest to every point of the table, itself first. */
static int32_t *find_neighbours(const struct frame *f, const struct nearest *tree, int each)
{
    const int32_t n = f->t->n_points;
    int32_t *list;
    NEW(list, (int64_t)each * n);
    #pragma omp parallel for schedule(static)
    for (int32_t i = 0; i < n; i++) {
        double x[3], square[IN_SPACE];
        for (int k = 0; k < f->rank; k++) x[k] = f->q[(int64_t)k * n + i];
        nearest_several(tree, x, each, list + (int64_t)each * i, square);
    }
    return list;
}

/* Weights of the values at these points in the fitted linear function at q: the first row of the inverse of the normal
 * equations for 1, x - q.  If the points do not span the space: weights 1 / distance^2. */
static void fit_linear(const struct frame *f, const double *q, const int32_t *point, int each, double *weight)
{
    const int n = f->rank + 1;
    const int32_t n_points = f->t->n_points;
    double a[4][5] = {{0}}, w[IN_SPACE], sum = 0, size = 0;
    double d[IN_SPACE][4];
    for (int i = 0; i < each; i++) {
        double square = 0;
        d[i][0] = 1;
        for (int k = 0; k < f->rank; k++) {
            d[i][k + 1] = f->q[(int64_t)k * n_points + point[i]] - q[k];
            square += d[i][k + 1] * d[i][k + 1];
        }
        w[i] = square, size = fmax(size, square);
    }
    for (int i = 0; i < each; i++) w[i] = 1 / (w[i] / size + 1e-14), sum += w[i];
    for (int i = 0; i < each; i++)
        for (int k = 1; k < n; k++) d[i][k] /= sqrt(size);
    for (int i = 0; i < each; i++)
        for (int r = 0; r < n; r++)
            for (int c = 0; c < n; c++) a[r][c] += w[i] / sum * d[i][r] * d[i][c];
    double solution[4] = {1, 0, 0, 0};                  /* by Cholesky's factors */
    bool spans = true;
    for (int c = 0; c < n; c++) {
        double before = a[c][c];
        for (int k = 0; k < c; k++) a[c][c] -= a[c][k] * a[c][k];
        spans = spans && a[c][c] > 1e-8 * before;
        a[c][c] = sqrt(a[c][c]);
        for (int r = c + 1; r < n; r++) {
            for (int k = 0; k < c; k++) a[r][c] -= a[r][k] * a[c][k];
            a[r][c] /= a[c][c];
        }
    }
    for (int r = 0; r < n; r++) {
        for (int k = 0; k < r; k++) solution[r] -= a[r][k] * solution[k];
        solution[r] /= a[r][r];
    }
    for (int r = n - 1; r >= 0; r--) {
        for (int k = r + 1; k < n; k++) solution[r] -= a[k][r] * solution[k];
        solution[r] /= a[r][r];
    }
    for (int i = 0; i < each; i++) {
        weight[i] = w[i] / sum;
        if (!spans) continue;
        double at = solution[0];
        for (int k = 1; k < n; k++) at += solution[k] * d[i][k];
        weight[i] *= at;
    }
}

/* ---------------------------------------------------------------- the map */
static int64_t map_along_line(struct table_map *map, const struct frame *f, const double *q, const double *off)
{
    struct station *line;
    const int32_t n = f->t->n_points;
    int64_t far = -1;
    NEW(line, n);
    for (int32_t i = 0; i < n; i++) line[i] = (struct station){f->q[i], i};
    qsort(line, (size_t)n, sizeof *line, by_station);
    for (int64_t i = 0; i < map->n && far < 0; i++) {
        bool near = map_on_line(line, n, line[n - 1].s - line[0].s, q[3 * i], map->point + 2 * i, map->weight + 2 * i);
        if (!near || off[i] > OUTSIDE * f->extent) far = i;
    }
    free(line);
    return far;
}

static int64_t map_scattered(struct table_map *map, const struct frame *f, const double *q, const double *off)
{
    struct nearest tree;
    int64_t far = -1;
    nearest_create(&tree, f->q, f->rank, f->t->n_points);
    int32_t *list = find_neighbours(f, &tree, map->each);
    for (int64_t i = 0; i < map->n && far < 0; i++) {
        double distance;
        int32_t nearest = nearest_find(&tree, q + 3 * i, &distance);
        const int32_t *near = list + (int64_t)map->each * nearest;
        for (int k = 0; k < map->each; k++) map->point[map->each * i + k] = near[k];
        fit_linear(f, q + 3 * i, near, map->each, map->weight + map->each * i);
        if (hypot(distance, off[i]) > OUTSIDE * f->extent) far = i;
    }
    free(list), nearest_free(&tree);
    return far;
}

int64_t table_map_create(struct table_map *map, const struct table *t, int dim, int64_t n, const double *x)
{
    struct frame f;
    double *q, *off;
    int64_t far = -1;
    make_frame(&f, t);
    int each = f.rank < 2 ? f.rank + 1 : f.rank == 2 ? ON_PLANE : IN_SPACE;
    if (each > t->n_points) each = t->n_points;
    *map = (struct table_map){.table = t, .n = n, .each = each};
    NEW(map->point, each * n), NEW(map->weight, each * n), NEW(q, 3 * n), NEW(off, n);
    for (int64_t i = 0; i < n; i++) {
        double at[3] = {0};
        for (int k = 0; k < dim; k++) at[k] = t->space[k] < 0 ? 0 : x[k * n + i];
        to_frame(&f, at, q + 3 * i, &off[i]);
        map->weight[each * i] = 1;
    }
    if (f.rank == 1) far = map_along_line(map, &f, q, off);
    else if (f.rank > 1) far = map_scattered(map, &f, q, off);
    free(q), free(off), free(f.q);
    return far;
}

void table_map_free(struct table_map *map)
{
    free(map->point), free(map->weight);
    *map = (struct table_map){0};
}

/* The rows of one time. */
static void values_of(const struct table_map *map, int column, int32_t time, double part, double *to)
{
    const struct table *t = map->table;
    for (int64_t i = 0; i < map->n; i++) {
        double sum = 0, low = INFINITY, high = -INFINITY;
        for (int k = 0; k < map->each; k++) {
            int64_t at = map->each * i + k;
            double v = table_value(t, column, t->order[time * t->n_points + map->point[at]]);
            sum += map->weight[at] * v, low = fmin(low, v), high = fmax(high, v);
        }
        to[i] += part * fmin(high, fmax(low, sum));
    }
}

bool table_map_values(const struct table_map *map, int column, double t, double *to)
{
    const struct table *table = map->table;
    int32_t low = 0, high = table->n_times - 1;
    for (int64_t i = 0; i < map->n; i++) to[i] = 0;
    if (table->n_times == 1) return values_of(map, column, 0, 1, to), true;
    double first = table_value(table, table->time, table->order[0]);
    double last = table_value(table, table->time, table->order[table->n_rows - 1]);
    while (high - low > 1) {
        int32_t middle = low + (high - low) / 2;
        if (table_value(table, table->time, table->order[middle * table->n_points]) <= t) low = middle;
        else high = middle;
    }
    double a = table_value(table, table->time, table->order[low * table->n_points]);
    double b = table_value(table, table->time, table->order[high * table->n_points]);
    double part = fmin(1, fmax(0, (t - a) / (b - a)));
    values_of(map, column, low, 1 - part, to), values_of(map, column, high, part, to);
    double rounding = 1e-9 * (last - first);
    return t >= first - rounding && t <= last + rounding;
}
