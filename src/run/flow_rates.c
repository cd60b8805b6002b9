#include "run/flow_rates.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"

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
    NEW(r->flux, most);
    return watch_open(&r->watch, directory, ".", flow_is_transient(f->c), every, resume, step, e);
}

void flow_rates_read(struct flow_rates *r, const struct flow *f)
{
    double unit = flow_is_transient(f->c) ? 1 : 1 / f->c->fluid.density, *value = r->watch.value;
    int n = r->watch.n - 1;
    if (n < 0) return;
    memset(value, 0, (size_t)r->watch.n * sizeof *value);
    for (int i = 0; i < n; i++) {
        device_download(r->flux, f->flux + r->patch[i]->first, (size_t)r->patch[i]->count * sizeof *r->flux);
        for (int rank = 0; rank < ranks_count(); rank++) {      /* one after the other, which is the order of one */
            for (int32_t k = 0; rank == ranks_own() && k < r->patch[i]->count; k++) value[i] += unit * r->flux[k];
            sums_of_rank(&value[i], 1, rank);
        }
    }
    for (int i = 0; i < n; i++) value[n] += value[i];
}

void flow_rates_print(const struct flow_rates *r)
{
    const double *value = r->watch.value;
    int n = r->watch.n - 1;
    double in = 0;
    if (n < 0) return;
    for (int i = 0; i < n; i++) in += fmax(-value[i], 0);
    for (int i = 0; i < n; i++)
        log_print("  flow   %-14s  %.6g %s\n", r->patch[i]->name, fabs(value[i]), value[i] < 0 ? "in" : "out");
    log_print("  flow   %-14s  %.3g, %.2g of what flows in\n", "balance", value[n], in > 0 ? fabs(value[n]) / in : 0);
}

void flow_rates_free(struct flow_rates *r)
{
    watch_free(&r->watch);
    free(r->patch), free(r->flux);
}
