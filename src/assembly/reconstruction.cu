#include "assembly/reconstruction_kernels.h"
#include "base/case.h"
#include "solve/mod_sell_row.h"

/* ---------------------------------------------------------------- cells that are listed */
/* At boundary face b of the cell: int grad q . dS less g (q(x_b) - q(x_P)), for one component. */
ON_DEVICE double wall_part(const struct stencil *s, const double *gradient, const double *second, int64_t f)
{
    double part = 0;
    for (int j = 0; j < s->dim; j++) {
        double slope = gradient[j], half = gradient[j];
        for (int k = 0; k < s->dim; k++) {
            double more = second[PACKED(j, k)] * FACE_VECTOR(*s, r, k, f);
            slope += more, half = fma(0.5, more, half);
        }
        part = fma(slope, FACE_VECTOR(*s, area, j, f), part);
        part = fma(-s->g[f] * half, FACE_VECTOR(*s, r, j, f), part);
    }
    return part;
}

/* A velocity that is 1 in the cell and 0 elsewhere. */
INDEX_KERNEL(reconstruct_wall_own, struct reconstruction_args)
{
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    int n = s->dim + r->n_second;
    double fit[9] = {0};
    for (int64_t e = r->start[i / WARP] + i % WARP; e < r->start[i / WARP + 1]; e += WARP)
        for (int j = 0; j < n; j++) fit[j] -= r->coefficient[j * r->n_entries + e];
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k];
        int type = r->b.type[face];
        double part = type == BOUNDARY_WALL || type == BOUNDARY_INLET ? wall_part(s, fit, fit + s->dim, s->n_internal + face) : 0.0;
        r->wall_own[face] = part < 0 ? -part : 0.0;
    }
}

HEAVY_INDEX_KERNEL(reconstruct_listed, struct reconstruction_args)
{
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    int32_t row = r->cell[i];
    int n = s->dim + r->n_second;
    for (int c = 0; c < s->dim; c++) {
        const double *u = a->u + (int64_t)c * s->n_padded, *given = r->b.velocity + (int64_t)c * s->n_boundary;
        double fit[9] = {0}, mine = u[row];
        for (int64_t e = r->start[i / WARP] + i % WARP; e < r->start[i / WARP + 1]; e += WARP) {
            int32_t column = r->column[e];
            double step = (column < s->n_cells ? u[column] : given[column - s->n_cells]) - mine;
            for (int j = 0; j < n; j++) fit[j] = fma(r->coefficient[j * r->n_entries + e], step, fit[j]);
        }
        if (a->gradient)
            for (int k = 0; k < s->dim; k++) CELL_VALUE(*s, a->gradient, c * s->dim + k, row) = fit[k];
        if (r->second)
            for (int j = 0; j < r->n_second; j++) CELL_VALUE(*s, r->second, c * r->n_second + j, row) = fit[s->dim + j];
        if (i >= s->n_boundary_cells) continue;
        for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
            int32_t face = s->boundary_face[k];
            int type = r->b.type[face];
            r->wall[(int64_t)c * s->n_boundary + face] =
                type == BOUNDARY_WALL || type == BOUNDARY_INLET ? wall_part(s, fit, fit + s->dim, s->n_internal + face) : 0.0;
        }
    }
}

/* ---------------------------------------------------------------- the others */
ON_DEVICE void mean_warp(const struct reconstruction_args *a, int64_t b, int w, const int dim)
{
    const struct stencil *s = &a->r.s;
    for (int c = 0; c < dim * dim; c++) {
        const double *x = a->gradient + (int64_t)c * s->n_padded;
        WARP_VAR(double, sum);
        WARP_VAR(double, count);
        LANES(t) IN_WARP(sum) = 0, IN_WARP(count) = 0;
        ENTRIES(s->pattern, b, w, e)
            LANES(t) {
                int32_t code = s->face[e + t];
                double there = code ? 1.0 : 0.0;
                IN_WARP(sum) = fma(there, x[COLUMN(b, s->pattern.col[e + t])], IN_WARP(sum));
                IN_WARP(count) += there;
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            double own = a->r.own[row], n = IN_WARP(count) > 0 ? IN_WARP(count) : 1;
            CELL_VALUE(*s, a->r.mean, c, row) = fma(own, x[row], (1 - own) / n * IN_WARP(sum));
        }
    }
}

SLICE_KERNEL(reconstruct_mean, struct reconstruction_args)
{
    PHASE(w) {
        if (a->r.s.dim == 2) mean_warp(a, b, w, 2);
        else mean_warp(a, b, w, 3);
    }
}

/* One component: H from differences of a, then g.  Listed cells have their H; their M and E are 0. */
ON_DEVICE void second_warp(const struct reconstruction_args *a, int64_t b, int w, int component, const int dim)
{
    enum { MOST = 6 };
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    const int n = dim * (dim + 1) / 2;
    const double *mean = r->mean + (int64_t)component * dim * s->n_padded;
    WARP_ARRAY(double, sum, MOST);
    for (int j = 0; j < n; j++) LANES(t) IN_WARP_AT(sum, j) = 0;
    ENTRIES(s->pattern, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, s->pattern.col[e + t]);
            double d[3], step[3], dd = 0;
            for (int k = 0; k < dim; k++) {
                d[k] = FACE_VECTOR(*s, d, k, f), dd = fma(d[k], d[k], dd);
                step[k] = CELL_VALUE(*s, mean, k, other) - CELL_VALUE(*s, mean, k, row);
            }
            double scale = 0.5 * FACE_SIGN(code) / dd;
            for (int j = 0; j < dim; j++)
                for (int k = 0; k <= j; k++)
                    IN_WARP_AT(sum, PACKED(j, k)) = fma(scale, fma(d[j], step[k], d[k] * step[j]), IN_WARP_AT(sum, PACKED(j, k)));
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double second[MOST], gradient[3];
        for (int k = 0; k < dim; k++) gradient[k] = CELL_VALUE(*s, mean, k, row);
        for (int j = 0; j < n; j++) {
            second[j] = 0;
            for (int k = 0; k < n; k++) second[j] = fma((double)CELL_VALUE(*s, r->matrix, j * n + k, row), IN_WARP_AT(sum, k), second[j]);
            for (int k = 0; k < dim; k++) gradient[k] = fma(-(double)CELL_VALUE(*s, r->error, k * n + j, row), second[j], gradient[k]);
        }
        for (int k = 0; k < dim; k++) CELL_VALUE(*s, a->gradient, component * dim + k, row) = gradient[k];
        if (!r->listed[row])
            for (int j = 0; j < n; j++) CELL_VALUE(*s, r->second, component * n + j, row) = second[j];
    }
}

CROWDED_SLICE_KERNEL(reconstruct_second, struct reconstruction_args, 2)
{
    PHASE(w) for (int c = 0; c < a->r.s.dim; c++) {
        if (a->r.s.dim == 2) second_warp(a, b, w, c, 2);
        else second_warp(a, b, w, c, 3);
    }
}

/* ---------------------------------------------------------------- faces */
/* At face f the interpolated quadratic: what it adds to the flux (through) and to the explicit forces. dim is a constant. */
ON_DEVICE void reconstruct_face(const struct reconstruction_args *a, int64_t f, const int dim)
{
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    const int n = dim * (dim + 1) / 2;
    int32_t p = s->owner[f], o = s->neighbour[f];
    double w = s->weight[f], d[3], skew[3], area[3], bend[3][3], convecting[3], through = 0;
    for (int k = 0; k < dim; k++) {
        d[k] = FACE_VECTOR(*s, d, k, f), area[k] = FACE_VECTOR(*s, area, k, f);
        skew[k] = FACE_VECTOR(*s, r, k, f) - (1 - w) * d[k];
        convecting[k] = face_value(s, a->u, k, f);
        for (int j = 0; j < dim; j++) bend[j][k] = r->bend ? r->bend[(int64_t)(j * dim + k) * s->n_internal + f] : 0.0;
    }
    for (int i = 0; i < dim; i++) {
        double step = 0, both = 0, value = 0, stress = 0, twist = 0, second[6], slope[3];       /* along d; at the face's centre */
        for (int j = 0; j < n; j++) second[j] = fma(w, CELL_VALUE(*s, r->second, i * n + j, p), (1 - w) * CELL_VALUE(*s, r->second, i * n + j, o));
        for (int j = 0; j < dim; j++) {
            double mine = CELL_VALUE(*s, a->gradient, i * dim + j, p), theirs = CELL_VALUE(*s, a->gradient, i * dim + j, o);
            double between = fma(w, mine, (1 - w) * theirs), more = 0;
            step = fma(theirs - mine, d[j], step), both = fma(theirs + mine, d[j], both);
            for (int k = 0; k < dim; k++) more = fma(second[PACKED(j, k)], skew[k], more);
            slope[j] = between + more;
            value = fma(fma(0.5, more, between), skew[j], value);
            stress = fma(slope[j], area[j], stress);
            for (int k = 0; k < dim; k++) {
                stress = fma(bend[k][j], second[PACKED(j, k)], stress);
                twist = fma(between * bend[j][k], convecting[k], twist);
            }
        }
        for (int j = 0; j < dim; j++)
            for (int k = 0; k <= j; k++)
                value = fma((j == k ? 0.5 : 1.0) * (double)r->moment[(int64_t)PACKED(j, k) * s->n_internal + f], second[PACKED(j, k)], value);
        value = fma(-0.5 * w * (1 - w), step, value);
        through = fma(value, area[i], through);
        for (int j = 0; j < dim; j++) through = fma(bend[j][i], slope[j], through);
        if (a->with_deferred) {
            double viscosity = a->fluid.viscosity_faces ? a->fluid.viscosity_faces[f] : a->fluid.viscosity;
            stress = fma(-0.5 * s->g[f], both, stress);
            r->deferred[(int64_t)i * s->n_internal + f] = viscosity * stress - a->fluid.density * twist;
        }
    }
    r->through[f] = through;
}

INDEX_KERNEL(reconstruct_faces, struct reconstruction_args)
{
    if (a->r.s.dim == 2) reconstruct_face(a, i, 2);
    else reconstruct_face(a, i, 3);
}
