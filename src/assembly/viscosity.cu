/* Shear rates at faces, and viscosities from them (viscosity.h). */
#include "assembly/viscosity.h"
#include "assembly/boundary_gradient.h"
#include "solve/pattern_row.h"

/* 2 S:S of a gradient. */
ON_DEVICE double shear_square(double gradient[3][3], const int dim)
{
    double sum = 0;
    UNROLL for (int i = 0; i < dim; i++) {
        sum = fma(2 * gradient[i][i], gradient[i][i], sum);
        UNROLL for (int j = 0; j < i; j++) {
            double both = gradient[i][j] + gradient[j][i];
            sum = fma(both, both, sum);
        }
    }
    return sum;
}

/* dim is a compile-time constant. */
ON_DEVICE double shear_square_of_cell(const struct viscosity_args *a, int64_t row, const int dim)
{
    double gradient[3][3];
    UNROLL for (int i = 0; i < dim; i++)
        UNROLL for (int j = 0; j < dim; j++) gradient[i][j] = CELL_VALUE(a->s, a->grad_u, i * dim + j, row);
    return shear_square(gradient, dim);
}

SLICE_KERNEL(largest_shear_rate, struct viscosity_args)
{
    SLICE_VAR(double, square);
    PHASE(w) LANES(t) {
        const int64_t row = ROW(b, w, t);
        IN_SLICE(square) = a->s.dim == 2 ? shear_square_of_cell(a, row, 2) : shear_square_of_cell(a, row, 3);
    }
    LARGEST_OF_SLICE(a->largest, 0, b, square)
}

/* Of one fluid at face f with this square of the shear rate, or of a mixture with this fraction of the second one. */
ON_DEVICE double fluid_viscosity(const struct viscosity_args *a, int fluid, int64_t f, double square)
{
    if (a->cells[fluid])
        return f < a->s.n_internal ? face_value(&a->s, a->cells[fluid], 0, f) : a->boundary[fluid][f - a->s.n_internal];
    return a->law[fluid].cubic ? viscosity_from(&a->law[fluid], square) : a->properties.viscosity[fluid];
}
ON_DEVICE void set_viscosity(const struct viscosity_args *a, int64_t f, double gradient[3][3], const int dim)
{
    const double least = a->largest.total ? SHEAR_FLOOR * SHEAR_FLOOR * a->largest.total[0] : 0.0;
    const double square = shear_square(gradient, dim) + least;
    double *to = &a->properties.viscosity_faces[f], viscosity = fluid_viscosity(a, 0, f, square);
    if (a->properties.fraction) {
        const double of[2] = {viscosity, fluid_viscosity(a, 1, f, square)};
        a->own[f] = of[0], a->own[a->s.n_faces + f] = of[1];
        viscosity = viscosity_of_layers(&a->s, a->properties.distance, of, f);
    }
    *to = viscosity = a->part < 1 ? fma(a->part, viscosity - *to, *to) : viscosity;
    if (a->properties.transposed)
        UNROLL for (int i = 0; i < dim; i++) {
            double stress = 0;
            UNROLL for (int j = 0; j < dim; j++) stress = fma(gradient[j][i], FACE_VECTOR(a->s, area, j, f), stress);
            a->properties.transposed[(int64_t)i * a->s.n_faces + f] = viscosity * stress;
        }
}

/* The cells' gradients, interpolated to the face's centre, with the difference of the velocity along d that the
 * momentum equation has.  dim and quadratic are compile-time constants. */
ON_DEVICE void viscosity_of_face(const struct viscosity_args *a, int64_t f, const int dim, const int quadratic)
{
    const struct stencil *s = &a->s;
    const int n = dim * (dim + 1) / 2;
    int32_t p = s->owner[f], o = s->neighbour[f];
    double w = s->weight[f], d[3], skew[3], gradient[3][3], dd = 0;
    UNROLL for (int k = 0; k < dim; k++) {
        d[k] = FACE_VECTOR(*s, d, k, f), dd = fma(d[k], d[k], dd);
        if (quadratic) skew[k] = FACE_VECTOR(*s, r, k, f) - (1 - w) * d[k];
    }
    UNROLL for (int i = 0; i < dim; i++) {
        double miss = CELL_VALUE(*s, a->u, i, o) - CELL_VALUE(*s, a->u, i, p);
        UNROLL for (int j = 0; j < dim; j++) {
            double mine = CELL_VALUE(*s, a->grad_u, i * dim + j, p);
            double theirs = CELL_VALUE(*s, a->grad_u, i * dim + j, o);
            miss = fma(-0.5 * (mine + theirs), d[j], miss);
            gradient[i][j] = fma(w, mine, (1 - w) * theirs);
            if (quadratic)
                UNROLL for (int k = 0; k < dim; k++) {
                    int at = i * n + PACKED(j, k);
                    double second = fma(w, (double)CELL_VALUE(*s, a->second, at, p),
                                        (1 - w) * (double)CELL_VALUE(*s, a->second, at, o));
                    gradient[i][j] = fma(second, skew[k], gradient[i][j]);
                }
        }
        UNROLL for (int j = 0; j < dim; j++) gradient[i][j] = fma(miss / dd, d[j], gradient[i][j]);
    }
    set_viscosity(a, f, gradient, dim);
}

#define VISCOSITY_KERNEL(name, dim, quadratic) \
    INDEX_KERNEL(viscosity_##name, struct viscosity_args) { viscosity_of_face(a, i, dim, quadratic); }
VISCOSITY_KERNEL(faces_2d, 2, 0)
VISCOSITY_KERNEL(faces_3d, 3, 0)
VISCOSITY_KERNEL(quadratic_2d, 2, 1)
VISCOSITY_KERNEL(quadratic_3d, 3, 1)

/* Keeps the normal part of a slip boundary's transposed stress.  Its tangential stress is zero; that of the cell's
 * gradient is not, and the viscosity, where nothing shears, is many times that of other faces: waves grew. */
ON_DEVICE void keep_normal_stress(const struct viscosity_args *a, int64_t f)
{
    double *stress = a->properties.transposed, along = 0, square = 0;
    for (int k = 0; k < a->s.dim; k++) {
        const double area = FACE_VECTOR(a->s, area, k, f);
        along = fma(stress[(int64_t)k * a->s.n_faces + f], area, along), square = fma(area, area, square);
    }
    for (int k = 0; k < a->s.dim; k++)
        stress[(int64_t)k * a->s.n_faces + f] = along / square * FACE_VECTOR(a->s, area, k, f);
}

INDEX_KERNEL(viscosity_boundary, struct viscosity_args)
{
    int64_t f = a->s.n_internal + i;
    double gradient[3][3];
    boundary_gradient(&a->s, &a->b, a->u, a->grad_u, a->wall, (int32_t)i, gradient);
    if (a->s.dim == 2) set_viscosity(a, f, gradient, 2);
    else set_viscosity(a, f, gradient, 3);
    if (a->properties.transposed && a->b.velocity_rule[i] == RULE_SLIP) keep_normal_stress(a, f);
}

/* From the sums of 1 / viscosity over so many faces, of each fluid. */
ON_DEVICE double viscosity_of_cell(const struct viscosity_args *a, int64_t row, double n, double first, double second)
{
    const double one = n / (first > 0 ? first : 1), other = n / (second > 0 ? second : 1);
    if (!a->own) return one;
    CELL_VALUE(a->s, a->properties.viscosity_fluids, 0, row) = one;
    CELL_VALUE(a->s, a->properties.viscosity_fluids, 1, row) = other;
    const double fraction = a->properties.fraction[row], bounded = fraction < 0 ? 0 : fraction > 1 ? 1 : fraction;
    return fma(other - one, bounded, one);
}

SLICE_KERNEL(viscosity_cells, struct viscosity_args)
{
    const double *faces = a->own ? a->own : a->properties.viscosity_faces, *second = a->own ? a->own + a->s.n_faces : 0;
    PHASE(w) {
        WARP_ARRAY(double, sum, 2);
        WARP_VAR(double, n);
        LANES(t) IN_WARP_AT(sum, 0) = IN_WARP_AT(sum, 1) = IN_WARP(n) = 0;
        ENTRIES(a->s.pattern, b, w, e)
            LANES(t) {
                int32_t code = a->s.face[e + t];
                IN_WARP_AT(sum, 0) += code ? 1 / faces[FACE_OF(code)] : 0.0;
                if (second) IN_WARP_AT(sum, 1) += code ? 1 / second[FACE_OF(code)] : 0.0;
                IN_WARP(n) += code ? 1.0 : 0.0;
            }
        LANES(t) {
            int64_t row = ROW(b, w, t);
            a->properties.viscosity_cells[row] = viscosity_of_cell(a, row, IN_WARP(n), IN_WARP_AT(sum, 0),
                                                                   IN_WARP_AT(sum, 1));
        }
    }
}

INDEX_KERNEL(viscosity_boundary_cells, struct viscosity_args)
{
    const struct stencil *s = &a->s;
    int64_t row = s->boundary_cell[i];
    double sum[2] = {0, 0}, n = 0;
    for (int j = 0; j < (a->own ? 2 : 1); j++) {
        const double *faces = a->own ? a->own + j * (int64_t)s->n_faces : a->properties.viscosity_faces;
        n = 0;
        PATTERN_ENTRIES(s->pattern, row, e) {
            int32_t code = s->face[e];
            sum[j] += code ? 1 / faces[FACE_OF(code)] : 0.0, n += code ? 1.0 : 0.0;
        }
        for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++, n++)
            sum[j] += 1 / faces[s->n_internal + s->boundary_face[k]];
    }
    a->properties.viscosity_cells[row] = viscosity_of_cell(a, row, n, sum[0], sum[1]);
}

/* dim is a compile-time constant. */
ON_DEVICE void transposed_warp(const struct transposed_args *a, int64_t b, int w, const int dim)
{
    WARP_ARRAY(double, sum, 3);
    for (int k = 0; k < dim; k++) LANES(t) IN_WARP_AT(sum, k) = 0;
    ENTRIES(a->s.pattern, b, w, e)
        LANES(t) {
            int32_t code = a->s.face[e + t];
            for (int k = 0; k < dim; k++)
                IN_WARP_AT(sum, k) = fma(FACE_SIGN(code), a->transposed[(int64_t)k * a->s.n_faces + FACE_OF(code)],
                                         IN_WARP_AT(sum, k));
        }
    for (int k = 0; k < dim; k++) LANES(t) CELL_VALUE(a->s, a->rhs, k, ROW(b, w, t)) += IN_WARP_AT(sum, k);
}

SLICE_KERNEL(transposed_stress, struct transposed_args)
{
    PHASE(w) {
        if (a->s.dim == 2) transposed_warp(a, b, w, 2);
        else transposed_warp(a, b, w, 3);
    }
}

INDEX_KERNEL(boundary_transposed_stress, struct transposed_args)
{
    int32_t row = a->s.boundary_cell[i];
    for (int32_t k = a->s.boundary_start[i]; k < a->s.boundary_start[i + 1]; k++)
        for (int m = 0; m < a->s.dim; m++)
            CELL_VALUE(a->s, a->rhs, m, row) +=
                a->transposed[(int64_t)m * a->s.n_faces + a->s.n_internal + a->s.boundary_face[k]];
}
