/* Kernels of the quadratic reconstruction: fits, second derivatives, face terms (reconstruction.h). */
#include "assembly/reconstruction.h"
#include "solve/pattern_row.h"

/* ---------------------------------------------------------------- fits */
/* Component i of the velocity at a boundary face of a fit: given, or at slip faces the cell's own velocity (x, y, z)
 * without its normal part. */
ON_DEVICE double fitted_value(const struct reconstruction *r, int i, int32_t face, double x, double y, double z)
{
    const struct stencil *s = &r->s;
    if (r->b.velocity_rule[face] != RULE_SLIP) return r->b.velocity[(int64_t)i * s->n_boundary + face];
    const double u[3] = {x, y, z};
    int32_t f = s->n_internal + face;
    double normal = 0, square = 0;
    for (int k = 0; k < s->dim; k++) {
        double area = FACE_VECTOR(*s, area, k, f);
        normal = fma(u[k], area, normal), square = fma(area, area, square);
    }
    return fma(-normal / square, FACE_VECTOR(*s, area, i, f), u[i]);
}

/* Adds to sum[i * n + j], component i, the entries of warp w over cells (part 0) or boundary faces (part 1); value:
 * component i of entry e.  mine: the row's own velocity; coefficient: number j of entry e.  dim, n: compile-time
 * constants. */
#define ADD_ENTRIES(fits, part, value, dim, n, coefficient)                                                     \
    for (int64_t first = (fits).start[2 * w + (part)]; first < (fits).start[2 * w + (part) + 1]; first += WARP) \
        LANES(t) {                                                                                              \
            int64_t e = first + t;                                                                              \
            int32_t column = (fits).column[e];                                                                  \
            double weight[9];                                                                                   \
            UNROLL for (int j = 0; j < (n); j++) weight[j] = coefficient;                                       \
            UNROLL for (int i = 0; i < (dim); i++) {                                                            \
                double step = (value) - IN_WARP_AT(mine, i);                                                    \
                UNROLL for (int j = 0; j < (n); j++)                                                            \
                    IN_WARP_AT(sum, i * (n) + j) = fma(weight[j], step, IN_WARP_AT(sum, i * (n) + j));          \
            }                                                                                                   \
        }

#define OF_CELL CELL_VALUE(*s, a->u, i, column)
#define OF_FACE fitted_value(r, i, column, IN_WARP_AT(mine, 0), IN_WARP_AT(mine, 1), \
                             dim == 3 ? IN_WARP_AT(mine, 2) : 0.0)
#define DERIVATIVE j < dim ? r->slope[j * r->list.n_entries + e] : (double)r->bow[(j - dim) * r->list.n_entries + e]
ON_DEVICE void listed_warp(const struct reconstruction_args *a, int64_t w, const int dim)
{
    enum { MOST = 27 };
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    const int n = dim + dim * (dim + 1) / 2;
    WARP_ARRAY(double, sum, MOST);
    WARP_ARRAY(double, mine, 3);
    for (int i = 0; i < dim; i++) {
        LANES(t) IN_WARP_AT(mine, i) = CELL_VALUE(*s, a->u, i, r->list.row[w * WARP + t]);
        for (int j = 0; j < n; j++) LANES(t) IN_WARP_AT(sum, i * n + j) = 0;
    }
    ADD_ENTRIES(r->list, 0, OF_CELL, dim, n, DERIVATIVE)
    ADD_ENTRIES(r->list, 1, OF_FACE, dim, n, DERIVATIVE)
    for (int i = 0; i < dim; i++) {
        double *gradient = a->plain + (int64_t)i * dim * s->pitch;
        for (int k = 0; k < dim; k++)
            LANES(t) if (w * WARP + t < r->list.n)
                CELL_VALUE(*s, gradient, k, r->list.row[w * WARP + t]) = IN_WARP_AT(sum, i * n + k);
        for (int j = dim; j < n; j++)
            LANES(t) if (w * WARP + t < r->list.n)
                r->listed_second[(int64_t)(i * r->n_second + j - dim) * r->list.n + w * WARP + t] =
                    (float)IN_WARP_AT(sum, i * n + j);
    }
}

WARP_KERNEL(reconstruct_listed, struct reconstruction_args)
{
    if (a->r.s.dim == 2) listed_warp(a, w, 2);
    else listed_warp(a, w, 3);
}

ON_DEVICE void walls_warp(const struct reconstruction_args *a, int64_t w, const int dim)
{
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    WARP_ARRAY(double, sum, 3);
    WARP_ARRAY(double, mine, 3);
    for (int i = 0; i < dim; i++)
        LANES(t) {
            IN_WARP_AT(mine, i) = CELL_VALUE(*s, a->u, i, s->owner[s->n_internal + r->walls.row[w * WARP + t]]);
            IN_WARP_AT(sum, i) = 0;
        }
    ADD_ENTRIES(r->walls, 0, OF_CELL, dim, 1, r->shear[e])
    ADD_ENTRIES(r->walls, 1, OF_FACE, dim, 1, r->shear[e])
    for (int i = 0; i < dim; i++)
        LANES(t) if (w * WARP + t < r->walls.n)
            r->wall[(int64_t)i * s->n_boundary + r->walls.row[w * WARP + t]] = IN_WARP_AT(sum, i);
}

WARP_KERNEL(reconstruct_walls, struct reconstruction_args)
{
    if (a->r.s.dim == 2) walls_warp(a, w, 2);
    else walls_warp(a, w, 3);
}

/* ---------------------------------------------------------------- the others */
/* H from differences of a, then g.  In fitted cells M and E are 0, so that g = a; their H is set afterwards. */
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
                    step[k] = CELL_VALUE(*s, a->averaged, i * dim + k, other)
                            - CELL_VALUE(*s, a->averaged, i * dim + k, row);
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
            UNROLL for (int k = 0; k < dim; k++) gradient[k] = CELL_VALUE(*s, a->averaged, i * dim + k, row);
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
        CELL_VALUE(r->s, r->second, j, r->list.row[i]) = r->listed_second[(int64_t)j * r->list.n + i];
}

/* ---------------------------------------------------------------- faces */
/* Corrections to the flux and to the forces at face f, from the gradients and second derivatives of the cells on both
 * sides.  dim, bent (non-planar faces), quadratic (with second derivatives) and forces (compute deferred) are
 * compile-time constants. */
ON_DEVICE void reconstruct_face(const struct reconstruction_args *a, int64_t f, const int dim, const int bent,
                                const int quadratic, const int forces)
{
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    const int n = dim * (dim + 1) / 2;
    int32_t p = s->owner[f], o = s->neighbour[f];
    double w = s->weight[f], d[3], skew[3], area[3], bend[3][3] = {{0}}, convecting[3] = {0}, moment[6] = {0};
    double through = 0;
    UNROLL for (int k = 0; k < dim; k++) {
        d[k] = FACE_VECTOR(*s, d, k, f), area[k] = FACE_VECTOR(*s, area, k, f);
        skew[k] = FACE_VECTOR(*s, r, k, f) - (1 - w) * d[k];
        if (bent) {
            convecting[k] = face_value(s, a->u, k, f);
            UNROLL for (int j = 0; j < dim; j++) bend[j][k] = (double)s->bend[(int64_t)(j * dim + k) * s->n_faces + f];
        }
    }
    if (quadratic)
        UNROLL for (int j = 0; j < dim; j++)
            UNROLL for (int k = 0; k <= j; k++)
                moment[PACKED(j, k)] = (j == k ? 0.5 : 1.0) * (double)r->moment.scale[f]
                    * r->moment.value[(int64_t)PACKED(j, k) * s->n_faces + f];
    UNROLL for (int i = 0; i < dim; i++) {
        double step = 0, both = 0;                      /* of the gradients along d: difference, sum */
        double value = 0, stress = 0, twist = 0, second[6] = {0}, slope[3];     /* at the face's centre */
        if (quadratic)
            UNROLL for (int j = 0; j < n; j++) {
                second[j] = fma(w, (double)CELL_VALUE(*s, r->second, i * n + j, p),
                                (1 - w) * (double)CELL_VALUE(*s, r->second, i * n + j, o));
                value = fma(moment[j], second[j], value);
            }
        UNROLL for (int j = 0; j < dim; j++) {
            double mine = CELL_VALUE(*s, a->gradient, i * dim + j, p);
            double theirs = CELL_VALUE(*s, a->gradient, i * dim + j, o);
            double between = fma(w, mine, (1 - w) * theirs), more = 0;
            step = fma(theirs - mine, d[j], step), both = fma(theirs + mine, d[j], both);
            if (quadratic) UNROLL for (int k = 0; k < dim; k++) more = fma(second[PACKED(j, k)], skew[k], more);
            slope[j] = between + more;
            value = fma(fma(0.5, more, between), skew[j], value);
            stress = fma(slope[j], area[j], stress);
            if (bent)
                UNROLL for (int k = 0; k < dim; k++) {
                    if (quadratic) stress = fma(bend[k][j], second[PACKED(j, k)], stress);
                    twist = fma(between * bend[j][k], convecting[k], twist);
                }
        }
        value = fma(-0.5 * w * (1 - w), step, value);
        through = fma(value, area[i], through);
        if (bent) UNROLL for (int j = 0; j < dim; j++) through = fma(bend[j][i], slope[j], through);
        if (forces) {
            double viscosity = a->fluid.viscosity_faces ? a->fluid.viscosity_faces[f] : a->fluid.viscosity;
            stress = fma(-0.5 * s->g[f], both, stress);
            r->deferred[(int64_t)i * s->n_internal + f] = viscosity * stress - a->fluid.density * twist;
        }
    }
    r->through[f] = through;
}

/* One kernel per combination: on CPUs they are vectorised only without branches. */
#define FACES_KERNEL(name, dim, bent, quadratic)                                                               \
    INDEX_KERNEL(name##_flux, struct reconstruction_args) { reconstruct_face(a, i, dim, bent, quadratic, 0); } \
    INDEX_KERNEL(name##_forces, struct reconstruction_args) { reconstruct_face(a, i, dim, bent, quadratic, 1); }
FACES_KERNEL(linear_2d, 2, 0, 0)
FACES_KERNEL(linear_3d, 3, 0, 0)
FACES_KERNEL(linear_bent, 3, 1, 0)
FACES_KERNEL(faces_2d, 2, 0, 1)
FACES_KERNEL(faces_3d, 3, 0, 1)
FACES_KERNEL(faces_bent, 3, 1, 1)

/* An outlet's face has only one cell, whose quadratic is evaluated at it.  Without second derivatives the velocity
 * varies only along the face, because its normal derivative is zero; so it does where fluid enters along the normal. */
INDEX_KERNEL(reconstruct_outlets, struct reconstruction_args)
{
    const struct reconstruction *r = &a->r;
    const struct stencil *s = &r->s;
    int64_t f = s->n_internal + i;
    int32_t cell = s->owner[f];
    double way[3], area[3], ss = 0, rs = 0, through = 0;
    int inlet = r->b.total[i] == HEAD_INLET, quadratic = r->quadratic && !inlet;
    r->through[f] = 0;
    if (r->b.velocity_rule[i] != RULE_GRADIENT && !inlet) return;
    for (int k = 0; k < s->dim; k++) {
        way[k] = FACE_VECTOR(*s, r, k, f), area[k] = FACE_VECTOR(*s, area, k, f);
        ss = fma(area[k], area[k], ss), rs = fma(way[k], area[k], rs);
    }
    for (int c = 0; c < s->dim; c++) {
        double value = 0, spread = 0;                   /* at the face's centre; mean over the face minus that */
        for (int j = 0; j < s->dim; j++) {
            double slope = CELL_VALUE(*s, a->gradient, c * s->dim + j, cell), half = slope;
            if (!quadratic) value = fma(slope, -rs / ss * area[j], value);
            for (int k = 0; quadratic && k < s->dim; k++) {
                double second = (double)CELL_VALUE(*s, r->second, c * r->n_second + PACKED(j, k), cell);
                half = fma(0.5 * second, way[k], half), slope = fma(second, way[k], slope);
                spread = fma(0.5 * (double)r->moment.scale[f] * second,
                             (double)r->moment.value[(int64_t)PACKED(j, k) * s->n_faces + f], spread);
            }
            value = fma(half, way[j], value);
            if (s->bend) through = fma((double)s->bend[(int64_t)(j * s->dim + c) * s->n_faces + f], slope, through);
        }
        r->outlet[(int64_t)c * s->n_boundary + i] = value;
        through = fma(value + spread, area[c], through);
    }
    r->through[f] = through;
}

INDEX_KERNEL(limit_through, struct reconstruction_args) { a->r.through[i] *= skew_part(&a->r.s, i); }
