/* Creates the mesh of fluid and solids for the temperature (solids.h). */
#include "flow/solids.h"
#include <math.h>
#include <stdlib.h>
#include "assembly/pressure.h"
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

/* For each face of the flow its number in the mesh with solids; on several ranks both have the same cells. */
static int32_t *faces_here(const struct mesh *flow)
{
    int32_t *face = mesh_fluid_faces(mesh_whole(flow)), *here, *to;
    if (!flow->part) return face;
    const struct mesh *m = flow->conducting;
    NEW(here, mesh_whole(m)->n_faces), NEW(to, flow->n_faces);
    for (int32_t f = 0; f < m->n_faces; f++) here[m->part->face[f]] = f;
    for (int32_t f = 0; f < flow->n_faces; f++) to[f] = here[face[flow->part->face[f]]];
    free(face), free(here);
    return to;
}

/* Numbers of faces in this mesh and in that of the flow. */
static void create_faces(struct solids *k, const struct mesh *flow)
{
    const struct mesh *m = k->m;
    int32_t *face = faces_here(flow), *from, *to, n = flow->n_faces - flow->n_internal, contact = 0, *number;
    NEW(from, m->n_faces), NEW(to, n), NEW(number, m->n_internal);
    for (int32_t f = 0; f < m->n_faces; f++) from[f] = -1;
    for (int32_t f = 0; f < m->n_active; f++) if (mesh_is_contact(m, f)) number[f] = contact++;
    for (int32_t f = 0; f < flow->n_faces; f++) {
        bool surface = f >= flow->n_internal && face[f] < m->n_internal;
        if (!surface) from[face[f]] = f;
        if (f >= flow->n_internal) to[f - flow->n_internal] = surface ? -1 - number[face[f]] : face[f] - m->n_internal;
    }
    k->from_face = device_copy_of(from, (size_t)m->n_faces * sizeof *from, "faces of solids");
    k->to_boundary = device_copy_of(to, (size_t)n * sizeof *to, "faces of solids");
    free(face), free(from), free(to), free(number);
}

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
    create_contacts(k, f);
    create_faces(k, m);
    return k;
}

void solids_free(struct solids *k)
{
    if (!k) return;
    void *arrays[] = {k->capacity, k->conductivity, k->diffusivity_faces, k->from_face, k->to_boundary};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
    matrix_free(&k->structure);
    contacts_free(&k->contacts);
    stencil_free(&k->s);
    free(k);
}

void solids_carry(const struct solids *k, const double *of_flow, double *flux)
{
    struct solids_carry_args a = {.from = k->from_face, .of_flow = of_flow, .flux = flux};
    solids_flux(&a, k->s.n_faces);
}

void solids_to_boundary(const struct solids *k, const double *value, const uint8_t *rule, double *to, uint8_t *to_rule,
                        int32_t n)
{
    struct solids_boundary_args a = {.to_boundary = k->to_boundary, .value = value, .contact = k->contacts.side,
                                     .rule = rule, .to = to, .to_rule = to_rule};
    solids_boundary(&a, n);
}

void solids_flux_to_boundary(const struct solids *k, const double *value, const double *heat, double *to, int32_t n)
{
    struct solids_boundary_args a = {.to_boundary = k->to_boundary, .value = value, .contact = heat, .to = to};
    solids_boundary(&a, n);
}
