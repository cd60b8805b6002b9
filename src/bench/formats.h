/* formats.h: formats of sparse matrices for comparison with mod.SELL, used only by `poise bench formats`.  The diagonal
 * is stored like other entries; columns are plain int32.
 *
 *   sliced ELL   slices of 32 rows, each as wide as its widest row, entry k of all its rows contiguous (Monakov et
 *                al. 2010; the name is cuSPARSE's): one lane per row
 *   CSR          row by row, offsets in int32: also one lane per row, which reads memory almost contiguously if rows
 *                are short
 *   HEC          the first `width` entries of every row in one ELL part, entry k of all rows contiguous; the others
 *                in CSR (Yang 2015, section 4.1; Liu et al. 2012).  Both parts in one kernel.
 *
 * Every format sums a row in the order of its entries in CSR, by fma() from zero on, so that all give bitwise the same
 * y; so does mod.SELL when the diagonal comes first. */
#ifndef POISE_FORMATS_H
#define POISE_FORMATS_H
#include "bench/peers/peers.h"
#include "solve/pattern.h"

enum format { FORMAT_SLICED_ELL, FORMAT_CSR, FORMAT_HEC, N_FORMATS };

/* Pointers to device memory. */
struct format_matrix {
    struct pattern p;           /* of the ELL part: plain col, padded with the row itself; warp_start: sliced ELL
                                   only */
    int32_t width;              /* HEC: width of the ELL part */
    double *ell_value;          /* [p.n_stored] */
    int64_t n_csr;              /* entries stored in the CSR part */
    int32_t *row_start;         /* CSR, HEC: [n_padded + 1] */
    int32_t *csr_column;
    double *csr_value;
};

/* At most 2^31 - 1 entries. */
void format_create(struct format_matrix *f, enum format format, const struct peers_matrix *a);
void format_free(struct format_matrix *f);
/* Bytes of the stored matrix; one product moves these and 16 n bytes for x and y. */
int64_t format_bytes(const struct format_matrix *f);
/* Width w of the ELL part: the one with minimal n w + 20 (entries beyond w), which weights an entry in CSR like 20 in
 * ELL, as Liu et al. do; Yang does not specify it. */
int32_t hec_width(const struct peers_matrix *a);

struct format_args { struct format_matrix f; const double *x; double *y; };
KERNEL(sliced_ell_spmv, struct format_args)             /* over n_slices */
KERNEL(csr_spmv, struct format_args)                    /* over n */
KERNEL(hec_spmv, struct format_args)                    /* over n_slices */
void format_product(const struct format_args *args, enum format format);
#endif
