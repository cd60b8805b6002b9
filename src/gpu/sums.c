#include "gpu/sums.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums_kernels.h"

/* The partial sums of some numbers as they travel: [ranks][numbers][most], so that all ranks send as much. */
struct sums_ranks {
    int n, own;
    int32_t most;               /* slices of the rank that has most */
    int32_t *first;             /* [n + 1] slices before a rank's, on the machine */
    double *buffer;             /* [n numbers most] likewise */
};

struct sums sums_create_own(int numbers, int32_t n_slices, const char *what)
{
    size_t partial = (size_t)numbers * (size_t)n_slices;
    double *both = device_alloc((partial + (size_t)numbers) * sizeof *both, what);
    return (struct sums){.partial = both, .total = both + partial, .n_slices = n_slices};
}

struct sums sums_create(int numbers, int32_t n_slices, const char *what)
{
    if (ranks_count() == 1) return sums_create_own(numbers, n_slices, what);
    struct sums_ranks *r;
    int64_t *first = ranks_first(n_slices);
    int32_t *cut;
    NEW(r, 1), NEW(cut, ranks_count() + 1);
    r->n = ranks_count(), r->own = ranks_own();
    for (int i = 0; i <= r->n; i++) {
        cut[i] = (int32_t)first[i];
        if (i && cut[i] - cut[i - 1] > r->most) r->most = cut[i] - cut[i - 1];
    }
    r->first = device_copy_of(cut, (size_t)(r->n + 1) * sizeof *cut, what);
    r->buffer = device_alloc((size_t)r->n * (size_t)numbers * (size_t)r->most * sizeof *r->buffer, what);
    struct sums s = sums_create_own(numbers, cut[r->n], what);
    s.first = cut[r->own], s.ranks = r;
    free(first), free(cut);
    return s;
}

void sums_free(struct sums *s)
{
    if (s->ranks) device_free(s->ranks->first), device_free(s->ranks->buffer);
    free((void *)s->ranks);
    device_free(s->partial);
    *s = (struct sums){0};
}

bool sums_fold(const struct sums *s)
{
    return device_kind() == DEVICE_CUDA && !s->ranks && s->n_slices <= FOLDED_SLICES;
}

/* Numbers first .. first + count - 1, from the partial ones of one rank or of all, put side by side. */
static void finish(const struct sums *s, int first, int count, bool largest)
{
    const struct sums_ranks *r = s->ranks;
    struct sums from = *s;
    from.partial += (int64_t)first * s->n_slices, from.total += first;
    if (!r) {
        (largest ? sums_compare : sums_add)(&from, count);
        return;
    }
    struct sums_ranks_args args = {from, r->buffer, r->first, r->own, count, r->most};
    sums_pack(&args, (int64_t)count * r->most);
    ranks_gather_there(r->buffer, (size_t)count * (size_t)r->most * sizeof *r->buffer);
    (largest ? sums_compare_ranks : sums_add_ranks)(&args, count);
}

void sums_finish(const struct sums *s, int first, int count) { finish(s, first, count, false); }
void sums_finish_largest(const struct sums *s, int first, int count) { finish(s, first, count, true); }

void sums_download(const struct sums *s, int first, int count, double *to)
{
    device_download(to, s->total + first, (size_t)count * sizeof *to);
}

void sums_finish_groups(const struct sums_group_args *g, int32_t n_groups)
{
    if (g->partial != g->total) sums_add_groups(g, n_groups);
}

/* The n numbers of every rank, [ranks n], the caller's to free; NULL: there is one rank. */
static double *of_ranks(const double *own, int n)
{
    double *all;
    if (ranks_count() == 1) return NULL;
    NEW(all, (int64_t)ranks_count() * n);
    memcpy(all + (int64_t)ranks_own() * n, own, (size_t)n * sizeof *own);
    ranks_gather(all, (size_t)n * sizeof *all);
    return all;
}

void sums_over_ranks(double *number, int n)
{
    double *all = of_ranks(number, n);
    if (!all) return;
    for (int k = 0; k < n; k++) {
        number[k] = 0;
        for (int r = 0; r < ranks_count(); r++) number[k] += all[r * n + k];
    }
    free(all);
}

void largest_over_ranks(double *number, int n)
{
    double *all = of_ranks(number, n);
    if (!all) return;
    for (int i = 0; i < ranks_count() * n; i++)
        if (all[i] > number[i % n]) number[i % n] = all[i];
    free(all);
}

void sums_of_rank(double *number, int n, int rank)
{
    double *all = of_ranks(number, n);
    if (all) memcpy(number, all + (int64_t)rank * n, (size_t)n * sizeof *number);
    free(all);
}

int64_t count_over_ranks(int64_t n)
{
    int64_t *first, all = n;
    if (ranks_count() == 1) return n;
    first = ranks_first(n);
    all = first[ranks_count()];
    free(first);
    return all;
}

static double reduce_by(struct sums sums, enum reduction how, const double *x, const double *y, int64_t n)
{
    struct reduce_args first = {x, y, sums, how};
    double result;
    reduce_slices(&first, n / SLICE);
    (how == REDUCE_ABS_MAX ? sums_finish_largest : sums_finish)(&first.sums, 0, 1);
    sums_download(&first.sums, 0, 1, &result);
    sums_free(&first.sums);
    return result;
}

double reduce(enum reduction how, const double *x, const double *y, int64_t n)
{
    return reduce_by(sums_create(1, (int32_t)(n / SLICE), "reduction"), how, x, y, n);
}

double reduce_own(enum reduction how, const double *x, const double *y, int64_t n)
{
    return reduce_by(sums_create_own(1, (int32_t)(n / SLICE), "reduction"), how, x, y, n);
}
