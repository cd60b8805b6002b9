/* What a flow computes at its outlets and inlets of given pressure in every iteration or step. */
#include "flow/flow.h"
#include "gpu/device.h"
#include "gpu/vector.h"

/* The sum over all cells of each of n arrays [pitch], in sums->total. */
static void sum_cells(const struct stencil *s, const double *x, int n, const struct sums *sums)
{
    for (int k = 0; k < n; k++) {
        struct reduce_args a = {.x = x + k * s->pitch, .sums = *sums, .how = REDUCE_SUM};
        a.sums.partial += (int64_t)k * sums->n_slices;
        reduce_slices(&a, s->n_slices);
    }
    sums_finish(sums, 0, n);
}

void flow_create_outlets(struct flow *f)
{
    const struct stencil *s = &f->s;
    const int n = 2 * f->b.n_mean;
    if (n) {
        f->head.row = flow_cells(f, n, "heads at outlets");
        f->head.sums = sums_create(n, s->n_slices, "heads at outlets");
        fill(&(struct fill_args){f->head.row, 0}, n * s->pitch);
    }
    if (f->b.gate) {
        f->gate.want = device_alloc((size_t)s->n_boundary * sizeof *f->gate.want, "gates of outlets");
        f->gate.open = flow_cells(f, 1, "gates of outlets");
        f->gate.sums = sums_create(1, s->n_slices, "gates of outlets");
        fill(&(struct fill_args){f->gate.open, 0}, s->pitch);
    }
    bool open = false;
    for (int i = 0; i < f->c->boundary.n; i++) open |= boundary_gives_pressure(f->c->boundary.item[i].type);
    if (!open || !flow_is_solved(f->c)) return;
    f->passing.row = flow_cells(f, N_PASSING, "flow through boundaries");
    f->passing.sums = sums_create(N_PASSING, s->n_slices, "flow through boundaries");
    fill(&(struct fill_args){f->passing.row, 0}, N_PASSING * s->pitch);
}

void flow_passing(struct flow *f, double *sum)
{
    struct passing_args a = {.s = f->s, .b = f->b, .flux = f->flux, .row = f->passing.row};
    passing_rows(&a, f->s.n_boundary_cells);
    sum_cells(&f->s, f->passing.row, N_PASSING, &f->passing.sums);
    sums_download(&f->passing.sums, 0, N_PASSING, sum);
}

/* The mean dynamic pressure of outlets of given total pressure. */
static const double *mean_heads(struct flow *f, const double *mass)
{
    const struct stencil *s = &f->s;
    const int n = 2 * f->b.n_mean;
    if (!n) return NULL;
    struct outlet_head_args a = {.s = *s, .b = f->b, .h = f->head, .flux = f->flux, .mass = mass,
                                 .density = f->properties.density[0]};
    outlet_head_rows(&a, s->n_boundary_cells);
    sum_cells(s, f->head.row, n, &f->head.sums);
    return f->head.sums.total;
}

void flow_back(struct flow *f, const double *flux_old, const double *mass, double dt)
{
    struct backflow_args a = {.s = f->s, .b = f->b, .flux = f->flux, .flux_old = flux_old, .mass = mass, .dt = dt,
                              .density = f->properties.density[0], .inertia = f->properties.inertia, .u = f->u,
                              .given = f->interface ? NULL : f->b.given_pressure, .heads = mean_heads(f, mass)};
    outlet_backflow(&a, f->s.n_boundary);
}

void flow_back_again(struct flow *f)
{
    struct backflow_args a = {.s = f->s, .b = f->b, .flux = f->flux, .flux_old = f->flux,
                              .density = f->properties.density[0], .u = f->u, .given = f->b.given_pressure,
                              .inlets_only = 1};
    if (f->b.stiff) outlet_backflow(&a, f->s.n_boundary);
}

void flow_gate(struct flow *f, const double *flux_old, double kept, const double *step, double *coefficient)
{
    const struct stencil *s = &f->s;
    if (!f->b.gate) return;
    struct outlet_gate_args a = {.s = *s, .b = f->b, .g = f->gate, .flux = f->flux, .flux_old = flux_old, .kept = kept,
                                 .carries = f->interface && !coefficient, .p = f->p, .step = step,
                                 .properties = f->properties, .force = f->face_force,
                                 .given = f->interface ? NULL : f->b.given_pressure, .coefficient = coefficient};
    outlet_gate_choose(&a, s->n_boundary);
    outlet_gate_count(&a, s->n_boundary_cells);
    sum_cells(s, f->gate.open, 1, &f->gate.sums);
    outlet_gate_set(&a, s->n_boundary);
}

void flow_free_outlets(struct flow *f)
{
    device_free(f->gate.want), device_free(f->gate.open), device_free(f->head.row), device_free(f->passing.row);
    if (f->gate.want) sums_free(&f->gate.sums);
    if (f->head.row) sums_free(&f->head.sums);
    if (f->passing.row) sums_free(&f->passing.sums);
}
