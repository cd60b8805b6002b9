#include "solve/linear.h"
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/vector.h"
#include "solve/batch.h"
#include "solve/bicgstab_kernels.h"

struct bicgstab {
    double *own;                /* vectors that nobody else has, or NULL */
    struct bicgstab_args args;
    struct linear_setting setting;
    struct batch batch;
};

struct bicgstab *bicgstab_create(const struct matrix *a, const struct linear_setting *s, int n_components, double *work)
{
    struct bicgstab *solver;
    NEW(solver, 1);
    solver->setting = *s;
    solver->batch.length = 1;
    int64_t length = n_components * a->p.n_padded, sums = (int64_t)BICGSTAB_SUMS * n_components;
    if (!work) solver->own = device_alloc((size_t)length * BICGSTAB_VECTORS * sizeof(double), "BiCGStab");
    double *vectors = work ? work : solver->own;
    double *partial = device_alloc((size_t)(sums * (a->p.n_slices + 1)) * sizeof *partial, "BiCGStab");
    struct bicgstab_states *state = device_alloc(3 * sizeof *state, "BiCGStab");
    solver->args = (struct bicgstab_args){
        .a = *a, .components = n_components, .r = vectors, .r0 = vectors + length, .p = vectors + 2 * length,
        .v = vectors + 3 * length, .t = vectors + 4 * length, .partial = partial, .total = partial + sums * a->p.n_slices,
        .directed = state, .halved = state + 1, .updated = state + 2};
    return solver;
}

void bicgstab_free(struct bicgstab *s)
{
    if (!s) return;
    batch_free(&s->batch);
    device_free(s->own), device_free(s->args.partial), device_free(s->args.directed);
    free(s);
}

static void add_up(const struct bicgstab_args *a, int first, int count)
{
    struct finish_args args = {a->partial + (int64_t)first * a->components * a->a.p.n_slices,
                               a->total + first * a->components, a->a.p.n_slices};
    finish_sum(&args, count * a->components);
}

static void product(const struct bicgstab_args *a, int first, const double *x, const double *z, double *y,
                    const struct bicgstab_states *state)
{
    struct bicgstab_product_args args = {a->a, a->components, first, first == BICGSTAB_TR, x, z, y, a->partial, state};
    bicgstab_product(&args, a->a.p.n_slices);
    add_up(a, first, first == BICGSTAB_TR ? 2 : 1);
}

static void search(const struct bicgstab_args *a)
{
    bicgstab_direction(a, a->a.p.n_slices);
    product(a, BICGSTAB_R0V, a->p, a->r0, a->v, a->directed);
}

static void iterate(void *context)
{
    const struct bicgstab *s = context;
    const struct bicgstab_args *a = &s->args;
    bicgstab_half(a, a->a.p.n_slices);
    product(a, BICGSTAB_TR, a->r, a->r, a->t, a->halved);
    bicgstab_update(a, a->a.p.n_slices);
    add_up(a, BICGSTAB_RHO, 3);
    search(a);
}

static void set_states(const struct bicgstab *s)
{
    struct bicgstab_states begin[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < s->args.components; k++)
            begin[i].of[k] = (struct bicgstab_state){
                .tolerance = s->setting.tolerance, .absolute = s->setting.absolute, .iteration = -1,
                .max_iterations = s->setting.max_iterations};
    device_upload(s->args.directed, begin, sizeof begin);
}

static struct bicgstab_states states(const struct bicgstab *s)
{
    struct bicgstab_states now;
    device_download(&now, s->args.directed, sizeof now);
    return now;
}

static bool finished(const void *solver)
{
    const struct bicgstab *s = solver;
    struct bicgstab_states now = states(s);
    bool all = true;
    for (int k = 0; k < s->args.components; k++) all = all && now.of[k].done;
    return all;
}

static struct linear_result result_of(const struct bicgstab *s)
{
    struct bicgstab_states now = states(s);
    struct linear_result result = {LINEAR_CONVERGED, 0, 0, 0, NULL};
    for (int k = 0; k < s->args.components; k++) {
        const struct bicgstab_state *one = &now.of[k];
        enum linear_status status = (enum linear_status)(one->done - 1);
        if (status > result.status) result.status = status;
        if (one->iteration > result.iterations) result.iterations = one->iteration;
        result.initial = fmax(result.initial, sqrt(one->initial));
        result.final = fmax(result.final, sqrt(one->norm));
    }
    return result;
}

struct linear_result bicgstab_solve(struct bicgstab *s, double *x, const double *b)
{
    const struct bicgstab_args *a = &s->args;
    s->args.x = x;
    set_states(s);
    product(a, BICGSTAB_R0V, x, x, a->v, a->directed);
    struct bicgstab_begin_args begin = {*a, b};
    bicgstab_begin(&begin, a->a.p.n_slices);
    add_up(a, BICGSTAB_RHO, 3);
    search(a);
    batch_iterate(&s->batch, x, iterate, finished, s);
    struct linear_result result = result_of(s);
    s->batch.last = result.iterations;
    return result;
}
