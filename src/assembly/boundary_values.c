/* The values that the case gives on one boundary: velocities, flow rates, rotations, pressures (boundary.h). */
#include "assembly/boundary.h"
#include "assembly/boundary_shape.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "mesh/part.h"

/* Does the value at face i of its patch point through the face, not along it?  *out: its flux, out of the domain. */
static bool points_through(const struct mesh *m, const struct given *g, int32_t i, double *out)
{
    const int32_t n = g->patch->count + g->patch->copies;
    double area = 0, speed = 0;
    *out = 0;
    for (int k = 0; k < m->dim; k++) {
        double s = face_vector(m->face_area, m, k, g->patch->first + i), u = g->value[(int64_t)k * n + i];
        *out += u * s, area += s * s, speed += u * u;
    }
    return fabs(*out) > 1e-6 * sqrt(area * speed);
}

/* Rejects an inlet whose velocity is parallel to all of its faces: there would be no inflow, and probably the wrong
 * axis was given. */
static bool check_inlet(const struct mesh *m, const struct given *g, struct error *e)
{
    bool through = false;
    double out;
    for (int32_t i = 0; i < g->patch->count && !through; i++) through = points_through(m, g, i, &out);
    through = count_over_ranks(through) > 0;
    return g->largest == 0 || through ||
           refuse(e, EXIT_INPUT, "%s: the velocity of inlet \"%s\" is parallel to the boundary, so there is no inflow; "
                  "change its direction, or use type = \"wall\" for a moving wall", case_place_text(g->of->place),
                  g->patch->name);
}

/* A flow rate becomes a velocity along the normal, with the shape of the profile; its flux is exact to rounding.  data:
 * [dim faces] the velocity of a rate of 1.  *longest: of these on all ranks. */
static bool give_rate(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set,
                      double *data, double *longest, struct error *e)
{
    const struct mesh *whole = mesh_whole(m);
    const struct patch *all = &whole->patch[patch - m->patch];
    const bool uniform = set->profile == PROFILE_UNIFORM;
    const int32_t n = patch->count + patch->copies;
    double *shape, sum = 0;
    *longest = 0;
    NEW(shape, all->count);
    bool good = uniform || boundary_profile(whole, all, set, case_place_text(set->place), shape, e);
    for (int32_t i = 0; i < all->count; i++) {
        if (uniform) shape[i] = 1;
        sum += shape[i] * mesh_face_size(whole, all->first + i);
        *longest = fmax(*longest, shape[i]);
    }
    if (set->weighed) sum *= set->entering_density;
    *longest /= sum;
    for (int32_t i = 0; i < n; i++) {
        int32_t f = patch->first + i, there = m->part ? m->part->face[f] : f;
        double speed = shape[there - all->first] / sum, size = mesh_face_size(m, f);
        for (int k = 0; k < m->dim; k++) data[(int64_t)k * n + i] = -speed * face_vector(m->face_area, m, k, f) / size;
    }
    free(shape);
    return good;
}

static bool give_inflow(struct boundary *b, struct given_list *given, const struct patch *patch,
                        const struct boundary_setting *set, struct error *e)
{
    const struct mesh *m = given->m;
    const struct value_setting of[3] = {set->flow_rate, set->flow_rate, set->flow_rate};
    struct given velocity = {.of = of, .patch = patch, .components = m->dim, .array = b->velocity,
                             .change = given_scale_each};
    NEW(velocity.data, (int64_t)m->dim * (patch->count + patch->copies));
    if (!give_rate(m, patch, set, velocity.data, &velocity.stretch, e)) return free(velocity.data), false;
    velocity.stretch /= sqrt(m->dim);                   /* `largest` is that of a vector of equal components */
    return given_add(given, &velocity, e);
}

/* Of this rank. */
static double longest_of(const double *vector, int components, int64_t n)
{
    double most = 0;
    for (int64_t i = 0; i < n; i++) {
        double square = 0;
        for (int k = 0; k < components; k++) square += vector[k * n + i] * vector[k * n + i];
        most = fmax(most, sqrt(square));
    }
    return most;
}

static bool give_rotation(struct boundary *b, struct given_list *given, const struct patch *patch,
                          const struct boundary_setting *set, struct error *e)
{
    const struct mesh *m = given->m;
    const struct value_setting *speed = &set->rotation.speed, of[3] = {*speed, *speed, *speed};
    const int64_t n = patch->count + patch->copies;
    struct given velocity = {.of = of, .patch = patch, .components = m->dim, .array = b->velocity,
                             .change = given_scale_each}, spin = velocity;
    if (!b->spin) {
        b->spin = device_alloc(3 * (size_t)given->s->n_boundary * sizeof *b->spin, "spin of walls");
        fill(&(struct fill_args){b->spin, 0}, 3 * (int64_t)given->s->n_boundary);
    }
    spin.array = b->spin, spin.components = 3;
    NEW(velocity.data, m->dim * n), NEW(spin.data, 3 * n);
    if (!boundary_rotation(m, patch, set, velocity.data, spin.data, e))
        return free(velocity.data), free(spin.data), false;
    double longest = longest_of(velocity.data, m->dim, n);
    largest_over_ranks(&longest, 1);
    velocity.stretch = longest / sqrt(m->dim);          /* `largest` is that of a vector of equal components */
    bool good = given_add(given, &velocity, e);
    return good ? given_add(given, &spin, e) : (free(spin.data), false);
}

static bool give_velocity(struct boundary *b, struct given_list *given, const struct patch *patch,
                          const struct boundary_setting *set, struct error *e)
{
    const bool wall = boundary_kinds[set->type].flux == FLUX_NONE;
    struct given velocity = {.of = set->velocity, .patch = patch, .components = given->m->dim, .array = b->velocity,
                             .tangential = wall, .mean = !wall};
    if (set->profile != PROFILE_UNIFORM) {
        velocity.change = given_scale;
        NEW(velocity.data, patch->count + patch->copies);
        if (!boundary_profile(given->m, patch, set, case_place_text(set->place), velocity.data, e))
            return free(velocity.data), false;
    }
    return given_add(given, &velocity, e) && (wall || check_inlet(given->m, &given->item[given->n - 1], e));
}

bool boundary_give_values(struct boundary *b, struct given_list *given, const struct patch *patch,
                          const struct boundary_setting *set, struct error *e)
{
    const struct boundary_kind *kind = &boundary_kinds[set->type];
    struct given pressure = {.of = &set->pressure, .patch = patch, .components = 1, .array = b->given_pressure};
    if (kind->plane) return boundary_check_planes(given->m, patch, set, case_place_text(set->place), e);
    if (kind->joined) return true;
    if (kind->pressure == RULE_VALUE) {
        if (!given_add(given, &pressure, e)) return false;
        pressure.array = b->pressure;                   /* with BACKFLOW_TOTAL computed by outlet_backflow() */
        pressure.shared = set->backflow == BACKFLOW_NONE;       /* shut faces have that of the cell */
        if (set->backflow != BACKFLOW_TOTAL && !given_add(given, &pressure, e)) return false;
    }
    if (kind->velocity != RULE_VALUE || kind->feeds) return true;
    return (set->rated ? give_inflow : set->rotation.given ? give_rotation : give_velocity)(b, given, patch, set, e);
}

bool boundary_warning(const struct boundary *b, const struct given_list *given, const struct boundary_settings *all,
                      int k, char text[WARNING_LENGTH])
{
    const struct boundary_setting *set = &all->item[k];
    bool outlet = false, fed = false, in = false, out = false;
    for (int i = 0; i < all->n; i++) {
        outlet = outlet || boundary_gives_pressure(all->item[i].type);
        fed = fed || boundary_feeds(all->item[i].type);
    }
    if (!boundary_gives_flux(set->type) || set->rated || !outlet || fed) return false;
    for (const struct given *g = given->item; g < given->item + given->n; g++) {
        if (g->array != b->velocity || strcmp(g->patch->name, set->name)) continue;
        for (int32_t i = 0; i < g->patch->count; i++) {
            double through;
            if (points_through(given->m, g, i, &through)) in = in || through < 0, out = out || through > 0;
        }
    }
    if (count_over_ranks(in) || !count_over_ranks(out)) return false;
    snprintf(text, WARNING_LENGTH, "%.300s: the velocity of inlet \"%s\" points out of the domain everywhere, so it "
             "lets fluid out; for inflow, reverse the velocity", case_place_text(set->place), set->name);
    return true;
}

/* Of a flow rate of 1 or a rotation of 1 radian per time; 0: it is not possible. */
static double speed_of_unit(const struct mesh *m, const struct patch *patch, const struct boundary_setting *set)
{
    const int64_t n = patch->count + patch->copies;
    double *data, *spin, speed = 0;
    struct error e;
    NEW(data, m->dim * n), NEW(spin, 3 * n);
    if (set->rated ? !give_rate(m, patch, set, data, &speed, &e) : !boundary_rotation(m, patch, set, data, spin, &e))
        speed = 0;
    else if (!set->rated) speed = longest_of(data, m->dim, n);
    free(data), free(spin);
    return speed;
}

double boundary_largest_speed(const struct mesh *m, const struct boundary_settings *all, double step)
{
    const struct given_list list = {.m = m};
    double most = 0;
    for (const struct patch *patch = m->patch; patch < m->patch + m->n_patches; patch++) {
        const struct boundary_setting *set = boundary_setting_find(all, patch->name);
        const bool unit = set && (set->rated || set->rotation.given);
        if (!set || boundary_kinds[set->type].velocity != RULE_VALUE || boundary_kinds[set->type].feeds) continue;
        struct given g = {.of = set->velocity, .components = m->dim, .patch = patch};
        if (unit) g.of = set->rated ? &set->flow_rate : &set->rotation.speed, g.components = 1;
        most = fmax(most, (unit ? speed_of_unit(m, patch, set) : 1) * given_longest(&list, &g, step));
    }
    return most;
}
