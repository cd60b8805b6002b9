/* What enters through every boundary of the temperature and of every passive scalar, sources and storage, and their
 * balance: heat.csv, with Nusselt numbers, scalars/NAME.csv, and closing lines of the log. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "flow/heat.h"
#include "flow/scalar_balance.h"
#include "gpu/device.h"
#include "gpu/ranks.h"
#include "gpu/sums.h"
#include "run/balances.h"
#include "run/monitor_kind.h"

/* Columns: the boundaries, sources and storage if there can be any, balance; Nusselt numbers of heated walls. */
struct rates {
    const struct mesh *m;
    struct scalar *q;
    bool heat;                  /* of the temperature */
    int of;                     /* see struct balance */
    const struct patch **patch; /* [n] boundaries through which it can pass */
    double *area;               /* [n] */
    int n, n_closed;            /* n_closed: of them, without flow: they come first */
    bool sources, stores;
    double *entered;            /* [n_boundary] work array */
    double missing, gross;      /* the smaller ones of two references, for what the flow carries */
    double volume, boundary;    /* of the mesh; area of its boundary */
};

static bool passes(const struct scalar_setting *set, const struct boundary_setting *b, bool flow)
{
    if (!b || boundary_passes_flux(b->type)) return b && flow;
    return !flow && (scalar_setting_find(set->value, set->n_values, b->name) ||
                     scalar_setting_find(set->flux, set->n_fluxes, b->name));
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
static void measure(struct rates *h)
{
    for (int32_t i = 0; i < h->m->n_cells; i++) h->volume += h->m->cell_volume[i];
    for (int32_t f = h->m->n_internal; f < h->m->n_faces; f++) h->boundary += mesh_face_size(h->m, f);
    largest_over_ranks(&h->volume, 1), largest_over_ranks(&h->boundary, 1);
}

static void create_rates(struct monitor *o, const struct scalar_setting *set)
{
    struct rates *h = o->own;
    struct watch *row = o->row;
    const struct case_settings *c = o->x->c;
    const struct mesh *m = h->m = h->heat ? heat_mesh(o->x->f, o->x->m) : o->x->m;
    h->q = scalar_of_name(o->x->f, set->name);
    NEW(h->patch, m->n_patches), NEW(h->area, m->n_patches);
    for (int flow = 0; flow < 2; flow++)
        for (int i = 0; i < m->n_patches; i++) {
            if (!passes(set, boundary_setting_find(&c->flow.boundary, m->patch[i].name), flow)) continue;
            h->area[h->n] = area_of(m, &m->patch[i]);
            h->patch[h->n++] = &m->patch[i], h->n_closed += !flow;
            add_column(row, m->patch[i].name, "");
        }
    NEW(h->entered, m->n_faces - m->n_internal);
    measure(h);
    h->sources = set->n_sources > 0, h->stores = o->x->timed;
    if (h->sources) watch_add(row, "sources");
    if (h->stores) watch_add(row, "storage");
    watch_add(row, "balance");
}

/* No columns if there is no temperature. */
static bool create_heat(struct monitor *o, struct error *e)
{
    struct rates *h = o->own;
    const struct flow_setting *c = &o->x->c->flow;
    (void)e;
    if (!c->heat.given) return true;
    h->heat = true, h->of = BALANCE_HEAT;
    create_rates(o, &c->scalars.item[c->scalars.n - 1]);
    for (int i = 0; o->x->c->nusselt.given && i < h->n_closed; i++)
        add_column(o->row, h->patch[i]->name, "_nusselt");
    return true;
}

/* The temperature is the last of the scalars; it has no columns here. */
static bool create_scalar(struct monitor *o, struct error *e)
{
    struct rates *h = o->own;
    const struct flow_setting *c = &o->x->c->flow;
    const int i = (int)((const struct scalar_setting *)o->set - c->scalars.item);
    (void)e;
    if (c->heat.given && i == c->scalars.n - 1) return true;
    h->of = BALANCE_SCALAR + i;
    create_rates(o, o->set);
    return true;
}

static double passing(const struct rates *h, const struct patch *p)
{
    const double *entered = h->entered + p->first - h->m->n_internal;
    double sum = 0;
    for (int rank = 0; rank < ranks_count(); rank++) {          /* rank by rank, the summation order of one rank */
        for (int32_t k = 0; rank == ranks_own() && k < p->count; k++) sum += entered[k];
        sums_of_rank(&sum, 1, rank);
    }
    return sum;
}

/* Through every boundary, into value [n], and in all; adds their magnitudes to *gross. */
static double enters(const struct rates *h, double reference, double *value, double *gross)
{
    double sum = 0;
    device_download(h->entered, scalar_entered(h->q, reference),
                    (size_t)(h->m->n_faces - h->m->n_internal) * sizeof *h->entered);
    for (int i = 0; i < h->n; i++) {
        value[i] = passing(h, h->patch[i]);
        sum += value[i], *gross += fabs(value[i]);
    }
    return sum;
}

/* What the flow carries counts from the reference temperature, or from 0 of a scalar.  The flow's own net flux, which
 * is zero only to a tolerance, is not in the balance if that counts from the value from which the steps conserve the
 * amount: with one fluid the reference or the initial value, with two 0.  In steady flow every cell adds its net flux
 * times its difference from there; that is least from the value of most of the flow, which may be any. */
static void read_rates(struct monitor *o, const struct flow *flow)
{
    struct rates *h = o->own;
    const struct nusselt_setting *scale = &o->x->c->nusselt;
    if (!o->row->n) return;
    const double from = h->heat ? flow->c->heat.reference : 0, other = h->heat ? 0 : scalar_reference(h->q);
    double *value = o->row->value, gross[2] = {0};
    const bool same = from == other || h->n == h->n_closed;
    double balance[2] = {0};
    if (!same) balance[1] = enters(h, other, value, &gross[1]);
    balance[0] = enters(h, from, value, &gross[0]);
    if (same) balance[1] = balance[0], gross[1] = gross[0];
    value += h->n;
    const double made = h->sources ? *value++ = scalar_produced(h->q) : 0;
    const double stored = h->stores ? *value++ = scalar_stored(h->q) : 0;
    for (int i = 0; i < 2; i++) balance[i] += made - stored, gross[i] += fabs(made) + fabs(stored);
    *value++ = balance[h->heat ? flow->interface != NULL : h->stores];
    h->missing = fabs(balance[0]) < fabs(balance[1]) ? balance[0] : balance[1];
    h->gross = fmin(gross[0], gross[1]);
    for (int i = 0; h->heat && scale->given && i < h->n_closed; i++)
        *value++ = fabs(o->row->value[i]) / h->area[i] * scale->length /
                   (flow->c->heat.conductivity * scale->temperature_difference);
}

static void print_nusselt(const struct nusselt_setting *set, double nusselt)
{
    log_print(", Nusselt number %.5g", nusselt);
    if (set->reference_given)
        log_print(" (%+.2f %% from %g)", 100 * (nusselt / set->reference - 1), set->reference);
}

static void print_rates(const struct monitor *o)
{
    const struct rates *h = o->own;
    const char *word = o->row->name;
    const double *value = o->row->value, *nusselt = value + h->n + h->sources + h->stores + 1;
    double gross = 0;
    for (int i = 0; i < h->n; i++) {
        gross += fabs(value[i]);
        log_print("  %-6s %-14s  %.6g %s", word, h->patch[i]->name, fabs(value[i]), value[i] < 0 ? "out" : "in");
        if (h->heat && o->x->c->nusselt.given && i < h->n_closed) print_nusselt(&o->x->c->nusselt, nusselt[i]);
        log_print("\n");
    }
    value += h->n;
    if (h->sources) log_print("  %-6s %-14s  %.6g\n", word, "sources", *value), gross += fabs(*value++);
    if (h->stores) log_print("  %-6s %-14s  %.6g\n", word, "storage", *value), gross += fabs(*value++);
    log_print("  %-6s %-14s  %.3g, %.2g of the sum of all\n", word, "balance", *value,
              gross > 0 ? fabs(*value) / gross : 0);
    if (h->heat && h->n > h->n_closed)
        log_print("         heat carried by the flow is relative to a temperature of %g\n", o->x->f->c->heat.reference);
}

static struct balance balance(const struct monitor *o)
{
    const struct rates *h = o->own;
    if (!o->row->n) return (struct balance){0};
    const struct scalar_scale scale = scalar_scale(h->q);
    return (struct balance){.of = h->of, .name = h->q->set->name, .missing = h->missing, .gross = h->gross,
                            .rounding = scale.conductivity * h->boundary / o->x->f->s.spacing +
                                        scale.capacity * flow_fastest(o->x->f) * h->boundary +
                                        scale.storage * h->volume};
}

static void free_rates(void *own)
{
    struct rates *h = own;
    free(h->patch), free(h->area), free(h->entered);
}

const struct monitor_kind heat_kind = {.section = ".", .word = "heat", .size = sizeof(struct rates),
    .create = create_heat, .read = read_rates, .print = print_rates, .balance = balance, .free = free_rates};
const struct monitor_kind scalars_kind = {.section = "scalars", .word = "scalar",
    .list = offsetof(struct case_settings, flow.scalars), .element = sizeof(struct scalar_setting),
    .size = sizeof(struct rates), .uncounted = true,
    .create = create_scalar, .read = read_rates, .print = print_rates, .balance = balance, .free = free_rates};
