/* The flow rate through every inlet and outlet, and the imbalance: flows.csv and the closing lines of the log. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include "base/log.h"
#include "base/memory.h"
#include "gpu/sums.h"
#include "run/backflow.h"
#include "run/balances.h"
#include "run/monitor_kind.h"

struct flow_rates {
    const struct patch **patch; /* [columns but the last, "balance"] boundaries with flow */
    bool *open, *feeds;         /* [patch] of given pressure; an inlet of given pressure */
    double *flux;               /* work array for the largest of them */
    double area;                /* of all of them */
    double most;                /* in time: the largest flow through the domain so far; of a steady run 0 */
    double *in;                 /* [patch] inflow through faces of an `open` boundary; 0 for others */
};

/* Fractions of backflow in the flow through an outlet: below the first it is not reported, from the second on a steady
 * run warns of it. */
static const double seen = 1e-6, much = 0.02;

/* Adds a column with a name that is valid in a CSV file. */
static void add_column(struct watch *w, const char *name)
{
    watch_add(w, "%s", name);
    for (char *c = w->column[w->n - 1]; (c = strpbrk(c, ",\""));) *c = '_';
}

/* No columns if there is no such boundary. */
static bool create(struct monitor *o, struct error *e)
{
    struct flow_rates *r = o->own;
    struct watch *row = o->row;
    const struct mesh *m = o->x->m;
    int32_t most = 0;
    (void)e;
    NEW(r->patch, m->n_patches), NEW(r->open, m->n_patches), NEW(r->feeds, m->n_patches);
    for (int i = 0; i < m->n_patches; i++) {
        const struct boundary_setting *b = boundary_setting_find(&o->x->c->flow.boundary, m->patch[i].name);
        if (!b || !boundary_passes_flux(b->type)) continue;
        r->patch[row->n] = &m->patch[i];
        r->open[row->n] = boundary_gives_pressure(b->type), r->feeds[row->n] = boundary_feeds(b->type);
        add_column(row, m->patch[i].name);
        if (m->patch[i].count > most) most = m->patch[i].count;
        for (int32_t k = 0; k < m->patch[i].count; k++) r->area += mesh_face_size(m, m->patch[i].first + k);
    }
    if (row->n) watch_add(row, "balance");
    largest_over_ranks(&r->area, 1);
    NEW(r->flux, most), NEW(r->in, m->n_patches);
    return true;
}

static void read_rates(struct monitor *o, const struct flow *f)
{
    struct flow_rates *r = o->own;
    double *value = o->row->value;
    int n = o->row->n - 1;
    if (n < 0) return;
    memset(value, 0, (size_t)o->row->n * sizeof *value);
    r->most = f->passing.last[PASSING_MOST];
    for (int i = 0; i < n; i++) {
        double sum[2];
        backflow_passing(f, r->patch[i], r->flux, sum);
        value[i] = sum[0], r->in[i] = r->open[i] ? sum[1] : 0;
    }
    for (int i = 0; i < n; i++) value[n] += value[i];
}

/* The fraction of the flow through boundary i that runs against the rest; 0 if almost none does. */
static double backflow_of(const struct flow_rates *r, const struct watch *row, int i)
{
    double in = r->in[i], out = row->value[i] + in, less = fmin(in, out);
    return r->in[i] > 0 && less > seen * (in + out) ? less / (in + out) : 0;
}

/* Much flow against the rest through a boundary of given pressure. */
static void warn_of(const struct flow_rates *r, const struct watch *row, int i)
{
    const char *name = r->patch[i]->name;
    double percent = 100 * backflow_of(r, row, i);
    if (r->feeds[i])
        log_print("warning    %.2g %% of the flow through inlet \"%s\" leaves the domain there, at its total pressure "
                  "as the static one; move it in the mesh to where fluid only enters\n", percent, name);
    else
        log_print("warning    %.2g %% of the flow through outlet \"%s\" is backflow: the solution depends on "
                  "its location; move it in the mesh to where there is none\n", percent, name);
}

/* Prints the rates, both directions of the flow through a boundary of given pressure, and the balance relative to the
 * inflow, in time the largest so far, since an oscillating one vanishes at times; for a steady flow warnings. */
static void print_rates(const struct monitor *o)
{
    const struct flow_rates *r = o->own;
    const struct watch *row = o->row;
    const double *value = row->value;
    int n = row->n - 1;
    double in = 0;
    for (int i = 0; i < n; i++) in += fmax(-value[i], 0);
    for (int i = 0; i < n; i++) {
        log_print("  flow   %-14s  %.6g %s", r->patch[i]->name, fabs(value[i]), value[i] < 0 ? "in" : "out");
        if (backflow_of(r, row, i) > 0) log_print(": %.6g out, %.6g in", value[i] + r->in[i], r->in[i]);
        log_print("\n");
    }
    in = fmax(in, r->most);
    log_print("  flow   %-14s  %.3g, %.2g of the %sinflow\n", "balance", value[n], in > 0 ? fabs(value[n]) / in : 0,
              r->most > 0 ? "largest " : "");
    for (int i = 0; i < n; i++) if (!o->x->timed && backflow_of(r, row, i) > much) warn_of(r, row, i);
}

static struct balance balance(const struct monitor *o)
{
    const struct watch *row = o->row;
    const struct flow_rates *r = o->own;
    struct balance b = {.of = BALANCE_FLOW, .rounding = r->area};
    if (!row->n) return (struct balance){0};
    for (int i = 0; i < row->n - 1; i++) b.gross += fabs(row->value[i]);
    b.gross = fmax(b.gross, 2 * r->most);
    b.missing = row->value[row->n - 1];
    return b;
}

static void free_rates(void *own)
{
    struct flow_rates *r = own;
    free(r->patch), free(r->open), free(r->feeds), free(r->flux), free(r->in);
}

const struct monitor_kind rates_kind = {.section = ".", .word = "flows", .size = sizeof(struct flow_rates),
    .create = create, .read = read_rates, .print = print_rates,
    .balance = balance, .free = free_rates};
