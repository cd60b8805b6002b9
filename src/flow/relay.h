/* relay.h: numbers of items (faces, cells) of one mesh at the items of another, each divided among the ranks in its own
 * way: every item is offered by one rank and wanted by any.  A message brings them to the ranks that want them; with
 * one rank there is none. */
#ifndef POISE_RELAY_H
#define POISE_RELAY_H
#include <stdint.h>
#include "gpu/halo.h"
#include "gpu/kernel.h"

struct relay {
    int32_t n_offered, n_wanted;
    const int32_t *from;        /* [n_offered] index in the array `first`, or -1 - index in `second` */
    const int32_t *at;          /* [n_wanted] place in `work`, -1: zero */
    struct halo *halo;
    int64_t pitch;
    double *work;               /* [components pitch] offered numbers, then those of other ranks */
};

/* The items of this rank; all arrays are on the host and the caller's.  Items have numbers that all ranks share. */
struct relay_items {
    int32_t n_offered, n_wanted, n_all;         /* numbers are less than n_all */
    const int32_t *from, *offered;              /* [n_offered] as above; the item's number */
    const int32_t *wanted;                      /* [n_wanted] its number, -1: zero */
};
/* By all ranks together.  components: of the longest message. */
void relay_create(struct relay *r, const struct relay_items *items, int components);
void relay_free(struct relay *r);
/* to[i] = the number of wanted item i; second may be NULL. */
void relay_send(const struct relay *r, const double *first, const double *second, double *to);
/* The same, and rules, of 2 components: those of `first`, and RULE_VALUE for `second`. */
void relay_send_rules(const struct relay *r, const double *first, const double *second, const uint8_t *rule, double *to,
                      uint8_t *to_rule);

/* Kernels. */
struct relay_args {
    struct relay r;
    const double *first, *second;
    const uint8_t *rule;        /* NULL: without rules */
    double *to;
    uint8_t *to_rule;
};
KERNEL(relay_offer, struct relay_args)                  /* over offered items */
KERNEL(relay_take, struct relay_args)                   /* over wanted items */
#endif
