/* Kernels of the matrix-vector product in CSR, sliced ELL and HEC (formats.h). */
#include "bench/formats.h"
#include "bench/bench.h"

INDEX_KERNEL(bench_copy, struct bench_copy_args) { a->y[i] = a->x[i]; }

/* s plus the sum over the row's entries in the CSR part. */
ON_DEVICE double csr_row(const struct format_matrix *f, int64_t r, const double *x, double s)
{
    for (int32_t k = f->row_start[r]; k < f->row_start[r + 1]; k++) s = fma(f->csr_value[k], x[f->csr_column[k]], s);
    return s;
}

INDEX_KERNEL(csr_spmv, struct format_args) { a->y[i] = csr_row(&a->f, i, a->x, 0); }

SLICE_KERNEL(sliced_ell_spmv, struct format_args)
{
    PHASE(w) {
        const int64_t *start = a->f.p.warp_start + b * WARPS + w;
        WARP_VAR(double, s);
        LANES(t) IN_WARP(s) = 0;
        for (int64_t k = start[0]; k < start[1]; k += WARP)
            LANES(t) IN_WARP(s) = fma(a->f.ell_value[k + t], a->x[a->f.p.col[k + t]], IN_WARP(s));
        LANES(t) a->y[ROW(b, w, t)] = IN_WARP(s);
    }
}

SLICE_KERNEL(hec_spmv, struct format_args)
{
    PHASE(w) {
        int64_t first = ROW(b, w, 0);
        WARP_VAR(double, s);
        LANES(t) IN_WARP(s) = 0;
        for (int64_t k = first; k < a->f.p.n_stored; k += a->f.p.n_padded)
            LANES(t) IN_WARP(s) = fma(a->f.ell_value[k + t], a->x[a->f.p.col[k + t]], IN_WARP(s));
        if (a->f.row_start[first] < a->f.row_start[first + WARP])               /* some row of the warp has a CSR
                                                                                   part */
            LANES(t) IN_WARP(s) = csr_row(&a->f, first + t, a->x, IN_WARP(s));
        LANES(t) a->y[first + t] = IN_WARP(s);
    }
}
