/* multicolour_body.h: kernels of multicolour.cu in one precision (gpu/both_precisions.h). */

REAL_KERNEL(OF(multicolour_sweep), struct colour_args, 3)
{
    const real *val = (const real *)a->val, *inverse = (const real *)a->inverse;
    real *x = (real *)a->x, own = (real)a->own, right = (real)a->right, product = (real)a->product;
    double norm = a->norm2 && *a->norm2 > 0 ? sqrt(*a->norm2) : 1.0;
    int64_t slice = a->first + b;
    PHASE(w) {
        int64_t warp = slice * WARPS + w, begin = a->lower ? a->p.warp_start[warp] : a->p.middle[warp];
        int64_t end = a->upper ? a->p.warp_start[warp + 1] : a->p.middle[warp];
        WARP_VAR(real, v);
        LANES(t) IN_WARP(v) = 0;
        for (int64_t k = begin; k < end; k += WARP)
            LANES(t) IN_WARP(v) = FMA(val[k + t], x[a->p.col[k + t]], IN_WARP(v));
        LANES(t) IN_WARP(v) = -product * inverse[ROW(slice, w, t)] * IN_WARP(v);
        if (own != 0) LANES(t) IN_WARP(v) = FMA(own, x[ROW(slice, w, t)], IN_WARP(v));
        if (right != 0)
            LANES(t) {
                int64_t i = ROW(slice, w, t);
                int32_t row = a->p.row[i];
                IN_WARP(v) = FMA(right * inverse[i], (real)(a->r[row < 0 ? 0 : row] / norm), IN_WARP(v));
            }
        LANES(t) x[ROW(slice, w, t)] = IN_WARP(v);
        if (a->z)
            LANES(t) {
                int32_t row = a->p.row[ROW(slice, w, t)];
                if (row >= 0) a->z[row] = norm * (double)IN_WARP(v);
            }
    }
}

/* Padding: inverse 0, so x stays 0 there. */
REAL_KERNEL(OF(multicolour_values), struct colour_values_args, 2)
{
    real *val = (real *)a->val, *inverse = (real *)a->inverse;
    PHASE(w) {
        ENTRIES(a->p, b, w, k)
            LANES(t) {
                int32_t row = a->p.row[ROW(b, w, t)], slot = a->p.slot[k + t];
                bool there = slot != NO_SLOT;
                int64_t from = there ? a->a.p.warp_start[row / WARP] + slot * WARP + row % WARP : 0;
                val[k + t] = there ? (real)a->a.val[from] : (real)0;
            }
        LANES(t) {
            int32_t row = a->p.row[ROW(b, w, t)];
            inverse[ROW(b, w, t)] = row < 0 ? (real)0 : (real)(1 / a->a.diag[row < 0 ? 0 : row]);
        }
    }
}
