/* Builds a k-d tree and finds the nearest point (nearest.h). */
#include "mesh/nearest.h"
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include "base/memory.h"

static double at(const struct nearest *t, int32_t i, int k) { return t->point[(int64_t)k * t->n + i]; }

/* Moves the element that sorting by axis k would put at `middle` there, with smaller ones before it (quickselect). */
static void select_middle(const struct nearest *t, int32_t from, int32_t to, int32_t middle, int k)
{
    while (to - from > 1) {
        double pivot = at(t, t->order[from + (to - from) / 2], k);
        int32_t i = from, j = to - 1;
        while (i <= j) {
            while (at(t, t->order[i], k) < pivot) i++;
            while (at(t, t->order[j], k) > pivot) j--;
            if (i > j) break;
            int32_t keep = t->order[i];
            t->order[i++] = t->order[j], t->order[j--] = keep;
        }
        if (middle <= j) to = j + 1;
        else if (middle >= i) from = i;
        else return;
    }
}

/* The axis along which the points of the range have the largest extent. */
static int widest_axis(const struct nearest *t, int32_t from, int32_t to)
{
    int best = 0;
    double most = -1;
    for (int k = 0; k < t->dim; k++) {
        double low = INFINITY, high = -INFINITY;
        for (int32_t i = from; i < to; i++) {
            low = fmin(low, at(t, t->order[i], k));
            high = fmax(high, at(t, t->order[i], k));
        }
        if (high - low > most) most = high - low, best = k;
    }
    return best;
}

static void build(struct nearest *t, int32_t from, int32_t to)
{
    if (to - from < 1) return;
    int32_t middle = from + (to - from) / 2;
    int k = widest_axis(t, from, to);
    select_middle(t, from, to, middle, k);
    t->axis[middle] = (uint8_t)k;
    build(t, from, middle);
    build(t, middle + 1, to);
}

void nearest_create(struct nearest *t, const double *point, int dim, int32_t n)
{
    *t = (struct nearest){.dim = dim, .n = n, .point = point};
    NEW(t->order, n), NEW(t->axis, n);
    for (int32_t i = 0; i < n; i++) t->order[i] = i;
    build(t, 0, n);
}

void nearest_free(struct nearest *t) { free(t->order), free(t->axis); }

/* The nearest points so far, by distance and number. */
struct list { const double *x; int most, n; int32_t *point; double *square; };

static void add(struct list *l, int32_t i, double square)
{
    int k = l->n < l->most ? l->n++ : l->most;
    for (; k > 0 && (square < l->square[k - 1] || (square == l->square[k - 1] && i < l->point[k - 1])); k--)
        if (k < l->most) l->square[k] = l->square[k - 1], l->point[k] = l->point[k - 1];
    if (k < l->most) l->square[k] = square, l->point[k] = i;
}

static void search(const struct nearest *t, int32_t from, int32_t to, struct list *l)
{
    if (to - from < 1) return;
    int32_t middle = from + (to - from) / 2, i = t->order[middle];
    double square = 0, beside = l->x[t->axis[middle]] - at(t, i, t->axis[middle]);
    for (int k = 0; k < t->dim; k++) square += (l->x[k] - at(t, i, k)) * (l->x[k] - at(t, i, k));
    add(l, i, square);
    bool below = beside < 0;
    search(t, below ? from : middle + 1, below ? middle : to, l);
    if (l->n < l->most || beside * beside <= l->square[l->n - 1])
        search(t, below ? middle + 1 : from, below ? to : middle, l);
}

int nearest_several(const struct nearest *t, const double *x, int most, int32_t *point, double *square)
{
    struct list l = {x, most, 0, point, square};
    search(t, 0, t->n, &l);
    return l.n;
}

int32_t nearest_find(const struct nearest *t, const double *x, double *distance)
{
    int32_t best = -1;
    double square = INFINITY;
    nearest_several(t, x, 1, &best, &square);
    *distance = sqrt(square);
    return best;
}
