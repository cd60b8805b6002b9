/* Kernels of the algebraic advection: upwind fluxes, surplus fluxes, their limiter (algebraic.h). */
#include "interface/algebraic.h"

ON_DEVICE double least(double x, double y) { return x < y ? x : y; }
ON_DEVICE double most(double x, double y) { return x > y ? x : y; }

INDEX_KERNEL(carry_upwind, struct algebraic_args)
{
    const struct stencil *s = &a->g.s;
    double flux = a->flux[i], part;
    if (i >= s->n_internal) {
        double own = a->fraction[s->owner[i]];
        a->w.boundary[i - s->n_internal] = own;
        part = flux >= 0 ? own : a->inflow_fraction[i - s->n_internal];
    } else part = a->fraction[flux >= 0 ? s->owner[i] : s->neighbour[i]];
    a->carried[i] = flux * a->dt * part;
}

/* The cell's fraction after the volumes in `carried` have moved. */
ON_DEVICE double after(const struct algebraic_args *a, int64_t c)
{
    double out = 0;
    for (int l = 0; l < a->g.most_faces; l++) {
        int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c);
        if (!code) break;
        out = fma(FACE_SIGN(code), a->carried[FACE_OF(code)], out);
    }
    return a->fraction[c] - out / a->g.s.volume[c];
}

INDEX_KERNEL(predict_fraction, struct algebraic_args) { a->w.predicted[i] = after(a, i); }

/* van Leer's value at the face less the donor's. */
ON_DEVICE double van_leer(double upwind, double donor, double acceptor)
{
    double step = acceptor - donor, before = donor - upwind;
    return step * before > 0 ? step * before / (step + before) : 0;
}

/* The larger of the two cells' speeds. */
ON_DEVICE double speed_at(const struct algebraic_args *a, int64_t f)
{
    const struct stencil *s = &a->g.s;
    double own = 0, other = 0;
    for (int k = 0; k < s->dim; k++) {
        double u = CELL_VALUE(*s, a->u, k, s->owner[f]), v = CELL_VALUE(*s, a->u, k, s->neighbour[f]);
        own = fma(u, u, own), other = fma(v, v, other);
    }
    return sqrt(most(own, other));
}

INDEX_KERNEL(find_surplus, struct algebraic_args)
{
    const struct stencil *s = &a->g.s;
    int out = a->flux[i] >= 0;
    int32_t donor = out ? s->owner[i] : s->neighbour[i], acceptor = out ? s->neighbour[i] : s->owner[i];
    double at_donor = a->fraction[donor], at_acceptor = a->fraction[acceptor], weight = s->weight[i], along = 0, gg = 0,
           gS = 0;
    for (int k = 0; k < s->dim; k++) {
        double own = CELL_VALUE(*s, a->w.gradient, k, s->owner[i]),
               other = CELL_VALUE(*s, a->w.gradient, k, s->neighbour[i]);
        double g = fma(weight, own, (1 - weight) * other);
        along = fma(out ? own : -other, FACE_VECTOR(*s, d, k, i), along);
        gg = fma(g, g, gg), gS = fma(g, FACE_VECTOR(*s, area, k, i), gS);
    }
    double upwind = at_acceptor - 2 * along;
    upwind = upwind < 0 ? 0 : upwind > 1 ? 1 : upwind;
    double through = a->flux[i] * van_leer(upwind, at_donor, at_acceptor);
    double mean = fma(weight, a->fraction[s->owner[i]], (1 - weight) * a->fraction[s->neighbour[i]]);
    if (gg > 0) through = fma(speed_at(a, i) * gS / sqrt(gg), mean * (1 - mean), through);
    a->w.surplus[i] = through * a->dt;
}

/* R+ and R-: the share of the surpluses into and out of a cell that it can take without a new extreme. */
INDEX_KERNEL(limit_surplus, struct algebraic_args)
{
    double predicted = a->w.predicted[i], in = 0, out = 0;
    double low = least(a->fraction[i], predicted), high = most(a->fraction[i], predicted);
    for (int l = 0; l < a->g.most_faces; l++) {
        int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, i), f = FACE_OF(code);
        if (!code) break;
        if (f >= a->g.s.n_internal) continue;
        int32_t other = code > 0 ? a->g.s.neighbour[f] : a->g.s.owner[f];
        double surplus = FACE_SIGN(code) * a->w.surplus[f];
        low = least(low, least(a->fraction[other], a->w.predicted[other]));
        high = most(high, most(a->fraction[other], a->w.predicted[other]));
        if (surplus > 0) out += surplus;
        else in -= surplus;
    }
    double room = (high - predicted) * a->g.s.volume[i], stock = (predicted - low) * a->g.s.volume[i];
    a->w.gain[i] = in > room ? room / in : 1;
    a->w.loss[i] = out > stock ? stock / out : 1;
}

INDEX_KERNEL(carry_surplus, struct algebraic_args)
{
    double surplus = a->w.surplus[i];
    int32_t from = surplus > 0 ? a->g.s.owner[i] : a->g.s.neighbour[i],
            to = surplus > 0 ? a->g.s.neighbour[i] : a->g.s.owner[i];
    double let = surplus * least(a->w.loss[from], a->w.gain[to]);
    a->carried[i] += let;
    a->w.surplus[i] = surplus - let;
}
