#include "interface/near.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "mesh/part.h"
#include "mesh/shared.h"
#include "mesh/twins.h"

enum { MOST_IMAGES = 27 };

/* A vertex and its images: all vertices that are reached from it through joints, each with its shift. */
struct images { int n; int32_t vertex[MOST_IMAGES]; double shift[MOST_IMAGES][3]; };
struct key { int32_t cell; uint8_t code; };

static int compare_keys(const void *p, const void *q)
{
    const struct key *a = p, *b = q;
    return a->cell != b->cell ? (a->cell > b->cell) - (a->cell < b->cell) : (a->code > b->code) - (a->code < b->code);
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
                   (found->vertex[j] != t->twin[k].to || twins_distance(found->shift[j], shift, (double[3]){0}) > room))
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
    while (code < n->n_shifts && twins_distance(n->shift[code], shift, (double[3]){0}) > room) code++;
    if (code == N_SHIFTS) return -1;
    if (code == n->n_shifts) memcpy(n->shift[n->n_shifts++], shift, 3 * sizeof *shift);
    return code;
}

/* The cells of a part by vertex, in CSR, both with their numbers in the whole mesh. */
static void cells_of_vertices(const struct mesh *m, int64_t **start, int32_t **cell)
{
    const struct mesh *w = mesh_whole(m);
    int64_t *end;
    NEW(*start, w->n_vertices + 1), NEW(end, w->n_vertices), NEW(*cell, m->cell_start[m->n_all]);
    for (int32_t i = 0, c; i < m->n_all; i++)
        if ((c = mesh_cell_in_whole(m, i)) >= 0)
            for (int64_t k = w->cell_start[c]; k < w->cell_start[c + 1]; k++) (*start)[w->cell_vertex[k] + 1]++;
    for (int32_t v = 0; v < w->n_vertices; v++) (*start)[v + 1] += (*start)[v];
    memcpy(end, *start, (size_t)w->n_vertices * sizeof *end);
    for (int32_t i = 0, c; i < m->n_all; i++)
        if ((c = mesh_cell_in_whole(m, i)) >= 0)
            for (int64_t k = w->cell_start[c]; k < w->cell_start[c + 1]; k++)
                (*cell)[end[w->cell_vertex[k]]++] = c;
    free(end);
}

/* With numbers of the whole mesh, which say in which order near cells come, so that every rank has the order of one. */
struct search {
    const struct mesh *whole;
    struct twins twins;
    int64_t *start;             /* cells by vertex */
    int32_t *cell;
    struct key *key;            /* those found */
    int64_t n, room;
};

/* Differences of places below this count as none. */
static double blur(const struct mesh *whole, int32_t cell)
{
    return 1e-3 * (whole->dim == 2 ? sqrt(whole->cell_volume[cell]) : cbrt(whole->cell_volume[cell]));
}

/* The code of the shift by which cells round image i of a vertex are seen; -1: there are too many shifts. */
static int code_of_image(struct near_cells *near, const struct images *images, int i, double room)
{
    double back[3] = {-images->shift[i][0], -images->shift[i][1], -images->shift[i][2]};
    return images->n == 1 ? 0 : shift_code(near, back, room);
}

/* Gives all shifts their codes, in the order of the cells. */
static bool find_shifts(const struct search *s, struct near_cells *near)
{
    const struct mesh *w = s->whole;
    for (int32_t c = 0; c < w->n_cells && w->n_joints; c++)
        for (int64_t k = w->cell_start[c]; k < w->cell_start[c + 1]; k++) {
            struct images images;
            int32_t v = w->cell_vertex[k];
            if (s->twins.start[v] == s->twins.start[v + 1]) continue;
            if (!find_images(&images, &s->twins, v, blur(w, c))) return false;
            for (int i = 0; i < images.n; i++) if (code_of_image(near, &images, i, blur(w, c)) < 0) return false;
        }
    return true;
}

/* Puts all cells round vertex v of cell c on the search's list of keys. */
static void gather(struct search *s, struct near_cells *near, int32_t c, int32_t v)
{
    struct images images;
    find_images(&images, &s->twins, v, blur(s->whole, c));
    for (int i = 0; i < images.n; i++) {
        int code = code_of_image(near, &images, i, blur(s->whole, c));
        for (int64_t k = s->start[images.vertex[i]]; k < s->start[images.vertex[i] + 1]; k++) {
            if (s->cell[k] == c && code == 0) continue;
            if (s->n == s->room) { s->room = 2 * s->room + 256; RESIZE(s->key, s->room); }
            s->key[s->n++] = (struct key){s->cell[k], (uint8_t)code};
        }
    }
}

/* Adds the near cells of cell c of the whole mesh to the lists; here: numbers in the part. */
static void list_near(struct search *s, struct near_cells *near, int32_t c, const int32_t *here, int64_t *room)
{
    const struct mesh *w = s->whole;
    int64_t at = near->n;
    s->n = 0;
    for (int64_t k = w->cell_start[c]; k < w->cell_start[c + 1]; k++) gather(s, near, c, w->cell_vertex[k]);
    if (at + s->n > *room) { *room = 2 * *room + s->n; RESIZE(near->cell, *room); RESIZE(near->code, *room); }
    sort(s->key, s->n, sizeof *s->key, compare_keys);
    for (int64_t k = 0; k < s->n; k++) {
        if (k && !compare_keys(&s->key[k - 1], &s->key[k])) continue;
        near->cell[at] = here ? here[s->key[k].cell] : s->key[k].cell, near->code[at++] = s->key[k].code;
    }
    near->n = at;
}

/* Marks the copies that the lists from `first` on name and that have no mark yet. */
static void mark_copies(const struct mesh *m, const struct near_cells *near, int64_t first, uint8_t mark)
{
    for (int64_t k = first; k < near->n; k++)
        if (near->cell[k] >= m->n_cells && !near->layer[near->cell[k]]) near->layer[near->cell[k]] = mark;
}

bool near_cells_find(struct near_cells *near, const struct mesh *m, struct error *e)
{
    struct search s = {.whole = mesh_whole(m)};
    int64_t room = 16 * (int64_t)m->n_cells;
    int32_t *here = m->part ? mesh_cells_here(m) : NULL;
    *near = (struct near_cells){.n_shifts = 1};
    twins_find(&s.twins, s.whole);
    cells_of_vertices(m, &s.start, &s.cell);
    NEW(near->start, m->n_all + 1), NEW(near->cell, room), NEW(near->code, room), NEW(near->layer, m->n_all);
    bool ok = find_shifts(&s, near);
    for (int32_t c = 0; c < m->n_all && ok; c++) {
        if (c == m->n_cells) mark_copies(m, near, 0, 1);
        if (c < m->n_cells || near->layer[c] == 1) list_near(&s, near, mesh_cell_in_whole(m, c), here, &room);
        near->start[c + 1] = near->n;
    }
    if (ok) mark_copies(m, near, near->start[m->n_cells], 2);
    mesh_shared_rest(s.whole);
    twins_free(&s.twins), free(s.start), free(s.cell), free(s.key), free(here);
    return ok || refuse(e, EXIT_INPUT, "%s: the periodic boundaries join cells by more than %d different shifts; an "
                        "interface needs at most one pair of periodic boundaries for each direction", m->source,
                        N_SHIFTS);
}

void near_cells_free(struct near_cells *n)
{
    free(n->start), free(n->cell), free(n->code), free(n->layer);
    *n = (struct near_cells){0};
}
