/* Checks the boundary conditions against the mesh and uploads their rules and values (boundary.h). */
#include "assembly/boundary.h"
#include "assembly/boundary_parts.h"
#include "assembly/reconstruction.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "mesh/part.h"

static const struct boundary_setting *setting_of(const struct boundary_settings *all, const char *name)
{
    const struct boundary_setting *set = boundary_setting_find(all, name);
    if (!set) die("boundary %s has no condition", name);
    return set;
}

/* The cells of this rank that set the level of the pressure: see struct boundary. */
static void create_pins(struct boundary *b, const struct mesh *m, const struct boundary_parts *parts)
{
    const struct mesh *w = mesh_whole(m);
    int32_t *first, first_own = m->part ? m->part->first : 0;
    NEW(first, parts->n);
    for (int32_t k = 0; k < parts->n; k++) first[k] = -1;
    for (int32_t c = 0; c < w->n_cells; c++) {
        int32_t *least = &first[parts->of[c]];
        if (*least < 0 || w->cell_original[c] < w->cell_original[*least]) *least = c;
    }
    for (int32_t k = 0; k < parts->n; k++)
        if (!parts->open[k] && first[k] >= first_own && first[k] < first_own + m->n_cells)
            first[b->n_pins++] = first[k] - first_own;
    b->pin = device_copy_of(first, (size_t)b->n_pins * sizeof *first, "cells of given pressure");
    free(first);
}

/* Volume flux out of part k through the patch with a given velocity; *gross: the sum of magnitudes. */
static double flow_out(const struct mesh *m, const struct given *g, const struct boundary_parts *parts, int32_t k,
                       double *gross)
{
    double net = 0;
    int32_t n = g->patch->count + g->patch->copies;
    *gross = 0;
    for (int32_t i = 0; i < g->patch->count; i++) {
        double flux = 0;
        if (boundary_part_at(parts, m, g->patch->first + i) != k) continue;
        for (int j = 0; j < m->dim; j++)
            flux += g->value[(int64_t)j * n + i] * face_vector(m->face_area, m, j, g->patch->first + i);
        net += flux, *gross += fabs(flux);
    }
    sums_over_ranks(&net, 1), sums_over_ranks(gross, 1);
    return net;
}

/* Can no fluid enter the mesh?  Every outlet is one without backflow, and no inlet gives a velocity. */
static bool is_sealed(const struct boundary_settings *all)
{
    bool gate = false, other = false;
    for (int i = 0; i < all->n; i++) {
        const struct boundary_setting *set = &all->item[i];
        bool shuts = boundary_gives_pressure(set->type) && set->backflow == BACKFLOW_NONE;
        gate |= shuts, other |= !shuts && boundary_passes_flux(set->type);
    }
    return gate && !other;
}

static bool gives_flux(const struct boundary *b, const struct given *g, const struct boundary_settings *all)
{
    return g->array == b->velocity && boundary_gives_flux(setting_of(all, g->patch->name)->type);
}

/* Whether the inlets of part k may let fluid out: an inlet of given pressure can feed the others, and the outlet can
 * while their velocities vary in time. */
static bool may_let_out(const struct boundary *b, const struct given_list *given,
                        const struct boundary_settings *all, int32_t k)
{
    bool allowed = false;
    for (int i = 0; i < all->n; i++) allowed |= boundary_feeds(all->item[i].type);
    for (const struct given *g = given->item; g < given->item + given->n && !allowed; g++)
        allowed = gives_flux(b, g, all) && given_is_in_time(g);
    return allowed && b->parts->open[k];
}

/* Checks the given fluxes of part k. */
static bool check_part(const struct boundary *b, const struct given_list *given, const struct boundary_settings *all,
                       int32_t k, struct error *e)
{
    const struct boundary_parts *parts = b->parts;
    double net = 0, gross = 0, most = 0;
    const struct boundary_setting *worst = NULL, *some = NULL;
    char when[60] = "";
    bool in_time = false;
    if (may_let_out(b, given, all, k)) return true;
    for (const struct given *g = given->item; g < given->item + given->n; g++) {
        if (!gives_flux(b, g, all)) continue;
        const struct boundary_setting *set = setting_of(all, g->patch->name);
        double size, out = flow_out(given->m, g, parts, k, &size);
        in_time |= given_is_in_time(g);
        net += out, gross += size;
        if (size > 0) some = set;
        if (out > most) most = out, worst = set;
    }
    if ((parts->open[k] ? net : fabs(net)) <= 1e-9 * gross) return true;
    struct case_place whole = {all->item->place.source, LINE_OF_WHOLE};
    if (in_time) snprintf(when, sizeof when, " at t = %.9g", given->time);
    if (!parts->open[k] && parts->n > 1)
        return refuse(e, EXIT_INPUT, "%s: inlet \"%s\" belongs to one of the %d separate parts of the mesh, which has "
                      "no outlet, yet its inlets give a net volume flow of %g (in minus out)%s; make a boundary of "
                      "that part type = \"outlet\"", case_place_text(some->place), some->name, parts->n, -net, when);
    if (!parts->open[k])
        return refuse(e, EXIT_INPUT, "%s: no boundary is an outlet, yet the inlets give a net volume flow of %g (in "
                      "minus out)%s; make one boundary type = \"outlet\"", case_place_text(whole), -net, when);
    if (worst->rated)
        return refuse(e, EXIT_INPUT, "%s: inlet \"%s\" lets fluid out of the domain (its flow rate is negative), so "
                      "that fluid would have to come in through the outlets; make the rate positive, or make this "
                      "boundary the outlet and let an inlet feed it", case_place_text(worst->place), worst->name);
    return refuse(e, EXIT_INPUT, "%s: the velocity of inlet \"%s\" points out of the domain, so that fluid would have "
                  "to come in through the outlets: reverse it, or make this boundary the outlet and let an inlet "
                  "feed it", case_place_text(worst->place), worst->name);
}

bool boundary_check_balance(const struct boundary *b, const struct given_list *given,
                            const struct boundary_settings *all, struct error *e)
{
    bool good = true;
    if (is_sealed(all))
        return refuse(e, EXIT_INPUT, "%s: all outlets have backflow = \"none\", and there is no inlet: no fluid can "
                      "enter, so none can leave; add an inlet, or choose another backflow",
                      case_place_text((struct case_place){all->item->place.source, LINE_OF_WHOLE}));
    for (int32_t k = 0; k < b->parts->n && good; k++) good = check_part(b, given, all, k, e);
    return good;
}

/* Rules on the host, before the upload to the device. */
struct draft { uint8_t *velocity, *pressure, *flux, *total, *gate; int32_t *mean; int n_mean; };

static void set_rules(struct draft *d, const struct mesh *m, const struct patch *patch,
                      const struct boundary_setting *set)
{
    const struct boundary_kind *kind = &boundary_kinds[set->type];
    const bool mean = kind->flux == FLUX_FREE && set->total && !kind->feeds;
    int32_t first = patch->first - m->n_internal;
    d->n_mean += mean;
    for (int32_t f = first; f < first + patch->count + patch->copies; f++) {
        d->mean[f] = mean ? d->n_mean : 0;
        d->velocity[f] = (uint8_t)kind->velocity, d->pressure[f] = (uint8_t)kind->pressure;
        d->flux[f] = (uint8_t)kind->flux;
        d->gate[f] = kind->flux == FLUX_FREE && set->backflow == BACKFLOW_NONE;
        bool total = kind->flux == FLUX_FREE && set->backflow == BACKFLOW_TOTAL;
        d->total[f] = (uint8_t)(mean ? HEAD_MEAN : kind->feeds ? HEAD_INLET : total ? HEAD_BACKFLOW : HEAD_NONE);
    }
}

static bool has_gates(const struct mesh *m, const struct boundary_settings *all)
{
    bool found = false;
    for (int i = 0; i < m->n_patches; i++) {
        const struct boundary_setting *set = setting_of(all, m->patch[i].name);
        found |= boundary_kinds[set->type].flux == FLUX_FREE && set->backflow == BACKFLOW_NONE;
    }
    return found;
}

/* Allocates device memory, with the initial values where the case gives none. */
static void create_values(struct boundary *b, const struct stencil *s, const double start_velocity[3],
                          double start_pressure)
{
    size_t size = (size_t)s->n_boundary * sizeof(double);
    b->velocity = device_alloc((size_t)s->dim * size, "boundary velocity");
    b->pressure = device_alloc(size, "boundary pressure"), b->given_pressure = device_alloc(size, "given pressure");
    b->head = device_alloc(size, "head at outlets");
    b->entering = device_alloc((size_t)s->dim * size, "velocity that enters");
    b->stiffness = device_alloc(size, "stiffness of outlets");
    fill(&(struct fill_args){b->stiffness, 0}, s->n_boundary);
    for (int k = 0; k < s->dim; k++) {
        struct fill_args velocity = {b->velocity + (int64_t)k * s->n_boundary, start_velocity[k]};
        fill(&velocity, s->n_boundary);
    }
    struct fill_args pressure = {b->given_pressure, start_pressure};
    fill(&pressure, s->n_boundary);
}

bool boundary_create(struct boundary *b, struct given_list *given, const struct boundary_settings *all,
                     const double start_velocity[3], double start_pressure, struct error *e)
{
    const struct mesh *m = given->m;
    size_t n = (size_t)given->s->n_boundary;
    struct draft d;
    struct error found = {0}, one;
    bool good = true;
    NEW(d.velocity, n), NEW(d.pressure, n), NEW(d.flux, n), NEW(d.total, n), NEW(d.gate, n), NEW(d.mean, n);
    d.n_mean = 0;
    memset(b, 0, sizeof *b);
    b->parts = boundary_parts_create(m, all);
    create_values(b, given->s, start_velocity, start_pressure);
    for (int i = 0; i < m->n_patches; i++) {
        const struct boundary_setting *set = setting_of(all, m->patch[i].name);
        set_rules(&d, m, &m->patch[i], set);
        good &= error_keep(boundary_give_values(b, given, &m->patch[i], set, &one), &found, &one);
        b->stiff |= boundary_feeds(set->type);
    }
    device_copy(b->pressure, b->given_pressure, n * sizeof(double));
    boundary_parts_measure(b->parts, given, b->given_pressure);
    good = ranks_agree(good, &found) && error_keep(boundary_check_balance(b, given, all, &one), &found, &one);
    if (good) {
        b->velocity_rule = device_copy_of(d.velocity, n, "boundary rules");
        b->pressure_rule = device_copy_of(d.pressure, n, "boundary rules");
        b->flux_rule = device_copy_of(d.flux, n, "boundary rules");
        b->total = device_copy_of(d.total, n, "boundary rules");
        if (d.n_mean) b->mean = device_copy_of(d.mean, n * sizeof *d.mean, "boundary rules"), b->n_mean = d.n_mean;
        if (has_gates(m, all)) {
            b->gate = device_copy_of(d.gate, n, "gates of outlets");
            b->shut = device_alloc(n * sizeof *b->shut, "gates of outlets");
            fill(&(struct fill_args){b->shut, 0}, (int64_t)n);
        }
        b->closed = b->parts->n == 1 && !b->parts->open[0];
        if (b->parts->n > 1) create_pins(b, m, b->parts);
        wall_stencil_create(b, m, d.pressure);
    } else error_copy(e, &found), boundary_free(b);
    free(d.velocity), free(d.pressure), free(d.flux), free(d.total), free(d.gate), free(d.mean);
    return good;
}

struct face_values boundary_of_velocity(const struct boundary *b, const struct reconstruction *r, bool extrapolated)
{
    return (struct face_values){.rule = b->velocity_rule, .value = b->velocity, .wall = r->wall,
                                .wall_own = r->wall_own, .beyond = extrapolated ? r->outlet : NULL,
                                .entering = b->entering, .entered = b->total};
}

void boundary_free(struct boundary *b)
{
    device_free((void *)b->wall_cell), device_free((void *)b->wall_start);
    device_free((void *)b->wall_neighbour), device_free((void *)b->wall_coefficient);
    device_free((void *)b->wall_force_start), device_free((void *)b->wall_face), device_free((void *)b->wall_force);
    device_free(b->velocity_rule), device_free(b->pressure_rule), device_free(b->flux_rule);
    device_free((void *)b->gate), device_free((void *)b->mean), device_free(b->shut);
    device_free((void *)b->total), device_free((void *)b->pin);
    device_free(b->velocity);
    device_free(b->pressure), device_free(b->given_pressure), device_free(b->head), device_free(b->entering);
    device_free(b->stiffness), device_free(b->spin), device_free((void *)b->own_speed);
    boundary_parts_free(b->parts);
    memset(b, 0, sizeof *b);
}
