/* Finds the faces of a mesh from its cells.  Every face of every cell, and every boundary face that the file names, is
 * called a half and goes into the bucket of its lowest vertex; inside a bucket, halves with the same vertices are one
 * face. */
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "mesh/cells.h"

/* Number of a half: stride * cell + local face for a cell's face, stride * n_cells + its number for a named boundary
 * face. */
struct entry { int32_t v[3]; uint32_t half; };          /* v: the other vertices, ascending, -1 in front where unused */

enum trouble { THREE_CELLS, IN_NO_PATCH, IN_TWO_PATCHES, INTERIOR, OF_NO_CELL, N_TROUBLES };
struct finding { int64_t count; uint32_t half[3]; };    /* faults of a kind; halves of that with the lowest half[0] */

struct search {
    const struct mesh *m;
    int stride;                 /* most faces of a cell */
    uint32_t n_halves;          /* halves that are faces of cells: stride * n_cells */
    uint32_t *start, *entry;    /* buckets by lowest vertex */
    int32_t *mate;              /* [n_halves] cell behind the face, MATE_OF_PATCH(p), or -1: no such face */
    uint32_t *marked_half;      /* [n_marked] the half of a cell that each is */
    struct finding found[N_TROUBLES];
};

static void sort_vertices(int32_t *v, int n)
{
    for (int i = 1; i < n; i++)
        for (int j = i; j > 0 && v[j] < v[j - 1]; j--) { int32_t t = v[j]; v[j] = v[j - 1], v[j - 1] = t; }
}

/* The vertices of a half, ascending, without unused -1; returns how many. */
static int half_vertices(const struct search *s, uint32_t half, int32_t v[4])
{
    int n = 0;
    if (half < s->n_halves) {
        uint32_t cell = half / (uint32_t)s->stride;
        const int8_t *face = cell_shape[s->m->cell_type[cell]].face[half % (uint32_t)s->stride];
        const int32_t *cv = s->m->cell_vertex + s->m->cell_start[cell];
        for (; n < 4 && face[n] >= 0; n++) v[n] = cv[face[n]];
    } else {
        const int32_t *mv = s->m->marked_vertex + 4 * (int64_t)(half - s->n_halves);
        for (; n < 4 && mv[n] >= 0; n++) v[n] = mv[n];
    }
    sort_vertices(v, n);
    return n;
}

static int32_t lowest_vertex(const struct mesh *m, int32_t cell, int local)
{
    const int8_t *face = cell_shape[m->cell_type[cell]].face[local];
    const int32_t *cv = m->cell_vertex + m->cell_start[cell];
    int32_t least = cv[face[0]];
    for (int i = 1; i < 4 && face[i] >= 0; i++) least = cv[face[i]] < least ? cv[face[i]] : least;
    return least;
}

/* Buckets by counting.  Their inner order depends on the threads; sort_bucket() undoes that. */
static void fill_buckets(struct search *s)
{
    const struct mesh *m = s->m;
    uint32_t *start = s->start;
    for (int pass = 0; pass < 2; pass++) {
        #pragma omp parallel for schedule(static)
        for (int32_t c = 0; c < m->n_cells; c++)
            for (int l = 0; l < cell_shape[m->cell_type[c]].n_faces; l++) {
                uint32_t at, *count = &start[lowest_vertex(m, c, l)];
                if (pass == 0) {
                    #pragma omp atomic
                    ++*count;
                } else {
                    #pragma omp atomic capture
                    at = --*count;
                    s->entry[at] = (uint32_t)c * (uint32_t)s->stride + (uint32_t)l;
                }
            }
        for (int32_t k = 0; k < m->n_marked; k++) {
            int32_t v[4];
            half_vertices(s, s->n_halves + (uint32_t)k, v);
            if (pass == 0) start[v[0]]++;
            else s->entry[--start[v[0]]] = s->n_halves + (uint32_t)k;
        }
        if (pass == 0) {
            for (int32_t v = 0; v < m->n_vertices; v++) start[v + 1] += start[v];   /* ends; pass 1 makes them starts */
            NEW(s->entry, start[m->n_vertices]);
        }
    }
}

static int compare_entries(const void *p, const void *q)
{
    const struct entry *a = p, *b = q;
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

/* Settles what the face is that has the halves x[0 .. n-1], of which those of cells come first. */
static void settle_face(struct search *s, const struct entry *x, uint32_t n)
{
    uint32_t cells = 0, marks, stride = (uint32_t)s->stride;
    while (cells < n && x[cells].half < s->n_halves) cells++;
    marks = n - cells;
    if (cells == 0) note_finding(s, OF_NO_CELL, x[0].half, 0, 0);
    else if (cells > 2) note_finding(s, THREE_CELLS, x[0].half, x[1].half, x[2].half);
    else if (cells == 2 && marks) note_finding(s, INTERIOR, x[2].half, x[0].half, x[1].half);
    else if (cells == 2) {
        s->mate[x[0].half] = (int32_t)(x[1].half / stride);
        s->mate[x[1].half] = (int32_t)(x[0].half / stride);
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
            for (uint32_t i = 0; i < n; i++) {
                int32_t u[4];
                x[i].half = s->entry[s->start[v] + i];
                int k = half_vertices(s, x[i].half, u);
                for (int j = 0; j < 3; j++) x[i].v[j] = j < 4 - k ? -1 : u[k - 3 + j];
            }
            sort_bucket(x, n);
            for (uint32_t i = 0, j; i < n; i = j) {
                for (j = i + 1; j < n && !memcmp(x[i].v, x[j].v, sizeof x[i].v);) j++;
                settle_face(s, x + i, j - i);
            }
        }
        free(x);
    }
}

/* The place of a half's centre, as text. */
static const char *half_text(const struct search *s, uint32_t half, char text[100])
{
    int32_t v[4];
    int n = half_vertices(s, half, v);
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
    uint32_t stride = (uint32_t)s->stride;
    const struct finding *f = s->found;
#define CELL_OF(h, text) cell_text(m, (int32_t)((h) / stride), text)
    if (f[THREE_CELLS].count) {
        const uint32_t *h = f[THREE_CELLS].half;
        refuse(e, EXIT_INPUT, "%s: %lld face(s) belong to three cells or more, the first at %s: %s, %s, %s\n"
               "  parts of the mesh lie on top of each other", m->source, (long long)f[THREE_CELLS].count,
               half_text(s, h[0], at), CELL_OF(h[0], a), CELL_OF(h[1], b), CELL_OF(h[2], c));
        return mesh_advise(m, e, "write every cell once", "in the .geo let no two volumes or surfaces cover the same "
                           "place (BooleanFragments, Coherence;), and mesh again");
    }
    if (f[INTERIOR].count) {
        const uint32_t *h = f[INTERIOR].half;
        refuse(e, EXIT_INPUT, "%s: %lld face(s) of boundaries lie inside the mesh, the first at %s in \"%s\", between "
               "%s and %s", m->source, (long long)f[INTERIOR].count, half_text(s, h[0], at), half_patch(s, h[0]),
               CELL_OF(h[1], a), CELL_OF(h[2], b));
        return mesh_advise(m, e, "a boundary must lie on the rim: take these faces out of it", "a boundary must lie on "
                           "the rim; take that %s out of Physical %s(\"%s\")", side, kind, half_patch(s, h[0]));
    }
    if (f[OF_NO_CELL].count) {
        uint32_t h = f[OF_NO_CELL].half[0];
        refuse(e, EXIT_INPUT, "%s: %lld face(s) of boundaries are faces of no cell, the first at %s in \"%s\"",
               m->source, (long long)f[OF_NO_CELL].count, half_text(s, h, at), half_patch(s, h));
        return mesh_advise(m, e, "write the cells beside them too, or take these faces out of the boundary",
                           "the part beside it has no cells in the file; name it too, for example Physical %s("
                           "\"fluid\") = {1};", m->dim == 2 ? "Surface" : "Volume");
    }
    if (f[IN_TWO_PATCHES].count) {
        const uint32_t *h = f[IN_TWO_PATCHES].half;
        refuse(e, EXIT_INPUT, "%s: %lld boundary face(s) are in two boundaries or twice in one, the first at %s in "
               "\"%s\" and \"%s\"", m->source, (long long)f[IN_TWO_PATCHES].count, half_text(s, h[0], at),
               half_patch(s, h[0]), half_patch(s, h[1]));
        return mesh_advise(m, e, "write every boundary face once, in one boundary",
                           "every %s must stand in one Physical %s only", side, kind);
    }
    uint32_t h = f[IN_NO_PATCH].half[0];
    refuse(e, EXIT_INPUT, "%s: %lld boundary face(s) are in no boundary, the first at %s, of %s", m->source,
           (long long)f[IN_NO_PATCH].count, half_text(s, h, at), CELL_OF(h, a));
    return mesh_advise(m, e, "every face of the rim must be in a named boundary; cells that touch must share their "
                       "vertices", "give the %ss of the rim a name in the .geo, for example Physical %s(\"walls\") = "
                       "{1, 2};", side, kind);
#undef CELL_OF
}

/* Numbers the faces from the mates: internal ones by owner, then neighbour, then the owner's local face.  The mates of
 * boundary faces become these numbers. */
static void number_faces(struct mesh *m, int32_t *mate, int stride)
{
    int32_t *first, *next;
    NEW(first, m->n_cells + 1), NEW(next, m->n_patches);
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < m->n_cells; c++)
        for (int l = 0; l < stride; l++) first[c + 1] += mate[(int64_t)stride * c + l] > c;
    for (int32_t c = 0; c < m->n_cells; c++) first[c + 1] += first[c];
    m->n_faces = m->n_internal = m->n_active = first[m->n_cells];
    for (int p = 0; p < m->n_patches; p++) m->patch[p].count = 0;
    int64_t n_halves = (int64_t)stride * m->n_cells;
    for (int64_t h = 0; h < n_halves; h++) if (mate[h] < -1) m->patch[MATE_OF_PATCH(mate[h])].count++;
    for (int p = 0; p < m->n_patches; p++) {
        m->patch[p].first = next[p] = m->n_faces;
        m->n_faces += m->patch[p].count;
    }
    NEW(m->face_owner, m->n_faces), NEW(m->face_neighbour, m->n_internal), NEW(m->face_local, m->n_faces);
    #pragma omp parallel for schedule(static)
    for (int32_t c = 0; c < m->n_cells; c++) {
        int32_t f = first[c], n = 0;
        for (int l = 0; l < stride; l++) {
            int32_t neighbour = mate[(int64_t)stride * c + l], i = n;
            if (neighbour <= c) continue;
            for (; i > 0 && m->face_neighbour[f + i - 1] > neighbour; i--) {
                m->face_neighbour[f + i] = m->face_neighbour[f + i - 1];
                m->face_local[f + i] = m->face_local[f + i - 1];
            }
            m->face_neighbour[f + i] = neighbour, m->face_local[f + i] = (uint8_t)l;
            m->face_owner[f + n++] = c;
        }
    }
    for (int64_t h = 0; h < n_halves; h++)
        if (mate[h] < -1) {
            int32_t f = next[MATE_OF_PATCH(mate[h])]++;
            m->face_owner[f] = (int32_t)(h / stride), m->face_local[f] = (uint8_t)(h % stride);
            mate[h] = f;
        }
    for (int32_t j = 0; j < m->n_joints; j++) {
        int32_t owner = m->joint_face[j] / stride, f = first[owner];
        while (m->face_local[f] != m->joint_face[j] % stride) f++;
        m->joint_face[j] = f;
    }
    free(first), free(next);
}

/* Which cell and which face each of those is that the file names. */
static void number_marked(struct mesh *m, const struct search *s)
{
    NEW(m->marked_cell, m->n_marked), NEW(m->marked_face, m->n_marked);
    for (int32_t k = 0; k < m->n_marked; k++) {
        m->marked_cell[k] = (int32_t)(s->marked_half[k] / (uint32_t)s->stride);
        m->marked_face[k] = m->patch[m->marked_patch[k]].count ? s->mate[s->marked_half[k]] : -1;
    }
}

bool topology_build(struct mesh *m, const int *periodic, int n_periodic, struct error *e)
{
    struct search s = {.m = m};
    for (int32_t c = 0; c < m->n_cells; c++)
        if (cell_shape[m->cell_type[c]].n_faces > s.stride) s.stride = cell_shape[m->cell_type[c]].n_faces;
    int64_t n_halves = (int64_t)s.stride * m->n_cells;
    if (n_halves + m->n_marked > INT32_MAX)
        return refuse(e, EXIT_RESOURCE, "%s: %d cells are too many: Poise counts their faces with 32 bits, which is "
                      "enough for %d such cells", m->source, m->n_cells, INT32_MAX / s.stride);
    s.n_halves = (uint32_t)n_halves;
    NEW(s.start, m->n_vertices + 1), NEW(s.mate, n_halves), NEW(s.marked_half, m->n_marked);
    #pragma omp parallel for schedule(static)
    for (int64_t h = 0; h < n_halves; h++) s.mate[h] = -1;
    fill_buckets(&s);
    match_buckets(&s);
    free(s.start), free(s.entry);
    bool ok = true;
    for (int t = 0; t < N_TROUBLES; t++) ok &= s.found[t].count == 0;
    if (!ok) explain(&s, e);
    else if ((ok = periodic_join(m, s.mate, s.stride, periodic, n_periodic, e)))
        number_faces(m, s.mate, s.stride), number_marked(m, &s);
    free(s.mate), free(s.marked_half);
    return ok;
}

void topology_free(struct mesh *m)
{
    free(m->face_owner), free(m->face_neighbour), free(m->face_local), free(m->joint_face), free(m->joint_shift);
    free(m->marked_cell), free(m->marked_face);
    m->face_owner = m->face_neighbour = m->joint_face = m->marked_cell = m->marked_face = NULL;
    m->face_local = NULL;
    m->joint_shift = NULL;
    m->n_faces = m->n_internal = m->n_joints = 0;
}
