/* Kernels of the viscous stress between two fluids (interface_stress.h). */
#include "assembly/interface_stress.h"
#include "solve/pattern_row.h"

SLICE_KERNEL(largest_fluidity, struct interface_stress_args)
{
    SLICE_VAR(double, fluidity);
    PHASE(w) LANES(t) {
        const int64_t row = ROW(b, w, t);
        IN_SLICE(fluidity) = row < a->s.n_cells ? 1 / viscosity_in(&a->properties, row) : 0.0;
    }
    LARGEST_OF_SLICE(a->fluidity, 0, b, fluidity)
}

ON_DEVICE double least_viscosity(const struct interface_stress_args *a)
{
    return a->fluidity.total ? 1 / a->fluidity.total[0] : a->least;
}

/* ---------------------------------------------------------------- the stress of a cell */
/* Sums over its faces, and gradients by both. */
struct cell_sums { double plain[6], weighted[6], inverse_plain[6], inverse[6], b_plain[3][3], b[3][3]; };

ON_DEVICE double packed_row(const double *m, int i, const double *x, const int dim)
{
    double sum = 0;
    UNROLL for (int j = 0; j < dim; j++) sum = fma(m[PACKED(i, j)], x[j], sum);
    return sum;
}

/* to = part x m; m packed. */
ON_DEVICE void times_packed(double x[3][3], const double *m, double part, double to[3][3], const int dim)
{
    UNROLL for (int i = 0; i < dim; i++)
        UNROLL for (int j = 0; j < dim; j++) {
            double sum = 0;
            UNROLL for (int k = 0; k < dim; k++) sum = fma(x[i][k], m[PACKED(k, j)], sum);
            to[i][j] = part * sum;
        }
}

ON_DEVICE double dot_product(const double *x, const double *y, const int dim)
{
    double sum = 0;
    UNROLL for (int k = 0; k < dim; k++) sum = fma(x[k], y[k], sum);
    return sum;
}

/* Of a face, by both fluids' viscosities in this cell. */
ON_DEVICE double viscosity_seen(const struct interface_stress_args *a, int64_t cell, int64_t f)
{
    const double *fluids = a->properties.viscosity_fluids;
    if (!fluids) return viscosity_at(&a->properties, f);
    const double of[2] = {CELL_VALUE(a->s, fluids, 0, cell), CELL_VALUE(a->s, fluids, 1, cell)};
    return viscosity_of_layers(&a->s, a->properties.distance, of, f);
}

ON_DEVICE double face_part(const struct stencil *s, int64_t f) { return (f < s->n_internal ? 0.5 : 1) * s->g[f]; }

/* d and du of a cell's face, out of the cell. */
ON_DEVICE void differences(const struct interface_stress_args *a, int32_t cell, int32_t code, double *d, double *du,
                           const int dim)
{
    const struct stencil *s = &a->s;
    const int32_t f = FACE_OF(code), inside = f < s->n_internal, P = s->owner[f];
    UNROLL for (int k = 0; k < dim; k++) {
        d[k] = FACE_SIGN(code) * FACE_VECTOR(*s, d, k, f);
        du[k] = inside ? CELL_VALUE(*s, a->u, k, P == cell ? s->neighbour[f] : P)
                       : a->boundary[(int64_t)k * s->n_boundary + f - s->n_internal];
        du[k] -= CELL_VALUE(*s, a->u, k, cell);
    }
}

/* Adds a face; returns whether it is between both fluids. */
ON_DEVICE int add_side(const struct interface_stress_args *a, int32_t cell, int32_t code, struct cell_sums *sum,
                       double *across, const int dim)
{
    const struct stencil *s = &a->s;
    const int32_t f = FACE_OF(code), inside = f < s->n_internal, P = s->owner[f], N = inside ? s->neighbour[f] : P;
    const double part = face_part(s, f), viscosity = viscosity_seen(a, cell, f);
    const int jumps = inside && (a->properties.distance[P] < 0) != (a->properties.distance[N] < 0);
    double d[3], du[3];
    differences(a, cell, code, d, du, dim);
    UNROLL for (int k = 0; k < dim; k++)
        if (jumps) across[k] = fma(FACE_SIGN(code), FACE_VECTOR(*s, area, k, f), across[k]);
    UNROLL for (int i = 0; i < dim; i++)
        UNROLL for (int j = 0; j < dim; j++) {
            sum->b_plain[i][j] = fma(part * du[i], d[j], sum->b_plain[i][j]);
            sum->b[i][j] = fma(part * viscosity * du[i], d[j], sum->b[i][j]);
            if (j > i) continue;
            sum->plain[PACKED(i, j)] = fma(part * d[i], d[j], sum->plain[PACKED(i, j)]);
            sum->weighted[PACKED(i, j)] = fma(part * viscosity * d[i], d[j], sum->weighted[PACKED(i, j)]);
        }
    return jumps;
}

/* Inverts a symmetric matrix; returns its determinant. */
ON_DEVICE double invert_packed(const double *m, double *inverse, const int dim)
{
    const double determinant = packed_adjugate(m, inverse, dim);
    UNROLL for (int k = 0; k < dim * (dim + 1) / 2; k++) inverse[k] /= determinant;
    return determinant;
}

/* Of tr(J), which vanishes where div u does: with all of it the energy of the stress may be negative in 3-D, and layers
 * at rest on tetrahedra diverged. */
ON_DEVICE double trace_part(const int dim) { return dim == 3 ? 2.0 / 3 : 1.0; }

/* rho; returns H.  Where N_0 is far from V 1, that of regular cells, n.N^-1 N_0 n may vanish or be negative: with V 1
 * then. */
ON_DEVICE double viscosity_across(const struct cell_sums *sum, const double *n, double volume, double *rho,
                                  const int dim)
{
    double along[3], regular[3];
    UNROLL for (int i = 0; i < dim; i++) along[i] = packed_row(sum->plain, i, n, dim);
    UNROLL for (int i = 0; i < dim; i++) {
        rho[i] = packed_row(sum->inverse, i, along, dim);
        regular[i] = volume * packed_row(sum->inverse, i, n, dim);
    }
    const double across = dot_product(rho, n, dim), least = dot_product(regular, n, dim);
    if (across > 0.5 * least) return 1 / across;
    UNROLL for (int i = 0; i < dim; i++) rho[i] = regular[i];
    return 1 / least;
}

/* A: of layers side by side, by volume, but at most 3 times, in 3-D once, what bounds the energy of E by that of the
 * matrix. */
ON_DEVICE double viscosity_along(const struct interface_stress_args *a, int32_t cell, const struct cell_sums *sum,
                                 const double *n, const double *rho, double H, const int dim)
{
    double t[2][3] = {{-n[1], n[0], 0}, {0, 0, 0}}, m[3] = {0};
    if (dim == 3) {
        const int least = fabs(n[0]) < fabs(n[1]) ? fabs(n[0]) < fabs(n[2]) ? 0 : 2 : fabs(n[1]) < fabs(n[2]) ? 1 : 2;
        const double part = 1 / sqrt(1 - n[least] * n[least]);
        for (int i = 0; i < 3; i++) t[0][i] = part * ((i == least) - n[least] * n[i]);
        for (int i = 0; i < 3; i++) t[1][i] = n[(i + 1) % 3] * t[0][(i + 2) % 3] - n[(i + 2) % 3] * t[0][(i + 1) % 3];
    }
    UNROLL for (int k = 0; k < dim - 1; k++) {
        const double part = H * dot_product(rho, t[k], dim);
        UNROLL for (int i = 0; i < dim; i++) t[k][i] = fma(-part, n[i], t[k][i]);
    }
    UNROLL for (int k = 0; k < 2 * dim - 3; k++)
        UNROLL for (int i = 0; i < dim; i++)
            m[k] = fma(t[k / 2][i], packed_row(sum->inverse, i, t[(k + 1) / 2], dim), m[k]);
    const double volume = a->s.volume[cell], mid = 0.5 * (m[0] + m[2]), off = 0.5 * (m[0] - m[2]);
    if (dim == 2) return fmin(viscosity_in(&a->properties, cell), 3 / (volume * m[0]));
    return 1 / (volume * (mid + sqrt(fma(off, off, m[1] * m[1]))));
}

/* sigma of the gradient J. */
ON_DEVICE void stress_of(double J[3][3], const double *n, const double *rho, double H, double A, double sigma[3][3],
                         const int dim)
{
    double Jn[3], shear[3], E[3][3], S[3][3], Srho[3], trace = 0;
    UNROLL for (int i = 0; i < dim; i++) Jn[i] = dot_product(J[i], n, dim);
    const double stretch = dot_product(Jn, n, dim);
    UNROLL for (int j = 0; j < dim; j++) {
        double back = 0, through = 0;
        UNROLL for (int i = 0; i < dim; i++) {
            back = fma(J[i][j], n[i], back), E[i][j] = fma(-H * Jn[i], rho[j], J[i][j]);
            through = fma(n[i], E[i][j], through);
        }
        shear[j] = Jn[j] + back - 2 * stretch * n[j];
        UNROLL for (int i = 0; i < dim; i++) E[i][j] = fma(-n[i], through, E[i][j]);
    }
    UNROLL for (int i = 0; i < dim; i++) trace += E[i][i];
    const double across = A * (stretch - trace + (1 - trace_part(dim)) * (stretch + trace));
    UNROLL for (int i = 0; i < dim; i++) {
        UNROLL for (int j = 0; j < dim; j++)
            S[i][j] = A * (E[i][j] + E[j][i] - ((i == j) - n[i] * n[j]) * trace_part(dim) * (stretch + trace));
        Srho[i] = dot_product(S[i], rho, dim);
    }
    UNROLL for (int i = 0; i < dim; i++)
        UNROLL for (int j = 0; j < dim; j++)
            sigma[i][j] = H * (shear[i] * n[j] + n[i] * shear[j]) + across * n[i] * n[j] + S[i][j]
                        - H * Srho[i] * n[j];
}

/* psi of interface_stress.h; part: mu_min / mu_f. */
ON_DEVICE void kinked(const double *d, const double *n, double part, double *psi, const int dim)
{
    const double across = (part - 1) * dot_product(n, d, dim);
    UNROLL for (int k = 0; k < dim; k++) psi[k] = fma(across, n[k], d[k]);
}

/* e of interface_stress.h. */
ON_DEVICE double roughness(const struct interface_stress_args *a, int64_t f)
{
    const struct stencil *s = &a->s;
    const struct properties *p = &a->properties;
    const int32_t P = s->owner[f], N = f < s->n_internal ? s->neighbour[f] : P;
    const double fraction = 0.5 * (p->fraction[P] + p->fraction[N]);
    const double viscosity = 0.5 * (viscosity_in(p, P) + viscosity_in(p, N));
    const double density = fma(fraction, p->density[1], (1 - fraction) * p->density[0]);
    double square = 0;
    UNROLL for (int k = 0; k < s->dim; k++) square = fma(FACE_VECTOR(*s, d, k, f), FACE_VECTOR(*s, d, k, f), square);
    const double laplace = density * a->tension * sqrt(square) / (30 * viscosity * viscosity);
    return 3 * viscosity * fmax(1 - 1 / fma(laplace, laplace, 1.0), 1e-9);        /* not 0: a weight */
}

ON_DEVICE void write_kinked(const struct interface_stress_args *a, int32_t cell, const double *n, const int dim)
{
    const struct stencil *s = &a->s;
    double m[6] = {0}, inverse[6], sum[3][3] = {{0}}, B[3][3], psi[3];
    for (int32_t k = 0; k < a->most_faces; k++) {
        const int32_t code = CELL_VALUE(*s, a->cell_face, k, cell), f = FACE_OF(code);
        double d[3], du[3];
        if (!code) continue;
        const double part = face_part(s, f) * roughness(a, f);
        differences(a, cell, code, d, du, dim);
        kinked(d, n, least_viscosity(a) / viscosity_seen(a, cell, f), psi, dim);
        UNROLL for (int i = 0; i < dim; i++)
            UNROLL for (int j = 0; j < dim; j++) {
                sum[i][j] = fma(part * du[i], psi[j], sum[i][j]);
                if (j <= i) m[PACKED(i, j)] = fma(part * psi[i], psi[j], m[PACKED(i, j)]);
            }
    }
    invert_packed(m, inverse, dim);
    times_packed(sum, inverse, 1, B, dim);
    UNROLL for (int i = 0; i < dim; i++) {
        CELL_VALUE(*s, a->value, STRESS_NORMAL(dim) + i, cell) = n[i];
        UNROLL for (int j = 0; j < dim; j++) CELL_VALUE(*s, a->value, STRESS_KINKED(dim) + i * dim + j, cell) = B[i][j];
    }
}

/* Writes V sigma N^-1 - J, and bounds. */
ON_DEVICE void write_stress(const struct interface_stress_args *a, int32_t cell, const struct cell_sums *sum,
                            const double *n, const int dim)
{
    const struct stencil *s = &a->s;
    double rho[3];
    const double volume = s->volume[cell], H = viscosity_across(sum, n, volume, rho, dim);
    const double A = viscosity_along(a, cell, sum, n, rho, H, dim);
    double J[3][3], sigma[3][3], to[3][3], bound = 0, friction = 0, trace = 0;
    if (a->tension > 0) write_kinked(a, cell, n, dim);
    times_packed((double (*)[3])sum->b, sum->inverse, 1, J, dim);
    stress_of(J, n, rho, H, A, sigma, dim);
    times_packed(sigma, sum->inverse, volume, to, dim);
    UNROLL for (int i = 0; i < dim; i++)
        UNROLL for (int j = 0; j < dim; j++)
            CELL_VALUE(*s, a->value, STRESS_TENSOR(dim) + i * dim + j, cell) = to[i][j] - J[i][j];
    times_packed((double (*)[3])sum->b_plain, sum->inverse_plain, least_viscosity(a), J, dim);
    UNROLL for (int i = 0; i < dim; i++) trace += J[i][i];
    UNROLL for (int i = 0; i < dim; i++)
        UNROLL for (int j = 0; j < dim; j++) sigma[i][j] = J[i][j] + J[j][i] - (i == j ? trace_part(dim) * trace : 0);
    times_packed(sigma, sum->inverse_plain, volume, to, dim);
    UNROLL for (int i = 0; i < dim; i++)
        UNROLL for (int j = 0; j < dim; j++)
            CELL_VALUE(*s, a->value, STRESS_LEAST(dim) + i * dim + j, cell) = to[i][j] - J[i][j];
    for (int32_t k = 0; k < a->most_faces; k++) {
        const int32_t code = CELL_VALUE(*s, a->cell_face, k, cell), f = FACE_OF(code);
        double d[3], square = 0;
        if (!code) continue;
        UNROLL for (int i = 0; i < dim; i++) d[i] = FACE_VECTOR(*s, d, i, f);
        UNROLL for (int i = 0; i < dim; i++) {
            const double x = packed_row(sum->inverse, i, d, dim);
            square = fma(x, x, square);
        }
        friction = fma(viscosity_seen(a, cell, f), s->g[f], friction);
        bound = fma(face_part(s, f) * viscosity_seen(a, cell, f), sqrt(square), bound);
    }
    CELL_VALUE(*s, a->value, STRESS_FRICTION, cell) = friction / volume;
    CELL_VALUE(*s, a->value, STRESS_BOUND, cell) = A * volume * bound;
    UNROLL for (int k = 0; k < dim * (dim + 1) / 2; k++)
        CELL_VALUE(*s, a->value, STRESS_INVERSE + k, cell) = sum->inverse[k];
}

/* dim is a compile-time constant. */
ON_DEVICE void stress_of_cell(const struct interface_stress_args *a, int32_t cell, const int dim)
{
    struct cell_sums sum = {.plain = {0}};
    double n[3], across[3] = {0}, nn = 0;
    int near = IS_CUT(a->properties.fraction[cell]);
    for (int32_t k = 0; k < a->most_faces; k++) {
        const int32_t code = CELL_VALUE(a->s, a->cell_face, k, cell);
        if (code) near |= add_side(a, cell, code, &sum, across, dim);
    }
    UNROLL for (int k = 0; k < dim; k++) n[k] = CELL_VALUE(a->s, a->normal, k, cell), nn = fma(n[k], n[k], nn);
    if (!(nn > 0)) {                            /* without a facet near: the mesh lines are the interface */
        UNROLL for (int k = 0; k < dim; k++) n[k] = across[k], nn = fma(n[k], n[k], nn);
    }
    if (!near || !(nn > 0)) return;
    UNROLL for (int k = 0; k < dim; k++) n[k] /= sqrt(nn);
    const double volume = a->s.volume[cell], whole = dim == 2 ? volume * volume : volume * volume * volume;
    if (invert_packed(sum.plain, sum.inverse_plain, dim) < STRESS_FLAT * whole) return;
    invert_packed(sum.weighted, sum.inverse, dim);
    write_stress(a, cell, &sum, n, dim);
}

HEAVY_INDEX_KERNEL(interface_stress, struct interface_stress_args)
{
    if (a->s.dim == 2) stress_of_cell(a, a->band[i], 2);
    else stress_of_cell(a, a->band[i], 3);
}

/* ---------------------------------------------------------------- forces of both halves of a face */
ON_DEVICE int has_stress(const struct interface_stress_args *a, int64_t cell)
{
    return CELL_VALUE(a->s, a->value, STRESS_FRICTION, cell) > 0;
}

/* Adds part e r. */
ON_DEVICE void add_roughness(const struct interface_stress_args *a, int64_t cell, int64_t f, double viscosity,
                             double part, double *force, const int dim)
{
    const struct stencil *s = &a->s;
    double n[3], d[3], du[3], psi[3];
    if (!(a->tension > 0)) return;
    differences(a, s->owner[f], (int32_t)f + 1, d, du, dim);
    UNROLL for (int k = 0; k < dim; k++) n[k] = CELL_VALUE(*s, a->value, STRESS_NORMAL(dim) + k, cell);
    kinked(d, n, least_viscosity(a) / viscosity, psi, dim);
    part *= roughness(a, f);
    UNROLL for (int i = 0; i < dim; i++) {
        UNROLL for (int j = 0; j < dim; j++)
            du[i] = fma(-CELL_VALUE(*s, a->value, STRESS_KINKED(dim) + i * dim + j, cell), psi[j], du[i]);
        force[i] = fma(part, du[i], force[i]);
    }
}

/* Adds the force of a cell's half of face f, sign times. */
ON_DEVICE void add_half(const struct interface_stress_args *a, int64_t cell, int64_t f, double own, double sign,
                        double *force, const int dim)
{
    const struct stencil *s = &a->s;
    const double part = sign * face_part(s, f);
    if (has_stress(a, cell)) {
        const double viscosity = viscosity_seen(a, cell, f);
        UNROLL for (int i = 0; i < dim; i++) {
            double sum = 0;
            UNROLL for (int j = 0; j < dim; j++)
                sum = fma(fma(viscosity, CELL_VALUE(*s, a->value, STRESS_TENSOR(dim) + i * dim + j, cell),
                              -CELL_VALUE(*s, a->value, STRESS_LEAST(dim) + i * dim + j, cell)),
                          FACE_VECTOR(*s, d, j, f), sum);
            force[i] = fma(part, sum, force[i]);
        }
        add_roughness(a, cell, f, viscosity, part, force, dim);
        return;
    }
    double more = sign * own * (viscosity_at(&a->properties, f) - least_viscosity(a)), trace = 0;
    UNROLL for (int i = 0; i < dim; i++) trace += CELL_VALUE(*s, a->grad_u, i * dim + i, cell);
    UNROLL for (int i = 0; i < dim; i++) {
        double sum = -trace_part(dim) * trace * FACE_VECTOR(*s, area, i, f);
        UNROLL for (int j = 0; j < dim; j++)
            sum = fma(CELL_VALUE(*s, a->grad_u, j * dim + i, cell), FACE_VECTOR(*s, area, j, f), sum);
        force[i] = fma(more, sum, force[i]);
    }
}

/* What a viscosity that varies leaves of the transposed stress far from the interface. */
ON_DEVICE void add_transposed(const struct interface_stress_args *a, int64_t row, int64_t other, int64_t f, double own,
                              double more, double *force, const int dim)
{
    const struct stencil *s = &a->s;
    double trace = 0;
    UNROLL for (int i = 0; i < dim; i++)
        trace += fma(own, CELL_VALUE(*s, a->grad_u, i * dim + i, row),
                     (1 - own) * CELL_VALUE(*s, a->grad_u, i * dim + i, other));
    UNROLL for (int i = 0; i < dim; i++) {
        double sum = -trace * FACE_VECTOR(*s, area, i, f);
        UNROLL for (int j = 0; j < dim; j++)
            sum = fma(fma(own, CELL_VALUE(*s, a->grad_u, j * dim + i, row),
                          (1 - own) * CELL_VALUE(*s, a->grad_u, j * dim + i, other)), FACE_VECTOR(*s, area, j, f), sum);
        force[i] = fma(more, sum, force[i]);
    }
}

/* What a cell needs of it at face f; beside: this cell or the other one has the stress. */
ON_DEVICE double excess_of(const struct interface_stress_args *a, int64_t cell, int64_t f, int beside, const int dim)
{
    const struct stencil *s = &a->s;
    double d[3], inverse[6], square = 0;
    if (!has_stress(a, cell)) {
        const double without = beside ? least_viscosity(a) : viscosity_in(&a->properties, cell);
        return s->g[f] * fabs(viscosity_at(&a->properties, f) - without);
    }
    UNROLL for (int k = 0; k < dim; k++) d[k] = FACE_VECTOR(*s, d, k, f);
    UNROLL for (int k = 0; k < dim * (dim + 1) / 2; k++)
        inverse[k] = CELL_VALUE(*s, a->value, STRESS_INVERSE + k, cell);
    UNROLL for (int i = 0; i < dim; i++) {
        const double x = packed_row(inverse, i, d, dim);
        square = fma(x, x, square);
    }
    return 4 * face_part(s, f) * viscosity_seen(a, cell, f) * sqrt(square) *
           CELL_VALUE(*s, a->value, STRESS_BOUND, cell) + face_part(s, f) * roughness(a, f);
}

/* The same from both sides.  Less a quarter of the lesser inertia. */
ON_DEVICE double excess_between(const struct interface_stress_args *a, int64_t row, int64_t other, int64_t f,
                                const int dim)
{
    const struct stencil *s = &a->s;
    const int beside = has_stress(a, row) || has_stress(a, other);
    const double x = excess_of(a, row, f, beside, dim), y = excess_of(a, other, f, beside, dim);
    const double mine = time_density_in(&a->properties, row), theirs = time_density_in(&a->properties, other);
    const double less = s->volume[row] < s->volume[other] ? s->volume[row] : s->volume[other];
    const double both = beside ? x + y : x > y ? x : y;
    return fma(-0.25 * a->c * (mine < theirs ? mine : theirs), less, both);
}

ON_DEVICE double velocity_ahead(const struct interface_stress_args *a, int i, int64_t cell)
{
    double old = CELL_VALUE(a->s, a->old, i, cell);
    return fma(a->ahead, old - CELL_VALUE(a->s, a->older, i, cell), old);
}

/* Whether the row has both halves of its faces. */
ON_DEVICE int is_beside(const struct interface_stress_args *a, int64_t row)
{
    int beside = has_stress(a, row);
    const int32_t b = (int32_t)(row / SLICE);
    PATTERN_ENTRIES(a->s.pattern, row, e)
        if (a->s.face[e]) beside |= has_stress(a, COLUMN(b, a->s.pattern.col[e]));
    return beside;
}

/* dim is a compile-time constant. */
ON_DEVICE void stress_warp(const struct interface_stress_args *a, int64_t b, int w, const int dim)
{
    const struct stencil *s = &a->s;
    WARP_ARRAY(double, sum, 3);
    WARP_VAR(double, excess);
    WARP_VAR(double, beside);
    LANES(t) {
        const int64_t row = ROW(b, w, t);
        IN_WARP(excess) = 0, IN_WARP(beside) = row < s->n_cells && is_beside(a, row) ? 1.0 : 0.0;
    }
    for (int i = 0; i < dim; i++) LANES(t) IN_WARP_AT(sum, i) = 0;
    ENTRIES(s->pattern, b, w, e)
        LANES(t) {
            const int32_t code = s->face[e + t], f = FACE_OF(code);
            const int64_t row = ROW(b, w, t), other = COLUMN(b, s->pattern.col[e + t]);
            const double own = code > 0 ? s->weight[f] : 1 - s->weight[f];
            const double more = code ? viscosity_at(&a->properties, f) - viscosity_in(&a->properties, row) : 0.0;
            const double stiff = code ? excess_between(a, row, other, f, dim) : 0.0;
            double force[3] = {0, 0, 0};
            if (stiff > 0) {
                if (!a->repeated) a->a.val[e + t] -= stiff;
                IN_WARP(excess) += stiff;
                for (int i = 0; i < dim; i++)
                    force[i] = stiff * (velocity_ahead(a, i, row) - velocity_ahead(a, i, other));
            }
            if (code && IN_WARP(beside) > 0) {
                add_half(a, row, f, own, FACE_SIGN(code), force, dim);
                add_half(a, other, f, 1 - own, FACE_SIGN(code), force, dim);
            } else if (more != 0) add_transposed(a, row, other, f, own, FACE_SIGN(code) * more, force, dim);
            for (int i = 0; i < dim; i++) IN_WARP_AT(sum, i) += force[i];
        }
    if (!a->repeated) LANES(t) a->a.diag[ROW(b, w, t)] += IN_WARP(excess);
    for (int i = 0; i < dim; i++) LANES(t) CELL_VALUE(*s, a->rhs, i, ROW(b, w, t)) += IN_WARP_AT(sum, i);
}

SLICE_KERNEL(add_interface_stress, struct interface_stress_args)
{
    PHASE(w) {
        if (a->s.dim == 2) stress_warp(a, b, w, 2);
        else stress_warp(a, b, w, 3);
    }
}

/* The force of a boundary face.  A slip face has its normal part alone. */
ON_DEVICE void add_boundary_force(const struct interface_stress_args *a, int32_t row, int32_t face, int beside,
                                  double *sum, const int dim)
{
    const struct stencil *s = &a->s;
    const int64_t f = s->n_internal + face;
    const double more = viscosity_at(&a->properties, f) - viscosity_in(&a->properties, row);
    double force[3] = {0, 0, 0}, area[3];
    if (beside) add_half(a, row, f, 1, 1, force, dim);
    else if (more != 0) add_transposed(a, row, row, f, 1, more, force, dim);
    UNROLL for (int i = 0; i < dim; i++) area[i] = FACE_VECTOR(*s, area, i, f);
    const double along = dot_product(force, area, dim) / dot_product(area, area, dim);
    UNROLL for (int i = 0; i < dim; i++)
        sum[i] += beside && a->velocity_rule[face] == RULE_SLIP ? along * area[i] : force[i];
    const int fixed = a->velocity_rule[face] == RULE_VALUE || a->velocity_rule[face] == RULE_SLIP;
    const double stiff = fixed && has_stress(a, row) ? fma(-a->c * time_density_in(&a->properties, row), s->volume[row],
                                                           excess_of(a, row, f, 1, dim)) : 0.0;
    if (!(stiff > 0)) return;
    if (!a->repeated) a->a.diag[row] += stiff;
    UNROLL for (int i = 0; i < dim; i++) sum[i] = fma(stiff, velocity_ahead(a, i, row), sum[i]);
}

INDEX_KERNEL(add_boundary_stress, struct interface_stress_args)
{
    const struct stencil *s = &a->s;
    const int32_t row = s->boundary_cell[i];
    const int beside = is_beside(a, row);
    double sum[3] = {0};
    for (int32_t k = s->boundary_start[i]; k < s->boundary_start[i + 1]; k++) {
        if (s->dim == 2) add_boundary_force(a, row, s->boundary_face[k], beside, sum, 2);
        else add_boundary_force(a, row, s->boundary_face[k], beside, sum, 3);
    }
    for (int k = 0; k < s->dim; k++) CELL_VALUE(*s, a->rhs, k, row) += sum[k];
}

/* ---------------------------------------------------------------- cross terms */
ON_DEVICE void cross_warp(const struct interface_stress_args *a, int64_t b, int w, const int dim)
{
    const struct stencil *s = &a->s;
    WARP_ARRAY(double, sum, 3);
    for (int i = 0; i < dim; i++) LANES(t) IN_WARP_AT(sum, i) = 0;
    ENTRIES(s->pattern, b, w, e)
        LANES(t) {
            const int32_t code = s->face[e + t], f = FACE_OF(code);
            const int64_t row = ROW(b, w, t), other = COLUMN(b, s->pattern.col[e + t]);
            const double own = code > 0 ? s->weight[f] : 1 - s->weight[f];
            for (int k = 0; k < 2 && code; k++) {
                const int64_t cell = k ? other : row;
                const double part = k ? 1 - own : own;
                const double more = FACE_SIGN(code) * (viscosity_at(&a->properties, f) - least_viscosity(a));
                if (!has_stress(a, cell)) continue;
                for (int i = 0; i < dim; i++) {
                    double force = 0;
                    for (int j = 0; j < dim; j++)
                        force = fma(CELL_VALUE(*s, a->grad_u, i * dim + j, cell),
                                    part * FACE_VECTOR(*s, area, j, f) - 0.5 * s->g[f] * FACE_VECTOR(*s, d, j, f),
                                    force);
                    IN_WARP_AT(sum, i) = fma(-more, force, IN_WARP_AT(sum, i));
                }
            }
        }
    for (int i = 0; i < dim; i++) LANES(t) CELL_VALUE(*s, a->rhs, i, ROW(b, w, t)) += IN_WARP_AT(sum, i);
}

SLICE_KERNEL(without_cross_terms, struct interface_stress_args)
{
    PHASE(w) {
        if (a->s.dim == 2) cross_warp(a, b, w, 2);
        else cross_warp(a, b, w, 3);
    }
}
