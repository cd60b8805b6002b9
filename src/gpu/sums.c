#include "gpu/sums.h"
#include <string.h>
#include "gpu/device.h"
#include "gpu/sums_kernels.h"

struct sums sums_create(int numbers, int32_t n_slices, const char *what)
{
    int32_t all = (int32_t)count_over_ranks(n_slices);
    size_t partial = (size_t)numbers * (size_t)all;
    double *both = device_alloc((partial + (size_t)numbers) * sizeof *both, what);
    return (struct sums){both, both + partial, all};
}

void sums_free(struct sums *s)
{
    device_free(s->partial);
    *s = (struct sums){0};
}

static struct sums from(const struct sums *s, int first)
{
    return (struct sums){s->partial + (int64_t)first * s->n_slices, s->total + first, s->n_slices};
}

void sums_finish(const struct sums *s, int first, int count)
{
    struct sums args = from(s, first);
    sums_add(&args, count);
}

void sums_finish_largest(const struct sums *s, int first, int count)
{
    struct sums args = from(s, first);
    sums_compare(&args, count);
}

void sums_download(const struct sums *s, int first, int count, double *to)
{
    device_download(to, s->total + first, (size_t)count * sizeof *to);
}

void sums_finish_groups(const struct sums_group_args *g, int32_t n_groups)
{
    if (g->partial != g->total) sums_add_groups(g, n_groups);
}

void sums_over_ranks(double *number, int n) { (void)number, (void)n; }
void largest_over_ranks(double *number, int n) { (void)number, (void)n; }
int64_t count_over_ranks(int64_t n) { return n; }

double reduce(enum reduction how, const double *x, const double *y, int64_t n)
{
    struct reduce_args first = {x, y, sums_create(1, (int32_t)(n / SLICE), "reduction"), how};
    double result;
    reduce_slices(&first, first.sums.n_slices);
    (how == REDUCE_ABS_MAX ? sums_finish_largest : sums_finish)(&first.sums, 0, 1);
    sums_download(&first.sums, 0, 1, &result);
    sums_free(&first.sums);
    return result;
}
