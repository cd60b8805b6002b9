/* Cuts simplices by the surfaces where functions are zero (level.h). */
#include "interface/level.h"
#include <omp.h>
#include <stdlib.h>
#include "base/expression.h"
#include "base/memory.h"
#include "gpu/sums.h"

enum { BISECTIONS_2D = 6, BISECTIONS_3D = 9, DEEPER = 2 };      /* DEEPER times as many where a function is bent */
#define EQUAL 1e-9
#define LINEAR 0.03                     /* of the variation in a simplex: its centroid's value less the corners' mean */

struct levels_at { const struct levels *l; const struct cutter *k; const struct body **list; int n; uint8_t *met; };

void levels_add(struct levels *l, const struct shape_setting *shape, int64_t copy)
{
    struct expression_fault fault;
    const struct value_setting *v = &shape->function;
    l->n_threads = omp_get_max_threads();
    RESIZE(l->shape, l->n + 1), RESIZE(l->copy, l->n + 1), RESIZE(l->expression, (l->n + 1) * l->n_threads);
    RESIZE(l->wrong, l->n + 1), RESIZE(l->seen, (l->n + 1) * l->n_threads);
    l->shape[l->n] = shape, l->copy[l->n] = copy, l->wrong[l->n] = 0;
    for (int i = 0; i < l->n_threads; i++) {
        struct expression **x = &l->expression[l->n * l->n_threads + i];
        l->seen[l->n * l->n_threads + i] = (struct level_volumes){0, 0};
        *x = v->text ? expression_create(v->text, v->variable, v->n_variables, &fault) : NULL;
        if (v->text && !*x) die("%s: %s", v->text, fault.what);         /* the case has been checked */
    }
    l->n++;
}

void levels_free(struct levels *l)
{
    for (int i = 0; i < l->n * l->n_threads; i++) expression_free(l->expression[i]);
    free(l->shape), free(l->copy), free(l->expression), free(l->wrong), free(l->seen);
    *l = (struct levels){0};
}

static double function_at(const struct levels *l, int i, const double x[3])
{
    const struct expression_input at[] = {{&x[0], 0}, {&x[1], 0}, {&x[2], 0}};
    struct expression *of = l->expression[i * l->n_threads + omp_get_thread_num()];
    double value = l->shape[i]->function.number;
    if (of) expression_evaluate(of, at, 1, &value);
    if (isfinite(value)) return value;
    #pragma omp atomic write
    l->wrong[i] = 1;
    return NAN;
}

/* The gradient of the linear function with these values at the corners; false: the simplex is flat. */
static bool gradient_in(const struct simplex *t, int dim, const double *value, double g[3])
{
    double e[3][3] = {{0}}, n[3][3], volume;
    for (int i = 0; i < dim; i++) difference(t->x[i + 1], t->x[0], e[i]);
    if (dim == 2) e[0][2] = e[1][2] = 0, e[2][2] = 1;
    cross(e[1], e[2], n[0]), cross(e[2], e[0], n[1]), cross(e[0], e[1], n[2]);
    volume = dot(e[0], n[0]);
    for (int k = 0; k < 3; k++) {
        g[k] = 0;
        for (int i = 0; i < dim; i++) g[k] += (value[i + 1] - value[0]) * n[i][k] / volume;
    }
    return dot(g, g) > 0 && dot(g, g) < INFINITY;
}

/* Bodies instead of the levels: half-spaces, of which one may contain the whole simplex. */
static double as_planes(const struct levels_at *a, const struct simplex *t, const double (*value)[4])
{
    const int dim = a->k->dim;
    struct body own[a->l->n];
    int n = a->n;
    for (int i = 0; i < a->l->n; i++) {
        struct body b = {.type = SHAPE_HALF_SPACE, .remove = a->l->shape[i]->remove};
        double g[3] = {1, 0, 0}, low = value[i][0], high = low, arm[3], size = 0;
        for (int j = 1; j <= dim; j++) {
            low = fmin(low, value[i][j]), high = fmax(high, value[i][j]);
            size += difference(t->x[j], t->x[0], arm);
        }
        if (low >= 0) continue;
        bool cuts = high > 0 && gradient_in(t, dim, value[i], g);
        double length = sqrt(dot(g, g)), ahead = cuts ? -value[i][0] / length : 10 * size;
        for (int k = 0; k < 3; k++) b.b[k] = g[k] / length, b.a[k] = t->x[0][k] + ahead * b.b[k];
        #pragma omp atomic write
        a->met[a->l->copy[i]] = 1;
        own[i] = b;
        a->list[n++] = &own[i];
    }
    return second_fluid(a->k, t, a->list, n);
}

/* How a simplex is bisected.  left: times, negative: where a function is bent; share: of its volume that counts in what
 * is seen; top: variations in the undivided simplex, NULL: it is that. */
struct bisection { int left; double share; const double *top; };

static double bisect(const struct levels_at *a, const struct simplex *t, const double (*value)[4], struct bisection b);

/* The volume in both halves of a simplex whose edge p-q is bisected. */
static double halves(const struct levels_at *a, const struct simplex *t, const double (*value)[4], struct bisection b,
                     int p, int q)
{
    struct simplex half[2] = {*t, *t};
    double of_half[2][a->l->n][4], middle[3];
    for (int k = 0; k < 3; k++) middle[k] = half[0].x[p][k] = half[1].x[q][k] = (t->x[p][k] + t->x[q][k]) / 2;
    for (int i = 0; i < a->l->n; i++) {
        for (int j = 0; j <= a->k->dim; j++) of_half[0][i][j] = of_half[1][i][j] = value[i][j];
        of_half[0][i][p] = of_half[1][i][q] = function_at(a->l, i, middle);
        if (isnan(of_half[0][i][p])) return NAN;
    }
    double first = bisect(a, &half[0], of_half[0], b);
    return first + bisect(a, &half[1], of_half[1], b);
}

/* A function in a simplex, from its values at the corners and at the centroid: its variation, whether its surface may
 * cross, perhaps an edge twice, and whether it is linear. */
struct view { double variation; bool near, linear; };

static struct view view_of(const double value[4], double centroid, int dim)
{
    double low = fmin(value[0], centroid), high = fmax(value[0], centroid), mean = value[0] / (dim + 1);
    for (int j = 1; j <= dim; j++) {
        low = fmin(low, value[j]), high = fmax(high, value[j]);
        mean += value[j] / (dim + 1);
    }
    const double variation = high - low;
    return (struct view){variation, fmin(fabs(low), fabs(high)) < variation || (low < 0 && high > 0),
                         fabs(centroid - mean) <= LINEAR * variation};
}

/* Level i in a simplex of this volume that is not bisected further. */
static void see(const struct levels_at *a, double volume, int i, const double value[4], bool resolved)
{
    struct level_volumes *seen = &a->l->seen[i * a->l->n_threads + omp_get_thread_num()];
    int n = 0;
    for (int j = 0; j <= a->k->dim; j++) n += value[j] < 0;
    seen->all += volume * n / (a->k->dim + 1);
    if (!resolved) seen->unresolved += volume;
}

/* Bisects the longest edge.  Of several equally long edges rounding would choose: the mean over them is the same for a
 * mesh that is mirrored or moved. */
static double bisect(const struct levels_at *a, const struct simplex *t, const double (*value)[4], struct bisection b)
{
    const int dim = a->k->dim, deepest = (1 - DEEPER) * (dim == 2 ? BISECTIONS_2D : BISECTIONS_3D);
    double length[4][4], longest = 0, arm[3], sum = 0, centroid[3], variation[a->l->n + 1];
    bool bent[a->l->n + 1], more = false;       /* which functions are near zero, and neither linear nor jump */
    int n = 0;
    for (int k = 0; k < 3; k++) {
        centroid[k] = 0;
        for (int j = 0; j <= dim; j++) centroid[k] += t->x[j][k] / (dim + 1);
    }
    for (int i = 0; i < a->l->n; i++) {
        const double there = function_at(a->l, i, centroid);
        if (isnan(there)) return NAN;
        const struct view v = view_of(value[i], there, dim);
        variation[i] = v.variation;
        bent[i] = v.near && !v.linear && b.top && v.variation < 0.5 * b.top[i];
        more |= (v.near && b.left > 0) || (bent[i] && b.left > deepest);
    }
    if (!more) {
        const double volume = b.share * simplex_volume(t, dim);
        for (int i = 0; i < a->l->n; i++) see(a, volume, i, value[i], !bent[i]);
        return as_planes(a, t, value);
    }
    if (!b.top) b.top = variation;
    for (int i = 0; i <= dim; i++)
        for (int j = 0; j < i; j++) longest = fmax(longest, length[i][j] = difference(t->x[i], t->x[j], arm));
    for (int i = 0; i <= dim; i++)
        for (int j = 0; j < i; j++) n += length[i][j] > (1 - EQUAL) * longest;
    b.left--, b.share /= n;
    for (int i = 0; i <= dim; i++)
        for (int j = 0; j < i; j++)
            if (length[i][j] > (1 - EQUAL) * longest) sum += halves(a, t, value, b, i, j);
    return sum / n;
}

double levels_second_fluid(const struct levels *l, const struct cutter *k, const struct simplex *t,
                           const struct body **list, int n, uint8_t *met)
{
    const struct levels_at a = {l, k, list, n, met};
    double value[l->n + 1][4];
    if (!l->n) return second_fluid(k, t, list, n);
    for (int i = 0; i < l->n; i++)
        for (int j = 0; j <= k->dim; j++) {
            value[i][j] = function_at(l, i, t->x[j]);
            if (isnan(value[i][j])) return NAN;
        }
    return bisect(&a, t, value, (struct bisection){k->dim == 2 ? BISECTIONS_2D : BISECTIONS_3D, 1, NULL});
}

struct level_volumes levels_seen(const struct levels *l, int i)
{
    double sum[2] = {0, 0};
    for (int k = 0; k < l->n_threads; k++)
        sum[0] += l->seen[i * l->n_threads + k].all, sum[1] += l->seen[i * l->n_threads + k].unresolved;
    sums_over_ranks(sum, 2);
    return (struct level_volumes){sum[0], sum[1]};
}
