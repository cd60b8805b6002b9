/* Conjugate gradients for a symmetric positive (semi-)definite matrix, and the stationary iteration x += M (b - A x),
 * implemented as CG with step length 1. */
#include <math.h>
#include <stdlib.h>
#include "base/memory.h"
#include "gpu/device.h"
#include "solve/batch.h"
#include "solve/cg_kernels.h"
#include "solve/krylov.h"
#include "solve/multigrid.h"

/* Statistics are kept separately for this many consecutive solves with the same matrix. */
enum { TURNS = 4 };

struct cg {
    struct krylov base;
    struct cg_args args;                /* of odd iterations; in even ones p and p_old are swapped */
    enum preconditioner_form form;      /* how the preconditioner is applied (a FORM_DIAGONAL within `block`, if set) */
    bool one_kernel, block;
    struct batch batch, start, zero;    /* iterations; the launches before them; the same from zero */
    double *b;                          /* of this solve */
    struct cg_state seen;               /* when last read */
    int before[TURNS][2];               /* iterations of the last two solves, by position in such a sequence */
};

/* TIGHT: for tolerances below it rounding may make r drift from b - A x.  MOST_STARTS: how often the iteration may then
 * restart from the true residual; one that does not reduce it to this SHARE has reached rounding, and others would
 * search along what rounding leaves: steps of any length. */
#define TIGHT 1e-6
#define SHARE 0.5
enum { MOST_STARTS = 5 };

static double *vector(const struct pattern *p)
{
    return pattern_alloc(p, 1, sizeof(double), "conjugate gradients");
}

static void forget(struct krylov *k)
{
    batch_free(&((struct cg *)k)->batch);
    batch_free(&((struct cg *)k)->start);
    batch_free(&((struct cg *)k)->zero);
}

static void use_form(struct cg *cg, bool one_kernel, bool fold)
{
    struct cg_args *a = &cg->args;
    if (one_kernel && a->p_old == a->p) a->p = vector(&a->a.p);
    cg->one_kernel = one_kernel;
    a->fold = fold;
}

void cg_use_form(struct solver *solver, bool one_kernel, bool fold)
{
    forget(solver_krylov(solver));
    use_form((struct cg *)solver_krylov(solver), one_kernel, fold);
}

static void release(struct krylov *k)
{
    struct cg *cg = (struct cg *)k;
    struct cg_args *a = &cg->args;
    forget(k);
    device_free(a->first_rr);
    device_free(a->z), device_free(a->q), device_free(a->r), device_free(a->p);
    if (a->p_old != a->p) device_free((void *)a->p_old);
    sums_free(&a->sums), device_free(a->stepped);
    free(cg);
}

static void add_up(const struct cg_args *a, int first, int count)
{
    if (!a->fold) sums_finish(&a->sums, first, count);
}

/* Multigrid's cycle, and the sums over its result. */
static void cycle(const struct cg *cg, const struct cg_args *a)
{
    struct cg_last_args last = {.cg = *a};
    if (multigrid_cycle_but_last(cg->base.preconditioner->multigrid, &last.last))
        cg_smooth_take_shaped(&last, &a->a.p);
    else cg_take(a, a->a.p.n_slices);
}

static void update(const struct cg *cg, const struct cg_args *a)
{
    struct preconditioner *m = cg->base.preconditioner;
    if (cg->form == FORM_APART) {
        cg_update_residual(a, a->a.p.n_slices);
        add_up(a, CG_RR, 1);
        m->apply(m, a->r, a->sums.total + CG_RR, a->z);
        cg_take(a, a->a.p.n_slices);
    } else
        (cg->block ? cg_update_block : a->fold ? cg_update_folded : cg_update)(a, a->a.p.n_slices);
    add_up(a, CG_RZ, a->flexible ? 3 : 2);
}

/* Applies deflation's projection to v, and computes p.v. */
static void project(const struct cg *cg, const struct cg_args *a, double *v)
{
    if (cg->base.deflation) deflation_project(cg->base.deflation, v, a->p, &a->sums, &a->searched->done);
}

static void search(const struct cg *cg, const struct cg_args *a)
{
    if (cg->one_kernel) {                               /* p is recomputed at neighbours, from these two */
        halo_update_together(a->a.p.halo, {a->z, 1}, {a->p_old, 1});
        (a->fold ? cg_direction_product_folded : cg_direction_product)(a, a->a.p.n_slices);
    } else {
        cg_direction(a, a->a.p.n_slices);
        halo_update(a->a.p.halo, a->p, 1);
        cg_product(a, a->a.p.n_slices);
    }
    project(cg, a, a->q);
    add_up(a, CG_PQ, 1);
}

static void decide(const struct cg_args *a)
{
    if (a->sums.ranks) sums_finish(&a->sums, CG_RR, 1);
    cg_decide(a, 1);
}

/* The part that is recorded with multigrid: it begins before a cycle, with the right-hand side ready, and ends before
 * the next. */
static void iterate_cycle(void *context)
{
    const struct cg *cg = context;
    const struct cg_args *a = &cg->args;
    struct cg_cycle_args c = {*a, multigrid_entrance(cg->base.preconditioner->multigrid)};
    cycle(cg, a);
    add_up(a, CG_RZ, 3);
    search(cg, a);
    cg_update_cycle(&c, a->a.p.n_slices);
    decide(a);
}

/* The part that is recorded with other preconditioners: it begins after a search(), and ends after the next. */
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

/* Corrects x on the subdomains of deflation, before the first iteration and after the last. */
static void correct(const struct cg *cg, double *x, const double *b)
{
    const struct cg_args *a = &cg->args;
    if (cg->base.deflation) deflation_correct(cg->base.deflation, x, b, a->q, a->z, &a->sums, a->first_rr);
}

/* The launches between the first residual and the first cycle.  Later cycles scale their right-hand side by the norm of
 * the previous residual; here there is none, so the norm is computed first. */
static void begin_cycle(const struct cg *cg, const struct cg_args *a)
{
    struct begin_args first = {multigrid_entrance(cg->base.preconditioner->multigrid), a->r, &a->stepped->scale2};
    decide(a);
    multigrid_begin(&first, a->a.p.n_slices);
}

/* From the initial guess to the first direction, with multigrid to the first cycle.  The residual b - A x needs no
 * kernel of its own: a step of length 1 from r = b along p = x gives r = b - A x.  With deflation it is P b - P A x,
 * the same up to rounding: otherwise, with a coefficient of 1e6 and a constant x, the rounding error of A x would stay
 * in r, where P A never removes it, and make z = M r grow.  So would the mean of A x in a singular system, where it is
 * nothing but rounding. */
static void start(void *context)
{
    const struct cg *cg = context;
    const struct cg_args *a = &cg->args;
    double *x = a->x, *b = cg->b;
    if (cg->base.setup.singular) krylov_remove_mean(&cg->base, &a->a.p, b);
    correct(cg, x, b);
    struct cg_begin_args first = {b, a->weight, a->z, a->r, (double *)a->p_old};
    cg_begin(&first, a->a.p.n_padded);
    struct cg_args product = *a;
    product.p = x;
    halo_update(a->a.p.halo, x, 1);
    cg_product(&product, a->a.p.n_slices);
    if (cg->base.setup.singular && !a->weight) krylov_remove_mean(&cg->base, &a->a.p, a->q);
    project(cg, a, a->r), project(cg, a, a->q);
    if (cg->form == FORM_CYCLE) cg_update_residual(a, a->a.p.n_slices), begin_cycle(cg, a);
    else update(cg, a), search(cg, a);
}

/* The same with multigrid from x = 0, where no correction on subdomains is needed. */
static void start_from_zero(void *context)
{
    const struct cg *cg = context;
    const struct cg_args *a = &cg->args;
    struct reduce_args sum = {cg->b, NULL, a->sums, REDUCE_SUM};
    struct cg_zero_args zero = {*a, cg->b, cg->base.setup.singular};
    if (zero.mean) {
        reduce_slices(&sum, a->a.p.n_slices);
        add_up(a, 0, 1);
    }
    cg_begin_zero(&zero, a->a.p.n_slices);
    begin_cycle(cg, a);
}

static bool finished(void *solver)
{
    struct cg *cg = solver;
    struct cg_state *s = &cg->seen;
    device_download(s, cg->form == FORM_CYCLE ? cg->args.stepped : cg->args.searched, sizeof *s);
    if (cg->base.tell && s->initial > 0 && s->iteration > 0)
        cg->base.tell(cg->base.context, s->iteration, sqrt(s->rr / s->initial));
    return s->done;
}

/* Iterations with multigrid.  A wasted cycle costs more than several residual checks, so there is a check before every
 * cycle except the first `expected`. */
static void iterate_cycles(struct cg *cg, struct batch_arrays arrays, int expected)
{
    batch_launch(&cg->batch, arrays, expected, iterate_cycle, cg);
    while (!finished(cg)) batch_launch(&cg->batch, arrays, 1, iterate_cycle, cg);
    cg_finish(&cg->args, cg->args.a.p.n_slices);
}

/* Iterates from the state `from`, whose iteration is one before the first, to the end, and corrects x on subdomains.
 * expected: as in iterate_cycles().  zero: the initial guess is zero. */
static struct cg_state run(struct cg *cg, const struct cg_state *from, int expected, bool zero, double *x, double *b)
{
    const bool cycle = cg->form == FORM_CYCLE;
    const struct cg_state both[2] = {*from, *from};
    struct batch_arrays arrays = {.x = x, .val = cg->args.a.val, .diag = cg->args.a.diag, .b = b};
    device_upload(cg->args.stepped, both, sizeof both);
    cg->b = b;
    if (zero) batch_launch(&cg->zero, arrays, 1, start_from_zero, cg);
    else batch_launch(&cg->start, arrays, 1, start, cg);
    arrays.b = NULL;
    if (cycle) iterate_cycles(cg, arrays, expected);
    else batch_iterate(&cg->batch, arrays, iterate, finished, cg);
    correct(cg, x, b);
    if (cg->base.setup.singular)
        (cycle && !cg->base.deflation ? krylov_remove_sum : krylov_remove_mean)(&cg->base, &cg->args.a.p, x);
    return cg->seen;
}

static struct linear_result result_of(struct cg *cg, const struct cg_state *s)
{
    cg->base.iterations = s->iteration;
    cg->base.limit = sqrt(s->limit);
    return (struct linear_result){.status = (enum linear_status)(s->done - 1), .iterations = s->iteration,
                                  .initial = sqrt(s->initial), .final = sqrt(s->rr)};
}

/* Stores the matrix, and the preconditioner's data for it, in the kernels' arguments. */
static void take(struct cg *cg, const struct matrix *a, double *x)
{
    const struct preconditioner *m = cg->base.preconditioner;
    cg->args.a = *a;
    cg->args.x = x;
    cg->args.history = cg->base.history;
    cg->args.outer = m->weight;
    cg->args.weight = cg->args.r ? NULL : m->weight;
    cg->args.cycle = cg->form == FORM_CYCLE ? multigrid_result(m->multigrid) : NULL;
}

static int *last_two(struct cg *cg) { return cg->before[cg->base.turn < TURNS ? cg->base.turn : TURNS - 1]; }

/* Lower estimate of the number of iterations of this solve; 0 on a CPU, where a residual check costs nothing. */
static int expected(struct cg *cg)
{
    const int *before = last_two(cg);
    return device_kind() == DEVICE_CPU ? 0 : before[0] < before[1] ? before[0] : before[1];
}

static void note_iterations(struct cg *cg, int iterations)
{
    int *before = last_two(cg);
    before[1] = before[0], before[0] = cg->batch.last = iterations;
}

/* Also where it ended with a breakdown: with r at rounding a product that should be positive may not be. */
static bool may_drift(const struct cg_state *s, double tolerance)
{
    return tolerance < TIGHT && s->iteration > 0 &&
           (s->done - 1 == LINEAR_CONVERGED || s->done - 1 == LINEAR_BREAKDOWN);
}

static struct linear_result solve(struct krylov *k, const struct matrix *a, double *x, double *b)
{
    struct cg *cg = (struct cg *)k;
    const struct linear_setting *set = &k->setting;
    take(cg, a, x);
    struct cg_state from = {.tolerance = set->tolerance, .absolute = set->absolute, .iteration = -1,
                            .max_iterations = set->max_iterations, .every = set->smoothing_every,
                            .before = set->method == METHOD_STATIONARY ? INT32_MAX : set->smoothing_before};
    struct cg_state s = run(cg, &from, expected(cg), k->from_zero, x, b);
    note_iterations(cg, s.iteration);
    double last = INFINITY;
    for (int start = 1; may_drift(&s, set->tolerance); start++) {
        double rr = krylov_residual(k, a, x, b);
        if (rr <= 4 * s.limit || start == MOST_STARTS || rr > SHARE * SHARE * last) {
            s.rr = rr;
            if (rr <= 4 * s.limit) s.done = 1 + LINEAR_CONVERGED;
            break;
        }
        last = rr;
        from = s;
        from.done = from.behind = 0, from.scale2 = 0, from.iteration = s.iteration - 1;
        if (from.before < s.iteration) from.before = s.iteration;      /* a step of length 1 computes r, see start() */
        s = run(cg, &from, 0, false, x, b);
    }
    return result_of(cg, &s);
}

struct krylov *cg_create(const struct matrix *a, const struct linear_setting *s, const struct solver_setup *setup,
                         struct preconditioner *p, struct deflation *d)
{
    struct cg *cg;
    NEW(cg, 1);
    bool everywhere = p->form == FORM_BLOCK, apart = p->form == FORM_CYCLE || p->form == FORM_APART;
    cg->form = p->form;
    cg->block = everywhere || s->smoothing_before > 0 || s->smoothing_every > 0 || (d && !apart);
    struct cg_state *state = device_alloc(2 * sizeof *state, "conjugate gradients");
    struct sums sums = sums_create(CG_SUMS, a->p.n_slices, "conjugate gradients");
    cg->base = (struct krylov){.solve = solve, .forget = forget, .free = release, .setting = *s,
                               .setup = *setup, .preconditioner = p, .deflation = d, .sums = sums,
                               .takes_zero = p->form == FORM_CYCLE && !d};
    cg->args = (struct cg_args){
        .a = *a, .z = p->form == FORM_CYCLE && !d ? NULL : vector(&a->p), .q = vector(&a->p),
        .r = cg->block || apart ? vector(&a->p) : NULL, .p = vector(&a->p), .sums = sums,
        .stepped = &state[0], .searched = &state[1], .flexible = cg->block || p->variable, .inner = s->inner,
        .inner_sweeps = s->inner_sweeps, .everywhere = everywhere,
        .first_rr = d ? device_alloc(sizeof(double), "conjugate gradients") : NULL};
    cg->args.p_old = cg->args.p;
    bool cuda = device_kind() == DEVICE_CUDA, cycle = p->form == FORM_CYCLE;
    /* With a cycle p is updated in place, because iterations are recorded singly. */
    cg->batch.length = cycle ? 1 : cuda ? 8 : 2;
    cg->batch.on_host = p->on_host;
    cg->start.on_host = p->on_host || d;        /* deflation by phases rebuilds everything in every time step */
    use_form(cg, cuda && !cycle, p->form != FORM_APART && sums_fold(&sums));
    return &cg->base;
}
