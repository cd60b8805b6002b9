/* Computes the initial volume fraction from the case's shapes (shapes.h). */
#include "interface/shapes.h"
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "interface/body.h"
#include "interface/level.h"
#include "mesh/cells.h"

enum { MOST_COPIES = 100000000 };                       /* of all shapes together */

/* ---------------------------------------------------------------- the case's shapes */
/* A shape with its copies, which form a lattice; first: number of its first copy among those of all shapes. */
struct lattice {
    const struct shape_setting *shape;
    int copies[3];
    double extent[3], low[3], high[3];                  /* of a copy; of all */
    int64_t first;
};
struct scene {
    struct lattice *lattice;
    int n;
    uint8_t *met;               /* [n_met] of all copies */
    int64_t n_met;
    struct levels levels;
};

static struct body copy_of(const struct shape_setting *s, const int at[3])
{
    struct body b = {s->type, s->remove, {0}, {0}, s->radius};
    double length = sqrt(dot(s->normal, s->normal));
    for (int k = 0; k < 3; k++) {
        double shift = at[k] * s->spacing[k];
        b.a[k] = (s->type == SHAPE_SPHERE ? s->centre[k] : s->type == SHAPE_BOX ? s->from[k] : s->point[k]) + shift;
        b.b[k] = s->type == SHAPE_BOX ? s->to[k] + shift : s->type == SHAPE_HALF_SPACE ? s->normal[k] / length : 0;
    }
    return b;
}

/* The copies [first, last] of a lattice along direction k that may be within `reach` of x. */
static void near_copies(const struct lattice *l, int k, double x, double reach, int *first, int *last)
{
    const struct shape_setting *s = l->shape;
    double middle = s->type == SHAPE_BOX ? 0.5 * (s->from[k] + s->to[k]) : s->centre[k];
    *first = 0, *last = l->copies[k] - 1;
    if (s->type == SHAPE_HALF_SPACE || *last == 0) return;
    *first = (int)fmax(*first, fmin(l->copies[k], ceil((x - middle - l->extent[k] - reach) / s->spacing[k] - 1e-6)));
    *last = (int)fmin(*last, fmax(-1, floor((x - middle + l->extent[k] + reach) / s->spacing[k] + 1e-6)));
}

/* May the ball around x with radius reach meet the body? */
static bool may_meet(const struct body *b, int dim, const double x[3], double reach)
{
    double arm[3], out;
    if (b->type == SHAPE_SPHERE) return difference(x, b->a, arm) <= b->radius + reach;
    for (int p = 0; out_of_plane(b, dim, p, x, &out); p++) if (out > reach) return false;
    return true;
}

/* Lists the bodies near a cell, and their copy numbers; returns how many.  The caller frees the arrays. */
static int near_bodies(const struct scene *s, int dim, const double x[3], double reach, struct body **body,
                       int64_t **copy)
{
    int n = 0, room = 0;
    for (int i = 0; i < s->n; i++) {
        const struct lattice *l = &s->lattice[i];
        int first[3], last[3], at[3];
        bool away = l->shape->type == SHAPE_LEVEL;      /* true of most shapes if there are many */
        for (int k = 0; k < dim; k++) away |= x[k] + reach < l->low[k] || x[k] - reach > l->high[k];
        if (away) continue;
        for (int k = 0; k < 3; k++) near_copies(l, k, x[k], reach, &first[k], &last[k]);
        for (at[2] = first[2]; at[2] <= last[2]; at[2]++)
            for (at[1] = first[1]; at[1] <= last[1]; at[1]++)
                for (at[0] = first[0]; at[0] <= last[0]; at[0]++) {
                    struct body b = copy_of(l->shape, at);
                    if (!may_meet(&b, dim, x, reach)) continue;
                    if (n == room) room = 2 * room + 8, RESIZE(*body, room), RESIZE(*copy, room);
                    (*copy)[n] = l->first + ((int64_t)at[2] * l->copies[1] + at[1]) * l->copies[0] + at[0];
                    (*body)[n++] = b;
                }
    }
    return n;
}

static double cell_fraction(const struct scene *s, const struct mesh *m, int32_t cell)
{
    struct simplex *t;
    struct body *body = NULL;
    int64_t *copy = NULL;
    double middle[3], arm[3], reach = 0, volume = 0, total = 0;
    cell_middle(m, cell, middle);
    for (int64_t i = m->cell_start[cell]; i < m->cell_start[cell + 1]; i++)
        reach = fmax(reach, difference(m->vertex + 3 * (int64_t)m->cell_vertex[i], middle, arm));
    int n = near_bodies(s, m->dim, middle, reach, &body, &copy);
    if (!n && !s->levels.n) return 0;
    int parts = cell_simplices(m, cell, &t);
    const struct body **list;
    NEW(list, n + s->levels.n);
    for (int i = 0; i < n; i++) list[i] = &body[i];
    struct cutter k = {m->dim, fmax(1e-12 * reach, 4 * DBL_EPSILON * sqrt(dot(middle, middle)))};
    for (int p = 0; p < parts; p++) {
        for (int i = 0; i < n; i++) {
            if (body_where(&k, &body[i], &t[p]) == OUTSIDE) continue;
            #pragma omp atomic write
            s->met[copy[i]] = 1;
        }
        total += simplex_volume(&t[p], m->dim);
        volume += levels_second_fluid(&s->levels, &k, &t[p], list, n, s->met);
    }
    free(t), free(body), free(copy), free(list);
    double fraction = volume / total;
    return fraction < 1e-13 ? 0 : fraction > 1 - 1e-13 ? 1 : fraction;
}

/* ---------------------------------------------------------------- checks */
static bool check_shape(const struct shape_setting *s, int dim, struct error *e)
{
    const char *place = case_place_text(s->place);
    if (s->length && s->length != dim)
        return refuse(e, EXIT_INPUT, "%s: shapes.%s: its vectors have %d numbers, but the mesh is %d-D: expected %d",
                      place, s->name, s->length, dim, dim);
    if (s->type == SHAPE_SPHERE && !(s->radius > 0))
        return refuse(e, EXIT_INPUT, "%s: shapes.%s.radius = %g: expected a length > 0", place, s->name, s->radius);
    for (int k = 0; k < dim && s->type == SHAPE_BOX; k++)
        if (!(s->to[k] > s->from[k]))
            return refuse(e, EXIT_INPUT, "%s: shapes.%s: to must be greater than from in each direction; found %g and "
                          "%g in direction %c", place, s->name, s->to[k], s->from[k], "xyz"[k]);
    if (s->type == SHAPE_HALF_SPACE && !(dot(s->normal, s->normal) > 0))
        return refuse(e, EXIT_INPUT, "%s: shapes.%s.normal is zero; expected a vector that points out of the second "
                      "fluid", place, s->name);
    bool copied = s->copies[0] > 1 || s->copies[1] > 1 || s->copies[2] > 1;
    if (s->type == SHAPE_HALF_SPACE && copied)
        return refuse(e, EXIT_INPUT, "%s: shapes.%s.copies does not apply to type \"half-space\"; remove it", place,
                      s->name);
    for (int k = 0; k < dim; k++)
        if (s->copies[k] > 1 && !(s->spacing[k] > 0))
            return refuse(e, EXIT_INPUT, "%s: shapes.%s: %d copies in direction %c at a spacing of %g; expected a "
                          "spacing > 0", place, s->name, s->copies[k], "xyz"[k], s->spacing[k]);
    return true;
}

/* The extent of the lattice along direction k, with a margin for rounding. */
static void bound(struct lattice *l, int k)
{
    const struct shape_setting *s = l->shape;
    if (s->type == SHAPE_HALF_SPACE || s->type == SHAPE_LEVEL) {
        l->low[k] = -INFINITY, l->high[k] = INFINITY;
        return;
    }
    double middle = s->type == SHAPE_BOX ? 0.5 * (s->from[k] + s->to[k]) : s->centre[k];
    double length = (l->copies[k] - 1) * s->spacing[k], room = 1e-6 * (l->extent[k] + length + fabs(middle));
    l->low[k] = middle - l->extent[k] - room, l->high[k] = middle + length + l->extent[k] + room;
}

static bool open_scene(struct scene *s, const struct shape_settings *shapes, int dim, struct error *e)
{
    int64_t total = 0;
    s->n = shapes->n;
    NEW(s->lattice, s->n);
    for (int i = 0; i < s->n; i++) {
        const struct shape_setting *shape = &shapes->item[i];
        if (!check_shape(shape, dim, e)) return false;
        struct lattice *l = &s->lattice[i];
        *l = (struct lattice){.shape = shape, .copies = {1, 1, 1}, .first = total};
        for (int k = 0; k < dim; k++) {
            if (shape->copies[k] > 1) l->copies[k] = shape->copies[k];
            l->extent[k] = shape->type == SHAPE_BOX ? 0.5 * (shape->to[k] - shape->from[k]) : shape->radius;
            bound(l, k);
        }
        double copies = (double)l->copies[0] * l->copies[1] * l->copies[2];
        if ((double)total + copies > MOST_COPIES)
            return refuse(e, EXIT_INPUT, "%s: shapes.%s: %g copies are too many; expected at most %d, of all shapes "
                          "together", case_place_text(shape->place), shape->name, copies, MOST_COPIES);
        if (shape->type == SHAPE_LEVEL) levels_add(&s->levels, shape, total);
        total += (int64_t)copies;
    }
    s->n_met = total;
    NEW(s->met, total);
    return true;
}

/* Merges the copies met by cells of all ranks. */
static void meet_over_ranks(const struct scene *s)
{
    uint8_t *all;
    int64_t n = s->n_met;
    if (ranks_count() == 1 || !n) return;
    NEW(all, ranks_count() * n);
    memcpy(all + ranks_own() * n, s->met, (size_t)n);
    ranks_gather(all, (size_t)n);
    for (int64_t i = 0; i < ranks_count() * n; i++) s->met[i % n] |= all[i];
    free(all);
}

/* Rejects a copy that lies entirely outside the mesh. */
static bool check_met(const struct scene *s, const struct mesh *m, struct error *e)
{
    for (int i = 0; i < s->n; i++) {
        const struct lattice *l = &s->lattice[i];
        const struct shape_setting *shape = l->shape;
        int64_t n = (int64_t)l->copies[0] * l->copies[1] * l->copies[2];
        for (int64_t k = 0; k < n; k++) {
            if (s->met[l->first + k]) continue;
            int64_t rest = k / l->copies[0];
            int at[3] = {(int)(k % l->copies[0]), (int)(rest % l->copies[1]), (int)(rest / l->copies[1])};
            struct body b = copy_of(shape, at);
            char where_text[100], copy_text[60] = "";
            if (shape->type == SHAPE_LEVEL)
                return refuse(e, EXIT_INPUT, "%s: shapes.%s.function is negative nowhere in the mesh; expected the "
                              "second fluid where it is negative", case_place_text(shape->place), shape->name);
            if (n > 1) snprintf(copy_text, sizeof copy_text, "copy %d %d %d of ", at[0] + 1, at[1] + 1, at[2] + 1);
            return refuse(e, EXIT_INPUT, "%s: %sshapes.%s (%s %s) lies outside the mesh; move it inside, or remove it",
                          case_place_text(shape->place), copy_text, shape->name,
                          shape->type == SHAPE_SPHERE ? "centre" : shape->type == SHAPE_BOX ? "from" : "point",
                          point_text(m, b.a, where_text));
        }
    }
    return true;
}

static bool check_left(const struct shape_settings *shapes, const double *fraction, int32_t n, struct error *e)
{
    int64_t left = 0;
    for (int32_t i = 0; i < n; i++) left += fraction[i] > 0;
    if (!shapes->n || count_over_ranks(left) > 0) return true;
    return refuse(e, EXIT_INPUT, "%s: the shapes leave nothing of the second fluid: all of it is removed; expected "
                  "one without remove = 1 that is larger than those removed", case_place_text(shapes->item[0].place));
}

/* Rejects a function that is not finite somewhere. */
static bool check_functions(const struct scene *s, const struct mesh *m, const double *fraction, struct error *e)
{
    double middle[3];
    char text[100];
    int which = 0;
    int32_t cell = 0;
    while (which < s->levels.n && !s->levels.wrong[which]) which++;
    if (which == s->levels.n) return true;
    while (!isnan(fraction[cell])) cell++;
    cell_middle(m, cell, middle);
    const struct shape_setting *shape = s->levels.shape[which];
    return refuse(e, EXIT_INPUT, "%s: shapes.%s.function is not a finite number in the cell around %s:\n    %.250s",
                  case_place_text(shape->place), shape->name, point_text(m, middle, text), shape->function.text);
}

/* Rejects a function with sheets of the second fluid, or spots, that are too small to find their volume. */
static bool check_resolved(const struct scene *s, struct error *e)
{
    static const double most = 0.1;
    for (int i = 0; i < s->levels.n; i++) {
        const struct level_volumes v = levels_seen(&s->levels, i);
        const struct shape_setting *shape = s->levels.shape[i];
        if (v.unresolved > most * v.all)
            return refuse(e, EXIT_INPUT, "%s: shapes.%s.function is, or may be, negative in parts that are too small "
                          "to find their volume, like films of about a 64th of a cell or drops of a tenth; expected "
                          "larger ones: change the function, or refine the mesh\n    %.250s",
                          case_place_text(shape->place), shape->name, shape->function.text);
    }
    return true;
}

bool shapes_fraction(const struct shape_settings *shapes, const struct mesh *m, double *fraction, struct error *e)
{
    struct scene s = {0};
    bool good = open_scene(&s, shapes, m->dim, e);
    if (good) {
        #pragma omp parallel for schedule(dynamic, 64)
        for (int32_t cell = 0; cell < m->n_cells; cell++) fraction[cell] = cell_fraction(&s, m, cell);
        meet_over_ranks(&s);
        good = ranks_agree(check_functions(&s, m, fraction, e), e) && check_resolved(&s, e) && check_met(&s, m, e) &&
               check_left(shapes, fraction, m->n_cells, e);
    }
    levels_free(&s.levels);
    free(s.lattice), free(s.met);
    return good;
}
