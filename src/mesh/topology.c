/* Builds the faces of a mesh from its cells.  Every face of every cell, and every boundary face in the file, is called
 * a half and goes into the bucket of its lowest vertex; inside a bucket, halves with the same vertices form one
 * face. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/cells.h"

/* Number of a half: as in struct halves for a cell's face; numbers of named boundary faces follow.  n: number of
 * vertices; v: the next three lowest vertices after the lowest one, ascending, padded with -1 in front.  No two faces
 * of a mesh have the same four lowest vertices and n. */
struct entry { int32_t n, v[3]; uint32_t half; };

enum trouble { THREE_CELLS, IN_NO_PATCH, IN_TWO_PATCHES, INTERIOR, OF_NO_CELL, N_TROUBLES };
struct finding { int64_t count; uint32_t half[3]; };    /* errors of one kind; halves of the one with the lowest
                                                           half[0] */

struct search {
    const struct mesh *m;
    struct halves h;
    uint32_t n_halves;          /* h.n */
    uint32_t *start, *entry;    /* buckets by lowest vertex */
    int32_t *mate;              /* [n_halves] half on the other side, MATE_OF_PATCH(p), or -1: no such face */
    uint32_t *marked_half;      /* [n_marked] the cell's half for each */
    struct finding found[N_TROUBLES];
};

/* The vertices of a half; returns how many. */
static int half_vertices(const struct search *s, uint32_t half, const int32_t **v)
{
    if (half < s->n_halves) {
        *v = s->h.vertex + s->h.start[half];
        return (int)(s->h.start[half + 1] - s->h.start[half]);
    }
    const int64_t *start = s->m->marked_start + (half - s->n_halves);
    *v = s->m->marked_vertex + start[0];
    return (int)(start[1] - start[0]);
}

static int32_t lowest_vertex(const struct search *s, uint32_t half)
{
    const int32_t *v;
    int n = half_vertices(s, half, &v);
    int32_t least = v[0];
    for (int i = 1; i < n; i++) least = v[i] < least ? v[i] : least;
    return least;
}

static void fill_entry(struct entry *x, const struct search *s, uint32_t half)
{
    const int32_t *v, least = lowest_vertex(s, half);
    int32_t low[3];
    int n = half_vertices(s, half, &v), k = 0;
    for (int i = 0; i < n; i++) {
        int at = k;
        if (v[i] == least) continue;
        for (; at > 0 && low[at - 1] > v[i]; at--) if (at < 3) low[at] = low[at - 1];
        if (at < 3) low[at] = v[i], k += k < 3;
    }
    *x = (struct entry){n, {-1, -1, -1}, half};
    for (int i = 0; i < k; i++) x->v[3 - k + i] = low[i];
}

/* Builds buckets by counting.  Their inner order depends on the threads; sort_bucket() removes that dependence. */
static void fill_buckets(struct search *s)
{
    const struct mesh *m = s->m;
    uint32_t *start = s->start;
    for (int pass = 0; pass < 2; pass++) {
        #pragma omp parallel for schedule(static)
        for (uint32_t h = 0; h < s->n_halves; h++) {
            uint32_t at, *count = &start[lowest_vertex(s, h)];
            if (pass == 0) {
                #pragma omp atomic
                ++*count;
            } else {
                #pragma omp atomic capture
                at = --*count;
                s->entry[at] = h;
            }
        }
        for (uint32_t h = s->n_halves; h < s->n_halves + (uint32_t)m->n_marked; h++) {
            int32_t v = lowest_vertex(s, h);
            if (pass == 0) start[v]++;
            else s->entry[--start[v]] = h;
        }
        if (pass == 0) {
            for (int32_t v = 0; v < m->n_vertices; v++) start[v + 1] += start[v];   /* ends; pass 1 turns them into
                                                                                       starts */
            NEW(s->entry, start[m->n_vertices]);
        }
    }
}

static int compare_entries(const void *p, const void *q)
{
    const struct entry *a = p, *b = q;
    if (a->n != b->n) return a->n < b->n ? -1 : 1;
    for (int i = 0; i < 3; i++) if (a->v[i] != b->v[i]) return a->v[i] < b->v[i] ? -1 : 1;
    return (a->half > b->half) - (a->half < b->half);
}

static void sort_bucket(struct entry *x, uint32_t n)
{
    if (n > 64) {
        qsort(x, n, sizeof *x, compare_entries);
        return;
    }
    for (uint32_t i = 1; i < n; i++) {
        struct entry one = x[i];
        uint32_t j = i;
        for (; j > 0 && compare_entries(&one, &x[j - 1]) < 0; j--) x[j] = x[j - 1];
        x[j] = one;
    }
}

static void note_finding(struct search *s, enum trouble t, uint32_t h0, uint32_t h1, uint32_t h2)
{
    #pragma omp critical
    {
        struct finding *f = &s->found[t];
        if (!f->count++ || h0 < f->half[0]) f->half[0] = h0, f->half[1] = h1, f->half[2] = h2;
    }
}

/* Classifies the face with halves x[0 .. n-1], in which those of cells come first. */
static void settle_face(struct search *s, const struct entry *x, uint32_t n)
{
    uint32_t cells = 0, marks;
    while (cells < n && x[cells].half < s->n_halves) cells++;
    marks = n - cells;
    if (cells == 0) note_finding(s, OF_NO_CELL, x[0].half, 0, 0);
    else if (cells > 2) note_finding(s, THREE_CELLS, x[0].half, x[1].half, x[2].half);
    else if (cells == 2 && marks) note_finding(s, INTERIOR, x[2].half, x[0].half, x[1].half);
    else if (cells == 2) {
        s->mate[x[0].half] = (int32_t)x[1].half;
        s->mate[x[1].half] = (int32_t)x[0].half;
    } else if (marks == 0) note_finding(s, IN_NO_PATCH, x[0].half, 0, 0);
    else if (marks > 1) note_finding(s, IN_TWO_PATCHES, x[1].half, x[2].half, 0);
    else {
        uint32_t mark = x[1].half - s->n_halves;
        s->mate[x[0].half] = MATE_OF_PATCH(s->m->marked_patch[mark]);
        s->marked_half[mark] = x[0].half;
    }
}

static void match_buckets(struct search *s)
{
    uint32_t widest = 0;
    for (int32_t v = 0; v < s->m->n_vertices; v++)
        if (s->start[v + 1] - s->start[v] > widest) widest = s->start[v + 1] - s->start[v];
    #pragma omp parallel
    {
        struct entry *x;
        NEW(x, widest);
        #pragma omp for schedule(dynamic, 4096)
        for (int32_t v = 0; v < s->m->n_vertices; v++) {
            uint32_t n = s->start[v + 1] - s->start[v];
            for (uint32_t i = 0; i < n; i++) fill_entry(&x[i], s, s->entry[s->start[v] + i]);
            sort_bucket(x, n);
            for (uint32_t i = 0, j; i < n; i = j) {
                for (j = i + 1; j < n && x[i].n == x[j].n && !memcmp(x[i].v, x[j].v, sizeof x[i].v);) j++;
                settle_face(s, x + i, j - i);
            }
        }
        free(x);
    }
}

/* The centre of a half, as text. */
static const char *half_text(const struct search *s, uint32_t half, char text[100])
{
    const int32_t *v;
    int n = half_vertices(s, half, &v);
    double x[3] = {0};
    for (int i = 0; i < n; i++)
        for (int k = 0; k < 3; k++) x[k] += s->m->vertex[3 * (int64_t)v[i] + k] / n;
    return point_text(s->m, x, text);
}

static const char *half_patch(const struct search *s, uint32_t half)
{
    return s->m->patch[s->m->marked_patch[half - s->n_halves]].name;
}

static bool explain(const struct search *s, struct error *e)
{
    const struct mesh *m = s->m;
    const char *kind = m->dim == 2 ? "Curve" : "Surface", *side = m->dim == 2 ? "curve" : "surface";
    char at[100], a[160], b[160], c[160];
    const struct finding *f = s->found;
#define CELL_OF(half, text) cell_text(m, s->h.cell[half], text)
    if (f[THREE_CELLS].count) {
        const uint32_t *h = f[THREE_CELLS].half;
        refuse(e, EXIT_INPUT, "%s: %lld face(s) belong to three cells or more, the first at %s: %s, %s, %s\n"
               "  parts of the mesh overlap", m->source, (long long)f[THREE_CELLS].count,
               half_text(s, h[0], at), CELL_OF(h[0], a), CELL_OF(h[1], b), CELL_OF(h[2], c));
        return mesh_advise(m, e, "write every cell once", "in the .geo let no two volumes or surfaces cover the same "
                           "place (BooleanFragments, Coherence;), and mesh again");
    }
    if (f[INTERIOR].count) {
        const uint32_t *h = f[INTERIOR].half;
        refuse(e, EXIT_INPUT, "%s: %lld face(s) of boundaries lie inside the mesh, the first at %s in \"%s\", between "
               "%s and %s", m->source, (long long)f[INTERIOR].count, half_text(s, h[0], at), half_patch(s, h[0]),
               CELL_OF(h[1], a), CELL_OF(h[2], b));
        return mesh_advise(m, e, "a boundary must be on the outside: remove these faces from it", "a boundary must be "
                           "on the outside; remove that %s from Physical %s(\"%s\")", side, kind, half_patch(s, h[0]));
    }
    if (f[OF_NO_CELL].count) {
        uint32_t h = f[OF_NO_CELL].half[0];
        refuse(e, EXIT_INPUT, "%s: %lld face(s) of boundaries are faces of no cell, the first at %s in \"%s\"",
               m->source, (long long)f[OF_NO_CELL].count, half_text(s, h, at), half_patch(s, h));
        return mesh_advise(m, e, "include the adjacent cells, or remove these faces from the boundary",
                           "the adjacent part has no cells in the file; name it too, for example Physical %s("
                           "\"fluid\") = {1};", m->dim == 2 ? "Surface" : "Volume");
    }
    if (f[IN_TWO_PATCHES].count) {
        const uint32_t *h = f[IN_TWO_PATCHES].half;
        refuse(e, EXIT_INPUT, "%s: %lld boundary face(s) are in two boundaries or twice in one, the first at %s in "
               "\"%s\" and \"%s\"", m->source, (long long)f[IN_TWO_PATCHES].count, half_text(s, h[0], at),
               half_patch(s, h[0]), half_patch(s, h[1]));
        return mesh_advise(m, e, "write every boundary face once, in one boundary",
                           "every %s must be in only one Physical %s", side, kind);
    }
    uint32_t h = f[IN_NO_PATCH].half[0];
    refuse(e, EXIT_INPUT, "%s: %lld boundary face(s) are in no boundary, the first at %s, of %s", m->source,
           (long long)f[IN_NO_PATCH].count, half_text(s, h, at), CELL_OF(h, a));
    return mesh_advise(m, e, "every outer face must be in a named boundary; adjacent cells must share their "
                       "vertices", "name the outer %ss in the .geo, for example Physical %s(\"walls\") = "
                       "{1, 2};", side, kind);
#undef CELL_OF
}

/* Numbers the faces from the mates: internal ones by owner, then neighbour, then the order of the owner's faces.  half:
 * [n_faces] of the owner; allocated here. */
static void number_faces(struct mesh *m, const struct halves *h, const int32_t *mate, int32_t **half)
{
    int32_t *first, *next;
    NEW(first, m->n_cells + 1), NEW(next, m->n_patches);
#define OTHER(k) (mate[k] >= 0 ? h->cell[mate[k]] : -1)         /* the cell on the other side */
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < m->n_cells; c++)
        for (int64_t k = m->cell_face_start[c]; k < m->cell_face_start[c + 1]; k++) first[c + 1] += OTHER(k) > c;
    for (int32_t c = 0; c < m->n_cells; c++) first[c + 1] += first[c];
    m->n_faces = m->n_internal = m->n_active = first[m->n_cells];
    for (int p = 0; p < m->n_patches; p++) m->patch[p].count = 0;
    for (int32_t k = 0; k < h->n; k++) if (mate[k] < -1) m->patch[MATE_OF_PATCH(mate[k])].count++;
    for (int p = 0; p < m->n_patches; p++) {
        m->patch[p].first = next[p] = m->n_faces;
        m->n_faces += m->patch[p].count;
    }
    NEW(m->face_owner, m->n_faces), NEW(m->face_neighbour, m->n_internal), NEW(*half, m->n_faces);
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < m->n_cells; c++) {
        int32_t f = first[c], n = 0;
        for (int64_t k = m->cell_face_start[c]; k < m->cell_face_start[c + 1]; k++) {
            int32_t neighbour = OTHER(k), i = n;
            if (neighbour <= c) continue;
            for (; i > 0 && m->face_neighbour[f + i - 1] > neighbour; i--) {
                m->face_neighbour[f + i] = m->face_neighbour[f + i - 1];
                (*half)[f + i] = (*half)[f + i - 1];
            }
            m->face_neighbour[f + i] = neighbour, (*half)[f + i] = (int32_t)k;
            m->face_owner[f + n++] = c;
        }
    }
#undef OTHER
    for (int32_t k = 0; k < h->n; k++)
        if (mate[k] < -1) {
            int32_t f = next[MATE_OF_PATCH(mate[k])]++;
            m->face_owner[f] = h->cell[k], (*half)[f] = k;
        }
    free(first), free(next);
}

/* How the cell of half k sees ring r, which belongs to another cell: its entries of cell_face and cell_face_first. */
static void see_ring(struct mesh *m, const struct halves *h, int32_t r, int32_t k)
{
    const int32_t *ring = m->face_vertex + m->face_start[r], *own = h->vertex + h->start[k];
    int n = (int)(m->face_start[r + 1] - m->face_start[r]), first = 0;
    while (first + 1 < n && ring[first] != own[0]) first++;
    m->cell_face[k] = ring[(first + n - 1) % n] == own[1] ? -(r + 1) : r + 1;
    m->cell_face_first[k] = (uint8_t)first;
}

static void take_ring(struct mesh *m, const struct halves *h, int32_t r, int32_t k)
{
    memcpy(m->face_vertex + m->face_start[r], h->vertex + h->start[k],
           (size_t)(m->face_start[r + 1] - m->face_start[r]) * sizeof *m->face_vertex);
    m->cell_face[k] = r + 1;
}

/* Stores the vertices of faces and the faces of cells.  half: as from number_faces(); joint_face: halves, which become
 * faces. */
static void make_rings(struct mesh *m, const struct halves *h, const int32_t *mate, const int32_t *half)
{
    const int32_t n = m->n_faces + m->n_joints;
#define SIZE(k) (h->start[(k) + 1] - h->start[k])
    NEW(m->face_start, n + (int64_t)1), NEW(m->cell_face, h->n), NEW(m->cell_face_first, h->n);
    for (int32_t f = 0; f < m->n_faces; f++) m->face_start[f + 1] = m->face_start[f] + SIZE(half[f]);
    for (int32_t j = 0; j < m->n_joints; j++)
        m->face_start[m->n_faces + j + 1] = m->face_start[m->n_faces + j] + SIZE(m->joint_face[j]);
#undef SIZE
    NEW(m->face_vertex, m->face_start[n]);
    #pragma omp parallel for schedule(static)
    for (int32_t f = 0; f < m->n_faces; f++) take_ring(m, h, f, half[f]);
    for (int32_t j = 0; j < m->n_joints; j++) {
        int32_t k = m->joint_face[j];
        take_ring(m, h, m->n_faces + j, mate[k]);
        m->joint_face[j] = m->cell_face[k] - 1;
    }
    #pragma omp parallel for schedule(static)
    for (int32_t f = 0; f < m->n_internal; f++)
        if (!m->cell_face[mate[half[f]]]) see_ring(m, h, f, mate[half[f]]);
}

/* Finds the cell and the face of each marked face. */
static void number_marked(struct mesh *m, const struct search *s)
{
    NEW(m->marked_cell, m->n_marked), NEW(m->marked_face, m->n_marked);
    for (int32_t k = 0; k < m->n_marked; k++) {
        m->marked_cell[k] = s->h.cell[s->marked_half[k]];
        m->marked_face[k] = m->patch[m->marked_patch[k]].count ? m->cell_face[s->marked_half[k]] - 1 : -1;
    }
}

bool topology_build(struct mesh *m, const int *periodic, int n_periodic, struct error *e)
{
    struct search s = {.m = m};
    if (!halves_create(&s.h, m, e)) return false;
    s.n_halves = (uint32_t)s.h.n;
    NEW(s.start, m->n_vertices + 1), NEW(s.mate, s.h.n), NEW(s.marked_half, m->n_marked);
    memset(s.mate, -1, (size_t)s.h.n * sizeof *s.mate);
    fill_buckets(&s);
    match_buckets(&s);
    free(s.start), free(s.entry);
    bool ok = true;
    for (int t = 0; t < N_TROUBLES; t++) ok &= s.found[t].count == 0;
    if (!ok) explain(&s, e);
    else if ((ok = periodic_join(m, &s.h, s.mate, periodic, n_periodic, e))) {
        int32_t *half;
        number_faces(m, &s.h, s.mate, &half);
        make_rings(m, &s.h, s.mate, half);
        number_marked(m, &s);
        free(half);
    }
    free(s.mate), free(s.marked_half), free(s.h.start), free(s.h.vertex), free(s.h.cell);
    return ok;
}

void topology_free(struct mesh *m)
{
    free(m->face_owner), free(m->face_neighbour), free(m->face_start), free(m->face_vertex), free(m->cell_face_start);
    free(m->cell_face), free(m->cell_face_first), free(m->joint_face), free(m->joint_shift), free(m->marked_cell);
    free(m->marked_face);
    m->face_owner = m->face_neighbour = m->joint_face = m->marked_cell = m->marked_face = NULL;
    m->face_start = m->cell_face_start = NULL;
    m->face_vertex = m->cell_face = NULL;
    m->cell_face_first = NULL;
    m->joint_shift = NULL;
    m->n_faces = m->n_internal = m->n_joints = 0;
}
