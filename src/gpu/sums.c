/* Sums over all rows and all ranks: the host's side (sums.h). */
#include "gpu/sums.h"
#include <stdlib.h>
#include <string.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"

struct sums_ranks {
    int32_t n_slices;           /* of all ranks, */
    int32_t own, first;         /* of this rank, and of the ranks before it */
    struct sums_place *place;   /* [n_slices], on the device */
    double *all;                /* [ranks][numbers][n_slices of the largest rank] on the device, as received; or
                                   [numbers][n_slices] */
};

struct sums sums_create_own(int numbers, int32_t n_slices, const char *what)
{
    size_t partial = (size_t)numbers * (size_t)n_slices;
    double *both = device_alloc((partial + (size_t)numbers) * sizeof *both, what);
    return (struct sums){.partial = both, .total = both + partial, .n_slices = n_slices};
}

/* Finds the slices of all ranks; those of rank r are first[r] .. first[r + 1] - 1. */
static struct sums_place *places(const int64_t *first, const char *what)
{
    struct sums_place *place, *there;
    NEW(place, first[ranks_count()]);
    for (int r = 0; r < ranks_count(); r++)
        for (int64_t i = first[r]; i < first[r + 1]; i++) place[i] = (struct sums_place){r, (int32_t)(i - first[r])};
    there = device_copy_of(place, (size_t)first[ranks_count()] * sizeof *place, what);
    free(place);
    return there;
}

struct sums sums_create(int numbers, int32_t n_slices, const char *what)
{
    const int n = ranks_count();
    if (n == 1) return sums_create_own(numbers, n_slices, what);
    struct sums_ranks *r;
    int64_t *first = ranks_first(n_slices), most = 0;
    for (int i = 0; i < n; i++) most = first[i + 1] - first[i] > most ? first[i + 1] - first[i] : most;
    struct sums s = sums_create_own(numbers, (int32_t)most, what);
    NEW(r, 1);
    r->n_slices = (int32_t)first[n], r->own = n_slices, r->first = (int32_t)first[ranks_own()];
    r->place = places(first, what);
    r->all = device_alloc((size_t)n * (size_t)numbers * (size_t)most * sizeof *r->all, what);
    s.ranks = r;
    free(first);
    return s;
}

void sums_free(struct sums *s)
{
    if (s->ranks) device_free(s->ranks->place), device_free(s->ranks->all);
    free((void *)s->ranks);
    device_free(s->partial);
    *s = (struct sums){0};
}

bool sums_fold(const struct sums *s)
{
    return device_kind() == DEVICE_CUDA && !s->ranks && s->n_slices <= FOLDED_SLICES;
}

/* Numbers first .. first + count - 1, from the partial sums of one rank or of all. */
static void finish(const struct sums *s, int first, int count, bool largest)
{
    const double *partial = s->partial + (int64_t)first * s->n_slices;
    const struct sums_ranks *r = s->ranks;
    struct sums_args args = {partial, s->total + first, NULL, s->n_slices, s->n_slices, count};
    if (r) {
        args.partial = r->all, args.n_slices = r->n_slices;
        if (ranks_gather_runs_there(&(struct ranks_runs){partial, r->all, count, r->own, s->n_slices, r->first,
                                                         r->n_slices}))
            args.pitch = r->n_slices;
        else {
            ranks_gather_there(partial, r->all, (size_t)count * (size_t)s->n_slices * sizeof *partial);
            args.place = r->place;
        }
    }
    (largest ? sums_compare : sums_add)(&args, count);
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

/* Gathers n numbers of every rank: [ranks n], freed by the caller; NULL: there is only one rank. */
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
