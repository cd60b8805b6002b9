/* GMRES(m) and flexible GMRES, also for block matrices (gmres_kernels.h), several systems one after the other.  An
 * iteration has the same launches regardless of its number in the cycle, so it is recorded once; the end of a cycle is
 * a second recording, launched after every m iterations.  The host reads the residual as in batch.c, but four times as
 * often near the end: wasted launches are products and preconditioners, which take longer than a check. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/batch.h"
#include "solve/gmres_kernels.h"
#include "solve/krylov.h"

struct gmres {
    struct krylov base;
    struct matrix a;
    struct gmres_args args;
    struct batch step, restart;
    double *vectors, *small;    /* all vectors; all data of the Hessenberg matrix */
    int32_t n_slices;
    char note[160];
};

static void forget(struct krylov *k)
{
    struct gmres *s = (struct gmres *)k;
    batch_free(&s->step), batch_free(&s->restart);
}

static void release(struct krylov *k)
{
    struct gmres *s = (struct gmres *)k;
    forget(k);
    device_free(s->vectors), device_free(s->args.z), device_free(s->args.z_single);
    device_free(s->small), device_free(s->args.state);
    sums_free(&s->args.first), sums_free(&s->args.second);
    free(s);
}

/* z = M r; norm2: r.r on the device. */
static void precondition(const struct gmres *s, const double *r, const double *norm2, double *z)
{
    struct preconditioner *m = s->base.preconditioner;
    if (z != r) m->apply(m, r, norm2, z);
}

/* v.v, on the device. */
static const double *norm_of(const struct gmres *s, const double *v)
{
    struct gmres_square_args square = {v, s->args.block, s->args.pitch, s->args.second};
    gmres_square(&square, s->n_slices);
    sums_finish(&s->args.second, 0, 1);
    return s->args.second.total;
}

static void iterate(void *solver)
{
    const struct gmres *s = solver;
    const struct gmres_args *a = &s->args;
    int numbers = a->restart + 1;
    if (a->left) {
        matrix_product(&s->a, a->u, a->mu);
        precondition(s, a->mu, norm_of(s, a->mu), a->w);
    } else {
        precondition(s, a->u, &a->state->unit, a->mu);
        matrix_product(&s->a, a->mu, a->w);
    }
    gmres_project(a, s->n_slices);
    sums_finish(&a->first, 0, numbers);
    gmres_orthogonalise(a, s->n_slices);
    sums_finish(&a->second, 0, numbers);
    gmres_extend(a, s->n_slices);
    gmres_column(a, 1);
}

/* Starts a cycle with the residual of x. */
static void begin(const struct gmres *s)
{
    const struct gmres_args *a = &s->args;
    matrix_product(&s->a, a->x, a->w);
    gmres_residual(a, s->n_slices);
    sums_finish(&a->first, 0, 1);
    if (a->left) {
        precondition(s, a->u, a->first.total, a->w);
        norm_of(s, a->w);
    }
    gmres_start(a, 1);
    gmres_basis(a, s->n_slices);
}

/* Adds the result of the cycle to x. */
static void correct(const struct gmres *s, const struct gmres_args *a)
{
    gmres_weights(a, 1);
    gmres_combine(a, s->n_slices);
    if (gmres_keeps(a) || a->left || a->mu == a->u) return;
    precondition(s, a->u, &a->state->weight, a->mu);
    gmres_advance(a, s->n_slices);
}

static void restart(void *solver)
{
    const struct gmres *s = solver;
    correct(s, &s->args);
    begin(s);
}

static struct gmres_state state(const struct gmres *s)
{
    struct gmres_state now;
    device_download(&now, s->args.state, sizeof now);
    return now;
}

static void run(struct gmres *s, struct batch_arrays arrays)
{
    int launched = 0, look = s->step.last - s->step.last / 8;
    struct gmres_state now;
    do {
        do {
            batch_launch(&s->step, arrays, 1, iterate, s);
            if (++launched % s->args.restart == 0) batch_launch(&s->restart, arrays, 1, restart, s);
        } while (launched < look);
        look = launched + launched / 32;
        now = state(s);
        if (s->base.tell && now.initial > 0)
            s->base.tell(s->base.context, now.iteration, sqrt(now.norm / now.initial));
    } while (!now.done);
}

static struct linear_result result_of(struct gmres *s)
{
    struct gmres_state now = state(s);
    struct linear_result r = {.status = (enum linear_status)(now.done - 1), .iterations = now.iteration,
                              .initial = sqrt(now.initial), .final = sqrt(now.norm), .restarts = now.restarts};
    s->base.iterations = s->step.last = now.iteration;
    s->base.limit = sqrt(now.limit);
    if (now.stands) {
        snprintf(s->note, sizeof s->note, "it stagnates: a cycle of %d iterations no longer reduces the residual; a "
                                          "longer one (restart) or another preconditioner may", s->args.restart);
        r.note = s->note;
    }
    return r;
}

static struct linear_result solve_one(struct gmres *s, const struct matrix *matrix, double *x, double *b)
{
    const struct krylov *k = &s->base;
    struct gmres_state first = {.tolerance = k->setting.tolerance, .absolute = k->setting.absolute, .unit = 1,
                                .iteration = -1, .max_iterations = k->setting.max_iterations};
    struct batch_arrays arrays = {x, matrix->val, matrix->diag, b};
    int64_t last_unknown = (matrix->block - 1) * matrix->p.pitch;
    s->args.x = x, s->args.b = b;
    device_upload(s->args.state, &first, sizeof first);
    if (k->setup.singular) krylov_remove_mean(k, &matrix->p, b + last_unknown);
    begin(s);
    run(s, arrays);
    struct gmres_args last = s->args;
    last.last = true;
    if (state(s).done != 1 + LINEAR_NOT_FINITE) correct(s, &last);
    if (k->setup.singular) krylov_remove_mean(k, &matrix->p, x + last_unknown);
    return result_of(s);
}

/* Several components one after the other, each with its own recordings. */
static struct linear_result solve(struct krylov *k, const struct matrix *matrix, double *x, double *b)
{
    struct gmres *s = (struct gmres *)k;
    struct linear_result all = {.status = LINEAR_CONVERGED};
    int first = 0;
    double limit = 0;
    s->a = *matrix;
    for (int c = 0; c < k->setup.components; c++) {
        s->args.history = c ? NULL : k->history;
        struct linear_result one = solve_one(s, matrix, x + c * matrix->p.pitch, b + c * matrix->p.pitch);
        if (!c) first = k->iterations;
        limit = fmax(limit, k->limit);
        if (one.status > all.status) all.status = one.status;
        if (one.iterations > all.iterations) all.iterations = one.iterations;
        if (one.restarts > all.restarts) all.restarts = one.restarts;
        if (one.note) all.note = one.note;
        all.initial = fmax(all.initial, one.initial), all.final = fmax(all.final, one.final);
    }
    k->iterations = first, k->limit = limit;
    return all;
}

/* ---------------------------------------------------------------- creation */
/* single: the preconditioner's results are in single precision, so storing them in single precision loses nothing. */
static void make_vectors(struct gmres *s, const struct pattern *p, bool flexible, bool single, bool none)
{
    struct gmres_args *a = &s->args;
    int64_t m = a->restart, more = none ? 2 : 3;
    s->vectors = pattern_alloc(p, a->block * (m + more), sizeof *a->v, "GMRES");
    a->v = s->vectors;
    a->u = a->v + m * a->length;
    a->w = a->u + a->length;
    a->mu = none ? a->u : a->w + a->length;
    if (flexible && single) a->z_single = pattern_alloc(p, a->block * m, sizeof *a->z_single, "GMRES");
    else if (flexible) a->z = pattern_alloc(p, a->block * m, sizeof *a->z, "GMRES");
    s->small = device_alloc((size_t)(m * m + 4 * m + 1) * sizeof *s->small, "GMRES");
    a->r = s->small, a->cosine = a->r + m * m, a->sine = a->cosine + m, a->y = a->sine + m, a->g = a->y + m;
}

struct krylov *gmres_create(const struct matrix *a, const struct linear_setting *set, const struct solver_setup *setup,
                            struct preconditioner *p, struct deflation *d)
{
    struct gmres *s;
    NEW(s, 1);
    bool none = set->preconditioner == PRECONDITIONER_NONE;
    int numbers = 1 + (set->restart + GMRES_TILE - 1) / GMRES_TILE * GMRES_TILE;
    s->a = *a;
    s->n_slices = a->p.n_slices;
    s->args = (struct gmres_args){.restart = set->restart, .left = set->side == SIDE_LEFT && !none,
                                  .block = a->block, .pitch = a->p.pitch, .length = a->block * a->p.pitch,
                                  .first = sums_create(numbers, s->n_slices, "GMRES"),
                                  .second = sums_create(numbers, s->n_slices, "GMRES"),
                                  .state = device_alloc(sizeof *s->args.state, "GMRES")};
    bool single = set->preconditioner == PRECONDITIONER_MULTIGRID;
    make_vectors(s, &a->p, set->method == METHOD_FGMRES && !none, single, none);
    s->base = (struct krylov){.solve = solve, .forget = forget, .free = release, .setting = *set, .setup = *setup,
                              .preconditioner = p, .deflation = d, .sums = s->args.first};
    s->step.length = s->restart.length = 1;
    s->step.on_host = s->restart.on_host = p->on_host;
    return &s->base;
}
