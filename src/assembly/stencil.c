/* Uploads the mesh to the device and builds the pattern of its matrices (stencil.h). */
#include "assembly/stencil.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "mesh/part.h"

#define UPLOAD(array, n) device_copy_of((array), (size_t)(n) * sizeof *(array), #array)

static double smallest_cell(const struct mesh *m)
{
    double least = -INFINITY;                           /* minus the smallest volume */
    for (int32_t c = 0; c < m->n_cells; c++) least = fmax(least, -m->cell_volume[c]);
    largest_over_ranks(&least, 1);
    return mesh_edge(-least, m->dim);
}

static double largest_conductance(const struct mesh *m)
{
    double *sum, most = 0;
    NEW(sum, m->n_all);
    for (int32_t f = 0; f < m->n_internal; f++) {
        double area = 0, distance = 0;
        for (int k = 0; k < m->dim; k++) {
            const int64_t at = (int64_t)k * m->n_faces + f;
            area += m->face_area[at] * m->face_area[at], distance += m->face_d[at] * m->face_d[at];
        }
        sum[m->face_owner[f]] += sqrt(area / distance), sum[m->face_neighbour[f]] += sqrt(area / distance);
    }
    for (int32_t c = 0; c < m->n_cells; c++) most = fmax(most, sum[c] / (2 * m->cell_volume[c]));
    free(sum);
    largest_over_ranks(&most, 1);
    return most;
}

/* Creates the pattern and, for every stored entry, the code of its face. */
static void create_pattern(struct stencil *s, const struct mesh *m)
{
    int64_t *start, *place;
    int32_t *column, *face, *stored;
    mesh_adjacency(m, &start, &column, &face);
    NEW(place, start[m->n_cells]);
    const struct mesh_part *part = m->part;
    if (!part) pattern_create(&s->pattern, m->n_cells, start, column, place);
    if (m->conducting && !part) s->pattern.pitch = pattern_of_rows(m->conducting->n_cells).pitch;
    if (part) {
        int64_t *first = ranks_first(m->n_cells);
        int together = m->dim == 2 ? 19 : 38;   /* needed by interface_stress.h; transient_correct() needs fewer */
        pattern_create_with_halo(&s->pattern, m->n_cells, start, column, place, part->copy, part->n_near,
                                 part->n_copies - part->n_near, together);
        s->far = halo_create(first, part->copy + part->n_near, part->n_far, s->pattern.n_padded + part->n_near,
                             s->pattern.pitch, m->dim * m->dim);
        free(first);
    }
    NEW(stored, s->pattern.n_stored);
    for (int64_t k = 0; k < start[m->n_cells]; k++) stored[place[k]] = face[k];
    s->face = UPLOAD(stored, s->pattern.n_stored);
    free(start), free(column), free(face), free(place), free(stored);
}

/* Boundary faces grouped by cell: own cells first, then ghosts. */
static void create_boundary_cells(struct stencil *s, const struct mesh *m)
{
    int32_t *count, *start, *cell, *face, n = 0;
    NEW(count, m->n_all + 1);
    for (int32_t b = 0; b < s->n_boundary; b++) count[m->face_owner[m->n_internal + b]]++;
    for (int32_t c = 0; c < m->n_all; c++) n += count[c] > 0, s->n_boundary_cells += c < m->n_cells && count[c] > 0;
    NEW(start, n + 1), NEW(cell, n), NEW(face, s->n_boundary);
    n = 0;
    for (int32_t c = 0; c < m->n_all; c++)
        if (count[c]) {
            cell[n] = c;
            start[n + 1] = start[n] + count[c];
            count[c] = start[n++];                              /* from here on: position of the cell's next face */
        }
    for (int32_t b = 0; b < s->n_boundary; b++) face[count[m->face_owner[m->n_internal + b]]++] = b;
    s->n_boundary_rows = n;
    s->boundary_cell = UPLOAD(cell, n);
    s->boundary_start = UPLOAD(start, n + 1);
    s->boundary_face = UPLOAD(face, s->n_boundary);
    free(count), free(start), free(cell), free(face);
}

static const float *bends_of_faces(const struct mesh *m)
{
    bool bent = false;
    int n = m->dim * m->dim;
    float *bend;
    if (m->dim == 2) return NULL;
    NEW(bend, (int64_t)n * m->n_faces);
    #pragma omp parallel for schedule(static) reduction(|| : bent)
    for (int32_t f = 0; f < m->n_faces; f++) {
        double moment[6], first[3][3];
        if (mesh_face_is_flat(m, f) || !mesh_face_moments(m, f, moment, first)) continue;
        bent = true;
        for (int j = 0; j < n; j++) bend[(int64_t)j * m->n_faces + f] = (float)first[j / m->dim][j % m->dim];
    }
    bent = count_over_ranks(bent) > 0;                  /* so that all ranks use the same kernel */
    const float *on_device = bent ? UPLOAD(bend, (int64_t)n * m->n_faces) : NULL;
    free(bend);
    return on_device;
}

/* Whether any rank has triangles (in 2-D) or tetrahedra. */
static bool has_simplices(const struct mesh *m)
{
    int32_t *faces, n = 0;
    NEW(faces, m->n_all);
    for (int32_t f = 0; f < m->n_faces; f++) {
        faces[m->face_owner[f]]++;
        if (f < m->n_internal) faces[m->face_neighbour[f]]++;
    }
    for (int32_t c = 0; c < m->n_cells; c++) n += faces[c] == m->dim + 1;
    free(faces);
    return count_over_ranks(n) > 0;
}

void stencil_create(struct stencil *s, const struct mesh *m)
{
    memset(s, 0, sizeof *s);
    s->dim = m->dim;
    s->n_cells = m->n_cells;
    s->n_faces = m->n_faces;
    s->n_internal = m->n_internal, s->n_active = m->n_active;
    s->n_boundary = m->n_faces - m->n_internal;
    s->orthogonal = m->orthogonal;
    s->unskewed = m->unskewed;
    s->smooth = !m->orthogonal || !m->unskewed || has_simplices(m);
    s->spacing = smallest_cell(m);
    s->conductance = largest_conductance(m);
    create_pattern(s, m);
    s->n_padded = s->pattern.n_padded, s->pitch = s->pattern.pitch;
    s->n_slices = s->pattern.n_slices;
    create_boundary_cells(s, m);
    s->owner = UPLOAD(m->face_owner, m->n_faces);
    s->neighbour = UPLOAD(m->face_neighbour, m->n_internal);
    s->area = UPLOAD(m->face_area, (int64_t)m->dim * m->n_faces);
    s->d = UPLOAD(m->face_d, (int64_t)m->dim * m->n_faces);
    s->r = UPLOAD(m->face_r, (int64_t)m->dim * m->n_faces);

    s->bend = bends_of_faces(m);
    float *part;
    NEW(part, m->n_internal);
    s->n_slivers = m->unskewed ? 0 : (int32_t)count_over_ranks(mesh_slivers(m, part));
    if (s->n_slivers) s->skew_part = UPLOAD(part, m->n_internal);
    free(part);

    double *volume = pattern_alloc(&s->pattern, 1, sizeof *volume, "cell volumes");
    double *g = device_alloc((size_t)m->n_faces * sizeof *g, "face coefficients");
    double *weight = device_alloc((size_t)m->n_internal * sizeof *weight, "interpolation weights");
    double *lsq = pattern_alloc(&s->pattern, m->dim * (m->dim + 1) / 2, sizeof *lsq, "gradient matrices");
    device_upload(volume, m->cell_volume, (size_t)m->n_all * sizeof *volume);
    s->volume = volume, s->g = g, s->weight = weight, s->lsq = lsq;
    struct stencil_args a = {*s, g, weight, volume, lsq};
    stencil_faces(&a, m->n_faces);
    stencil_pad(&a, s->n_padded - s->n_cells);
    stencil_lsq_sum(&a, s->n_slices);
    stencil_lsq_boundary(&a, s->n_boundary_cells);
    stencil_lsq_invert(&a, s->n_cells);
}

void stencil_zones(struct stencil *s, const struct mesh *m)
{
    if (s->zone) return;
    int32_t *zone = device_alloc((size_t)s->pitch * sizeof *zone, "zones");     /* its ghosts never change */
    device_upload(zone, m->cell_region, (size_t)m->n_all * sizeof *zone);
    s->zone = zone;
}

void stencil_free(struct stencil *s)
{
    const void *arrays[] = {s->face, s->owner, s->neighbour, s->area, s->d, s->r, s->g, s->weight, s->bend,
                            s->skew_part, s->volume, s->zone, s->lsq, s->boundary_cell, s->boundary_start,
                            s->boundary_face};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free((void *)arrays[i]);
    halo_free(s->far);
    pattern_free(&s->pattern);
    memset(s, 0, sizeof *s);
}
