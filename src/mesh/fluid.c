/* Extracts the fluid cells of a mesh with solids (fluid.h). */
#include "mesh/fluid.h"
#include <string.h>
#include "base/memory.h"
#include "gpu/ranks.h"
#include "mesh/cells.h"

static void *copy_of(const void *from, size_t bytes)
{
    char *to;
    NEW(to, bytes);
    memcpy(to, from, bytes);
    return to;
}

static bool is_between(const struct mesh *w, int32_t f)
{
    return w->face_owner[f] < w->n_fluid && w->face_neighbour[f] >= w->n_fluid;
}

/* Without fluid cells the flow, which is then not solved, has all of them. */
static int32_t count_of(const struct mesh *w) { return w->n_fluid ? w->n_fluid : w->n_cells; }

/* ---------------------------------------------------------------- cells and names */
/* Cells are numbered in the order of the file, as if it had no solids. */
static void number_in_file(struct mesh *m, const struct mesh *w)
{
    int32_t *cell, n = 0;
    NEW(cell, w->n_cells), NEW(m->cell_original, m->n_cells);
    for (int32_t c = 0; c < w->n_cells; c++) cell[w->cell_original[c]] = c;
    for (int32_t i = 0; i < w->n_cells; i++) if (cell[i] < m->n_cells) m->cell_original[cell[i]] = n++;
    free(cell);
}

static void take_cells(struct mesh *m, const struct mesh *w)
{
    const int32_t n = count_of(w);
    m->n_cells = m->n_all = m->n_fluid = n, m->n_vertices = w->n_vertices;
    m->vertex = copy_of(w->vertex, 3 * (size_t)w->n_vertices * sizeof *w->vertex);
    m->cell_type = copy_of(w->cell_type, (size_t)n);
    m->cell_start = copy_of(w->cell_start, ((size_t)n + 1) * sizeof *w->cell_start);
    m->cell_vertex = copy_of(w->cell_vertex, (size_t)w->cell_start[n] * sizeof *w->cell_vertex);
    m->cell_region = copy_of(w->cell_region, (size_t)n * sizeof *w->cell_region);
    m->cell_volume = copy_of(w->cell_volume, (size_t)n * sizeof *w->cell_volume);
    NEW(m->cell_centre, (int64_t)m->dim * n);
    for (int k = 0; k < m->dim; k++)
        memcpy(m->cell_centre + (int64_t)k * n, w->cell_centre + (int64_t)k * w->n_all, (size_t)n * sizeof(double));
    number_in_file(m, w);
}

static void take_names(struct mesh *m, const struct mesh *w)
{
    *m = (struct mesh){.dim = w->dim, .conducting = w, .n_regions = w->n_regions, .n_patches = w->n_patches};
    memcpy(m->source, w->source, sizeof m->source), memcpy(m->key, w->key, sizeof m->key);
    memcpy(m->note, w->note, sizeof m->note);
    m->region = copy_of(w->region, (size_t)w->n_regions * sizeof *w->region);
    m->patch = copy_of(w->patch, (size_t)w->n_patches * sizeof *w->patch);
    if (w->cut && !w->n_fluid) m->cut = copy_of(w->cut, ((size_t)ranks_count() + 1) * sizeof *w->cut);
}

/* ---------------------------------------------------------------- faces */
/* Lists the faces, and counts those of patches; here: [rings of the whole] their numbers from 1. */
static int32_t *choose_faces(struct mesh *m, const struct mesh *w, int32_t *here)
{
    const int32_t n = count_of(w);
    int32_t *face;
    NEW(face, w->n_faces);
    for (int32_t f = 0; f < w->n_internal; f++) if (w->face_neighbour[f] < n) face[m->n_faces++] = f;
    m->n_internal = m->n_active = m->n_faces;
    for (struct patch *p = m->patch; p < m->patch + w->n_patches; p++) {
        int32_t first = p->first, end = first + p->count;
        p->first = m->n_faces;
        for (int32_t f = first; f < end; f++) if (w->face_owner[f] < n) face[m->n_faces++] = f;
        p->count = m->n_faces - p->first;
    }
    for (int r = 0; r < w->n_regions; r++) {
        struct patch p = {.first = m->n_faces};
        for (int32_t f = 0; f < w->n_internal && w->solid[r]; f++)
            if (is_between(w, f) && w->cell_region[w->face_neighbour[f]] == r) face[m->n_faces++] = f;
        if (!(p.count = m->n_faces - p.first)) continue;
        memcpy(p.name, w->region[r], sizeof p.name);
        RESIZE(m->patch, m->n_patches + 1);
        m->patch[m->n_patches++] = p;
    }
    for (int32_t f = 0; f < m->n_faces; f++) here[face[f]] = f + 1;
    return face;
}

static void take_vectors(struct mesh *m, const struct mesh *w, const int32_t *face)
{
    const int64_t n = m->n_faces;
    NEW(m->face_owner, n), NEW(m->face_neighbour, m->n_internal);
    NEW(m->face_area, m->dim * n), NEW(m->face_d, m->dim * n), NEW(m->face_r, m->dim * n);
    for (int32_t f = 0; f < n; f++) {
        m->face_owner[f] = w->face_owner[face[f]];
        if (f < m->n_internal) m->face_neighbour[f] = w->face_neighbour[face[f]];
        for (int k = 0; k < m->dim; k++) {
            const double *d = f < m->n_internal ? w->face_d : w->face_r;
            m->face_area[k * n + f] = face_vector(w->face_area, w, k, face[f]);
            m->face_r[k * n + f] = face_vector(w->face_r, w, k, face[f]);
            m->face_d[k * n + f] = face_vector(d, w, k, face[f]);
        }
    }
}

static void take_joints(struct mesh *m, const struct mesh *w, int32_t *here)
{
    NEW(m->joint_face, w->n_joints), NEW(m->joint_shift, 3 * (int64_t)w->n_joints);
    for (int32_t j = 0; j < w->n_joints; j++) {
        int32_t f = here[w->joint_face[j]] - 1;
        if (f < 0 || f >= m->n_internal) continue;
        m->joint_face[m->n_joints] = f;
        memcpy(m->joint_shift + 3 * (int64_t)m->n_joints, w->joint_shift + 3 * (int64_t)j, 3 * sizeof(double));
        here[w->n_faces + j] = m->n_faces + ++m->n_joints;
    }
}

/* Appends ring `from` of the whole mesh. */
static void take_ring(struct mesh *m, const struct mesh *w, int64_t from, int64_t *ring)
{
    const int64_t at = m->face_start[*ring], n = w->face_start[from + 1] - w->face_start[from];
    memcpy(m->face_vertex + at, w->face_vertex + w->face_start[from], (size_t)n * sizeof *m->face_vertex);
    m->face_start[++*ring] = at + n;
}

static void take_rings(struct mesh *m, const struct mesh *w, const int32_t *face, const int32_t *here)
{
    int64_t ring = 0, most = w->cell_face_start[m->n_cells];
    NEW(m->face_start, m->n_faces + m->n_joints + (int64_t)1);
    NEW(m->face_vertex, w->face_start[w->n_faces + w->n_joints]);
    for (int32_t f = 0; f < m->n_faces; f++) take_ring(m, w, face[f], &ring);
    for (int32_t j = 0; j < w->n_joints; j++) if (here[w->n_faces + j]) take_ring(m, w, w->n_faces + j, &ring);
    m->cell_face_start = copy_of(w->cell_face_start, ((size_t)m->n_cells + 1) * sizeof *w->cell_face_start);
    m->cell_face_first = copy_of(w->cell_face_first, (size_t)most);
    NEW(m->cell_face, most);
    for (int64_t k = 0; k < most; k++) {
        int32_t code = w->cell_face[k], number = here[abs(code) - 1];
        m->cell_face[k] = code > 0 ? number : -number;
    }
}

/* The boundary faces, to draw them. */
static void take_marked(struct mesh *m)
{
    const int32_t n = m->n_faces - m->n_internal;
    for (int i = 0; i < m->n_patches; i++)
        for (int32_t f = m->patch[i].first; f < m->patch[i].first + m->patch[i].count; f++) {
            const struct ring ring = face_ring(m, f);
            mesh_mark(m, i, ring.vertex, ring.n);
        }
    NEW(m->marked_cell, n), NEW(m->marked_face, n);
    for (int32_t k = 0; k < n; k++)
        m->marked_face[k] = m->n_internal + k, m->marked_cell[k] = m->face_owner[m->n_internal + k];
}

/* ---------------------------------------------------------------- all */
static bool check(const struct mesh *w, struct error *e)
{
    for (int r = 0; r < w->n_regions; r++)
        for (int p = 0; p < w->n_patches && w->solid[r]; p++)
            if (!strcmp(w->region[r], w->patch[p].name))
                return refuse(e, EXIT_INPUT, "%s: the solid and a boundary are both named \"%s\", which the surface "
                              "between the solid and the fluid is named too; rename the boundary", w->source,
                              w->region[r]);
    return true;
}

bool mesh_take_fluid(struct mesh *fluid, const struct mesh *whole, struct error *e)
{
    int32_t *here, *component;
    if (!check(whole, e)) return false;
    take_names(fluid, whole);
    take_cells(fluid, whole);
    NEW(here, whole->n_faces + whole->n_joints);
    int32_t *face = choose_faces(fluid, whole, here);
    take_vectors(fluid, whole, face);
    take_joints(fluid, whole, here);
    /* A periodic face between fluid and solid belongs to the boundary, and its second side is not needed. */
    take_rings(fluid, whole, face, here);
    take_marked(fluid);
    NEW(component, fluid->n_cells);
    fluid->n_components = mesh_components(fluid, component);
    free(here), free(component), free(face);
    if (geometry_check(fluid, e)) return true;
    mesh_free(fluid);
    return false;
}

int32_t *mesh_fluid_faces(const struct mesh *fluid)
{
    struct mesh again = {.n_patches = fluid->conducting->n_patches};
    const struct mesh *w = fluid->conducting;
    int32_t *here;
    NEW(here, w->n_faces + w->n_joints);
    again.patch = copy_of(w->patch, (size_t)w->n_patches * sizeof *w->patch);
    int32_t *face = choose_faces(&again, w, here);
    free(here), free(again.patch);
    return face;
}
