/* Creates and sends the messages between two meshes (relay.h). */
#include "flow/relay.h"
#include <stdlib.h>
#include "base/error.h"
#include "base/memory.h"
#include "base/order.h"
#include "gpu/device.h"
#include "gpu/ranks.h"

#define UPLOAD(array, n) device_copy_of((array), (size_t)(n) * sizeof *(array), "items of two meshes")

/* The row of every item: the offered ones of all ranks, rank after rank; -1: none.  first: as from ranks_first(). */
static int32_t *rows_of(const struct relay_items *x, int64_t **first)
{
    int32_t *row, *all = ranks_collect(x->offered, x->n_offered, sizeof *all, first);
    NEW(row, x->n_all);
    for (int32_t i = 0; i < x->n_all; i++) row[i] = -1;
    for (int64_t i = 0; i < (*first)[ranks_count()]; i++) row[all[i]] = (int32_t)i;
    free(all);
    return row;
}

void relay_create(struct relay *r, const struct relay_items *x, int components)
{
    int64_t *first;
    int32_t *row = rows_of(x, &first), *other, *at, n_other = 0;
    const int32_t begin = (int32_t)first[ranks_own()], end = (int32_t)first[ranks_own() + 1];
    NEW(other, x->n_wanted), NEW(at, x->n_wanted);
    for (int32_t i = 0; i < x->n_wanted; i++) {
        at[i] = x->wanted[i] < 0 ? -1 : row[x->wanted[i]];
        if (x->wanted[i] >= 0 && at[i] < 0) die("item %d of another mesh is on no rank", x->wanted[i]);
        if (at[i] >= 0 && (at[i] < begin || at[i] >= end)) other[n_other++] = at[i];
    }
    n_other = (int32_t)each_once(other, n_other);
    for (int32_t i = 0; i < x->n_wanted; i++) {
        if (at[i] < 0) continue;
        const bool own = at[i] >= begin && at[i] < end;
        at[i] = own ? at[i] - begin : x->n_offered + (int32_t)find_number(other, n_other, at[i]);
    }
    *r = (struct relay){.n_offered = x->n_offered, .n_wanted = x->n_wanted, .from = UPLOAD(x->from, x->n_offered),
                        .at = UPLOAD(at, x->n_wanted), .pitch = x->n_offered + (int64_t)n_other};
    r->halo = halo_create(first, other, n_other, x->n_offered, r->pitch, components);
    r->work = device_alloc((size_t)(components * r->pitch) * sizeof *r->work, "items of two meshes");
    free(row), free(other), free(at), free(first);
}

void relay_free(struct relay *r)
{
    halo_free(r->halo);
    device_free((void *)r->from), device_free((void *)r->at), device_free(r->work);
    *r = (struct relay){0};
}

static void send(const struct relay_args *a)
{
    relay_offer(a, a->r.n_offered);
    halo_update(a->r.halo, a->r.work, a->rule ? 2 : 1);
    relay_take(a, a->r.n_wanted);
}

void relay_send(const struct relay *r, const double *first, const double *second, double *to)
{
    send(&(struct relay_args){.r = *r, .first = first, .second = second, .to = to});
}

void relay_send_rules(const struct relay *r, const double *first, const double *second, const uint8_t *rule, double *to,
                      uint8_t *to_rule)
{
    send(&(struct relay_args){.r = *r, .first = first, .second = second, .rule = rule, .to = to, .to_rule = to_rule});
}
