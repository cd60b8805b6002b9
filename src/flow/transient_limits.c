/* How large the next step may be. */
#include <math.h>
#include "flow/transient_parts.h"
#include "gpu/device.h"

void transient_measure(struct transient *t)
{
    const struct stencil *s = &t->f.s;
    struct courant_args a = {.s = *s, .flux = t->f.flux, .marked = t->f.interface ? t->interface.area : NULL,
                             .sums = t->marks};
    courant_numbers(&a, s->n_slices);
    sums_finish_largest(&t->marks, 0, 2);
}

static void read_courant(struct transient *t)
{
    double most[2];
    if (t->measured) return;
    transient_measure(t);
    device_download(most, t->told + TOLD_COURANT, sizeof most);
    t->courant = most[0], t->interface_courant = most[1], t->measured = true;
}

double transient_capillary_step(const struct transient *t)
{
    const struct flow_setting *c = t->f.c;
    double h = t->interface.g.spacing;
    if (!t->f.interface || c->second_fluid.surface_tension == 0) return INFINITY;
    return sqrt((c->fluid.density + c->second_fluid.density) * h * h * h
                / (4 * M_PI * c->second_fluid.surface_tension));
}

double transient_choose_step(struct transient *t, double until)
{
    const struct time_setting *set = &t->f.c->time;
    double dt = set->step, left = until - t->time;
    read_courant(t);
    if (set->courant > 0 && t->courant > 0) dt = fmin(dt, set->courant / t->courant);
    if (set->interface_courant > 0 && t->interface_courant > 0)
        dt = fmin(dt, set->interface_courant / t->interface_courant);
    if (set->capillary > 0) dt = fmin(dt, set->capillary * transient_capillary_step(t));
    if (t->steps > 0 && (set->courant > 0 || set->interface_courant > 0)) dt = fmin(dt, 1.2 * t->step);
    double steps = ceil(left / dt * (1 - 1e-9));                /* so many equal steps, the last of which ends there */
    return steps <= 20 ? left / fmax(steps, 1) : dt;
}
