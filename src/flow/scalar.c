/* Creates scalars, with their boundary conditions and sources (scalar.h). */
#include "flow/scalar_parts.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "assembly/scalar_step.h"
#include "base/memory.h"
#include "flow/anderson.h"
#include "flow/flow.h"
#include "flow/start_values.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "interface/interface.h"

/* ---------------------------------------------------------------- memory */
static double *faces(const struct stencil *s, const char *what)
{
    return device_alloc((size_t)s->n_faces * sizeof(double), what);
}

static double *cells(const struct scalar *q, int components, const char *what)
{
    return pattern_alloc(&q->all->s->pattern, components, sizeof(double), what);
}

/* Rules at boundaries, on the host. */
struct draft { uint8_t *rule, *entering; };

/* mean: over each face, as the value outside an exchange is. */
static bool give(struct scalar *q, const struct patch *p, const struct value_setting *of, double *array, bool mean,
                 struct error *e)
{
    const struct given g = {.of = of, .patch = p, .components = 1, .array = array, .mean = mean};
    return given_add(&q->all->given, &g, e);
}

/* The faces' areas over the unit of fluxes, then 1 for each of them. */
static double *face_sizes(const struct scalar *q, const struct mesh *m, const struct patch *p)
{
    const int32_t n = p->count + p->copies;
    double *size;
    NEW(size, 2 * (int64_t)n);
    for (int32_t i = 0; i < n; i++) {
        double ss = 0;
        for (int k = 0; k < m->dim; k++) {
            double area = m->face_area[(int64_t)k * m->n_faces + p->first + i];
            ss += area * area;
        }
        size[i] = sqrt(ss) / scalar_unit(q->set), size[n + i] = 1;
    }
    return size;
}

/* A flux times the faces' areas, or an exchange. */
static bool give_through(struct scalar *q, const struct mesh *m, const struct patch *p,
                         const struct value_setting *value, const struct value_setting *flux,
                         const struct value_setting *coefficient, struct error *e)
{
    struct given g = {.of = flux, .patch = p, .components = 1, .array = q->through, .mean = true,
                      .change = given_scale_each, .data = face_sizes(q, m, p)};
    const struct value_setting both[2] = {coefficient ? *coefficient : *flux, value ? *value : *flux};
    if (coefficient) g.of = both, g.components = 2, g.array = q->exchange;
    return given_add(&q->all->given, &g, e);
}

static bool give_patch(struct scalar *q, struct draft *d, const struct mesh *m, const struct patch *p,
                       struct error *e)
{
    const struct flow *f = q->all->f;
    const struct scalar_setting *s = q->set;
    const struct boundary_kind *kind = &boundary_kinds[boundary_setting_find(&f->c->boundary, p->name)->type];
    const struct value_setting *value = scalar_setting_find(s->value, s->n_values, p->name);
    const struct value_setting *flux = scalar_setting_find(s->flux, s->n_fluxes, p->name);
    const struct value_setting *coefficient = scalar_setting_find(s->coefficient, s->n_coefficients, p->name);
    bool passes = kind->flux != FLUX_NONE;
    int32_t first = p->first - m->n_internal;
    for (int32_t b = first; b < first + p->count + p->copies; b++) {
        d->rule[b] = (uint8_t)(coefficient ? RULE_MIXED : value ? RULE_VALUE : kind->scalar);
        d->entering[b] = value && passes;
    }
    return (!value || give(q, p, value, q->given, coefficient, e)) &&
           (!value || passes || coefficient || give(q, p, value, q->value, false, e)) &&
           (!(flux || coefficient) || give_through(q, m, p, value, flux, coefficient, e));
}

static bool create_boundary(struct scalar *q, const struct mesh *m, struct error *e)
{
    int32_t n = q->all->s->n_boundary;
    size_t size = (size_t)n * sizeof(double);
    struct draft d;
    NEW(d.rule, n), NEW(d.entering, n);
    double **arrays[] = {&q->value, &q->given, &q->wall, &q->shown, q->set->n_fluxes ? &q->through : NULL};
    for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++)
        if (arrays[i]) *arrays[i] = device_alloc(size, "boundary scalar");
    if (flow_is_transient(q->all->f->c)) {
        q->inflow = device_alloc(2 * size, "inflow of a scalar");
        q->stored = sums_create(1, q->all->s->n_slices, "amount of a scalar");
    } else {
        q->passed = device_alloc(size, "boundary scalar");
        fill(&(struct fill_args){.x = q->passed, .value = -1}, n);      /* as the rules are at the start */
    }
    if (q->set->n_coefficients)
        q->mixed = device_alloc(2 * size, "boundary scalar"), q->exchange = device_alloc(2 * size, "boundary scalar");
    fill(&(struct fill_args){.x = q->given, .value = q->set->initial.number}, n);
    bool good = true;
    for (int i = 0; good && i < m->n_patches; i++) good = give_patch(q, &d, m, &m->patch[i], e);
    device_copy(q->value, q->given, size);
    q->rule = device_copy_of(d.rule, (size_t)n, "rules of a scalar");
    q->entering = device_copy_of(d.entering, (size_t)n, "rules of a scalar");
    free(d.rule), free(d.entering);
    return good;
}

/* unit: by which the values are divided. */
static bool give_in_zones(struct given_list *list, const struct named_value *of_zone, int n, double unit,
                          double *array, struct error *e)
{
    for (int i = 0; i < n; i++) {
        struct given g = {.of = &of_zone[i].value, .components = 1, .array = array, .keeps_stage = true,
                          .zone = *of_zone[i].name ? mesh_region(list->m, of_zone[i].name) : GIVEN_EVERYWHERE};
        if (unit != 1) {
            g.change = given_scale;
            NEW(g.data, list->m->n_cells);
            for (int32_t c = 0; c < list->m->n_cells; c++) g.data[c] = 1 / unit;
        }
        if (!given_add(list, &g, e)) return false;
    }
    return true;
}

static bool create_in_zones(struct scalar *q, struct error *e)
{
    struct given_list start = {.m = q->all->given.m, .s = q->all->given.s};
    const struct given everywhere = {.of = &q->set->initial, .components = 1, .zone = GIVEN_EVERYWHERE, .array = q->x};
    bool good = given_add(&start, &everywhere, e) &&
                give_in_zones(&start, q->set->zone_initial, q->set->n_zone_initials, 1, q->x, e);
    given_free(&start);
    if (q->set->n_sources) q->source = cells(q, 1, "source of a scalar");
    return good && give_in_zones(&q->all->given, q->set->source, q->set->n_sources, scalar_unit(q->set),
                                 q->source, e);
}

static void follow_solids(const struct scalar *q)
{
    solids_to_boundary(q->all->solids, q->value, q->rule, q->flow_value, q->flow_rule);
}

/* The state at the start: temperatures at solids are those of the cells. */
static void create_at_flow(struct scalar *q)
{
    struct solids *k = q->all->solids;
    const size_t n = (size_t)q->all->f->s.n_boundary;
    q->flow_value = device_alloc(n * sizeof(double), "boundary scalar");
    q->flow_shown = device_alloc(n * sizeof(double), "boundary scalar");
    q->flow_rule = device_alloc(n, "rules of a scalar");
    if (k->m->part) q->flow_x = flow_cells(q->all->f, 1, q->set->name);
    q->kept_side = device_alloc(2 * (size_t)k->contacts.n * sizeof(double), "temperatures at solids");
    scalar_follow_diffusivity(q, q->value, NULL);
    solids_create_structure(k);
    struct contact_args a = {.s = k->s, .k = k->contacts, .diffusivity_faces = k->diffusivity_faces, .x = q->x};
    halo_update(k->s.pattern.halo, q->x, 1);
    contact_sides(&a, k->contacts.n);
    follow_solids(q);
}

static bool create_scalar(struct scalar *q, struct scalars *all, const struct scalar_setting *set, const struct mesh *m,
                          struct error *e)
{
    const struct flow *f = all->f;
    *q = (struct scalar){.set = set, .all = all};
    q->bounded = set->convection == SCALAR_LIMITED || set->convection == CONVECTION_UPWIND;
    q->x = q->amount = cells(q, 1, set->name), q->gradient = cells(q, all->s->dim, "gradient of a scalar");
    if (!create_in_zones(q, e) || !create_boundary(q, m, e)) return false;
    if (set->fluid == SCALAR_IN_BOTH || set->fluid == SCALAR_HEAT) start_of_file(f->c, all->s, set->name, q->x);
    const struct scalar_start_args start = {.s = *all->s, .rule = q->rule, .x = q->x, .value = q->value};
    scalar_start(&start, all->s->n_boundary);
    if (!scalar_create_diffusivity(q, m, e) || !scalar_create_capacity(q, m, e)) return false;
    if (all->solids) create_at_flow(q);
    if (set->fluid == SCALAR_IN_BOTH) return true;
    q->capacity = flow_cells(f, 1, "capacity of a scalar");
    scalar_take_fluid(q, f->interface->fraction, q->capacity, NULL);
    if (set->fluid == SCALAR_HEAT) return true;
    q->amount = flow_cells(f, 1, set->name);
    struct scalar_amount_args amount = {.capacity = q->capacity, .x = q->x, .amount = q->amount};
    scalar_to_amount(&amount, f->s.n_cells);
    return true;
}

/* Steps with less than 7 % independent of newer ones are skipped: while the flow still changes these show its changes,
 * and weights computed from them amplify rounding until even the iterations depend on the units. */
static const double least_step = 0.07;

/* A scalar that acts on the flow is mixed together with it. */
static bool is_mixed_with_flow(const struct flow_setting *c, const char *name)
{
    return c->solver.acceleration > 0 && flow_acting_scalar(c) && !strcmp(flow_acting_scalar(c), name);
}

static void create_acceleration(struct scalar *q)
{
    const struct flow *f = q->all->f;
    snprintf(q->anderson_name, sizeof q->anderson_name, "%s.acceleration", q->set->name);
    struct anderson_setup setup = {
        .name = q->anderson_name, .depth = flow_algorithm(f->c)->equation.depth, .endless = true,
        .volume = q->all->s->volume, .n_slices = q->all->s->n_slices, .noise = least_step, .n_arrays = 1,
        .array = {{"value", &q->x, 1, q->all->s->pitch, ITEM_CELLS, q->all->solids != NULL}}};
    if (setup.depth) q->anderson = anderson_create(&setup);
}

static void scalars_free(void *state)
{
    struct scalars *all = state;
    for (struct scalar *q = all->item; q < all->item + all->n; q++) {
        void *arrays[] = {q->x, q->amount == q->x ? NULL : q->amount, q->gradient, q->source, q->sink, q->capacity,
                          q->rule, q->entering, q->value, q->inflow, q->shown, q->given, q->wall, q->through, q->mixed,
                          q->exchange, q->flow_value, q->flow_shown, q->flow_rule, q->flow_x, q->kept_side, q->carries,
                          q->passed};
        for (size_t i = 0; i < sizeof arrays / sizeof *arrays; i++) device_free(arrays[i]);
        anderson_free(q->anderson);
        sums_free(&q->stored);
        scalar_free_diffusivity(q), region_laws_free(&q->capacity_laws);
    }
    device_free(all->flux), device_free(all->flow_flux), device_free(all->shown_flux), device_free(all->entered);
    device_free(all->diffusivity_faces), device_free(all->capacity_old);
    equation_work_free(&all->work);
    given_free(&all->given);
    solids_free(all->solids);
    free(all->item), free(all);
}

/* The largest diffusivity of a cell: conductivities and heat capacities may be expressions of the place. */
static double most_conducting(const struct solids *k)
{
    const int32_t n = k->m->n_cells;
    double *conductivity, *capacity, most = 0;
    NEW(conductivity, n), NEW(capacity, n);
    device_download(conductivity, k->conductivity, (size_t)n * sizeof *conductivity);
    device_download(capacity, k->capacity, (size_t)n * sizeof *capacity);
    for (int32_t c = 0; c < n; c++) most = fmax(most, conductivity[c] / capacity[c]);
    free(conductivity), free(capacity);
    largest_over_ranks(&most, 1);
    return most;
}

/* The largest diffusivity step / size^2 of cells of the mean size and, into *across, across the thinnest cells. */
static double diffusion_number(const struct scalars *all, const struct mesh *m, double *across)
{
    const struct flow_setting *c = all->f->c;
    double most = 0, volume[2] = {0, m->n_cells};               /* their sum; their number */
    for (const struct scalar *q = all->item; q < all->item + all->n; q++) {
        const struct scalar_setting *set = q->set;
        if (!flow_is_absent(c)) most = fmax(most, scalar_typical_diffusivity(q));
        if (set->fluid == SCALAR_HEAT) most = fmax(most, set->second_diffusivity / set->second_capacity);
    }
    if (all->solids) most = fmax(most, most_conducting(all->solids));
    for (int32_t i = 0; i < m->n_cells; i++) volume[0] += m->cell_volume[i];
    sums_over_ranks(volume, 2);
    const double size = mesh_edge(volume[0] / volume[1], m->dim);
    const double area = most * flow_longest_step(c, size, all->f->speed), mean = area / (size * size);
    *across = fmax(mean, area * all->s->conductance / m->dim);
    return mean;
}

static bool create(void **state, struct scalar_settings set, struct flow *f, const struct mesh *m, struct error *e)
{
    struct scalars *all;
    if (!set.n) return true;
    NEW(all, 1), NEW(all->item, set.n);
    all->f = f, all->n = set.n, all->s = &f->s;
    if (set.item->capacity > 0) all->solids = solids_create(f, m, set.item->capacity, set.item->diffusivity);
    if (all->solids) all->s = &all->solids->s, m = all->solids->m;
    all->given = (struct given_list){.m = m, .s = all->solids ? &all->solids->s : &f->s, .steady = f->given.steady,
                                     .staged = true};
    given_append(&f->given, &all->given);
    all->flux = faces(all->s, "flux of a scalar");
    all->entered = device_alloc((size_t)all->s->n_boundary * sizeof(double), "inflow of a scalar");
    if (all->solids) all->flow_flux = faces(&f->s, "flux of a scalar");
    if (all->solids || f->interface) all->shown_flux = faces(all->s, "flux of a scalar");
    if (f->interface) all->diffusivity_faces = faces(&f->s, "diffusivity");
    if (f->interface) all->capacity_old = flow_cells(f, 1, "scalars");
    bool good = true;
    for (int i = 0; good && i < all->n; i++) good = create_scalar(&all->item[i], all, &set.item[i], m, e);
    for (int i = 0; good && i < all->n; i++)
        if (!is_mixed_with_flow(f->c, all->item[i].set->name)) create_acceleration(&all->item[i]);
    const struct matrix *structure = all->solids ? &all->solids->structure : &f->pressure;
    double across = 0, diffusion = flow_is_transient(f->c) ? diffusion_number(all, m, &across) : 0;
    if (all->solids) all->work.region = all->solids->region, all->work.n_regions = all->solids->n_regions;
    bool bounded = false;
    for (int i = 0; i < all->n; i++) bounded |= all->item[i].bounded;
    if (!good || !equation_work_create(&all->work, f, all->s, structure, diffusion, across, bounded, e))
        return scalars_free(all), false;
    *state = all;
    return true;
}

static bool scalars_create(void **state, struct flow *f, const struct mesh *m, struct error *e)
{
    bool good = create(state, scalars_passive(f->c), f, m, e);
    f->passive = *state;
    return good;
}

static bool temperature_create(void **state, struct flow *f, const struct mesh *m, struct error *e)
{
    bool good = create(state, scalars_temperature(f->c), f, m, e);
    f->temperature = *state;
    return good;
}

const struct equation_kind scalar_equation = {.create = scalars_create, .fields = scalars_fields,
    .iterate = scalars_iterate, .advance = scalars_advance, .begin = scalars_begin, .ranges = scalars_ranges,
    .free = scalars_free};
const struct equation_kind temperature_equation = {.create = temperature_create, .fields = temperature_fields,
    .iterate = scalars_iterate, .advance = scalars_advance, .begin = scalars_begin, .ranges = scalars_ranges,
    .free = scalars_free};
