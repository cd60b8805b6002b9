/* Kernels that find closed interfaces and correct their curvature (zero_sum.h). */
#include "interface/zero_sum.h"

INDEX_KERNEL(part_start, struct zero_sum_args) { a->z.root[i] = a->band_mark[i] ? (int32_t)i : -1; }

/* The root of cell c, with path halving: cells on the way are linked to the parent of their parent.  If another thread
 * has linked a cell to a lower one meanwhile, that link is kept. */
ON_DEVICE int32_t find_root(int32_t *root, int32_t c)
{
    int32_t next = SEEN(root + c);
    while (next != c) {
        int32_t after = SEEN(root + next);
        if (after == next) return next;
        SWAP_IF(root + c, next, after);
        c = after, next = SEEN(root + c);
    }
    return c;
}

HEAVY_INDEX_KERNEL(part_join, struct zero_sum_args)
{
    const struct stencil *s = &a->f.p.g.s;
    int32_t c = a->f.band[i], *root = a->z.root;
    for (int l = 0; l < a->f.p.g.most_faces; l++) {
        int32_t code = CELL_VALUE(*s, a->f.p.g.cell_face, l, c);
        if (code <= 0 || FACE_OF(code) >= s->n_internal) continue;     /* done by the neighbour; or a boundary face */
        int32_t other = s->neighbour[FACE_OF(code)];
        if (other >= s->n_cells || !a->band_mark[other]) continue;
        int32_t high = find_root(root, c), low = find_root(root, other);
        while (high != low) {
            if (high < low) { int32_t keep = high; high = low, low = keep; }
            int32_t was = SWAP_IF(root + high, high, low);
            if (was == high) break;
            high = find_root(root, was), low = find_root(root, low);
        }
    }
}

HEAVY_INDEX_KERNEL(part_finish, struct zero_sum_args)
{
    const struct stencil *s = &a->f.p.g.s;
    int32_t c = a->f.band[i], root = find_root(a->z.root, c);
    if (root == c)
        for (int k = 0; k < ZERO_SUMS(s->dim); k++) CELL_VALUE(*s, a->z.sum, k, c) = 0;
    else a->z.root[c] = root;
}

/* Does the interface meet a boundary in cell c?  In a cut cell at the boundary, or between a full and an empty boundary
 * cell. */
ON_DEVICE int meets_boundary(const struct zero_sum_args *a, int32_t c)
{
    const struct stencil *s = &a->f.p.g.s;
    if (a->boundary_row[c] < 0) return 0;
    if (a->f.mark[c]) return 1;
    for (int l = 0; l < a->f.p.g.most_faces; l++) {
        int32_t code = CELL_VALUE(*s, a->f.p.g.cell_face, l, c), f = FACE_OF(code);
        if (code == 0 || f >= s->n_internal) continue;
        int32_t other = code > 0 ? s->neighbour[f] : s->owner[f];
        if (a->boundary_row[other] >= 0 && fabs(a->f.p.fraction[other] - a->f.p.fraction[c]) > 0.5) return 1;
    }
    return 0;
}

ON_DEVICE int64_t whole_number(double v) { return (int64_t)(v < 0 ? v - 0.5 : v + 0.5); }

/* Adds the shares of the faces that cell c owns. */
ON_DEVICE void add_cell(const struct zero_sum_args *a, int32_t c, int64_t *sum, const int dim)
{
    const struct stencil *s = &a->f.p.g.s;
    for (int l = 0; l < a->f.p.g.most_faces; l++) {
        int32_t code = CELL_VALUE(*s, a->f.p.g.cell_face, l, c), f = FACE_OF(code);
        if (code <= 0 || f >= s->n_internal) continue;
        double difference = a->f.p.fraction[s->neighbour[f]] - a->f.p.fraction[c], n[3];
        if (difference == 0) continue;
        difference *= face_tension(&a->f.tension, s, f) / a->f.tension.value;
        double curvature = face_curvature(&a->f, f, n);
        for (int k = 0; k < dim; k++) {
            double area = difference * FACE_VECTOR(*s, area, k, f);
            sum[k] += whole_number(curvature * area * a->per_force);
            for (int j = 0; j < dim; j++) sum[dim + k * dim + j] += whole_number(area * n[j] * a->per_area);
        }
    }
    for (int k = 0; k < dim && a->f.pull; k++)
        sum[k] += whole_number(CELL_VALUE(*s, a->f.pull, k, c) / a->f.tension.value * a->per_force);
    sum[dim + dim * dim] += meets_boundary(a, c);
}

HEAVY_INDEX_KERNEL(part_sums, struct zero_sum_args)
{
    const struct stencil *s = &a->f.p.g.s;
    const int n = ZERO_SUMS(s->dim);
    int64_t sum[ZERO_SUMS_MOST] = {0}, last = (i + 1) * PART_RUN < a->n_band ? (i + 1) * PART_RUN : a->n_band;
    for (int64_t at = i * PART_RUN; at < last; at++) {
        int32_t c = a->f.band[at], root = a->z.root[c];
        if (s->dim == 2) add_cell(a, c, sum, 2);
        else add_cell(a, c, sum, 3);
        if (at + 1 < last && a->z.root[a->f.band[at + 1]] == root) continue;
        for (int k = 0; k < n; k++) {
            if (sum[k] != 0) ADD_WHOLE(&CELL_VALUE(*s, a->z.sum, k, root), sum[k]);
            sum[k] = 0;
        }
    }
}

/* Solves N x = F, dim equations, by elimination with the largest diagonal element as pivot.  If a pivot is less than a
 * thousandth of the first one, the interface has no normals in that direction (a layer between periodic boundaries): x
 * is 0 there. */
ON_DEVICE void solve_small(double N[3][3], double F[3], double x[3], const int dim)
{
    int order[3], used[3] = {0, 0, 0}, n = 0;
    double first = 0;
    for (; n < dim; n++) {
        int p = -1;
        for (int k = 0; k < dim; k++) if (!used[k] && (p < 0 || fabs(N[k][k]) > fabs(N[p][p]))) p = k;
        if (n == 0) first = fabs(N[p][p]);
        if (!(fabs(N[p][p]) > 1e-3 * first)) break;
        order[n] = p, used[p] = 1;
        for (int k = 0; k < dim; k++) {
            if (used[k]) continue;
            double e = N[k][p] / N[p][p];
            for (int j = 0; j < dim; j++) N[k][j] = fma(-e, N[p][j], N[k][j]);
            F[k] = fma(-e, F[p], F[k]);
        }
    }
    for (int k = 0; k < 3; k++) x[k] = 0;
    while (n-- > 0) {
        int p = order[n];
        double rest = F[p];
        for (int k = 0; k < dim; k++) if (k != p) rest = fma(-N[p][k], x[k], rest);
        x[p] = rest / N[p][p];
    }
}

HEAVY_INDEX_KERNEL(part_tilt, struct zero_sum_args)
{
    const struct stencil *s = &a->f.p.g.s;
    const int dim = s->dim;
    int32_t c = a->f.band[i], root = a->z.root[c];
    double F[3] = {0, 0, 0}, N[3][3] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}, x[3] = {0, 0, 0};
    for (int k = 0; k < dim; k++) {
        F[k] = -(double)CELL_VALUE(*s, a->z.sum, k, root) / a->per_force;
        for (int j = 0; j < dim; j++) N[k][j] = (double)CELL_VALUE(*s, a->z.sum, dim + k * dim + j, root) / a->per_area;
    }
    if (CELL_VALUE(*s, a->z.sum, dim + dim * dim, root) == 0) solve_small(N, F, x, dim);
    for (int k = 0; k < dim; k++) CELL_VALUE(*s, a->z.tilt, k, c) = x[k];
}

INDEX_KERNEL(part_number, struct zero_sum_args)
{
    a->z.number[i] = a->z.root[i] < 0 ? -1 : a->z.root[i] + a->first;
}

INDEX_KERNEL(part_pairs, struct zero_sum_args)
{
    int32_t own = a->z.number[a->cross[2 * i]], other = a->z.number[a->cross[2 * i + 1]];
    a->pair[2 * i] = other < 0 ? -1 : own;
    a->pair[2 * i + 1] = other;
}

INDEX_KERNEL(part_pack, struct zero_sum_args)
{
    int64_t k = i / a->n_packed, at = i % a->n_packed;
    a->packed[i] = CELL_VALUE(a->f.p.g.s, a->z.sum, k, a->cell[at]);
}

INDEX_KERNEL(part_unpack, struct zero_sum_args)
{
    int64_t k = i / a->n_packed, at = i % a->n_packed;
    CELL_VALUE(a->f.p.g.s, a->z.sum, k, a->cell[at]) = a->packed[i];
}
