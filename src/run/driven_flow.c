/* The mean pressure gradient and the flow rate of a driven flow: driven.csv and a closing line of the log. */
#include "base/log.h"
#include "run/monitor_kind.h"

enum { GRADIENT, RATE };

/* No columns if neither is given. */
static bool create(struct monitor *o, struct error *e)
{
    (void)e;
    if (!o->x->c->flow.driven.given) return true;
    watch_add(o->row, "pressure_gradient"), watch_add(o->row, "flow_rate");
    return true;
}

static void read_flow(struct monitor *o, const struct flow *f)
{
    double *value = o->row->value;
    (void)f;
    if (o->row->n) drive_measure(o->x->f, &value[GRADIENT], &value[RATE]);
}

static void print_flow(const struct monitor *o)
{
    const double *value = o->row->value;
    log_print("  driven pressure gradient %.9g, flow rate %.9g\n", value[GRADIENT], value[RATE]);
}

static void free_flow(void *own) { (void)own; }

const struct monitor_kind driven_kind = {.section = ".", .word = "driven", .create = create, .read = read_flow,
    .print = print_flow, .free = free_flow};
