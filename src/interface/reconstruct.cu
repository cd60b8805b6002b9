/* Kernels of the PLIC reconstruction: cut cells, normals, planes, distance (reconstruct.h). */
#include "interface/reconstruct.h"
#include "interface/curvature_fit.h"
#include "interface/cut.h"
#include "interface/interface.h"
#include "solve/pattern_row.h"

/* A nearly full (or empty) cell has a facet only if the interface is near, i.e. next to a cell with a very different
 * fraction.  Others are debris, remainders of fluxes: a facet in them would be an interface inside a fluid. */
ON_DEVICE int is_cut(const struct reconstruct_args *a, int64_t c)
{
    double fraction = a->fraction[c];
    if (!IS_CUT(fraction)) return 0;
    if (fraction > SLIVER && fraction < 1 - SLIVER) return 1;
    for (int64_t k = a->g.near_start[c]; k < a->g.near_start[c + 1]; k++)
        if (fabs(a->fraction[a->g.near[k]] - fraction) > SLIVER_STEP) return 1;
    return 0;
}

/* Is a face of the cell, full or empty, the interface? */
ON_DEVICE int at_step(const struct reconstruct_args *a, int64_t c)
{
    const struct pattern *p = &a->g.s.pattern;
    int full = a->fraction[c] > 0.5, step = 0;
    if (IS_CUT(a->fraction[c])) return 0;
    PATTERN_ENTRIES(*p, c, k) {
        double other = p->col[k] ? a->fraction[COLUMN(c / SLICE, p->col[k])] : full;
        step |= full != (other > 0.5) && !IS_CUT(other);
    }
    return step;
}

INDEX_KERNEL(mark_cut, struct reconstruct_args)
{
    double fraction = a->fraction[i];
    int cut = is_cut(a, i);
    a->mark[i] = cut;
    a->distance[i] = fraction < 0.5 ? a->far : -a->far;
    a->seed[i] = a->band_mark[i] = cut || at_step(a, i);
}

HEAVY_INDEX_KERNEL(mark_band, struct reconstruct_args)
{
    if (!a->seed[i]) return;
    for (int64_t k = a->g.near_start[i]; k < a->g.near_start[i + 1]; k++) {
        int32_t *mark = a->band_mark + a->g.near[k];
        if (a->g.near[k] < a->g.s.n_cells && !SEEN(mark)) SWAP_IF(mark, 0, 1);
    }
}

INDEX_KERNEL(leave_band, struct reconstruct_args)
{
    int32_t c = a->band[i];
    if (a->mark[c]) return;
    a->area[c] = a->offset[c] = 0;
    for (int k = 0; k < a->g.s.dim; k++) {
        CELL_VALUE(a->g.s, a->centroid, k, c) = 0;
        if (!a->band_mark[c]) CELL_VALUE(a->g.s, a->normal, k, c) = 0;
    }
}

INDEX_KERNEL(list_cut, struct reconstruct_args) { if (a->mark[i]) a->cell[a->place[i]] = (int32_t)i; }
INDEX_KERNEL(list_band, struct reconstruct_args) { if (a->band_mark[i]) a->band[a->place[i]] = (int32_t)i; }

#define NO_DIRECTION 1e-9               /* of a sum of vectors, relative to that of their sizes: rounding */
#define FLAT 1e-9                       /* of a determinant, relative to the trace's power: positions in a plane */

/* Least-squares fit of a linear function through the cell's own value: the sums of w d d^T and of w d (value - the
 * cell's), w = weight / |d|^2; and the sum of w |d| |value - the cell's|, which `right` cannot exceed. */
struct linear_fit { double matrix[6], right[3], most; };

ON_DEVICE void linear_fit_add(struct linear_fit *f, double weight, const double d[3], double difference, int dim)
{
    double square = 0;
    for (int k = 0; k < dim; k++) square = fma(d[k], d[k], square);
    weight /= square;
    f->most = fma(weight * sqrt(square), fabs(difference), f->most);
    for (int k = 0; k < dim; k++) {
        f->right[k] += weight * d[k] * difference;
        for (int j = 0; j <= k; j++) f->matrix[PACKED(k, j)] += weight * d[k] * d[j];
    }
}

/* The direction of the fitted gradient as a unit vector; returns 0 if rounding alone would decide on it, as in the only
 * cell of a small drop.  In a mesh one cell thick the positions d lie in a plane: there it has no component across. */
ON_DEVICE int linear_fit_direction(const struct linear_fit *f, double x[3], int dim)
{
    const double *r = f->right;
    double m[6], trace = 0, across = NO_DIRECTION * f->most, determinant;
    for (int k = 0; k < dim; k++) trace += f->matrix[PACKED(k, k)];
    for (int k = 0; k < 6; k++) m[k] = f->matrix[k];
    for (int pass = 0; pass < 2; pass++) {
        if (dim == 2) {
            x[0] = m[2] * r[0] - m[1] * r[1], x[1] = m[0] * r[1] - m[1] * r[0], x[2] = 0;
            determinant = (m[0] * m[2] - m[1] * m[1]) / (trace * trace);
        } else {
            double xx = m[0], xy = m[1], yy = m[2], xz = m[3], yz = m[4], zz = m[5];
            double a = yy * zz - yz * yz, b = xz * yz - xy * zz, c = xy * yz - xz * yy;
            double d = xx * zz - xz * xz, e = xy * xz - xx * yz, g = xx * yy - xy * xy;
            x[0] = a * r[0] + b * r[1] + c * r[2];
            x[1] = b * r[0] + d * r[1] + e * r[2];
            x[2] = c * r[0] + e * r[1] + g * r[2];
            determinant = (xx * a + xy * b + xz * c) / (trace * trace * trace);
        }
        if (determinant > FLAT) break;
        for (int k = 0; k < dim; k++) m[PACKED(k, k)] = fma(FLAT, trace, m[PACKED(k, k)]);
    }
    if (!(r[0] * r[0] + r[1] * r[1] + r[2] * r[2] > across * across)) return 0;
    double length = sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
    if (!(length > 0)) return 0;
    for (int k = 0; k < 3; k++) x[k] /= length;
    return 1;
}

ON_DEVICE double whole(double fraction) { return fraction <= WISP ? 0 : fraction >= 1 - WISP ? 1 : fraction; }

#define SAME_NORMAL 1e-13
#define OWN_SIZE 0.8                    /* cell size relative to the root mean square distance of near cells: exact
                                           within 5 % on squares and cubes */

/* The cell's normal in the last step, of its own facet or of those around it; 0: it had none. */
ON_DEVICE int last_normal(const struct reconstruct_args *a, int32_t c, double n[3])
{
    double square = 0;
    for (int j = 0; j < a->g.s.dim; j++) n[j] = CELL_VALUE(a->g.s, a->normal, j, c), square = fma(n[j], n[j], square);
    if (!(square > NO_DIRECTION * NO_DIRECTION)) return 0;
    for (int j = 0; j < a->g.s.dim; j++) n[j] /= sqrt(square);
    return 1;
}

/* Does a plane of this normal through the cell separate full from empty near cells?  In a thread it does not, nor does
 * a normal from the other side of a sheet. */
ON_DEVICE int separates(const struct reconstruct_args *a, int32_t c, const double n[3])
{
    double size = OWN_SIZE * sqrt(near_mean_square(&a->g, c, a->g.s.dim)), empty = size, full = -size;
    for (int64_t k = a->g.near_start[c]; k < a->g.near_start[c + 1]; k++) {
        double d[3], along = 0, fraction = a->fraction[a->g.near[k]];
        if (fraction > SLIVER && fraction < 1 - SLIVER) continue;
        near_offset(&a->g, c, k, d);
        for (int j = 0; j < a->g.s.dim; j++) along = fma(n[j], d[j], along);
        if (fraction > 0.5) full = along > full ? along : full;
        else empty = along < empty ? along : empty;
    }
    return full < fma(1e-9, size, empty);               /* side by side, too: rounding must not decide */
}

ON_DEVICE void gradient_normal(const struct reconstruct_args *a, int32_t c, double n[3])
{
    struct linear_fit f = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}, 0};
    double own = whole(a->fraction[c]);
    for (int64_t k = a->g.near_start[c]; k < a->g.near_start[c + 1]; k++) {
        double d[3];
        near_offset(&a->g, c, k, d);
        linear_fit_add(&f, 1, d, own - whole(a->fraction[a->g.near[k]]), a->g.s.dim);
    }
    if (!linear_fit_direction(&f, n, a->g.s.dim)) n[0] = n[1] = n[2] = 0;
}

/* The last normal if it may still be valid, so that an exact plane remains exact; else from the fractions. */
HEAVY_INDEX_KERNEL(first_normal, struct reconstruct_args)
{
    int32_t c = a->cell[i];
    double n[3] = {0, 0, 0};
    if (!last_normal(a, c, n) || !separates(a, c, n)) gradient_normal(a, c, n);
    for (int k = 0; k < a->g.s.dim; k++) CELL_VALUE(a->g.s, a->new_normal, k, c) = n[k];
}

HEAVY_INDEX_KERNEL(place_plane, struct reconstruct_args)
{
    int32_t c = a->cell[i], dim = a->g.s.dim;
    double n[3] = {0, 0, 0}, centroid[3], moment[6], square = 0;
    struct cut_cell k;
    for (int j = 0; j < dim; j++) CELL_VALUE(a->g.s, a->normal, j, c) = n[j] = CELL_VALUE(a->g.s, a->new_normal, j, c);
    for (int j = 0; j < dim; j++) square = fma(n[j], n[j], square);
    if (square == 0) {
        a->offset[c] = a->area[c] = 0;
        for (int j = 0; j < dim; j++) CELL_VALUE(a->g.s, a->centroid, j, c) = 0;
        return;
    }
    cut_cell_load(&a->g, c, &k);
    double offset = plane_offset(&k, n, a->fraction[c]);
    a->offset[c] = offset;
    a->area[c] = plane_section(&k, n, offset, centroid, moment);
    for (int j = 0; j < dim; j++) CELL_VALUE(a->g.s, a->centroid, j, c) = centroid[j];
    for (int j = 0; j < dim * (dim + 1) / 2; j++) CELL_VALUE(a->g.s, a->moment, j, c) = moment[j];
}

/* In a cut cell the distance to its own plane; else the mean of the distances to the planes of near cells, weighted
 * with the square of the cosine between n and the direction to the facet (Scheufler & Roenby 2019, eqs. 19 and 20).
 * The mean of the centroids is the assumed position of debris in the cell, that of the normals the first normal when a
 * facet enters the cell; a cut cell without a facet keeps its own, from which interface_restored() finds the same. */
HEAVY_INDEX_KERNEL(distance_to_pieces, struct reconstruct_args)
{
    int32_t c = a->band[i], dim = a->g.s.dim;
    if (a->area[c] > 0) { a->distance[c] = -a->offset[c]; return; }
    double sum = 0, weights = 0, foot[3] = {0, 0, 0}, n[3] = {0, 0, 0};
    for (int64_t k = a->g.near_start[c]; k < a->g.near_start[c + 1]; k++) {
        int32_t other = a->g.near[k];
        if (!(a->area[other] > 0)) continue;
        double way[3], along = 0, square = 0;
        near_offset(&a->g, c, k, way);
        for (int j = 0; j < dim; j++) {
            way[j] += CELL_VALUE(a->g.s, a->centroid, j, other);
            along = fma(way[j], CELL_VALUE(a->g.s, a->normal, j, other), along);
            square = fma(way[j], way[j], square);
        }
        double w = along * along / square;
        sum = fma(w, -along, sum);
        for (int j = 0; j < dim; j++)
            foot[j] = fma(w, way[j], foot[j]), n[j] = fma(w, CELL_VALUE(a->g.s, a->normal, j, other), n[j]);
        weights += w;
    }
    if (!(weights > 0)) return;
    a->distance[c] = sum / weights;
    for (int j = 0; j < dim; j++) {
        CELL_VALUE(a->g.s, a->centroid, j, c) = foot[j] / weights;
        if (!a->mark[c]) CELL_VALUE(a->g.s, a->normal, j, c) = n[j] / weights;
    }
}

/* Stores the new normal of a cut cell, unless it is the current one but for rounding: where the interface is not
 * resolved the passes of a reconstruction do not converge, and rounding would grow by a factor of about 2 with each. */
ON_DEVICE void set_normal(const struct reconstruct_args *a, int32_t c, const double n[3])
{
    double change = 0;
    for (int k = 0; k < a->g.s.dim; k++) change = fmax(change, fabs(n[k] - CELL_VALUE(a->g.s, a->normal, k, c)));
    for (int k = 0; k < a->g.s.dim; k++)
        CELL_VALUE(a->g.s, a->new_normal, k, c) = change > SAME_NORMAL ? n[k] : CELL_VALUE(a->g.s, a->normal, k, c);
}

/* 1 / the size, in the direction of cell j's normal, of the cells with this mean shape; for a mean of normals that
 * nearly cancel each other the mean size counts. */
ON_DEVICE double per_size(const struct reconstruct_args *a, int32_t j, const double *shape, const int dim)
{
    double n[3], square = 0, trace = 0;
    for (int k = 0; k < dim; k++) {
        n[k] = CELL_VALUE(a->g.s, a->normal, k, j);
        square = fma(n[k], n[k], square), trace += shape[PACKED(k, k)];
    }
    return 1 / sqrt(fma(fmax(1 - square, 0.0), trace / dim, fit_moment(shape, n, n, dim)));
}

/* Distances count in cell sizes along the normal: where cells are long a facet that is tilted by mistake, along a long
 * side, is much nearer to its cell's centre than those beside it, so that the gradient of plain distances would tilt
 * further, on to the neighbours.
 *
 * The distance in a cut cell is that to its own facet, which in a thin sheet may be on the sheet's other side.  So a
 * cell's weight decreases with the angle between the normals, as (1 + n.n_j) / 2. */
HEAVY_INDEX_KERNEL(normal_from_distance, struct reconstruct_args)
{
    int32_t c = a->cell[i], dim = a->g.s.dim;
    struct linear_fit f = {{0, 0, 0, 0, 0, 0}, {0, 0, 0}, 0};
    double n[3], old[3], shape[6];
    for (int j = 0; j < dim; j++) old[j] = CELL_VALUE(a->g.s, a->normal, j, c);
    for (int j = 0; j < dim * (dim + 1) / 2; j++) shape[j] = CELL_VALUE(a->g.s, a->shape, j, c);
    const double own = a->distance[c] * per_size(a, c, shape, dim);
    for (int64_t k = a->g.near_start[c]; k < a->g.near_start[c + 1]; k++) {
        int32_t other = a->g.near[k];
        double d[3], turn = 1;
        if (a->area[other] > 0) {
            turn = 0;
            for (int j = 0; j < dim; j++) turn = fma(old[j], CELL_VALUE(a->g.s, a->normal, j, other), turn);
        }
        near_offset(&a->g, c, k, d);
        linear_fit_add(&f, 0.5 + 0.5 * turn, d, fma(a->distance[other], per_size(a, other, shape, dim), -own), dim);
    }
    if (linear_fit_direction(&f, n, a->g.s.dim)) set_normal(a, c, n);
}

/* A fit's normal is used only if: the facets' distance from the paraboloid is at most FIT_ROUGHNESS (root mean square,
 * in cell sizes), its curvature is at most FIT_CURVATURE (per cell size), and the cosine between its normal and that
 * from the distance is at least FIT_TURN, or FIT_TURN_OF_FLAT if roughness and curvature are below a quarter of these
 * (for slivers next to the boundary the distance is inaccurate).  Where the interface is not resolved (thin threads:
 * facets of both sides, of several directions) normals of fits break it up into debris (seen in the vortex of period 8
 * on 64^2 and 128^2 cells). */
#define FIT_ROUGHNESS 0.02
#define FIT_CURVATURE 0.5               /* for each direction of the interface */
#define FIT_TURN 0.9
#define FIT_TURN_OF_FLAT 0.5
#define FIT_DAMPING 1e-5                /* of fit_solve_damped() */

/* Adds the facet of near cell k to the fit (k one before the first near cell: the cell's own); returns its weight. */
ON_DEVICE double add_near_piece(const struct reconstruct_args *a, struct fit *f, const double *n, int32_t c, int64_t k,
                                double reach, const int dim, double *square)
{
    const struct stencil *s = &a->g.s;
    int own = k < a->g.near_start[c];
    int32_t other = own ? c : a->g.near[k];
    double r[3] = {0, 0, 0}, moment[6], area = a->area[other], turn = 0;
    const double of_frame = dim == 2 ? f->scale : f->scale * f->scale;  /* 1 / length or area: weights have no unit */
    if (!a->mark[other] || !(area > 0)) return 0;
    for (int j = 0; j < dim; j++) turn = fma(n[j], CELL_VALUE(*s, a->normal, j, other), turn);
    if (!(turn > NEAR_TURN)) return 0;
    if (!own) {
        near_offset(&a->g, c, k, r);
        for (int j = 0; j < dim; j++) r[j] += CELL_VALUE(*s, a->centroid, j, other) - CELL_VALUE(*s, a->centroid, j, c);
    }
    double part = 1 - fit_dot(r, r, dim) / reach, weight = area * of_frame * turn * part * part,
           z = fit_dot(r, n, dim) * f->scale;
    if (!(part > 0)) return 0;
    for (int j = 0; j < dim * (dim + 1) / 2; j++) moment[j] = CELL_VALUE(*s, a->moment, j, other) / area;
    fit_piece(f, weight, r, moment, dim);
    *square = fma(weight * z, z, *square);
    return weight;
}

/* The normal of the paraboloid through the facets of the cell and of near cells; 0: none is acceptable. */
NOT_INLINED int normal_of_pieces(const struct reconstruct_args *a, int32_t c, const int dim, double n[3])
{
    const int terms = dim == 2 ? 3 : 6;
    struct fit f;
    double old[3], x[FIT_TERMS], size = near_mean_square(&a->g, c, dim), reach = 2 * size, square = 0, weights = 0;
    for (int j = 0; j < dim; j++) old[j] = CELL_VALUE(a->g.s, a->normal, j, c);
    fit_frame(&f, old, sqrt(reach), dim);
    fit_clear(&f);
    for (int64_t k = a->g.near_start[c] - 1; k < a->g.near_start[c + 1]; k++)
        weights += add_near_piece(a, &f, old, c, k, reach, dim, &square);
    if (!fit_solve_damped(f.m, f.b, x, FIT_DAMPING, dim)) return 0;
    for (int j = 0; j < terms; j++) square = fma(-x[j], f.b[j], square);
    size = OWN_SIZE * sqrt(size);
    fit_normal(&f, x, n, dim);
    double doubt = fmax(sqrt(fabs(square) / weights) / (FIT_ROUGHNESS * size * f.scale),
                        fabs(fit_curvature(&f, x, dim)) * size / (FIT_CURVATURE * (dim - 1)));
    return doubt <= 1 && fit_dot(n, old, dim) >= (doubt <= 0.25 ? FIT_TURN_OF_FLAT : FIT_TURN);
}

HEAVY_INDEX_KERNEL(normal_from_pieces, struct reconstruct_args)
{
    int32_t c = a->cell[i];
    double n[3];
    if (a->g.s.dim == 2 ? normal_of_pieces(a, c, 2, n) : normal_of_pieces(a, c, 3, n)) set_normal(a, c, n);
}
