/* The heat through every boundary, from sources and into storage, their balance, and Nusselt numbers: heat.csv and the
 * closing lines of the log. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "flow/heat.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "run/monitor_kind.h"

/* Columns: the boundaries, sources and storage if there can be any, balance; Nusselt numbers of heated walls. */
struct heat_rates {
    const struct mesh *m;
    const struct patch **patch; /* [n] boundaries through which heat can pass */
    double *area;               /* [n] */
    int n, n_closed;            /* n_closed: of them, without flow: they come first */
    bool sources, stores;
    double *heat;               /* [n_boundary] work array */
    double net_heat;            /* what counting the carried heat from the other temperature, 0 or the reference, adds
                                   to the balance */
    double volume, boundary;    /* of the mesh; area of its boundary */
};

static bool passes_heat(const struct boundary_setting *b, bool flow)
{
    bool passes = b && boundary_passes_flux(b->type), heated = b && (b->temperature_given || b->heat_flux_given ||
                                                                     b->n_transfer);
    return flow ? passes : heated && !passes;
}

/* Adds a column with a name that is valid in a CSV file. */
static void add_column(struct watch *w, const char *name, const char *suffix)
{
    watch_add(w, "%s%s", name, suffix);
    for (char *c = w->column[w->n - 1]; (c = strpbrk(c, ",\""));) *c = '_';
}

static double area_of(const struct mesh *m, const struct patch *p)
{
    double area = 0;
    for (int rank = 0; rank < ranks_count(); rank++) {
        for (int32_t k = 0; rank == ranks_own() && k < p->count; k++) area += mesh_face_size(m, p->first + k);
        sums_of_rank(&area, 1, rank);
    }
    return area;
}

/* Only for the size of rounding errors: each rank's own. */
static void measure(struct heat_rates *h)
{
    for (int32_t i = 0; i < h->m->n_cells; i++) h->volume += h->m->cell_volume[i];
    for (int32_t f = h->m->n_internal; f < h->m->n_faces; f++) h->boundary += mesh_face_size(h->m, f);
    largest_over_ranks(&h->volume, 1), largest_over_ranks(&h->boundary, 1);
}

/* No columns if there is no temperature. */
static bool create(struct monitor *o, struct error *e)
{
    struct heat_rates *h = o->own;
    struct watch *row = o->row;
    const struct case_settings *c = o->x->c;
    (void)e;
    if (!c->flow.heat.given) return true;
    const struct mesh *m = h->m = heat_mesh(o->x->f, o->x->m);
    NEW(h->patch, m->n_patches), NEW(h->area, m->n_patches);
    for (int flow = 0; flow < 2; flow++)
        for (int i = 0; i < m->n_patches; i++) {
            if (!passes_heat(boundary_setting_find(&c->flow.boundary, m->patch[i].name), flow)) continue;
            h->area[h->n] = area_of(m, &m->patch[i]);
            h->patch[h->n++] = &m->patch[i], h->n_closed += !flow;
            add_column(row, m->patch[i].name, "");
        }
    NEW(h->heat, m->n_faces - m->n_internal);
    measure(h);
    for (int i = 0; i < c->flow.sources.n; i++) h->sources |= c->flow.sources.item[i].heat_given;
    h->stores = o->x->timed;
    if (h->sources) watch_add(row, "sources");
    if (h->stores) watch_add(row, "storage");
    watch_add(row, "balance");
    for (int i = 0; c->nusselt.given && i < h->n_closed; i++) add_column(row, h->patch[i]->name, "_nusselt");
    return true;
}

/* Through all boundaries, to the host at once. */
static void take_inflow(const struct heat_rates *h, struct flow *f, double reference)
{
    device_download(h->heat, heat_inflow(f, reference), (size_t)(h->m->n_faces - h->m->n_internal) * sizeof *h->heat);
}

static double heat_through(const struct heat_rates *h, const struct patch *p)
{
    const double *heat = h->heat + p->first - h->m->n_internal;
    double sum = 0;
    for (int rank = 0; rank < ranks_count(); rank++) {          /* rank by rank, the summation order of one rank */
        for (int32_t k = 0; rank == ranks_own() && k < p->count; k++) sum += heat[k];
        sums_of_rank(&sum, 1, rank);
    }
    return sum;
}

static void read_rates(struct monitor *o, const struct flow *flow)
{
    struct heat_rates *h = o->own;
    struct flow *f = o->x->f;
    const struct nusselt_setting *scale = &o->x->c->nusselt;
    double *value = o->row->value, balance = 0;
    (void)flow;
    if (!o->row->n) return;
    take_inflow(h, f, 0);       /* two fluids: from another reference the net flux, which is only nearly zero, would be
                                   in the balance, which is exact; with one fluid it would be there from 0 */
    for (int i = 0; i < h->n; i++) value[i] = heat_through(h, h->patch[i]), balance += value[i];
    h->net_heat = 0;
    if (h->n > h->n_closed && f->c->heat.reference) take_inflow(h, f, f->c->heat.reference);
    for (int i = h->n_closed; i < h->n; i++) {
        h->net_heat -= value[i];
        value[i] = heat_through(h, h->patch[i]);
        h->net_heat += value[i];
    }
    if (!f->interface) balance += h->net_heat, h->net_heat = -h->net_heat;
    value += h->n;
    if (h->sources) *value = heat_produced(f), balance += *value++;
    if (h->stores) *value = heat_stored(f), balance -= *value++;
    *value++ = balance;
    for (int i = 0; scale->given && i < h->n_closed; i++)
        *value++ = fabs(o->row->value[i]) / h->area[i] * scale->length /
                   (f->c->heat.conductivity * scale->temperature_difference);
}

static void print_nusselt(const struct nusselt_setting *set, double nusselt)
{
    log_print(", Nusselt number %.5g", nusselt);
    if (set->reference_given)
        log_print(" (%+.2f %% from %g)", 100 * (nusselt / set->reference - 1), set->reference);
}

static void print_rates(const struct monitor *o)
{
    const struct heat_rates *h = o->own;
    const double *value = o->row->value, *nusselt = value + h->n + h->sources + h->stores + 1;
    double gross = 0;
    for (int i = 0; i < h->n; i++) {
        gross += fabs(value[i]);
        log_print("  heat   %-14s  %.6g %s", h->patch[i]->name, fabs(value[i]), value[i] < 0 ? "out" : "in");
        if (o->x->c->nusselt.given && i < h->n_closed) print_nusselt(&o->x->c->nusselt, nusselt[i]);
        log_print("\n");
    }
    value += h->n;
    if (h->sources) log_print("  heat   %-14s  %.6g\n", "sources", *value), gross += fabs(*value++);
    if (h->stores) log_print("  heat   %-14s  %.6g\n", "storage", *value), gross += fabs(*value++);
    log_print("  heat   %-14s  %.3g, %.2g of the sum of all\n", "balance", *value,
              gross > 0 ? fabs(*value) / gross : 0);
    if (h->n > h->n_closed)
        log_print("         heat carried by the flow is relative to a temperature of %g\n", o->x->f->c->heat.reference);
}

static struct balance balance(const struct monitor *o)
{
    const struct heat_rates *h = o->own;
    const double *value = o->row->value;
    const struct heat_scale scale = o->row->n ? heat_scale(o->x->f) : (struct heat_scale){0};
    struct balance b = {.word = "heat"};
    if (!o->row->n) return (struct balance){0};
    for (int i = 0; i < h->n + h->sources + h->stores; i++) b.gross += fabs(value[i]);
    b.missing = value[h->n + h->sources + h->stores];
    if (fabs(b.missing + h->net_heat) < fabs(b.missing)) b.missing += h->net_heat;
    b.rounding = scale.conductivity * h->boundary / o->x->f->s.spacing + scale.storage * h->volume;
    return b;
}

static void free_rates(void *own)
{
    struct heat_rates *h = own;
    free(h->patch), free(h->area), free(h->heat);
}

const struct monitor_kind heat_kind = {.section = ".", .word = "heat", .size = sizeof(struct heat_rates),
    .create = create, .read = read_rates, .print = print_rates, .balance = balance,
    .free = free_rates};
