/* Kernels of conduction between materials (contact.h). */
#include "assembly/contact.h"
#include "assembly/slope.h"

/* A contact as one of its sides sees it: the cell, and S and r out of it. */
struct contact_side { int32_t cell; double area[3], r[3], sr, ss; };

ON_DEVICE struct contact_side side_of(const struct stencil *s, int32_t f, int neighbour)
{
    struct contact_side c;
    c.cell = neighbour ? s->neighbour[f] : s->owner[f], c.sr = c.ss = 0;
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f), r = FACE_VECTOR(*s, r, k, f);
        c.area[k] = neighbour ? -area : area;
        c.r[k] = neighbour ? r - FACE_VECTOR(*s, d, k, f) : r;
        c.sr = fma(c.area[k], c.r[k], c.sr), c.ss = fma(area, area, c.ss);
    }
    return c;
}

/* a of contact.h. */
ON_DEVICE double conductance(const struct contact_args *a, const struct contact_side *c)
{
    return a->k.conductivity[c->cell] * c->ss / c->sr;
}

/* grad x . t. */
ON_DEVICE double along_face(const struct contact_args *a, const struct contact_side *c)
{
    double sum = 0;
    for (int k = 0; k < a->s.dim && a->gradient; k++)
        sum = fma(CELL_VALUE(a->s, a->gradient, k, c->cell), c->r[k] - c->area[k] * c->sr / c->ss, sum);
    return sum;
}

INDEX_KERNEL(contact_conductance, struct contact_args)
{
    int32_t f = a->k.face[i];
    const struct contact_side p = side_of(&a->s, f, 0), n = side_of(&a->s, f, 1);
    double c = 1 / (1 / conductance(a, &p) + 1 / conductance(a, &n) + a->k.resistance[i] / sqrt(p.ss));
    a->diffusivity_faces[f] = c / a->s.g[f];
}

INDEX_KERNEL(contact_correction, struct contact_args)
{
    int32_t f = a->k.face[i];
    const struct contact_side p = side_of(&a->s, f, 0), n = side_of(&a->s, f, 1);
    a->correction[f] = a->diffusivity_faces[f] * a->s.g[f] * (along_face(a, &n) - along_face(a, &p));
}

/* The part that one side keeps of a correction of which its cell allows `allowed`. */
ON_DEVICE double part_kept_by(const struct contact_args *a, int32_t f, const struct contact_side *c, int solid,
                              double allowed)
{
    double weight = 50 * a->diffusivity_faces[f] * a->s.g[f] / conductance(a, c);
    return weight < 1 && !(solid && a->solids_limit) ? 1 - weight * (1 - allowed) : allowed;
}

INDEX_KERNEL(contact_limit, struct contact_args)
{
    int32_t f = a->k.face[i];
    const struct contact_side p = side_of(&a->s, f, 0), n = side_of(&a->s, f, 1);
    double correction = a->correction[f];
    int solid = a->k.solid[i];
    double mine = part_kept_by(a, f, &p, solid & 1, correction > 0 ? a->plus[p.cell] : a->minus[p.cell]);
    double theirs = part_kept_by(a, f, &n, solid & 2, correction > 0 ? a->minus[n.cell] : a->plus[n.cell]);
    a->correction[f] = (theirs < mine ? theirs : mine) * correction;
}

/* x on the sides, without what the flux adds. */
struct contact_ends { double mine, theirs, flux; };

ON_DEVICE struct contact_ends ends_of(const struct contact_args *a, int32_t f, const struct contact_side *p,
                                      const struct contact_side *n)
{
    struct contact_ends e;
    e.mine = a->x[p->cell] + along_face(a, p), e.theirs = a->x[n->cell] + along_face(a, n);
    e.flux = a->diffusivity_faces[f] * a->s.g[f] * (e.theirs - e.mine);
    return e;
}

INDEX_KERNEL(contact_flux, struct contact_args)
{
    int32_t f = a->k.face[i];
    const struct contact_side p = side_of(&a->s, f, 0), n = side_of(&a->s, f, 1);
    a->flux[i] = ends_of(a, f, &p, &n).flux;
}

INDEX_KERNEL(contact_sides, struct contact_args)
{
    int32_t f = a->k.face[i];
    const struct contact_side p = side_of(&a->s, f, 0), n = side_of(&a->s, f, 1);
    const struct contact_ends e = ends_of(a, f, &p, &n);
    a->k.side[i] = e.mine + e.flux / conductance(a, &p);
    a->k.side[a->k.n + i] = e.theirs - e.flux / conductance(a, &n);
}

INDEX_KERNEL(solid_unrelax, struct solid_rows_args)
{
    int64_t row = a->first + i;
    double relaxed = a->a.diag[row], sum = a->relaxation * relaxed;
    a->a.diag[row] = sum;
    a->rhs[row] -= (relaxed - sum) * a->x[row];
}

INDEX_KERNEL(contact_gradient, struct contact_args)
{
    const struct stencil *s = &a->s;
    const int dim = s->dim;
    int32_t cell = a->k.cell[i];
    double matrix[6] = {0}, rhs[3] = {0}, slope[3] = {0};
    for (int32_t j = a->k.start[i]; j < a->k.start[i + 1]; j++) {
        int32_t code = a->k.code[j], place = a->k.place[j], f = FACE_OF(code);
        double way[3] = {0}, right;
        for (int k = 0; k < dim; k++) {
            double d = FACE_VECTOR(*s, d, k, f), r = FACE_VECTOR(*s, r, k, f);
            way[k] = place >= 0 ? (code > 0 ? r : r - d) : code > 0 ? d : -d;
        }
        const double mine = a->x[cell];
        if (place >= 0) right = a->k.side[place] - mine;
        else if (f < s->n_internal) right = a->x[code > 0 ? s->neighbour[f] : s->owner[f]] - mine;
        else right = boundary_row(s, &a->at, a->diffusivity_faces[f], f, mine, a->at.value[f - s->n_internal], way);
        add_row(matrix, rhs, way, right, dim);
    }
    solve_packed(matrix, rhs, slope, dim);
    for (int k = 0; k < dim; k++) CELL_VALUE(*s, a->gradient, k, cell) = slope[k];
}

INDEX_KERNEL(contact_mean, struct contact_args)
{
    const struct stencil *s = &a->s;
    int32_t cell = a->k.cell[i], n = 1;
    double sum[3] = {0};
    for (int k = 0; k < s->dim; k++) sum[k] = CELL_VALUE(*s, a->gradient, k, cell);
    for (int32_t j = a->k.start[i]; j < a->k.start[i + 1]; j++) {
        int32_t code = a->k.code[j], f = FACE_OF(code);
        if (a->k.place[j] >= 0 || f >= s->n_internal) continue;
        int32_t other = code > 0 ? s->neighbour[f] : s->owner[f];
        for (int k = 0; k < s->dim; k++) sum[k] += CELL_VALUE(*s, a->gradient, k, other);
        n++;
    }
    for (int k = 0; k < s->dim; k++) CELL_VALUE(*s, a->smooth, k, cell) = sum[k] / n;
}
