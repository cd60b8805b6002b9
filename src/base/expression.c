/* Evaluates expressions of named variables (expression.h), a block of points at a time. */
#include "base/expression.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "base/error.h"
#include "base/expression_nodes.h"
#include "base/memory.h"

enum { BLOCK = 128 };

/* The values of all nodes in a block of points: one for each piece of the points. */
struct lane {
    double *block;              /* [n_nodes BLOCK]; those of numbers are set */
    const double **value;       /* [n_nodes] */
};
struct expression {
    struct node *node;
    int n_nodes, n_lanes;
    struct lane *lane;
    double **kept;              /* [n_nodes] the values at all points of a part that does not change; or NULL */
    bool *needed;               /* [n_nodes] not only inside such a part */
};

/* ---------------------------------------------------------------- one node */
#define EACH(result) for (int i = 0; i < n; i++) to[i] = (result); return
void node_evaluate(const struct node *k, const double *a, const double *b, const double *c, int n, double *to)
{
    switch (k->op) {
    case OP_NEGATE: EACH(-a[i]);
    case OP_ADD: EACH(a[i] + b[i]);
    case OP_SUBTRACT: EACH(a[i] - b[i]);
    case OP_MULTIPLY: EACH(a[i] * b[i]);
    case OP_DIVIDE: EACH(a[i] / b[i]);
    case OP_POWER: EACH(pow(a[i], b[i]));
    case OP_LESS: EACH(a[i] < b[i]);
    case OP_LESS_EQUAL: EACH(a[i] <= b[i]);
    case OP_MORE: EACH(a[i] > b[i]);
    case OP_MORE_EQUAL: EACH(a[i] >= b[i]);
    case OP_EQUAL: EACH(a[i] == b[i]);
    case OP_UNEQUAL: EACH(a[i] != b[i]);
    case OP_AND: EACH(a[i] != 0 && b[i] != 0);
    case OP_OR: EACH(a[i] != 0 || b[i] != 0);
    case OP_CHOOSE: EACH(a[i] != 0 ? b[i] : c[i]);
    case OP_MIN: EACH(b[i] < a[i] ? b[i] : a[i]);
    case OP_MAX: EACH(b[i] > a[i] ? b[i] : a[i]);
    case OP_ATAN2: EACH(atan2(a[i], b[i]));
    case OP_FUNCTION: EACH(k->function(a[i]));
    default: die("operation %d", k->op);
    }
}

static void evaluate_node(const struct node *k, struct lane *lane, int n, double *to)
{
    node_evaluate(k, lane->value[k->from[0]], lane->value[k->from[1]], lane->value[k->from[2]], n, to);
}

/* ---------------------------------------------------------------- creation */
static struct lane new_lane(const struct expression *x)
{
    struct lane lane;
    NEW(lane.block, (int64_t)x->n_nodes * BLOCK);
    NEW(lane.value, x->n_nodes);
    for (int k = 0; k < x->n_nodes; k++) {
        double *block = lane.block + (int64_t)k * BLOCK;
        lane.value[k] = block;
        for (int i = 0; i < BLOCK && x->node[k].op == OP_NUMBER; i++) block[i] = x->node[k].number;
    }
    return lane;
}

void expression_share(struct expression *x, int pieces)
{
    if (x->n_lanes >= pieces) return;
    RESIZE(x->lane, pieces);
    while (x->n_lanes < pieces) x->lane[x->n_lanes++] = new_lane(x);
}

struct expression *expression_create(const char *text, const char *const *names, int n, struct expression_fault *fault)
{
    struct expression *x;
    if (n > MOST_VARIABLES) die("%d variables", n);
    NEW(x, 1);
    if (!expression_read(text, names, n, &x->node, &x->n_nodes, fault)) return expression_free(x), NULL;
    NEW(x->kept, x->n_nodes), NEW(x->needed, x->n_nodes);
    for (int k = 0; k < x->n_nodes; k++) x->needed[k] = true;
    expression_share(x, 1);
    return x;
}

void expression_free(struct expression *x)
{
    if (!x) return;
    for (int i = 0; i < x->n_lanes; i++) free(x->lane[i].block), free(x->lane[i].value);
    for (int k = 0; x->kept && k < x->n_nodes; k++) free(x->kept[k]);
    free(x->node), free(x->lane), free(x->kept), free(x->needed), free(x);
}

bool expression_uses(const struct expression *x, int k) { return x->node[x->n_nodes - 1].uses >> k & 1; }

/* ---------------------------------------------------------------- evaluation */
/* The variables that have a value of its own at each point. */
static unsigned varying(const struct expression *x, const struct expression_input *at)
{
    unsigned found = 0;
    for (int k = 0; k < MOST_VARIABLES; k++) if (expression_uses(x, k) && at[k].step) found |= 1u << k;
    return found;
}

/* The nodes that are the same at all points of the piece, whose blocks have n points. */
static void evaluate_uniform(const struct expression *x, struct lane *lane, const struct expression_input *at,
                             unsigned vary, int n)
{
    for (int k = 0; k < x->n_nodes; k++) {
        const struct node *node = &x->node[k];
        double *block = lane->block + (int64_t)k * BLOCK;
        if (!x->needed[k] || x->kept[k] || node->op == OP_NUMBER || node->uses & vary) continue;
        lane->value[k] = block;
        if (node->op == OP_VARIABLE) block[0] = *at[node->variable].value;
        else evaluate_node(node, lane, 1, block);
        for (int i = 1; i < n; i++) block[i] = block[0];
    }
}

/* The others at the points first .. first + n - 1. */
static void evaluate_block(const struct expression *x, struct lane *lane, const struct expression_input *at,
                           unsigned vary, int64_t first, int n)
{
    for (int k = 0; k < x->n_nodes; k++) {
        const struct node *node = &x->node[k];
        double *block = lane->block + (int64_t)k * BLOCK;
        if (!x->needed[k] || !(node->uses & vary)) continue;
        const struct expression_input *v = node->op == OP_VARIABLE ? &at[node->variable] : NULL;
        if (x->kept[k]) lane->value[k] = x->kept[k] + first;
        else if (v && v->step == 1) lane->value[k] = v->value + first;
        else if (v) for (int i = 0; i < n; i++) block[i] = v->value[(first + i) * v->step];
        else evaluate_node(node, lane, n, block);
        if (!x->kept[k] && !(v && v->step == 1)) lane->value[k] = block;
    }
}

void expression_evaluate_piece(struct expression *x, int piece, int pieces, const struct expression_input *at,
                               int64_t n, double *to)
{
    struct lane *lane = &x->lane[piece];
    const int64_t begin = n * piece / pieces, end = n * (piece + 1) / pieces;
    const unsigned vary = varying(x, at);
    evaluate_uniform(x, lane, at, vary, end - begin < BLOCK ? (int)(end - begin) : BLOCK);
    for (int64_t first = begin; first < end; first += BLOCK) {
        const int here = end - first < BLOCK ? (int)(end - first) : BLOCK;
        evaluate_block(x, lane, at, vary, first, here);
        memcpy(to + first, lane->value[x->n_nodes - 1], (size_t)here * sizeof *to);
    }
}

void expression_evaluate(struct expression *x, const struct expression_input *at, int64_t n, double *to)
{
    expression_evaluate_piece(x, 0, 1, at, n, to);
}

int expression_work(const struct expression *x, const struct expression_input *at)
{
    enum { CALL = 15 };
    const unsigned vary = varying(x, at);
    int sum = 1;
    for (int k = 0; k < x->n_nodes; k++) {
        const enum operation op = x->node[k].op;
        if (!x->needed[k] || x->kept[k] || op == OP_VARIABLE || !(x->node[k].uses & vary)) continue;
        sum += op == OP_POWER || op == OP_ATAN2 || op == OP_FUNCTION ? CALL : 1;
    }
    return sum;
}

/* ---------------------------------------------------------------- parts that do not change */
/* Room for the values of the largest operations of which all variables vary between the points. */
static void choose_kept(const struct expression *x, unsigned vary, int64_t n, double **kept)
{
    bool *inside;
    NEW(inside, x->n_nodes);
    for (int k = x->n_nodes - 1; k >= 0; k--) {
        const struct node *node = &x->node[k];
        if (!node->uses || node->uses & ~vary || node->op == OP_VARIABLE) continue;
        for (int j = 0; j < 3; j++) inside[node->from[j]] = true;
        if (!inside[k]) NEW(kept[k], n);
    }
    free(inside);
}

static void find_needed(struct expression *x)
{
    memset(x->needed, 0, (size_t)x->n_nodes * sizeof *x->needed);
    x->needed[x->n_nodes - 1] = true;
    for (int k = x->n_nodes - 1; k >= 0; k--)
        for (int j = 0; j < 3 && x->needed[k] && !x->kept[k] && x->node[k].op > OP_VARIABLE; j++)
            x->needed[x->node[k].from[j]] = true;
}

void expression_keep(struct expression *x, const struct expression_input *at, int64_t n)
{
    struct lane *lane = &x->lane[0];
    const unsigned vary = varying(x, at);
    double **kept;
    NEW(kept, x->n_nodes);
    choose_kept(x, vary, n, kept);
    evaluate_uniform(x, lane, at, vary, BLOCK);
    for (int64_t first = 0; first < n; first += BLOCK) {
        const int here = n - first < BLOCK ? (int)(n - first) : BLOCK;
        evaluate_block(x, lane, at, vary, first, here);
        for (int k = 0; k < x->n_nodes; k++)
            if (kept[k]) memcpy(kept[k] + first, lane->value[k], (size_t)here * sizeof *kept[k]);
    }
    free(x->kept);
    x->kept = kept;
    find_needed(x);
}

/* ---------------------------------------------------------------- messages */
void expression_mark(char *to, int size, const char *text, int position)
{
    enum { WIDTH = 100, BEFORE = 60 };                  /* of a long text the part around the position */
    int length = (int)strlen(text), from = position > WIDTH - 10 ? position - BEFORE : 0;
    int blanks = position - from, shown = length - from < WIDTH ? length - from : WIDTH;
    for (int i = from; i < position; i++) blanks -= (text[i] & 0xC0) == 0x80;           /* UTF-8 */
    snprintf(to, (size_t)size, "    %.*s\n    %*s^", shown, text + from, blanks, "");
}
