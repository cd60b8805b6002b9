#include "interface/advance.h"
#include "interface/cut.h"
#include "interface/interface.h"

/* n.(u + grad u x) of a cell at a place from its centre. */
ON_DEVICE double normal_speed(const struct advance_args *a, int64_t c, const double n[3], const double x[3])
{
    double speed = 0;
    int dim = a->g.s.dim;
    for (int i = 0; i < dim; i++) {
        double u = CELL_VALUE(a->g.s, a->u, i, c);
        for (int j = 0; j < dim; j++) u = fma(CELL_VALUE(a->g.s, a->grad_u, i * dim + j, c), x[j], u);
        speed = fma(n[i], u, speed);
    }
    return speed;
}

/* Part of the rectangle (edge x step) that is below: values at the edge's ends at the start and at the end of the step. */
ON_DEVICE double rectangle_part(double a0, double b0, double a1, double b1)
{
    double middle = 0.25 * (a0 + b0 + a1 + b1);
    return 0.25 * (triangle_fraction(middle, a0, b0) + triangle_fraction(middle, b0, b1) +
                   triangle_fraction(middle, b1, a1) + triangle_fraction(middle, a1, a0));
}

/* The same of the prism (triangle x step), as three tetrahedra. */
ON_DEVICE double prism_part(double a0, double b0, double c0, double a1, double b1, double c1)
{
    return (tetrahedron_fraction(a0, b0, c0, a1) + tetrahedron_fraction(b0, c0, a1, b1) + tetrahedron_fraction(c0, a1, b1, c1)) / 3;
}

/* Part of what flows through face f out of the cut cell c that is second fluid. */
CUT_FUNCTION double face_part(const struct advance_args *a, int32_t f, int32_t c)
{
    double x[FACE_CORNERS][3], at0[FACE_CORNERS], at1[FACE_CORNERS], n[3] = {0, 0, 0};
    int corners = face_corners(&a->g, f, c == a->g.s.owner[f], x), below = 0;
    for (int i = 0; i < a->g.s.dim; i++) n[i] = CELL_VALUE(a->g.s, a->normal, i, c);
    for (int k = 0; k < corners; k++) {
        double value = -a->offset[c];
        for (int i = 0; i < a->g.s.dim; i++) value = fma(n[i], x[k][i], value);
        at0[k] = value;
        at1[k] = fma(-a->dt, normal_speed(a, c, n, x[k]), value);
        below += (at0[k] <= 0) + (at1[k] <= 0);
    }
    if (below == 0) return 0;
    if (below == 2 * corners) return 1;
    if (corners == 2) return rectangle_part(at0[0], at0[1], at1[0], at1[1]);
    if (corners == 3) return prism_part(at0[0], at0[1], at0[2], at1[0], at1[1], at1[2]);
    double m0 = 0.25 * (at0[0] + at0[1] + at0[2] + at0[3]), m1 = 0.25 * (at1[0] + at1[1] + at1[2] + at1[3]), sum = 0;
    for (int k = 0; k < 4; k++) sum += prism_part(m0, at0[k], at0[(k + 1) % 4], m1, at1[k], at1[(k + 1) % 4]);
    return 0.25 * sum;
}

INDEX_KERNEL(face_volumes, struct advance_args)
{
    const struct stencil *s = &a->g.s;
    double flux = a->flux[i], part;
    int internal = i < s->n_internal;
    if (flux >= 0 || internal) {
        int32_t up = flux >= 0 ? s->owner[i] : s->neighbour[i];
        part = a->mark[up] && flux != 0 ? face_part(a, (int32_t)i, up) : a->fraction[up];
    } else part = a->inflow_fraction[i - s->n_internal];
    a->carried[i] = flux * a->dt * part;
}

/* Volume of the second fluid in a cell after the step. */
ON_DEVICE double new_volume(const struct advance_args *a, int64_t c)
{
    double volume = a->fraction[c] * a->g.s.volume[c];
    for (int l = 0; l < CELL_FACES; l++) {
        int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c);
        if (!code) break;
        volume -= FACE_SIGN(code) * a->carried[FACE_OF(code)];
    }
    return volume;
}

INDEX_KERNEL(find_excess, struct advance_args)
{
    int32_t c = a->cell[i];
    double volume = new_volume(a, c), whole = a->g.s.volume[c];
    a->excess[c] = volume > whole ? volume - whole : volume < 0 ? volume : 0;
}

/* A face is written by the cell upwind of it alone. */
INDEX_KERNEL(pass_excess, struct advance_args)
{
    int32_t c = a->cell[i];
    double excess = a->excess[c], room = 0;
    if (excess == 0) return;
    for (int turn = 0; turn < 2; turn++) {
        double ratio = turn && room > 0 ? fabs(excess) / room : 0;
        ratio = ratio < 1 ? ratio : 1;
        for (int l = 0; l < CELL_FACES; l++) {
            int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c), f = FACE_OF(code);
            if (!code) break;
            double out = FACE_SIGN(code) * a->flux[f] * a->dt, carried = FACE_SIGN(code) * a->carried[f];
            if (!(out > 0)) continue;
            double free = excess > 0 ? out - carried : carried;
            if (!turn) room += free;
            else a->carried[f] += FACE_SIGN(code) * (excess > 0 ? ratio : -ratio) * free;
        }
    }
}

INDEX_KERNEL(update_fraction, struct advance_args)
{
    if (a->band_mark[i]) a->fraction[i] = new_volume(a, i) / a->g.s.volume[i];
    else a->fraction[i] = a->fraction[i] < 0.5 ? 0 : 1;
}

ON_DEVICE double bounded(double fraction) { return fraction < 0 ? 0 : fraction > 1 ? 1 : fraction; }

SLICE_KERNEL(sum_volume, struct advance_args)
{
    SLICE_VAR(double, volume);
    SLICE_VAR(double, mixed);
    PHASE(w) LANES(t) {
        int64_t c = ROW(b, w, t);
        double fraction = bounded(a->fraction[c]), whole = a->g.s.volume[c];
        IN_SLICE(volume) = fraction * whole;
        IN_SLICE(mixed) = fraction * (1 - fraction) * whole;
    }
    double sum = slice_sum(volume);
    ONCE a->partial[b] = sum;
    sum = slice_sum(mixed);
    ONCE a->partial[a->g.s.n_slices + b] = sum;
}

SLICE_KERNEL(sum_outflow, struct advance_args)
{
    SLICE_VAR(double, out);
    PHASE(w) LANES(t) {
        int64_t face = ROW(b, w, t);
        IN_SLICE(out) = face < a->g.s.n_boundary ? a->carried[a->g.s.n_internal + face] : 0;
    }
    double sum = slice_sum(out);
    ONCE a->partial[b] = sum;
}

INDEX_KERNEL(settle_ledger, struct advance_args)
{
    double *l = a->ledger + i;
    l[LEDGER_INFLOW] -= l[LEDGER_OUTFLOW];
    l[LEDGER_REDISTRIBUTED] = l[LEDGER_VOLUME] + l[LEDGER_INFLOW] - l[LEDGER_SUM];
}

INDEX_KERNEL(redistribute, struct advance_args)
{
    double fraction = bounded(a->fraction[i]), mixed = a->ledger[LEDGER_MIXED];
    if (mixed > 0) {
        double share = a->ledger[LEDGER_REDISTRIBUTED] / mixed;
        share = share < 1 ? share > -1 ? share : -1 : 1;
        fraction = fma(share, fraction * (1 - fraction), fraction);
    }
    a->fraction[i] = fraction;
}

SLICE_KERNEL(sum_pieces, struct advance_args)
{
    SLICE_VAR(double, area);
    SLICE_VAR(double, high);
    SLICE_VAR(double, low);
    PHASE(w) LANES(t) {
        int64_t c = ROW(b, w, t);
        int real = c < a->g.s.n_cells;
        IN_SLICE(area) = real ? a->area[c] : 0;
        IN_SLICE(high) = real ? a->fraction[c] : 0;
        IN_SLICE(low) = real ? 1 - a->fraction[c] : 0;
    }
    double sum = slice_sum(area);
    ONCE a->partial[b] = sum;
    sum = slice_max(high);
    ONCE a->partial[a->g.s.n_slices + b] = sum;
    sum = slice_max(low);
    ONCE a->partial[2 * (int64_t)a->g.s.n_slices + b] = sum;
}
