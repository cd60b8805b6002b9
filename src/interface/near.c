/* Finds the cells that share a vertex, across periodic faces too (near.h). */
#include "interface/near.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "base/order.h"
#include "mesh/part.h"
#include "mesh/shared.h"
#include "mesh/twins.h"

enum { MOST_IMAGES = 27 };

/* A vertex and its images: all vertices that it is identified with by periodic faces, each with its shift. */
struct images { int n; int32_t vertex[MOST_IMAGES]; double shift[MOST_IMAGES][3]; };
struct key { int32_t cell, here; uint8_t code; };       /* a cell of the whole mesh, its number in the part */

static int compare_keys(const void *p, const void *q)
{
    const struct key *a = p, *b = q;
    return a->cell != b->cell ? (a->cell > b->cell) - (a->cell < b->cell) : (a->code > b->code) - (a->code < b->code);
}

static bool find_images(struct images *found, const struct twins *t, int32_t v, double room)
{
    *found = (struct images){.n = 1, .vertex = {v}};
    for (int i = 0; i < found->n; i++)
        for (int64_t k = twins_first(t, found->vertex[i]); k < t->n && t->twin[k].from == found->vertex[i]; k++) {
            double shift[3];
            int j = 0;
            for (int l = 0; l < 3; l++) shift[l] = found->shift[i][l] + t->twin[k].shift[l];
            while (j < found->n &&
                   (found->vertex[j] != t->twin[k].to || twins_distance(found->shift[j], shift, (double[3]){0}) > room))
                j++;
            if (j < found->n) continue;
            /* Has the search gone around the domain, back to a known vertex with another shift? */
            bool round_trip = false;
            for (int l = 0; l < found->n; l++) round_trip |= found->vertex[l] == t->twin[k].to;
            if (round_trip) continue;
            if (found->n == MOST_IMAGES) return false;
            found->vertex[found->n] = t->twin[k].to;
            memcpy(found->shift[found->n++], shift, sizeof shift);
        }
    return true;
}

/* The code of a shift, possibly a new one.  -1: too many shifts. */
static int shift_code(struct near_cells *n, const double shift[3], double room)
{
    int code = 0;
    while (code < n->n_shifts && twins_distance(n->shift[code], shift, (double[3]){0}) > room) code++;
    if (code == N_SHIFTS) return -1;
    if (code == n->n_shifts) memcpy(n->shift[n->n_shifts++], shift, 3 * sizeof *shift);
    return code;
}

/* Near cells are ordered by their numbers in the whole mesh, so that the order is the same as with one rank. */
struct search {
    const struct mesh *m, *whole;
    struct twins twins;
    int32_t *vertex;            /* [n_vertices of m] numbers in the whole mesh, ascending; NULL: m is the whole mesh */
    int64_t *start;             /* cells of m by its vertices, in CSR */
    int32_t *cell;
    struct key *key;            /* those found */
    int64_t n, room;
};

static void find_vertices(struct search *s)
{
    const struct mesh *m = s->m, *w = s->whole;
    if (!m->part) return;
    NEW(s->vertex, m->n_vertices);
    for (int32_t c = 0; c < m->n_all; c++)
        for (int64_t k = m->cell_start[c], i = 0; k < m->cell_start[c + 1]; k++, i++)
            s->vertex[m->cell_vertex[k]] = w->cell_vertex[w->cell_start[mesh_cell_in_whole(m, c)] + i];
}

/* The number in m of a vertex of the whole mesh; -1: not in m. */
static int32_t vertex_here(const struct search *s, int32_t v)
{
    return s->vertex ? (int32_t)find_number(s->vertex, s->m->n_vertices, v) : v;
}

/* Smaller differences of positions count as zero. */
static double blur(const struct mesh *whole, int32_t cell)
{
    return 1e-3 * mesh_edge(whole->cell_volume[cell], whole->dim);
}

/* The code of the shift of cells around image i of a vertex; -1: too many shifts. */
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
            if (!s->twins.has[v]) continue;
            if (!find_images(&images, &s->twins, v, blur(w, c))) return false;
            for (int i = 0; i < images.n; i++) if (code_of_image(near, &images, i, blur(w, c)) < 0) return false;
        }
    return true;
}

/* Adds all cells around a vertex of m and of its cell `own` to the search's list of keys. */
static void gather(struct search *s, struct near_cells *near, int32_t own, int32_t vertex)
{
    struct images images;
    const int32_t c = mesh_cell_in_whole(s->m, own);
    find_images(&images, &s->twins, s->vertex ? s->vertex[vertex] : vertex, blur(s->whole, c));
    for (int i = 0; i < images.n; i++) {
        int code = code_of_image(near, &images, i, blur(s->whole, c));
        const int32_t v = i ? vertex_here(s, images.vertex[i]) : vertex;
        for (int64_t k = v < 0 ? 0 : s->start[v]; v >= 0 && k < s->start[v + 1]; k++) {
            if (s->cell[k] == own && code == 0) continue;
            if (s->n == s->room) { s->room = 2 * s->room + 256; RESIZE(s->key, s->room); }
            s->key[s->n++] = (struct key){mesh_cell_in_whole(s->m, s->cell[k]), s->cell[k], (uint8_t)code};
        }
    }
}

/* Adds the near cells of cell c to the lists. */
static void list_near(struct search *s, struct near_cells *near, int32_t c, int64_t *room)
{
    const struct mesh *m = s->m;
    int64_t at = near->n;
    s->n = 0;
    for (int64_t k = m->cell_start[c]; k < m->cell_start[c + 1]; k++) gather(s, near, c, m->cell_vertex[k]);
    if (at + s->n > *room) { *room = 2 * *room + s->n; RESIZE(near->cell, *room); RESIZE(near->code, *room); }
    sort(s->key, s->n, sizeof *s->key, compare_keys);
    for (int64_t k = 0; k < s->n; k++) {
        if (k && !compare_keys(&s->key[k - 1], &s->key[k])) continue;
        near->cell[at] = s->key[k].here, near->code[at++] = s->key[k].code;
    }
    near->n = at;
}

/* Marks the ghosts in the lists from `first` on that are not marked yet. */
static void mark_copies(const struct mesh *m, const struct near_cells *near, int64_t first, uint8_t mark)
{
    for (int64_t k = first; k < near->n; k++)
        if (near->cell[k] >= m->n_cells && !near->layer[near->cell[k]]) near->layer[near->cell[k]] = mark;
}

bool near_cells_find(struct near_cells *near, const struct mesh *m, struct error *e)
{
    struct search s = {.m = m, .whole = mesh_whole(m)};
    int64_t room = 16 * (int64_t)m->n_cells;
    *near = (struct near_cells){.n_shifts = 1};
    twins_find(&s.twins, s.whole);
    find_vertices(&s), mesh_cells_of_vertices(m, m->n_all, &s.start, &s.cell);
    NEW(near->start, m->n_all + 1), NEW(near->cell, room), NEW(near->code, room), NEW(near->layer, m->n_all);
    bool ok = find_shifts(&s, near);
    for (int32_t c = 0; c < m->n_all && ok; c++) {
        if (c == m->n_cells) mark_copies(m, near, 0, 1);
        if (c < m->n_cells || near->layer[c] == 1) list_near(&s, near, c, &room);
        near->start[c + 1] = near->n;
    }
    if (ok) mark_copies(m, near, near->start[m->n_cells], 2);
    mesh_shared_rest(s.whole);
    twins_free(&s.twins), free(s.vertex), free(s.start), free(s.cell), free(s.key);
    return ok || refuse(e, EXIT_INPUT, "%s: the periodic boundaries join cells by more than %d different shifts; an "
                        "interface needs at most one pair of periodic boundaries for each direction", m->source,
                        N_SHIFTS);
}

void near_cells_free(struct near_cells *n)
{
    free(n->start), free(n->cell), free(n->code), free(n->layer);
    *n = (struct near_cells){0};
}
