/* BiCGStab for one or several systems with one matrix, all components in one pass over the matrix; each stops
 * separately. Symmetry is not required.  Jacobi is part of the kernels.  One system with a block matrix: the same with
 * whole vectors. */
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/batch.h"
#include "solve/bicgstab_kernels.h"
#include "solve/krylov.h"

struct bicgstab {
    struct krylov base;
    double *own, *preconditioned;       /* its own memory: of the iteration (NULL: setup.work); of M p, M r (or NULL) */
    double *second;                     /* the second arrays of p and v, which alternate, or NULL */
    struct bicgstab_args args;
    struct batch batch, start;          /* iterations; the launches before them */
    double *b;                          /* of this solve */
    struct bicgstab_states seen;        /* when last read */
    int before;                         /* iterations of the last solve; a wasted iteration costs as much as a residual
                                           check */
};

static void forget(struct krylov *k)
{
    batch_free(&((struct bicgstab *)k)->batch);
    batch_free(&((struct bicgstab *)k)->start);
}

static void release(struct krylov *k)
{
    struct bicgstab *s = (struct bicgstab *)k;
    forget(k);
    device_free(s->own), device_free(s->preconditioned), device_free(s->second);
    sums_free(&s->args.sums), device_free(s->args.directed);
    free(s);
}

static void add_up(const struct bicgstab_args *a, int first, int count)
{
    if (!a->fold) sums_finish(&a->sums, first * a->components, count * a->components);
}

static void product(const struct bicgstab_args *a, int first, const double *x, const double *z, double *y,
                    const struct bicgstab_states *state)
{
    struct bicgstab_product_args args = {a->a, a->components, first, first == BICGSTAB_TR, a->scaled,
                                         x, z, y, a->sums, state};
    if (a->a.block > 1) {
        matrix_product(&a->a, x, y);
        bicgstab_products(&args, a->a.p.n_slices);
    } else {
        halo_update(a->a.p.halo, x, a->components);
        bicgstab_product(&args, a->a.p.n_slices);
    }
    add_up(a, first, first == BICGSTAB_TR ? 2 : 1);
}

/* z = M r for all components.  Preconditioners in single precision scale r by the norm of the last residual, which is
 * close enough to the norm of r here. */
static void precondition(const struct bicgstab *s, const double *r, double *z)
{
    struct preconditioner *m = s->base.preconditioner;
    for (int k = 0; s->preconditioned && k < s->args.components; k++) {
        int64_t at = k * s->args.a.p.pitch;
        m->apply(m, r + at, s->args.sums.total + BICGSTAB_RR * s->args.components + k, z + at);
    }
}

static void search(const struct bicgstab *s)
{
    const struct bicgstab_args *a = &s->args;
    if (a->together) {
        bicgstab_direction_product(a, a->a.p.n_slices), add_up(a, BICGSTAB_R0V, 1);
        return;
    }
    bicgstab_direction(a, a->a.p.n_slices);
    precondition(s, a->p, a->mp);
    product(a, BICGSTAB_R0V, a->mp, a->r0, a->v, a->directed);
}

static void iterate(void *context)
{
    const struct bicgstab *s = context;
    const struct bicgstab_args *a = &s->args;
    bicgstab_half(a, a->a.p.n_slices);
    precondition(s, a->r, a->mr);
    product(a, BICGSTAB_TR, a->mr, a->r, a->t, a->halved);
    bicgstab_update(a, a->a.p.n_slices);
    add_up(a, BICGSTAB_RHO, 3);
    search(s);
}

/* Two iterations of three kernels each, after which p and v are in their original arrays. */
static void iterate_together(void *context)
{
    const struct bicgstab *s = context;
    const int32_t n = s->args.a.p.n_slices;
    struct bicgstab_args now = s->args;
    for (int i = 0; i < 2; i++) {
        struct bicgstab_args next = now;
        next.p = (double *)now.p_old, next.v = (double *)now.v_old, next.mp = next.p;
        next.p_old = now.p, next.v_old = now.v;
        bicgstab_half_product(&now, n), add_up(&now, BICGSTAB_TR, 2);
        bicgstab_update(&now, n), add_up(&now, BICGSTAB_RHO, 3);
        bicgstab_direction_product(&next, n), add_up(&now, BICGSTAB_R0V, 1);
        now = next;
    }
}

static void set_states(const struct bicgstab *s)
{
    struct bicgstab_states begin[3] = {0};
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < s->args.components; k++)
            begin[i].of[k] = (struct bicgstab_state){
                .tolerance = s->base.setting.tolerance, .absolute = s->base.setting.absolute, .iteration = -1,
                .max_iterations = s->base.setting.max_iterations};
    device_upload(s->args.directed, begin, sizeof begin);
}

static bool finished(void *solver)
{
    struct bicgstab *s = solver;
    const struct bicgstab_state *first = &s->seen.of[0];
    bool all = true;
    device_download(&s->seen, s->args.directed, sizeof s->seen);
    if (s->base.tell && first->initial > 0)
        s->base.tell(s->base.context, first->iteration, sqrt(first->norm / first->initial));
    for (int k = 0; k < s->args.components; k++) all = all && s->seen.of[k].done;
    return all;
}

static struct linear_result result_of(struct bicgstab *s)
{
    struct linear_result result = {.status = LINEAR_CONVERGED};
    double limit = 0;
    for (int k = 0; k < s->args.components; k++) {
        const struct bicgstab_state *one = &s->seen.of[k];
        enum linear_status status = (enum linear_status)(one->done - 1);
        if (status > result.status) result.status = status;
        if (one->iteration > result.iterations) result.iterations = one->iteration;
        result.initial = fmax(result.initial, sqrt(one->initial));
        result.final = fmax(result.final, sqrt(one->norm));
        limit = fmax(limit, sqrt(one->limit));
    }
    s->base.iterations = s->seen.of[0].iteration;
    s->base.limit = limit;
    return result;
}

static void remove_means(const struct bicgstab *s, double *x)
{
    const struct pattern *p = &s->args.a.p;
    for (int k = 0; s->base.setup.singular && k < s->args.components; k++)
        krylov_remove_mean(&s->base, p, x + k * p->pitch);
}

/* From the initial guess to the first direction. */
static void start(void *context)
{
    const struct bicgstab *s = context;
    const struct bicgstab_args *a = &s->args;
    remove_means(s, s->b);
    product(a, BICGSTAB_R0V, a->x, a->x, a->v, a->directed);
    struct bicgstab_begin_args begin = {*a, s->b};
    bicgstab_begin(&begin, a->a.p.n_slices);
    add_up(a, BICGSTAB_RHO, 3);
    search(s);
}

static struct linear_result solve(struct krylov *k, const struct matrix *matrix, double *x, double *b)
{
    struct bicgstab *s = (struct bicgstab *)k;
    s->args.a = *matrix;
    s->args.components = k->setup.components;
    s->args.x = x;
    s->args.history = k->history;
    s->b = b;
    set_states(s);
    struct batch_arrays arrays = {.x = x, .val = matrix->val, .diag = matrix->diag, .b = b};
    batch_launch(&s->start, arrays, 1, start, s);
    arrays.b = NULL;
    batch_iterate(&s->batch, arrays, s->args.together ? iterate_together : iterate, finished, s);
    struct linear_result result = result_of(s);
    remove_means(s, x);
    s->batch.last = result.iterations > s->before ? result.iterations : s->before;
    s->before = result.iterations;
    return result;
}

static void use_form(struct bicgstab *s, bool together)
{
    struct bicgstab_args *a = &s->args;
    const size_t length = (size_t)(a->components * a->a.p.pitch);
    if (together && !s->second) s->second = pattern_alloc(&a->a.p, 2 * a->components, sizeof(double), "BiCGStab");
    a->together = together, a->p_old = s->second, a->v_old = together ? s->second + length : NULL;
    s->batch.length = together ? 2 : 1;
}

void bicgstab_use_form(struct solver *solver, bool together)
{
    forget(solver_krylov(solver));
    use_form((struct bicgstab *)solver_krylov(solver), together);
}

struct krylov *bicgstab_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                               struct preconditioner *p, struct deflation *d)
{
    struct bicgstab *solver;
    NEW(solver, 1);
    int n = setup->components;
    int64_t length = n * a->block * a->p.pitch;
    bool jacobi = s->preconditioner == PRECONDITIONER_JACOBI && a->block == 1,
         none = s->preconditioner == PRECONDITIONER_NONE;
    if (!setup->work) solver->own = pattern_alloc(&a->p, BICGSTAB_VECTORS * n * a->block, sizeof(double), "BiCGStab");
    if (!jacobi && !none) solver->preconditioned = pattern_alloc(&a->p, 2 * n * a->block, sizeof(double), "BiCGStab");
    double *vectors = setup->work ? setup->work : solver->own, *more = solver->preconditioned;
    struct sums sums = sums_create(BICGSTAB_SUMS * n, a->p.n_slices, "BiCGStab");
    struct bicgstab_states *state = device_alloc(3 * sizeof *state, "BiCGStab");
    solver->args = (struct bicgstab_args){
        .a = *a, .components = n, .scaled = jacobi, .r = vectors, .r0 = vectors + length, .p = vectors + 2 * length,
        .v = vectors + 3 * length, .t = vectors + 4 * length, .mp = more ? more : vectors + 2 * length,
        .mr = more ? more + length : vectors, .sums = sums, .fold = !more && sums_fold(&sums), .directed = state,
        .halved = state + 1, .updated = state + 2};
    solver->base = (struct krylov){.solve = solve, .forget = forget, .free = release, .setting = *s, .setup = *setup,
                                   .preconditioner = p, .deflation = d, .sums = sums};
    use_form(solver, solver->args.fold && a->block == 1);
    solver->batch.on_host = solver->start.on_host = p->on_host;
    return &solver->base;
}
