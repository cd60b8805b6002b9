/* Creates, reconstructs and registers the interface of two fluids (interface.h). */
#include "interface/interface.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/scan.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "interface/advance.h"
#include "interface/energy.h"
#include "interface/forces.h"
#include "interface/reconstruct.h"
#include "interface/shapes.h"
#include "mesh/mesh.h"

/* At the start the planes are computed so many times, each with so many passes: this makes plane interfaces exact,
 * including those that cut off slivers of cells. */
enum { FIRST_ROUNDS = 4, FIRST_PASSES = 8 };

static void *array(int64_t count, size_t size) { return device_alloc((size_t)count * size, "the interface"); }
static double *cells(const struct stencil *s, int components)
{
    return pattern_alloc(&s->pattern, components, sizeof(double), "the interface");
}

enum { PIECES_2D = 32, PIECES_3D = 8 };         /* of faces, in which a fraction may jump from 0 to 1 */

/* Sets the fraction of the inflow from the boundaries' settings, and marks these cells in `open`. */
static bool set_inflow(struct interface *i, const struct mesh *m, struct error *e)
{
    int32_t *open;
    bool good = true;
    NEW(open, i->g.s.pitch);
    for (const struct patch *p = m->patch; p < m->patch + m->n_patches && good; p++) {
        const struct boundary_setting *set = i->in.boundary ? boundary_setting_find(i->in.boundary, p->name) : NULL;
        bool passes = !set || boundary_passes_flux(set->type);
        for (int32_t f = p->first; f < p->first + p->count; f++) open[m->face_owner[f]] |= passes;
        if (!set || !passes || !i->in.given) continue;
        good = given_add(i->in.given, &(struct given){.of = &set->fraction, .patch = p, .components = 1,
                                                      .array = i->inflow_fraction, .mean = !set->fraction.table,
                                                      .pieces = m->dim == 2 ? PIECES_2D : PIECES_3D}, e);
    }
    device_upload(i->open, open, (size_t)i->g.s.pitch * sizeof *open);
    free(open);
    return good;
}

bool interface_create_with(struct interface *i, const struct interface_inputs *in, const struct mesh *m,
                           const struct stencil *s, const struct boundary *b, const double *fraction, struct error *e)
{
    int dim = s->dim;
    int64_t n = s->pitch;
    double largest = 0;
    *i = (struct interface){.b = b, .iterations = 1, .fits = 1};
    if (in) i->in = *in;
    if (!geometry_create(&i->g, m, s, e)) return false;
    double **doubles[] = {&i->fraction, &i->fraction_old, &i->offset, &i->area, &i->distance, &i->excess};
    for (size_t k = 0; k < sizeof doubles / sizeof *doubles; k++) *doubles[k] = cells(s, 1);
    i->normal = cells(s, dim), i->new_normal = cells(s, dim);
    i->centroid = cells(s, dim), i->moment = cells(s, dim * (dim + 1) / 2), i->shape = cells(s, dim * (dim + 1) / 2);
    mean_shape(&(struct shape_args){.g = i->g, .shape = i->shape}, s->n_cells);
    int32_t **lists[] = {&i->cell, &i->band, &i->mark, &i->band_mark, &i->place, &i->open};
    for (size_t k = 0; k < sizeof lists / sizeof *lists; k++) *lists[k] = array(n + 1, sizeof(int32_t));
    i->scan_work = array(n / SLICE + 3, sizeof(int64_t));
    i->carried = array(s->n_faces, sizeof(double)), i->inflow_fraction = array(s->n_boundary, sizeof(double));
    i->ledger = array(N_LEDGER, sizeof(double)), i->sums = sums_create(3, s->n_slices, "the interface");
    i->energy_sums = sums_create(N_ENERGIES, s->n_slices, "the energy of two fluids");
    if (i->in.returns) i->normal_old = cells(s, dim), i->ledger_old = array(N_LEDGER, sizeof(double));
    if (!set_inflow(i, m, e)) return interface_free(i), false;
    for (int32_t k = 0; k < m->n_cells; k++) largest = fmax(largest, m->cell_volume[k]);
    largest_over_ranks(&largest, 1);
    i->far = 4 * mesh_edge(largest, m->dim);
    device_upload(i->fraction, fraction, (size_t)m->n_cells * sizeof *fraction);
    forces_create(i, m);
    i->iterations = i->fits = FIRST_PASSES;
    for (int k = 0; k < FIRST_ROUNDS; k++) interface_reconstruct(i);
    i->iterations = i->fits = 1;
    interface_open_ledger(i);
    return true;
}

bool interface_create(struct interface *i, const struct interface_inputs *in, const struct shape_settings *shapes,
                      const struct mesh *m, const struct stencil *s, const struct boundary *b, struct error *e)
{
    double *fraction;
    NEW(fraction, m->n_cells);
    bool ok = shapes_fraction(shapes, m, fraction, e) && interface_create_with(i, in, m, s, b, fraction, e);
    free(fraction);
    return ok;
}

/* Computes planes and facets for the current normals, including those of other ranks' near cells. */
static void place_planes(const struct interface *i, const struct reconstruct_args *a)
{
    place_plane(a, i->n_cut);
    struct pieces p = interface_pieces(i);
    pieces_update(&p, i->g.around);
}

/* The lists of cut cells and of the band; their lengths are copied to the host together. */
static void list_cells(struct interface *i, const struct reconstruct_args *a)
{
    int32_t n = i->g.s.n_cells;
    int64_t number[2];
    /* The seeds use the array of the positions in the lists. */
    mark_cut(a, n);
    halo_update_whole(i->g.around, i->mark), halo_update_whole(i->g.around, a->seed);
    mark_band(a, i->g.n_all);
    leave_band(a, i->n_band);
    int64_t *sum = scan_there(&(struct scan_args){i->mark, i->place, NULL, n, 1}, i->scan_work);
    device_copy(sum + 1, sum, sizeof *sum);             /* its position is the next one's */
    list_cut(a, n);
    scan_there(&(struct scan_args){i->band_mark, i->place, NULL, n, 1}, i->scan_work);
    list_band(a, n);
    device_download(number, sum, sizeof number);
    i->n_band = (int32_t)number[0], i->n_cut = (int32_t)number[1];
}

static struct reconstruct_args arguments(const struct interface *i)
{
    return (struct reconstruct_args){i->g, i->fraction, i->normal, i->offset, i->area, i->centroid, i->moment,
                                     i->distance, i->mark, i->band_mark, i->place, i->place, i->cell, i->band, i->far,
                                     i->new_normal, i->shape};
}

/* Distance, and the means of near facets in uncut cells of the band. */
static void finish(struct interface *i, const struct reconstruct_args *a)
{
    distance_to_pieces(a, i->n_band);
    halo_update(i->g.s.pattern.halo, i->centroid, i->g.s.dim);
}

void interface_restored(struct interface *i)
{
    struct reconstruct_args a = arguments(i);
    halo_update(i->g.around, i->fraction, 1);
    list_cells(i, &a);
    device_copy(i->new_normal, i->normal, (size_t)(i->g.s.dim * i->g.s.pitch) * sizeof *i->normal);
    place_planes(i, &a);
    finish(i, &a);
}

static int64_t normals(const struct interface *i) { return i->g.s.dim * i->g.s.pitch; }

void interface_begin(struct interface *i)
{
    copy_array(i->fraction_old, i->fraction, i->g.s.n_padded);
    if (!i->in.returns) return;
    copy_array(i->normal_old, i->normal, normals(i)), copy_array(i->ledger_old, i->ledger, N_LEDGER);
}

void interface_return(struct interface *i)
{
    copy_array(i->fraction, i->fraction_old, i->g.s.n_padded);
    copy_array(i->normal, i->normal_old, normals(i)), copy_array(i->ledger, i->ledger_old, N_LEDGER);
    interface_restored(i);
}

void interface_reconstruct(struct interface *i)
{
    const struct halo *h = i->g.around;
    struct reconstruct_args a = arguments(i);
    halo_update(h, i->fraction, 1);
    list_cells(i, &a);
    first_normal(&a, i->n_cut);
    place_planes(i, &a);
    for (int k = 0; k < i->iterations; k++) {
        distance_to_pieces(&a, i->n_band);
        halo_update_together(h, {i->distance, 1}, {i->normal, i->g.s.dim});
        normal_from_distance(&a, i->n_cut);
        place_planes(i, &a);
    }
    for (int k = 0; k < i->fits; k++) {
        normal_from_pieces(&a, i->n_cut);
        place_planes(i, &a);
    }
    finish(i, &a);
}

void interface_layers(const struct interface *i, const struct fluid_value value[2], const double *x,
                      const double *x_boundary, double *faces)
{
    const struct stencil *s = &i->g.s;
    struct layers_args a = {.s = *s, .value = {value[0], value[1]}, .x = x, .x_boundary = x_boundary,
                            .fraction = i->fraction, .distance = i->distance, .normal = i->normal, .faces = faces};
    halo_update_together(s->pattern.halo, {i->fraction, 1}, {i->distance, 1}, {i->normal, s->dim});
    layers_at_faces(&a, s->n_faces);
}

void interface_free(struct interface *i)
{
    void *arrays[] = {i->fraction, i->fraction_old, i->normal, i->normal_old, i->new_normal, i->shape, i->offset,
                      i->area, i->centroid, i->moment, i->cell, i->band, i->distance, i->mark, i->band_mark, i->place,
                      i->scan_work, i->carried, i->excess, i->inflow_fraction, i->open, i->ledger, i->ledger_old};
    for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) device_free(arrays[k]);
    sums_free(&i->sums), sums_free(&i->energy_sums);
    forces_free(i);
    geometry_free(&i->g);
    *i = (struct interface){0};
}

/* Curvature of the current interface.  Every step recomputes the curvature before using it, so this does not affect
 * results. */
static void show_curvature(void *interface, const struct mesh *m, double *to)
{
    (void)m;
    struct interface *i = interface;
    interface_curvature(i);
    device_download(to, i->curvature, (size_t)i->g.s.pitch * sizeof *to);
}

void interface_fields(struct interface *i, struct fields *all, const struct stencil *s)
{
    const struct field own[] = {
        {.name = "fraction", .use = FIELD_OUTPUT | FIELD_CHECKPOINT | FIELD_SAMPLE | FIELD_DIGEST, .components = 1,
         .pitch = s->pitch, .value = &i->fraction},
        {.name = "distance", .use = FIELD_OUTPUT, .components = 1, .pitch = s->pitch, .value = &i->distance},
        {.name = "curvature", .use = FIELD_OUTPUT, .components = 1, .pitch = s->pitch, .show = show_curvature,
         .owner = i},
        {.name = "normal", .use = FIELD_CHECKPOINT, .components = s->dim, .pitch = s->pitch, .value = &i->normal},
        {.name = "ledger", .use = FIELD_CHECKPOINT, .components = 1, .pitch = N_LEDGER, .of = ITEM_NONE,
         .value = &i->ledger}};
    for (size_t k = 0; k < sizeof own / sizeof *own; k++) fields_add(all, &own[k]);
}
