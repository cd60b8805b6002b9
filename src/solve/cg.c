#include "solve/linear.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "gpu/fold.h"
#include "gpu/reduce_args.h"
#include "gpu/vector.h"
#include "solve/batch.h"
#include "solve/cg_kernels.h"
#include "solve/deflation.h"
#include "solve/multigrid.h"
#include "solve/preconditioner.h"
#include "solve/rebuild.h"
#include "solve/ruiz.h"
#include "solve/subdomains.h"

struct cg {
    struct cg_args args;                /* p is made from p_old; the other way round in every second iteration */
    struct linear_setting setting;
    bool singular, one_kernel, block;
    double *weight;                     /* own array (Ruiz) or NULL */
    struct multigrid *multigrid;        /* or NULL */
    struct rebuild rebuild;             /* of its structure */
    struct preconditioner *other;       /* or NULL */
    struct deflation *deflation;        /* or NULL */
    struct batch batch;
    struct cg *fallback;                /* with Jacobi, once multigrid broke down; or NULL */
    bool fell_back;                     /* in the last solve */
    char note[160];
    bool news;                          /* the note has not been handed out yet */
    void (*tell)(void *context, int iterations, double residual);
    void *context;
};

/* Tolerances under which rounding may carry r away from b - A x, and how often to start again from there. */
#define TIGHT 1e-6
enum { MOST_STARTS = 5 };

static double *vector(const struct matrix *a, const char *what)
{
    return device_alloc((size_t)a->p.n_padded * sizeof(double), what);
}

/* False when there is no such preconditioner for the pattern. */
static bool make_preconditioner(struct cg *cg, const struct matrix *a, struct error *e)
{
    const struct linear_setting *s = &cg->setting;
    switch (s->preconditioner) {
    case PRECONDITIONER_NONE: case PRECONDITIONER_JACOBI: case PRECONDITIONER_BLOCK_JACOBI: return true;
    case PRECONDITIONER_RUIZ: cg->weight = vector(a, "Ruiz preconditioner"); return true;
    case PRECONDITIONER_MULTIGRID: cg->multigrid = multigrid_create(a, s, cg->singular); return true;
    default: cg->other = preconditioner_create(a, s, cg->singular, e); return cg->other;
    }
}

static bool make_deflation(struct cg *cg, const struct matrix *a, const int32_t *phase, struct error *e)
{
    int32_t *domain;
    NEW(domain, a->p.n);
    int32_t n = subdomains(a, &cg->setting, phase, domain, e);
    if (n) {
        deflation_free(cg->deflation);
        cg->deflation = deflation_create(a, &cg->setting, domain, n, cg->singular);
    }
    free(domain);
    return n;
}

struct cg *cg_create(const struct matrix *a, const struct linear_setting *s, bool singular, struct error *e)
{
    return cg_create_with_phase(a, s, singular, NULL, e);
}

struct cg *cg_create_with_phase(const struct matrix *a, const struct linear_setting *s, bool singular,
                                const int32_t *phase, struct error *e)
{
    struct cg *cg;
    NEW(cg, 1);
    cg->setting = *s;
    cg->singular = singular;
    bool deflated = s->deflation != DEFLATION_NONE;
    if (deflated && !make_deflation(cg, a, phase, e)) return free(cg), NULL;
    if (!make_preconditioner(cg, a, e)) return deflation_free(cg->deflation), free(cg), NULL;
    bool everywhere = s->preconditioner == PRECONDITIONER_BLOCK_JACOBI, apart = cg->multigrid || cg->other;
    cg->block = everywhere || s->smoothing_before > 0 || s->smoothing_every > 0 || (deflated && !apart);
    bool stored = cg->block || apart;
    const double *weight = s->preconditioner == PRECONDITIONER_JACOBI ? a->diag : cg->weight;
    struct cg_state *state = device_alloc(2 * sizeof *state, "conjugate gradients");
    double *sums = device_alloc(CG_SUMS * ((size_t)a->p.n_slices + 1) * sizeof *sums, "conjugate gradients");
    cg->args = (struct cg_args){
        .a = *a, .z = cg->multigrid && !deflated ? NULL : vector(a, "conjugate gradients"),
        .q = vector(a, "conjugate gradients"),
        .r = stored ? vector(a, "conjugate gradients") : NULL, .p = vector(a, "conjugate gradients"),
        .weight = stored ? NULL : weight, .outer = weight,
        .partial = sums, .total = sums + CG_SUMS * (size_t)a->p.n_slices, .stepped = &state[0], .searched = &state[1],
        .flexible = cg->block || cg->multigrid || (cg->other && cg->other->variable), .inner = s->inner,
        .inner_sweeps = s->inner_sweeps, .everywhere = everywhere,
        .first_rr = deflated ? device_alloc(sizeof(double), "conjugate gradients") : NULL};
    cg->args.p_old = cg->args.p;
    bool cuda = device_kind() == DEVICE_CUDA;
    /* A cycle is worth many launches: no iteration is launched in vain, which takes p in place and batches of one. */
    cg->batch.length = cg->multigrid ? 1 : cuda ? 8 : 2;
    cg->batch.on_host = cg->other && cg->other->on_host;
    cg_use_form(cg, cuda && !cg->multigrid, cuda && !cg->multigrid && !cg->other && a->p.n_slices <= FOLD_SLICES);
    return cg;
}

void cg_use_form(struct cg *cg, bool one_kernel, bool fold)
{
    struct cg_args *a = &cg->args;
    if (one_kernel && a->p_old == a->p) a->p = vector(&a->a, "conjugate gradients");
    cg->one_kernel = one_kernel;
    a->fold = fold;
}

void cg_free(struct cg *cg)
{
    if (!cg) return;
    struct cg_args *a = &cg->args;
    batch_free(&cg->batch);
    multigrid_free(cg->multigrid);
    cg_free(cg->fallback);
    if (cg->other) cg->other->free(cg->other);
    deflation_free(cg->deflation);
    device_free(a->history), device_free(a->first_rr);
    device_free(a->z), device_free(a->q), device_free(a->r), device_free(a->p);
    if (a->p_old != a->p) device_free((void *)a->p_old);
    device_free(a->partial), device_free(a->stepped), device_free(cg->weight);
    free(cg);
}

int64_t cg_bytes(const struct cg *cg)
{
    const struct cg_args *a = &cg->args;
    int64_t matrix = matrix_bytes(&a->a) - 2 * 8 * a->a.p.n_padded;     /* with the diagonal, without x and y */
    /* direction and product: z, p read, p, q written, x both; p once more between two kernels. */
    int64_t search = 6 + (cg->one_kernel ? 0 : 1) + (cg->weight && !cg->block ? 1 : 0);
    /* update: z both, q read, the weight; or with r: r both, q read, z written, and the matrix once more. */
    int64_t update = cg->block ? 4 : a->r ? 6 : 3 + (a->weight ? 1 : 0);
    int64_t more = (cg->other ? cg->other->bytes : 0) + (cg->deflation ? deflation_bytes(cg->deflation) : 0);
    return matrix + (search + update) * 8 * a->a.p.n_padded + (a->everywhere ? matrix : 0) + more;
}

static void add_up(const struct cg_args *a, int first, int count)
{
    struct finish_args args = {a->partial + (int64_t)first * a->a.p.n_slices, a->total + first, a->a.p.n_slices};
    if (!a->fold) finish_sum(&args, count);
}

static void update(const struct cg *cg, const struct cg_args *a)
{
    if (cg->multigrid) {
        struct cg_cycle_args c = {*a, multigrid_entrance(cg->multigrid)};
        cg_update_cycle(&c, a->a.p.n_slices);
        multigrid_cycle(cg->multigrid);
        cg_take(a, a->a.p.n_slices);
    } else if (cg->other) {
        cg_update_residual(a, a->a.p.n_slices);
        add_up(a, CG_RR, 1);
        cg->other->apply(cg->other, a->r, a->total + CG_RR, a->z);
        cg_take(a, a->a.p.n_slices);
    } else
        (cg->block ? cg_update_block : a->fold ? cg_update_folded : cg_update)(a, a->a.p.n_slices);
    add_up(a, CG_RZ, a->flexible ? 3 : 2);
}

static void search(const struct cg *cg, const struct cg_args *a)
{
    if (cg->one_kernel) {
        (a->fold ? cg_direction_product_folded : cg_direction_product)(a, a->a.p.n_slices);
    } else {
        cg_direction(a, a->a.p.n_slices);
        cg_product(a, a->a.p.n_slices);
    }
    if (cg->deflation) deflation_project(cg->deflation, a->q, a->p, a->partial, &a->searched->done);
    add_up(a, CG_PQ, 1);
}

/* The recorded part: begins after a search, ends after one. */
static void iterate(void *context)
{
    const struct cg *cg = context;
    struct cg_args args[2] = {cg->args, cg->args};
    args[1].p_old = cg->args.p;
    args[1].p = (double *)cg->args.p_old;
    for (int i = 1; i <= cg->batch.length; i++) {
        update(cg, &args[i % 2]);
        search(cg, &args[i % 2]);
    }
}

/* Takes the mean over the n rows away, on the machine. */
static void remove_mean(const struct cg_args *a, double *x)
{
    struct reduce_args sum = {x, NULL, a->partial, REDUCE_SUM};
    struct finish_args finish = {a->partial, a->total, a->a.p.n_slices};
    struct cg_shift_args shift = {x, a->total, a->a.p.n};
    reduce_slices(&sum, a->a.p.n_slices);
    finish_sum(&finish, 1);
    cg_shift(&shift, a->a.p.n);
}

void cg_set_absolute(struct cg *cg, double absolute) { cg->setting.absolute = absolute; }

const char *cg_refresh(struct cg *cg)
{
    const char *why = cg->deflation ? deflation_refresh(cg->deflation) : NULL;
    if (why) return why;
    if (cg->multigrid && rebuild_if_due(&cg->rebuild, cg->multigrid, cg->note, sizeof cg->note)) {
        batch_free(&cg->batch);
        cg->news = true;
    }
    if (cg->multigrid) multigrid_refresh(cg->multigrid);
    if (cg->weight) ruiz_weight(&cg->args.a, cg->weight, cg->args.z);
    return cg->other ? cg->other->refresh(cg->other) : NULL;
}

/* x is corrected on the subdomains, before the first iteration and after the last. */
static void correct(const struct cg *cg, double *x, const double *b)
{
    const struct cg_args *a = &cg->args;
    if (cg->deflation) deflation_correct(cg->deflation, x, b, a->q, a->z, a->partial, a->first_rr);
}

/* The first update() with multigrid: the residual's norm must be known before the cycle begins. */
static void begin_cycle(const struct cg *cg, const struct cg_args *a)
{
    struct begin_args first = {multigrid_entrance(cg->multigrid), a->r, a->total + CG_RR};
    cg_update_residual(a, a->a.p.n_slices);
    add_up(a, CG_RR, 1);
    device_copy(&a->stepped->scale2, a->total + CG_RR, sizeof(double));
    multigrid_begin(&first, a->a.p.n_slices);
    multigrid_cycle(cg->multigrid);
    cg_take(a, a->a.p.n_slices);
    add_up(a, CG_RZ, 3);
}

/* From the first guess to the first direction: with r = b and p = x, one step of length 1 makes the residual. */
static void begin(const struct cg *cg, const struct cg_state *from, double *x, double *b)
{
    const struct cg_args *a = &cg->args;
    const struct cg_state both[2] = {*from, *from};
    device_upload(a->stepped, both, sizeof both);
    if (cg->singular) remove_mean(a, b);
    correct(cg, x, b);
    struct cg_begin_args first = {b, a->weight, a->z, a->r, (double *)a->p_old};
    cg_begin(&first, a->a.p.n_padded);
    struct cg_args product = *a;
    product.p = x;
    cg_product(&product, a->a.p.n_slices);
    if (cg->multigrid) begin_cycle(cg, a);
    else update(cg, a);
    search(cg, a);
}

static struct cg_state state(const struct cg *cg)
{
    struct cg_state s;
    device_download(&s, cg->args.searched, sizeof s);
    return s;
}

static bool finished(const void *solver)
{
    const struct cg *cg = solver;
    struct cg_state s = state(cg);
    if (cg->tell && s.initial > 0) cg->tell(cg->context, s.iteration, sqrt(s.rr / s.initial));
    return s.done;
}

/* From the state `from` (its iteration is one before the first) to the end; corrects x. */
static struct cg_state run(struct cg *cg, const struct cg_state *from, double *x, double *b)
{
    begin(cg, from, x, b);
    batch_iterate(&cg->batch, x, iterate, finished, cg);
    correct(cg, x, b);
    if (cg->singular) remove_mean(&cg->args, x);
    return state(cg);
}

static double true_residual(const struct cg *cg, const double *x, const double *b)
{
    const struct cg_args *a = &cg->args;
    struct cg_true_args args = {a->a, x, b, a->partial};
    struct finish_args sum = {a->partial, a->total, a->a.p.n_slices};
    double rr;
    cg_true_residual(&args, a->a.p.n_slices);
    finish_sum(&sum, 1);
    device_download(&rr, a->total, sizeof rr);
    return rr;
}

static struct linear_result result_of(struct cg *cg, const struct cg_state *s)
{
    const char *note = cg->news ? cg->note : NULL;
    cg->news = false;
    if (s->done - 1 <= LINEAR_MAX_ITERATIONS) rebuild_watch(&cg->rebuild, s->iteration);
    return (struct linear_result){(enum linear_status)(s->done - 1), s->iteration, sqrt(s->initial), sqrt(s->rr), note};
}

/* Jacobi from where multigrid broke down, or from zero where that left no numbers. */
static struct linear_result without_multigrid(struct cg *cg, const struct cg_state *broken, double *x, double *b)
{
    struct linear_setting jacobi = {.preconditioner = PRECONDITIONER_JACOBI, .max_iterations = cg->setting.max_iterations};
    struct fill_args zero = {x, 0};
    if (!cg->fallback) cg->fallback = cg_create(&cg->args.a, &jacobi, cg->singular, NULL);
    if (cg->args.history) cg_keep_history(cg->fallback);
    cg->fallback->setting.absolute = sqrt(broken->limit);
    cg->fell_back = true;
    if (!isfinite(true_residual(cg, x, b))) fill(&zero, cg->args.a.p.n_padded);
    struct linear_result r = cg_solve(cg->fallback, x, b);
    snprintf(cg->note, sizeof cg->note, "multigrid gave up after %d iterations (%s); %d with Jacobi followed",
             broken->iteration, broken->done - 1 == LINEAR_BREAKDOWN ? "it is not positive definite here"
             : "numbers beyond single precision", r.iterations);
    r.iterations += broken->iteration;
    r.initial = sqrt(broken->initial);
    r.note = cg->note;
    cg->news = false;
    return r;
}

struct linear_result cg_solve(struct cg *cg, double *x, double *b)
{
    const struct linear_setting *set = &cg->setting;
    if (cg->singular && cg->args.a.p.n == 1) {            /* one unknown that nothing fixes: 0, as its mean is to be */
        struct fill_args zero = {x, 0};
        fill(&zero, 1);
        return (struct linear_result){.status = LINEAR_CONVERGED};
    }
    const char *why = cg_refresh(cg);
    if (why) return (struct linear_result){.status = LINEAR_REFUSED, .note = why};
    cg->fell_back = false;
    cg->args.x = x;
    cg->args.cycle = cg->multigrid ? multigrid_result(cg->multigrid) : NULL;
    struct cg_state from = {.tolerance = set->tolerance, .absolute = set->absolute, .iteration = -1,
                            .max_iterations = set->max_iterations, .every = set->smoothing_every,
                            .before = set->method == METHOD_STATIONARY ? INT32_MAX : set->smoothing_before};
    struct cg_state s = run(cg, &from, x, b);
    if (!cg->multigrid) cg->batch.last = s.iteration;       /* a cycle costs more than a look */
    for (int start = 1; s.done - 1 == LINEAR_CONVERGED && set->tolerance < TIGHT && s.iteration > 0; start++) {
        double rr = true_residual(cg, x, b);
        if (rr <= 4 * s.limit || start == MOST_STARTS) {
            s.rr = rr;
            break;
        }
        from = s;
        from.done = 0, from.iteration = s.iteration - 1;
        if (from.before < s.iteration) from.before = s.iteration;      /* the first step makes the residual */
        s = run(cg, &from, x, b);
    }
    bool broken = s.done - 1 == LINEAR_BREAKDOWN || s.done - 1 == LINEAR_NOT_FINITE;
    bool again = cg->multigrid && broken && isfinite(s.limit) && s.limit > 0;
    return again ? without_multigrid(cg, &s, x, b) : result_of(cg, &s);
}

void cg_watch(struct cg *cg, void (*tell)(void *context, int iterations, double residual), void *context)
{
    cg->tell = tell;
    cg->context = context;
}

int64_t cg_forecast(const struct pattern *p, const struct linear_setting *s)
{
    bool diagonal = s->preconditioner <= PRECONDITIONER_RUIZ, multigrid = s->preconditioner == PRECONDITIONER_MULTIGRID;
    bool two = device_kind() == DEVICE_CUDA && !multigrid;              /* directions of two iterations */
    int64_t vectors = (diagonal || multigrid ? 3 : 4) + two + (s->preconditioner == PRECONDITIONER_RUIZ);
    int64_t bytes = vectors * 8 * p->n_padded;
    /* Finest level: entries and their sources, diagonal, row sum, parent, child, place, three vectors. */
    if (multigrid) return bytes + (8 * p->n_stored + 31 * p->n_padded) * 14 / 10;
    return bytes + (s->preconditioner > PRECONDITIONER_MULTIGRID ? 12 * p->n_stored + 8 * p->n_padded : 0);
}

bool cg_set_phase(struct cg *cg, const int32_t *phase, struct error *e)
{
    if (cg->setting.deflation < DEFLATION_LEVEL_SET) return true;
    batch_free(&cg->batch);
    return make_deflation(cg, &cg->args.a, phase, e);
}

int32_t *cg_structure(const struct cg *cg, int64_t *n)
{
    *n = 0;
    return cg->multigrid ? rebuild_state(&cg->rebuild, cg->multigrid, n) : NULL;
}

bool cg_set_structure(struct cg *cg, const int32_t *structure, int64_t n)
{
    if (!cg->multigrid || !n) return true;
    bool good = rebuild_restore(&cg->rebuild, cg->multigrid, structure, n);
    batch_free(&cg->batch);
    return good;
}

int32_t cg_deflation_vectors(const struct cg *cg) { return cg->deflation ? deflation_vectors(cg->deflation) : 0; }

void cg_keep_history(struct cg *cg)
{
    size_t n = (size_t)cg->setting.max_iterations + 1;
    if (!cg->args.history) cg->args.history = device_alloc(n * sizeof *cg->args.history, "history of the iterations");
}

struct cg_history *cg_history(const struct cg *cg)
{
    size_t own = (size_t)state(cg).iteration + !cg->fell_back;
    size_t more = cg->fell_back ? (size_t)state(cg->fallback).iteration + 1 : 0;
    struct cg_history *h;
    NEW(h, own + more);
    device_download(h, cg->args.history, own * sizeof *h);
    if (more) device_download(h + own, cg->fallback->args.history, more * sizeof *h);
    return h;
}
