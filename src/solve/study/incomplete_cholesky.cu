/* Kernels of incomplete Cholesky factorisations and of the solution with them (incomplete_cholesky.h). */
#include "solve/study/incomplete_cholesky.h"

/* Loops over the groups g of warp w in a level, and over the entries of a group's triangle; k: the position of lane
 * 0. */
#define GROUPS(f, level, w, g)                                                                               \
    for (int64_t g = (f).level_group[level] + (w); g < (f).level_group[(level) + 1]; g += WARPS)
#define TRIANGLE(t, g, k) for (int64_t k = (t).start[g]; k < (t).start[(g) + 1]; k += WARP)

/* a_ij minus the sum over the columns before j that rows i and j have in common.  Entries of row i are those computed
 * so far. */
ON_DEVICE double entry(const struct ic_factor_args *a, int64_t first, int64_t k)
{
    const struct ic_triangle *l = &a->f.lower;
    int32_t j = l->column[k];
    double v = a->val[l->from[k]];
    for (int64_t m = first; m < k; m += WARP)
        for (int64_t o = l->start[j / WARP] + j % WARP; o < l->start[j / WARP + 1]; o += WARP)
            if (l->column[o] == l->column[m])
                v = fma(-l->value[m] * a->inverse_in[l->column[m]], a->value_in[o], v);
    return v;
}

SLICE_KERNEL(ic_factor, struct ic_factor_args)
{
    const struct ic_triangle *l = &a->f.lower;
    int64_t block = a->first_block + b;
    for (int32_t level = a->f.block_level[block]; level < a->f.block_level[block + 1]; level++)
        PHASE(w) GROUPS(a->f, level, w, g) LANES(t) {
            double d = a->diag[a->f.row[g * WARP + t]];
            int64_t first = l->start[g] + t;
            for (int64_t k = first; k < l->start[g + 1]; k += WARP) {
                double v = l->from[k] < 0 ? 0 : entry(a, first, k);
                l->value[k] = v;
                d = fma(-v * a->inverse_in[l->column[k]], v, d);
            }
            a->f.inverse[g * WARP + t] = 1 / d;
        }
}

INDEX_KERNEL(ic_begin, struct ic_begin_args)
{
    int64_t from = a->f.lower.from[i];
    a->f.lower.value[i] = from < 0 ? 0 : a->val[from];
}
INDEX_KERNEL(ic_begin_pivots, struct ic_begin_args) { a->f.inverse[i] = 1 / a->diag[a->f.row[i]]; }

INDEX_KERNEL(ic_mirror, struct ic_layout)
{
    int64_t from = a->upper.from[i];
    a->upper.value[i] = from < 0 ? 0 : a->lower.value[from];
}

/* A pivot below 1e-14 of the diagonal counts as zero: it is only rounding error. */
INDEX_KERNEL(ic_check, struct ic_check_args)
{
    double inverse = a->f.inverse[i];
    a->bad[i] = inverse > 0 && inverse * a->diag[a->f.row[i]] < 1e14 ? 0 : 1;
}

/* Column j of V from the top: V_ij = l_ij - sum over the rows m of the column above i of l_im V_mj / d_m. */
INDEX_KERNEL(ic_isai, struct ic_isai_args)
{
    const struct ic_triangle *l = &a->f.lower, *column = &a->upper;
    int64_t first = column->start[i / WARP] + i % WARP;
    for (int64_t k = first; k < column->start[i / WARP + 1]; k += WARP) {
        if (column->from[k] < 0) continue;
        int32_t r = column->column[k];
        double v = 0;
        for (int64_t o = l->start[r / WARP] + r % WARP; o < l->start[r / WARP + 1]; o += WARP) {
            int32_t c = l->column[o];
            if (a->f.row[c] == a->f.row[i]) v += l->value[o];
            for (int64_t m = first; m < k; m += WARP)
                if (column->column[m] == c) v = fma(-l->value[o] * a->f.inverse[c], column->value[m], v);
        }
        column->value[k] = a->lower.value[column->from[k]] = v;
    }
}

INDEX_KERNEL(ic_scale, struct ic_solve_args) { a->out[i] = a->f.inverse[i] * a->right[a->f.row[i]]; }

SLICE_KERNEL(ic_forward, struct ic_solve_args)
{
    const struct ic_triangle *l = &a->f.lower;
    int64_t block = a->first_block + b;
    for (int32_t level = a->f.block_level[block]; level < a->f.block_level[block + 1]; level++)
        PHASE(w) GROUPS(a->f, level, w, g) {
            WARP_VAR(double, s);
            LANES(t) IN_WARP(s) = a->right[a->f.row[g * WARP + t]];
            TRIANGLE(*l, g, k) LANES(t) IN_WARP(s) = fma(-l->value[k + t], a->in[l->column[k + t]], IN_WARP(s));
            LANES(t) a->out[g * WARP + t] = a->f.inverse[g * WARP + t] * IN_WARP(s);
        }
}

SLICE_KERNEL(ic_backward, struct ic_solve_args)
{
    const struct ic_triangle *u = &a->f.upper;
    int64_t block = a->first_block + b;
    for (int32_t level = a->f.block_level[block + 1] - 1; level >= a->f.block_level[block]; level--)
        PHASE(w) GROUPS(a->f, level, w, g) {
            WARP_VAR(double, s);
            LANES(t) IN_WARP(s) = 0;
            TRIANGLE(*u, g, k) LANES(t) IN_WARP(s) = fma(u->value[k + t], a->in[u->column[k + t]], IN_WARP(s));
            LANES(t) {
                int64_t p = g * WARP + t;
                a->out[p] = IN_WARP(s) = fma(-a->f.inverse[p], IN_WARP(s), a->right[p]);
            }
            if (a->z) LANES(t) a->z[a->f.row[g * WARP + t]] = IN_WARP(s);
        }
}
