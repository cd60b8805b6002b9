/* Extracts a rank's part of a mesh; gathers and scatters its arrays (part.h). */
#include "mesh/part.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/kernel.h"
#include "gpu/ranks.h"
#include "mesh/cells.h"
#include "mesh/layers.h"

/* State while a part is extracted from the whole mesh. */
struct taking {
    const struct mesh *whole;
    struct mesh *part;
    struct mesh_part *p;
    int32_t first, end;         /* its own cells */
    uint8_t *kind;              /* [cells of the whole] enum layer */
    /* [cells, internal faces, vertices of the whole]: numbers in the part, for faces and vertices from 1.  Entries that
     * are not in the part stay zero, so that most of their pages take no memory. */
    int32_t *cell, *face, *vertex;
};

/* ---------------------------------------------------------------- cells */
static bool is_own(const struct taking *t, int32_t cell) { return cell >= t->first && cell < t->end; }

/* Numbers the cells in the part. */
static void number_cells(const struct taking *t)
{
    struct mesh *m = t->part;
    int32_t n = t->whole->n_cells, padded = (t->end - t->first + SLICE - 1) / SLICE * SLICE, at = 0;
    m->n_cells = t->end - t->first;
    t->p->first = t->first;
    for (int32_t c = 0; c < n; c++) t->p->n_near += t->kind[c] == NEAR, t->p->n_far += t->kind[c] == FAR;
    for (int32_t c = 0; c < n; c++) t->p->n_copies += t->kind[c] != OWN && t->kind[c] != ELSEWHERE;
    NEW(t->p->copy, t->p->n_copies);
    for (int32_t c = t->first; c < t->end; c++) t->cell[c] = c - t->first;
    for (uint8_t kind = NEAR; kind >= AROUND; kind--)
        for (int32_t c = 0; c < n; c++)
            if (t->kind[c] == kind) t->p->copy[at] = c, t->cell[c] = padded + at++;
    m->n_all = padded + at;
}

static void take_cells(const struct taking *t)
{
    const struct mesh *w = t->whole;
    struct mesh *m = t->part;
    int32_t n = m->n_all;
    NEW(m->cell_type, n), NEW(m->cell_start, n + (int64_t)1), NEW(m->cell_region, n), NEW(m->cell_original, n);
    NEW(m->cell_centre, (int64_t)m->dim * n), NEW(m->cell_volume, n);
    for (int32_t c = 0; c < n; c++) {
        int32_t from = mesh_cell_in_whole(m, c);
        m->cell_start[c + 1] = m->cell_start[c];
        m->cell_volume[c] = from < 0 ? 1 : w->cell_volume[from];
        if (from < 0) continue;
        m->cell_type[c] = w->cell_type[from], m->cell_region[c] = w->cell_region[from];
        m->cell_original[c] = w->cell_original[from];
        m->cell_start[c + 1] += w->cell_start[from + 1] - w->cell_start[from];
        for (int k = 0; k < m->dim; k++)
            m->cell_centre[(int64_t)k * n + c] = w->cell_centre[(int64_t)k * w->n_all + from];
    }
    NEW(m->cell_vertex, m->cell_start[n]);
    for (int32_t c = 0; c < n; c++)
        for (int64_t i = m->cell_start[c], k = 0; i < m->cell_start[c + 1]; i++, k++)
            m->cell_vertex[i] = w->cell_vertex[w->cell_start[mesh_cell_in_whole(m, c)] + k];
}

/* Numbers the vertices of these cells, in the order of the whole mesh. */
static void take_vertices(const struct taking *t)
{
    struct mesh *m = t->part;
    int64_t n = m->cell_start[m->n_all];
    for (int64_t i = 0; i < n; i++) t->vertex[m->cell_vertex[i]] = 1;
    for (int32_t v = 0; v < t->whole->n_vertices; v++) if (t->vertex[v]) t->vertex[v] = ++m->n_vertices;
    NEW(m->vertex, 3 * (int64_t)m->n_vertices);
    double *to = m->vertex;
    for (int32_t v = 0; v < t->whole->n_vertices; v++)
        if (t->vertex[v]) memcpy(to, t->whole->vertex + 3 * (int64_t)v, 3 * sizeof *to), to += 3;
    for (int64_t i = 0; i < n; i++) m->cell_vertex[i] = t->vertex[m->cell_vertex[i]] - 1;
}

/* ---------------------------------------------------------------- faces */
static void add_face(const struct taking *t, int32_t face) { t->p->face[t->part->n_faces++] = face; }

static void choose_faces(const struct taking *t)
{
    const struct mesh *w = t->whole;
    struct mesh *m = t->part;
    NEW(t->p->face, w->n_faces);
    for (int between = 0; between < 2; between++) {     /* ghosts */
        for (int32_t f = 0; f < w->n_internal; f++) {
            uint8_t o = t->kind[w->face_owner[f]], n = t->kind[w->face_neighbour[f]];
            if (o > AROUND && n > AROUND && (o != OWN && n != OWN) == between) add_face(t, f), t->face[f] = m->n_faces;
        }
        if (!between) m->n_active = m->n_faces;
    }
    m->n_internal = m->n_faces;
    NEW(t->p->order, m->n_internal);
    for (int32_t f = 0, at = 0; f < w->n_internal; f++) if (t->face[f]) t->p->order[at++] = t->face[f] - 1;
    for (int i = 0; i < m->n_patches; i++) {
        const struct patch *from = &w->patch[i];
        struct patch *to = &m->patch[i];
        to->first = m->n_faces;
        for (int copies = 0; copies < 2; copies++) {
            for (int32_t f = from->first; f < from->first + from->count; f++)
                if (t->kind[w->face_owner[f]] && is_own(t, w->face_owner[f]) == !copies) add_face(t, f);
            if (!copies) to->count = m->n_faces - to->first;
        }
        to->copies = m->n_faces - to->first - to->count;
    }
    RESIZE(t->p->face, m->n_faces + 1);
}

static void number_contacts(const struct taking *t)
{
    const struct mesh *w = t->whole;
    const struct mesh *m = t->part;
    NEW(t->p->contact, w->n_contacts);
    for (int32_t f = 0, number = 0; w->n_contacts && f < w->n_internal; f++) {
        if (!mesh_is_contact(w, f)) continue;
        if (t->face[f] && t->face[f] <= m->n_active) t->p->contact[t->p->n_contacts++] = number;
        number++;
    }
    RESIZE(t->p->contact, t->p->n_contacts + 1);
}

static void take_faces(const struct taking *t)
{
    const struct mesh *w = t->whole;
    struct mesh *m = t->part;
    int64_t n = m->n_faces;
    NEW(m->face_owner, n), NEW(m->face_neighbour, m->n_internal);
    NEW(m->face_area, m->dim * n), NEW(m->face_d, m->dim * n), NEW(m->face_r, m->dim * n);
    for (int32_t f = 0; f < n; f++) {
        int32_t from = t->p->face[f];
        m->face_owner[f] = t->cell[w->face_owner[from]];
        if (f < m->n_internal) m->face_neighbour[f] = t->cell[w->face_neighbour[from]];
        for (int k = 0; k < m->dim; k++) {
            int64_t at = k * n + f, there = (int64_t)k * w->n_faces + from;
            m->face_area[at] = w->face_area[there], m->face_d[at] = w->face_d[there], m->face_r[at] = w->face_r[there];
        }
    }
}

static void take_joints(const struct taking *t)
{
    const struct mesh *w = t->whole;
    struct mesh *m = t->part;
    NEW(m->joint_face, w->n_joints), NEW(m->joint_shift, 3 * (int64_t)w->n_joints);
    for (int32_t j = 0; j < w->n_joints; j++) {
        int32_t face = t->face[w->joint_face[j]] - 1;
        if (face < 0) continue;
        m->joint_face[m->n_joints] = face;
        memcpy(m->joint_shift + 3 * (int64_t)m->n_joints++, w->joint_shift + 3 * (int64_t)j, 3 * sizeof(double));
    }
}

/* Copies ring `from` of the whole mesh to ring `to`. */
static void take_ring(const struct taking *t, int64_t from, int64_t to)
{
    const struct mesh *w = t->whole;
    struct mesh *m = t->part;
    int64_t at = m->face_start[to];
    for (int64_t i = w->face_start[from]; i < w->face_start[from + 1]; i++)
        m->face_vertex[at++] = t->vertex[w->face_vertex[i]] - 1;
    m->face_start[to + 1] = at;
}

/* Copies the rings, and for each cell those of its faces that are here, in the order of the whole mesh. */
static void take_rings(const struct taking *t)
{
    const struct mesh *w = t->whole;
    struct mesh *m = t->part;
    int64_t length = 0, most = 0;
    int32_t *ring;              /* [rings of the whole] numbers in the part, from 1 */
    NEW(ring, w->n_faces + w->n_joints);
    for (int32_t f = 0; f < m->n_faces; f++) ring[t->p->face[f]] = f + 1;
    for (int32_t j = 0, at = 0; j < w->n_joints; j++)
        if (ring[w->joint_face[j]]) ring[w->n_faces + j] = m->n_faces + ++at;
    for (int64_t r = 0; r < w->n_faces + w->n_joints; r++)
        if (ring[r]) length += w->face_start[r + 1] - w->face_start[r];
    NEW(m->face_start, m->n_faces + m->n_joints + (int64_t)1), NEW(m->face_vertex, length);
    for (int32_t f = 0; f < m->n_faces; f++) take_ring(t, t->p->face[f], f);
    for (int64_t r = w->n_faces; r < w->n_faces + w->n_joints; r++) if (ring[r]) take_ring(t, r, ring[r] - 1);
    for (int32_t c = 0; c < m->n_all; c++) {
        int32_t from = mesh_cell_in_whole(m, c);
        if (from >= 0) most += w->cell_face_start[from + 1] - w->cell_face_start[from];
    }
    NEW(m->cell_face_start, m->n_all + (int64_t)1), NEW(m->cell_face, most), NEW(m->cell_face_first, most);
    for (int32_t c = 0; c < m->n_all; c++) {
        int32_t from = mesh_cell_in_whole(m, c);
        int64_t at = m->cell_face_start[c];
        for (int64_t k = from < 0 ? 0 : w->cell_face_start[from]; from >= 0 && k < w->cell_face_start[from + 1]; k++) {
            int32_t code = w->cell_face[k], here = ring[abs(code) - 1];
            if (!here) continue;
            m->cell_face[at] = code > 0 ? here : -here, m->cell_face_first[at++] = w->cell_face_first[k];
        }
        m->cell_face_start[c + 1] = at;
    }
    free(ring);
}

/* The marked faces are those of own cells. */
static void take_marked(const struct taking *t)
{
    struct mesh *m = t->part;
    for (int i = 0; i < m->n_patches; i++)
        for (int32_t f = m->patch[i].first; f < m->patch[i].first + m->patch[i].count; f++) {
            const struct ring ring = face_ring(m, f);
            mesh_mark(m, i, ring.vertex, ring.n);
        }
}

/* ---------------------------------------------------------------- all */
static void *copy_of(const void *from, size_t bytes)
{
    char *to;
    NEW(to, bytes);
    memcpy(to, from, bytes);
    return to;
}

static void take_names(struct mesh *m, const struct mesh *w)
{
    m->dim = w->dim, m->orthogonal = w->orthogonal, m->unskewed = w->unskewed;
    memcpy(m->source, w->source, sizeof m->source), memcpy(m->key, w->key, sizeof m->key);
    memcpy(m->note, w->note, sizeof m->note);
    m->n_regions = w->n_regions, m->n_patches = w->n_patches;
    m->region = copy_of(w->region, (size_t)w->n_regions * sizeof *w->region);
    m->patch = copy_of(w->patch, (size_t)w->n_patches * sizeof *w->patch);
    if (w->solid) m->solid = copy_of(w->solid, (size_t)w->n_regions * sizeof *w->solid);
}

/* Own cells of fluid, which come first. */
static int32_t count_fluid(const struct taking *t)
{
    const int32_t end = t->whole->n_fluid < t->end ? t->whole->n_fluid : t->end;
    return end > t->first ? end - t->first : 0;
}

static int32_t first_slice(const struct mesh *w, int rank)
{
    return w->cut ? w->cut[rank] : (int32_t)ranks_cut((w->n_cells + SLICE - 1) / SLICE, rank);
}

bool mesh_take_part(struct mesh *part, const struct mesh *whole, int vertex_layers, struct error *e)
{
    struct taking t = {.whole = whole, .part = part};
    int32_t slices = (whole->n_cells + SLICE - 1) / SLICE;
    const int own = ranks_own();
    if (slices < ranks_count())
        return refuse(e, EXIT_INPUT, "%s: its %d cells%s are %d slice%s of %d cells, fewer than the %d ranks; "
                      "expected at most %d rank%s", whole->source, whole->n_cells,
                      whole->conducting && whole->conducting->n_fluid ? " of fluid" : "", slices,
                      slices == 1 ? "" : "s", SLICE, ranks_count(), slices, slices == 1 ? "" : "s");
    t.first = first_slice(whole, own) * SLICE;
    t.end = own + 1 == ranks_count() ? whole->n_cells : first_slice(whole, own + 1) * SLICE;
    memset(part, 0, sizeof *part);
    NEW(t.p, 1), NEW(t.kind, whole->n_cells), NEW(t.cell, whole->n_cells);
    NEW(t.face, whole->n_internal), NEW(t.vertex, whole->n_vertices);
    part->part = t.p;
    t.p->whole = whole;
    take_names(part, whole);
    part->n_fluid = count_fluid(&t);
    layers_mark(whole, t.first, t.end, vertex_layers, t.kind);
    number_cells(&t);
    take_cells(&t);
    take_vertices(&t);
    choose_faces(&t);
    number_contacts(&t);
    take_faces(&t);
    take_joints(&t);
    take_rings(&t);
    take_marked(&t);
    free(t.kind), free(t.cell), free(t.face), free(t.vertex);
    return true;
}

/* ---------------------------------------------------------------- arrays over the whole mesh */
const struct mesh *mesh_whole(const struct mesh *m) { return m->part ? m->part->whole : m; }

static int32_t first_copy(const struct mesh *m) { return m->n_all - m->part->n_copies; }

int32_t mesh_cell_in_whole(const struct mesh *m, int32_t cell)
{
    if (!m->part) return cell;
    if (cell < m->n_cells) return cell + m->part->first;
    return cell < first_copy(m) ? -1 : m->part->copy[cell - first_copy(m)];
}

int32_t *mesh_boundary_here(const struct mesh *m)
{
    const struct mesh *w = mesh_whole(m);
    int32_t n = w->n_faces - w->n_internal, *here;
    NEW(here, n);
    for (int32_t b = 0; b < n; b++) here[b] = m->part ? -1 : b;
    for (int32_t f = m->n_internal; m->part && f < m->n_faces; f++)
        here[m->part->face[f] - w->n_internal] = f - m->n_internal;
    return here;
}

int64_t mesh_count(const struct mesh *m, enum mesh_item of)
{
    const struct mesh *w = mesh_whole(m);
    const int64_t count[] = {[ITEM_CELLS] = w->n_cells, [ITEM_FACES] = w->n_faces,
                             [ITEM_BOUNDARY] = w->n_faces - w->n_internal, [ITEM_CONTACTS] = w->n_contacts};
    return count[of];
}

/* The numbers in the whole mesh of faces, or contacts, whose owner is an own cell, and their place in this part's
 * arrays: each of the whole mesh belongs to one rank.  Returns their number. */
static int32_t own_faces(const struct mesh *m, enum mesh_item of, int32_t *place, int32_t *number)
{
    const int32_t first = of == ITEM_BOUNDARY ? m->n_internal : 0, skip = first ? m->part->whole->n_internal : 0;
    int32_t n = 0, contact = 0;
    for (int32_t f = first; f < (of == ITEM_CONTACTS ? m->n_active : m->n_faces); f++) {
        if (of == ITEM_CONTACTS && !mesh_is_contact(m, f)) continue;
        const int32_t at = of == ITEM_CONTACTS ? contact++ : f - first;
        if (m->face_owner[f] >= m->n_cells) continue;
        place[n] = at, number[n++] = of == ITEM_CONTACTS ? m->part->contact[at] : m->part->face[f] - skip;
    }
    return n;
}

static void gather_faces(const struct mesh *m, enum mesh_item of, const double *own, double *to)
{
    double *value;
    int32_t *place, *number;
    NEW(value, m->n_faces), NEW(place, m->n_faces), NEW(number, m->n_faces);
    const int32_t n = own_faces(m, of, place, number);
    for (int32_t i = 0; i < n; i++) value[i] = own[place[i]];
    double *values = ranks_to_first(value, n, sizeof *value);
    int32_t *numbers = ranks_to_first(number, n, sizeof *number);
    for (int64_t i = 0, all = mesh_count(m, of); values && i < all; i++) to[numbers[i]] = values[i];
    free(value), free(place), free(number), free(values), free(numbers);
}

void mesh_gather(const struct mesh *m, enum mesh_item of, const double *own, double *to)
{
    if (!m->part) memcpy(to, own, (size_t)mesh_count(m, of) * sizeof *to);
    else if (of != ITEM_CELLS) gather_faces(m, of, own, to);
    else {
        double *all = ranks_to_first(own, m->n_cells, sizeof *own);
        if (all) memcpy(to, all, (size_t)mesh_count(m, of) * sizeof *to);
        free(all);
    }
}

/* to[i] = element number[i] - first of an array of length `all`, read window by window. */
static bool read_scattered(mesh_reader *read, void *context, int64_t all, const int32_t *number, int32_t n,
                           int32_t first, double *to)
{
    enum { WINDOW = 1 << 20 };
    const int64_t windows = all / WINDOW + 1;
    int32_t *begin, *in_window;         /* in_window: permutation of 0 .. n - 1, those of window w from begin[w] on */
    double *value;
    bool good = true;
    NEW(begin, windows + 2), NEW(in_window, n), NEW(value, WINDOW);
    for (int32_t i = 0; i < n; i++) begin[(number[i] - first) / WINDOW + 2]++;
    for (int64_t w = 2; w < windows + 2; w++) begin[w] += begin[w - 1];
    for (int32_t i = 0; i < n; i++) in_window[begin[(number[i] - first) / WINDOW + 1]++] = i;
    for (int64_t w = 0; good && w < windows; w++) {
        int32_t least = INT32_MAX, most = -1;
        for (int32_t k = begin[w]; k < begin[w + 1]; k++) {
            int32_t at = number[in_window[k]] - first;
            least = at < least ? at : least, most = at > most ? at : most;
        }
        good = most < 0 || read(context, least, most - least + (int64_t)1, value);
        for (int32_t k = begin[w]; good && k < begin[w + 1]; k++)
            to[in_window[k]] = value[number[in_window[k]] - first - least];
    }
    free(begin), free(in_window), free(value);
    return good;
}

bool mesh_scatter(const struct mesh *m, enum mesh_item of, mesh_reader *read, void *context, double *to)
{
    const struct mesh_part *p = m->part;
    const int64_t all = mesh_count(m, of);
    if (!p) return read(context, 0, all, to);
    if (of == ITEM_CELLS)
        return read(context, p->first, m->n_cells, to) &&
               read_scattered(read, context, all, p->copy, p->n_copies, 0, to + first_copy(m));
    if (of == ITEM_CONTACTS) return read_scattered(read, context, all, p->contact, p->n_contacts, 0, to);
    const int32_t skip = of == ITEM_FACES ? 0 : m->n_internal, first = of == ITEM_FACES ? 0 : p->whole->n_internal;
    return read_scattered(read, context, all, p->face + skip, m->n_faces - skip, first, to);
}
