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
        int given = r->b.type[face] == BOUNDARY_WALL || r->b.type[face] == BOUNDARY_INLET;
        double part = given ? wall_part(s, fit, fit + s->dim, s->n_internal + face) : 0.0;
        r->wall_own[face] = part < 0 ? -part : 0.0;
    }
}

HEAVY_INDEX_KERNEL(reconstruct_listed, struct reconstruction_args)
{
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    int32_t row = r->cell[i];
    double fit[3][9] = {{0}}, mine[3] = {0};
    for (int c = 0; c < s->dim; c++) mine[c] = CELL_VALUE(*s, a->u, c, row);
    for (int64_t e = r->start[i / WARP] + i % WARP; e < r->start[i / WARP + 1]; e += WARP) {
        int32_t column = r->column[e];
        double coefficient[9] = {0}, step[3] = {0};
        for (int j = 0; j < s->dim + r->n_second; j++) coefficient[j] = r->coefficient[j * r->n_entries + e];
        for (int c = 0; c < s->dim; c++)
            step[c] = (column < s->n_cells ? CELL_VALUE(*s, a->u, c, column)
                       : r->b.velocity[(int64_t)c * s->n_boundary + column - s->n_cells]) - mine[c];
        for (int c = 0; c < 3; c++) for (int j = 0; j < 9; j++) fit[c][j] = fma(coefficient[j], step[c], fit[c][j]);
    }
    for (int c = 0; c < s->dim; c++) {
        if (a->gradient)
            for (int k = 0; k < s->dim; k++) CELL_VALUE(*s, a->gradient, c * s->dim + k, row) = fit[c][k];
        if (r->listed_second)
            for (int j = 0; j < r->n_second; j++)
                r->listed_second[(int64_t)(c * r->n_second + j) * r->n_listed + i] = (float)fit[c][s->dim + j];
    }
    if (i >= s->n_boundary_cells) return;
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        int32_t face = s->boundary_face[k];
        int given = r->b.type[face] == BOUNDARY_WALL || r->b.type[face] == BOUNDARY_INLET;
        for (int c = 0; c < s->dim; c++)
            r->wall[(int64_t)c * s->n_boundary + face] =
                given ? wall_part(s, fit[c], fit[c] + s->dim, s->n_internal + face) : 0.0;
    }
}

/* ---------------------------------------------------------------- the others */
ON_DEVICE void mean_warp(const struct reconstruction_args *a, int64_t b, int w, const int dim)
{
    enum { MOST = 9 };
    const struct stencil *s = &a->r.s;
    WARP_ARRAY(double, sum, MOST);
    WARP_VAR(double, count);
    LANES(t) IN_WARP(count) = 0;
    for (int c = 0; c < dim * dim; c++) LANES(t) IN_WARP_AT(sum, c) = 0;
    ENTRIES(s->pattern, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], other = COLUMN(b, s->pattern.col[e + t]);
            double there = code ? 1.0 : 0.0;
            IN_WARP(count) += there;
            for (int c = 0; c < dim * dim; c++)
                IN_WARP_AT(sum, c) = fma(there, CELL_VALUE(*s, a->gradient, c, other), IN_WARP_AT(sum, c));
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double own = a->r.own[row], others = (1 - own) / (IN_WARP(count) > 0 ? IN_WARP(count) : 1);
        for (int c = 0; c < dim * dim; c++)
            CELL_VALUE(*s, a->r.mean, c, row) =
                fma(own, CELL_VALUE(*s, a->gradient, c, row), others * IN_WARP_AT(sum, c));
    }
}

SLICE_KERNEL(reconstruct_mean, struct reconstruction_args)
{
    PHASE(w) {
        if (a->r.s.dim == 2) mean_warp(a, b, w, 2);
        else mean_warp(a, b, w, 3);
    }
}

/* H from differences of a, then g.  Of listed cells M and E are 0, so that g is a; they get their H afterwards. */
ON_DEVICE void second_warp(const struct reconstruction_args *a, int64_t b, int w, const int dim)
{
    enum { MOST = 18 };
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    const int n = dim * (dim + 1) / 2;
    WARP_ARRAY(double, sum, MOST);
    for (int j = 0; j < dim * n; j++) LANES(t) IN_WARP_AT(sum, j) = 0;
    ENTRIES(s->pattern, b, w, e)
        LANES(t) {
            int32_t code = s->face[e + t], f = FACE_OF(code);
            int64_t row = ROW(b, w, t), other = COLUMN(b, s->pattern.col[e + t]);
            double d[3], dd = 0;
            UNROLL for (int k = 0; k < dim; k++) d[k] = FACE_VECTOR(*s, d, k, f), dd = fma(d[k], d[k], dd);
            double scale = 0.5 * FACE_SIGN(code) / dd;
            UNROLL for (int k = 0; k < dim; k++) d[k] *= scale;
            UNROLL for (int i = 0; i < dim; i++) {
                double step[3];
                UNROLL for (int k = 0; k < dim; k++)
                    step[k] = CELL_VALUE(*s, r->mean, i * dim + k, other) - CELL_VALUE(*s, r->mean, i * dim + k, row);
                UNROLL for (int j = 0; j < dim; j++)
                    UNROLL for (int k = 0; k <= j; k++)
                        IN_WARP_AT(sum, i * n + PACKED(j, k)) += fma(d[j], step[k], d[k] * step[j]);
            }
        }
    LANES(t) {
        int64_t row = ROW(b, w, t);
        double of_matrix = r->matrix.scale[row], of_error = r->error.scale[row];
        UNROLL for (int i = 0; i < dim; i++) {
            double second[6], gradient[3];
            UNROLL for (int k = 0; k < dim; k++) gradient[k] = CELL_VALUE(*s, r->mean, i * dim + k, row);
            UNROLL for (int j = 0; j < n; j++) {
                double x = 0;
                UNROLL for (int k = 0; k < n; k++)
                    x = fma((double)CELL_VALUE(*s, r->matrix.value, j * n + k, row), IN_WARP_AT(sum, i * n + k), x);
                second[j] = of_matrix * x;
                UNROLL for (int k = 0; k < dim; k++)
                    gradient[k] = fma(-of_error * CELL_VALUE(*s, r->error.value, k * n + j, row), second[j],
                                      gradient[k]);
            }
            UNROLL for (int k = 0; k < dim; k++) CELL_VALUE(*s, a->gradient, i * dim + k, row) = gradient[k];
            UNROLL for (int j = 0; j < n; j++) CELL_VALUE(*s, r->second, i * n + j, row) = (float)second[j];
        }
    }
}

SLICE_KERNEL(reconstruct_second, struct reconstruction_args)
{
    PHASE(w) {
        if (a->r.s.dim == 2) second_warp(a, b, w, 2);
        else second_warp(a, b, w, 3);
    }
}

INDEX_KERNEL(reconstruct_listed_second, struct reconstruction_args)
{
    const struct reconstruction *r = &a->r;
    for (int j = 0; j < r->s.dim * r->n_second; j++)
        CELL_VALUE(r->s, r->second, j, r->cell[i]) = r->listed_second[(int64_t)j * r->n_listed + i];
}

/* ---------------------------------------------------------------- faces */
enum wanted { FLUX, FORCES, FORCES_OF_MIXTURE };

/* What the quadratics on both sides, interpolated to face f, add to the flux and to the forces.  dim, bent (faces are not plane)
 * and wanted are constants. */
ON_DEVICE void reconstruct_face(const struct reconstruction_args *a, int64_t f, const int dim, const int bent, const enum wanted wanted)
{
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    const int n = dim * (dim + 1) / 2;
    int32_t p = s->owner[f], o = s->neighbour[f];
    double w = s->weight[f], d[3], skew[3], area[3], bend[3][3], convecting[3];
    double of_moment = r->moment.scale[f], through = 0;
    UNROLL for (int k = 0; k < dim; k++) {
        d[k] = FACE_VECTOR(*s, d, k, f), area[k] = FACE_VECTOR(*s, area, k, f);
        skew[k] = FACE_VECTOR(*s, r, k, f) - (1 - w) * d[k];
        convecting[k] = face_value(s, a->u, k, f);
        UNROLL for (int j = 0; j < dim; j++)
            bend[j][k] = bent ? (double)s->bend[(int64_t)(j * dim + k) * s->n_faces + f] : 0.0;
    }
    UNROLL for (int i = 0; i < dim; i++) {
        double step = 0, both = 0;                      /* of the gradients along d: difference, sum */
        double value = 0, stress = 0, twist = 0, second[6], slope[3];           /* at the face's centre */
        UNROLL for (int j = 0; j < n; j++)
            second[j] = fma(w, (double)CELL_VALUE(*s, r->second, i * n + j, p),
                            (1 - w) * (double)CELL_VALUE(*s, r->second, i * n + j, o));
        UNROLL for (int j = 0; j < dim; j++) {
            double mine = CELL_VALUE(*s, a->gradient, i * dim + j, p);
            double theirs = CELL_VALUE(*s, a->gradient, i * dim + j, o);
            double between = fma(w, mine, (1 - w) * theirs), more = 0;
            step = fma(theirs - mine, d[j], step), both = fma(theirs + mine, d[j], both);
            UNROLL for (int k = 0; k < dim; k++) more = fma(second[PACKED(j, k)], skew[k], more);
            slope[j] = between + more;
            value = fma(fma(0.5, more, between), skew[j], value);
            stress = fma(slope[j], area[j], stress);
            UNROLL for (int k = 0; k < dim; k++) {
                stress = fma(bend[k][j], second[PACKED(j, k)], stress);
                twist = fma(between * bend[j][k], convecting[k], twist);
            }
        }
        UNROLL for (int j = 0; j < dim; j++)
            UNROLL for (int k = 0; k <= j; k++) {
                double moment = of_moment * r->moment.value[(int64_t)PACKED(j, k) * s->n_internal + f];
                value = fma((j == k ? 0.5 : 1.0) * moment, second[PACKED(j, k)], value);
            }
        value = fma(-0.5 * w * (1 - w), step, value);
        through = fma(value, area[i], through);
        UNROLL for (int j = 0; j < dim; j++) through = fma(bend[j][i], slope[j], through);
        if (wanted != FLUX) {
            double viscosity = wanted == FORCES_OF_MIXTURE ? a->fluid.viscosity_faces[f] : a->fluid.viscosity;
            stress = fma(-0.5 * s->g[f], both, stress);
            r->deferred[(int64_t)i * s->n_internal + f] = viscosity * stress - a->fluid.density * twist;
        }
    }
    r->through[f] = through;
}

/* One kernel for each: on CPUs they are vectorised only without branches. */
#define FACES_KERNEL(name, dim, bent)                                                                        \
    INDEX_KERNEL(name##_flux, struct reconstruction_args) { reconstruct_face(a, i, dim, bent, FLUX); }       \
    INDEX_KERNEL(name##_forces, struct reconstruction_args) { reconstruct_face(a, i, dim, bent, FORCES); }   \
    INDEX_KERNEL(name##_mixture, struct reconstruction_args) { reconstruct_face(a, i, dim, bent, FORCES_OF_MIXTURE); }
FACES_KERNEL(faces_2d, 2, 0)
FACES_KERNEL(faces_3d, 3, 0)
FACES_KERNEL(faces_bent, 3, 1)

INDEX_KERNEL(limit_through, struct reconstruction_args) { a->r.through[i] *= skew_part(&a->r.s, i); }
