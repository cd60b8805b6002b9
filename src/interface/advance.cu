/* Kernels of geometric advection: volumes through faces, redistribution, sums (advance.h). */
#include "interface/advance.h"
#include "interface/cut.h"
#include "interface/interface.h"

/* Has the cell a no-slip wall with a contact angle?  There a plane moves with the cell's mean velocity, like a slip
 * length of half a cell: with the linear velocity, which is zero at the wall, contact lines do not move, or leave films
 * behind, especially on meshes of triangles. */
ON_DEVICE int is_at_wall(const struct advance_args *a, int64_t c)
{
    for (int l = 0; l < a->g.most_faces && a->velocity_rule; l++) {
        int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c), b = FACE_OF(code) - a->g.s.n_internal;
        if (!code) break;
        if (b >= 0 && a->velocity_rule[b] == RULE_VALUE && a->flux_rule[b] == FLUX_NONE) return 1;
    }
    return 0;
}

/* Displacement of a plane of normal n in the step, at the position x (from the cell's centre) where it arrives: the
 * displacement along n of the fluid that arrives there.  The velocity is the cell's linear one, u + grad u x, at the
 * midpoint of the displacement. */
ON_DEVICE double normal_way(const struct advance_args *a, int64_t c, const double n[3], const double x[3])
{
    double way = 0, u[3], middle[3];
    int dim = a->g.s.dim;
    for (int i = 0; i < dim; i++) {
        u[i] = CELL_VALUE(a->g.s, a->u, i, c);
        for (int j = 0; j < dim; j++) u[i] = fma(CELL_VALUE(a->g.s, a->grad_u, i * dim + j, c), x[j], u[i]);
        middle[i] = -0.5 * a->dt * u[i];
    }
    for (int i = 0; i < dim; i++) {
        double v = u[i];
        for (int j = 0; j < dim; j++) v = fma(CELL_VALUE(a->g.s, a->grad_u, i * dim + j, c), middle[j], v);
        way = fma(n[i], v, way);
    }
    return a->dt * way;
}

/* A corner of a simplex: the plane's linear function there (<= 0: second fluid), and the speed through the face. */
struct corner { double value, speed; };
ON_DEVICE void order_corners(struct corner *a, struct corner *b)
{
    if (b->value < a->value) {
        struct corner t = *a;
        *a = *b, *b = t;
    }
}
/* The part of the edge from a up to the plane; *rise: the speed at the intersection minus that at a. */
ON_DEVICE double edge_part(struct corner a, struct corner b, double *rise)
{
    double part = a.value / (a.value - b.value);
    *rise = part * (b.speed - a.speed);
    return part;
}

/* The integral of the speed over the part of a triangle (below: tetrahedron) where the function is <= 0, divided by the
 * size of the triangle. */
ON_DEVICE double triangle_flow(struct corner a, struct corner b, struct corner c)
{
    double mean = (a.speed + b.speed + c.speed) / 3, p, q;
    order_corners(&a, &b), order_corners(&b, &c), order_corners(&a, &b);
    if (c.value <= 0) return mean;
    if (a.value > 0) return 0;
    if (b.value > 0) {
        double part = edge_part(a, b, &p) * edge_part(a, c, &q);
        return part * (a.speed + (p + q) / 3);
    }
    double part = edge_part(c, a, &p) * edge_part(c, b, &q);
    return mean - part * (c.speed + (p + q) / 3);
}

ON_DEVICE double tetrahedron_flow(struct corner a, struct corner b, struct corner c, struct corner d)
{
    double mean = 0.25 * (a.speed + b.speed + c.speed + d.speed), p, q, r, s;
    order_corners(&a, &b), order_corners(&c, &d), order_corners(&a, &c), order_corners(&b, &d), order_corners(&b, &c);
    if (d.value <= 0) return mean;
    if (a.value > 0) return 0;
    if (b.value > 0) {
        double part = edge_part(a, b, &p) * edge_part(a, c, &q) * edge_part(a, d, &r);
        return part * (a.speed + 0.25 * (p + q + r));
    }
    if (c.value <= 0) {
        double part = edge_part(d, a, &p) * edge_part(d, b, &q) * edge_part(d, c, &r);
        return mean - part * (d.speed + 0.25 * (p + q + r));
    }
    double ac = edge_part(a, c, &p), ad = edge_part(a, d, &q), bc = edge_part(b, c, &r), bd = edge_part(b, d, &s);
    double at_b = bc * bd, at_a = ac * ad * (1 - bd), between = ac * bd * (1 - bc);
    p += a.speed, q += a.speed, r += b.speed, s += b.speed;                             /* speeds on the edges */
    return 0.25 * (at_b * (a.speed + b.speed + r + s) + at_a * (a.speed + p + q + s) + between * (a.speed + p + r + s));
}

/* The same for the rectangle (edge x step): the edge's ends at the start and at the end of the step. */
ON_DEVICE double rectangle_flow(struct corner a0, struct corner b0, struct corner a1, struct corner b1)
{
    struct corner m = {0.25 * (a0.value + b0.value + a1.value + b1.value), 0.5 * (a0.speed + b0.speed)};
    return 0.25 * (triangle_flow(m, a0, b0) + triangle_flow(m, b0, b1) + triangle_flow(m, b1, a1) +
                   triangle_flow(m, a1, a0));
}

/* The same for prisms (triangle x step).  The order of its corners divides a prism into three tetrahedra: (a0 b0 c0
 * a1), (b0 c0 a1 b1), (c0 a1 b1 c1).  Where fluid turns or shears the function is not linear in the prism, and each
 * order gives another part: the mean over orders does not depend on the numbering of the corners.  Tetrahedra that
 * several orders share are computed once. */
ON_DEVICE double middle_flow(const struct corner *at0, const struct corner *at1, int a, int b, int c)
{
    return tetrahedron_flow(at0[b], at0[c], at1[a], at1[b]) + tetrahedron_flow(at0[b], at0[c], at1[a], at1[c]);
}

/* A triangular face: the mean over all six orders. */
ON_DEVICE double prism_flow(const struct corner at0[3], const struct corner at1[3])
{
    double twice = 0, once = 0;
    for (int a = 0; a < 3; a++) {
        int b = a < 2 ? a + 1 : 0, c = a > 0 ? a - 1 : 2;
        twice += tetrahedron_flow(at0[0], at0[1], at0[2], at1[a]) + tetrahedron_flow(at0[a], at1[0], at1[1], at1[2]);
        once += middle_flow(at0, at1, a, b, c);
    }
    return (2 * twice + once) / 18;
}

/* A triangle of a larger face, from its middle m: the mean over both orders that start there. */
ON_DEVICE double sector_flow(struct corner m0, struct corner b0, struct corner c0, struct corner m1, struct corner b1,
                             struct corner c1)
{
    return (2 * tetrahedron_flow(m0, b0, c0, m1) + tetrahedron_flow(b0, c0, m1, b1) + tetrahedron_flow(b0, c0, m1, c1) +
            tetrahedron_flow(b0, m1, b1, c1) + tetrahedron_flow(c0, m1, b1, c1)) / 6;
}

/* Component k of the velocity's gradient at a face, the mean of both cells.  With the upwind cell's gradient, volume
 * would accumulate: triangles pointing up and down have different gradients if the fluids slip along the interface, so
 * their in- and outflow differ, and the planes of a row become a sawtooth. */
ON_DEVICE double face_gradient(const struct advance_args *a, int32_t f, int k)
{
    const struct stencil *s = &a->g.s;
    int32_t P = s->owner[f], N = f < s->n_internal ? s->neighbour[f] : P;
    return 0.5 * (CELL_VALUE(*s, a->grad_u, k, P) + CELL_VALUE(*s, a->grad_u, k, N));
}

/* Fraction of second fluid in the flow through face f out of the cut cell c. */
NOT_INLINED double face_part(const struct advance_args *a, int32_t f, int32_t c)
{
    double x[MOST_CORNERS][3], n[3] = {0, 0, 0}, mean = 0, flow = 0;
    struct corner at0[MOST_CORNERS + 1], at1[MOST_CORNERS + 1];
    int corners = face_corners(&a->g, f, c == a->g.s.owner[f], x), below = 0, slips = is_at_wall(a, c);
    double mean_way = 0;
    if (!(a->area[c] > 0)) return a->fraction[c];
    for (int i = 0; i < a->g.s.dim; i++)
        n[i] = CELL_VALUE(a->g.s, a->normal, i, c), mean_way = fma(n[i], CELL_VALUE(a->g.s, a->u, i, c), mean_way);
    mean_way *= a->dt;
    for (int k = 0; k < corners; k++) {
        double value = -a->offset[c];
        for (int i = 0; i < a->g.s.dim; i++) value = fma(n[i], x[k][i], value);
        at0[k].value = value;
        at1[k].value = value - (slips ? mean_way : normal_way(a, c, n, x[k]));
        below += (at0[k].value <= 0) + (at1[k].value <= 0);
        at0[k].speed = 0;
        for (int i = 0; i < a->g.s.dim && !slips; i++)
            for (int j = 0; j < a->g.s.dim; j++)
                at0[k].speed = fma(FACE_VECTOR(a->g.s, area, i, f) * x[k][j],
                                   face_gradient(a, f, i * a->g.s.dim + j), at0[k].speed);
        mean += at0[k].speed / corners;
    }
    if (below == 0) return 0;
    if (below == 2 * corners) return 1;
    for (int k = 0; k < corners; k++) at1[k].speed = at0[k].speed = 1 + (at0[k].speed - mean) / a->flux[f];
    if (corners == 2) flow = rectangle_flow(at0[0], at0[1], at1[0], at1[1]);
    else if (corners == 3) flow = prism_flow(at0, at1);
    else {
        struct corner m0 = {0, 1}, m1 = {0, 1};
        double part = 1.0 / corners;
        for (int k = 0; k < corners; k++) m0.value += part * at0[k].value, m1.value += part * at1[k].value;
        for (int k = 0, next = 1; k < corners; k++, next = k + 1 < corners ? k + 1 : 0)
            flow += part * sector_flow(m0, at0[k], at0[next], m1, at1[k], at1[next]);
    }
    return flow < 0 ? 0 : flow > 1 ? 1 : flow;
}

INDEX_KERNEL(face_volumes, struct advance_args)
{
    const struct stencil *s = &a->g.s;
    double flux = a->flux[i], part;
    int internal = i < s->n_internal;
    if (flux >= 0 || internal) part = a->fraction[flux >= 0 ? s->owner[i] : s->neighbour[i]];
    else part = a->inflow_fraction[i - s->n_internal];
    a->carried[i] = flux * a->dt * part;
}

/* Face l of cut cell c, if fluid flows out through it. */
ON_DEVICE void cut_volume(const struct advance_args *a, int32_t c, int64_t l)
{
    int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c), f = FACE_OF(code);
    if (FACE_SIGN(code) * a->flux[f] > 0) a->carried[f] = a->flux[f] * a->dt * face_part(a, f, c);
}

HEAVY_INDEX_KERNEL(cut_volumes, struct advance_args)
{
    cut_volume(a, a->cell[i / a->g.most_faces], i % a->g.most_faces);
}
HEAVY_INDEX_KERNEL(cut_volumes_of_ghosts, struct advance_args)
{
    int32_t c = (int32_t)(a->g.s.n_padded + i / a->g.most_faces);
    if (a->mark[c]) cut_volume(a, c, i % a->g.most_faces);
}

/* Volume of the second fluid in a cell after the step.  The contribution of the cell's own net flux is subtracted.
 * That flux is zero up to the tolerance of the pressure solver; it would change full cells by 1e-8.  So full cells
 * among full ones stay exactly full. */
ON_DEVICE double new_volume(const struct advance_args *a, int64_t c)
{
    double volume = a->fraction[c] * a->g.s.volume[c];
    for (int l = 0; l < a->g.most_faces; l++) {
        int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c);
        if (!code) break;
        volume -= FACE_SIGN(code) * (a->carried[FACE_OF(code)] - a->flux[FACE_OF(code)] * a->dt * a->fraction[c]);
    }
    return volume;
}

INDEX_KERNEL(find_excess, struct advance_args)
{
    int32_t c = a->cell[i];
    double volume = new_volume(a, c), whole = a->g.s.volume[c];
    a->excess[c] = volume > whole ? volume - whole : volume < 0 ? volume : 0;
}

/* The volume that an outflow face can take from an overfilled cell, or return to an underfilled one. */
ON_DEVICE double free_at(double out, double carried, int beyond_full)
{
    return !(out > 0) ? 0 : beyond_full ? out - carried : carried;
}

/* Adds `share` times their free volume to all outflow faces of a cell; negative: subtracts from them.  A cell writes
 * only faces that it is upwind of, so no face is written twice. */
ON_DEVICE void share_out(const struct advance_args *a, int32_t c, double share)
{
    for (int l = 0; l < a->g.most_faces; l++) {
        int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c), f = FACE_OF(code);
        if (!code) break;
        double sign = FACE_SIGN(code), out = sign * a->flux[f] * a->dt;
        if (out > 0) a->carried[f] += sign * share * free_at(out, sign * a->carried[f], share > 0);
    }
}

INDEX_KERNEL(pass_excess, struct advance_args)
{
    int32_t c = a->cell[i];
    double excess = a->excess[c], room = 0;
    if (excess == 0) return;
    for (int l = 0; l < a->g.most_faces; l++) {
        int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c), f = FACE_OF(code);
        if (!code) break;
        room += free_at(FACE_SIGN(code) * a->flux[f] * a->dt, FACE_SIGN(code) * a->carried[f], excess > 0);
    }
    double ratio = room > 0 ? fabs(excess) / room : 0;
    ratio = ratio < 1 ? ratio : 1;
    a->excess[c] = excess > 0 ? ratio : -ratio;
    share_out(a, c, a->excess[c]);
}

INDEX_KERNEL(pass_excess_of_copies, struct advance_args)
{
    int32_t c = (int32_t)(a->g.s.n_padded + i);
    if (a->mark[c] && a->excess[c] != 0) share_out(a, c, a->excess[c]);
}

INDEX_KERNEL(update_fraction, struct advance_args)
{
    if (a->band_mark[i] || a->open[i]) a->fraction[i] = new_volume(a, i) / a->g.s.volume[i];
    else a->fraction[i] = a->fraction[i] < 0.5 ? 0 : 1;
}

ON_DEVICE double bounded(double fraction) { return fraction < 0 ? 0 : fraction > 1 ? 1 : fraction; }

ON_DEVICE double outflow(const struct advance_args *a, int64_t c)
{
    double out = 0;
    for (int l = 0; l < a->g.most_faces; l++) {
        int32_t code = CELL_VALUE(a->g.s, a->g.cell_face, l, c);
        if (!code) break;
        if (FACE_OF(code) >= a->g.s.n_internal) out += a->carried[FACE_OF(code)];
    }
    return out;
}

SLICE_KERNEL(sum_volumes, struct advance_args)
{
    SLICE_VAR(double, volume);
    SLICE_VAR(double, mixed);
    SLICE_VAR(double, out);
    PHASE(w) LANES(t) {
        int64_t c = ROW(b, w, t);
        double fraction = bounded(a->fraction[c]), whole = a->g.s.volume[c];
        IN_SLICE(volume) = fraction * whole;
        IN_SLICE(mixed) = fraction * (1 - fraction) * whole;
        IN_SLICE(out) = a->open[c] ? outflow(a, c) : 0;         /* no outflow through walls */
    }
    SUM_OF_SLICE(a->sums, 0, b, volume)
    SUM_OF_SLICE(a->sums, 1, b, mixed)
    SUM_OF_SLICE(a->sums, 2, b, out)
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
    SUM_OF_SLICE(a->sums, 0, b, area)
    LARGEST_OF_SLICE(a->sums, 1, b, high)
    LARGEST_OF_SLICE(a->sums, 2, b, low)
}
