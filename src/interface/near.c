#include "interface/near.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "mesh/cells.h"

enum { MOST_IMAGES = 27 };

/* A vertex on a joint has a twin on the other side: seen through the joint, that one is at the same place, its own
 * place plus the shift. */
struct twin { int32_t from, to; double shift[3]; };
struct twins { struct twin *twin; int64_t n; int64_t *start; };         /* start: [n_vertices + 1] by from */
/* A vertex and its images: all vertices that are reached from it through joints, each with its shift. */
struct images { int n; int32_t vertex[MOST_IMAGES]; double shift[MOST_IMAGES][3]; };
struct key { int32_t cell; uint8_t code; };

static int compare_twins(const void *p, const void *q)
{
    const struct twin *a = p, *b = q;
    return a->from != b->from ? (a->from > b->from) - (a->from < b->from) : (a->to > b->to) - (a->to < b->to);
}

static int compare_keys(const void *p, const void *q)
{
    const struct key *a = p, *b = q;
    return a->cell != b->cell ? (a->cell > b->cell) - (a->cell < b->cell) : (a->code > b->code) - (a->code < b->code);
}

static double distance(const double *a, const double *b, const double *shift)
{
    double sum = 0;
    for (int k = 0; k < 3; k++) sum += (a[k] + shift[k] - b[k]) * (a[k] + shift[k] - b[k]);
    return sqrt(sum);
}

/* The face of `cell` whose middle is nearest to `at`. */
static int face_at(const struct mesh *m, int32_t cell, const double at[3])
{
    static const double none[3] = {0};
    int best = 0;
    double least = INFINITY;
    for (int l = 0; l < cell_shape[m->cell_type[cell]].n_faces; l++) {
        double corner[4][3], middle[3] = {0};
        int n = cell_face(m, cell, l, corner, NULL);
        for (int i = 0; i < 3 * n; i++) middle[i % 3] += corner[i / 3][i % 3] / n;
        double d = distance(middle, at, none);
        if (d < least) least = d, best = l;
    }
    return best;
}

static void add_twins(struct twins *t, const struct mesh *m, int32_t joint)
{
    int32_t f = m->joint_face[joint], own[4], other[4];
    const double *shift = m->joint_shift + 3 * (int64_t)joint;
    double a[4][3], b[4][3], middle[3] = {0};
    int n = cell_face(m, m->face_owner[f], m->face_local[f], a, own);
    for (int i = 0; i < 3 * n; i++) middle[i % 3] += a[i / 3][i % 3] / n;
    for (int k = 0; k < 3; k++) middle[k] += shift[k];
    int32_t neighbour = m->face_neighbour[f];
    cell_face(m, neighbour, face_at(m, neighbour, middle), b, other);
    for (int i = 0; i < n; i++) {
        int best = 0;
        for (int j = 1; j < n; j++) if (distance(a[i], b[j], shift) < distance(a[i], b[best], shift)) best = j;
        t->twin[t->n++] = (struct twin){own[i], other[best], {shift[0], shift[1], shift[2]}};
        t->twin[t->n++] = (struct twin){other[best], own[i], {-shift[0], -shift[1], -shift[2]}};
    }
}

static void find_twins(struct twins *t, const struct mesh *m)
{
    *t = (struct twins){0};
    NEW(t->twin, 8 * (int64_t)m->n_joints), NEW(t->start, m->n_vertices + 1);
    for (int32_t j = 0; j < m->n_joints; j++) add_twins(t, m, j);
    sort(t->twin, t->n, sizeof *t->twin, compare_twins);
    for (int64_t k = 0; k < t->n; k++) t->start[t->twin[k].from + 1]++;
    for (int32_t v = 0; v < m->n_vertices; v++) t->start[v + 1] += t->start[v];
}

static bool find_images(struct images *found, const struct twins *t, int32_t v, double room)
{
    *found = (struct images){.n = 1, .vertex = {v}};
    for (int i = 0; i < found->n; i++)
        for (int64_t k = t->start[found->vertex[i]]; k < t->start[found->vertex[i] + 1]; k++) {
            double shift[3];
            int j = 0;
            for (int l = 0; l < 3; l++) shift[l] = found->shift[i][l] + t->twin[k].shift[l];
            while (j < found->n &&
                   (found->vertex[j] != t->twin[k].to || distance(found->shift[j], shift, (double[3]){0}) > room))
                j++;
            if (j < found->n) continue;
            /* Has the way gone once round the domain, back to a vertex that is there already but with another shift? */
            bool round_trip = false;
            for (int l = 0; l < found->n; l++) round_trip |= found->vertex[l] == t->twin[k].to;
            if (round_trip) continue;
            if (found->n == MOST_IMAGES) return false;
            found->vertex[found->n] = t->twin[k].to;
            memcpy(found->shift[found->n++], shift, sizeof shift);
        }
    return true;
}

/* The code of a shift, a new one when it has none yet.  -1: there are too many. */
static int shift_code(struct near_cells *n, const double shift[3], double room)
{
    int code = 0;
    while (code < n->n_shifts && distance(n->shift[code], shift, (double[3]){0}) > room) code++;
    if (code == N_SHIFTS) return -1;
    if (code == n->n_shifts) memcpy(n->shift[n->n_shifts++], shift, 3 * sizeof *shift);
    return code;
}

/* Cells by vertex, in CSR. */
static void cells_of_vertices(const struct mesh *m, int64_t **start, int32_t **cell)
{
    int64_t *end;
    NEW(*start, m->n_vertices + 1), NEW(end, m->n_vertices), NEW(*cell, m->cell_start[m->n_cells]);
    for (int64_t k = 0; k < m->cell_start[m->n_cells]; k++) (*start)[m->cell_vertex[k] + 1]++;
    for (int32_t v = 0; v < m->n_vertices; v++) (*start)[v + 1] += (*start)[v];
    memcpy(end, *start, (size_t)m->n_vertices * sizeof *end);
    for (int32_t c = 0; c < m->n_cells; c++)
        for (int64_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++) (*cell)[end[m->cell_vertex[k]]++] = c;
    free(end);
}

struct search { const struct mesh *m; struct twins twins; int64_t *start; int32_t *cell; struct key *key;
                int64_t n, room; };

/* Puts all cells round vertex v of cell c on the search's list of keys. */
static bool gather(struct search *s, struct near_cells *near, int32_t c, int32_t v, double room)
{
    struct images images;
    if (!find_images(&images, &s->twins, v, room)) return false;
    for (int i = 0; i < images.n; i++) {
        double back[3] = {-images.shift[i][0], -images.shift[i][1], -images.shift[i][2]};
        int code = images.n == 1 ? 0 : shift_code(near, back, room);
        if (code < 0) return false;
        for (int64_t k = s->start[images.vertex[i]]; k < s->start[images.vertex[i] + 1]; k++) {
            if (s->cell[k] == c && code == 0) continue;
            if (s->n == s->room) { s->room = 2 * s->room + 256; RESIZE(s->key, s->room); }
            s->key[s->n++] = (struct key){s->cell[k], (uint8_t)code};
        }
    }
    return true;
}

bool near_cells_find(struct near_cells *near, const struct mesh *m, struct error *e)
{
    struct search s = {.m = m};
    bool ok = true;
    int64_t room = 16 * (int64_t)m->n_cells;
    *near = (struct near_cells){.n_shifts = 1};
    find_twins(&s.twins, m);
    cells_of_vertices(m, &s.start, &s.cell);
    NEW(near->start, m->n_cells + 1), NEW(near->cell, room), NEW(near->code, room);
    for (int32_t c = 0; c < m->n_cells && ok; c++) {
        double size = 1e-3 * (m->dim == 2 ? sqrt(m->cell_volume[c]) : cbrt(m->cell_volume[c]));
        int64_t at = near->start[c];
        s.n = 0;
        for (int64_t k = m->cell_start[c]; k < m->cell_start[c + 1] && ok; k++)
            ok = gather(&s, near, c, m->cell_vertex[k], size);
        if (at + s.n > room) { room = 2 * room + s.n; RESIZE(near->cell, room); RESIZE(near->code, room); }
        sort(s.key, s.n, sizeof *s.key, compare_keys);
        for (int64_t k = 0; k < s.n; k++) {
            if (k && !compare_keys(&s.key[k - 1], &s.key[k])) continue;
            near->cell[at] = s.key[k].cell, near->code[at++] = s.key[k].code;
        }
        near->start[c + 1] = at;
    }
    free(s.twins.twin), free(s.twins.start), free(s.start), free(s.cell), free(s.key);
    return ok || refuse(e, EXIT_INPUT, "%s: the periodic boundaries join cells by more than %d different shifts; an "
                        "interface needs at most one pair of periodic boundaries for each direction", m->source,
                        N_SHIFTS);
}
