/* Inflow through outlets: the fluxes of the last samples, and their shares. */
#include "run/backflow.h"
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"

void backflow_create(struct backflow *b, const struct mesh *m)
{
    int32_t most = 0;
    for (int i = 0; i < m->n_patches; i++) if (m->patch[i].count > most) most = m->patch[i].count;
    b->looks = 0;
    NEW(b->in, BACKFLOW_LOOKS * m->n_patches), NEW(b->gross, BACKFLOW_LOOKS * m->n_patches);
    NEW(b->flux, most);
}

void backflow_free(struct backflow *b)
{
    free(b->in), free(b->gross);
    free(b->flux);
}

void backflow_passing(const struct flow *f, const struct patch *p, double *flux, double sum[2])
{
    sum[0] = sum[1] = 0;
    device_download(flux, f->flux + p->first, (size_t)p->count * sizeof *flux);
    for (int rank = 0; rank < ranks_count(); rank++) {          /* rank by rank, the summation order of one rank */
        for (int32_t k = 0; rank == ranks_own() && k < p->count; k++)
            sum[0] += flux[k], sum[1] += fmax(-flux[k], 0);
        sums_of_rank(sum, 2, rank);
    }
}

void backflow_look(struct backflow *b, const struct flow *f, const struct mesh *m, int64_t step)
{
    if (step > 10 && step % 10) return;
    int64_t row = b->looks++ % BACKFLOW_LOOKS * m->n_patches;
    for (int i = 0; i < m->n_patches; i++) {
        double sum[2];
        if (!place_is_outlet(f->c, &m->patch[i])) continue;
        backflow_passing(f, &m->patch[i], b->flux, sum);
        b->in[row + i] = sum[1], b->gross[row + i] = sum[0] + 2 * sum[1];
    }
}

/* The share of one patch: the second largest ratio of inflow to inflow plus outflow over the samples, since the largest
 * may already show the growth of the velocity.  0 where there is no inflow, or almost only inflow, as through an outlet
 * that drives the flow. */
static double share_of(const struct backflow *b, int n, int patch)
{
    double least = INFINITY, most = 0, second = 0;
    for (int k = patch; k < BACKFLOW_LOOKS * n; k += n) if (b->gross[k] > 0) least = fmin(least, b->gross[k]);
    for (int k = patch; k < BACKFLOW_LOOKS * n; k += n)
        if (b->gross[k] > 0 && b->gross[k] <= 4 * least) {
            double share = b->in[k] / b->gross[k];
            second = fmax(second, fmin(share, most));
            most = fmax(most, share);
        }
    return most < 0.95 ? second : 0;
}

struct inflow backflow_find(const struct backflow *b, const struct place *p)
{
    struct inflow found = {0};
    for (int i = 0; i < p->m->n_patches; i++) {
        const struct patch *patch = &p->m->patch[i];
        double its = share_of(b, p->m->n_patches, i);
        bool nearer = found.through && found.through == p->outlet;
        if (its > 0 && !nearer && (its > found.share || patch == p->outlet)) found = (struct inflow){patch, its};
    }
    return found;
}
