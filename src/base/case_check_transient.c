/* Settings against each other, as far as time and the second fluid go. */
#include <string.h>
#include "base/case_parts.h"

/* ---------------------------------------------------------------- time */
/* What belongs to another algorithm; "does not apply to algorithm "piso"; remove it". */
static void drop_at(struct reader *r, const char *group, const char *name, const char *advice)
{
    char why[200];
    config_setting_t *at = *group ? setting_at(r, "%s", group) : config_root_setting(&r->config);
    snprintf(why, sizeof why, "algorithm \"%s\"; remove it%s", algorithms[r->c->algorithm], advice);
    if (at && config_setting_is_group(at)) drop(r, at, name, why);
}

static void check_steady(struct reader *r)
{
    static const char in_time[] = ", or set solver.algorithm = \"piso\" or \"pimple\"";
    drop_at(r, "", "time", in_time);
    drop_at(r, "", "second_fluid", in_time);
    drop_at(r, "", "prescribed", "");
    drop_at(r, "fluid", "gravity", in_time);
    drop_at(r, "output", "interval", in_time);
}

static void check_time(struct reader *r)
{
    const struct case_settings *c = r->c;
    config_setting_t *time = setting_at(r, "time");
    if (!time)
        complain(r, setting_at(r, "solver.algorithm"), "time = { ... } is missing: algorithm \"%s\" needs it, like "
                 "time = { end = 1.0; step = 0.001; }", algorithms[c->algorithm]);
    drop_at(r, "", "convergence", "");
    if (!time || !config_setting_is_group(time)) return;
    if (c->time.step > c->time.end && c->time.end > 0)
        complain(r, setting_at(r, "time.step"), "time.step = %g is longer than the whole run, time.end = %g", c->time.step,
                 c->time.end);
    if (!c->second_fluid.given) drop(r, time, "interface_courant", "a case without second_fluid = { ... }; remove it");
    if (!(c->second_fluid.surface_tension > 0))
        drop(r, time, "capillary", "a case without second_fluid.surface_tension; remove it");
}

static void check_advection(struct reader *r)
{
    config_setting_t *algorithm = setting_at(r, "solver.algorithm");
    if (!r->c->prescribed.given)
        complain(r, algorithm, "prescribed = { ... } is missing: algorithm \"advection\" needs a velocity, like "
                 "prescribed = { field = \"vortex\"; period = 8.0; }");
    if (!r->c->second_fluid.given)
        complain(r, algorithm, "second_fluid = { ... } is missing: algorithm \"advection\" moves its interface");
    drop_at(r, "solver", "pressure", "");
    drop_at(r, "solver", "velocity", "");
    drop_at(r, "fluid", "gravity", "");
    drop_at(r, "time", "scheme", "");
    drop_at(r, "time", "capillary", "");
    drop_at(r, "initial", "field", "");
    drop_at(r, "initial", "velocity", "");
    drop_at(r, "initial", "pressure", "");
}

/* ---------------------------------------------------------------- the second fluid */
/* The two corners, or the copies and their spacing: as many numbers as the shape's place has. */
static bool check_shape_vector(struct reader *r, int i, const char *name, const char *first)
{
    const struct shape_setting *s = &r->c->shape[i];
    config_setting_t *v = named_at(r, "shapes", i, name);
    int n = v ? config_setting_length(v) : 0;
    if (!n || !s->length || n == s->length) return n > 0;
    complain(r, v, "%s has %d numbers, but %s has %d", path_of(v), n, first, s->length);
    return false;
}

static void check_shape(struct reader *r, int i)
{
    static const char *const first[] = {"centre", "from", "point"};
    struct shape_setting *s = &r->c->shape[i];
    const char *place = first[s->type];
    config_setting_t *group = named_at(r, "shapes", i, NULL), *copies = named_at(r, "shapes", i, "copies"),
                     *spacing = named_at(r, "shapes", i, "spacing");
    if (s->type == SHAPE_BOX && check_shape_vector(r, i, "to", place))
        for (int k = 0; k < s->length; k++)
            if (!(s->to[k] > s->from[k])) {
                complain(r, group, "shapes.%s: to must be greater than from in each direction; found %g and %g in direction %c",
                         s->name, s->to[k], s->from[k], "xyz"[k]);
                break;
            }
    if (s->type == SHAPE_HALF_SPACE && check_shape_vector(r, i, "normal", place) &&
        !(s->normal[0] != 0 || s->normal[1] != 0 || s->normal[2] != 0))
        complain(r, group, "shapes.%s.normal is zero: expected the direction out of the second fluid, like [0.0, 1.0]", s->name);
    if (copies && !spacing)
        complain(r, copies, "shapes.%s.spacing is missing: copies need it, 2 or 3 numbers in brackets, like [0.5, 0.5] [length]",
                 s->name);
    if (spacing && !copies) complain(r, spacing, "shapes.%s.spacing does not apply without copies; remove it", s->name);
    if (copies) check_shape_vector(r, i, "copies", place);
    if (spacing) check_shape_vector(r, i, "spacing", place);
    for (int k = 0; k < 3; k++) if (s->copies[k] < 1) s->copies[k] = 1;
}

/* Before all others: what the groups' presence says. */
static void note_groups(struct reader *r)
{
    struct case_settings *c = r->c;
    c->time.given = setting_at(r, "time") != NULL;
    c->second_fluid.given = setting_at(r, "second_fluid") != NULL;
    c->prescribed.given = setting_at(r, "prescribed") != NULL;
    c->bubbles.given = setting_at(r, "bubbles") != NULL;
    c->interface.curvature_given = setting_at(r, "interface.given_curvature") != NULL;
    if (c->algorithm != ALGORITHM_PIMPLE) c->outer_correctors = 1;
}

/* A second fluid must be somewhere, or flow in. */
static void check_second_fluid(struct reader *r)
{
    const struct case_settings *c = r->c;
    bool somewhere = c->n_shapes > 0;
    for (int i = 0; i < c->n_boundaries; i++) somewhere |= c->boundary[i].fraction > 0;
    if (!somewhere)
        complain(r, setting_at(r, "second_fluid"), "there is no second fluid: expected shapes = { NAME = { type = \"sphere\"; "
                 "centre = [0.5, 0.5]; radius = 0.25; }; }, or a boundary with a fraction");
    for (int i = 0; i < c->n_shapes; i++) check_shape(r, i);
}

/* Conditions of two-phase flow in a case of one fluid. */
static void check_one_fluid(struct reader *r)
{
    static const char why[] = "a case without second_fluid = { ... }; remove it";
    static const char *const of_two[] = {"boundary.NAME.fraction", "boundary.NAME.contact_angle"};
    const struct case_settings *c = r->c;
    for (int i = 0; i < c->n_boundaries; i++) {
        config_setting_t *group = named_at(r, "boundary", i, NULL);
        if (!group || !config_setting_is_group(group)) continue;
        for (int k = 0; k < 2; k++)                     /* of other types of boundaries they are refused already */
            if (find_key(of_two[k])->kinds >> c->boundary[i].type & 1) drop(r, group, strrchr(of_two[k], '.') + 1, why);
    }
}

void check_transient(struct reader *r)
{
    const struct case_settings *c = r->c;
    note_groups(r);
    if (case_is_transient(c)) check_time(r);
    else check_steady(r);
    if (case_is_advection(c)) check_advection(r);
    else if (case_is_transient(c)) drop_at(r, "", "prescribed", "");
    if (c->second_fluid.given) check_second_fluid(r);
    else check_one_fluid(r);
}
