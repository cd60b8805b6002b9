#include "assembly/boundary.h"
#include "assembly/boundary_shape.h"
#include "assembly/reconstruction.h"
#include "assembly/wall_stencil.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/sums.h"
#include "mesh/mesh.h"

/* A patch while the values at its faces are being filled in. */
struct filling {
    const struct mesh *m;
    const struct patch *patch;
    const struct boundary_setting *set;
    const char *place;          /* of the setting in the case, for messages */
    double *velocity;           /* [dim n_boundary] */
    int32_t n_boundary;
};

static double face_vector(const double *v, const struct mesh *m, int k, int32_t f)
{
    return v[(int64_t)k * m->n_faces + f];
}

static double face_centre(const struct mesh *m, int k, int32_t f)
{
    return m->cell_centre[(int64_t)k * m->n_all + m->face_owner[f]] + face_vector(m->face_r, m, k, f);
}

/* Does the given velocity point through face f, not along it? */
static bool points_through(const struct filling *p, int32_t f)
{
    const struct mesh *m = p->m;
    double through = 0, area = 0, speed = 0;
    for (int k = 0; k < m->dim; k++) {
        double s = face_vector(m->face_area, m, k, f), u = p->set->velocity[k];
        through += u * s, area += s * s, speed += u * u;
    }
    return fabs(through) > 1e-6 * sqrt(area * speed);
}

static bool check_wall(const struct filling *p, struct error *e)
{
    const struct mesh *m = p->m;
    for (int32_t f = p->patch->first; f < p->patch->first + p->patch->count; f++)
        if (points_through(p, f))
            return refuse(e, EXIT_INPUT, "%s: the velocity of wall \"%s\" points through the wall (at %g, %g, %g); "
                          "a wall moves along itself; for flow through it use type = \"inlet\"", p->place,
                          p->patch->name, face_centre(m, 0, f), face_centre(m, 1, f),
                          m->dim == 3 ? face_centre(m, 2, f) : 0);
    return true;
}

/* Refuses an inlet whose velocity points along all of its faces: nothing would flow in; an axis was mistaken. */
static bool check_inlet(const struct filling *p, struct error *e)
{
    const double *u = p->set->velocity;
    bool moves = u[0] != 0 || u[1] != 0 || u[2] != 0, through = false;
    for (int32_t i = 0; i < p->patch->count && !through; i++) through = points_through(p, p->patch->first + i);
    through = count_over_ranks(through) > 0;
    return !moves || through || refuse(e, EXIT_INPUT, "%s: the velocity of inlet \"%s\" runs along the boundary, so "
                                       "nothing flows in; turn it, or use type = \"wall\" for a boundary that moves "
                                       "along itself", p->place, p->patch->name);
}

static bool fill_inlet(const struct filling *p, struct error *e)
{
    bool good = check_inlet(p, e);
    const struct mesh *m = p->m;
    double *shape;
    int32_t n = p->patch->count + p->patch->copies;
    NEW(shape, n);
    if (p->set->profile == PROFILE_UNIFORM) for (int32_t i = 0; i < n; i++) shape[i] = 1;
    else good = good && boundary_profile(m, p->patch, p->set, p->place, shape, e);
    for (int32_t i = 0; good && i < n; i++)
        for (int k = 0; k < m->dim; k++)
            p->velocity[(int64_t)k * p->n_boundary + p->patch->first - m->n_internal + i] =
                shape[i] * p->set->velocity[k];
    free(shape);
    return good;
}

static const struct boundary_setting *setting_of(const struct boundary_settings *all, const char *name)
{
    const struct boundary_setting *set = boundary_setting_find(all, name);
    if (!set) die("boundary %s has no condition", name);
    return set;
}

/* Volume that the given velocities carry out through the patch in a unit of time; *gross: the sum of magnitudes. */
static double flow_out(const struct mesh *m, const struct patch *patch, const double *velocity, int32_t n,
                       double *gross)
{
    double net = 0;
    *gross = 0;
    for (int32_t f = patch->first; f < patch->first + patch->count; f++) {
        double flux = 0;
        for (int k = 0; k < m->dim; k++)
            flux += velocity[(int64_t)k * n + f - m->n_internal] * face_vector(m->face_area, m, k, f);
        net += flux, *gross += fabs(flux);
    }
    sums_over_ranks(&net, 1), sums_over_ranks(gross, 1);
    return net;
}

/* Checks the given flow.  Without an outlet, what flows in through inlets must flow out through others.  With one,
 * inlets must not take out more than they let in, because the difference would have to come in through the outlet. */
static bool check_balance(const struct mesh *m, const struct boundary_settings *all, const double *velocity, int32_t n,
                          bool closed, struct error *e)
{
    double net = 0, gross = 0, most = 0;
    const struct boundary_setting *worst = NULL;
    for (int i = 0; i < m->n_patches; i++) {
        double size, out = flow_out(m, &m->patch[i], velocity, n, &size);
        const struct boundary_setting *set = setting_of(all, m->patch[i].name);
        if (!boundary_gives_flux(set->type)) continue;
        net += out, gross += size;
        if (out > most) most = out, worst = set;
    }
    if (closed ? fabs(net) <= 1e-9 * gross : net <= 1e-9 * gross) return true;
    struct case_place whole = {all->item->place.source, LINE_OF_WHOLE};
    if (closed)
        return refuse(e, EXIT_INPUT, "%s: no boundary is an outlet, yet the inlets give a net volume flow of %g (in "
                      "minus out); make one boundary type = \"outlet\"", case_place_text(whole), -net);
    return refuse(e, EXIT_INPUT, "%s: the velocity of inlet \"%s\" points out of the domain, so that fluid would have "
                  "to come in through the outlets: turn it round, or make this boundary the outlet and let an inlet "
                  "feed it", case_place_text(worst->place), worst->name);
}

bool boundary_warning(const struct mesh *m, const struct boundary_settings *all, int k, char text[WARNING_LENGTH])
{
    const struct boundary_setting *set = &all->item[k];
    bool outlet = false, in = false, out = false;
    for (int i = 0; i < all->n; i++) outlet = outlet || boundary_gives_pressure(all->item[i].type);
    if (!boundary_gives_flux(set->type) || !outlet) return false;
    for (int i = 0; i < m->n_patches; i++) {
        const struct patch *patch = &m->patch[i];
        struct filling p = {.m = m, .patch = patch, .set = set};
        if (strcmp(patch->name, set->name)) continue;
        for (int32_t f = patch->first; f < patch->first + patch->count; f++) {
            double through = 0;
            for (int j = 0; j < m->dim; j++) through += set->velocity[j] * face_vector(m->face_area, m, j, f);
            if (points_through(&p, f)) in = in || through < 0, out = out || through > 0;
        }
    }
    if (count_over_ranks(in) || !count_over_ranks(out)) return false;
    snprintf(text, WARNING_LENGTH, "%.300s: the velocity of inlet \"%s\" points out of the domain everywhere, so it "
             "lets fluid out; if it should let it in, turn the velocity round", case_place_text(set->place), set->name);
    return true;
}

/* Boundaries as the host fills them, before they go to the machine. */
struct draft { uint8_t *velocity_rule, *pressure_rule, *flux_rule, *total; double *velocity, *pressure; };

static bool fill_patch(struct draft *d, const struct mesh *m, const struct patch *patch,
                       const struct boundary_setting *set, const double start_velocity[3], double start_pressure,
                       struct error *e)
{
    int32_t n = m->n_faces - m->n_internal, first = patch->first - m->n_internal;
    const struct boundary_kind *kind = &boundary_kinds[set->type];
    struct filling p = {m, patch, set, case_place_text(set->place), d->velocity, n};
    for (int32_t f = first; f < first + patch->count + patch->copies; f++) {
        d->velocity_rule[f] = (uint8_t)kind->velocity, d->pressure_rule[f] = (uint8_t)kind->pressure;
        d->flux_rule[f] = (uint8_t)kind->flux;
        d->total[f] = kind->flux == FLUX_FREE && set->backflow == BACKFLOW_TOTAL;
        d->pressure[f] = kind->pressure == RULE_VALUE ? set->pressure : start_pressure;
        for (int k = 0; k < m->dim; k++)
            d->velocity[(int64_t)k * n + f] = kind->velocity == RULE_VALUE ? set->velocity[k] : start_velocity[k];
    }
    if (kind->plane) return boundary_check_planes(m, patch, set, p.place, e);
    if (kind->velocity != RULE_VALUE) return true;
    return kind->flux == FLUX_NONE ? check_wall(&p, e) : fill_inlet(&p, e);
}

bool boundary_create(struct boundary *b, const struct stencil *s, const struct mesh *m,
                     const struct boundary_settings *all, const double start_velocity[3], double start_pressure,
                     struct error *e)
{
    int32_t n = s->n_boundary;
    struct draft d;
    struct error found = {0}, one;
    bool closed = true, good = true;
    NEW(d.velocity_rule, n), NEW(d.pressure_rule, n), NEW(d.flux_rule, n), NEW(d.total, n);
    NEW(d.velocity, (int64_t)m->dim * n), NEW(d.pressure, n);
    for (int i = 0; i < m->n_patches; i++) {
        const struct boundary_setting *set = setting_of(all, m->patch[i].name);
        good &= error_keep(fill_patch(&d, m, &m->patch[i], set, start_velocity, start_pressure, &one), &found, &one);
        closed = closed && !boundary_gives_pressure(set->type);
    }
    good = ranks_agree(good, &found) && error_keep(check_balance(m, all, d.velocity, n, closed, &one), &found, &one);
    if (!good) error_copy(e, &found);
    memset(b, 0, sizeof *b);
    if (good) {
        size_t faces = (size_t)n;
        b->velocity_rule = device_copy_of(d.velocity_rule, faces, "boundary rules");
        b->pressure_rule = device_copy_of(d.pressure_rule, faces, "boundary rules");
        b->flux_rule = device_copy_of(d.flux_rule, faces, "boundary rules");
        b->total = device_copy_of(d.total, faces, "boundary rules");
        b->velocity = device_copy_of(d.velocity, (size_t)m->dim * faces * sizeof *d.velocity, "boundary velocity");
        b->pressure = device_copy_of(d.pressure, faces * sizeof *d.pressure, "boundary pressure");
        b->given = device_copy_of(d.pressure, faces * sizeof *d.pressure, "given pressure");
        b->head = device_alloc(faces * sizeof *b->head, "head at outlets");
        b->entering = device_alloc((size_t)m->dim * faces * sizeof *b->entering, "velocity that enters");
        b->closed = closed;
        wall_stencil_create(b, m, d.pressure_rule);
    }
    free(d.velocity_rule), free(d.pressure_rule), free(d.flux_rule), free(d.total);
    free(d.velocity), free(d.pressure);
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
    device_free((void *)b->velocity_rule), device_free((void *)b->pressure_rule), device_free((void *)b->flux_rule);
    device_free((void *)b->total);
    device_free(b->velocity);
    device_free(b->pressure), device_free(b->given), device_free(b->head), device_free(b->entering);
    memset(b, 0, sizeof *b);
}
