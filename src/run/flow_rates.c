#include "run/flow_rates.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"

/* Parts of what passes an outlet, of what comes back in there: below the first it is not told, from the second on a
 * steady run warns of it. */
static const double seen = 1e-6, much = 0.02;

/* The name as one that a column of a CSV file can have. */
static void add_column(struct watch *w, const char *name)
{
    watch_add(w, "%s", name);
    for (char *c = w->column[w->n - 1]; (c = strpbrk(c, ",\""));) *c = '_';
}

bool flow_rates_create(struct flow_rates *r, const struct flow *f, const struct mesh *m, const char *directory,
                       int every, bool resume, int64_t step, struct error *e)
{
    int32_t most = 0;
    r->m = m;
    r->steady = !flow_is_transient(f->c);
    r->watch.name = "flows";
    NEW(r->patch, m->n_patches);
    for (int i = 0; i < m->n_patches; i++) {
        const struct boundary_setting *set = boundary_setting_find(&f->c->boundary, m->patch[i].name);
        if (!set || !boundary_passes_flux(set->type)) continue;
        r->patch[r->watch.n] = &m->patch[i];
        add_column(&r->watch, m->patch[i].name);
        if (m->patch[i].count > most) most = m->patch[i].count;
    }
    if (!r->watch.n) return true;
    watch_add(&r->watch, "balance");
    NEW(r->flux, most), NEW(r->in, m->n_patches);
    return watch_open(&r->watch, directory, ".", flow_is_transient(f->c), every, resume, step, e);
}

void flow_rates_read(struct flow_rates *r, const struct flow *f)
{
    double unit = flow_is_transient(f->c) ? 1 : 1 / f->c->fluid.density, *value = r->watch.value;
    int n = r->watch.n - 1;
    if (n < 0) return;
    memset(value, 0, (size_t)r->watch.n * sizeof *value);
    for (int i = 0; i < n; i++) {
        const struct patch *p = r->patch[i];
        const bool outlet = boundary_gives_pressure(boundary_setting_find(&f->c->boundary, p->name)->type);
        double sum[2] = {0};                                    /* what passes; what comes in */
        device_download(r->flux, f->flux + p->first, (size_t)p->count * sizeof *r->flux);
        for (int rank = 0; rank < ranks_count(); rank++) {      /* one after the other, which is the order of one */
            for (int32_t k = 0; rank == ranks_own() && k < p->count; k++)
                sum[0] += unit * r->flux[k], sum[1] += outlet ? unit * fmax(-r->flux[k], 0) : 0;
            sums_of_rank(sum, 2, rank);
        }
        value[i] = sum[0], r->in[i] = sum[1];
    }
    for (int i = 0; i < n; i++) value[n] += value[i];
}

/* The part of what passes boundary i that flows against the rest of it; 0 where next to nothing does. */
static double backflow_of(const struct flow_rates *r, int i)
{
    double in = r->in[i], out = r->watch.value[i] + in, less = fmin(in, out);
    return r->in[i] > 0 && less > seen * (in + out) ? less / (in + out) : 0;
}

void flow_rates_print(const struct flow_rates *r)
{
    const double *value = r->watch.value;
    int n = r->watch.n - 1;
    double in = 0;
    if (n < 0) return;
    for (int i = 0; i < n; i++) in += fmax(-value[i], 0);
    for (int i = 0; i < n; i++) {
        log_print("  flow   %-14s  %.6g %s", r->patch[i]->name, fabs(value[i]), value[i] < 0 ? "in" : "out");
        if (backflow_of(r, i) > 0) log_print(": %.6g out, %.6g in", value[i] + r->in[i], r->in[i]);
        log_print("\n");
    }
    log_print("  flow   %-14s  %.3g, %.2g of what flows in\n", "balance", value[n], in > 0 ? fabs(value[n]) / in : 0);
    for (int i = 0; i < n; i++)
        if (r->steady && backflow_of(r, i) > much)
            log_print("warning    %.2g %% of what passes outlet \"%s\" flows the other way: the solution depends on "
                      "where it is; move it in the mesh to where all flows one way\n", 100 * backflow_of(r, i),
                      r->patch[i]->name);
}

void flow_rates_free(struct flow_rates *r)
{
    watch_free(&r->watch);
    free(r->patch), free(r->flux), free(r->in);
}
