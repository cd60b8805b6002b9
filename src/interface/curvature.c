/* Creates the curvature computation and launches its kernels (curvature.h). */
#include "interface/curvature.h"
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "mesh/mesh.h"

void pieces_update(const struct pieces *p, const struct halo *h)
{
    int dim = p->g.s.dim;
    halo_update_together(h, {p->normal, dim}, {p->offset, 1}, {p->area, 1}, {p->centroid, dim},
                         {p->moment, dim * (dim + 1) / 2});
}

/* Cosines are computed on the host and not in a kernel: their last bits differ between devices. */
static double contact_cosine(const struct boundary_settings *all, const char *name)
{
    const struct boundary_setting *b = all ? boundary_setting_find(all, name) : NULL;
    enum contact_rule rule = b ? boundary_kinds[b->type].contact : CONTACT_NONE;
    if (rule == CONTACT_NONE) return 2;
    return rule == CONTACT_RIGHT_ANGLE || b->contact_angle == 90 ? 0 : cos(b->contact_angle * M_PI / 180);
}

/* Are all cells of all ranks triangles? */
static bool is_of_triangles(const struct mesh *m)
{
    double other = m->dim == 3;
    for (int32_t c = 0; c < m->n_cells; c++) other = fmax(other, !mesh_cell_is_simplex(m, c));
    largest_over_ranks(&other, 1);
    return other == 0;
}

void curvature_create(struct curvature *k, const struct geometry *g, const struct boundary_settings *b,
                      const struct mesh *m)
{
    const struct stencil *s = &g->s;
    size_t cells = (size_t)s->pitch, faces = (size_t)(s->n_boundary ? s->n_boundary : 1);
    int32_t *row, *boundary_cell;
    double *cosine;
    *k = (struct curvature){.triangles = is_of_triangles(m)};
    k->metric = pattern_alloc(&s->pattern, s->dim * (s->dim + 1) / 2, sizeof *k->metric,
                              "metric of the fit of curvature");
    k->raw = pattern_alloc(&s->pattern, 1, sizeof *k->raw, "curvature");
    k->contact_point = device_alloc((size_t)s->dim * faces * sizeof(double), "contact points");
    k->contact_normal = device_alloc((size_t)s->dim * faces * sizeof(double), "normals at contact points");
    NEW(row, cells), NEW(boundary_cell, s->n_boundary_rows), NEW(cosine, faces);
    device_download(boundary_cell, s->boundary_cell, (size_t)s->n_boundary_rows * sizeof *boundary_cell);
    for (size_t i = 0; i < cells; i++) row[i] = -1;
    for (int32_t i = 0; i < s->n_boundary_rows; i++) row[boundary_cell[i]] = i;
    free(boundary_cell);
    for (int p = 0; p < m->n_patches; p++)
        for (int32_t i = 0; i < m->patch[p].count + m->patch[p].copies; i++)
            cosine[m->patch[p].first - m->n_internal + i] = contact_cosine(b, m->patch[p].name);
    k->boundary_row = device_copy_of(row, cells * sizeof *row, "rows of boundary cells");
    k->cosine = device_copy_of(cosine, faces * sizeof *cosine, "contact angles");
    free(row), free(cosine);
    fit_metric(&(struct curvature_args){.p.g = *g, .k = *k}, s->n_cells);
    halo_update(g->around, k->metric, s->dim * (s->dim + 1) / 2);
    halo_update(g->beyond, k->metric, s->dim * (s->dim + 1) / 2);
}

void curvature_free(struct curvature *k)
{
    device_free(k->metric), device_free(k->raw), device_free(k->boundary_row), device_free(k->cosine);
    device_free(k->contact_point), device_free(k->contact_normal);
    *k = (struct curvature){0};
}

/* Fits paraboloids, which need facets two cells away; those of near cells have been fetched already. */
static void fit(const struct curvature_args *a)
{
    const struct geometry *g = &a->p.g;
    pieces_update(&a->p, g->beyond);
    contact_points(a, g->s.n_boundary_rows);
    fit_paraboloids(a, a->p.n_cut);
}

void curvature_compute(struct curvature *k, const struct pieces *p, double *curvature)
{
    struct curvature_args a = {.p = *p, .k = *k, .curvature = curvature};
    fit(&a);
    halo_update(p->g.around, k->raw, 1);
    fill_curvature(&a, p->n_cut);
}

void curvature_normals(struct curvature *k, const struct pieces *p, double *normal)
{
    struct curvature_args a = {.p = *p, .k = *k, .normal = normal};
    fit(&a);
}
