/* Advances the volume fraction by one step and sums the volumes of the second fluid (advance.h). */
#include "interface/advance.h"
#include <math.h>
#include "gpu/device.h"
#include "gpu/sums.h"
#include "gpu/vector.h"
#include "interface/interface.h"

enum { PASSES = 4 };                    /* how often overfilled volume is passed on, each time to the next cell */

static struct advance_args arguments(const struct interface *i)
{
    const struct second_fluid_setting *second = i->in.second_fluid;
    const struct boundary *walls = second && second->surface_tension != 0 ? i->b : NULL;
    return (struct advance_args){.g = i->g, .normal = i->normal, .offset = i->offset, .area = i->area,
                                 .inflow_fraction = i->inflow_fraction, .cell = i->cell, .mark = i->mark,
                                 .band_mark = i->band_mark, .open = i->open, .fraction = i->fraction,
                                 .carried = i->carried, .excess = i->excess, .ledger = i->ledger,
                                 .velocity_rule = walls ? walls->velocity_rule : NULL,
                                 .flux_rule = walls ? walls->flux_rule : NULL};
}

/* Sums whose first total is stored in the ledger at this entry. */
static struct sums to_ledger(const struct interface *i, enum ledger entry)
{
    struct sums s = i->sums;
    s.total = i->ledger + entry;
    return s;
}

/* Computes LEDGER_SUM, LEDGER_MIXED and LEDGER_OUTFLOW of the ledger. */
static void add_volumes(const struct interface *i, struct advance_args *a)
{
    a->sums = to_ledger(i, LEDGER_SUM);
    sum_volumes(a, a->g.s.n_slices);
    sums_finish(&a->sums, 0, 3);
}

void interface_open_ledger(struct interface *i)
{
    struct advance_args a = arguments(i);
    add_volumes(i, &a);
    fill(&(struct fill_args){i->ledger, 0}, LEDGER_SUM);
    device_copy(i->ledger + LEDGER_VOLUME, i->ledger + LEDGER_SUM, sizeof(double));
}

/* Computes the volumes of second fluid that flow through the faces. */
static void carry(const struct interface *i, const struct advance_args *a)
{
    const struct halo *h = i->g.s.pattern.halo;
    face_volumes(a, i->g.s.n_faces);
    cut_volumes(a, a->g.most_faces * (int64_t)i->n_cut);
    if (h) cut_volumes_of_ghosts(a, a->g.most_faces * halo_rows(h));
}

void interface_advance(struct interface *i, const double *flux, const double *u, const double *grad_u, double dt)
{
    struct advance_args a = arguments(i);
    const struct halo *h = i->g.s.pattern.halo;
    a.flux = flux, a.u = u, a.grad_u = grad_u, a.dt = dt;
    halo_update_together(h, {u, i->g.s.dim}, {grad_u, i->g.s.dim * i->g.s.dim}, {i->fraction, 1});
    carry(i, &a);
    for (int pass = 0; pass < PASSES; pass++) {
        find_excess(&a, i->n_cut);
        pass_excess(&a, i->n_cut);
        halo_update(h, i->excess, 1);
        if (h) pass_excess_of_copies(&a, halo_rows(h));
    }
    update_fraction(&a, i->g.s.n_cells);
    add_volumes(i, &a);
    settle_ledger(&a, 1);
    redistribute(&a, i->g.s.n_cells);
    interface_reconstruct(i);
}

void interface_sum_up(struct interface *i)
{
    struct advance_args a = arguments(i);
    add_volumes(i, &a);
    a.sums = to_ledger(i, LEDGER_AREA);
    sum_pieces(&a, a.g.s.n_slices);
    sums_finish(&a.sums, 0, 1);
    sums_finish_largest(&a.sums, 1, 2);
}

void interface_summary_from(const struct interface *i, const double *l, struct interface_summary *r)
{
    double expected = l[LEDGER_VOLUME] + l[LEDGER_INFLOW], scale = fmax(l[LEDGER_VOLUME], expected);
    *r = (struct interface_summary){
        .volume = l[LEDGER_SUM], .volume_error = scale > 0 ? (l[LEDGER_SUM] - expected) / scale : 0,
        .lowest = 1 - l[LEDGER_LOWEST], .highest = l[LEDGER_HIGHEST], .area = l[LEDGER_AREA],
        .redistributed = l[LEDGER_VOLUME] > 0 ? l[LEDGER_REDISTRIBUTED] / l[LEDGER_VOLUME] : 0, .n_cut = i->n_cut};
}

void interface_summarise(struct interface *i, struct interface_summary *r)
{
    double ledger[N_LEDGER];
    interface_sum_up(i);
    device_download(ledger, i->ledger, sizeof ledger);
    interface_summary_from(i, ledger, r);
}
