/* Kernels of two fluids: mixture properties, momentum history, outlet pressure (mixture.h). */
#include "assembly/mixture.h"
#include "solve/pattern_row.h"

INDEX_KERNEL(mixture_density, struct mixture_args)
{
    const struct properties *p = &a->properties;
    double old = a->fraction_old[i], now = p->fraction[i];
    double most = (now > old) == (p->density[1] > p->density[0]) ? now : old;       /* with the heavier fluid */
    p->time_density[i] = mixed_density(p, fma(a->weight, old, (1 - a->weight) * now));
    p->inertia[i] = mixed_density(p, most);
}

INDEX_KERNEL(mixture_viscosity, struct mixture_args)
{
    const struct properties *p = &a->properties;
    p->viscosity_faces[i] = viscosity_of_layers(&a->s, p->distance, p->viscosity, i);
}

/* A face, and the field at the ends of d. */
struct between { int32_t p, n; double weight, x, y; };

/* Of one fluid between both cells. */
ON_DEVICE double value_between(const struct fluid_value *v, const struct between *f)
{
    if (v->law.cubic) return field_table_mean(&v->law, f->x, f->y);
    if (!v->cells) return v->number;
    return f->p == f->n ? v->cells[f->p] : 1 / ((1 - f->weight) / v->cells[f->p] + f->weight / v->cells[f->n]);
}

ON_DEVICE double mixed_layers(const struct layers_args *a, double fraction, const struct between *f)
{
    double bounded = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction, first = value_between(&a->value[0], f);
    return fma(value_between(&a->value[1], f) - first, bounded, first);
}

/* Of one fluid in a layer from a cell's centre, with x there, to the interface. */
ON_DEVICE double value_of_layer(const struct fluid_value *v, int32_t cell, double x, double between)
{
    return v->law.cubic ? field_table_mean(&v->law, x, between) : v->cells ? v->cells[cell] : v->number;
}

/* Of two layers in series.  The field at the interface, by Newton's method, is that at which what flows through both,
 * the integral of the value over the field per distance, is the same. */
ON_DEVICE double value_of_layers(const struct fluid_value *first, const struct fluid_value *second, double mine,
                                 double theirs, const struct between *f)
{
    double x = 0.5 * (f->x + f->y), low = f->x < f->y ? f->x : f->y, high = f->x < f->y ? f->y : f->x;
    for (int k = 0; k < 8 && (first->law.cubic || second->law.cubic); k++) {
        double more = theirs * value_of_layer(first, f->p, f->x, x) * (x - f->x) -
                      mine * value_of_layer(second, f->n, f->y, x) * (f->y - x);
        x -= more / (theirs * fluid_value_in(first, f->p, x) + mine * fluid_value_in(second, f->n, x));
        x = x > low ? x < high ? x : high : low;
    }
    return (mine + theirs) / (mine / value_of_layer(first, f->p, f->x, x) +
                              theirs / value_of_layer(second, f->n, f->y, x));
}

INDEX_KERNEL(mixture_capacity, struct capacity_args)
{
    double fraction = a->fraction[i], bounded = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    a->capacity[i] = fma(a->ratio - 1, bounded, 1.0);
}

INDEX_KERNEL(layers_at_faces, struct layers_args)
{
    const struct stencil *s = &a->s;
    int32_t P = s->owner[i], N = i < s->n_internal ? s->neighbour[i] : P;
    double weight = i < s->n_internal ? s->weight[i] : 1;
    struct two_layers l = two_layers_at(s, a->distance, a->normal, i);
    struct between f = {P, N, weight, 0, 0};
    if (a->x) f.x = a->x[P], f.y = i < s->n_internal ? a->x[N] : a->x_boundary[i - s->n_internal];
    double mixed = mixed_layers(a, fma(weight, a->fraction[P], (1 - weight) * a->fraction[N]), &f);
    double layered = l.first == l.other
                   ? value_between(&a->value[l.first], &f)
                   : value_of_layers(&a->value[l.first], &a->value[l.other], l.mine, l.theirs, &f);
    a->faces[i] = i < s->n_internal ? fma(l.across, layered, (1 - l.across) * mixed) : mixed;
}

ON_DEVICE double density_at(const struct history_args *a, const double *fraction, int64_t cell)
{
    return fma(a->density[1] - a->density[0], fraction[cell], a->density[0]);
}

ON_DEVICE bool grows_heavier(const struct history_args *a, int64_t cell)
{
    return density_at(a, a->fraction, cell) > density_at(a, a->fraction_old, cell);
}

INDEX_KERNEL(mixture_history, struct history_args)
{
    const struct stencil *s = &a->s;
    double now = density_at(a, a->fraction, i), before = density_at(a, a->fraction_old, i), known = 0;
    double change[3] = {0};
    int32_t b = (int32_t)(i / SLICE);
    for (int k = 0; k < s->dim; k++) CELL_VALUE(*s, a->removed, k, i) = 0;
    if (!grows_heavier(a, i)) return;
    PATTERN_ENTRIES(s->pattern, i, e) {
        int32_t other = COLUMN(b, s->pattern.col[e]);
        if (!s->face[e]) continue;
        double was = density_at(a, a->fraction_old, other), is = density_at(a, a->fraction, other);
        double mass = was < is ? was : is;
        known += mass;
        for (int k = 0; k < s->dim; k++)
            change[k] = fma(mass, CELL_VALUE(*s, a->old, k, other) - CELL_VALUE(*s, a->older, k, other), change[k]);
    }
    for (int k = 0; k < s->dim; k++) {
        double own = CELL_VALUE(*s, a->old, k, i) - CELL_VALUE(*s, a->older, k, i);
        CELL_VALUE(*s, a->removed, k, i) = (now - before) / now * (own - change[k] / (known > now ? known : now));
    }
}

INDEX_KERNEL(mixture_face_history, struct history_args)
{
    const struct stencil *s = &a->s;
    double through = 0;
    if (!grows_heavier(a, s->owner[i]) && (i >= s->n_internal || !grows_heavier(a, s->neighbour[i]))) return;
    for (int k = 0; k < s->dim; k++) {
        double removed = i < s->n_internal ? face_value(s, a->removed, k, i)
                                           : CELL_VALUE(*s, a->removed, k, s->owner[i]);
        through = fma(removed, FACE_VECTOR(*s, area, k, i), through);
    }
    a->flux_older[i] += through;
}

INDEX_KERNEL(mixture_older, struct history_args)
{
    if (!grows_heavier(a, i)) return;
    for (int k = 0; k < a->s.dim; k++) CELL_VALUE(a->s, a->older, k, i) += CELL_VALUE(a->s, a->removed, k, i);
}

INDEX_KERNEL(outlet_pressure, struct outlet_pressure_args)
{
    const struct stencil *s = &a->s;
    int32_t f = s->n_internal + (int32_t)i, cell = s->owner[f];
    double height = -a->bottom;
    if (a->b.pressure_rule[i] != RULE_VALUE && !(a->b.gate && a->b.gate[i])) return;
    for (int k = 0; k < s->dim; k++)
        height = fma(a->gravity[k], CELL_VALUE(*s, a->centre, k, cell) + FACE_VECTOR(*s, r, k, f), height);
    a->b.pressure[i] = a->given[i] - a->density_step * a->fraction[cell] * height;
}
