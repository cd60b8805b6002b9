/* Deflation by constants on subdomains: coarse matrix and projections (deflation.h). */
#include "solve/deflation.h"
#include <stdio.h>
#include <string.h>
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "solve/deflation_parts.h"

/* ---------------------------------------------------------------- new values */
/* w = Z^T v. */
static void restrict_to_domains(const struct deflation *d, const struct deflation_args *a)
{
    struct sums_group_args domains = {a->piece_sum, a->w, a->domain_piece, a->done};
    if (d->rows_of_others) halo_bring(d->rows_of_others, a->v, a->other);
    deflation_piece_sums(a, d->n_own_pieces);
    if (a->gathered) {
        ranks_gather_there(a->own_sum, a->gathered, (size_t)d->most * sizeof *a->gathered);
        deflation_sort_pieces(a, d->n_pieces);
    }
    sums_finish_groups(&domains, a->n_domains);
}

/* Assembles E = Z^T A Z.  A diagonal entry is the sum of its row, which is computed separately, minus the other
 * entries. */
static void assemble(struct deflation *d)
{
    struct deflation_args a = d->args;
    a.v = a.az.sum;
    halo_update_whole(a.a.p.halo, a.domain);
    deflation_values(&a, a.a.p.n);
    deflation_any_sum(&a, a.a.p.n_padded / WARP);
    halo_update(d->entries_of_others, a.az.val, 1);
    deflation_pairs(&a, d->n_pairs);
    restrict_to_domains(d, &a);
    device_download(d->pair, a.pair, (size_t)d->n_pairs * sizeof *d->pair);
    sums_over_ranks(d->pair, (int)d->n_pairs);          /* each belongs to one rank: the others add 0 */
    device_download(d->e.diag, a.w, (size_t)a.n_domains * sizeof *d->e.diag);
    memset(d->e.lower, 0, (size_t)d->e.start[d->e.n] * sizeof *d->e.lower);
    for (int64_t k = 0; k < d->n_pairs; k++) {
        int32_t i = d->pair_row[k], j = d->pair_column[k];
        *envelope_at(&d->e, i, j) = d->pair[k];
        d->e.diag[i] -= d->pair[k];
        d->e.diag[j] -= d->pair[k];
    }
}

/* Stores the factor in `dense`: L below, L^T above, D on the diagonal. */
static void spread_factor(struct deflation *d)
{
    const struct envelope *e = &d->e;
    for (int32_t i = 0; i < d->args.n_solved; i++) {
        d->dense[i * d->args.ld + i] = e->diag[i];
        for (int32_t j = e->first[i]; j < i; j++)
            d->dense[i * d->args.ld + j] = d->dense[j * d->args.ld + i] = *envelope_at(e, i, j);
    }
}

const char *deflation_refresh(struct deflation *d, const struct matrix *matrix)
{
    struct deflation_args *a = &d->args;
    a->a = *matrix;
    assemble(d);
    int32_t bad = envelope_factor(&d->e, a->n_solved);
    if (bad >= 0) {
        snprintf(d->why, sizeof d->why, "deflation: pivot %d of %d of the subdomains' matrix, %.3g, is not positive; "
                 "the matrix is not positive definite", bad, a->n_solved, d->e.diag[bad]);
        return d->why;
    }
    if (d->inverse) envelope_inverse(&d->e, a->n_solved, d->dense, a->ld);
    else spread_factor(d);
    device_upload((void *)a->dense, d->dense, (size_t)(a->ld * a->n_domains) * sizeof *d->dense);
    return NULL;
}

/* ---------------------------------------------------------------- launches */
/* y = E^-1 Z^T v. */
static void solve(const struct deflation *d, const struct deflation_args *a)
{
    restrict_to_domains(d, a);
    if (d->inverse) deflation_inverse(a, a->n_domains);
    else deflation_triangles(a, 1);
}

void deflation_project(struct deflation *d, double *v, const double *p, const struct sums *pv, const int32_t *done)
{
    struct deflation_args a = d->args;
    a.v = v, a.p = p, a.sums = *pv, a.done = done;
    solve(d, &a);
    deflation_subtract(&a, a.a.p.n_slices);
}

void deflation_correct(struct deflation *d, double *x, const double *b, double *q, double *r,
                       const struct sums *scratch, double *before)
{
    struct deflation_args a = d->args;
    matrix_product(&a.a, x, q);
    a.b = b, a.p = q, a.v = r, a.x = x, a.sums = *scratch, a.sums.total = before;
    deflation_residual(&a, a.a.p.n_slices);
    sums_finish(&a.sums, 0, 1);
    solve(d, &a);
    deflation_add(&a, a.a.p.n);
}

int32_t deflation_vectors(const struct deflation *d) { return d->args.n_solved; }
