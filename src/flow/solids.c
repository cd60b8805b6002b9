/* Creates the mesh of fluid and solids for the temperature (solids.h). */
#include "flow/solids.h"
#include <math.h>
#include <stdlib.h>
#include "assembly/pressure.h"
#include "assembly/residual.h"
#include "base/memory.h"
#include "flow/flow.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "mesh/fluid.h"
#include "mesh/part.h"

static const struct solid_setting *solid_of(const struct flow *f, const struct mesh *m, int32_t cell)
{
    const int r = m->cell_region[cell];
    return m->solid && m->solid[r] ? solid_setting_find(&f->c->solids, m->region[r]) : NULL;
}

static double diffusivity_in(const struct flow *f, const struct mesh *m, int32_t cell, double capacity,
                             double diffusivity)
{
    const struct solid_setting *solid = solid_of(f, m, cell);
    return solid ? solid->conductivity / capacity : diffusivity;
}

/* The largest over the smallest of these, of all ranks. */
static double ratio(const double *of, int32_t n)
{
    double most[2] = {-INFINITY, 0};                    /* minus the smallest; the largest */
    for (int32_t i = 0; i < n; i++) most[0] = fmax(most[0], -of[i]), most[1] = fmax(most[1], of[i]);
    largest_over_ranks(most, 2);
    return most[1] / -most[0];
}

static void create_properties(struct solids *k, const struct flow *f, double capacity, double diffusivity)
{
    const struct mesh *m = k->m;
    double *c, *d, *faces;
    NEW(c, m->n_all), NEW(d, m->n_all), NEW(faces, m->n_faces);
    for (int32_t i = 0; i < m->n_all; i++) {
        if (mesh_cell_in_whole(m, i) < 0) continue;
        const struct solid_setting *solid = solid_of(f, m, i);
        c[i] = solid ? solid->density * solid->heat_capacity / capacity : 1;
        d[i] = diffusivity_in(f, m, i, capacity, diffusivity);
    }
    k->contrast = fmax(ratio(c, m->n_cells), ratio(d, m->n_cells));
    for (int32_t i = 0; i < m->n_faces; i++) faces[i] = d[m->face_owner[i]];
    k->capacity = pattern_alloc(&k->s.pattern, 1, sizeof *c, "heat capacity");
    k->conductivity = pattern_alloc(&k->s.pattern, 1, sizeof *d, "conductivity");
    device_upload(k->capacity, c, (size_t)m->n_all * sizeof *c);
    device_upload(k->conductivity, d, (size_t)m->n_all * sizeof *d);
    k->diffusivity_faces = device_copy_of(faces, (size_t)m->n_faces * sizeof *faces, "conductivity");
    free(c), free(d), free(faces);
}

static void create_regions(struct solids *k)
{
    uint8_t *region;
    NEW(region, k->s.pitch);
    for (int32_t i = 0; i < k->m->n_cells; i++) region[i] = (uint8_t)(k->m->cell_region[i] % MOST_REGIONS);
    k->n_regions = k->m->n_regions < MOST_REGIONS ? k->m->n_regions : MOST_REGIONS;
    k->region = device_copy_of(region, (size_t)k->s.pitch, "regions");
    free(region);
}

static void create_contacts(struct solids *k, const struct flow *f)
{
    double *resistance;
    NEW(resistance, k->m->n_regions);
    for (int r = 0; r < k->m->n_regions; r++) {
        const struct solid_setting *solid = solid_setting_find(&f->c->solids, k->m->region[r]);
        if (solid) resistance[r] = solid->contact_resistance * f->c->heat.capacity;
    }
    contacts_create(&k->contacts, &k->s, k->m, resistance);
    k->contacts.conductivity = k->conductivity;
    struct contact_args a = {.s = k->s, .k = k->contacts, .diffusivity_faces = k->diffusivity_faces};
    contact_conductance(&a, k->contacts.n);
    free(resistance);
}

/* ---------------------------------------------------------------- between this mesh and that of the flow */
static int32_t face_in_whole(const struct mesh *m, int32_t f) { return m->part ? m->part->face[f] : f; }

/* Cells of the fluid; of solids alone all, as in the flow's mesh. */
static bool flows(const struct mesh *m, int32_t cell)
{
    return cell < m->n_cells && (mesh_whole(m)->n_fluid == 0 || cell < m->n_fluid);
}

/* face: the number in the mesh with solids of each face of the flow, all of them in the whole meshes. */
static void relay_faces(struct solids *k, const struct mesh *flow, const int32_t *face)
{
    const struct mesh *m = k->m, *whole = mesh_whole(m), *w = mesh_whole(flow);
    int32_t *number, *from, *offered, *wanted, n = 0;
    NEW(number, whole->n_faces), NEW(from, flow->n_faces), NEW(offered, flow->n_faces), NEW(wanted, m->n_faces);
    for (int32_t f = 0; f < w->n_faces; f++)
        if (f < w->n_internal || face[f] >= whole->n_internal) number[face[f]] = f + 1;
    for (int32_t f = 0; f < flow->n_faces; f++)
        if (flow->face_owner[f] < flow->n_cells) from[n] = f, offered[n++] = face_in_whole(flow, f);
    for (int32_t f = 0; f < m->n_faces; f++) wanted[f] = number[face_in_whole(m, f)] - 1;
    relay_create(&k->faces, &(struct relay_items){n, m->n_faces, w->n_faces, from, offered, wanted}, 1);
    free(number), free(from), free(offered), free(wanted);
}

static void relay_boundary(struct solids *k, const struct mesh *flow, const int32_t *face)
{
    const struct mesh *m = k->m;
    const int32_t n_boundary = flow->n_faces - flow->n_internal;
    int32_t *from, *offered, *wanted, n = 0, contact = 0;
    NEW(from, m->n_faces), NEW(offered, m->n_faces), NEW(wanted, n_boundary);
    for (int32_t f = 0; f < m->n_faces; f++) {
        if (f < m->n_internal && (f >= m->n_active || !mesh_is_contact(m, f))) continue;
        const int32_t at = f < m->n_internal ? -1 - contact++ : f - m->n_internal;
        if (flows(m, m->face_owner[f])) from[n] = at, offered[n++] = face_in_whole(m, f);
    }
    for (int32_t b = 0; b < n_boundary; b++) wanted[b] = face[face_in_whole(flow, flow->n_internal + b)];
    relay_create(&k->boundary, &(struct relay_items){n, n_boundary, mesh_whole(m)->n_faces, from, offered, wanted}, 2);
    free(from), free(offered), free(wanted);
}

static void relay_cells(struct solids *k, const struct mesh *flow)
{
    const struct mesh *m = k->m;
    int32_t *from, *offered, *wanted, n = 0;
    NEW(from, m->n_cells), NEW(offered, m->n_cells), NEW(wanted, flow->n_cells);
    for (int32_t c = 0; c < m->n_cells; c++) if (flows(m, c)) from[n] = c, offered[n++] = mesh_cell_in_whole(m, c);
    for (int32_t c = 0; c < flow->n_cells; c++) wanted[c] = mesh_cell_in_whole(flow, c);
    relay_create(&k->cells, &(struct relay_items){n, flow->n_cells, mesh_whole(flow)->n_cells, from, offered, wanted},
                 1);
    free(from), free(offered), free(wanted);
}

static void create_relays(struct solids *k, const struct mesh *flow)
{
    int32_t *face = mesh_fluid_faces(mesh_whole(flow));
    relay_faces(k, flow, face), relay_boundary(k, flow, face);
    if (flow->part) relay_cells(k, flow);
    free(face);
}

/* ---------------------------------------------------------------- all */
void solids_create_structure(struct solids *k)
{
    const struct stencil *s = &k->s;
    double *coefficient = device_alloc((size_t)s->n_faces * sizeof(double), "conduction");
    double *none = device_alloc((size_t)s->n_faces * sizeof(double), "conduction");
    double *rhs = pattern_alloc(&s->pattern, 1, sizeof(double), "conduction");
    fill(&(struct fill_args){.x = none, .value = 1}, s->n_faces);
    divide(&(struct divide_args){.x = none, .y = s->g, .z = coefficient}, s->n_faces);
    divide(&(struct divide_args){.x = k->diffusivity_faces, .y = coefficient, .z = coefficient}, s->n_faces);
    fill(&(struct fill_args){.x = none, .value = 0}, s->n_faces);
    matrix_create(&k->structure, &s->pattern);
    struct pressure_args p = {.s = *s, .a = k->structure, .coefficient = coefficient, .flux = none, .scale = 1,
                              .rhs = rhs};
    pressure_matrix(&p, s->n_slices);
    device_free(coefficient), device_free(none), device_free(rhs);
}

struct solids *solids_create(struct flow *f, const struct mesh *m, double capacity, double diffusivity)
{
    struct solids *k;
    if (!m->conducting) return NULL;
    NEW(k, 1);
    k->m = m->conducting;
    stencil_create(&k->s, k->m);
    create_properties(k, f, capacity, diffusivity);
    create_regions(k);
    create_contacts(k, f);
    create_relays(k, m);
    return k;
}

void solids_free(struct solids *k)
{
    if (!k) return;
    void *arrays[] = {k->region, k->capacity, k->conductivity, k->diffusivity_faces};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    relay_free(&k->faces), relay_free(&k->boundary), relay_free(&k->cells);
    matrix_free(&k->structure);
    contacts_free(&k->contacts);
    stencil_free(&k->s);
    free(k);
}

void solids_carry(const struct solids *k, const double *of_flow, double *flux)
{
    relay_send(&k->faces, of_flow, NULL, flux);
}

void solids_to_boundary(const struct solids *k, const double *value, const uint8_t *rule, double *to, uint8_t *to_rule)
{
    relay_send_rules(&k->boundary, value, k->contacts.side, rule, to, to_rule);
}

void solids_flux_to_boundary(const struct solids *k, const double *value, const double *heat, double *to)
{
    relay_send(&k->boundary, value, heat, to);
}

void solids_to_cells(const struct solids *k, const double *value, double *to)
{
    relay_send(&k->cells, value, NULL, to);
}
